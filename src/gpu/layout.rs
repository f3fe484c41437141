//! The structs that CPU and GPU share, byte for byte. Nothing here but layout: a test compares every
//! size and member offset with what naga reads from the shaders.

use bytemuck::{Pod, Zeroable};

/// Declares a `repr(C)` struct and lists its fields with their offsets under the shader's names.
macro_rules! gpu_struct {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident : $ty:ty,)* }) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $ty,)*
        }

        impl $name {
            /// Name and byte offset of every field, in order.
            pub fn fields() -> Vec<(&'static str, usize)> {
                vec![$((stringify!($field), std::mem::offset_of!($name, $field)),)*]
            }
        }
    };
}

gpu_struct! {
    /// `Frame` of `shaders/common/frame.wesl`: the frame's constants.
    FrameUniform {
        /// World-space camera position, metres.
        eye: [f32; 3],
        /// Seconds.
        time: f32,
        /// World-space unit vector.
        right: [f32; 3],
        /// Tangent of half the horizontal field of view.
        tan_x: f32,
        /// World-space unit vector.
        up: [f32; 3],
        /// Tangent of half the vertical field of view.
        tan_y: f32,
        /// World-space unit vector.
        forward: [f32; 3],
        /// View depth of the near plane, metres.
        near: f32,
        /// Column-major; x and y in -1…1, z in 0…1 away from the sun.
        sun_clip_from_world: [[f32; 4]; 4],
        /// World-space unit vector towards the sun.
        to_sun: [f32; 3],
        /// Henyey–Greenstein g, -1…1.
        anisotropy: f32,
        /// Linear RGB, W/m² up to the exposure.
        sun_irradiance: [f32; 3],
        /// Fog extinction at and below `fog_height`, 1/m.
        fog_extinction: f32,
        /// Linear RGB radiance from everywhere.
        ambient: [f32; 3],
        /// World-space y below which fog is at its densest, metres.
        fog_height: f32,
        /// Linear RGB single-scattering albedo.
        fog_albedo: [f32; 3],
        /// Exponential falloff above `fog_height`, 1/m.
        fog_falloff: f32,
        /// World-space velocity of the noise, m/s.
        fog_drift: [f32; 3],
        /// Strength of the noise, 0…1.
        fog_noise: f32,
        /// Linear RGB radiance of the sky straight up.
        sky_zenith: [f32; 3],
        /// Noise cells per metre.
        fog_noise_scale: f32,
        /// Linear RGB radiance of the sky at the horizon.
        sky_horizon: [f32; 3],
        /// Factor from radiance to the tone curve's input.
        exposure: f32,
        /// Frame size in pixels.
        size: [u32; 2],
        /// Tiles in x and y.
        tiles: [u32; 2],
        /// Number of particles simulated.
        particles: u32,
        emitters: u32,
        /// Number of point lights.
        lights: u32,
        /// Number of fog slices, F.
        slices: u32,
        /// Seed of all randomness.
        seed: u32,
        /// Tile entries that fit the buffers.
        entry_capacity: u32,
        /// 1 / edge of the shadow map, 1 / texels.
        shadow_texel: f32,
        /// View depth of the last slice's far side, metres.
        far: f32,
        /// Linear RGB radiance from below; `ambient` comes from above.
        ground: [f32; 3],
        /// Part of what is brighter than `bloom_threshold` that glows around it.
        bloom: f32,
        /// Exposed radiance above which light glows.
        bloom_threshold: f32,
        /// Tangent of the sun's angular radius.
        sun_radius: f32,
        /// 1: the sun casts shadows, 0: it shines through everything.
        sun_shadows: f32,
        /// 1: filmic tone curve, 0: linear up to white.
        filmic: f32,
        /// Variation of surfaces' albedo, 0…1.
        stains: f32,
        /// Roughness of surfaces' normals, 0…1.
        bump: f32,
        /// Height of masonry courses, metres; 0: none.
        courses: f32,
        /// Darkening of ambient light in corners, 0…1.
        occlusion: f32,
        /// 1: edges of the final picture are smoothed.
        antialias: f32,
        /// Number of cells of all sheets.
        cells: u32,
        sheets: u32,
        /// How far at most a pane cell reaches in front of its centre, metres.
        cell_depth: f32,
        /// Number of splats of all splat files.
        ellipsoids: u32,
        /// Number of splat files.
        splat_sets: u32,
        /// What is added to the variances of those splats on the screen, square pixels.
        dilation: f32,
        /// 1: layers and background are composited as the screen's values, 0: as radiance.
        encoded: f32,
        /// 1: splats are in order by distance, 0: by depth.
        by_distance: u32,
        /// Number of the first triangle that is of a file.
        first_coat: u32,
        /// 1: Gaussians are listed in tiles where their ellipses may have a pixel, 0: in those of their boxes.
        exact_tiles: u32,
        /// log2 of the tiles of a macro tile in x, and in y: 0 to 2.
        macro_shift: u32,
    }
}

