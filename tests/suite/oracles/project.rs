//! A particle as seen by the camera, in f64: the twin of `shaders/frame/project/particle.wesl`.
//!
//! The twin starts from the GPU's own particles, so that only this stage's rounding matters. Every value has a bound
//! for f32 according to Vulkan's rules: addition and multiplication are correctly rounded, division has 2.5 ULP.
//! Either side of an edge – of a tile, of the frame, of near or far – is accepted only where a bound straddles the
//! edge. Only the struct layouts are shared with the GPU code.

use wavelerp::model::layout::{FrameUniform, Particle};

use super::Shown;

/// Half a ULP of 1 in f32: the largest relative error of one rounding.
pub const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// A value and its f32 error bound.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounded {
    pub value: f64,
    pub error: f64,
}

impl Bounded {
    pub fn admits(self, gpu: f32) -> bool {
        (f64::from(gpu) - self.value).abs() <= self.error
    }
}

/// A tile index that rounding may move by one, from `least` to `most`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileEdge {
    pub least: u32,
    pub most: u32,
}

impl TileEdge {
    pub fn admits(self, gpu: u32) -> bool {
        (self.least..=self.most).contains(&gpu)
    }
}

/// Visibility of a particle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Visible {
    #[default]
    No,
    /// So close to an edge that rounding decides: either answer is right.
    Either,
    Yes,
}

/// A particle as seen by the camera. Only `depth` is set if `visible` is `No`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProjectedParticle {
    pub visible: Visible,
    /// View depth in metres.
    pub depth: Bounded,
    /// Centre in pixels.
    pub center: [Bounded; 2],
    /// Radius in pixels.
    pub radius: Bounded,
    /// Columns and rows of the first covered tile, and of one past the last.
    pub tiles: [[TileEdge; 2]; 2],
}

impl Visible {
    /// Combines certain and possible visibility.
    fn of(surely: bool, maybe: bool) -> Self {
        match (surely, maybe) {
            (true, _) => Self::Yes,
            (_, true) => Self::Either,
            _ => Self::No,
        }
    }
}

impl ProjectedParticle {
    /// True if rounding decides whether the particle is visible, or which tiles it covers.
    pub fn is_open(&self) -> bool {
        let mut edges = self.tiles.iter().flatten();
        self.visible == Visible::Either || edges.any(|edge| edge.least < edge.most)
    }

    /// Sets the visibility, which requires `inside` and a rectangle that is not empty.
    pub fn seen(mut self, inside: Visible) -> Self {
        let has_width =
            |[min, max]: [TileEdge; 2]| Visible::of(min.most < max.least, min.least < max.most);
        let [columns, rows] = self.tiles.map(has_width);
        self.visible = inside.min(columns).min(rows);
        self
    }

    /// Name of a value of the GPU's splat that violates the bounds, if any does. `slice_bounds` are the F + 1 view
    /// depths between slices; the slice must be right for the GPU's own depth.
    pub fn wrong(&self, splat: &Shown, slice_bounds: &[f32]) -> Option<&'static str> {
        let admits = |[first, last]: [TileEdge; 2], packed: u32| {
            let [min, max] = [packed & 0xffff, packed >> 16];
            first.admits(min) && last.admits(max) && min < max
        };
        let [columns, rows] = self.tiles;
        let mut center = self.center.iter().zip(splat.center);
        first_wrong([
            (self.visible != Visible::No, "its visibility"),
            (self.depth.admits(splat.depth), "its depth"),
            (center.all(|(twin, gpu)| twin.admits(gpu)), "its centre"),
            (admits(columns, splat.tiles_x), "its columns"),
            (admits(rows, splat.tiles_y), "its rows"),
            (
                splat.slice == slice_of(splat.depth, slice_bounds),
                "its slice",
            ),
        ])
    }
}

/// Projects `particle` for tiles of `tile` x `tile` pixels. With one rounding `r` = 2⁻²⁴, a view-space coordinate `v`
/// is bounded by `5 r` of the sum of its dot product's magnitudes, `E(v)`; then
///
/// * centre: `half ((E(x) / (z tan)) + |u| (E(z) / z + 7 r) + 3 r (|u| + 1))` pixels for `u` in -1…1 across the frame
///   and `half` its size;
/// * radius: `radius (E(z) / z + 8 r)`;
/// * tile edges: bounds of centre and radius plus a rounding of their sum, in tiles, and `5 r` of the tile index for
///   the division. The edge may be one tile off if it is that close to a boundary.
pub fn project(particle: &Particle, frame: &FrameUniform, tile: u32) -> ProjectedParticle {
    let depth = along(particle, frame, frame.forward);
    let [near, far] = [frame.near, frame.far].map(f64::from);
    let inside = [
        sign(depth.value - near, depth.error),
        sign(far - depth.value, depth.error),
        not_nothing(particle.opacity),
        not_nothing(particle.radius),
    ];
    let inside = inside.into_iter().min().unwrap_or_default();
    let mut result = ProjectedParticle {
        depth,
        ..Default::default()
    };
    if inside == Visible::No {
        return result;
    }
    let [across, up] = [frame.right, frame.up].map(|axis| along(particle, frame, axis));
    result.center = pixel([across, up], depth, frame);
    result.radius = radius(particle, depth, frame);
    result.tiles = [0, 1].map(|axis| {
        let (center, count) = (result.center[axis], frame.tiles[axis]);
        [-1.0, 1.0].map(|side| tile_edge(center, result.radius, side, tile, count))
    });
    result.seen(inside)
}

