//! `cargo xtask test`: runs the steps of `steps.rs` in order, each announced and timed, and stops at
//! the first that fails. Writes only Mesa's shader cache, under the target folder.

use crate::process::Result;
use crate::setup::{Consent, Purpose};
use crate::steps::{Quick, STEPS, Step};
use crate::vulkan::OTHER_DRIVERS;
use crate::{process, setup, steps, tint, vulkan};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;
use std::time::Instant;

/// Install what is missing, then check formatting, lints and all tests
///
/// Runs the steps that `--only` lists, in that order; the first that fails ends the run. Tests run on Mesa's software Vulkan
/// driver llvmpipe. A missing driver or tool is a failure, never a skip. The table at the end shows how long each step took.
#[derive(Debug, Default, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask test
  cargo xtask test --quick
  cargo xtask test --only gpu16")]
pub struct Test {
    /// For use while you edit: leaves out the steps gpu4, gpu16, program, window and doc, and parts of cpu and gpu8, and
    /// says so
    #[arg(long, conflicts_with = "only")]
    quick: bool,
    /// This step alone, and the system packages that it needs
    #[arg(long, value_name = "STEP", value_parser = step())]
    only: Option<&'static Step>,
    /// Without the tests that compile shaders as browsers do, where Node.js and npm cannot be had
    #[arg(long)]
    no_tint: bool,
    #[command(flatten)]
    consent: Consent,
}

/// Reads the name of a step.
fn step() -> impl TypedValueParser<Value = &'static Step> {
    let value = |step: &'static Step| PossibleValue::new(step.name).help(step.what);
    let names = STEPS.iter().map(value);
    let find = |name: String| STEPS.iter().find(|step| step.name == name).ok_or(name);
    PossibleValuesParser::new(names).try_map(find)
}

impl Test {
    pub fn run(self) -> Result<u8> {
        let selected = self.selected();
        require("rustfmt", "fmt")?;
        require("clippy", "clippy")?;
        let needs = selected.iter().flat_map(|step| step.needs).copied();
        // A quick run compiles no shader by Tint.
        let has_tint = !self.no_tint && !self.quick;
        let purposes: Vec<Purpose> = needs
            .filter(|purpose| *purpose != Purpose::Tint || has_tint)
            .collect();
        if !purposes.is_empty() {
            setup::install(&purposes, self.consent)?;
        }
        let began = Instant::now();
        let mut table = String::new();
        let mut failure = Ok(0);
        for (index, step) in selected.iter().enumerate() {
            let (number, count, name) = (index + 1, selected.len(), step.name);
            eprintln!("\n=== {number}/{count} {name}: {} ===", step.what);
            let start = Instant::now();
            let result = run_step(step, self.quick, !self.no_tint);
            let ending = if result.is_ok() { "passed" } else { "FAILED" };
            let seconds = start.elapsed().as_secs_f64();
            eprintln!("=== {name} {ending} after {seconds:.1} s ===");
            table += &format!("{name:<8}{ending:<8}{seconds:>8.1} s  {}\n", step.what);
            if let Err(why) = result {
                failure = Err(format!(
                    "step `{name}` failed: {why}; run it again alone: cargo xtask test --only {name}"
                ));
                break;
            }
        }
        let seconds = began.elapsed().as_secs_f64();
        eprintln!("\n{table}{:<16}{seconds:>8.1} s", "total");
        let left_out = self.left_out();
        if !left_out.is_empty() {
            let left_out = left_out.join("; ");
            eprintln!("\nLeft out: {left_out}. `cargo xtask test` runs everything.");
        }
        failure
    }

