//! Splats of files as seen by the camera, in f64: the twin of `shaders/frame/project/gaussian.wesl`, the colours of
//! `shaders/common/harmonics.wesl`, and the opacity at a pixel of `shaders/layers/splat.wesl`.
//!
//! The twin starts from Gaussians, sets and harmonics as the GPU reads them. It forms the whole covariance and inverts
//! it, and computes harmonics from associated Legendre functions: no formula of the shaders is repeated. Either side
//! of an edge is accepted only where f32 may be on either side.

use glam::{DMat3, DQuat, DVec2, DVec3};
use wavelerp::frame::FrameShape;
use wavelerp::model::items::ItemKind;
use wavelerp::model::layout::{FrameUniform, Gaussian, SplatSet};

use super::project::{first_wrong, same_bits, slice_of};
use super::{Shown, lists};

/// Smallest visible opacity.
const LEAST: f64 = 1.0 / 255.0;
/// Largest error of a centre in small frames, in pixels; also the relative f32 error after a few dozen operations.
const PIXELS: f64 = 2e-4;
const RELATIVE: f64 = 2e-4;

/// A Gaussian as seen by the camera.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// View depth in metres.
    pub depth: f64,
    /// Centre on the screen, in pixels.
    pub center: DVec2,
    /// Covariance on the screen (xx, xy, yy), in square pixels.
    pub covariance: [f64; 3],
    /// Half the width and height of the rectangle around the visible part, in pixels.
    pub half_size: DVec2,
    /// Opacity at the centre.
    pub opacity: f64,
}

fn vector(of: [f32; 3]) -> DVec3 {
    DVec3::from_array(of.map(f64::from))
}

/// The camera's axes: right, up, forward.
fn axes(frame: &FrameUniform) -> [DVec3; 3] {
    [frame.right, frame.up, frame.forward].map(vector)
}

/// Projects a Gaussian of a set; `None` if it is in front of `near`, beyond `far` or too faint, or not clearly inside.
pub fn see(gaussian: &Gaussian, set: &SplatSet, frame: &FrameUniform) -> Option<Seen> {
    let [right, up, forward] = axes(frame);
    let relative = vector(gaussian.position) - vector(frame.eye);
    let [x, y, z] = [right, up, forward].map(|axis| axis.dot(relative));
    let mut opacity = f64::from(gaussian.opacity);
    let inside = z > f64::from(frame.near) && z < f64::from(frame.far);
    if !inside {
        return None;
    }
    let half = DVec2::from_array(frame.size.map(|edge| 0.5 * f64::from(edge)));
    let tangent = DVec2::new(f64::from(frame.tan_x), f64::from(frame.tan_y));
    let focal = half / tangent;
    // Rows of the camera's matrix are the axes; the screen's y points down.
    let world_to_view = DMat3::from_cols(right, up, forward).transpose();
    let (slope_x, slope_y) = (
        (x / z).clamp(-1.3 * tangent.x, 1.3 * tangent.x),
        (y / z).clamp(-1.3 * tangent.y, 1.3 * tangent.y),
    );
    let jacobian = [
        DVec3::new(focal.x / z, 0.0, -focal.x * slope_x / z),
        DVec3::new(0.0, -focal.y / z, focal.y * slope_y / z),
    ];
    let [qx, qy, qz, qw] = gaussian.rotation.map(f64::from);
    let rotation = DMat3::from_quat(DQuat::from_xyzw(qx, qy, qz, qw).normalize());
    let scales = vector(gaussian.scales);
    let own = DMat3::from_diagonal(scales * scales);
    let in_world = rotation * own * rotation.transpose();
    let in_view = world_to_view * in_world * world_to_view.transpose();
    let product = |a: usize, b: usize| jacobian[a].dot(in_view * jacobian[b]);
    let dilation = f64::from(frame.dilation);
    let own = [product(0, 0), product(0, 1), product(1, 1)];
    let covariance = [own[0] + dilation, own[1], own[2] + dilation];
    if set.mip > 0 {
        let area = |[xx, xy, yy]: [f64; 3]| (xx * yy - xy * xy).max(0.0).sqrt();
        opacity *= area(own) / area(covariance);
    }
    if opacity < LEAST {
        return None;
    }
    let reach = 2.0 * (opacity / LEAST).ln();
    Some(Seen {
        depth: z,
        center: half + DVec2::new(focal.x * x / z, -focal.y * y / z),
        covariance,
        half_size: DVec2::new(covariance[0], covariance[2])
            .map(|variance| (reach * variance).sqrt()),
        opacity,
    })
}

