//! The command line, with one file per subcommand. Parses flags, calls the library and prints results.

mod bench;
mod capture;
mod common;
mod compare;
#[cfg(any(test, target_arch = "wasm32"))]
mod link;
mod list;
mod manual;
mod output;
mod page;
mod probe;
mod run;
mod shader;
mod still;
mod verify;

use std::any::TypeId;
use std::ffi::OsString;

use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::console::{printed, say};
use crate::error::Result;
use crate::model::scene::is_file_alone;
use common::Common;

/// Composites many ordered translucent layers per screen tile (order-independent transparency) with the methods of the
/// article "Interpolation Using Wave Intrinsics" and others, and shows what each costs and where they differ.
#[derive(Debug, Parser)]
#[command(
    name = "wavelerp",
    bin_name = "wavelerp",
    version,
    after_help = "Examples:
  wavelerp list
  wavelerp garden.ply
  wavelerp verify
  wavelerp capture --scene temple --size 1920x1080
  wavelerp probe --pixel 320,180
  wavelerp bench --quick
  wavelerp shader wave-lerp-product --ops

Exit codes:  0  success
  1  a check or the device failed
  2  usage or bad input
  3  no suitable adapter, or this adapter cannot run a method that you named"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the demo in a window (the default)
    Run(run::RunArgs),
    /// Render a scene by every method and write pictures, differences and a report
    Capture(capture::CaptureArgs),
    /// Rebuild the page of an earlier capture or benchmark
    Page(page::PageArgs),
    /// Compare two captures or two benchmarks, e.g. of two machines, drivers or versions
    Compare(compare::CompareArgs),
    /// Check the methods against f64 on this adapter, or composite your own numbers
    Verify(verify::VerifyArgs),
    /// Time every method over outputs, layers and costs
    Bench(bench::BenchArgs),
    /// Show one pixel's layers and every method's result
    Probe(probe::ProbeArgs),
    /// Write a picture of the window without opening it
    Still(still::StillArgs),
    /// Show a method's code or operation counts, or the wave library
    Shader(shader::ShaderArgs),
    /// Show adapters, methods and scenes
    List(list::ListArgs),
    /// Print a shell completion script for wavelerp
    Completions(manual::CompletionsArgs),
    /// Write the manual pages of wavelerp and its commands
    Manual(manual::ManualArgs),
}

/// Inserts the default command: `wavelerp` alone, or with only flags or a file, means `wavelerp run`.
fn with_default_command(args: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut args: Vec<OsString> = args.collect();
    let is_own = |arg: &OsString| {
        let text = arg.to_string_lossy();
        let help = ["--help", "-h", "--version", "-V", "help"].contains(&text.as_ref());
        help || Cli::command().find_subcommand(text.as_ref()).is_some()
    };
    let first = args.get(1).map(|arg| arg.to_string_lossy().into_owned());
    let is_file = |word: &str| word.ends_with(".ron") || is_file_alone(word);
    let is_run = first.is_none_or(|first| first.starts_with('-') || is_file(&first));
    if is_run && !args.iter().skip(1).any(is_own) {
        args.insert(1.min(args.len()), OsString::from("run"));
    }
    args
}

/// Makes a flag report an unreadable number in plain words.
fn in_plain_words(flag: Arg) -> Arg {
    let of = flag.get_value_parser().type_id();
    if of == TypeId::of::<u32>() {
        let wrong = format!("write a whole number from 0 to {}", u32::MAX);
        flag.value_parser(move |text: &str| text.parse::<u32>().map_err(|_| wrong.clone()))
    } else if of == TypeId::of::<f32>() {
        let wrong = "write a number, such as 0.5";
        flag.value_parser(move |text: &str| text.parse::<f32>().map_err(|_| wrong))
    } else {
        flag
    }
}

/// Parses a command line that starts with the name of the program. Returns the flags, and which of them the user gave.
pub fn parse(args: impl Iterator<Item = OsString>) -> clap::error::Result<(Cli, ArgMatches)> {
    let command = Cli::command().mut_subcommands(|command| command.mut_args(in_plain_words));
    let matches = command.try_get_matches_from(with_default_command(args))?;
    Ok((Cli::from_arg_matches(&matches)?, matches))
}

