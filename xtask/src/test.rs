//! `cargo xtask test` runs the steps of `steps.rs` in order, announces and times each, and stops at the first failure.
//! It writes only Mesa's shader cache, in the target folder.

use crate::process::{Consent, Result};
use crate::setup::Purpose;
use crate::steps::{STEPS, Step};
use crate::{process, setup, tint, vulkan};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::time::Instant;

/// Install what is missing, then check formatting, lints and tests
///
/// Runs the steps of every change and stops at the first failure. Tests run on Mesa's software Vulkan driver llvmpipe. A
/// missing driver or tool is a failure, never a skip. The table at the end shows how long each step took.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask test
  cargo xtask test --only gpu8
  cargo xtask test --all")]
pub struct Test {
    /// Also run the steps of a release, from `archive` on: they take hours, and a failure does not stop the rest
    #[arg(long, conflicts_with = "only")]
    all: bool,
    /// Run this step alone, after installing the system packages that it needs
    #[arg(long, value_name = "STEP", value_parser = step())]
    only: Option<&'static Step>,
    /// Skip the tests that compile shaders as browsers do, which need Node.js and npm
    #[arg(long)]
    no_tint: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Reads the name of a step.
fn step() -> impl TypedValueParser<Value = &'static Step> {
    let value = |step: &'static Step| PossibleValue::new(step.name).help(step.what);
    let find = |name: String| STEPS.iter().find(|step| step.name == name).ok_or(name);
    PossibleValuesParser::new(STEPS.iter().map(value)).try_map(find)
}

impl Test {
    pub fn run(self) -> Result<u8> {
        let selected = self.selected();
        require("rustfmt", "fmt")?;
        require("clippy", "clippy")?;
        let needs = selected.iter().flat_map(|step| step.needs).copied();
        let purposes: Vec<Purpose> = needs
            .filter(|purpose| *purpose != Purpose::Tint || !self.no_tint)
            .collect();
        if !purposes.is_empty() {
            setup::install(&purposes, self.consent)?;
        }
        let began = Instant::now();
        let mut table = String::new();
        let mut failed = Vec::new();
        for (index, step) in selected.iter().enumerate() {
            let (number, count, name) = (index + 1, selected.len(), step.name);
            eprintln!("\n=== {number}/{count} {name}: {} ===", step.what);
            let start = Instant::now();
            let result = self.run_step(step);
            let ending = if result.is_ok() { "passed" } else { "FAILED" };
            let seconds = start.elapsed().as_secs_f64();
            eprintln!("=== {name} {ending} after {seconds:.1} s ===");
            table += &format!("{name:<8}{ending:<8}{seconds:>8.1} s  {}\n", step.what);
            if let Err(why) = result {
                failed.push(format!(
                    "step `{name}` failed: {why}; run it again alone: cargo xtask test --only {name}"
                ));
                if !step.is_of_release {
                    break;
                }
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        eprintln!("\n{table}{:<16}{seconds:>8.1} s", "total");
        if self.no_tint {
            eprintln!("\nLeft out: shaders compiled by Tint.");
        }
        match failed.is_empty() {
            true => Ok(0),
            false => Err(failed.join("\n")),
        }
    }

    fn selected(&self) -> Vec<&'static Step> {
        let is_wanted = |step: &&Step| match self.only {
            Some(only) => only.name == step.name,
            None => self.all || !step.is_of_release,
        };
        STEPS.iter().filter(is_wanted).collect()
    }

    /// Runs the commands of a step in the step's environment.
    fn run_step(&self, step: &Step) -> Result<()> {
        let mut is_good = true;
        let mut has_run = false;
        for line in step.commands {
            eprintln!("{line}");
            let mut command = process::command_of(line);
            // Release builds run without lints, as they do for a user.
            if !line.starts_with("cargo xtask") {
                command.envs(process::LINTING);
            }
            if self.no_tint {
                command.env(tint::LEFT_OUT.0, tint::LEFT_OUT.1);
            }
            if let Some(wave) = step.wave {
                vulkan::choose(&mut command, vulkan::software(wave)?);
            }
            is_good &= process::run_watching(&mut command, |line| has_run |= ran_tests(line))?;
        }
        let runs_tests = step.wave.is_some() && step.commands[0].starts_with("cargo test");
        match (is_good, has_run || !runs_tests) {
            (true, true) => Ok(()),
            (true, false) => Err("not one test was executed".to_owned()),
            (false, _) => Err("see the messages above".to_owned()),
        }
    }
}

/// True if the line reports that a test executable has run tests.
fn ran_tests(line: &str) -> bool {
    let counts = line.strip_prefix("test result: ok. ");
    counts.is_some_and(|counts| !counts.starts_with("0 passed"))
}

/// An error if a component of the toolchain is missing, with the command that installs it.
fn require(component: &str, subcommand: &str) -> Result<()> {
    let version = format!("cargo {subcommand} --version");
    if process::succeeds(&mut process::command_of(&version)) {
        return Ok(());
    }
    Err(format!(
        "{component} is missing, install it with `rustup component add {component}`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_the_steps_of_every_change_or_all_or_one() {
        let count = |all, only| {
            let test = Test {
                all,
                only,
                ..Test::default()
            };
            test.selected().len()
        };
        let archive = STEPS.iter().find(|step| step.name == "archive");
        assert_eq!(count(true, None), STEPS.len());
        assert_eq!(count(false, None), 8);
        assert_eq!(count(false, archive), 1);
    }

    #[test]
    fn an_executable_without_a_test_does_not_count() {
        let line = |passed| format!("test result: ok. {passed} passed; 0 failed; 7 filtered out");
        assert!(ran_tests(&line(10)) && !ran_tests(&line(0)));
        assert!(!ran_tests("test gpu::a ... ok"));
    }

    #[test]
    fn a_missing_component_is_a_failure_with_the_command_that_installs_it() {
        let failure = require("rustfmt", "no-such-subcommand");
        assert!(failure.is_err_and(|why| why.contains("rustup component add rustfmt")));
        assert_eq!(require("cargo", "tree"), Ok(()));
    }
}
