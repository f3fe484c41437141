//! Table 1 of `verify`: every method on every stress list, compared with f64 at every pixel of every tile.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::table::{Table, as_seen_by};
use crate::error::Result;
use crate::gpu::{Gpu, Pipelines, Precompile};
use crate::methods::Specialization;
use crate::model::Capabilities;
use crate::model::methods::{Accuracy, Bound, Method, Trait};
use crate::model::options::{ListOrder, MethodOptions, Options};
use crate::model::reference::composite::{
    Layer, composite, composite_guarded, error_bound, error_bound_guarded,
};
use crate::model::reference::half::{error_bound_half, error_bound_half_runs};
use crate::model::reference::stress::{self, StressList, few_layers, stress_list, stress_lists};
use crate::model::techniques::bounds::{Expected, Weights};
use crate::model::techniques::layers::Range;
use crate::model::techniques::{self, Seen};
use crate::report::metrics::ulp;

/// Number of layers in the longest lists for approximate methods.
const LONG: usize = 3000;
/// Kinds of the longest lists: sums of many ordinary terms, of terms behind an opaque one, and of the largest terms.
const LONG_KINDS: [&str; 3] = ["random", "opaque-middle", "huge-and-denormal"];

#[derive(Clone, Debug, Serialize)]
pub struct Check {
    pub method: Method,
    /// Number of threads that shared a pixel, for methods that can use several.
    pub threads_per_pixel: u32,
    /// Wave size of the kernel. 0 if it could not determine the size.
    pub wave_size: u32,
    /// Property that makes the list difficult.
    pub list: &'static str,
    pub layers: usize,
    /// Largest error over channels and pixels.
    pub max_abs: f64,
    /// Largest error in units of the bound. The check passes if it is at most 1. An approximate method is compared with
    /// its own f64 twin.
    pub of_bound: f64,
    /// Largest error in ULP at max(|reference|, 2^-14).
    pub max_ulp: f64,
    /// Number of pixels with a NaN in any channel.
    pub nan_count: usize,
    /// Largest difference between an approximate method's twin and the exact result. A large difference is not a fault.
    pub from_exact: Option<f64>,
    pub passed: bool,
}

/// The lists that `methods` are checked on, for every wave size that the adapter may use.
pub fn lists(caps: &Capabilities, methods: &[Method], seed: u32) -> Vec<StressList> {
    let widths = BTreeSet::from([caps.wave_min, caps.wave_max]).into_iter();
    let lists = widths.flat_map(|width| stress_lists(width as usize, seed));
    let mut lists: Vec<StressList> = lists.chain(few_layers(seed)).collect();
    if methods.iter().any(|method| !method.is_exact()) {
        // Sums over long lists may exceed the range of their storage.
        lists.extend(LONG_KINDS.map(|kind| stress_list(kind, LONG, seed)));
    }
    lists
}

/// Checks the methods. Approximate methods that can share a pixel among threads are also checked with `further` numbers
/// of threads.
pub fn run(
    gpu: &Gpu,
    pipelines: &Pipelines,
    methods: &[Method],
    (options, further): (&Options, &[u32]),
    lists: &[StressList],
    progress: &mut dyn FnMut(Method) -> Result<()>,
) -> Result<Vec<Check>> {
    let checked = CheckedLists::new(gpu, methods, options, lists)?;
    checked.compile_ahead(gpu, pipelines, methods);
    let mut checks = Vec::new();
    for &method in methods {
        progress(method)?;
        let asked = options.specialize(method);
        let is_shared = !method.is_exact() && method.has(Trait::SharesPixels);
        let further = further.iter().filter(|_| is_shared).map(|&threads| {
            let at = |own: &mut MethodOptions| own.threads_per_pixel = threads;
            options.with_method(at).specialize(method)
        });
        for asked in [asked].into_iter().chain(further) {
            checks.extend(gpu.finish(checked.check(gpu, pipelines, asked))?);
        }
    }
    Ok(checks)
}

/// Lists in GPU memory with the expected value of every pixel, made once for all methods.
pub(super) struct CheckedLists<'a> {
    options: Options,
    lists: &'a [StressList],
    table: Table,
    /// Expected value of every pixel of every list, for each form of computation that the methods use.
    expected: BTreeMap<Form, Vec<Vec<Expected>>>,
}

impl<'a> CheckedLists<'a> {
    pub(super) fn new(
        gpu: &Gpu,
        methods: &[Method],
        options: &Options,
        lists: &'a [StressList],
    ) -> Result<Self> {
        let slices: Vec<&[Layer]> = lists.iter().map(|list| list.layers.as_slice()).collect();
        let (tile, order) = (options.frame.tile, options.frame.order);
        let forms = methods.iter().map(|method| Form::of(*method, options));
        let forms = BTreeSet::from_iter(forms).into_iter();
        Ok(Self {
            options: *options,
            lists,
            table: Table::new(gpu, &slices, tile, false, order)?,
            expected: forms
                .map(|form| (form, expect_all(lists, options, form)))
                .collect(),
        })
    }

    /// Starts compiling the methods in parallel. A method that does not compile fails when it is checked.
    pub(super) fn compile_ahead(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        methods: &[Method],
    ) -> Precompile {
        pipelines.ahead(|pipelines| {
            for method in methods {
                let asked = self.options.specialize(*method);
                drop(self.table.compile(gpu, pipelines, asked));
            }
        })
    }