/// Name of the first false claim.
pub fn first_wrong<const N: usize>(claims: [(bool, &'static str); N]) -> Option<&'static str> {
    let wrong = claims.into_iter().find(|claim| !claim.0);
    wrong.map(|claim| claim.1)
}

/// True if all numbers are bitwise equal.
pub fn same_bits(a: &[f32], b: &[f32]) -> bool {
    a.iter()
        .map(|a| a.to_bits())
        .eq(b.iter().map(|b| b.to_bits()))
}

/// Describes a difference beyond the bounds between the GPU's splat of a particle and the twin.
///
/// Colours are ignored, because the light pass changes them; see [`color_differs`].
fn differs(
    splat: &Shown,
    particle: &Particle,
    frame: &FrameUniform,
    slice_bounds: &[f32],
    tile: u32,
) -> Option<String> {
    let twin = project(particle, frame, tile);
    let inverse = Bounded {
        value: 1.0 / twin.radius.value,
        error: (twin.radius.error / twin.radius.value + 6.0 * ROUNDING) / twin.radius.value,
    };
    let wrong = twin.wrong(splat, slice_bounds).or_else(|| {
        first_wrong([
            (inverse.admits(splat.inverse_radius), "its inverse radius"),
            (
                same_bits(
                    &[splat.opacity, splat.softness],
                    &[particle.opacity, particle.softness],
                ),
                "its opacity or softness",
            ),
        ])
    });
    wrong.map(|wrong| format!("{wrong} is wrong: {splat:?} for {twin:?}"))
}

/// Describes a splat whose colour is not bitwise its particle's albedo, as it must be until the light pass has run.
pub fn color_differs(splat: &Shown, particle: &Particle) -> Option<String> {
    let what = || format!("colour {:?} is not {:?}", splat.color, particle.albedo);
    (!same_bits(&splat.color, &particle.albedo)).then(what)
}

/// Describes the first difference between all of the GPU's `splats` and the twin.
pub fn first_difference(
    splats: &[Shown],
    particles: &[Particle],
    frame: &FrameUniform,
    slice_bounds: &[f32],
    tile: u32,
) -> Option<String> {
    let differs = |splat: &Shown, of: &&Particle| differs(splat, of, frame, slice_bounds, tile);
    let is_needed = |of: &&Particle| project(of, frame, tile).visible == Visible::Yes;
    super::first_difference(splats, 0, particles, differs, is_needed)
}

/// Number of slices that end at or in front of `depth`.
pub fn slice_of(depth: f32, slice_bounds: &[f32]) -> u32 {
    let passed = slice_bounds.iter().skip(1).filter(|far| **far <= depth);
    passed.count() as u32
}

/// View-space coordinate of the particle along a unit vector, in metres.
fn along(particle: &Particle, frame: &FrameUniform, axis: [f32; 3]) -> Bounded {
    let mut sum = Bounded::default();
    for ((position, eye), part) in particle.position.into_iter().zip(frame.eye).zip(axis) {
        let term = (f64::from(position) - f64::from(eye)) * f64::from(part);
        sum.value += term;
        sum.error += 5.0 * ROUNDING * term.abs();
    }
    sum
}

/// Picture position of a point at `across` and `up` in the camera's axes.
pub fn pixel([across, up]: [Bounded; 2], depth: Bounded, frame: &FrameUniform) -> [Bounded; 2] {
    let [width, height] = frame.size;
    [
        centre(across, depth, frame.tan_x, 1.0, width),
        centre(up, depth, frame.tan_y, -1.0, height),
    ]
}

fn centre(across: Bounded, depth: Bounded, tangent: f32, side: f64, size: u32) -> Bounded {
    let half = 0.5 * f64::from(size);
    let scale = depth.value * f64::from(tangent);
    let place = side * across.value / scale;
    let off = across.error / scale + place.abs() * (depth.error / depth.value + 7.0 * ROUNDING);
    Bounded {
        value: (place + 1.0) * half,
        error: half * (off + 3.0 * ROUNDING * (place.abs() + 1.0)),
    }
}

fn radius(particle: &Particle, depth: Bounded, frame: &FrameUniform) -> Bounded {
    let scale = 0.5 * f64::from(frame.size[1]) / (depth.value * f64::from(frame.tan_y));
    let value = f64::from(particle.radius) * scale;
    Bounded {
        value,
        error: value * (depth.error / depth.value + 8.0 * ROUNDING),
    }
}

/// The first covered tile if `side` is -1, or one past the last if it is 1.
pub fn tile_edge(center: Bounded, radius: Bounded, side: f64, tile: u32, tiles: u32) -> TileEdge {
    let pixel = center.value + side * radius.value;
    let off = center.error + radius.error + ROUNDING * pixel.abs();
    let edge = pixel / f64::from(tile);
    let off = off / f64::from(tile) + 5.0 * ROUNDING * edge.abs();
    let on_grid = |edge: f64| {
        let whole = if side < 0.0 {
            edge.floor()
        } else {
            edge.ceil()
        };
        whole.clamp(0.0, f64::from(tiles)) as u32
    };
    TileEdge {
        least: on_grid(edge - off),
        most: on_grid(edge + off),
    }
}

/// Visible if the value, which has an error of at most `error`, is above 0.
pub fn sign(value: f64, error: f64) -> Visible {
    Visible::of(value > error, value >= -error)
}

/// Visible if the value is above 0, on a GPU that may flush subnormal values to 0.
pub fn not_nothing(value: f32) -> Visible {
    Visible::of(value >= f32::MIN_POSITIVE, value > 0.0)
}
