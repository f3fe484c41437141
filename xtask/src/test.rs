//! `cargo xtask test`: runs the steps of `steps.rs` in order, each announced and timed, and stops at
//! the first that fails. Writes only Mesa's shader cache, under the target folder.

use crate::consent::Consent;
use crate::process::{self, Failure};
use crate::setup::{self, Purpose};
use crate::steps::{self, Quick, STEPS, Step};
use crate::times::{Timed, Times};
use crate::tint;
use crate::vulkan::{LLVMPIPE, OTHER_DRIVERS};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Help below the summary.
pub const HELP: &str = "
Usage: cargo xtask test [--quick | --only STEP] [--no-tint] [--yes | --no-install]

Steps, in this order; the first that fails ends the run:
  fmt      cargo fmt --all --check
  build    compiles the program and all tests with clippy's lints, warnings are errors
  cpu      unit tests and the tests of shader texts, panel and `auto`, at wave 8
  gpu8     the tests under gpu:: and wave8::, on llvmpipe with waves of 8 lanes
  gpu4     the tests under gpu:: with waves of 4 lanes, but for modules called controls
  gpu16    the tests under gpu:: with waves of 16 lanes, but for modules called controls
  program  the tests of the command line (cli::), of recordings (renderdoc::), isa and dist, at wave 8
  window   the tests under window::, in a real window under a virtual X server, at wave 8
  doc      the examples in the documentation

Tests run on Mesa's software Vulkan driver llvmpipe. A missing driver or tool is a failure, never a
skip. The closing table shows how long each step took, and the ten slowest tests.

Options:
  --quick      For use while you edit: leaves out the steps gpu4, gpu16, program, window and doc,
               and parts of cpu and gpu8, and says so
  --only STEP  This step alone, and the system packages that it needs
  --no-tint    Without the tests that compile shaders as browsers do, where Node.js and npm cannot be had
  --yes        Install missing system packages without asking
  --no-install List missing system packages and stop

Examples:
  cargo xtask test
  cargo xtask test --quick
  cargo xtask test --only gpu16";

/// A test that takes longer than this is listed with a warning.
const SLOW: Duration = Duration::from_secs(20);
/// How many of the slowest tests the closing table names.
const SLOWEST: usize = 10;

/// A step that has ended.
#[derive(Debug)]
struct Done {
    is_good: bool,
    time: Duration,
}

/// `cargo xtask test`.
pub fn run(arguments: &[String]) -> Result<ExitCode, Failure> {
    let (consent, mut rest) = Consent::take(arguments)?;
    let has_tint = !rest.iter().any(|argument| argument == tint::FLAG);
    rest.retain(|argument| argument != tint::FLAG);
    let selected = selected_steps(&rest)?;
    let is_quick = is_quick(&rest);
    require("rustfmt", "fmt")?;
    require("clippy", "clippy")?;
    let mut purposes: Vec<Purpose> = selected
        .iter()
        .flat_map(|step| step.needs)
        .copied()
        .collect();
    // A quick run compiles no shader by Tint.
    purposes.retain(|purpose| *purpose != Purpose::Tint || (has_tint && !is_quick));
    if !purposes.is_empty() {
        setup::install(&purposes, consent)?;
    }
    let mut done = Vec::new();
    let mut tests = Vec::new();
    let mut failure = None;
    for (index, step) in selected.iter().enumerate() {
        let (number, count) = (index + 1, selected.len());
        eprintln!("\n=== {number}/{count} {}: {} ===", step.name, step.what);
        let start = Instant::now();
        let mut times = Times::new(threads());
        let result = run_step(step, is_quick, has_tint, &mut times);
        let (is_good, time) = (result.is_ok(), start.elapsed());
        let ending = if is_good { "passed in" } else { "FAILED after" };
        eprintln!("=== {} {ending} {} ===", step.name, seconds(time));
        tests.extend(times.all.into_iter().map(|timed| (step.name, timed)));
        done.push(Done { is_good, time });
        if let Err(reason) = result {
            failure = Some(step_failure(step, &reason));
            break;
        }
    }
    eprint!("\n{}{}", table(&selected, &done), slow_tests(tests));
    eprint!("{}", left_out(&selected, is_quick, has_tint));
    failure.map_or(Ok(ExitCode::SUCCESS), Err)
}

fn is_quick(arguments: &[String]) -> bool {
    arguments == ["--quick"]
}

