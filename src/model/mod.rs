//! Plain data and its maths: [`scene`], [`splats`] and [`meshes`] (content), [`settings`] and [`options`], [`methods`]
//! (their table), [`adapter`] and [`clock`] (facts of a GPU), [`passes`] (names), [`layout`] (structs of shaders),
//! [`files`] (access to bytes), [`kind`] (detection of file formats), `number` (numbers in text), [`items`] (kinds of
//! items), [`reference`] (composites in f64), [`samples`] (statistics), [`format`](self::format) (number formats).
//! Independent of wgpu and windows. Opens no files.

pub mod adapter;
pub mod clock;
pub mod colour;
pub mod constant;
mod feature;
pub mod files;
pub(crate) mod flag_value;
pub mod format;
pub mod items;
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
