//! The wavelerp binary: sets up the process and passes the command line, or the link of a page, to the library.

#[cfg(not(target_arch = "wasm32"))]
mod desktop;

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    desktop::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {
    wavelerp::cli::main_in_page();
}
