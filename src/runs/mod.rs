//! What a command does and may wait for: [`capture`], [`bench`], [`verify`], [`calibrate`] and [`codegen`]. A [`Timer`]
//! times what they draw.

pub mod bench;
pub mod calibrate;
pub mod capture;
pub mod codegen;
mod repeats;
mod subject;
mod timer;
pub mod verify;

pub use repeats::LONG_PASS;
pub use timer::{Set, Subject, Timer};