impl Seen {
    /// Opacity at a screen position in pixels; 0 if it is too small to be visible.
    pub fn opacity_at(&self, point: DVec2) -> f64 {
        let opacity = self.unlimited_at(point);
        if opacity < LEAST { 0.0 } else { opacity }
    }

    /// True if rounding decides whether the Gaussian is visible at a position.
    pub fn is_open_at(&self, point: DVec2) -> bool {
        (self.unlimited_at(point) / LEAST - 1.0).abs() < 20.0 * RELATIVE
    }

    fn unlimited_at(&self, point: DVec2) -> f64 {
        let [xx, xy, yy] = self.covariance;
        let offset = point - self.center;
        let form =
            yy * offset.x * offset.x - 2.0 * xy * offset.x * offset.y + xx * offset.y * offset.y;
        self.opacity * (-0.5 * form / (xx * yy - xy * xy)).exp()
    }

    /// Centres of the first and last pixel of tiles, in x or y.
    fn centers(tiles: &std::ops::Range<u32>, tile: u32) -> [f64; 2] {
        [tiles.start * tile, tiles.end * tile - 1].map(|pixel| f64::from(pixel) + 0.5)
    }

    /// Largest unclamped opacity within a screen rectangle, given in pixels.
    fn greatest_in(&self, x: [f64; 2], y: [f64; 2]) -> f64 {
        let [xx, xy, yy] = self.covariance;
        let inside = DVec2::new(
            self.center.x.clamp(x[0], x[1]),
            self.center.y.clamp(y[0], y[1]),
        );
        // Along an edge the exponent is a parabola, and the ellipse's tilt gives the position of its minimum.
        let along_x = |y: f64| {
            let lean = self.center.x + xy / yy * (y - self.center.y);
            DVec2::new(lean.clamp(x[0], x[1]), y)
        };
        let along_y = |x: f64| {
            let lean = self.center.y + xy / xx * (x - self.center.x);
            DVec2::new(x, lean.clamp(y[0], y[1]))
        };
        let edges = [along_x(y[0]), along_x(y[1]), along_y(x[0]), along_y(x[1])];
        let has_center = inside == self.center;
        let center = has_center.then_some(self.center);
        let points = edges.into_iter().chain(center);
        points
            .map(|point| self.unlimited_at(point))
            .fold(0.0, f64::max)
    }

    /// Reports a splat's tile in which it cannot be visible, or a tile in which it is visible but not listed. Cells
    /// may be up to `off` pixels larger than necessary.
    fn wrong_tiles(&self, splat: &lists::Splat, frame: &FrameUniform, tile: u32) -> Option<String> {
        let shows = |[columns, rows]: &lists::Rectangle, off: f64, least: f64| {
            let [x, y] = [columns, rows].map(|tiles| Self::centers(tiles, tile));
            let wider = |[low, high]: [f64; 2]| [low - off, high + off];
            self.greatest_in(wider(x), wider(y)) >= least * LEAST
        };
        let covered: Vec<_> = splat.covered().collect();
        let off = 0.05 + 1e-3 * self.half_size.max_element();
        // An invisible splat still has a tile.
        let is_idle = |cell: &lists::Rectangle| !shows(cell, off, 1.0 - 20.0 * RELATIVE);
        if covered.len() > 1
            && let Some(idle) = covered.iter().find(|cell| is_idle(cell))
        {
            return Some(format!("{idle:?} is idle"));
        }
        // The search goes pixel by pixel, because a Gaussian between pixel centres is not visible.
        let [low, high] = [-1.0, 1.0].map(|side| self.center + side * self.half_size);
        let pixels = |axis: usize| {
            let within = |edge: f64| edge.clamp(0.0, f64::from(frame.size[axis])) as u32;
            within(low[axis].floor())..within(high[axis].ceil())
        };
        for pixel in pixels(1).flat_map(|y| pixels(0).map(move |x| [x, y])) {
            let point = DVec2::from_array(pixel.map(|edge| f64::from(edge) + 0.5));
            if self.unlimited_at(point) > (1.0 + 20.0 * RELATIVE) * LEAST
                && !splat.covers(pixel.map(|edge| edge / tile))
            {
                return Some(format!(
                    "it shows at {pixel:?}, which is in none of its tiles"
                ));
            }
        }
        None
    }

