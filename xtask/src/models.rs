//! `cargo xtask models`: a table of what the program makes of many models. The reader's side is a test, in
//! `tests/suite/meshes/table.rs`.

use std::path::PathBuf;

use crate::process;
use crate::process::Result;
use crate::steps::LINTING;

/// Print a table in Markdown of what is shown of every .gltf and .glb below a folder
///
/// Such as that of a clone of github.com/KhronosGroup/glTF-Sample-Assets: docs/meshes.md has its table.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask models glTF-Sample-Assets/Models")]
pub struct Models {
    /// The folder
    folder: PathBuf,
}

impl Models {
    pub fn run(self) -> Result<u8> {
        let wrong = |error| format!("{}: {error}", self.folder.display());
        let folder = self.folder.canonicalize().map_err(wrong)?;
        if !folder.is_dir() {
            return Err(format!("{}: it is no folder", folder.display()));
        }
        let at = process::target_folder().join("models.md");
        process::make_folder(&process::target_folder())?;
        let test = "test --package wavelerp --test suite -- meshes::table::of_a_folder --ignored";
        let mut test = process::cargo(test);
        test.envs(LINTING).stdout(std::process::Stdio::null());
        test.env("WAVELERP_MODELS", &folder)
            .env("WAVELERP_MODELS_AT", &at);
        process::run(&mut test, "no table was made")?;
        let table = std::fs::read_to_string(&at);
        print!(
            "{}",
            table.map_err(|error| format!("{}: {error}", at.display()))?
        );
        Ok(0)
    }
}