    pub(super) async fn check(
        &self,
        gpu: &Gpu,
        pipelines: &Pipelines,
        asked: Specialization,
    ) -> Result<Vec<Check>> {
        let result = self.table.result(gpu, pipelines, asked).await?;
        // The forms include those of all methods that the lists were made for.
        let expected = &self.expected[&Form::of(asked.method, &self.options)];
        let of_lists = self.lists.iter().zip(&result.lists).zip(expected);
        let size = result.wave_size;
        let checks = of_lists.map(|((list, pixels), of)| judge(&asked, list, size, pixels, of));
        Ok(checks.collect())
    }
}

/// Form of a computation. It determines the size of acceptable errors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    Common,
    /// Computed in f32 with guarded factors.
    Guarded,
    /// Computed in half floats, back to front.
    Half,
    /// Computed in half floats, front to back, in runs.
    HalfRuns,
    /// A different result, which the method's f64 twin also computes.
    Approximate(Method),
}

impl Form {
    fn of(method: Method, options: &Options) -> Self {
        let of = options.specialize(method);
        let is_guarded = of.options.method.hazard.guards() && of.method.uses_prefix_product();
        match method.entry().accuracy {
            Accuracy::Approximate => Form::Approximate(method),
            Accuracy::Exact(Bound::HalfBlends) => Form::Half,
            _ if of.is_half() => Form::HalfRuns,
            _ if is_guarded => Form::Guarded,
            _ => Form::Common,
        }
    }
}

/// Expected value of every pixel of every list. The lists are tiles in a row.
fn expect_all(lists: &[StressList], options: &Options, form: Form) -> Vec<Vec<Expected>> {
    let (tile, mut first) = (options.frame.tile, 0);
    let of_list = |list: &StressList| stress::depths(&list.layers, options.frame.order);
    let depths = Range::over(lists.iter().flat_map(of_list));
    let corners = (0..).step_by(tile as usize);
    lists
        .iter()
        .zip(corners)
        .map(|(list, corner)| {
            let weights = OnceCell::new();
            let of_pixel = |pixel: u32| {
                let place = Place {
                    pixel: [corner + pixel % tile, pixel / tile],
                    first,
                    depths,
                };
                let layers = as_seen_by(&list.layers, pixel);
                expect(&layers, options, form, place, &weights)
            };
            let pixels = 0..options.frame.pixels_of_tile();
            let expected = pixels.map(of_pixel).collect();
            first += list.layers.len() as u32;
            expected
        })
        .collect()
}

/// Position of a pixel in a table of lists.
#[derive(Clone, Copy)]
struct Place {
    pixel: [u32; 2],
    /// The first row of the pixel's list.
    first: u32,
    depths: Range,
}

/// The layers at the depths that the table assigns to them, numbered from `first`.
fn placed(layers: &[Layer], order: ListOrder, first: u32) -> Vec<techniques::layers::Layer> {
    let depths = stress::depths(layers, order);
    let place = |((layer, depth), item): ((&Layer, f32), u32)| techniques::layers::Layer {
        depth,
        colour: layer.color.map(f64::from),
        opacity: layer.opacity,
        item,
    };
    layers.iter().zip(depths).zip(first..).map(place).collect()
}

fn expect(
    layers: &[Layer],
    options: &Options,
    form: Form,
    place: Place,
    weights: &OnceCell<Option<Weights>>,
) -> Expected {
    let (composite, bound) = match form {
        Form::Guarded => (composite_guarded(layers), error_bound_guarded(layers)),
        Form::Common => (composite(layers), error_bound(layers)),
        Form::Half => (composite(layers), error_bound_half(layers)),
        Form::HalfRuns => (composite(layers), error_bound_half_runs(layers)),
        Form::Approximate(method) => {
            let [near, far] = stress::PLANES;
            let seen = Seen {
                pixel: place.pixel,
                time: stress::TIME,
                planes: Range::new(near, far),
                items: place.depths,
            };
            let layers = placed(layers, options.frame.order, place.first);
            return method.technique(options, &seen).expected(&layers, weights);
        }
    };
    Expected {
        value: composite.channels(),
        bound,
        exact: None,
    }
}

fn judge(
    asked: &Specialization,
    list: &StressList,
    wave_size: u32,
    pixels: &[[f32; 4]],
    expected: &[Expected],
) -> Check {
    let mut check = Check {
        method: asked.method,
        threads_per_pixel: match asked.method.has(Trait::SharesPixels) {
            true => asked.options.method.threads_per_pixel,
            false => 1,
        },
        wave_size,
        list: list.kind,
        layers: list.layers.len(),
        max_abs: 0.0,
        of_bound: 0.0,
        max_ulp: 0.0,
        nan_count: 0,
        from_exact: None,
        passed: true,
    };
    for (pixel, expected) in pixels.iter().zip(expected) {
        if let Some(exact) = expected.exact {
            let pairs = exact.iter().zip(&expected.value);
            let far = pairs.map(|(a, b)| (a - b).abs());
            check.from_exact = Some(far.fold(check.from_exact.unwrap_or(0.0), f64::max));
        }
        let channels = pixel.iter().zip(&expected.value).zip(&expected.bound);
        // A method promises nothing beyond the range of its numbers.
        let promised = channels.filter(|(_, bound)| bound.is_finite());
        // NaN is detected by its class, because comparing the value with itself is unreliable (see the hazard).
        if promised.clone().any(|((channel, _), _)| channel.is_nan()) {
            check.nan_count += 1;
            check.passed = false;
            continue;
        }
        for ((&got, &value), &bound) in promised {
            let error = (f64::from(got) - value).abs();
            check.max_abs = check.max_abs.max(error);
            check.max_ulp = check.max_ulp.max(error / ulp(value));
            if error > 0.0 {
                check.of_bound = check.of_bound.max(error / bound);
            }
        }
    }
    check.passed &= check.of_bound <= 1.0;
    check
}
