//! What the camera sees of a particle, in f64: the twin of `shaders/frame/project.wesl`.
//!
//! It starts from the particles as the GPU left them, so that only this stage's own rounding shows.
//! Every value comes with a bound for f32 as Vulkan asks for it: addition and multiplication rounded
//! correctly, division to 2.5 ULP. Where a bound straddles an edge – of a tile, of the frame, of near
//! or far – either side is accepted, and nowhere else. Only the struct layouts are shared with the
//! GPU code.

use wavelerp::model::layout::{FrameUniform, Particle};

use super::Shown;

/// Half a ULP of 1 in f32: the largest relative error of one rounding.
pub const ROUNDING: f64 = 1.0 / (1 << 24) as f64;

/// A value and how far f32 may be from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounded {
    /// In f64.
    pub value: f64,
    /// Largest error of a GPU.
    pub error: f64,
}

impl Bounded {
    pub fn admits(self, gpu: f32) -> bool {
        (f64::from(gpu) - self.value).abs() <= self.error
    }
}

/// A tile number that rounding may put one tile off: one of `least` to `most`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileEdge {
    /// The lowest that rounding allows.
    pub least: u32,
    /// The highest that rounding allows.
    pub most: u32,
}

impl TileEdge {
    pub fn admits(self, gpu: u32) -> bool {
        (self.least..=self.most).contains(&gpu)
    }
}

/// Whether a particle becomes a splat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visible {
    /// It does not.
    #[default]
    No,
    /// It is within rounding of an edge: either is right.
    Either,
    /// It does.
    Yes,
}

/// A particle as the camera sees it. Only `depth` is given if `visible` is `No`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProjectedParticle {
    /// Whether it becomes a splat.
    pub visible: Visible,
    /// View depth, metres.
    pub depth: Bounded,
    /// Centre, pixels.
    pub center: [Bounded; 2],
    /// Pixels.
    pub radius: Bounded,
    /// First tile covered, column and row.
    pub tile_min: [TileEdge; 2],
    /// One past the last tile covered, column and row.
    pub tile_max: [TileEdge; 2],
}

/// Projects `particle` for tiles of `tile` x `tile` pixels. With one rounding `r` = 2⁻²⁴, a view-space
/// coordinate `v` is bounded by `5 r` of the sum of its dot product's sizes, `E(v)`; then
///
/// * centre: `half ((E(x) / (z tan)) + |u| (E(z) / z + 7 r) + 3 r (|u| + 1))` pixels for `u` in -1…1
///   across the frame and `half` its size;
/// * radius: `radius (E(z) / z + 8 r)`;
/// * tile edges: centre's and radius's bounds and a rounding of their sum, in tiles, and `5 r` of the
///   tile number for the division. The edge may be one tile off where it is so close to a boundary.
pub fn project(particle: &Particle, frame: &FrameUniform, tile: u32) -> ProjectedParticle {
    let depth = along(particle, frame, frame.forward);
    let [near, far] = [frame.near, frame.far].map(f64::from);
    let inside = least_of([
        sign(depth.value - near, depth.error),
        sign(far - depth.value, depth.error),
        not_nothing(particle.opacity),
        not_nothing(particle.radius),
    ]);
    let mut result = ProjectedParticle {
        depth,
        ..Default::default()
    };
    if inside == Visible::No {
        return result;
    }
    result.center = [
        centre(
            along(particle, frame, frame.right),
            depth,
            frame.tan_x,
            1.0,
            frame.size[0],
        ),
        centre(
            along(particle, frame, frame.up),
            depth,
            frame.tan_y,
            -1.0,
            frame.size[1],
        ),
    ];
    result.radius = radius(particle, depth, frame);
    for axis in 0..2 {
        let center = result.center[axis];
        let edge = |side: f64| tile_edge(center, result.radius, side, tile, frame.tiles[axis]);
        result.tile_min[axis] = edge(-1.0);
        result.tile_max[axis] = edge(1.0);
    }
    result.visible = least_of([inside, covers(&result, 0), covers(&result, 1), Visible::Yes]);
    result
}

/// Says how the GPU's splat of particle `index` differs from the twin by more than the bounds.
///
/// The colour is left out: the light pass changes it; see [`color_differs`]. `slice_bounds` are the
/// F + 1 view depths between slices; the slice must be right for the GPU's own depth.
pub fn differs(
    splat: &Shown,
    index: u32,
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
    let halves = |packed: u32| [packed & 0xffff, packed >> 16];
    let [tiles_x, tiles_y] = [halves(splat.tiles_x), halves(splat.tiles_y)];
    let same_bits = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
    let slice = slice_of(splat.depth, slice_bounds);
    let claims = [
        (
            splat.particle == index,
            format!("it is of particle {}", splat.particle),
        ),
        (twin.visible != Visible::No, "it must not be visible".into()),
        (
            twin.depth.admits(splat.depth),
            format!("depth {} is not {:?}", splat.depth, twin.depth),
        ),
        (
            twin.center[0].admits(splat.center[0]) && twin.center[1].admits(splat.center[1]),
            format!("centre {:?} is not {:?}", splat.center, twin.center),
        ),
        (
            inverse.admits(splat.inverse_radius),
            format!("inverse radius {} is not {inverse:?}", splat.inverse_radius),
        ),
        (
            twin.tile_min[0].admits(tiles_x[0]) && twin.tile_max[0].admits(tiles_x[1]),
            format!(
                "columns {tiles_x:?} are not {:?} to {:?}",
                twin.tile_min[0], twin.tile_max[0]
            ),
        ),
        (
            twin.tile_min[1].admits(tiles_y[0]) && twin.tile_max[1].admits(tiles_y[1]),
            format!(
                "rows {tiles_y:?} are not {:?} to {:?}",
                twin.tile_min[1], twin.tile_max[1]
            ),
        ),
        (
            tiles_x[0] < tiles_x[1] && tiles_y[0] < tiles_y[1],
            "it covers no tile".into(),
        ),
        (
            splat.slice == slice,
            format!("slice {} is not {slice}", splat.slice),
        ),
        (
            same_bits(
                &[splat.opacity, splat.softness],
                &[particle.opacity, particle.softness],
            ),
            "opacity or softness is not the particle's".into(),
        ),
    ];
    let wrong = claims.into_iter().find(|claim| !claim.0)?.1;
    Some(format!("splat of particle {index}: {wrong}"))
}

