//! Everything that a key or a button can ask for. Knows no window and no state, only names.

use std::path::PathBuf;

use crate::model::methods::Method;

use super::dock::{Arrangement, Pane};
use super::picking::Pick;

/// What a key or a button asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Show this method as method A.
    PickMethod(Method),
    /// Take this method as method B.
    PickOther(Method),
    /// Take the next usable method as method B.
    NextOther,
    /// Stop the clock, or let it run.
    TogglePause,
    /// Advance the clock by one frame.
    Step,
    /// Turn the split view on or off.
    ToggleSplit,
    /// Show A and B in turn, or stop doing so.
    ToggleBlink,
    /// Show the next difference view.
    NextDifference,
    /// Show the next debug view.
    NextDebug,
    /// Show the reference for as long as the key is held.
    HoldReference,
    /// Start or stop measuring A against B.
    ToggleMetrics,
    /// Start or stop probing the pixel under the mouse.
    ToggleProbe,
    /// Keep the probe at its pixel, or let it follow the mouse again.
    LockProbe,
    /// Probe this pixel.
    ProbeAt([u32; 2]),
    /// Fit the range of differences again.
    FitRange,
    /// Measure all methods, or stop the measurement under way.
    Measure,
    /// Save the measured times as JSON.
    SaveTimes,
    /// Measure the times that `auto` chooses by.
    Calibrate,
    /// Forget the calibration that `auto` chooses by.
    ForgetCalibration,
    /// Compare how different A and B look.
    Flip,
    /// Ask for a file in a dialog.
    Browse(Pick),
    /// Use a file that the user has named.
    Use(Pick, PathBuf),
    /// Go to the scene of this name.
    GoToScene(String),
    /// Take this splat file, counted from 0, away from the scene.
    RemoveSplats(usize),
    /// Takes the axes of all splat files as the next ones that files have.
    TurnSplats,
    /// Forget the files that were opened last.
    ForgetRecent,
    /// Open the benchmark record that the pane "Map" names.
    OpenRecord,
    /// Run a small benchmark and open its record.
    SmallBenchmark,
    /// Stop the measurement or the long piece of work under way.
    CancelWork,
    /// Go to the next camera: those of the scene first, then the stored ones.
    NextCamera,
    /// Go to this camera of the scene, counted from 0.
    GoToCamera(usize),
    /// Go to this stored camera, counted from 0.
    GoToStored(usize),
    StoreCamera,
    /// Forget the stored cameras.
    ForgetCameras,
    /// Show or hide the panes beside the picture.
    TogglePanes,
    /// Show or hide this pane.
    TogglePane(Pane),
    /// Show this pane, in front of others.
    OpenPane(Pane),
    /// Forget what failed last in this pane.
    Dismiss(Pane),
    /// Arrange the panes in one of the built-in ways.
    Arrange(Arrangement),
    /// Show or hide the names, scales and marks on the picture.
    ToggleLabels,
    /// Show the next layout of picture and difference.
    NextLayout,
    /// See all of the picture again.
    ResetZoom,
    /// Switch between dark and bright panes.
    ToggleTheme,
    /// Open or close the list of keys.
    ToggleKeys,
    /// Save the picture.
    Screenshot,
    /// Save the comparison set.
    ComparisonSet,
    /// Save the window with its panes.
    ScreenshotOfWindow,
    /// Record one frame by each method shown, for RenderDoc.
    Record,
    /// Save all settings under the preset's name.
    SavePreset,
    /// Load the preset of that name.
    LoadPreset,
    /// Copy the command line that opens this view again.
    CopyCommand,
    /// Put this text on the clipboard.
    Copy(String),
    /// Open this folder, or the one that this file is in, in the system's file manager.
    OpenFolder(PathBuf),
    /// Close what floats on top.
    CloseTop,
    /// Close the window.
    Quit,
}

impl Action {
    /// The pane that asks for it, where its failure is shown.
    pub fn pane(&self) -> Option<Pane> {
        match self {
            Self::Measure | Self::SaveTimes | Self::Calibrate | Self::ForgetCalibration => {
                Some(Pane::Methods)
            }
            Self::OpenRecord | Self::SmallBenchmark => Some(Pane::Map),
            Self::Browse(pick) | Self::Use(pick, _) => Some(pick.pane()),
            Self::GoToScene(_) => Some(Pane::Scene),
            Self::Flip => Some(Pane::Compare),
            Self::Screenshot
            | Self::ScreenshotOfWindow
            | Self::ComparisonSet
            | Self::Record
            | Self::OpenFolder(_)
            | Self::SavePreset
            | Self::LoadPreset => Some(Pane::Files),
            _ => None,
        }
    }
}
