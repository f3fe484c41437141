//! The steps of `cargo xtask test`: the cargo calls of each, and the environment in which tests run on
//! software Vulkan at a given wave size. Runs nothing itself.

use crate::setup::Purpose;
use crate::setup::Purpose::{Browser, RenderDoc, Test, Tint, Vulkan, Window, WindowTest};
use std::ffi::OsString;
use std::path::Path;

#[derive(Debug)]
pub struct Step {
    /// Its name, for `--only NAME`.
    pub name: &'static str,
    /// What the step does, for the announcement and the help.
    pub what: &'static str,
    /// Lanes per wave that llvmpipe is set to, for steps that run tests; at least one must be executed.
    pub wave: Option<u32>,
    /// What the step's system packages are for; none if it needs no packages.
    pub needs: &'static [Purpose],
    /// How much of the step `--quick` runs.
    pub quick: Quick,
    /// The cargo calls, one after the other. They name packages only where these have the features of crates that they have in the
    /// workspace: cargo would compile others anew.
    pub calls: &'static [&'static str],
}

/// How much of a step a quick run does.
#[derive(Debug)]
pub enum Quick {
    Whole,
    /// These cargo calls instead of the step's own, and what they leave out, in words.
    Part {
        calls: &'static [&'static str],
        leaves_out: &'static str,
    },
    Nothing,
}

impl Step {
    /// The cargo calls of a quick or a whole run.
    pub fn calls(&self, is_quick: bool) -> &'static [&'static str] {
        match self.quick {
            Quick::Part { calls, .. } if is_quick => calls,
            _ => self.calls,
        }
    }
}

/// All steps in their order. Tests of one step share a process, and with it the device and the
/// compiled shaders.
pub const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        what: "formatting",
        wave: None,
        needs: &[],
        quick: Quick::Whole,
        calls: &["fmt --all --check"],
    },
    Step {
        name: "build",
        what: "the program and all tests, compiled; lints, warnings are errors",
        wave: None,
        needs: &[],
        quick: Quick::Whole,
        calls: &["test --workspace --all-targets --no-run"],
    },
    Step {
        name: "cpu",
        what: "unit tests, shader texts, panel, auto",
        wave: Some(8),
        needs: &[Vulkan, Test, Tint],
        quick: Quick::Part {
            calls: &[
                "test --workspace --lib --bins --no-fail-fast",
                "test --package wavelerp --test suite --no-fail-fast -- --skip gpu:: --skip wave8:: \
                 --skip cli:: --skip page:: --skip renderdoc:: --skip window:: --skip back_ends:: --skip tint:: --skip panel::",
            ],
            leaves_out: "the panel and the translation of shaders",
        },
        calls: &[
            "test --workspace --lib --bins --no-fail-fast",
            "test --workspace --test packages --no-fail-fast",
            "test --package wavelerp --test suite --no-fail-fast -- --skip gpu:: --skip wave8:: \
             --skip cli:: --skip page:: --skip renderdoc:: --skip window::",
        ],
    },
    Step {
        name: "gpu8",
        what: "gpu:: and wave8:: tests at wave 8",
        wave: Some(8),
        needs: &[Vulkan, Test],
        quick: Quick::Part {
            calls: &[
                "test --package wavelerp --test suite --no-fail-fast -- gpu::methods:: gpu::lists:: \
                      gpu::sort:: gpu::two:: gpu::wave_library:: wave8::live::",
            ],
            leaves_out: "all but methods, lists, sort, two, wave_library and live",
        },
        calls: &["test --package wavelerp --test suite --no-fail-fast -- gpu:: wave8::"],
    },
    Step {
        name: "gpu4",
        what: "gpu:: tests at wave 4, without their controls and ends of dials",
        wave: Some(4),
        needs: &[Vulkan, Test],
        quick: Quick::Nothing,
        calls: &[
            "test --package wavelerp --test suite --no-fail-fast -- gpu:: --skip ::controls:: --skip ::dials::",
        ],
    },
    Step {
        name: "gpu16",
        what: "gpu:: tests at wave 16, without their controls and ends of dials",
        wave: Some(16),
        needs: &[Vulkan, Test],
        quick: Quick::Nothing,
        calls: &[
            "test --package wavelerp --test suite --no-fail-fast -- gpu:: --skip ::controls:: --skip ::dials::",
        ],
    },
    Step {
        name: "program",
        what: "the command line, pages, recordings, machine code and the archive: cli::, page::, renderdoc::, isa, dist",
        wave: Some(8),
        needs: &[Vulkan, Test, RenderDoc, Browser],
        quick: Quick::Nothing,
        calls: &[
            "test --package wavelerp --test suite --no-fail-fast -- cli:: page:: renderdoc::",
            "test --workspace --test null_device --no-fail-fast",
            "test --workspace --test archive --no-fail-fast",
        ],
    },
    Step {
        name: "window",
        what: "window:: tests, in a real window under a virtual X server, at wave 8",
        wave: Some(8),
        needs: &[Vulkan, Window, Test, WindowTest],
        quick: Quick::Nothing,
        calls: &["test --package wavelerp --test suite --no-fail-fast -- window::"],
    },
    Step {
        name: "doc",
        what: "examples in the documentation",
        wave: None,
        needs: &[],
        quick: Quick::Nothing,
        calls: &["test --doc --package wavelerp"],
    },
];

