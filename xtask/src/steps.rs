//! Steps of `cargo xtask test`, with the commands and requirements of each. This module runs nothing.

use crate::setup::Purpose;
use crate::setup::Purpose::{Browser, RenderDoc, Test, Tint, Vulkan, Window, WindowTest};

#[derive(Debug)]
pub struct Step {
    /// Name of the step for `--only NAME`.
    pub name: &'static str,
    /// Description for the announcement and the help.
    pub what: &'static str,
    /// Wave size of llvmpipe in lanes, for steps that run tests on it.
    pub wave: Option<u32>,
    /// Purposes of the required system packages.
    pub needs: &'static [Purpose],
    /// True if only `--all` and `--only NAME` run the step.
    pub is_of_release: bool,
    /// Commands in order. A command names a package only if the package has the same crate features as in the
    /// workspace; otherwise cargo would recompile crates.
    pub commands: &'static [&'static str],
}

const EVERY_CHANGE: Step = Step {
    name: "",
    what: "",
    wave: None,
    needs: &[],
    is_of_release: false,
    commands: &[],
};

const OF_RELEASE: Step = Step {
    is_of_release: true,
    ..EVERY_CHANGE
};

/// All steps in order. Tests of one command share a process, a device and compiled shaders.
pub const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        what: "formatting",
        commands: &["cargo fmt --all --check"],
        ..EVERY_CHANGE
    },
    Step {
        name: "build",
        what: "the program and all tests, compiled; lints, warnings are errors",
        commands: &["cargo test --workspace --tests --no-run"],
        ..EVERY_CHANGE
    },
    Step {
        name: "cpu",
        what: "unit tests, shader texts, panel",
        wave: Some(8),
        needs: &[Vulkan, Test, Tint],
        commands: &[
            "cargo test --workspace --lib --bin xtask --bin crops --bin dist --test packages --no-fail-fast",
            "cargo test --package wavelerp --test suite --no-fail-fast -- --skip gpu:: --skip wave8:: \
             --skip cli:: --skip page:: --skip renderdoc:: --skip window::",
        ],
        ..EVERY_CHANGE
    },
    Step {
        name: "gpu8",
        what: "gpu:: and wave8:: tests at wave 8",
        wave: Some(8),
        needs: &[Vulkan, Test],
        commands: &["cargo test --package wavelerp --test suite --no-fail-fast -- gpu:: wave8::"],
        ..EVERY_CHANGE
    },
    Step {
        name: "gpu4",
        what: "tests that use wave operations, at wave 4",
        wave: Some(4),
        needs: &[Vulkan, Test],
        commands: &[
            "cargo test --package wavelerp --test suite --no-fail-fast -- gpu::methods gpu::wave_intrinsics \
             gpu::last_lanes gpu::lists gpu::sort gpu::split_depth gpu::patches gpu::two \
             --skip ::controls:: --skip ::dials::",
        ],
        ..EVERY_CHANGE
    },
    Step {
        name: "gpu16",
        what: "tests that use wave operations and run on llvmpipe, at wave 16",
        wave: Some(16),
        needs: &[Vulkan, Test],
        commands: &[
            "cargo test --package wavelerp --test suite --no-fail-fast -- gpu::methods gpu::wave_intrinsics \
             gpu::lists gpu::sort --skip ::controls:: --skip ::dials::",
        ],
        ..EVERY_CHANGE
    },
    Step {
        name: "program",
        what: "the command line, pages and recordings: cli::, page::, renderdoc::",
        wave: Some(8),
        needs: &[Vulkan, Test, RenderDoc, Browser],
        commands: &[
            "cargo test --package wavelerp --test suite --no-fail-fast -- cli:: page:: renderdoc::",
        ],
        ..EVERY_CHANGE
    },
    Step {
        name: "window",
        what: "window:: tests, in a real window under a virtual X server",
        wave: Some(8),
        needs: &[Vulkan, Window, Test, RenderDoc, WindowTest],
        commands: &["cargo test --package wavelerp --test suite --no-fail-fast -- window::"],
        ..EVERY_CHANGE
    },
    Step {
        name: "archive",
        what: "the archive of a release, unpacked and used",
        wave: Some(8),
        needs: &[Vulkan],
        commands: &["cargo test --workspace --test archive --no-fail-fast"],
        ..OF_RELEASE
    },
    Step {
        name: "whole4",
        what: "all gpu:: tests at wave 4",
        wave: Some(4),
        needs: &[Vulkan, Test],
        commands: &["cargo test --package wavelerp --test suite --no-fail-fast -- gpu::"],
        ..OF_RELEASE
    },
    Step {
        name: "whole16",
        what: "all gpu:: tests at wave 16",
        wave: Some(16),
        needs: &[Vulkan, Test],
        commands: &["cargo test --package wavelerp --test suite --no-fail-fast -- gpu::"],
        ..OF_RELEASE
    },
    Step {
        name: "fuzz",
        what: "100,000 changed files, read or refused",
        wave: Some(8),
        needs: &[Vulkan],
        commands: &[
            "cargo test --package wavelerp --test suite -- --ignored --nocapture fuzz::many",
        ],
        ..OF_RELEASE
    },
    Step {
        name: "mutants",
        what: "the faults of tests/mutants, planted in shaders: tests find each",
        wave: Some(8),
        needs: &[Vulkan, Test],
        commands: &["python3 tests/mutants/plant.py"],
        ..OF_RELEASE
    },
    Step {
        name: "drivers",
        what: "the pictures of this machine's Vulkan drivers, compared",
        needs: &[Vulkan],
        commands: &["cargo xtask verify-drivers"],
        ..OF_RELEASE
    },
    Step {
        name: "web",
        what: "the program in headless Chromium",
        needs: &[Browser],
        commands: &["cargo xtask web --test"],
        ..OF_RELEASE
    },
    Step {
        name: "soak",
        what: "random use of the real window for half an hour; WAVELERP_SOAK_MINUTES sets another time",
        wave: Some(8),
        needs: &[Vulkan, Window, Test, WindowTest],
        commands: &[
            "cargo test --package wavelerp --test suite -- --ignored --nocapture window::soak",
        ],
        ..OF_RELEASE
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of the steps for every change that run the tests of `module` in the test target `suite`.
    fn steps_of(module: &str) -> Vec<&'static str> {
        let runs = |step: &&Step| {
            let mut filters = step.commands.iter().filter_map(|command| {
                let (target, filters) = command.split_once(" -- ")?;
                target.contains("--test suite").then_some(filters)
            });
            !step.is_of_release
                && filters.any(|filters| {
                    let mut parts = filters.split("--skip").map(str::trim);
                    let mut wanted = parts.next().into_iter().flat_map(str::split_whitespace);
                    let is_wanted =
                        filters.starts_with("--skip") || wanted.any(|of| module.contains(of));
                    is_wanted && !parts.any(|skipped| module.contains(skipped))
                })
        };
        STEPS.iter().filter(runs).map(|step| step.name).collect()
    }

    #[test]
    fn what_uses_wave_operations_runs_at_4_8_and_16_and_all_others_once() {
        for (module, steps) in [
            ("gpu::lists::", "gpu8 gpu4 gpu16"),
            ("gpu::two::", "gpu8 gpu4"),
            ("gpu::lists::controls::", "gpu8"),
            ("gpu::cloud::", "gpu8"),
            ("wave8::", "gpu8"),
            ("cli::", "program"),
            ("page::", "program"),
            ("renderdoc::", "program"),
            ("window::", "window"),
            ("shaders::", "cpu"),
            ("a_new_folder::", "cpu"),
        ] {
            assert_eq!(steps_of(module).join(" "), steps, "{module}");
        }
    }

    #[test]
    fn each_step_on_llvmpipe_needs_vulkan() {
        for step in STEPS.iter().filter(|step| step.wave.is_some()) {
            assert!(step.needs.contains(&Vulkan), "{}", step.name);
        }
    }
}
