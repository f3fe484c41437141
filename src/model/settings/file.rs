//! Settings as they stand in files: presets in RON, reports in JSON.

use serde::{Deserialize, Serialize};

use super::Settings;
use crate::model::methods::{Dial, Hazard, Knobs, LaneRead, Precision, Tail};
use crate::model::scene::{Cull, Factors, MacroTile, Solids, SplatOrder, SplatSpec, Viewpoint};

/// [`Settings`] with the knobs among all others. Written out because RON cannot flatten one struct into
/// another. A field that is missing here does not compile below.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Settings", deny_unknown_fields)]
pub(super) struct SettingsFile {
    scene: String,
    size: [u32; 2],
    time: f32,
    seed: u32,
    camera: String,
    moved_camera: Option<Viewpoint>,
    particles: u32,
    fog_slices: u32,
    #[serde(default)]
    factors: Factors,
    #[serde(default, skip_serializing_if = "SplatOrder::is_depth")]
    splat_order: SplatOrder,
    #[serde(default, skip_serializing_if = "Cull::is_ellipse")]
    cull: Cull,
    #[serde(default, skip_serializing_if = "Solids::is_auto")]
    solids: Solids,
    #[serde(default, skip_serializing_if = "MacroTile::is_auto")]
    macro_tile: MacroTile,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    splats: Option<Vec<SplatSpec>>,
    /// Absent in files of older versions, which had no such choice.
    #[serde(default)]
    auto_tile: bool,
    tile: u32,
    hazard: Hazard,
    early_out: f32,
    pixels_per_wave: u32,
    #[serde(default)]
    dial: Dial,
    #[serde(default)]
    tail: Tail,
    #[serde(default)]
    precision: Precision,
    #[serde(default)]
    lane_read: LaneRead,
}

impl From<Settings> for SettingsFile {
    fn from(settings: Settings) -> Self {
        let knobs = settings.knobs;
        Self {
            scene: settings.scene,
            size: settings.size,
            time: settings.time,
            seed: settings.seed,
            camera: settings.camera,
            moved_camera: settings.moved_camera,
            particles: settings.particles,
            fog_slices: settings.fog_slices,
            factors: settings.factors,
            splat_order: settings.splat_order,
            cull: settings.cull,
            solids: settings.solids,
            macro_tile: settings.macro_tile,
            splats: settings.splats,
            auto_tile: settings.auto_tile,
            tile: knobs.tile,
            hazard: knobs.hazard,
            early_out: knobs.early_out,
            pixels_per_wave: knobs.pixels_per_wave,
            dial: knobs.dial,
            tail: knobs.tail,
            precision: knobs.precision,
            lane_read: knobs.lane_read,
        }
    }
}

impl From<SettingsFile> for Settings {
    fn from(file: SettingsFile) -> Self {
        Self {
            scene: file.scene,
            size: file.size,
            time: file.time,
            seed: file.seed,
            camera: file.camera,
            moved_camera: file.moved_camera,
            particles: file.particles,
            fog_slices: file.fog_slices,
            factors: file.factors,
            splat_order: file.splat_order,
            cull: file.cull,
            solids: file.solids,
            macro_tile: file.macro_tile,
            splats: file.splats,
            auto_tile: file.auto_tile,
            knobs: Knobs {
                tile: file.tile,
                hazard: file.hazard,
                early_out: file.early_out,
                pixels_per_wave: file.pixels_per_wave,
                dial: file.dial,
                tail: file.tail,
                precision: file.precision,
                lane_read: file.lane_read,
            },
        }
    }
}
