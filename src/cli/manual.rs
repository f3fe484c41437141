//! `wavelerp completions` and `wavelerp manual`: shell completions and man pages.

use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

use super::common::Common;
use super::output::{check_file, write_file};
use crate::console::print;
use crate::error::{Error, Result};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp completions bash > ~/.local/share/bash-completion/completions/wavelerp
  wavelerp completions zsh > ~/.zfunc/_wavelerp
  wavelerp completions fish > ~/.config/fish/completions/wavelerp.fish")]
pub struct CompletionsArgs {
    /// Shell to write the script for
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp manual ~/.local/share/man/man1
  man wavelerp-capture")]
pub struct ManualArgs {
    /// Folder for the pages, created if missing; existing pages are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn completions(args: &CompletionsArgs, mut program: Command) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "wavelerp", &mut script);
    print(&script)
}

pub(super) fn manual(args: &ManualArgs, common: &Common, program: Command) -> Result<()> {
    let folder = &args.folder;
    std::fs::create_dir_all(folder).map_err(|error| {
        Error::usage(format!(
            "cannot make the folder {}: {error}; name another one",
            folder.display()
        ))
    })?;
    let pages = pages(program).map_err(|error| Error::failed(format!("a manual page: {error}")))?;
    for (name, _) in &pages {
        check_file("DIR", &folder.join(name))?;
    }
    for (name, text) in &pages {
        write_file("DIR", &folder.join(name), text)?;
        common.progress(folder.join(name).display());
    }
    Ok(())
}

/// Man pages of the program and of each command: file name and text.
fn pages(program: Command) -> std::io::Result<Vec<(String, Vec<u8>)>> {
    let mut program = program.disable_help_subcommand(true);
    // Expands the full name and the global flags of each command.
    program.build();
    let commands = program.get_subcommands().cloned();
    let mut pages = Vec::new();
    for command in std::iter::once(program.clone()).chain(commands) {
        let page = Man::new(command).source(concat!("wavelerp ", env!("CARGO_PKG_VERSION")));
        let mut text = Vec::new();
        page.render(&mut text)?;
        pages.push((page.get_filename(), text));
    }
    Ok(pages)
}
