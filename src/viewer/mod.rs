//! The window: event loop, keyboard and mouse, panes, and the frame behind them.
//!
//! [`frame::Viewer`] consists of a [`state::State`] (view state, changed by panes), a `Session` (device, pipelines,
//! live frame), an `Input` (keyboard and mouse), an `Outbox` (pictures and running tasks) and a `Recorder` (frames for
//! RenderDoc). It has two hosts: [`window`], called by winit, and [`headless`], which draws into a texture.

pub mod action;
mod background;
pub mod camera;
mod captions;
pub mod code;
mod commands;
pub mod comparison;
mod controls;
pub mod dock;
mod files;
pub mod flip;
pub mod frame;
mod frame_log;
mod grab;
pub mod headless;
pub mod images;
mod input;
pub mod keys;
pub mod link;
pub mod loading;
pub mod machine;
pub mod measured;
pub mod messages;
pub mod method_order;
pub mod moving;
mod opening;
mod outbox;
mod pace;
mod painter;
pub mod panes;
pub mod picking;
pub mod placement;
pub mod preset;
pub mod readings;
mod recording;
mod reload;
mod repaint;
mod ron_file;
pub mod scene_files;
mod screenshot;
mod session;
pub mod shaders;
mod staging;
pub mod start;
pub mod state;
pub mod still;
pub mod subject;
mod surface;
mod testing;
pub mod times;
pub mod view;
pub mod window;
pub mod window_state;