gpu_struct! {
    /// `SyntheticLayer` of `shaders/composite/layers/synthetic.wesl`.
    SyntheticLayer {
        /// See the shader.
        place: [f32; 4],
        /// Linear RGB, and log2 of a particle's opacity or the optical depth of a slice.
        light: [f32; 4],
    }
}

gpu_struct! {
    /// `FloorJob` of `shaders/arithmetic_floor.wesl`.
    FloorJob {
        /// As in [`SyntheticLayer`].
        place: [f32; 4],
        /// As in [`SyntheticLayer`].
        light: [f32; 4],
        /// From layer to layer, pixels.
        step: [f32; 2],
        /// Layers per pixel.
        layers: u32,
        /// Unused.
        pad: u32,
    }
}

gpu_struct! {
    /// `FillJob` of `shaders/fill_synthetic.wesl`.
    FillJob {
        tiles: u32,
        /// Lists that differ.
        distinct: u32,
        /// Layers of a list.
        layers: u32,
        /// 0: particles, 1: fog slices, 2: in turn.
        kind: u32,
        /// Edge of a tile, pixels.
        tile: u32,
        /// Optical depth of all fog slices of a list together.
        fog: f32,
        /// Unused.
        pad0: u32,
        /// Unused.
        pad1: u32,
    }
}

gpu_struct! {
    /// `Emitter` of `shaders/common/emitter.wesl`.
    Emitter {
        /// World-space centre of the spawn box, metres.
        origin: [f32; 3],
        /// Index of its first particle.
        first: u32,
        /// Half-size of the spawn box, metres.
        extent: [f32; 3],
        /// Number of particles.
        count: u32,
        /// World-space velocity, m/s.
        velocity: [f32; 3],
        /// Seconds; 0: particles stand still at the middle of their life.
        lifetime: f32,
        /// World-space acceleration, m/s².
        acceleration: [f32; 3],
        /// Random velocity per axis, ± m/s.
        spread: f32,
        /// Linear RGB albedo at birth.
        albedo_start: [f32; 3],
        /// Opacity at the centre, 0…1.
        opacity: f32,
        /// Linear RGB albedo at the end of life.
        albedo_end: [f32; 3],
        /// 0 hard disc … 1 soft to the rim.
        softness: f32,
        /// Linear RGB radiance at birth, falling to 0.
        emission: [f32; 3],
        /// Part of life over which opacity rises at birth and falls at the end, 0…0.5.
        fade: f32,
        /// Metres.
        radius_start: f32,
        /// Metres.
        radius_end: f32,
        /// Swing sideways at the end of life, metres.
        turbulence: f32,
        /// Random part of the radius, 0…1.
        radius_variation: f32,
        /// 0: analytic disc, 1: puffs from the sprite atlas.
        puffs: f32,
        /// Turns per second at most.
        spin: f32,
        /// Part of a puff that has thinned away at the end of life, 0…1.
        erosion: f32,
        /// Optical depth of the whole cloud.
        self_shadow: f32,
        /// Distance to a surface over which a particle fades, metres.
        soften: f32,
        /// Seconds of its way that a particle is drawn out to.
        stretch: f32,
        /// Unused.
        pad0: f32,
        /// Unused.
        pad1: f32,
    }
}

gpu_struct! {
    /// `Particle` of `shaders/simulate.wesl`.
    Particle {
        /// World space, metres.
        position: [f32; 3],
        /// Metres.
        radius: f32,
        /// Linear RGB albedo.
        albedo: [f32; 3],
        /// Opacity at the centre, 0…1.
        opacity: f32,
        /// Linear RGB radiance.
        emission: [f32; 3],
        /// 0 hard disc … 1 soft to the rim.
        softness: f32,
    }
}

