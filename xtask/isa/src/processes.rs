//! Starts a process for each family and compiler, with the environment that RADV reads, and joins what they
//! wrote.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use clap::ValueEnum;
use wavelerp::error::{Error, Result};

use crate::family::Family;
use crate::{Arguments, Compiler, compile, family, report};

/// What a started process has to do for its one family and compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Open the device and end. This tells whether this Mesa knows the family under this name.
    Check,
    /// Compile everything and write it.
    Compile,
}

impl Role {
    pub fn carry_out(self, arguments: &Arguments) -> Result<()> {
        let ([family], [compiler]) = (arguments.family.as_slice(), arguments.compiler.as_slice())
        else {
            return Err(Error::usage(
                "a started process has one family and one compiler",
            ));
        };
        match self {
            Role::Check => compile::open(*compiler).map(drop),
            Role::Compile => {
                let family = family::by_name(family)?;
                compile::all(family, *compiler, &arguments.only, &arguments.output)
            }
        }
    }
}

/// Compiles for every family with every compiler, a process each, and writes the document if asked for.
pub fn run_all(arguments: &Arguments) -> Result<()> {
    let families = arguments.family.iter().map(|name| family::by_name(name));
    let families: Vec<_> = families.collect::<Result<_>>()?;
    let mut tables = Vec::new();
    for family in families {
        for &compiler in &arguments.compiler {
            let folder = arguments.output.join(folder_of(family, compiler));
            let known_as = name_in_mesa(family, compiler)?;
            let mut process = started(Role::Compile, family, compiler, known_as)?;
            process.args(["--only", &arguments.only, "--output"]);
            process.arg(&folder);
            let status = process.status().map_err(|error| unstarted(&error))?;
            if !status.success() {
                return Err(failed(family, compiler, status));
            }
            println!("{}", folder.display());
            tables.push(read(&folder.join("tables.md"))?);
        }
    }
    match &arguments.markdown {
        Some(document) => write_section(document, &tables.join("\n")),
        None => Ok(()),
    }
}

/// The failure of a started process. Its own message is on the screen already.
fn failed(family: &Family, compiler: Compiler, status: ExitStatus) -> Error {
    let (name, compiler) = (family.name, compiler.title());
    let message = format!("{name} with {compiler} ended with {status}: see above");
    match status.code() {
        Some(2) => Error::usage(message),
        Some(3) => Error::unavailable(message),
        _ => Error::failed(message),
    }
}

fn folder_of(family: &Family, compiler: Compiler) -> String {
    match compiler {
        Compiler::Aco => family.name.to_owned(),
        Compiler::Llvm => format!("{}-llvm", family.name),
    }
}

/// The name of a family that this Mesa knows. Mesa ends a process that gives it an unknown name, so each name is
/// tried in a process of its own.
fn name_in_mesa(family: &'static Family, compiler: Compiler) -> Result<&'static str> {
    for name in family.mesa {
        let output = started(Role::Check, family, compiler, name)?
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .map_err(|error| unstarted(&error))?;
        let message = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            return Ok(name);
        }
        if !message.contains("Unknown family") {
            let message = message.trim().trim_start_matches("error: ");
            return Err(match output.status.code() {
                Some(3) => Error::unavailable(message),
                _ => Error::failed(message),
            });
        }
    }
    Err(Error::unavailable(format!(
        "this Mesa's RADV does not know {} (as {}): it is too old or too new; known here may be {}",
        family.name,
        family.mesa.join(" or "),
        family::names().join(", ")
    )))
}

/// A process of this program for one family and compiler, its environment set for RADV.
fn started(role: Role, family: &Family, compiler: Compiler, known_as: &str) -> Result<Command> {
    let program = std::env::current_exe().map_err(|error| unstarted(&error))?;
    let mut command = Command::new(program);
    let role = match role {
        Role::Check => "check",
        Role::Compile => "compile",
    };
    let compiler = compiler.title().to_lowercase();
    command
        .args(["--role", role, "--family", family.name])
        .args(["--compiler", &compiler])
        .env("RADV_FORCE_FAMILY", known_as)
        .env("MESA_SHADER_CACHE_DISABLE", "true")
        .env("NODEVICE_SELECT", "1")
        .env_remove("RADV_DEBUG")
        .env_remove("RADV_PERFTEST")
        .envs((compiler == "llvm").then_some(("RADV_DEBUG", "llvm")));
    Ok(command)
}

fn write_section(document: &Path, section: &str) -> Result<()> {
    let text = read(document)?;
    let name = document.display();
    let text = report::with_section(&text, section)
        .ok_or_else(|| Error::usage(format!("{name} has no lines {}", report::marks())))?;
    std::fs::write(document, text)
        .map_err(|error| Error::failed(format!("cannot write {name}: {error}")))?;
    println!("{name}");
    Ok(())
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Error::usage(format!("cannot read {}: {error}", path.display())))
}

fn unstarted(error: &std::io::Error) -> Error {
    Error::failed(format!("cannot start a process per family: {error}"))
}
