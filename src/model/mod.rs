//! What is drawn, how, and by what: plain data and the maths of it. [`scene`], [`splats`] and [`meshes`] (what is drawn),
//! [`settings`] and [`options`] (how), [`methods`] (their table), [`adapter`] and [`clock`] (facts of a GPU), [`passes`] (names), [`layout`]
//! (structs that shaders read), [`files`] (how bytes come in), [`kind`] (what a file is), `number` (numbers in text), [`reference`] (composites in f64), [`samples`] (statistics), [`format`](self::format) (how numbers are written). Knows neither wgpu nor window,
//! and opens no file.

pub mod adapter;
pub mod clock;
pub mod colour;
pub mod constant;
mod feature;
pub mod files;
pub(crate) mod flag_value;
pub mod format;
pub mod kind;
pub mod layout;
pub mod meshes;
pub mod methods;
mod number;
pub mod options;
pub mod passes;
pub mod reference;
pub mod samples;
pub mod scene;
pub mod settings;
pub mod splats;
pub mod techniques;

pub use adapter::{Adapter, Capabilities};
pub use clock::{Clock, ClockChoice, ClockSource};
pub use feature::Feature;
