//! The process on a desktop: environment, log, and exit code.

use std::io::Write;
use std::process::ExitCode;

/// Messages of debug builds that do not help a user.
const HARMLESS: [&str; 2] = [
    // Old validation layers do not accept WGSL as a source language in debug information.
    "Invalid source language operand: 10",
    // The Vulkan loader found no driver. The error that follows reports it and suggests a remedy.
    "Loader Message",
];

/// Log filter. The window itself reports a missing file dialog and the loss of the display or clipboard.
const FILTER: &str = "error,rfd=off,arboard=off";

pub fn main() -> ExitCode {
    forget_empty_variables();
    keep_mesa_quiet();
    start_log();
    let code = wavelerp::cli::main();
    wavelerp::gpu::finish_compiling();
    ExitCode::from(code)
}

/// Treats empty variables as unset.
fn forget_empty_variables() {
    for name in ["WAVELERP_ADAPTER", "WAVELERP_SHADERS", "RUST_LOG"] {
        if std::env::var_os(name).is_some_and(|value| value.is_empty()) {
            // SAFETY: the process is still single-threaded.
            unsafe { std::env::remove_var(name) };
        }
    }
}

/// Silences Mesa's device-select layer. Without a display it prints a useless warning to standard error.
fn keep_mesa_quiet() {
    let unset = |name| std::env::var_os(name).is_none_or(|value| value.is_empty());
    if unset("DISPLAY") && unset("WAYLAND_DISPLAY") && unset("NODEVICE_SELECT") {
        // SAFETY: the process is still single-threaded.
        unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
    }
}

/// Starts logging messages from wgpu and the validation layers. `RUST_LOG=info` shows more.
fn start_log() {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(FILTER))
        .format(|out, record| {
            let message = record.args().to_string();
            let harmless = HARMLESS.iter().any(|part| message.contains(part));
            // The line after a message lists its objects.
            if harmless || message.starts_with("\tobjects:") {
                return Ok(());
            }
            writeln!(out, "{}: {message}", record.level().as_str().to_lowercase())
        })
        .init();
}
