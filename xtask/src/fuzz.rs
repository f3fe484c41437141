//! `cargo xtask fuzz`: hands changed files to the program's readers. The fuzzer itself is a test, in `tests/fuzz/`.

use crate::process::{self, Failure};
use std::process::ExitCode;

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask fuzz [--cases COUNT] [--seed SEED] [--case NUMBER] [--splats | --models]

Changes good scenes, files of splats and of models, presets, files of values, calibrations, benchmark records and folders
of shaders at random, and has them read by the functions that the program itself calls. A case fails where it panics, takes longer than ten
seconds, gives a message of more than 2,000 characters or with control characters, or leaves a file behind. Neither a
GPU nor a nightly compiler is needed. 100,000 cases take some minutes on every core.

Options:
  --cases COUNT  How many cases [default: 100000]
  --seed SEED    Where the random numbers begin: other files with each [default: 1]
  --case NUMBER  This case of the seed alone, to see a failure again
  --splats       Files of splats alone
  --models       Files of models alone

Examples:
  cargo xtask fuzz
  cargo xtask fuzz --seed 7 --cases 20000
  cargo xtask fuzz --seed 7 --case 1234
  cargo xtask fuzz --splats --cases 1000000";

/// What is asked for: the variables that the fuzzer reads.
fn variables(arguments: &[String]) -> Result<Vec<(&'static str, u64)>, Failure> {
    let mut variables = Vec::new();
    let mut words = arguments.iter();
    while let Some(flag) = words.next() {
        let kind = match flag.as_str() {
            "--splats" => Some("WAVELERP_FUZZ_SPLATS"),
            "--models" => Some("WAVELERP_FUZZ_MODELS"),
            _ => None,
        };
        if let Some(kind) = kind {
            variables.push((kind, 1));
            continue;
        }
        let value = words.next();
        let value = value.ok_or_else(|| Failure::usage(format!("`{flag}` needs a number")))?;
        let number = value.parse::<u64>();
        let number =
            number.map_err(|_| Failure::usage(format!("{flag} {value}: this is no number")))?;
        match flag.as_str() {
            "--cases" => variables.push(("WAVELERP_FUZZ_CASES", number)),
            "--seed" => variables.push(("WAVELERP_FUZZ_SEED", number)),
            "--case" => {
                variables.extend([("WAVELERP_FUZZ_FIRST", number), ("WAVELERP_FUZZ_CASES", 1)])
            }
            _ => return Err(Failure::usage(format!("unknown argument `{flag}`"))),
        }
    }
    Ok(variables)
}

/// `cargo xtask fuzz`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let variables = variables(arguments)?;
    let at = process::target_folder().join("fuzz");
    let cannot = |error| Failure::new(format!("cannot make {}: {error}", at.display()));
    if at.exists() {
        std::fs::remove_dir_all(&at).map_err(cannot)?;
    }
    std::fs::create_dir_all(&at).map_err(cannot)?;
    let mut tests = process::command(process::cargo());
    tests.args([
        "test",
        "--package",
        "wavelerp",
        "--test",
        "suite",
        "fuzz::many",
    ]);
    tests.args(["--", "--ignored", "--nocapture"]);
    tests.env("WAVELERP_FUZZ_AT", &at);
    tests.envs(
        variables
            .iter()
            .map(|(name, number)| (name, number.to_string())),
    );
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
    Ok(ExitCode::from(code))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<Vec<(&'static str, u64)>, Failure> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        variables(&words)
    }

    #[test]
    fn flags_become_what_the_fuzzer_reads() {
        assert_eq!(of("").unwrap(), []);
        let both = [("WAVELERP_FUZZ_SEED", 7), ("WAVELERP_FUZZ_CASES", 20)];
        assert_eq!(of("--seed 7 --cases 20").unwrap(), both);
        let one = [("WAVELERP_FUZZ_FIRST", 9), ("WAVELERP_FUZZ_CASES", 1)];
        assert_eq!(of("--case 9").unwrap(), one);
        let splats = [("WAVELERP_FUZZ_SPLATS", 1), ("WAVELERP_FUZZ_SEED", 3)];
        assert_eq!(of("--splats --seed 3").unwrap(), splats);
        let models = [("WAVELERP_FUZZ_MODELS", 1)];
        assert_eq!(of("--models").unwrap(), models);
        for line in ["--seed", "--seed x", "--sed 7", "more"] {
            assert_eq!(of(line).unwrap_err().code, 2, "{line}");
        }
    }
}
