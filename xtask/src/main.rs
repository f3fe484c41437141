//! The project's chores, as `cargo xtask COMMAND`: one file each.

mod demo;
mod dist;
mod docs;
mod drivers;
mod pictures;
mod process;
mod renderdoc;
mod setup;
mod steps;
mod test;
mod tint;
mod vulkan;
mod web;

use clap::Parser;
use std::process::ExitCode;

/// The project's chores
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Cli {
    Demo(demo::Demo),
    Setup(setup::Setup),
    Renderdoc(renderdoc::Renderdoc),
    Pictures(pictures::Pictures),
    Docs(docs::Docs),
    Dist(dist::Dist),
    Web(web::Web),
    VerifyDrivers(drivers::VerifyDrivers),
    Test(test::Test),
}

fn main() -> ExitCode {
    let ended = match Cli::parse() {
        Cli::Demo(demo) => demo.run(),
        Cli::Setup(setup) => setup.run(),
        Cli::Renderdoc(renderdoc) => renderdoc.run(),
        Cli::Pictures(pictures) => pictures.run(),
        Cli::Docs(docs) => docs.run(),
        Cli::Dist(dist) => dist.run(),
        Cli::Web(web) => web.run(),
        Cli::VerifyDrivers(drivers) => drivers.run(),
        Cli::Test(test) => test.run(),
    };
    match ended {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(format!("xtask {line}").split_whitespace())
    }

    #[test]
    fn every_command_has_a_summary_and_no_two_flags_are_the_same() {
        Cli::command().debug_assert();
        for command in Cli::command().get_subcommands() {
            assert!(command.get_about().is_some(), "{}", command.get_name());
        }
    }

    #[test]
    fn what_no_command_knows_is_a_usage_error_that_names_it() {
        for (line, word) in [
            ("", "Usage"),
            ("tset", "tset"),
            ("setup --all", "--all"),
            ("demo --size 64x64", "--size"),
            ("dist --progam x", "--progam"),
            ("dist --program", "--program"),
            ("pictures --only nothing-of-this-name", "no picture"),
            ("setup --yes --no-install", "--no-install"),
            ("test gpu16", "gpu16"),
            ("test --only gpu32", "window, archive"),
            ("test --all --only gpu4", "--only"),
        ] {
            let error = parse(line).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
            assert!(error.to_string().contains(word), "{line}: {error}");
        }
    }

    #[test]
    fn what_follows_the_separator_belongs_to_the_program() {
        let demo = parse("demo --yes -- --help --size 64x64").unwrap();
        assert!(matches!(demo, Cli::Demo(demo) if demo.rest == ["--help", "--size", "64x64"]));
        assert_eq!(parse("demo --help").unwrap_err().exit_code(), 0);
    }
}
