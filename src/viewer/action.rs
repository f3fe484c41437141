//! Actions that keys and buttons can request. Depends on neither window nor state.

use std::path::PathBuf;

use crate::model::methods::Method;

use super::dock::{Arrangement, Pane};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    PickMethod(Method),
    PickOther(Method),
    NextOther,
    TogglePause,
    Step,
    ToggleSplit,
    ToggleBlink,
    NextDifference,
    NextDebug,
    HoldReference,
    ToggleMetrics,
    ToggleProbe,
    LockProbe,
    ProbeAt([u32; 2]),
    FitRange,
    /// Measure all methods, or stop the current measurement.
    Measure,
    MeasureOnly(Vec<Method>),
    SaveTimes,
    Flip,
    Browse(Pick),
    Use(Pick, PathBuf),
    GoToScene(String),
    /// Remove the splat file with this index (from 0) from the scene.
    RemoveSplats(usize),
    TurnSplats,
    ForgetRecent,
    /// Stop the current measurement or long task.
    CancelWork,
    NextCamera,
    /// Go to the scene's camera with this index, from 0.
    GoToCamera(usize),
    /// Go to the stored camera with this index, from 0.
    GoToStored(usize),
    StoreCamera,
    ForgetCameras,
    TogglePanes,
    TogglePane(Pane),
    OpenPane(Pane),
    Dismiss(Pane),
    Arrange(Arrangement),
    ToggleLabels,
    NextLayout,
    ResetZoom,
    ToggleTheme,
    ToggleKeys,
    Screenshot,
    ComparisonSet,
    ScreenshotOfWindow,
    /// Record one frame of each shown method with RenderDoc.
    Record,
    SavePreset,
    LoadPreset,
    CopyCommand,
    /// Copy the address of the page with this view.
    CopyLink,
    Copy(String),
    /// Open this folder, or the folder of this file, in the system's file manager.
    OpenFolder(PathBuf),
    CloseTop,
    Quit,
}

impl Action {
    /// The pane that displays a failure of the action.
    pub fn pane(&self) -> Option<Pane> {
        match self {
            Self::Measure | Self::MeasureOnly(_) | Self::SaveTimes => Some(Pane::Methods),
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A file of any kind to open: a scene, splats, a model or a preset.
    Open,
    OpenPreset,
    Add,
    SavePicture,
    /// The folder in which a comparison set creates its own folder.
    SaveSet,
    SavePreset,
}

impl Pick {
    pub fn pane(self) -> Pane {
        match self {
            Self::Open | Self::Add => Pane::Scene,
            Self::OpenPreset | Self::SavePicture | Self::SaveSet | Self::SavePreset => Pane::Files,
        }
    }

    /// Suggestion for the user if no dialog can be opened.
    pub fn instead(self) -> String {
        let pane = self.pane().name();
        match self {
            Self::Open | Self::Add | Self::OpenPreset => {
                format!("type the path in {pane}, or drop the file on the window")
            }
            Self::SavePicture => "F2 saves the picture below screenshots/local".to_owned(),
            Self::SaveSet => "Shift+F2 saves the set below screenshots/local".to_owned(),
            Self::SavePreset => format!("type the path in {pane}, and press F5"),
        }
    }
}
