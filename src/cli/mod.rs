//! The command line: one file per subcommand. Parses, hands over, prints; knows no wgpu.

mod bench;
mod capture;
mod compare;
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
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::console::{printed, say};
use crate::error::{Result, printable};
use crate::gpu::shader::{ShaderSource, folder};
use crate::gpu::{AdapterRequest, Gpu, Pipelines, capabilities};
use crate::input::Disk;
use crate::model::files::ForBuffers;
use crate::model::methods::Method;
use crate::model::options::Options;
use crate::model::scene::is_file_alone;
use crate::model::settings::{Request, SceneArgs};
use crate::model::{Capabilities, ClockChoice};
use crate::progress::{Progress, left_in_words, seconds_left};
use crate::runs::verify::self_test::{MethodStatus, self_test};

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

/// Flags that every subcommand takes.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Adapter and messages")]
pub struct Common {
    /// Adapter to use: part of its name, or its index in `wavelerp list` [default: the fastest kind]
    #[arg(
        long,
        global = true,
        value_name = "NAME|INDEX",
        env = "WAVELERP_ADAPTER"
    )]
    adapter: Option<String>,
    /// Back end to use [default: any]
    #[arg(long, global = true, value_parser = ["vulkan", "metal", "dx12"])]
    backend: Option<String>,
    /// Source of times; `auto` tests GPU timestamps first and falls back to the wall clock
    #[arg(long, global = true, value_enum, default_value_t)]
    clock: ClockChoice,
    /// Folder of shaders that replace the embedded ones of the same name [default: in the window, shaders/ next to
    /// the program or in its checkout; otherwise none]
    #[arg(long, global = true, value_name = "DIR", env = "WAVELERP_SHADERS")]
    shaders: Option<PathBuf>,
    /// Print only results and errors
    #[arg(long, global = true)]
    quiet: bool,
}

impl Common {
    fn open(&self) -> Result<Gpu> {
        Gpu::open(&self.request())
    }

    /// Tests the methods that a command uses with these options: [`self_test`].
    fn self_test(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        methods: &[Method],
        options: &Options,
    ) -> Result<Vec<MethodStatus>> {
        self.progress("testing the methods");
        self_test(gpu, pipelines, methods, options, &mut |_| Ok(()))
    }

    /// The adapter's capabilities; none if there is no adapter and none was asked for.
    fn capabilities(&self) -> Result<Option<Capabilities>> {
        match capabilities(&self.request()) {
            Ok(caps) => Ok(Some(caps)),
            Err(error) if self.adapter.is_some() || self.backend.is_some() => Err(error),
            Err(_) => Ok(None),
        }
    }

    fn request(&self) -> AdapterRequest {
        AdapterRequest {
            adapter: self.adapter.clone(),
            backend: self.backend.clone(),
            clock: self.clock,
        }
    }

    /// The shaders in the folder that the user named, if any.
    fn taken_shaders(&self) -> Result<Option<folder::Taken>> {
        self.shaders.as_deref().map(folder::named).transpose()
    }

    /// Where shaders come from. [`run`] has checked the folder that the user named, before any command begins.
    fn shader_source(&self) -> ShaderSource {
        ShaderSource {
            folder: self.shaders.clone(),
            ..ShaderSource::default()
        }
    }

    /// The folder of shaders that the window shows and watches: the one that was named, else the program's own.
    fn watched_shaders(&self) -> Result<Option<PathBuf>> {
        let taken = self.taken_shaders()?;
        Ok(taken.map(|taken| taken.folder).or_else(folder::own_here))
    }

    fn pipelines(&self) -> Pipelines {
        Pipelines::new(self.shader_source())
    }

    /// Reads the scene of these flags, and lists the contents of its files that are not shown. One with splats is first
    /// compared with what the adapter can hold, if there is one.
    fn read(&self, args: &SceneArgs) -> Result<Request> {
        let outline = args.check_outline(&Disk)?;
        let caps = match outline.scene.splats.is_empty() {
            true => None,
            false => self.capabilities()?,
        };
        let request = args.check(&ForBuffers {
            files: &Disk,
            largest: caps.map(|caps| caps.max_binding_bytes),
        })?;
        for remark in request.scene.remarks() {
            self.progress(remark);
        }
        Ok(request)
    }

    fn progress(&self, message: impl std::fmt::Display) {
        if !self.quiet {
            say(printable(&message.to_string()));
        }
    }

    /// Tells the user how far a long piece of work is.
    fn listener(&self) -> impl FnMut(Progress) -> Result<()> {
        let began = Instant::now();
        move |at: Progress| {
            self.progress(line(&at, began.elapsed()));
            Ok(())
        }
    }
}

/// "12 % 1920x1080, 128 layers, cheap particles, 34 s left".
fn line(at: &Progress, spent: Duration) -> String {
    let left = left_in_words(at.left.or_else(|| seconds_left(spent, at.done)));
    format!("{:3.0} % {}{left}", at.done * 100.0, at.next)
}

/// `wavelerp` alone, with flags alone or with a file to open is `wavelerp run`.
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

/// A flag that says in plain words what a number is that it cannot read.
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

/// Parses a command line that starts with the program's name: the flags, and which of them were given.
pub fn parse(args: impl Iterator<Item = OsString>) -> clap::error::Result<(Cli, ArgMatches)> {
    let command = Cli::command().mut_subcommands(|command| command.mut_args(in_plain_words));
    let matches = command.try_get_matches_from(with_default_command(args))?;
    Ok((Cli::from_arg_matches(&matches)?, matches))
}

fn run(cli: &Cli, matches: &ArgMatches) -> Result<()> {
    let common = &cli.common;
    // The window checks its folder itself and says which one it takes, and some commands use no shaders.
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
        Command::Completions(args) => manual::completions(args),
        Command::Manual(args) => manual::manual(args, common),
    }
}

pub fn main() -> u8 {
    let done = match parse(std::env::args_os()) {
        Ok((cli, matches)) => run(&cli, &matches),
        // Also where nobody reads why.
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
    fn the_flags_of_every_subcommand_are_consistent() {
        Cli::command().debug_assert();
    }
}
