//! The wavelerp binary: sets the process up and hands the command line to the library.

use std::io::Write;
use std::process::ExitCode;

/// Messages of debug builds that tell the user nothing.
const HARMLESS: [&str; 2] = [
    // Old validation layers do not know WGSL as a source language in debug information.
    "Invalid source language operand: 10",
    // The Vulkan loader found no driver: the error that follows says so, and what to install.
    "Loader Message",
];

/// What is logged. The window says itself where no file dialog can open, and that the display with its clipboard is gone.
const FILTER: &str = "error,rfd=off,arboard=off";

fn main() -> ExitCode {
    forget_empty_variables();
    keep_mesa_quiet();
    start_log();
    let code = wavelerp::cli::main();
    wavelerp::gpu::finish_compiling();
    ExitCode::from(code)
}

/// A variable that is set to nothing counts as one that is not set.
fn forget_empty_variables() {
    for name in ["WAVELERP_ADAPTER", "WAVELERP_SHADERS", "RUST_LOG"] {
        if std::env::var_os(name).is_some_and(|value| value.is_empty()) {
            // SAFETY: the process has a single thread yet.
            unsafe { std::env::remove_var(name) };
        }
    }
}

/// Without a display, Mesa's device-select layer complains on standard error about the display server
/// that it cannot ask; it then does nothing anyway.
fn keep_mesa_quiet() {
    let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    if unset("DISPLAY") && unset("WAYLAND_DISPLAY") && unset("NODEVICE_SELECT") {
        // SAFETY: the process has a single thread yet.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

/// Messages of wgpu and of validation layers; `RUST_LOG=info` shows more.
fn start_log() {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(FILTER))
        .format(|out, record| {
            let message = record.args().to_string();
            let harmless = HARMLESS.iter().any(|part| message.contains(part));
            // Objects are listed in a line of their own after a message.
            if harmless || message.starts_with("\tobjects:") {
                return Ok(());
            }
            writeln!(out, "{}: {message}", record.level().as_str().to_lowercase())
        })
        .init();
}
