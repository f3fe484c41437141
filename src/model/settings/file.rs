//! Settings as they stand in files, presets in RON among them: today's, and those of older versions, which had every option
//! beside the scene.

use serde::{Deserialize, Deserializer};

use super::Settings;
use crate::model::options::{
    Cull, Dial, Hazard, LaneRead, MacroTile, Options, Precision, Solids, SplatOrder, Tail,
};
use crate::model::scene::{Factors, SplatSpec, Viewpoint};

/// [`Settings`] as they are read.
#[derive(Deserialize)]
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
    #[serde(default)]
    splats: Option<Vec<SplatSpec>>,
    #[serde(default, deserialize_with = "given")]
    options: Option<Options>,
    // From here on: what files of older versions have in the place of `options`.
    #[serde(default)]
    auto_tile: bool,
    #[serde(default, deserialize_with = "given")]
    tile: Option<u32>,
    #[serde(default)]
    hazard: Hazard,
    #[serde(default)]
    early_out: f32,
    #[serde(default, deserialize_with = "given")]
    pixels_per_wave: Option<u32>,
    #[serde(default)]
    dial: Dial,
    #[serde(default)]
    tail: Tail,
    #[serde(default)]
    precision: Precision,
    #[serde(default)]
    lane_read: LaneRead,
    #[serde(default)]
    splat_order: SplatOrder,
    #[serde(default)]
    cull: Cull,
    #[serde(default)]
    solids: Solids,
    #[serde(default)]
    macro_tile: MacroTile,
}

/// A field that may be absent, but is not written as an option.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl From<SettingsFile> for Settings {
    fn from(file: SettingsFile) -> Self {
        // Field by field: an option that is younger than these files has its default.
        let mut old = Options::default();
        let Options { frame, method } = &mut old;
        *method = method.at(file.dial);
        frame.auto_tile = file.auto_tile;
        frame.tile = file.tile.unwrap_or(frame.tile);
        frame.precision = file.precision;
        frame.early_out = file.early_out;
        frame.splat_order = file.splat_order;
        frame.cull = file.cull;
        frame.solids = file.solids;
        frame.macro_tile = file.macro_tile;
        method.hazard = file.hazard;
        method.lane_read = file.lane_read;
        method.tail = file.tail;
        method.pixels_per_wave = file.pixels_per_wave.unwrap_or(method.pixels_per_wave);
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
            splats: file.splats,
            options: file.options.unwrap_or(old),
        }
    }
}
