//! The project's chores, as `cargo xtask COMMAND`. Uses the standard library alone so that it starts
//! at once on a bare machine; touches the system only through the commands in the table below.

mod assets;
mod consent;
mod demo;
mod dist;
mod drivers;
mod fuzz;
mod isa;
mod pictures;
mod process;
mod renderdoc;
mod setup;
mod soak;
mod steps;
mod test;
mod times;
mod tint;
mod vulkan;

use process::Failure;
use std::process::ExitCode;

/// One subcommand.
struct Command {
    name: &'static str,
    /// One line for the overview.
    summary: &'static str,
    /// What `cargo xtask NAME --help` prints below the summary.
    help: &'static str,
    run: fn(&[String]) -> Result<ExitCode, Failure>,
}

/// Every subcommand, in the order of the overview. A new one is one file and one row here.
const COMMANDS: &[Command] = &[
    Command {
        name: "demo",
        summary: "Install what is missing, build in release and run the demo",
        help: demo::HELP,
        run: demo::run,
    },
    Command {
        name: "setup",
        summary: "Install the system packages only",
        help: setup::HELP,
        run: setup::run,
    },
    Command {
        name: "renderdoc",
        summary: "Install RenderDoc if it is missing, build in release and run the program under it",
        help: renderdoc::HELP,
        run: renderdoc::run,
    },
    Command {
        name: "assets",
        summary: "Make the generated files in assets/ again",
        help: assets::HELP,
        run: assets::run,
    },
    Command {
        name: "pictures",
        summary: "Make the pictures of README and docs again",
        help: pictures::HELP,
        run: pictures::run,
    },
    Command {
        name: "dist",
        summary: "Build the program and pack the archive of a release",
        help: dist::HELP,
        run: dist::run,
    },
    Command {
        name: "isa",
        summary: "Compile every method for AMD GPUs and write machine code and statistics",
        help: isa::HELP,
        run: isa::run,
    },
    Command {
        name: "fuzz",
        summary: "Have 100,000 changed files read, none of which may break the program",
        help: fuzz::HELP,
        run: fuzz::run,
    },
    Command {
        name: "verify-drivers",
        summary: "Run the program on every Vulkan driver of this machine and compare the pictures",
        help: drivers::HELP,
        run: drivers::run,
    },
    Command {
        name: "soak",
        summary: "Use the real window at random for half an hour and watch its memory",
        help: soak::HELP,
        run: soak::run,
    },
    Command {
        name: "test",
        summary: "Install what is missing, then check formatting, lints and all tests",
        help: test::HELP,
        run: test::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}

/// Finds the subcommand named first and runs it, or prints the help that was asked for.
fn dispatch(arguments: &[String]) -> Result<ExitCode, Failure> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(Failure::usage(format!(
            "no command given\n\n{}",
            overview()
        )));
    };
    if ["--help", "-h", "help"].contains(&name.as_str()) {
        let text = rest
            .first()
            .and_then(|topic| find(topic))
            .map_or_else(overview, command_help);
        println!("{text}");
        return Ok(ExitCode::SUCCESS);
    }
    let command = find(name)
        .ok_or_else(|| Failure::usage(format!("unknown command `{name}`\n\n{}", overview())))?;
    if wants_help(rest) {
        println!("{}", command_help(command));
        return Ok(ExitCode::SUCCESS);
    }
    (command.run)(rest)
}

fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// True if help is asked of xtask itself; what follows `--` belongs to the program that it runs.
fn wants_help(arguments: &[String]) -> bool {
    arguments
        .iter()
        .take_while(|argument| *argument != "--")
        .any(|argument| argument == "--help" || argument == "-h")
}

fn overview() -> String {
    let mut text =
        String::from("The project's chores\n\nUsage: cargo xtask COMMAND [OPTIONS]\n\nCommands:\n");
    for command in COMMANDS {
        text += &format!("  {:<16}{}\n", command.name, command.summary);
    }
    text + "\n`cargo xtask COMMAND --help` tells more about one of them."
}

fn command_help(command: &Command) -> String {
    format!("{}\n\n{}", command.summary, command.help.trim())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_command_is_in_the_overview_and_shows_its_usage() {
        for command in COMMANDS {
            assert!(overview().contains(command.summary));
            assert!(
                command_help(command).contains(&format!("Usage: cargo xtask {}", command.name))
            );
        }
    }

    #[test]
    fn an_unknown_command_is_a_usage_error_that_names_it_and_the_known_ones() {
        let failure = dispatch(&strings(&["tset"])).unwrap_err();
        assert_eq!(failure.code, 2);
        assert!(failure.message.contains("`tset`") && failure.message.contains("demo"));
    }

    #[test]
    fn help_after_the_separator_belongs_to_the_demo() {
        assert!(wants_help(&strings(&["--help"])));
        assert!(wants_help(&strings(&["-h", "--", "x"])));
        assert!(!wants_help(&strings(&["--", "--help"])));
    }
}