fn selected_steps(arguments: &[String]) -> Result<Vec<&'static Step>, Failure> {
    let runs_quickly = |step: &&Step| !matches!(step.quick, Quick::Nothing);
    let wrong = match arguments {
        [] => return Ok(STEPS.iter().collect()),
        _ if is_quick(arguments) => return Ok(STEPS.iter().filter(runs_quickly).collect()),
        [only, name] if only == "--only" => match STEPS.iter().find(|step| step.name == name) {
            Some(step) => return Ok(vec![step]),
            None => format!("no step `{name}`"),
        },
        _ => {
            let given = arguments.join(" ");
            format!(
                "`test` takes `--quick` or `--only STEP`, `--no-tint`, and `--yes` or `--no-install`, not `{given}`"
            )
        }
    };
    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    let names = names.join(", ");
    Err(Failure::usage(format!("{wrong}: the steps are {names}")))
}

fn step_failure(step: &Step, reason: &Failure) -> Failure {
    let name = step.name;
    Failure::new(format!(
        "step `{name}` failed: {}; run it again alone: cargo xtask test --only {name}",
        reason.message
    ))
}

/// How many tests run at once.
fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs the calls of a step in its environment.
pub fn run_step(
    step: &Step,
    is_quick: bool,
    has_tint: bool,
    times: &mut Times,
) -> Result<(), Failure> {
    let variables = match step.wave {
        Some(wave) => software_vulkan_here(wave)?,
        None => Vec::new(),
    };
    let began = Instant::now();
    let mut is_good = true;
    for call in step.calls(is_quick) {
        eprintln!("cargo {call}");
        let mut cargo = process::command(process::cargo());
        cargo.args(call.split_whitespace());
        cargo.envs(steps::LINTING);
        cargo.envs(variables.iter().cloned());
        cargo.env("RUST_TEST_THREADS", threads().to_string());
        if !has_tint {
            cargo.env(tint::LEFT_OUT.0, tint::LEFT_OUT.1);
        }
        if step.wave.is_some() {
            for name in OTHER_DRIVERS {
                cargo.env_remove(name);
            }
        }
        is_good &= process::run_watching(&mut cargo, |line| times.see(line, began.elapsed()))?;
    }
    if !is_good {
        return Err(Failure::new("see the messages above"));
    }
    if step.runs_tests() && times.executed == 0 {
        return Err(Failure::new("not one test was executed"));
    }
    Ok(())
}

/// Fails if a component of the toolchain is missing; the message has the command that installs it.
fn require(component: &str, subcommand: &str) -> Result<(), Failure> {
    if process::succeeds(process::command(process::cargo()).args([subcommand, "--version"])) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{component} is missing, install it with `rustup component add {component}`"
    )))
}

/// The environment for llvmpipe at this wave size, with the driver manifest that this system has.
fn software_vulkan_here(wave: u32) -> Result<Vec<(&'static str, OsString)>, Failure> {
    let manifest = LLVMPIPE.manifest()?;
    Ok(steps::software_vulkan(&manifest, &mesa_cache(wave)?, wave).into())
}

