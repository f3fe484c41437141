//! `cargo xtask docs` runs the tests of generated tables and pages in the mode in which they write these.

use crate::process;
use crate::process::{LINTING, Result};

/// Regenerate the tables of methods, keys and functions in docs/, and the page of results/
#[derive(Debug, clap::Args)]
pub struct Docs {}

impl Docs {
    pub fn run(self) -> Result<u8> {
        let test = "cargo test --package wavelerp --test suite -- docs::the_generated_";
        let mut test = process::command_of(test);
        process::exit_code_of(test.envs(LINTING).env("WAVELERP_WRITE_DOCS", "1"))
    }
}
