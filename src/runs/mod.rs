//! The work of commands, which may block: [`capture`], [`bench`], [`verify`] and [`codegen`]. [`Timer`] times their
//! subjects.

pub mod bench;
pub mod capture;
pub mod codegen;
pub mod compare;
mod repeats;
mod timer;
pub mod verify;
pub mod written;

pub use repeats::LONG_PASS;
pub use timer::{Set, Subject, Timer};