/// The folder where Mesa keeps compiled shaders for this wave size; it is made if it is not there.
pub fn mesa_cache(wave: u32) -> Result<PathBuf, Failure> {
    let cache = process::target_folder().join(format!("mesa-shader-cache/wave-{wave}"));
    std::fs::create_dir_all(&cache)
        .map_err(|error| Failure::new(format!("cannot create {}: {error}", cache.display())))?;
    Ok(cache)
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// One line for each step with its time, and the sum. Those that have not begun are the last ones.
fn table(steps: &[&Step], done: &[Done]) -> String {
    let line = |(index, step): (usize, &&Step)| {
        let (word, time) = match done.get(index) {
            Some(Done { is_good, time }) => {
                (if *is_good { "passed" } else { "FAILED" }, seconds(*time))
            }
            None => ("not run", String::new()),
        };
        format!("{:<8}{word:<8}{time:>10}  {}\n", step.name, step.what)
    };
    let lines: String = steps.iter().enumerate().map(line).collect();
    let total = seconds(done.iter().map(|done| done.time).sum());
    format!("{lines}{:<16}{total:>10}\n", "total")
}

/// The slowest of these tests with their steps, the slowest first, and a warning for those that are too slow.
fn slow_tests(mut tests: Vec<(&str, Timed)>) -> String {
    if tests.is_empty() {
        return String::new();
    }
    tests.sort_by_key(|(_, timed)| std::cmp::Reverse(timed.time));
    tests.truncate(SLOWEST);
    let mut text = String::from("\nThe slowest tests:\n");
    for (step, Timed { name, time }) in &tests {
        let seconds = seconds(*time);
        let warning = if *time > SLOW {
            format!("  warning: longer than {} s", SLOW.as_secs())
        } else {
            String::new()
        };
        text += &format!("{step:<8}{seconds:>10}  {name}{warning}\n");
    }
    text
}

/// A line that says what a run of these steps left out; empty if that is nothing.
fn left_out(steps: &[&Step], is_quick: bool, has_tint: bool) -> String {
    let is_missing = |step: &&Step| !steps.iter().any(|run| run.name == step.name);
    let missing = STEPS
        .iter()
        .filter(is_missing)
        .map(|step| step.name.to_owned());
    let parts = steps.iter().filter_map(|step| match step.quick {
        Quick::Part { leaves_out, .. } if is_quick => {
            Some(format!("of {}: {leaves_out}", step.name))
        }
        _ => None,
    });
    let needs_tint = |step: &&&Step| !has_tint && step.needs.contains(&Purpose::Tint);
    let by_tint = steps.iter().filter(needs_tint);
    let by_tint = by_tint.map(|step| format!("of {}: shaders compiled by Tint", step.name));
    let all: Vec<String> = missing.chain(parts).chain(by_tint).collect();
    if all.is_empty() {
        return String::new();
    }
    format!(
        "\nLeft out: {}. `cargo xtask test` runs everything.\n",
        all.join("; ")
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
        assert_eq!(left_out(&selected_steps(&[]).unwrap(), false, true), "");
    }

    #[test]
    fn a_quick_run_says_what_it_leaves_out() {
        let quick = selected_steps(&words(&["--quick"])).unwrap();
        let text = left_out(&quick, true, true);
        for step in STEPS {
            let runs = quick.iter().any(|run| run.name == step.name);
            let is_whole = runs && matches!(step.quick, Quick::Whole);
            assert_eq!(text.contains(step.name), !is_whole, "{}: {text}", step.name);
        }
        assert!(!left_out(&[&STEPS[2]], false, true).contains("of cpu"));
        assert!(left_out(&[&STEPS[2]], false, false).contains("of cpu: shaders compiled by Tint"));
    }

    #[test]
    fn an_unknown_step_is_a_usage_error_that_names_the_steps() {
        for arguments in [&["--only", "gpu32"][..], &["--only"], &["gpu16"]] {
            let failure = selected_steps(&words(arguments)).unwrap_err();
            assert_eq!(failure.code, 2);
            assert!(failure.message.contains("window, doc"), "{failure:?}");
        }
    }

    #[test]
    fn every_step_is_in_the_help() {
        for step in STEPS {
            let line = format!("\n  {:<8} ", step.name);
            assert!(HELP.contains(&line), "{line}");
        }
    }

    #[test]
    fn a_failure_names_the_step_the_reason_and_how_to_run_it_again() {
        let failure = step_failure(&STEPS[1], &Failure::new("a reason"));
        for part in ["`build`", "a reason", "cargo xtask test --only build"] {
            assert!(failure.message.contains(part), "{}", failure.message);
        }
    }

    #[test]
    fn the_table_shows_what_passed_failed_and_did_not_run() {
        let steps: Vec<&Step> = STEPS.iter().take(3).collect();
        let done = [(true, 1), (false, 2)].map(|(is_good, seconds)| Done {
            is_good,
            time: Duration::from_secs(seconds),
        });
        let text = table(&steps, &done);
        let lines: Vec<&str> = text.lines().collect();
        for (line, part) in [(0, "passed       1.0 s"), (1, "FAILED       2.0 s")] {
            assert!(lines[line].contains(part), "{text}");
        }
        assert!(lines[2].contains("not run") && !lines[2].contains(" s "));
        assert!(lines[3].starts_with("total") && lines[3].ends_with("3.0 s"));
    }

    #[test]
    fn a_test_of_more_than_20_seconds_is_named_with_a_warning() {
        let timed = |name: &str, seconds| Timed {
            name: name.to_owned(),
            time: Duration::from_secs(seconds),
        };
        let text = slow_tests(vec![
            ("gpu4", timed("quick", 20)),
            ("gpu8", timed("slow", 21)),
        ]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[2].contains("slow") && lines[2].contains("warning"));
        assert!(lines[3].contains("quick") && !lines[3].contains("warning"));
    }

    #[test]
    fn a_missing_component_is_a_failure_with_the_command_that_installs_it() {
        let failure = require("rustfmt", "no-such-subcommand").unwrap_err();
        let command = "rustup component add rustfmt";
        assert!(failure.message.contains(command), "{failure:?}");
        assert_eq!(require("cargo", "tree"), Ok(()));
    }
}
