//! `wavelerp run`, the default command: the demo in a window.

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args};

use super::common::Common;
use crate::error::{Error, Result};
use crate::input::{Disk, exists};
use crate::model::methods::Method;
use crate::model::scene;
use crate::model::settings::{Request, SceneArgs};
use crate::viewer::preset::Preset;
use crate::viewer::start::{Shaders, Start, WindowFlags};
use crate::viewer::window_state::WindowState;
use crate::viewer::{preset, window};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp run --scene temple --paused
  wavelerp run --scene stress --size 1920x1080 --methods wave-lerp-deferred
  wavelerp run --methods wave-lerp-ballot --against pixel-loop --view ulp
  wavelerp run --preset my-preset

A new window compares wave-lerp-deferred (A) with read-lane-loop (B), with a padded tail unless --tail says otherwise.
Without scene or method flags and without --preset, the window reopens as you left it.
Window size and recent files are always kept, except with --fresh.
Shaders come from --shaders DIR, otherwise from the folder shaders/ next to the program or in its checkout, and
reload when a file changes. Without a folder, the embedded shaders are used.
Press F1 in the window for all keys.")]
pub struct RunArgs {
    #[command(flatten)]
    scene: SceneArgs,
    /// Start with the clock stopped
    #[arg(long, help_heading = "Window")]
    paused: bool,
    #[command(flatten)]
    flags: WindowFlags,
    /// Settings saved in the window: a name, or the path of a .ron file
    #[arg(long, value_name = "NAME|FILE", help_heading = "Window")]
    preset: Option<String>,
    /// Ignore the saved settings, window size and recent files, and save no new ones
    #[arg(long, help_heading = "Window")]
    fresh: bool,
    /// Write a line per frame, for scripts: when it was shown, how the scene was drawn (- for panes only), and the
    /// milliseconds of panes, scene and painting
    #[arg(long, value_name = "FILE", help_heading = "Window")]
    log_frames: Option<PathBuf>,
}

impl WindowFlags {
    /// Checks the flags. Returns method B if the user named one.
    pub(super) fn check(&self) -> Result<Option<Method>> {
        if let Some(split) = self.split.filter(|split| !(0.0..=1.0).contains(split)) {
            return Err(Error::usage(format!("--split {split}: must be 0 to 1")));
        }
        let against = self.against.as_deref().map(Method::by_name).transpose();
        against.map_err(|error| error.context("--against"))
    }

    /// Initial state of a window opened with these flags.
    pub(super) fn start(&self, request: Request, common: &Common) -> Result<Start> {
        let against = self.check()?;
        let watched = common.watched_shaders()?;
        Ok(Start {
            request,
            reads_later: false,
            preset: None,
            notices: Vec::new(),
            adapter: common.request(),
            shaders: Shaders {
                folder: watched,
                echo: !common.quiet,
            },
            paused: false,
            is_light: false,
            flags: self.clone(),
            against,
            kept: WindowState::default(),
            remember: false,
            is_first: false,
            frame_log: None,
        })
    }
}

/// True if flags for the scene or the methods were given. These flags then override the settings of the last run.
fn names_a_scene(matches: &ArgMatches) -> bool {
    let flags = SceneArgs::augment_args(clap::Command::new(""));
    let mut ids = flags.get_arguments().map(|flag| flag.get_id().as_str());
    ids.any(|id| matches.value_source(id) == Some(ValueSource::CommandLine))
}

/// Flags of a window; the flags in `given` override the window's initial settings.
pub(super) fn of_window(scene: &SceneArgs, given: Option<&ArgMatches>) -> SceneArgs {
    let mut scene = scene.clone();
    let source = given.and_then(|given| given.value_source("tail"));
    if source != Some(ValueSource::CommandLine) {
        scene.options.pad_tails();
    }
    scene
}

pub(super) fn run(args: &RunArgs, common: &Common, given: Option<&ArgMatches>) -> Result<()> {
    let start = start(args, common, given)?;
    for notice in &start.notices {
        common.progress(notice);
    }
    window::run(start)
}

pub(super) fn start(args: &RunArgs, common: &Common, given: Option<&ArgMatches>) -> Result<Start> {
    let request = of_window(&args.scene, given).check_outline(&Disk)?;
    let names_a_scene = given.is_some_and(names_a_scene);
    args.flags.check()?;
    let mut notices = Vec::new();
    let mut kept = match args.fresh {
        true => WindowState::default(),
        false => {
            let what = "the window's size and the recent files";
            from_last_run(WindowState::file(), what, WindowState::load, &mut notices)
                .unwrap_or_default()
        }
    };
    let preset = match &args.preset {
        Some(_) if names_a_scene => {
            return Err(Error::usage(
                "--preset sets scene and methods: drop the flags for them, or drop --preset",
            ));
        }
        Some(name) => {
            let loaded = preset::file_of(name).and_then(|path| Ok((Preset::load(&path)?, path)));
            let (preset, path) = loaded.map_err(|error| error.context("--preset"))?;
            kept.recent.note(&path.to_string_lossy());
            Some(preset)
        }
        None if names_a_scene || args.fresh => None,
        None => {
            let what = "the settings of the last run";
            from_last_run(preset::last_file(), what, Preset::load, &mut notices)
        }
    };
    let scene = args.scene.scene_or_file();
    if names_a_scene && !scene::names().contains(&scene) {
        kept.recent.note(scene);
    }
    Ok(Start {
        reads_later: true,
        preset,
        notices,
        paused: args.paused,
        kept,
        frame_log: args.log_frames.clone(),
        remember: !args.fresh,
        is_first: !args.fresh && preset::last_file().is_some_and(|path| !exists(&path)),
        ..args.flags.start(request, common)?
    })
}

/// Loads a file written by the last run. Renames an unusable file, so that it is not lost, and adds a notice.
fn from_last_run<T>(
    path: Option<PathBuf>,
    what: &str,
    load: fn(&Path) -> Result<T>,
    notices: &mut Vec<String>,
) -> Option<T> {
    let path = path.filter(|path| exists(path))?;
    match load(&path) {
        Ok(kept) => Some(kept),
        Err(error) => {
            let broken = path.with_extension("broken.ron");
            let kept = match std::fs::rename(&path, &broken) {
                Ok(()) => format!("; it is kept as {}", broken.display()),
                Err(_) => String::new(),
            };
            notices.push(format!(
                "warning: {what} cannot be used, defaults apply: {error}{kept}"
            ));
            None
        }
    }
}