gpu_struct! {
    /// `Sheet` of `shaders/common/sheet.wesl`: a flat translucent pane, cut into cells.
    Sheet {
        /// World-space centre, metres.
        center: [f32; 3],
        /// Its first cell, counted over all sheets.
        first: u32,
        /// World-space vector from the centre to the middle of an edge, metres.
        half_u: [f32; 3],
        /// Cells along u.
        cells_u: u32,
        /// World-space vector from the centre to the middle of an edge, metres.
        half_v: [f32; 3],
        /// Cells along v.
        cells_v: u32,
        /// Linear RGB albedo.
        albedo: [f32; 3],
        /// 0…1.
        opacity: f32,
        /// Linear RGB radiance.
        emission: [f32; 3],
        /// Part of the scattered light that leaves on the far side, 0…1.
        transmission: f32,
        /// Width of the rim, metres.
        rim: f32,
        /// Opacity of the rim, 0…1.
        rim_opacity: f32,
        /// Width over which the opacity falls to 0 at the edges, metres.
        fade: f32,
        /// Unused.
        pad0: f32,
    }
}

gpu_struct! {
    /// `SeenSheet` of `shaders/composite/sheet_cell.wesl`: a sheet as the frame's camera sees it.
    ///
    /// A plane in perspective is a homography: at pixel p, with d = p - `pixel` and
    /// n = `facing` + `facing_step` · d, the ray meets the sheet at view depth `distance` / n and at
    /// (`place` + `place_across` d.x + `place_down` d.y) / n, in sheet coordinates from its centre: -0.5…0.5.
    SeenSheet {
        /// Pixel from which positions count: near where the sheet's centre is seen, so that numbers are small there.
        pixel: [f32; 2],
        /// How `facing` grows per pixel to the right and down.
        facing_step: [f32; 2],
        /// Cosine of the angle between the sheet's normal and the ray through `pixel`, times the ray's length per
        /// metre of view depth.
        facing: f32,
        /// Distance of the camera from the sheet's plane, metres; not below 0.
        distance: f32,
        /// Sheet coordinates from the centre, times `facing`, at `pixel`.
        place: [f32; 2],
        /// How they grow per pixel to the right.
        place_across: [f32; 2],
        /// How they grow per pixel down.
        place_down: [f32; 2],
        /// Cells along u and v.
        cells: [f32; 2],
        /// 0…1.
        opacity: f32,
        /// Opacity of the rim, 0…1.
        rim_opacity: f32,
        /// Width of the rim in sheet coordinates along u and v.
        rim: [f32; 2],
        /// 1 / the width over which the opacity falls to 0 at the edges, in sheet coordinates along u and v; the
        /// greatest number where that is 0.
        inverse_fade: [f32; 2],
        /// From sheet coordinates to those of the texture with the light of all sheets.
        light_scale: [f32; 2],
        /// Where the sheet's centre is in that texture.
        light_center: [f32; 2],
    }
}

gpu_struct! {
    /// `Ellipsoid` of `shaders/common/ellipsoid.wesl`: a splat of a splat file.
    Ellipsoid {
        /// World space, metres.
        position: [f32; 3],
        /// Opacity at the centre, 0…1.
        opacity: f32,
        /// Unit quaternion (x, y, z, w) from its own axes to world space.
        rotation: [f32; 4],
        /// Standard deviations along its own axes, metres.
        scales: [f32; 3],
        of_set: u32,
    }
}

gpu_struct! {
    /// `SplatSet` of `shaders/common/ellipsoid.wesl`: the splats of one file, as they are placed in a scene.
    SplatSet {
        /// The file's x axis in world space, unit length.
        axis_x: [f32; 3],
        /// Its first splat, counted over all sets.
        first: u32,
        /// The file's y axis in world space, unit length.
        axis_y: [f32; 3],
        /// Where its harmonics begin, vectors of four words.
        vectors: u32,
        /// The file's z axis in world space, unit length.
        axis_z: [f32; 3],
        /// Degree of its harmonics, 0 to 3.
        degree: u32,
        /// Radiance of what the file calls 1.
        radiance: f32,
        /// 1: the file's colours are sRGB, 0: they are linear.
        encoded: u32,
        /// 1: its colours are albedos, lit as particles are, 0: they are light of their own.
        lit: u32,
        /// Unused.
        pad0: u32,
    }
}

gpu_struct! {
    /// `Splat` of `shaders/common/splat.wesl`: a visible particle as the camera sees it.
    Splat {
        /// Centre in pixels.
        center: [f32; 2],
        /// View depth of the centre, metres.
        depth: f32,
        /// 1 / pixels; 0: a pane cell; below 0: an ellipse.
        inverse_radius: f32,
        /// Linear RGB radiance (albedo before the light pass).
        color: [f32; 3],
        /// Opacity at the centre, 0…1.
        opacity: f32,
        /// Unit vector along the sprite's x in pixels, two snorm16 (written by the light pass). Of an ellipse,
        /// `axis`, `shade` and `look` hold its falloff: `shaders/common/splat.wesl`.
        axis: u32,
        /// Relative change of radiance per radius in x and y, two snorm16 (written by the light pass).
        shade: u32,
        /// Sprite, erosion, stretch, softening: `shaders/common/splat.wesl` (written by the light
        /// pass); 0 for a plain disc. Of a pane cell: which cell of which sheet.
        look: u32,
        /// 0 hard disc … 1 soft to the rim.
        softness: f32,
    }
}

