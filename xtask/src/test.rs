//! `cargo xtask test`: runs the steps of `steps.rs` in order, each announced and timed, and stops at
//! the first that fails. Writes only Mesa's shader cache, under the target folder.

use crate::packages::Purpose;
use crate::process::{self, Failure};
use crate::setup;
use crate::steps::{self, Runner, STEPS, Step, Work};
use crate::vulkan;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask test [--only STEP]

Steps, in this order; the first that fails ends the run:
  fmt     cargo fmt --all --check
  clippy  cargo clippy, warnings are errors
  cpu     all tests but those under gpu:: and window:: (command line tests run at wave 8)
  gpu4    the tests under gpu::, on llvmpipe with waves of 4 lanes
  gpu8    ... of 8 lanes
  gpu16   ... of 16 lanes
  window  the tests under window::, in a real window under a virtual X server, at wave 8
  doc     the examples in the documentation

Tests run on Mesa's software Vulkan driver llvmpipe, with nextest where it is installed, else with
cargo test. A missing driver or tool is a failure, never a skip.

Options:
  --only STEP  This step alone, and the system packages if it needs them

Examples:
  cargo xtask test
  cargo xtask test --only gpu16";

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Passed(Duration),
    Failed(Duration),
    NotRun,
}

/// `cargo xtask test`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let selected = selected_steps(arguments)?;
    if selected.iter().any(|step| step.wave.is_some()) {
        setup::install(Purpose::Test)?;
    }
    let runner = installed_runner();
    let mut outcomes = vec![Outcome::NotRun; selected.len()];
    let mut failure = None;
    for (index, step) in selected.iter().enumerate() {
        eprintln!(
            "\n=== {}/{} {}: {} ===",
            index + 1,
            selected.len(),
            step.name,
            step.what
        );
        let start = Instant::now();
        let result = run_step(step, runner);
        let time = start.elapsed();
        outcomes[index] = if result.is_ok() {
            Outcome::Passed(time)
        } else {
            Outcome::Failed(time)
        };
        eprintln!("=== {} {} ===", step.name, describe(outcomes[index]));
        if let Err(reason) = result {
            failure = Some(step_failure(step, &reason));
            break;
        }
    }
    eprint!("\n{}", table(&selected, &outcomes));
    failure.map_or(Ok(ExitCode::SUCCESS), Err)
}

fn selected_steps(arguments: &[String]) -> Result<Vec<&'static Step>, Failure> {
    let names = || {
        STEPS
            .iter()
            .map(|step| step.name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    match arguments {
        [] => Ok(STEPS.iter().collect()),
        [only, name] if only == "--only" => match STEPS.iter().find(|step| step.name == name) {
            Some(step) => Ok(vec![step]),
            None => Err(Failure::usage(format!(
                "no step `{name}`: the steps are {}",
                names()
            ))),
        },
        _ => {
            let given = arguments.join(" ");
            Err(Failure::usage(format!(
                "`test` takes `--only STEP` or nothing, not `{given}`: the steps are {}",
                names()
            )))
        }
    }
}

fn step_failure(step: &Step, reason: &Failure) -> Failure {
    let name = step.name;
    Failure::new(format!(
        "step `{name}` failed: {}; run it again alone: cargo xtask test --only {name}",
        reason.message
    ))
}

fn installed_runner() -> Runner {
    let nextest =
        process::succeeds(process::command(process::cargo()).args(["nextest", "--version"]));
    if nextest {
        Runner::Nextest
    } else {
        Runner::CargoTest
    }
}

fn run_step(step: &Step, runner: Runner) -> Result<(), Failure> {
    if let Work::Component {
        component, check, ..
    } = step.work
    {
        require(component, check)?;
    }
    let variables = match step.wave {
        Some(wave) => software_vulkan_here(wave)?,
        None => Vec::new(),
    };
    let mut executed = 0;
    for call in step.work.calls(runner) {
        eprintln!("cargo {}", call.join(" "));
        let mut cargo = process::command(process::cargo());
        cargo.args(&call).envs(variables.iter().cloned());
        if step.wave.is_some() {
            remove_variables(&mut cargo);
        }
        let good = if step.work.must_count(runner) {
            process::run_watching(&mut cargo, |line| executed += steps::executed_in(line))?
        } else {
            process::exit_code_of(&mut cargo)? == 0
        };
        if !good {
            return Err(Failure::new("see the messages above"));
        }
    }
    if step.work.must_count(runner) && executed == 0 {
        return Err(Failure::new("not one test was executed"));
    }
    Ok(())
}

fn remove_variables(command: &mut Command) {
    for name in steps::REMOVED_VARIABLES {
        command.env_remove(name);
    }
}

/// Fails with the command that installs the component, if it is missing.
fn require(component: &str, subcommand: &str) -> Result<(), Failure> {
    if process::succeeds(process::command(process::cargo()).args([subcommand, "--version"])) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{component} is missing, install it with `rustup component add {component}`"
    )))
}