    fn selected(&self) -> Vec<&'static Step> {
        let is_wanted = |step: &&Step| match self.only {
            Some(only) => only.name == step.name,
            None => !self.quick || !matches!(step.quick, Quick::Nothing),
        };
        STEPS.iter().filter(is_wanted).collect()
    }

    /// What the selected steps leave out: steps, and parts of steps.
    fn left_out(&self) -> Vec<String> {
        let selected = self.selected();
        let is_missing = |step: &&Step| !selected.iter().any(|run| run.name == step.name);
        let missing = STEPS.iter().filter(is_missing);
        let mut all: Vec<String> = missing.map(|step| step.name.to_owned()).collect();
        for step in selected {
            if let (Quick::Part { leaves_out, .. }, true) = (&step.quick, self.quick) {
                all.push(format!("of {}: {leaves_out}", step.name));
            }
            if self.no_tint && step.needs.contains(&Purpose::Tint) {
                all.push(format!("of {}: shaders compiled by Tint", step.name));
            }
        }
        all
    }
}

/// Runs the calls of a step in its environment.
pub fn run_step(step: &Step, is_quick: bool, has_tint: bool) -> Result<()> {
    let variables = match step.wave {
        Some(wave) => steps::software_vulkan(&vulkan::llvmpipe()?, &mesa_cache(wave)?, wave).into(),
        None => Vec::new(),
    };
    let mut is_good = true;
    let mut has_run = false;
    for call in step.calls(is_quick) {
        eprintln!("cargo {call}");
        let mut cargo = process::cargo(call);
        cargo.envs(steps::LINTING);
        if !has_tint {
            cargo.env(tint::LEFT_OUT.0, tint::LEFT_OUT.1);
        }
        if step.wave.is_some() {
            cargo.envs(variables.iter().cloned());
            for name in OTHER_DRIVERS {
                cargo.env_remove(name);
            }
        }
        is_good &= process::run_watching(&mut cargo, |line| has_run |= ran_tests(line))?;
    }
    match (is_good, has_run || step.wave.is_none()) {
        (true, true) => Ok(()),
        (true, false) => Err("not one test was executed".to_owned()),
        (false, _) => Err("see the messages above".to_owned()),
    }
}

/// Whether a line says that a test executable has run tests.
fn ran_tests(line: &str) -> bool {
    let counts = line.strip_prefix("test result: ok. ");
    counts.is_some_and(|counts| !counts.starts_with("0 passed"))
}

/// Fails if a component of the toolchain is missing; the message has the command that installs it.
fn require(component: &str, subcommand: &str) -> Result<()> {
    if process::succeeds(&mut process::cargo(&format!("{subcommand} --version"))) {
        return Ok(());
    }
    Err(format!(
        "{component} is missing, install it with `rustup component add {component}`"
    ))
}

/// The folder where Mesa keeps compiled shaders for this wave size; it is made if it is not there.
pub fn mesa_cache(wave: u32) -> Result<PathBuf> {
    let cache = process::target_folder().join(format!("mesa-shader-cache/wave-{wave}"));
    process::make_folder(&cache)?;
    Ok(cache)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_selects_one_step_and_nothing_selects_all() {
        let all = Test::default();
        assert_eq!(all.selected().len(), STEPS.len());
        assert!(all.left_out().is_empty());
        let only = Some(&STEPS[2]);
        let cpu = Test { only, ..all };
        let names: Vec<&str> = cpu.selected().iter().map(|step| step.name).collect();
        assert_eq!(names, ["cpu"]);
        assert_eq!(cpu.left_out().len(), STEPS.len() - 1);
        let no_tint = Test {
            no_tint: true,
            ..cpu
        };
        let left_out = no_tint.left_out();
        assert!(left_out.contains(&"of cpu: shaders compiled by Tint".to_owned()));
    }

    #[test]
    fn a_quick_run_says_what_it_leaves_out() {
        let quick = Test {
            quick: true,
            ..Test::default()
        };
        let text = quick.left_out().join("; ");
        for step in STEPS {
            let is_whole = matches!(step.quick, Quick::Whole);
            assert_eq!(text.contains(step.name), !is_whole, "{}: {text}", step.name);
        }
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
