//! The wavelerp binary: hands the command line to the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(wavelerp::cli::main())
}
