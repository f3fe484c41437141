//! What a frame takes of the adapter's memory. Every field of the resources is named here, so that a
//! new one does not compile before it is.

use crate::gpu::Capabilities;
use crate::gpu::layout::{FrameUniform, Particle, Splat};

use super::counters::ELEMENT_BLOCK;
use super::resources::{Resources, Target, tiles};
use super::sort::{depth_key_bits, histogram_words, tile_key_bits};

/// Bytes of GPU memory that one more of a thing takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BytesPer {
    /// Per particle, or cell of a sheet less what a particle is in world space.
    pub particle: f64,
    /// Per tile entry there is room for.
    pub entry: f64,
}

/// What particles and tile entries take in a frame of these constants.
///
/// A particle: itself, its splat, two sides of key and number for the sort by depth, its first entry,
/// its share of block sums. An entry: two sides of tile and splat for the sort by tile, and, with fog
/// slices, a layer. To both a share of digit counts is added; a frame holds those of the larger sort.
#[must_use]
pub fn bytes_per(caps: &Capabilities, uniform: &FrameUniform) -> BytesPer {
    const MANY: u64 = 1 << 30;
    const WORD: usize = size_of::<u32>();
    let digit_counts =
        |key_bits| (WORD as u64 * histogram_words(caps, key_bits, MANY)) as f64 / MANY as f64;
    let particle = size_of::<Particle>() + size_of::<Splat>() + 5 * WORD;
    let entry = match uniform.slices {
        0 => 4 * WORD,
        _ => 5 * WORD,
    };
    let block_sums = WORD as f64 / f64::from(ELEMENT_BLOCK);
    let depth_bits = depth_key_bits(uniform.near, uniform.far);
    let tile_bits = tile_key_bits(tiles(uniform));
    BytesPer {
        particle: particle as f64 + block_sums + digit_counts(depth_bits),
        entry: entry as f64 + digit_counts(tile_bits),
    }
}

impl Resources {
    /// Label and bytes of every buffer and texture. Job constants of a few bytes that passes keep are
    /// left out.
    pub fn memory(&self) -> Vec<(&'static str, u64)> {
        let Self {
            frame,
            emitters,
            sheets,
            sheet_light,
            lights,
            vertices,
            vertex_count: _,
            slice_bounds,
            particles,
            block_sums,
            splats,
            depth_keys,
            order,
            offsets,
            entry_tiles,
            entry_splats,
            histograms,
            digit_totals,
            tile_limits,
            tile_entries,
            tile_lists,
            layers,
            counters,
            counters_start,
            arguments,
            froxels,
            froxel_sampler: _,
            sprites,
            triangle_ids,
            toned,
            bloom,
            opaque_color,
            opaque_depth,
            shadow_map,
            shadow_sampler: _,
            sorted: _,
            slices: _,
        } = self;
        let pair = |pair: &[wgpu::Buffer; 2]| pair[0].size() + pair[1].size();
        let mut all = vec![
            ("frame constants", frame.size()),
            ("emitters", emitters.size()),
            ("sheets", sheets.size()),
            ("point lights", lights.size()),
            ("vertices", vertices.size()),
            ("slice bounds", slice_bounds.size()),
            ("particles", particles.size()),
            ("block sums", block_sums.size()),
            ("splats", splats.size()),
            ("depth keys", pair(depth_keys)),
            ("order", pair(order)),
            ("offsets", offsets.size()),
            ("entry tiles", pair(entry_tiles)),
            ("entry splats", pair(entry_splats)),
            ("histograms", histograms.size()),
            ("digit totals", digit_totals.size()),
            ("tile limits", tile_limits.size()),
            ("tile entries", tile_entries.size()),
            ("tile lists", tile_lists.size()),
            ("layers", layers.size()),
            ("counters", counters.size() + counters_start.size()),
            ("indirect arguments", arguments.size()),
        ];
        let textures = [
            ("froxels", froxels),
            ("sprites", sprites),
            ("sheet light", sheet_light),
            ("triangle ids", triangle_ids),
            ("toned picture", toned),
            ("opaque color", opaque_color),
            ("opaque depth", opaque_depth),
            ("shadow map", shadow_map),
        ];
        all.extend(textures.map(|(label, view)| (label, texture_bytes(view.texture()))));
        let bloom = bloom.views().map(|view| texture_bytes(view.texture()));
        all.push(("bloom", bloom.sum()));
        all
    }
}

impl Target {
    /// Bytes of its buffers and its texture.
    pub fn bytes(&self) -> u64 {
        let Self {
            composites,
            ran_at,
            resolved,
            resolved_view: _,
        } = self;
        composites.size() + ran_at.size() + texture_bytes(resolved)
    }
}

/// Bytes of a texture without what the driver adds.
fn texture_bytes(texture: &wgpu::Texture) -> u64 {
    let format = texture.format();
    format.theoretical_memory_footprint(texture.size())
}