gpu_struct! {
    /// `HalfSplat` of `shaders/common/half_splat.wesl`: a visible splat where splats are alone and composited in half floats.
    HalfSplat {
        /// Centre in pixels.
        center: [f32; 2],
        /// Four half floats: its falloff, and log2 of the opacity in its centre.
        shape: [u32; 2],
        /// Four half floats: linear RGB radiance, and the least log2 of an opacity that shows.
        color: [u32; 2],
    }
}

gpu_struct! {
    /// `SplatPlace` of `shaders/common/splat.wesl`: where a splat is among others.
    SplatPlace {
        /// By which splats are in order, from the nearest on; `u32::MAX` where the item is not visible.
        order_key: u32,
        /// In frames without Gaussians the fog slice that the splat lies in. In others, of an ellipse, which tiles of
        /// its rectangle it touches, where frames ask for that; else 0.
        slice_or_mask: u32,
        /// Tile rectangle in x: min | max << 13, max exclusive, and in the highest 6 bits the lower 6 of the fog slice that it
        /// lies in; 0 of what is not visible.
        tiles_x: u32,
        /// The same in y, with the higher bits of the slice.
        tiles_y: u32,
    }
}

gpu_struct! {
    /// `PointLight` of `shaders/common/light.wesl`.
    PointLight {
        /// World space, metres.
        position: [f32; 3],
        /// Metres.
        radius: f32,
        /// Linear RGB, W/sr up to the exposure.
        intensity: [f32; 3],
        /// Variation of the intensity in time, 0…1 (the CPU applies it).
        flicker: f32,
        /// Part of its light that fog and particles scatter.
        glow: f32,
        /// Unused.
        pad0: f32,
        /// Unused.
        pad1: f32,
        /// Unused.
        pad2: f32,
    }
}

gpu_struct! {
    /// `Vertex` of `shaders/opaque.wesl`, three to a triangle; `shaders/surface.wesl` reads it as floats.
    Vertex {
        /// World space, metres.
        position: [f32; 3],
        /// World-space unit vector.
        normal: [f32; 3],
        /// Linear RGB.
        albedo: [f32; 3],
        /// Factor on the albedo that glows by itself.
        emission: f32,
    }
}

gpu_struct! {
    /// `Coat` of `shaders/common/coat.wesl`: what a triangle of a file is made of.
    Coat {
        /// Where its first corner is on the pictures of its material.
        place_a: [f32; 2],
        /// Where its second corner is.
        place_b: [f32; 2],
        /// Where its third corner is.
        place_c: [f32; 2],
        material: u32,
        /// Unused.
        pad: u32,
    }
}

gpu_struct! {
    /// `CoatMaterial` of `shaders/common/coat.wesl`.
    CoatMaterial {
        /// Own light: linear RGB radiance, or the factor on that of its picture.
        emission: [f32; 3],
        /// Where the alpha is below this, nothing is seen; 0: it is seen everywhere.
        cutoff: f32,
        /// Factor on the alpha of its picture.
        alpha: f32,
        /// Which picture is the factor on its colour; `u32::MAX`: none.
        picture: u32,
        /// Which picture is the factor on its own light; `u32::MAX`: none.
        glow: u32,
        /// Bits: 1: seen from behind, too. 2: its colour is its light. From bit 2 on, how the pictures go on beyond
        /// their edges, two bits each for x and y of the first and of the second: 0 again, 1 with the edge, 2 back.
        flags: u32,
    }
}

gpu_struct! {
    /// `SortJob` of `shaders/radix_sort.wesl`.
    SortJob {
        /// Number of pairs.
        count: u32,
        /// Lowest bit of the digit.
        shift: u32,
    }
}

gpu_struct! {
    /// `Range` of `shaders/composite/list.wesl`.
    Range {
        /// First list entry of the dispatch.
        first_layer: u32,
        /// Most entries per list in this dispatch.
        layer_count: u32,
        /// Transmittance below which the rest may be skipped.
        early_out: f32,
        /// Layers of a batch, where lists are cut into batches.
        batch: u32,
    }
}

