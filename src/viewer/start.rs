//! Start of a window: what the command line requests, and the resulting state on an adapter.

use std::path::PathBuf;

use crate::error::Result;
use crate::gpu::{AdapterRequest, Gpu};
use crate::model::methods::Method;
use crate::model::settings::{Purpose, Request};
use crate::report::range::RangeChoice;
use crate::runs::verify::self_test::{MethodStatus, choose};

use super::dock::{Arrangement, Dock};
use super::messages::Severity;
use super::preset::Preset;
use super::state::State;
use super::view::{Layout, View};
use super::window_state::WindowState;

/// Initial view of the window.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Window")]
pub struct WindowFlags {
    /// Method B: shown right of a split, and subtracted in differences [default: read-lane-loop]
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
    /// What to show: the picture, a difference between the last of --methods and --against, or a debug view
    /// of the lists [default: picture]
    #[arg(long, value_enum, hide_default_value = true)]
    pub view: Option<View>,
    /// Colour range of the log10 difference: `auto` fits it to the differences and keeps it while the scene
    /// runs; a range such as 1e-7..1e-3 is fixed [default: auto]
    #[arg(long, value_name = "auto|LOW..HIGH", allow_hyphen_values = true)]
    pub difference_range: Option<RangeChoice>,
    /// Split the picture between methods A and B at this fraction of its width, 0 to 1
    #[arg(long, value_name = "PART", allow_negative_numbers = true)]
    pub split: Option<f32>,
    /// Pictures to show side by side [default: with-difference, or single with --view or --split]
    #[arg(long, value_enum, hide_default_value = true)]
    pub layout: Option<Layout>,
    /// Initial pane arrangement: keys F6, F7 and F8 in the window [default: compare]
    #[arg(long, value_enum, value_name = "NAME", hide_default_value = true)]
    pub arrangement: Option<Arrangement>,
    /// Start with only the picture: no panes (key P), no labels (key H)
    #[arg(long)]
    pub bare: bool,
}

#[derive(Clone)]
pub struct Start {
    pub request: Request,
    /// True if the scene's files are read after the window opens. The scene in `request` is then an outline.
    pub reads_later: bool,
    /// Settings that override those of `request`: a preset, or the settings at the end of the last run.
    pub preset: Option<Preset>,
    pub notices: Vec<String>,
    pub adapter: AdapterRequest,
    pub shaders: Shaders,
    pub paused: bool,
    /// True for the light theme, unless the settings name a theme.
    pub is_light: bool,
    pub flags: WindowFlags,
    /// Method B according to `flags`.
    pub against: Option<Method>,
    pub kept: WindowState,
    pub remember: bool,
    /// True if no window was closed on this machine before. The window then shows a card of things to try.
    pub is_first: bool,
    /// File that receives a line per frame.
    pub frame_log: Option<PathBuf>,
}

#[derive(Clone, Debug)]
pub struct Shaders {
    /// Folder to read and watch; `None` for the embedded shaders.
    pub folder: Option<PathBuf>,
    pub echo: bool,
}

/// Initial state of a window, within the limits of the adapter. The first view is drawn before its methods are tested.
pub(super) fn first_state(start: &Start, gpu: &Gpu) -> Result<State> {
    let (settings, notice) = start.request.settle(&gpu.caps, Purpose::Window)?;
    // All methods are listed, because each can be chosen in the window.
    let untested = |method| MethodStatus::untested(method, &gpu.caps);
    let statuses: Vec<MethodStatus> = Method::all().map(untested).collect();
    let methods = choose(start.request.methods(), &statuses)?;
    let scene = start.request.scene.clone();
    let mut state = State::new(scene, settings, statuses, gpu.caps.clone())?;
    state.files.recent = start.kept.recent.clone();
    state.saved = start.kept.saved.clone();
    let (asked, a) = (start.request.methods(), state.comparison.chosen.a);
    let of_group = asked.iter().all(|of| Method::is_group(of));
    let usual = methods.iter().find(|of| of_group && **of == a);
    // The last method that is a kernel, if there is one.
    let computed = methods.iter().rfind(|method| !method.is_drawn());
    let shown = usual.or(computed).or(methods.last());
    state.comparison.chosen.a = shown.copied().unwrap_or(Method::PixelLoop);
    // Numbers from the last run take precedence.
    let notice = notice.filter(|_| start.preset.is_none());
    for line in notice.into_iter().chain(start.notices.iter().cloned()) {
        state.messages.say(Severity::Note, line);
    }
    state.panes.is_light = start.is_light;
    let mut request = Some(start.request.clone());
    if let Some(preset) = start.preset.clone() {
        let applied = match start.reads_later {
            true => state.apply_in_outline(preset),
            false => state.apply(preset),
        };
        match applied {
            Ok(()) => request = None,
            Err(error) => {
                let line = format!("the settings of the last run were not used: {error}");
                state.messages.announce(Severity::Warning, line);
            }
        }
    }
    if start.reads_later {
        state.read_the_rest(request);
    }
    if gpu.caps.is_cpu && start.preset.is_none() && state.subject.clock.running {
        // A moving scene would leave the panes too little processor time.
        state.subject.clock.running = false;
        let line = "the scene starts paused on a CPU adapter: press Space to run its clock";
        state.messages.say(Severity::Note, line);
    }
    state.subject.clock.running &= !start.paused;
    let (chosen, flags) = (&mut state.comparison.chosen, &start.flags);
    if let Some(other) = start.against {
        choose(&[other.name().to_owned()], &state.machine.statuses)?;
        chosen.b = other;
    }
    chosen.view = flags.view.unwrap_or(chosen.view);
    if let Some(range) = flags.difference_range {
        chosen.difference_range = range;
    }
    if let Some(split) = flags.split {
        (chosen.split_on, chosen.split) = (true, split);
    } else if flags.view.is_some() || flags.layout.is_some() {
        chosen.split_on = false;
    }
    // A view requested by name is shown alone, unless a layout is requested too.
    let names_a_view = flags.view.is_some() || flags.split.is_some();
    let single = names_a_view.then_some(Layout::Single);
    let of = |arrangement: Arrangement| arrangement.layout(chosen.layout);
    let asked = flags.layout.or(single).or(flags.arrangement.map(of));
    chosen.layout = asked.unwrap_or(chosen.layout);
    if let Some(arrangement) = flags.arrangement {
        state.panes.dock = Dock::from(arrangement);
    }
    state.panes.card_open = start.is_first && !flags.bare;
    if flags.bare {
        (state.panes.open, chosen.labels) = (false, false);
    }
    state.replace_missing();
    Ok(state)
}
