//! `wavelerp shader`: the code of a method in any language, counts of the method's operations, and the wave library.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use super::common::Common;
use super::output::{check_file, write_file};
use crate::console::print;
use crate::error::{Error, Result};
use crate::gpu::checks_shaders;
use crate::gpu::shader::ShaderSource;
use crate::methods::{Part, Specialization};
use crate::model::Capabilities;
use crate::model::methods::{Method, Needs};
use crate::model::options::Options;
use crate::model::settings::{FrameLoad, OptionArgs, SIZE, parse_size};
use crate::runs::codegen;
use crate::runs::codegen::emit::Language;
use crate::runs::codegen::{emit, library};

/// Wave size assumed if there is no adapter: the size that most GPUs have.
const USUAL_WAVE: u32 = 32;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Several methods are counted side by side: occurrences in the code, with the deepest loop nesting in brackets.

Examples:
  wavelerp shader wave-lerp-ballot
  wavelerp shader wave-lerp-find-msb --emit spirv-asm
  wavelerp shader wave-lerp-product --ops
  wavelerp shader read-lane-loop wave-lerp-product wave-lerp-deferred --ops --wave-size 64
  wavelerp shader wave-lerp-ballot --emit spirv --output ballot.spv
  wavelerp shader --library --emit hlsl --output wave.hlsl"
)]
pub struct ShaderArgs {
    /// Methods, as `wavelerp list` names them; several methods, or a group such as `all`, only with --ops and without --emit
    #[arg(value_name = "METHOD", required_unless_present = "library")]
    methods: Vec<String>,
    /// Language of the code [default: wgsl, or none with --ops]
    #[arg(long, value_enum, help_heading = "Results")]
    emit: Option<Language>,
    /// Count the operations of the dispatched SPIR-V module, with calls expanded and constant branches resolved
    #[arg(long, help_heading = "Results")]
    ops: bool,
    /// Entry point, if the method has several [default: the first for code, all with --ops]
    #[arg(long, value_name = "NAME", help_heading = "Results")]
    entry: Option<String>,
    /// Show the wave library (shaders/wave/) as one text: wgsl, hlsl or msl
    #[arg(long, conflicts_with_all = ["methods", "ops", "entry"], help_heading = "Results")]
    library: bool,
    /// Include the library's half-float functions (the adapter must have SHADER_F16)
    #[arg(long, conflicts_with = "methods", help_heading = "Results")]
    half: bool,
    /// Output file for the code, or for the counts with --ops alone [default: standard output]
    #[arg(long, value_name = "FILE", help_heading = "Results")]
    output: Option<PathBuf>,
    #[command(flatten)]
    code: CodeOptions,
    #[command(flatten)]
    assumed: Assumed,
}

/// Options that specialise methods.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options of the code")]
struct CodeOptions {
    #[command(flatten)]
    options: OptionArgs,
    /// Frame size used to choose options left at `auto` [default: 1280x720]
    #[arg(long, value_parser = parse_size, value_name = "WIDTHxHEIGHT")]
    size: Option<[u32; 2]>,
}

impl CodeOptions {
    fn settled(&self) -> Result<Options> {
        self.options.settle(FrameLoad {
            size: self.size.unwrap_or(SIZE),
            particles: 0,
        })
    }
}

