//! `cargo xtask fuzz`: hands changed files to the program's readers. The fuzzer itself is a test, in `tests/fuzz/`.

use crate::process;
use crate::process::Result;

/// Have 100,000 changed files read, none of which may break the program
///
/// Changes good scenes, files of splats and of models, presets, files of values, benchmark records and folders
/// of shaders at random, and has them read by the functions that the program itself calls. A case fails where it panics,
/// takes longer than ten seconds, gives a message of more than 2,000 characters or with control characters, or leaves a
/// file behind. Neither a GPU nor a nightly compiler is needed. 100,000 cases take some minutes on every core.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask fuzz
  cargo xtask fuzz --seed 7 --cases 20000
  cargo xtask fuzz --seed 7 --case 1234
  cargo xtask fuzz --splats --cases 1000000")]
pub struct Fuzz {
    /// How many cases [default: 100000]
    #[arg(long, value_name = "COUNT", conflicts_with = "case")]
    cases: Option<u64>,
    /// Where the random numbers begin: other files with each [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// This case of the seed alone, to see a failure again
    #[arg(long, value_name = "NUMBER")]
    case: Option<u64>,
    /// Files of splats alone
    #[arg(long)]
    splats: bool,
    /// Files of models alone
    #[arg(long)]
    models: bool,
}

impl Fuzz {
    pub fn run(self) -> Result<u8> {
        let at = process::target_folder().join("fuzz");
        if at.exists() {
            std::fs::remove_dir_all(&at)
                .map_err(|error| format!("cannot empty {}: {error}", at.display()))?;
        }
        process::make_folder(&at)?;
        let mut tests = process::cargo(
            "test --package wavelerp --test suite fuzz::many -- --ignored --nocapture",
        );
        tests.env("WAVELERP_FUZZ_AT", &at);
        // What the fuzzer reads.
        for (name, number) in [
            ("WAVELERP_FUZZ_CASES", self.case.map(|_| 1).or(self.cases)),
            ("WAVELERP_FUZZ_FIRST", self.case),
            ("WAVELERP_FUZZ_SEED", self.seed),
            ("WAVELERP_FUZZ_SPLATS", self.splats.then_some(1)),
            ("WAVELERP_FUZZ_MODELS", self.models.then_some(1)),
        ] {
            tests.envs(number.map(|number| (name, number.to_string())));
        }
        let code = process::exit_code_of(&mut tests)?;
        if code != 0 {
            let files = std::fs::read_dir(&at).into_iter().flatten().flatten();
            let numbers = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
            let numbers: Vec<String> = numbers.collect();
            eprintln!(
                "the last cases were {}; if the process ended without naming one, it was one of these: \
                 cargo xtask fuzz --case NUMBER, with the same --seed",
                numbers.join(", ")
            );
        }
        Ok(code)
    }
}
