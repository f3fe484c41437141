//! Views of the picture pane: the picture, differences and debug views, alone or side by side.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::live::DebugView;

pub use crate::report::scale::RAMP;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Only the view, as large as possible.
    Single,
    /// The picture, split between A and B, beside a difference or debug view.
    #[default]
    WithDifference,
    /// A, B, and a difference or debug view, side by side.
    SideBySide,
}

impl Layout {
    pub fn name(self) -> &'static str {
        match self {
            Layout::Single => "one picture",
            Layout::WithDifference => "picture and difference",
            Layout::SideBySide => "A, B, difference",
        }
    }

    pub fn next(self) -> Self {
        match self {
            Layout::Single => Layout::WithDifference,
            Layout::WithDifference => Layout::SideBySide,
            Layout::SideBySide => Layout::Single,
        }
    }
}

/// Views in the order of the modes in `shaders/inspect/present.wesl`. Panes show the comments as tooltips.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// Method A left of the split, method B right.
    #[default]
    Picture,
    /// |A - B| per colour channel, amplified.
    Absolute,
    /// Red where A is above B, blue where it is below, amplified.
    Signed,
    /// Red where A and B differ, amplified, on the picture in grey.
    RedOnGrey,
    /// Largest difference of r, g, b, T on a log scale, violet to yellow; black means equal.
    Log,
    /// Largest difference of r, g, b, T in units in the last place of B (of 2^-14 where |B| is less), log2 from 0 to 10; black
    /// means equal.
    Ulp,
    /// Layers in each tile's list.
    ListLength,
    /// Groups of each tile's list at method A's wave size.
    Groups,
    /// Method A's transmittance to the background, 0 to 1.
    Transmittance,
    /// View depth of the solids behind the layers, metres.
    OpaqueDepth,
    /// Group at which the transmittance falls below the early-out threshold (1/256 while early-out is off).
    EarlyOutGroup,
    /// Magenta where method A's result is NaN or infinite, on the picture in grey.
    NotFinite,
}

impl View {
    pub fn name(self) -> &'static str {
        match self {
            View::Picture => "picture",
            View::Absolute => "absolute",
            View::Signed => "signed",
            View::RedOnGrey => "red on grey",
            View::Log => "log10",
            View::Ulp => "ULP",
            View::ListLength => "list length",
            View::Groups => "groups",
            View::Transmittance => "transmittance",
            View::OpaqueDepth => "opaque depth",
            View::EarlyOutGroup => "early-out group",
            View::NotFinite => "NaN",
        }
    }

    pub fn flag(self) -> String {
        let value = self.to_possible_value();
        value.map_or(String::new(), |value| value.get_name().to_owned())
    }

    pub fn mode(self) -> u32 {
        self as u32
    }

    pub fn is_difference(self) -> bool {
        (View::Absolute..=View::Ulp).contains(&self)
    }

    pub fn debug(self) -> Option<DebugView> {
        match self {
            View::ListLength => Some(DebugView::ListLength),
            View::Groups => Some(DebugView::Groups),
            View::Transmittance => Some(DebugView::Transmittance),
            View::OpaqueDepth => Some(DebugView::OpaqueDepth),
            View::EarlyOutGroup => Some(DebugView::EarlyOutGroup),
            View::NotFinite => Some(DebugView::NotFinite),
            _ => None,
        }
    }

    pub fn next_difference(self) -> View {
        self.next_of(|view| view == View::Picture || view.is_difference())
    }

    pub fn next_debug(self) -> View {
        self.next_of(|view| view == View::Picture || view.debug().is_some())
    }

    /// The next view among those that `belongs` accepts. From any other view, the first one after the picture.
    fn next_of(self, belongs: impl Fn(View) -> bool) -> View {
        let all = View::value_variants().iter().copied();
        let cycle: Vec<View> = all.filter(|view| belongs(*view)).collect();
        let at = cycle.iter().position(|view| *view == self);
        let next = at.map_or(1, |at| at + 1);
        cycle.get(next).copied().unwrap_or(View::Picture)
    }
}

/// Default difference next to the picture. It shows differences of any size without amplification.
pub const BESIDE_THE_PICTURE: View = View::Log;

/// Splits outside the picture: all of the picture shows A or B, without a split line.
pub const ONLY_A: f32 = 2.0;
pub const ONLY_B: f32 = -1.0;
