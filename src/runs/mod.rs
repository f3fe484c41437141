//! What a command does and may wait for: [`capture`], [`bench`], [`verify`], [`calibrate`] and [`codegen`].

pub mod bench;
pub mod calibrate;
pub mod capture;
pub mod codegen;
mod subject;
pub mod verify;
