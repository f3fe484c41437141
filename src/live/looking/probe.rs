//! The probed pixel in live frames. Each frame reads its layers, and the result of one method. The result is compared
//! with the f64 composite of the same frame's layers.

use crate::frame::Frame;
use crate::methods::Specialization;
use crate::model::methods::Method;
use crate::model::reference::composite::{Layer, composite, composite_guarded};
use crate::model::scene::Camera;
use crate::report::metrics::ulp;

use super::definition::{Scope, curve};
use super::inspect::{Probed, ProbedLayer};

pub const SHOWN_LAYERS: usize = 4096;
/// Maximum number of layers read back from a list: 4 MiB.
pub const MOST_LAYERS: u32 = 1 << 16;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbeWanted {
    pub pixel: [u32; 2],
    /// Methods to evaluate at the pixel. Each frame evaluates one, in turn.
    pub methods: Vec<Specialization>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveProbe {
    pub pixel: [u32; 2],
    pub frame: u64,
    pub background: [f32; 3],
    pub list_length: u32,
    pub layers: Vec<ProbedLayer>,
    /// Results so far, in the order requested. A change of the pixel, the camera, a specialization or the early-out
    /// threshold drops them with the next reading.
    pub results: Vec<ProbeResult>,
    pub generation: u64,
}

/// A method's value at the pixel, from the last frame that evaluated the method.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeResult {
    pub method: Method,
    /// `None` if the kernel could not determine the wave size.
    pub wave_size: Option<u32>,
    /// Linear rgb premultiplied, and transmittance T.
    pub value: [f32; 4],
    /// Result of the method's f64 definition for the same frame's layers, rgb and T as in `value`. For a list too long
    /// to read back, it covers only the front part. `None` if the method also depends on other pixels.
    pub expected: Option<[f64; 4]>,
    /// Depth, and the light that an approximate method assumes there, near to far. Empty for exact methods.
    pub curve: Vec<[f64; 2]>,
    /// Largest channel of |value - expected|, in ULP of max(|expected|, 2^-14). Infinite if the value is not finite.
    /// `None` if the list is too long to read back or no result is expected.
    pub error_ulp: Option<f64>,
    pub frame: u64,
}

pub(super) struct ProbeNote {
    pub pixel: [u32; 2],
    pub frame: u64,
    pub generation: u64,
    pub order: Vec<Method>,
    pub turn: Option<Specialization>,
    pub scope: Scope,
}

/// The methods' turns, and a number that identifies results that belong together.
#[derive(Default)]
pub(super) struct ProbeTurns {
    turn: usize,
    generation: u64,
    key: Option<(ProbeWanted, Camera)>,
}

impl ProbeTurns {
    pub fn next(&mut self, wanted: &ProbeWanted, of: &Frame, frame: u64) -> ProbeNote {
        let key = Some((wanted.clone(), of.input().moment.camera));
        if self.key != key {
            self.key = key;
            self.generation += 1;
        }
        self.turn += 1;
        let methods = &wanted.methods;
        ProbeNote {
            pixel: wanted.pixel,
            frame,
            generation: self.generation,
            order: methods.iter().map(|wanted| wanted.method).collect(),
            turn: methods.get(self.turn % methods.len().max(1)).copied(),
            scope: Scope::of(of, wanted.pixel),
        }
    }
}

impl LiveProbe {
    pub fn result(&self, method: Method) -> Option<&ProbeResult> {
        self.results.iter().find(|result| result.method == method)
    }

    /// Adds a reading, with the value and wave size of the evaluated method. Drops results of earlier generations.
    pub(super) fn take(
        &mut self,
        note: &ProbeNote,
        mut probed: Probed,
        value: [f32; 4],
        wave_size: Option<u32>,
    ) {
        if self.generation != note.generation {
            self.results.clear();
        }
        if let Some(turn) = note.turn {
            let result = result_of(turn, note, &probed, value, wave_size);
            self.results.retain(|old| old.method != result.method);
            self.results.push(result);
            let place = |result: &ProbeResult| note.order.iter().position(|m| *m == result.method);
            self.results.sort_by_key(place);
        }
        probed.layers.truncate(SHOWN_LAYERS);
        self.pixel = note.pixel;
        self.frame = note.frame;
        self.generation = note.generation;
        self.background = probed.background;
        self.list_length = probed.list_length;
        self.layers = probed.layers;
    }
}

fn result_of(
    of: Specialization,
    note: &ProbeNote,
    probed: &Probed,
    value: [f32; 4],
    wave_size: Option<u32>,
) -> ProbeResult {
    let (expected, curve) = if of.runs.is_exact() {
        (Some(exact(&of, &probed.layers)), Vec::new())
    } else {
        let result = note.scope.composite(&of, &probed.layers);
        let curve = result.as_ref().map(|of| curve(of, &probed.layers));
        (result.map(|of| of.result), curve.unwrap_or_default())
    };
    let expected = expected.map(|layers| probed.before_background(layers));
    let is_whole = probed.layers.len() as u32 == probed.list_length;
    ProbeResult {
        method: of.method,
        wave_size,
        value,
        expected,
        curve,
        error_ulp: expected
            .filter(|_| is_whole)
            .map(|expected| error_ulp(value, expected)),
        frame: note.frame,
    }
}

fn exact(of: &Specialization, layers: &[ProbedLayer]) -> [f64; 4] {
    let layer = |layer: &ProbedLayer| Layer {
        color: layer.color,
        opacity: layer.opacity,
    };
    let layers: Vec<Layer> = layers.iter().map(layer).collect();
    let guarded = of.options.method.hazard.guards() && of.method.uses_prefix_product();
    let exact = match guarded {
        true => composite_guarded(&layers),
        false => composite(&layers),
    };
    exact.channels()
}

fn error_ulp(value: [f32; 4], expected: [f64; 4]) -> f64 {
    if !value.into_iter().all(f32::is_finite) {
        return f64::INFINITY;
    }
    let errors = value.into_iter().zip(expected).map(|(value, expected)| {
        (f64::from(value) - expected).abs() / ulp(f64::from(expected as f32))
    });
    errors.fold(0.0, f64::max)
}