/// Assumptions about the target adapter. No device is opened.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Assumptions")]
struct Assumed {
    /// Wave size to assume, a power of two from 4 to 128; skips the adapter [default: the adapter's largest; 32 without one]
    #[arg(long, value_name = "LANES")]
    wave_size: Option<u32>,
    /// Patch in SPIR-V opcodes that WGSL lacks (find-MSB, broadcast) [default: as on the adapter; native without one]
    #[arg(long, value_enum)]
    opcodes: Option<Opcodes>,
    /// naga's checks of indices, loops and divisors [default: on in debug builds, off in release builds]
    #[arg(long, value_enum)]
    runtime_checks: Option<Switch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Opcodes {
    /// Patch in opcodes that WGSL lacks, as on Vulkan
    Native,
    /// Use only what WGSL can express
    Plain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    /// Include the checks
    On,
    /// Leave the checks out
    Off,
}

/// Inputs of the generated code, apart from the method.
struct Setting {
    source: ShaderSource,
    caps: Capabilities,
    runtime_checks: bool,
}

pub(super) fn run(args: &ShaderArgs, common: &Common) -> Result<()> {
    let target = args.output.as_deref();
    let target = target.filter(|path| *path != Path::new("-"));
    if let Some(path) = target {
        check_file("--output", path)?;
    }
    let source = common.shader_source();
    if args.library {
        let language = args.emit.unwrap_or(Language::Wgsl);
        let text = library::text(&source, language, args.half)?;
        return deliver(target, text.as_bytes());
    }
    let methods = args.methods()?;
    args.code.options.check()?;
    let emitted = args.emitted(&methods, target)?;
    let setting = Setting {
        source,
        caps: args.assumed.capabilities(common)?,
        runtime_checks: match args.assumed.runtime_checks {
            Some(switch) => switch == Switch::On,
            None => checks_shaders(),
        },
    };
    args.code.settled()?.frame.precision.check(&methods)?;
    let all = methods.iter();
    let all = all.map(|&method| args.specialization(method, &setting.caps));
    let all: Vec<Specialization> = all.collect::<Result<_>>()?;
    if let Some(language) = emitted {
        let code = setting.code(&all[0], args.entry.as_deref(), language)?;
        deliver(target, &code)?;
    }
    if args.ops {
        let counts = setting.counts(&all, args.entry.as_deref())?;
        // If the code goes to a file, the counts are printed.
        return deliver(target.filter(|_| emitted.is_none()), counts.as_bytes());
    }
    Ok(())
}

/// Writes to a file atomically, or to standard output.
fn deliver(target: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match target {
        Some(path) => write_file("--output", path, bytes),
        None => print(bytes),
    }
}

impl ShaderArgs {
    fn methods(&self) -> Result<Vec<Method>> {
        let mut methods = Vec::new();
        for name in &self.methods {
            let meant = Method::meant_by(name)?.into_iter();
            methods.extend(meant.filter(|of| !Method::is_group(name) || *of != Method::Auto));
        }
        if methods.contains(&Method::Auto) {
            return Err(Error::usage(
                "auto has no code: it picks a method by a frame's lists; name that \
                method (shown in the window and in capture's report)",
            ));
        }
        Ok(methods)
    }

    /// Language to show the code in, if any. Flags that contradict each other are rejected.
    fn emitted(&self, methods: &[Method], target: Option<&Path>) -> Result<Option<Language>> {
        let language = match self.emit {
            None if self.ops => return Ok(None),
            chosen => chosen.unwrap_or(Language::Wgsl),
        };
        if methods.len() > 1 {
            return Err(Error::usage(
                "--emit shows one method at a time: name one, or count several with --ops alone",
            ));
        }
        let is_binary = language.comment().is_none();
        if is_binary && target.is_none() && std::io::stdout().is_terminal() {
            return Err(Error::usage(
                "--emit spirv is binary and cannot go to a terminal: add --output FILE, pipe it, or \
                use --emit spirv-asm",
            ));
        }
        if is_binary && target.is_none() && self.ops {
            return Err(Error::usage(
                "--emit spirv --ops: a binary and a table cannot share one output: add --output FILE for the binary",
            ));
        }
        Ok(Some(language))
    }

    /// The specialised method, or the reason why the adapter does not support the method.
    fn specialization(&self, method: Method, caps: &Capabilities) -> Result<Specialization> {
        let missing = match method.entry().needs {
            Needs::Waves | Needs::NativeSpirv if !caps.waves => "--wave-size 32 assumes some",
            Needs::NativeSpirv if !caps.native_spirv => "--opcodes native assumes it",
            _ => return Ok(self.code.settled()?.specialize(method)),
        };
        let reason = method.missing_on(caps).unwrap_or_default();
        Err(Error::unavailable(format!("{method}: {reason}; {missing}")))
    }
}

impl Assumed {
    /// Capabilities of the adapter, or assumed capabilities if the flags suffice.
    fn capabilities(&self, common: &Common) -> Result<Capabilities> {
        let vulkan = "vulkan".to_owned();
        let backend = common.backend.as_ref().unwrap_or(&vulkan);
        let mut caps = match self.wave_size {
            Some(wave) if !(4..=128).contains(&wave) || !wave.is_power_of_two() => {
                return Err(Error::usage(format!(
                    "--wave-size {wave}: must be a power of two from 4 to 128"
                )));
            }
            Some(wave) => codegen::assumed(wave, backend),
            None => match common.capabilities()? {
                Some(caps) => caps,
                None => {
                    common.progress(format!(
                        "no adapter was found: assuming a wave of {USUAL_WAVE} lanes on Vulkan; \
                        change it with --wave-size"
                    ));
                    codegen::assumed(USUAL_WAVE, backend)
                }
            },
        };
        if let Some(opcodes) = self.opcodes {
            caps.native_spirv = opcodes == Opcodes::Native;
            // Nothing else about the driver affects the code.
            caps.driver.clear();
        }
        Ok(caps)
    }
}

impl Setting {
    /// Parts of a method, or only the part named `entry`.
    fn parts(&self, of: &Specialization, entry: Option<&str>) -> Result<Vec<Part>> {
        let all = of.parts(&self.caps);
        let Some(entry) = entry else { return Ok(all) };
        let names: Vec<&str> = all.iter().map(|part| part.entry).collect();
        let message = format!("--entry {entry}: {} has {}", of.method, names.join(", "));
        let found = all.into_iter().find(|part| part.entry == entry);
        Ok(vec![found.ok_or_else(|| Error::usage(message))?])
    }