/// The environment for llvmpipe at this wave size, with the driver manifest that this system has.
fn software_vulkan_here(wave: u32) -> Result<Vec<(&'static str, std::ffi::OsString)>, Failure> {
    let places = vulkan::manifest_places(&|name| std::env::var_os(name));
    let manifests = vulkan::manifests_in(&places);
    let Some(manifest) = vulkan::manifest_of(vulkan::LLVMPIPE, &manifests, std::env::consts::ARCH)
    else {
        let searched: Vec<_> = places
            .iter()
            .map(|place| place.display().to_string())
            .collect();
        return Err(Failure::new(format!(
            "the tests need Mesa's software Vulkan driver (Debian: mesa-vulkan-drivers), but there is no \
             lvp_icd*.json in {}",
            searched.join(", ")
        )));
    };
    let cache = process::target_folder().join(format!("mesa-shader-cache/wave-{wave}"));
    std::fs::create_dir_all(&cache)
        .map_err(|error| Failure::new(format!("cannot create {}: {error}", cache.display())))?;
    Ok(steps::software_vulkan(manifest, &cache, wave).into())
}

fn describe(outcome: Outcome) -> String {
    match outcome {
        Outcome::Passed(time) => format!("passed in {:.1} s", time.as_secs_f64()),
        Outcome::Failed(time) => format!("FAILED after {:.1} s", time.as_secs_f64()),
        Outcome::NotRun => "not run".to_string(),
    }
}

/// One line for each step with its time, and the sum.
fn table(steps: &[&Step], outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    let mut total = Duration::ZERO;
    for (step, outcome) in steps.iter().zip(outcomes) {
        let (word, time) = match *outcome {
            Outcome::Passed(time) => ("passed", Some(time)),
            Outcome::Failed(time) => ("FAILED", Some(time)),
            Outcome::NotRun => ("not run", None),
        };
        total += time.unwrap_or_default();
        let seconds = time.map_or_else(String::new, |time| format!("{:.1} s", time.as_secs_f64()));
        text += &format!("{:<8}{word:<8}{seconds:>10}  {}\n", step.name, step.what);
    }
    text + &format!(
        "{:<16}{:>10}\n",
        "total",
        format!("{:.1} s", total.as_secs_f64())
    )
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn words(list: &[&str]) -> Vec<String> {
        list.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn only_selects_one_step_and_nothing_selects_all() {
        let only = selected_steps(&words(&["--only", "gpu16"])).unwrap();
        assert_eq!(
            only.iter().map(|step| step.name).collect::<Vec<_>>(),
            ["gpu16"]
        );
        assert_eq!(selected_steps(&[]).unwrap().len(), STEPS.len());
    }

    #[test]
    fn an_unknown_step_is_a_usage_error_that_names_the_steps() {
        for arguments in [&["--only", "gpu32"][..], &["--only"], &["gpu16"]] {
            let failure = selected_steps(&words(arguments)).unwrap_err();
            assert_eq!(failure.code, 2);
            assert!(
                failure.message.contains("window, doc"),
                "{}",
                failure.message
            );
        }
    }

    #[test]
    fn every_step_is_in_the_help() {
        for step in STEPS {
            assert!(
                HELP.contains(&format!("\n  {:<8}", step.name)),
                "{}",
                step.name
            );
        }
    }

    #[test]
    fn a_failure_names_the_step_the_reason_and_how_to_run_it_again() {
        let failure = step_failure(&STEPS[1], &Failure::new("a reason"));
        for part in ["`clippy`", "a reason", "cargo xtask test --only clippy"] {
            assert!(failure.message.contains(part), "{}", failure.message);
        }
    }

    #[test]
    fn the_table_shows_what_passed_failed_and_did_not_run() {
        let steps: Vec<&Step> = STEPS.iter().take(3).collect();
        let second = Duration::from_secs(1);
        let text = table(
            &steps,
            &[
                Outcome::Passed(second),
                Outcome::Failed(2 * second),
                Outcome::NotRun,
            ],
        );
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].contains("passed") && lines[0].contains("1.0 s"),
            "{text}"
        );
        assert!(
            lines[1].contains("FAILED") && lines[1].contains("2.0 s"),
            "{text}"
        );
        assert!(
            lines[2].contains("not run") && !lines[2].contains(" s "),
            "{text}"
        );
        assert!(
            lines[3].starts_with("total") && lines[3].contains("3.0 s"),
            "{text}"
        );
    }

    #[test]
    fn a_missing_component_is_a_failure_with_the_command_that_installs_it() {
        let failure = require("rustfmt", "no-such-subcommand").unwrap_err();
        assert!(
            failure.message.contains("rustup component add rustfmt"),
            "{}",
            failure.message
        );
        assert_eq!(require("cargo", "tree"), Ok(()));
    }
}
