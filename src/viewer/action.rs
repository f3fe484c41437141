//! Everything that a key or a button can ask for. Knows no window and no state, only names.

use std::path::PathBuf;

use crate::model::methods::Method;

use super::dock::{Arrangement, Pane};
use super::picking::Pick;

/// What a key or a button asks for. Of most the table of keys says what they do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    PickMethod(Method),
    PickOther(Method),
    /// Take the next usable method as method B.
    NextOther,
    TogglePause,
    /// Advance the clock by one frame.
    Step,
    ToggleSplit,
    ToggleBlink,
    NextDifference,
    NextDebug,
    /// Show the reference for as long as the key is held.
    HoldReference,
    ToggleMetrics,
    ToggleProbe,
    /// Keep the probe at its pixel, or let it follow the mouse again.
    LockProbe,
    ProbeAt([u32; 2]),
    FitRange,
    /// Measure all methods, or stop the measurement under way.
    Measure,
    /// Save the measured times as JSON.
    SaveTimes,
    /// Measure the times that `auto` chooses by.
    Calibrate,
    ForgetCalibration,
    /// Compare how different A and B look.
    Flip,
    /// Ask for a file in a dialog.
    Browse(Pick),
    /// Use a file that the user has named.
    Use(Pick, PathBuf),
    GoToScene(String),
    /// Take this splat file, counted from 0, away from the scene.
    RemoveSplats(usize),
    /// Take the axes of all splat files as the next ones that files have.
    TurnSplats,
    /// Forget the files that were opened last.
    ForgetRecent,
    /// Stop the measurement or the long piece of work under way.
    CancelWork,
    /// Go to the next camera: those of the scene first, then the stored ones.
    NextCamera,
    /// Go to this camera of the scene, counted from 0.
    GoToCamera(usize),
    /// Go to this stored camera, counted from 0.
    GoToStored(usize),
    StoreCamera,
    ForgetCameras,
    /// Show or hide the panes beside the picture.
    TogglePanes,
    TogglePane(Pane),
    /// Show this pane, in front of others.
    OpenPane(Pane),
    /// Forget what failed last in this pane.
    Dismiss(Pane),
    Arrange(Arrangement),
    /// Show or hide the names, scales and marks on the picture.
    ToggleLabels,
    /// Show the next layout of picture and difference.
    NextLayout,
    ResetZoom,
    ToggleTheme,
    /// Open or close the list of keys.
    ToggleKeys,
    Screenshot,
    ComparisonSet,
    ScreenshotOfWindow,
    /// Record one frame by each method shown, for RenderDoc.
    Record,
    SavePreset,
    LoadPreset,
    /// Copy the command line that opens this view again.
    CopyCommand,
    /// Put this text on the clipboard.
    Copy(String),
    /// Open this folder, or the one that this file is in, in the system's file manager.
    OpenFolder(PathBuf),
    /// Close what floats on top.
    CloseTop,
    Quit,
}

impl Action {
    /// The pane that asks for it, where its failure is shown.
    pub fn pane(&self) -> Option<Pane> {
        match self {
            Self::Measure | Self::SaveTimes | Self::Calibrate | Self::ForgetCalibration => {
                Some(Pane::Methods)
            }
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
