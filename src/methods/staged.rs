//! A thread for one or several pixels, with the list in workgroup memory (`shaders/methods/pixel_loop_staged.wesl`).

use crate::gpu::shader::Variant;
use crate::model::items::ItemKind;
use crate::model::methods::{Source, Stored};
use crate::model::options::{Dial, MethodOptions};
use crate::model::{Capabilities, Feature};

use super::kernel::Kernel;
use super::specialization::{Geometry, LEAST_WORKGROUP, Specialization};

/// Numbers of layers staged at a time, for workgroups with one tile and with several.
const STAGED_ONE_TILE: u32 = 64;
const STAGED_TILES: u32 = 128;
/// Number of layers staged at a time for one tile in half floats, which need at most half as much memory as full floats.
const STAGED_IN_HALF: u32 = 128;
/// Width of a patch in pixels, as in `shaders/methods/tile_threads.wesl`.
const PATCH_WIDTH: u32 = 8;

pub(super) struct Staged;

impl Kernel for Staged {
    fn geometry(&self, spec: &Specialization, _caps: &Capabilities) -> Geometry {
        several(spec, spec.options.method.pixels_per_thread)
    }

    fn constants(&self, spec: &Specialization, caps: &Capabilities, variant: Variant) -> Variant {
        let pixels = spec.options.method.pixels_per_thread;
        variant
            .with("PIXELS_PER_THREAD", pixels)
            .with("STAGED", spec.geometry(caps).staged)
            .feature(Feature::Patches, has_patches(spec, caps, pixels))
    }

    fn dial(&self, options: &MethodOptions) -> Option<Dial> {
        Some(match options.pixels_per_thread {
            1 => Dial::Threads(1),
            pixels => Dial::Pixels(pixels),
        })
    }

    fn has(&self, dial: Dial, _caps: &Capabilities) -> bool {
        matches!(dial, Dial::Pixels(_) | Dial::Threads(1))
    }

    fn turns_per_layer(&self, spec: &Specialization) -> Option<u32> {
        Some(spec.options.method.pixels_per_thread + 2)
    }
}

pub(super) fn several(spec: &Specialization, pixels: u32) -> Geometry {
    let per_tile = spec.options.frame.pixels_of_tile() / pixels;
    let workgroup = per_tile.max(LEAST_WORKGROUP);
    Geometry {
        workgroup,
        pixels: workgroup * pixels,
        staged: match workgroup / per_tile {
            1 if stages_halves(spec) => STAGED_IN_HALF,
            1 => STAGED_ONE_TILE,
            _ => STAGED_TILES,
        },
    }
}

/// True if layers are staged in half floats as well as composited (`shaders/methods/staged_runs/half.wesl`).
fn stages_halves(spec: &Specialization) -> bool {
    let halves = Source::Gaussians(Stored::Halves) == spec.source
        || Source::Cloud(Stored::Halves) == spec.source;
    spec.is_half() && halves
}

/// True if threads skip layers that miss their part of the tile (`shaders/methods/slots.wesl`). Skipping pays off if
/// most layers are splats, because many splats miss parts of a large tile. It needs wave operations, and as many
/// threads per tile as per workgroup.
fn has_patches(spec: &Specialization, caps: &Capabilities, pixels_per_thread: u32) -> bool {
    let most_are_splats = match spec.source {
        Source::Frame(kinds) => kinds.crowd && !kinds.has(ItemKind::Gaussian),
        Source::Gaussians(_) | Source::Cloud(_) => true,
        Source::Table | Source::Synthetic(..) => false,
    };
    let frame = spec.options.frame;
    caps.waves
        && most_are_splats
        && frame.tile > PATCH_WIDTH
        && frame.pixels_of_tile() / pixels_per_thread >= LEAST_WORKGROUP
}