gpu_struct! {
    /// `ProbeJob` of `shaders/probe.wesl`.
    ProbeJob {
        pixel: [u32; 2],
        /// Layers that fit the output.
        capacity: u32,
        /// Unused.
        pad: u32,
    }
}

gpu_struct! {
    /// `MetricsJob` of `shaders/metrics.wesl`.
    MetricsJob {
        /// Pixels in each of the two pictures.
        pixels: u32,
        /// Differences above this are counted.
        threshold: f32,
        /// Unused.
        pad0: u32,
        /// Unused.
        pad1: u32,
        /// The powers of ten at which decades begin, in ascending order, and the largest number after the last.
        powers: [[f32; 4]; 5],
    }
}

gpu_struct! {
    /// `MetricsPart` of `shaders/metrics.wesl`: what a block of pixels contributes.
    MetricsPart {
        /// Sum of |difference| / scale over four channels, scale = 2^floor(log2 max_abs).
        abs_sum: f32,
        /// Sum of (difference / scale)².
        square_sum: f32,
        /// Greatest |difference|.
        max_abs: f32,
        /// Greatest difference in units in the last place.
        max_ulp: f32,
        /// Largest finite magnitude of a channel of the reference.
        peak: f32,
        /// First pixel whose difference is `max_abs`, or `u32::MAX`.
        worst: u32,
        /// First pixel that is not finite in either picture, or `u32::MAX`.
        first_not_finite: u32,
        /// Pixels that are finite in both pictures.
        finite: u32,
        /// Pixels that differ.
        differing: u32,
        /// Pixels that differ by more than the threshold, or are not finite.
        over_threshold: u32,
        /// Pixels of the picture that are not finite.
        not_finite: u32,
        /// Unused.
        pad: u32,
    }
}

gpu_struct! {
    /// `DebugJob` of `shaders/debug_view.wesl`.
    DebugJob {
        /// The view, in the order of `DebugView`.
        view: u32,
        /// Unused.
        pad0: u32,
        /// Unused.
        pad1: u32,
        /// Unused.
        pad2: u32,
    }
}

gpu_struct! {
    /// `Present` of `shaders/present.wesl`: what the window shows.
    PresentUniform {
        /// Top left corner of the picture in the window, physical pixels.
        origin: [f32; 2],
        /// Picture pixels per window pixel.
        scale: [f32; 2],
        /// Picture size in pixels.
        size: [u32; 2],
        /// What is shown, in the order of the app's list of views.
        mode: u32,
        /// Split in picture pixels from the left; beyond the width for none.
        split: f32,
        /// Factor on differences.
        amplify: f32,
        /// Low end of the colour scale: a debug view's value, or the exponent of a difference.
        low: f32,
        /// High end of the colour scale.
        high: f32,
        /// Unused.
        pad: f32,
        /// Colours of the scale in even steps from the low to the high end: sRGB, 0…1; the fourth number is
        /// unused.
        ramp: [[f32; 4]; 10],
    }
}

/// A layer of a pixel as the probe kernel writes it: four vectors, for which no shader declares a struct.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct ProbedLayer {
    /// Linear rgb as composited (seen through the part of its fog slice in front of it).
    pub color: [f32; 3],
    pub opacity: f32,
    /// View depth, metres: of a splat its centre's, of a slice its far side or the opaque depth.
    pub depth: f32,
    /// Index of the particle, of a cell: number of particles + number of the cell; 0 for fog.
    pub particle: u32,
    /// Metres of ray from the front of its slice to `depth`.
    pub path: f32,
    /// Extinction of its slice at this pixel, 1/m.
    pub extinction: f32,
    /// A particle's own radiance before fog, a cell's albedo; 0 for fog.
    pub own: [f32; 3],
    /// The list's word: a splat's index, or the slice with the bit that marks fog.
    pub word: u32,
    /// Source radiance of its slice at this pixel.
    pub fog: [f32; 3],
    /// Nothing; fills the vector.
    pub pad1: f32,
}

/// What a lane of a check of the wave library holds: the four vectors of `shaders/check/case.wesl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct LaneInput {
    /// Numbers in the type of the check; half floats as f32. Their sums are exact in any order.
    pub values: [u32; 4],
    /// Numbers whose products are exact in any order and not zero.
    pub factors: [u32; 4],
    /// Words that differ in few bits, so that their conjunction and disjunction say something.
    pub bits: [u32; 4],
    /// 1 for a vote of true.
    pub vote: u32,
    pub quad_lane: u32,
    /// Items to append, below 8.
    pub items: u32,
    /// The lane to read, active and the same in the whole wave.
    pub lane_read: u32,
}