    /// True if the Gaussian is visible at some pixel's centre, however values are rounded.
    fn shows_surely(&self, frame: &FrameUniform) -> bool {
        let nowhere = lists::Splat::default();
        self.wrong_tiles(&nowhere, frame, 1).is_some()
    }

    /// Points on the edge of the visible ellipse, relative to the centre, in pixels.
    fn edge(&self) -> impl Iterator<Item = DVec2> {
        let [xx, xy, yy] = self.covariance;
        let first = xx.sqrt();
        let (below, second) = (xy / first, (yy - xy * xy / xx).sqrt());
        let reach = (2.0 * (self.opacity / LEAST).ln()).sqrt();
        (0..16).map(move |step| {
            let (sine, cosine) = (f64::from(step) * std::f64::consts::TAU / 16.0).sin_cos();
            reach * DVec2::new(first * cosine, below * cosine + second * sine)
        })
    }
}

/// Data of splats of files as the GPU reads it.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    pub gaussians: &'a [Gaussian],
    pub sets: &'a [SplatSet],
    pub harmonics: &'a [[u32; 4]],
}

impl Files<'_> {
    /// The Gaussian with this number over all sets, as seen by the camera.
    fn see(&self, number: u32, frame: &FrameUniform) -> Option<Seen> {
        let gaussian = &self.gaussians[number as usize];
        see(gaussian, &self.sets[gaussian.of_set as usize], frame)
    }

    /// Radiance of a Gaussian towards the camera.
    fn color(&self, number: u32, frame: &FrameUniform) -> DVec3 {
        let gaussian = &self.gaussians[number as usize];
        let set = &self.sets[gaussian.of_set as usize];
        let away = (vector(gaussian.position) - vector(frame.eye)).normalize();
        let [x, y, z] = [set.axis_x, set.axis_y, set.axis_z].map(|axis| vector(axis).dot(away));
        let coefficients = (set.degree as usize + 1).pow(2);
        let each = (3 * coefficients).div_ceil(8);
        let first = set.vectors as usize + (number - set.first) as usize * each;
        let half = |index: usize| {
            let word = self.harmonics[first + index / 8][index / 2 % 4];
            half::f16::from_bits((word >> (16 * (index % 2))) as u16).to_f64()
        };
        let (sine, azimuth) = (x.hypot(y), y.atan2(x));
        let mut sum = DVec3::splat(0.5);
        for degree in 0..=set.degree as i32 {
            for order in -degree..=degree {
                let place = (degree * degree + degree + order) as usize;
                let factor = harmonic(degree, order, z, sine, azimuth);
                sum +=
                    factor * DVec3::new(half(3 * place), half(3 * place + 1), half(3 * place + 2));
            }
        }
        let decode = |value: f64| match set.encoded {
            0 => value,
            _ if value <= 0.04045 => value / 12.92,
            _ => ((value + 0.055) / 1.055).powf(2.4),
        };
        f64::from(set.radiance) * sum.max(DVec3::ZERO).map(decode)
    }
}

/// A real spherical harmonic with the Condon–Shortley phase, given cosine and sine of the polar angle.
fn harmonic(degree: i32, order: i32, cosine: f64, sine: f64, azimuth: f64) -> f64 {
    let m = order.abs();
    // P_m^m = (-1)^m (2m - 1)!! sine^m, then upwards in degree.
    let mut before = 0.0;
    let mut legendre: f64 = (1..=m).map(|k| -f64::from(2 * k - 1) * sine).product();
    for l in m + 1..=degree {
        let next = (f64::from(2 * l - 1) * cosine * legendre - f64::from(l + m - 1) * before)
            / f64::from(l - m);
        (before, legendre) = (legendre, next);
    }
    let factorials: f64 = (degree - m + 1..=degree + m).map(f64::from).product();
    let norm = (f64::from(2 * degree + 1) / (4.0 * std::f64::consts::PI * factorials)).sqrt();
    let turn = match order {
        0 => 1.0,
        1.. => std::f64::consts::SQRT_2 * (f64::from(m) * azimuth).cos(),
        _ => std::f64::consts::SQRT_2 * (f64::from(m) * azimuth).sin(),
    };
    norm * legendre * turn
}

