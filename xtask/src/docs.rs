//! `cargo xtask docs` runs the test of the documents' tables in the mode in which it writes the tables into docs/.

use crate::process;
use crate::process::{LINTING, Result};

/// Regenerate the tables of methods, keys and functions in docs/
#[derive(Debug, clap::Args)]
pub struct Docs {}

impl Docs {
    pub fn run(self) -> Result<u8> {
        let test = "cargo test --package wavelerp --test suite -- docs::the_generated_tables";
        let mut test = process::command_of(test);
        process::exit_code_of(test.envs(LINTING).env("WAVELERP_WRITE_DOCS", "1"))
    }
}
