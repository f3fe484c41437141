//! What a frame takes of the adapter's memory. Every field of the resources is named here, so that a
//! new one does not compile before it is.

use super::resources::{Resources, Target};

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
            partials,
            tile_starts,
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
            sorted_side: _,
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
            ("scan partials", partials.size()),
            ("tile starts", tile_starts.size()),
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