    fn code(&self, of: &Specialization, entry: Option<&str>, to: Language) -> Result<Vec<u8>> {
        let part = &self.parts(of, entry)?[0];
        let wgsl = part.wgsl(&self.source)?;
        let shader = part.check(&wgsl)?;
        let words = || part.words(&shader, self.runtime_checks);
        let text = match to {
            Language::Spirv => return Ok(emit::bytes(&words()?)),
            Language::SpirvAsm => emit::assembly(&words()?)?,
            Language::Wgsl => wgsl,
            Language::Hlsl => emit::hlsl(&shader, self.runtime_checks)?,
            Language::Msl => emit::msl(&shader, self.runtime_checks)?,
        };
        let comment = to.comment().unwrap_or("//");
        let heading = self.heading(of, part, to);
        let heading = heading.iter().map(|line| format!("{comment} {line}\n"));
        Ok((heading.collect::<String>() + &text).into_bytes())
    }

    fn heading(&self, of: &Specialization, part: &Part, to: Language) -> Vec<String> {
        let version = env!("CARGO_PKG_VERSION");
        let mut lines = vec![
            format!(
                "{} by wavelerp {version}: {}",
                of.label(),
                part.variant.key()
            ),
            format!("entry point {} ({})", part.entry, part.runs),
            self.conditions(),
        ];
        if to != Language::SpirvAsm && crate::gpu::shader::spirv::is_native(&part.variant) {
            lines.push(
                "the SPIR-V replaces each native_* function by one opcode; here they have their plain bodies"
                    .to_owned(),
            );
        }
        lines
    }

    fn conditions(&self) -> String {
        let caps = &self.caps;
        let opcodes = if caps.native_spirv { "" } else { "no " };
        let checks = if self.runtime_checks {
            "with"
        } else {
            "without"
        };
        format!(
            "for {} ({}): wave of {}, {opcodes}native opcodes; {checks} run-time checks",
            caps.name,
            caps.backend,
            caps.wave_text()
        )
    }

    /// Counts as text: a single method by loops, or several methods side by side.
    fn counts(&self, all: &[Specialization], entry: Option<&str>) -> Result<String> {
        let mut text = format!(
            "SPIR-V as dispatched, every call expanded, constant branches taken; {}\n",
            self.conditions()
        );
        if self.caps.backend != "vulkan" {
            text += "(on this back end the driver gets a translation of this module)\n";
        }
        let mut columns = Vec::new();
        for of in all {
            let parts = self.parts(of, entry)?;
            let is_alone = parts.len() == 1;
            for part in parts {
                let counts = part.counts(&self.source, self.runtime_checks)?;
                let title = match is_alone {
                    true => of.label(),
                    false => format!("{}:{}", of.label(), part.entry),
                };
                columns.push((title, part, counts));
            }
        }
        if all.len() > 1 {
            text += "occurrences in the code, with the deepest loop nesting in brackets\n\n";
            let columns = columns.iter();
            let columns = columns.map(|(title, _, counts)| (title.clone(), counts));
            return Ok(text + &codegen::beside(&columns.collect::<Vec<_>>()));
        }
        for (_, part, counts) in &columns {
            let (label, entry, runs) = (all[0].label(), part.entry, part.runs);
            text += &format!("\n{label}, entry point {entry} ({runs})\n");
            text += &codegen::by_loops(counts);
        }
        if all[0].method.is_drawn() {
            text += "\nFixed hardware does the blending: there is no instruction to count.\n";
        }
        Ok(text)
    }
}