/// The environment in which cargo compiles this workspace's packages with clippy's compiler, as `cargo
/// clippy` does. Unlike `cargo clippy` it makes programs that run, so the lints need no build of their own.
/// Every step has these variables, because cargo would compile everything again without them.
pub const LINTING: [(&str, &str); 2] = [
    ("RUSTC_WORKSPACE_WRAPPER", "clippy-driver"),
    // What `cargo clippy -- -D warnings` sets: clippy splits its arguments at the second word.
    ("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__"),
];

/// The environment in which llvmpipe is the only Vulkan driver, with `wave` lanes of 32 bits. Mesa's cache
/// keeps compiled shaders under keys that do not contain the vector width, hence one cache for each.
pub fn software_vulkan(manifest: &Path, cache: &Path, wave: u32) -> [(&'static str, OsString); 7] {
    [
        ("VK_DRIVER_FILES", manifest.into()),
        ("VK_ICD_FILENAMES", manifest.into()),
        ("LP_NATIVE_VECTOR_WIDTH", (wave * 32).to_string().into()),
        ("MESA_SHADER_CACHE_DIR", cache.into()),
        ("WAVELERP_EXPECT_WAVE", wave.to_string().into()),
        ("WAVELERP_ADAPTER", "llvmpipe".into()),
        // Without this, Mesa's device-select layer complains that there is no display server.
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

    /// The steps that run the tests of `module` of the test target `suite`.
    fn steps_of(module: &str) -> Vec<&'static str> {
        let runs = |step: &&Step| {
            let calls = step.calls.iter();
            let mut calls = calls.filter(|call| call.contains("--test suite"));
            calls.any(|call| {
                let filters = call.split_once(" -- ").map_or("", |(_, filters)| filters);
                let mut parts = filters.split("--skip").map(str::split_whitespace);
                let mut wanted = parts.next().into_iter().flatten().peekable();
                let is_wanted =
                    wanted.peek().is_none() || wanted.any(|filter| module.contains(filter));
                is_wanted && !parts.flatten().any(|filter| module.contains(filter))
            })
        };
        STEPS.iter().filter(runs).map(|step| step.name).collect()
    }

    #[test]
    fn tests_that_depend_on_the_wave_size_run_at_4_8_and_16_and_all_others_once() {
        assert_eq!(steps_of("gpu::lists::"), ["gpu8", "gpu4", "gpu16"]);
        let steps = steps_of("gpu::lists::").into_iter();
        let waves = steps.map(|name| step(name).wave);
        assert!(waves.eq([Some(8), Some(4), Some(16)]));
        for (module, only) in [
            ("gpu::lists::controls::", "gpu8"),
            ("wave8::", "gpu8"),
            ("cli::", "program"),
            ("page::", "program"),
            ("renderdoc::", "program"),
            ("window::", "window"),
            ("panel::", "cpu"),
            ("shaders::", "cpu"),
            ("a_new_folder::", "cpu"),
        ] {
            assert_eq!(steps_of(module), [only], "{module}");
        }
    }

    #[test]
    fn only_the_tests_of_the_window_need_its_packages_and_each_gpu_step_needs_vulkan() {
        for step in STEPS {
            assert_eq!(step.needs.contains(&WindowTest), step.name == "window");
            assert_eq!(step.needs.contains(&Vulkan), step.wave.is_some());
        }
    }

    #[test]
    fn the_vector_width_is_32_bits_for_each_lane() {
        for (wave, width) in [(4, "128"), (8, "256"), (16, "512")] {
            let variables = software_vulkan(Path::new("/lvp.json"), Path::new("/cache"), wave);
            let set = |name, value: &str| variables.contains(&(name, value.into()));
            assert!(set("LP_NATIVE_VECTOR_WIDTH", width));
            assert!(set("WAVELERP_EXPECT_WAVE", &wave.to_string()));
        }
    }
}
