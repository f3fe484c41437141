//! `cargo xtask assets`: runs the program `assets`, a package of its own because it needs encoders.

use crate::process::{self, Result};

/// Make the generated files in assets/ again
///
/// Writes assets/sprites.png, the atlas of smoke puffs, and assets/icon.png, the program's icon. They are the same every
/// time; the files are checked in, so only a change of the generator calls for this.
#[derive(Debug, clap::Args)]
pub struct Assets {}

impl Assets {
    /// `cargo xtask assets`.
    pub fn run(self) -> Result<u8> {
        process::exit_code_of(&mut process::cargo("run --quiet --package assets"))
    }
}