/// Describes how the GPU's splat of Gaussian `number` differs from the twin, if it does.
fn differs(
    splat: &Shown,
    number: u32,
    files: Files,
    frame: &FrameUniform,
    slice_bounds: &[f32],
    shape: &FrameShape,
) -> Option<String> {
    let gaussian = &files.gaussians[number as usize];
    let Some(seen) = files.see(number, frame) else {
        return Some("it must not be visible".to_owned());
    };
    let off = (DVec2::from_array(splat.center.map(f64::from)) - seen.center).length();
    let [across, shear, down] =
        [splat.axis, splat.shade, splat.look].map(|bits| f64::from(f32::from_bits(bits)));
    let exponent = |at: DVec2| (across * at.x + shear * at.y).powi(2) + (down * at.y).powi(2);
    let at_edge = (seen.opacity / LEAST).log2();
    let falls = |at: DVec2| (exponent(at) - at_edge).abs() <= RELATIVE * at_edge.max(0.01);
    let opacity_off = match files.sets[gaussian.of_set as usize].mip {
        0 if same_bits(&[splat.opacity], &[gaussian.opacity]) => 0.0,
        0 => f64::INFINITY,
        _ => (f64::from(splat.opacity) / seen.opacity - 1.0).abs(),
    };
    let color = files.color(number, frame);
    let color_off = (vector(splat.color) - color).abs().max_element();
    let wrong_tiles = seen.wrong_tiles(&lists::Splat::of(splat, shape), frame, shape.tile);
    let depth_off = (f64::from(splat.depth) / seen.depth - 1.0).abs();
    let slice = slice_of(splat.depth, slice_bounds);
    let most_off = PIXELS * (1.0 + 1e-3 * seen.center.length());
    let wrong = first_wrong([
        (depth_off < 1e-5, "its depth"),
        (off <= most_off, "its centre"),
        (seen.edge().all(falls), "its falloff"),
        (
            splat.inverse_radius == super::tag_of(ItemKind::Gaussian),
            "its kind",
        ),
        (opacity_off < RELATIVE, "its opacity"),
        (
            color_off <= RELATIVE * (1.0 + color.max_element()),
            "its colour",
        ),
        (wrong_tiles.is_none(), "one of its tiles"),
        (splat.slice == slice, "its slice"),
        (splat.softness == 0.0, "its softness"),
    ])?;
    let which = wrong_tiles.unwrap_or_default();
    Some(format!(
        "{wrong} is wrong: {which} {splat:?} for {seen:?}, colour {color}"
    ))
}

/// Describes the first difference between the GPU's `splats` of Gaussians and the twin.
pub fn first_difference(
    splats: &[Shown],
    files: Files,
    frame: &FrameUniform,
    slice_bounds: &[f32],
    shape: &FrameShape,
) -> Option<String> {
    let numbers = (0..).take(files.gaussians.len());
    let differs =
        |splat: &Shown, number: &u32| differs(splat, *number, files, frame, slice_bounds, shape);
    let is_needed = |number: &u32| {
        let shows = |seen: Seen| seen.shows_surely(frame);
        files.see(*number, frame).is_some_and(shows)
    };
    let first = frame.first_items[ItemKind::Gaussian as usize];
    super::first_difference(splats, first, numbers, differs, is_needed)
}

/// Premultiplied rgb and transmittance of a pixel with only splats of files; `None` if rounding decides whether a splat
/// is visible, or the order of two splats.
pub fn pixel(files: Files, frame: &FrameUniform, pixel: [u32; 2]) -> Option<[f64; 4]> {
    let point = DVec2::from_array(pixel.map(|edge| f64::from(edge) + 0.5));
    let mut layers = Vec::new();
    for number in (0..).take(files.gaussians.len()) {
        let Some(seen) = files.see(number, frame) else {
            continue;
        };
        if seen.is_open_at(point) {
            return None;
        }
        let opacity = seen.opacity_at(point);
        if opacity > 0.0 {
            layers.push((seen.depth, opacity, number));
        }
    }
    layers.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_close = |pair: &[(f64, f64, u32)]| pair[1].0 - pair[0].0 < 1e-5 * pair[0].0;
    if layers.windows(2).any(is_close) {
        return None;
    }
    let mut result = [0.0, 0.0, 0.0, 1.0];
    for (_, opacity, number) in layers {
        let color = files.color(number, frame);
        for channel in 0..3 {
            result[channel] += result[3] * opacity * color[channel];
        }
        result[3] *= 1.0 - opacity;
    }
    Some(result)
}
