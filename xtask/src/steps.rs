//! What `cargo xtask test` consists of: the table of steps, the cargo calls of each, and the
//! environment that puts tests on software Vulkan at a given wave size. Pure: runs nothing.

use std::ffi::OsString;
use std::path::Path;

/// One step of the test run.
#[derive(Debug)]
pub struct Step {
    /// As in `--only NAME`.
    pub name: &'static str,
    /// What the step does, for the announcement.
    pub what: &'static str,
    /// Lanes per wave that llvmpipe is set to; `None` for steps that need no Vulkan.
    pub wave: Option<u32>,
    /// What the step runs.
    pub work: Work,
}

/// The kinds of work.
#[derive(Debug)]
pub enum Work {
    /// One cargo call with a component of the toolchain.
    Component {
        component: &'static str,
        check: &'static str,
        arguments: &'static [&'static str],
    },
    /// Everything but the GPU and window tests, which are those under `gpu::` and `window::` in the
    /// test target `suite`.
    OtherTests,
    /// The GPU tests.
    GpuTests,
    /// The tests of the real window, one at a time: each has an X server, a window manager and software
    /// rendering to itself.
    WindowTests,
    /// Examples in the documentation.
    DocTests,
}

/// All steps in their order. The tests of the command line (`cli::`) and of recordings (`renderdoc::`) use
/// the GPU too, at wave 8.
pub const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        what: "formatting",
        wave: None,
        work: Work::Component {
            component: "rustfmt",
            check: "fmt",
            arguments: &["fmt", "--all", "--check"],
        },
    },
    Step {
        name: "clippy",
        what: "lints, warnings are errors",
        wave: None,
        work: Work::Component {
            component: "clippy",
            check: "clippy",
            arguments: &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ],
        },
    },
    Step {
        name: "cpu",
        what: "all tests but gpu:: and window::",
        wave: Some(8),
        work: Work::OtherTests,
    },
    Step {
        name: "gpu4",
        what: "gpu:: tests at wave 4",
        wave: Some(4),
        work: Work::GpuTests,
    },
    Step {
        name: "gpu8",
        what: "gpu:: tests at wave 8",
        wave: Some(8),
        work: Work::GpuTests,
    },
    Step {
        name: "gpu16",
        what: "gpu:: tests at wave 16",
        wave: Some(16),
        work: Work::GpuTests,
    },
    Step {
        name: "window",
        what: "window:: tests, in a real window at wave 8",
        wave: Some(8),
        work: Work::WindowTests,
    },
    Step {
        name: "doc",
        what: "examples in the documentation",
        wave: None,
        work: Work::DocTests,
    },
];

/// What runs the tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    /// `cargo nextest run`.
    Nextest,
    /// `cargo test`.
    CargoTest,
}

impl Work {
    /// The cargo calls of this work, one after the other.
    pub fn calls(&self, runner: Runner) -> Vec<Vec<&'static str>> {
        match (self, runner) {
            (Self::Component { arguments, .. }, _) => vec![arguments.to_vec()],
            (Self::DocTests, _) => vec![words("test --doc --package wavelerp")],
            (Self::OtherTests, Runner::Nextest) => {
                let mut call = words("nextest run --workspace --no-fail-fast --no-tests=fail -E");
                // Unit tests of the library's own `gpu` module are not GPU tests.
                call.push("not (binary(suite) & test(/^(gpu|window)::/))");
                vec![call]
            }
            (Self::OtherTests, Runner::CargoTest) => vec![
                words("test --workspace --lib --bins --no-fail-fast"),
                words(
                    "test --package wavelerp --test suite --no-fail-fast -- --skip gpu:: --skip window::",
                ),
                words("test --package isa --test null_device --no-fail-fast"),
            ],
            (Self::GpuTests, Runner::Nextest) => {
                vec![words(
                    "nextest run --package wavelerp --test suite --no-fail-fast --no-tests=fail -E test(/^gpu::/)",
                )]
            }
            (Self::GpuTests, Runner::CargoTest) => {
                vec![words(
                    "test --package wavelerp --test suite --no-fail-fast -- gpu::",
                )]
            }
            (Self::WindowTests, Runner::Nextest) => {
                vec![words(
                    "nextest run --package wavelerp --test suite --no-fail-fast --no-tests=fail \
                     --test-threads 1 -E test(/^window::/)",
                )]
            }
            (Self::WindowTests, Runner::CargoTest) => {
                vec![words(
                    "test --package wavelerp --test suite --no-fail-fast -- --test-threads 1 window::",
                )]
            }
        }
    }

    /// True if a run of this work in which no test was executed must fail. nextest sees to that
    /// itself; of `cargo test` the results have to be counted.
    pub fn must_count(&self, runner: Runner) -> bool {
        let tests = matches!(self, Self::OtherTests | Self::GpuTests | Self::WindowTests);
        runner == Runner::CargoTest && tests
    }
}

