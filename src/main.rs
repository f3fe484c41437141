//! The wavelerp binary: sets the process up and hands the command line to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Messages of wgpu and of validation layers; RUST_LOG=info shows more.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("error")).init();
    ExitCode::from(wavelerp::cli::main())
}