/// Says whether a splat's colour is not its particle's albedo, bit by bit, as it is until the light
/// pass has run.
pub fn color_differs(splat: &Shown, particle: &Particle) -> Option<String> {
    let same = (splat.color.iter().zip(&particle.albedo)).all(|(a, b)| a.to_bits() == b.to_bits());
    let what = || format!("colour {:?} is not {:?}", splat.color, particle.albedo);
    (!same).then(what)
}

/// Says how the whole of the GPU's `splats` differs from the twin: a splat that [`differs`], one too
/// many, one missing, or one out of particle order.
pub fn first_difference(
    splats: &[Shown],
    particles: &[Particle],
    frame: &FrameUniform,
    slice_bounds: &[f32],
    tile: u32,
) -> Option<String> {
    let mut rest = splats.iter().peekable();
    for (index, particle) in (0u32..).zip(particles) {
        match rest.next_if(|splat| splat.particle == index) {
            Some(splat) => {
                let difference = differs(splat, index, particle, frame, slice_bounds, tile);
                if difference.is_some() {
                    return difference;
                }
            }
            None if project(particle, frame, tile).visible == Visible::Yes => {
                return Some(format!("particle {index} has no splat"));
            }
            None => {}
        }
    }
    let splat = rest.next()?;
    Some(format!(
        "the splat of particle {} is out of order or of no particle",
        splat.particle
    ))
}

/// The number of slices whose far depth is at or in front of `depth`.
pub fn slice_of(depth: f32, slice_bounds: &[f32]) -> u32 {
    let passed = slice_bounds.iter().skip(1).filter(|far| **far <= depth);
    (0..)
        .zip(passed)
        .map(|(count, _)| count + 1)
        .last()
        .unwrap_or(0)
}

/// View-space coordinate of the particle along a unit vector, metres.
fn along(particle: &Particle, frame: &FrameUniform, axis: [f32; 3]) -> Bounded {
    let mut sum = Bounded::default();
    for ((position, eye), part) in particle.position.into_iter().zip(frame.eye).zip(axis) {
        let term = (f64::from(position) - f64::from(eye)) * f64::from(part);
        sum.value += term;
        sum.error += 5.0 * ROUNDING * term.abs();
    }
    sum
}

pub fn centre(across: Bounded, depth: Bounded, tangent: f32, side: f64, size: u32) -> Bounded {
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

/// `side` -1: the first tile; 1: one past the last.
pub fn tile_edge(center: Bounded, radius: Bounded, side: f64, tile: u32, tiles: u32) -> TileEdge {
    let pixel = center.value + side * radius.value;
    let off = center.error + radius.error + ROUNDING * pixel.abs();
    let edge = pixel / f64::from(tile);
    let off = off / f64::from(tile) + 5.0 * ROUNDING * edge.abs();
    let whole = |edge: f64| {
        if side < 0.0 {
            edge.floor()
        } else {
            edge.ceil()
        }
    };
    let on_grid = |edge: f64| whole(edge).clamp(0.0, f64::from(tiles)) as u32;
    TileEdge {
        least: on_grid(edge - off),
        most: on_grid(edge + off),
    }
}

/// Whether the rectangle has any width along `axis`.
pub fn covers(particle: &ProjectedParticle, axis: usize) -> Visible {
    let (min, max) = (particle.tile_min[axis], particle.tile_max[axis]);
    match (min.most < max.least, min.least < max.most) {
        (true, _) => Visible::Yes,
        (_, true) => Visible::Either,
        _ => Visible::No,
    }
}

/// Whether a value that is off by no more than `error` is above 0.
pub fn sign(value: f64, error: f64) -> Visible {
    match (value > error, value >= -error) {
        (true, _) => Visible::Yes,
        (_, true) => Visible::Either,
        _ => Visible::No,
    }
}

/// Whether a value is above 0 for a GPU that may flush subnormal values to 0.
pub fn not_nothing(value: f32) -> Visible {
    match (value.is_subnormal() && value > 0.0, value > 0.0) {
        (true, _) => Visible::Either,
        (_, true) => Visible::Yes,
        _ => Visible::No,
    }
}

pub fn least_of(claims: [Visible; 4]) -> Visible {
    let has = |wanted: Visible| claims.contains(&wanted);
    match (has(Visible::No), has(Visible::Either)) {
        (true, _) => Visible::No,
        (_, true) => Visible::Either,
        _ => Visible::Yes,
    }
}

#[path = "project_tests.rs"]
mod tests;