fn words(line: &'static str) -> Vec<&'static str> {
    line.split(' ').collect()
}

/// How many tests this line of `cargo test`'s output says were executed: it is nonzero only for a
/// line like `test result: ok. 3 passed; 1 failed; 0 ignored; ...`.
pub fn executed_in(line: &str) -> usize {
    let Some((_, counts)) = line
        .strip_prefix("test result: ")
        .and_then(|rest| rest.split_once(". "))
    else {
        return 0;
    };
    let executed = counts
        .split("; ")
        .filter_map(|count| match count.split_once(' ') {
            Some((number, "passed" | "failed")) => number.parse::<usize>().ok(),
            _ => None,
        });
    executed.sum()
}

/// Variables that would let the Vulkan loader see or choose another driver.
pub const REMOVED_VARIABLES: [&str; 3] = [
    "VK_ADD_DRIVER_FILES",
    "VK_LOADER_DRIVERS_SELECT",
    "VK_LOADER_DRIVERS_DISABLE",
];

/// The environment in which Vulkan is llvmpipe alone, with `wave` lanes of 32 bits. Mesa keeps
/// compiled shaders under keys that do not tell vector widths apart, hence one cache for each.
pub fn software_vulkan(manifest: &Path, cache: &Path, wave: u32) -> [(&'static str, OsString); 7] {
    [
        ("VK_DRIVER_FILES", manifest.into()),
        ("VK_ICD_FILENAMES", manifest.into()),
        ("LP_NATIVE_VECTOR_WIDTH", (wave * 32).to_string().into()),
        ("MESA_SHADER_CACHE_DIR", cache.into()),
        ("WAVELERP_EXPECT_WAVE", wave.to_string().into()),
        ("WAVELERP_ADAPTER", "llvmpipe".into()),
        // Mesa's device-select layer asks a display server that tests do not have, and complains.
        ("NODEVICE_SELECT", "1".into()),
    ]
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn step(name: &str) -> &'static Step {
        STEPS.iter().find(|step| step.name == name).unwrap()
    }

    #[test]
    fn the_gpu_tests_run_at_wave_4_8_and_16() {
        let gpu = STEPS
            .iter()
            .filter(|step| matches!(step.work, Work::GpuTests));
        assert_eq!(
            gpu.map(|step| step.wave).collect::<Vec<_>>(),
            [Some(4), Some(8), Some(16)]
        );
        assert_eq!(step("fmt").wave, None);
    }

    #[test]
    fn the_vector_width_is_32_bits_for_each_lane() {
        for (wave, width) in [(4, "128"), (8, "256"), (16, "512")] {
            let variables = software_vulkan(Path::new("/lvp.json"), Path::new("/cache"), wave);
            let value = |name| {
                variables
                    .iter()
                    .find(|(key, _)| *key == name)
                    .map(|(_, value)| value.clone())
            };
            assert_eq!(value("LP_NATIVE_VECTOR_WIDTH"), Some(width.into()));
            assert_eq!(value("WAVELERP_EXPECT_WAVE"), Some(wave.to_string().into()));
            assert_eq!(value("VK_DRIVER_FILES"), Some("/lvp.json".into()));
            assert_eq!(value("VK_DRIVER_FILES"), value("VK_ICD_FILENAMES"));
        }
    }

    #[test]
    fn each_test_of_the_suite_is_in_one_step_with_both_runners() {
        for runner in [Runner::Nextest, Runner::CargoTest] {
            let line = |name: &str| step(name).work.calls(runner).concat().join(" ");
            let other = line("cpu");
            assert!(
                other.contains("not (binary(suite) & test(/^(gpu|window)::/))")
                    || other.contains("--skip gpu:: --skip window::"),
                "{other}"
            );
            for (name, own, foreign) in [("gpu8", "gpu", "window"), ("window", "window", "gpu")] {
                let line = line(name);
                assert!(line.contains(&format!("{own}::")), "{line}");
                assert!(!line.contains(foreign), "{line}");
                assert!(!line.contains("not") && !line.contains("--skip"), "{line}");
            }
        }
    }

    #[test]
    fn window_tests_run_one_at_a_time() {
        for runner in [Runner::Nextest, Runner::CargoTest] {
            let line = step("window").work.calls(runner).concat().join(" ");
            assert!(line.contains("--test-threads 1"), "{line}");
        }
    }

    #[test]
    fn runs_that_execute_no_test_are_noticed_with_both_runners() {
        for name in ["cpu", "gpu4", "window"] {
            assert!(step(name).work.calls(Runner::Nextest)[0].contains(&"--no-tests=fail"));
            assert!(step(name).work.must_count(Runner::CargoTest));
            assert!(!step(name).work.must_count(Runner::Nextest));
        }
        assert!(!step("fmt").work.must_count(Runner::CargoTest));
    }

    #[test]
    fn passed_and_failed_tests_were_executed_and_ignored_ones_were_not() {
        let line = "test result: ok. 3 passed; 0 failed; 2 ignored; 0 measured; 7 filtered out; finished in 0.00s";
        assert_eq!(executed_in(line), 3);
        assert_eq!(
            executed_in("test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured"),
            3
        );
        assert_eq!(
            executed_in("test result: ok. 0 passed; 0 failed; 5 ignored; 0 measured"),
            0
        );
        assert_eq!(executed_in("test gpu::a ... ok. 5 passed; 1 failed"), 0);
    }
}
