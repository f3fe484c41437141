//! `cargo xtask web` compiles the program for browsers, and runs the program `web` (a separate workspace, because it
//! needs wasm-bindgen's library) to make the page and to serve it.

use crate::process::{Consent, Result, absolute};
use crate::setup::Purpose;
use crate::{process, setup};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Build the page that runs the program in a browser
///
/// Writes index.html, the program and the scenes to target/web. With rustup, `rustup target add wasm32-unknown-unknown`
/// provides the compiler's part for browsers; otherwise Debian's packages do, which are installed like others.
/// docs/browser.md says what a browser needs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask web --serve
  cargo xtask web --output public
  cargo xtask web --test")]
pub struct Web {
    /// Serve the page to this computer, and print its address; without PORT at 8080
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8080")]
    serve: Option<u16>,
    /// Open the page in headless Chromium, on a software GPU, and check what it shows
    #[arg(long, conflicts_with = "serve")]
    test: bool,
    /// Output folder [default: target/web]
    #[arg(long, value_name = "DIR", value_parser = absolute)]
    output: Option<PathBuf>,
    #[command(flatten)]
    consent: Consent,
}

const TARGET: &str = "wasm32-unknown-unknown";
/// Compilers recurse for every level of a shader's nesting, and a page has one stack.
const STACK: &str = "-Clink-arg=-zstack-size=16777216";
/// Cargo and compiler of Debian's packages for browsers, which have the standard library as source code.
const DEBIAN: [&str; 2] = ["/usr/bin/cargo", "/usr/bin/rustc"];

impl Web {
    pub fn run(self) -> Result<u8> {
        let rustup = process::output_of(&mut process::command_of("rustup target list --installed"));
        let has_target = rustup.lines().any(|line| line.trim() == TARGET);
        let mut purposes = match has_target {
            true => Vec::new(),
            false => vec![Purpose::Web],
        };
        if self.test {
            purposes.push(Purpose::Browser);
        }
        setup::install(&purposes, self.consent)?;
        let usual = || process::target_folder().join("web");
        let page = self.output.clone().unwrap_or_else(usual);
        process::make_folder(&page)?;
        eprintln!("Building wavelerp for browsers: this takes minutes.");
        process::run(&mut cargo(has_target), "the build failed")?;
        let folder = process::target_folder();
        let wasm = folder.join(TARGET).join("wasm/wavelerp.wasm");
        let mut make = pages(&page);
        make.arg("--wasm").arg(wasm);
        process::run(&mut make, "the page could not be made")?;
        println!("{}", page.display());
        if self.test {
            return test(&page);
        }
        let Some(port) = self.serve else { return Ok(0) };
        process::exit_code_of(pages(&page).arg("--serve").arg(port.to_string()))
    }
}

/// The command that compiles the program.
fn cargo(has_target: bool) -> Command {
    let line = format!("build --locked --profile wasm --bin wavelerp --target {TARGET}");
    let mut command = match has_target {
        true => process::command_of("cargo"),
        false => {
            let mut debian = process::command(DEBIAN[0]);
            debian.env("RUSTC", DEBIAN[1]).env("RUSTC_BOOTSTRAP", "1");
            debian.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld-22");
            debian
        }
    };
    command.args(line.split(' ')).env("RUSTFLAGS", STACK);
    // Flags of a step of the tests are not for this compiler.
    for (name, _) in process::LINTING {
        command.env_remove(name);
    }
    if !has_target {
        command.args(["-Z", "build-std=std,panic_abort"]);
    }
    command
}

/// The command that runs the program `web` on the folder of the page.
fn pages(page: &Path) -> Command {
    let mut command =
        process::command_of("cargo run --quiet --locked --manifest-path xtask/web/Cargo.toml --");
    command.arg("--root").arg(process::workspace_root());
    command.arg("--page").arg(page);
    command
}

/// Serves the page and runs the tests that open it.
fn test(page: &Path) -> Result<u8> {
    let mut server = pages(page);
    let server = server.args(["--serve", "0"]).stdout(Stdio::piped()).spawn();
    let mut server = server.map_err(|error| format!("cannot serve the page: {error}"))?;
    let mut address = String::new();
    if let Some(stdout) = server.stdout.take() {
        let read = BufReader::new(stdout).read_line(&mut address);
        read.map_err(|error| format!("cannot serve the page: {error}"))?;
    }
    let mut tests = process::command_of(
        "cargo test --package wavelerp --test suite --no-fail-fast -- --ignored --test-threads 1 page::program::",
    );
    let tests = tests
        .env("WAVELERP_PAGE", address.trim())
        .envs(process::LINTING);
    let ended = process::exit_code_of(tests);
    let _ = server.kill();
    let _ = server.wait();
    ended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_bound_by_the_wasm_bindgen_that_the_program_has() {
        let read = |name: &str| std::fs::read_to_string(process::workspace_root().join(name));
        let lock = read("Cargo.lock").expect("a lock file");
        let program = lock.split("name = \"wasm-bindgen\"\nversion = \"").nth(1);
        let version = program
            .and_then(|rest| rest.split('"').next())
            .expect("it is there");
        let web = read("xtask/web/Cargo.toml").expect("a manifest");
        assert!(
            web.contains(&format!("wasm-bindgen-cli-support = \"={version}\"")),
            "{version}"
        );
    }
}