fn run(cli: &Cli, matches: &ArgMatches) -> Result<()> {
    let common = &cli.common;
    // The window checks its folder itself and reports its choice; some commands use no shaders at all.
    let needs_no_word = matches!(
        cli.command,
        Command::Run(_)
            | Command::Still(_)
            | Command::Page(_)
            | Command::Compare(_)
            | Command::Completions(_)
            | Command::Manual(_)
    );
    if !needs_no_word && let Some(taken) = common.taken_shaders()? {
        common.progress(taken.line);
    }
    let given = matches.subcommand().map(|(_, given)| given);
    match &cli.command {
        Command::Run(args) => run::run(args, common, given),
        Command::Capture(args) => capture::run(args, common),
        Command::Bench(args) => bench::run(args, common),
        Command::Page(args) => page::run(args, common),
        Command::Compare(args) => compare::run(args, common),
        Command::Verify(args) => verify::run(args, common),
        Command::Probe(args) => probe::run(args, common),
        Command::Still(args) => still::run(args, common, given),
        Command::Shader(args) => shader::run(args, common),
        Command::List(args) => list::run(args, common),
        Command::Completions(args) => manual::completions(args, Cli::command()),
        Command::Manual(args) => manual::manual(args, common, Cli::command()),
    }
}

/// The window that a link with these flags of `run` opens.
#[cfg(any(test, target_arch = "wasm32"))]
fn start_with(flags: &[String]) -> Result<crate::viewer::start::Start> {
    use crate::error::Error;
    let words = ["wavelerp", "run"].map(str::to_owned).into_iter();
    let words = words.chain(flags.iter().cloned()).map(OsString::from);
    let (cli, matches) = parse(words).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        Error::usage(first.trim_start_matches("error: ").to_owned())
    })?;
    let given = matches.subcommand().map(|(_, given)| given);
    match &cli.command {
        Command::Run(args) => run::start(args, &cli.common, given),
        _ => Err(Error::usage("a link opens only the window")),
    }
}

/// Opens the window in a page, as its address says.
#[cfg(target_arch = "wasm32")]
pub fn main_in_page() {
    use crate::viewer::start::Start;
    std::panic::set_hook(Box::new(|panic| {
        crate::browser::show_failure(&format!("The program has stopped: {panic}"));
    }));
    let start = link::start(&crate::browser::fragment(), start_with);
    let run = |start| {
        crate::viewer::window::run(Start {
            is_light: crate::browser::prefers_light(),
            ..start
        })
    };
    if let Err(error) = start.and_then(run) {
        crate::browser::show_failure(&error.to_string());
    }
}

pub fn main() -> u8 {
    let done = match parse(std::env::args_os()) {
        Ok((cli, matches)) => run(&cli, &matches),
        // The exit code is correct even if standard error is closed.
        Err(wrong) if wrong.use_stderr() => return wrong.print().map_or(2, |()| 2),
        Err(help) => printed(help.print()),
    };
    match done {
        Ok(()) => 0,
        Err(error) => {
            say(format_args!("error: {error}"));
            error.exit_code()
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn no_flag_hides_its_values_or_refuses_one_in_words_of_the_standard_library() {
        let words = |text: &str| {
            ["digit", "literal", "target type", "empty string", "..="]
                .iter()
                .any(|word| text.contains(word))
        };
        for command in Cli::command().get_subcommands() {
            for flag in command.get_arguments() {
                assert!(!flag.is_hide_possible_values_set(), "{flag}");
                for value in ["", "x", "-1", "1.5", "99999999999999999999"] {
                    let Some(name) = flag.get_long().filter(|_| flag.get_action().takes_values())
                    else {
                        continue;
                    };
                    let line = ["wavelerp", command.get_name(), &format!("--{name}={value}")]
                        .map(OsString::from);
                    let said = parse(line.into_iter())
                        .map_or_else(|error| error.to_string(), |_| String::new());
                    assert!(!words(&said), "{said}");
                }
            }
        }
        let control = "x".parse::<u32>().expect_err("no number");
        assert!(words(&control.to_string()), "negative control");
    }

    #[test]
    fn a_wrong_value_of_a_link_is_named_and_the_rest_holds() {
        let link = "scene=panes&size=640x0&a=wave-tree&b=nonsense&particles=77&colour=red&time=abc";
        let start = link::start(link, start_with).expect("the rest");
        assert_eq!(start.request.scene.name, "panes");
        assert_eq!(start.request.methods(), ["wave-tree"]);
        assert_eq!(start.against, None);
        let said = start.notices.join("\n");
        for part in ["640x0", "nonsense", "--colour", "abc"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert_eq!(start.notices.len(), 4, "{said}");
        let good = link::start("scene=two&a=pixel-loop&paused", start_with);
        assert!(good.is_ok_and(|start| start.notices.is_empty() && start.paused));
    }

    #[test]
    fn the_flags_of_every_subcommand_are_consistent() {
        Cli::command().debug_assert();
    }
}
