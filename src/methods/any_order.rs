//! Lists in any order, staged through workgroup memory (`shaders/methods/any_order.wesl`): what the families of approximate
//! methods share, and the baselines among them (`shaders/methods/baselines.wesl`).

use crate::error::{Error, Result};
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::methods::{Method, PixelBytes, Source, Trait};
use crate::model::options::{Dial, ListOrder, MOST_WORKGROUP, MethodOptions, Options};
use crate::model::passes::Inputs;
use crate::model::{Capabilities, Feature};

use super::frame_range::{self, WithFrameRange};
use super::kernel::{BenchAxes, CompositePass, Kernel, Part, PassContext};
use super::kernel::{Computed, layers_per_dispatch};
use super::specialization::{Geometry, Specialization};
use super::staged::several;

/// A family whose kernel is one walk, or several, through such a list: what is its own.
pub(super) trait AnyOrder: Sync {
    /// What its shader is compiled with beside what all have.
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant;

    /// The lists of a frame that it reads where these are not sorted.
    fn unsorted(&self) -> Inputs {
        Inputs::UNSORTED_LISTS
    }

    /// Whether its result is the same in whatever order a list is, up to rounding.
    fn takes_any_order(&self, _spec: &Specialization) -> bool {
        true
    }

    /// Its options in a few words, behind the method's name.
    fn words(&self, _spec: &Specialization) -> Option<String> {
        None
    }

    /// The places of its options at which a benchmark tells its error beside its time, `usual` first.
    fn bench_options(&self, _method: Method, usual: MethodOptions) -> Vec<MethodOptions> {
        vec![usual]
    }

    /// What it keeps of a pixel.
    fn bytes(&self, spec: &Specialization) -> PixelBytes;

    /// Whether several threads can share a pixel.
    fn shares_pixels(&self, spec: &Specialization) -> bool {
        spec.runs.has(Trait::SharesPixels)
    }

    /// Threads that share a pixel: at most as many as layers are staged at a time.
    fn threads(&self, spec: &Specialization) -> u32 {
        match self.shares_pixels(spec) {
            true => spec
                .options
                .method
                .threads_per_pixel
                .min(several(spec, 1).staged),
            false => 1,
        }
    }

    /// Most threads of a workgroup; several then share a tile.
    fn most_threads(&self, _spec: &Specialization) -> u32 {
        u32::MAX
    }

    /// Whether it reads between which depths the frame's items lie.
    fn reads_frame_range(&self, _spec: &Specialization) -> bool {
        false
    }

    /// Most times that an invocation goes through its loops for each layer of the list.
    fn turns(&self, _spec: &Specialization) -> u32 {
        TURNS_PER_LAYER
    }

    /// Makes its kernel ready to record, with what it needs beside it.
    fn pass(&self, context: PassContext) -> Result<Box<dyn CompositePass>> {
        Ok(match self.reads_frame_range(context.spec) {
            false => Box::new(Computed::new(context)?),
            true => Box::new(WithFrameRange::new(context)?),
        })
    }
}

impl<F: AnyOrder> Kernel for F {
    fn inputs(&self, spec: &Specialization) -> Inputs {
        match spec.options.frame.order {
            ListOrder::Sorted => Inputs::LISTS,
            ListOrder::Any if self.takes_any_order(spec) => Inputs::ANY_LISTS,
            ListOrder::Item | ListOrder::Shuffled | ListOrder::Any => self.unsorted(),
        }
    }

    /// A thread per pixel, or several, which stage as those of pixel-loop-staged do.
    fn geometry(&self, spec: &Specialization, _caps: &Capabilities) -> Geometry {
        let whole = several(spec, 1);
        let threads = self.threads(spec);
        let workgroup = (whole.workgroup * threads).min(MOST_WORKGROUP);
        let workgroup = workgroup.min(self.most_threads(spec));
        Geometry {
            workgroup,
            pixels: workgroup / threads,
            ..whole
        }
    }

    fn constants(&self, spec: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        // Lists that are no frame's have one order.
        let is_frame = matches!(spec.source, Source::Frame(_) | Source::Gaussians(_));
        let reads = |lists| is_frame && self.inputs(spec) == lists;
        let variant = variant
            .with("PIXELS_PER_THREAD", 1)
            .with("STAGED", several(spec, 1).staged)
            .feature(Feature::Unsorted, reads(Inputs::UNSORTED_LISTS))
            .feature(Feature::AnyLists, reads(Inputs::ANY_LISTS))
            .feature(Feature::Coarse, reads(Inputs::COARSE_LISTS))
            .feature(Feature::FrameRange, self.reads_frame_range(spec));
        let variant = match self.threads(spec) {
            1 => variant,
            threads => variant
                .with("THREADS_PER_PIXEL", threads)
                .feature(Feature::SharedPixels, true),
        };
        self.own_constants(spec, variant)
    }

    fn place(&self, spec: &Specialization) -> Option<String> {
        let threads = match self.threads(spec) {
            1 => None,
            threads => Some(format!("{threads} threads")),
        };
        let words: Vec<String> = self.words(spec).into_iter().chain(threads).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn timed_at(
        &self,
        spec: &Specialization,
        at: &BenchAxes<'_>,
        _caps: &Capabilities,
    ) -> Vec<Options> {
        let usual = spec.options.method;
        let places = match at.approximations {
            true => {
                let mut places = self.bench_options(spec.runs, usual);
                if spec.runs.has(Trait::SharesPixels) {
                    places.push(usual.at(TIMED_THREADS));
                }
                places
            }
            false => vec![usual],
        };
        let at = |method| Options {
            method,
            ..spec.options
        };
        places.into_iter().map(at).collect()
    }

    fn pixel_bytes(&self, spec: &Specialization) -> Option<PixelBytes> {
        let bytes = self.bytes(spec);
        Some(PixelBytes {
            state: bytes.state * self.threads(spec),
            ..bytes
        })
    }

    fn turns_per_layer(&self, spec: &Specialization) -> Option<u32> {
        Some(self.turns(spec))
    }

    fn parts(&self, spec: &Specialization, caps: &Capabilities) -> Vec<Part> {
        let before = self
            .reads_frame_range(spec)
            .then(|| frame_range::part(spec));
        Vec::from_iter([Part::composite(spec, caps)].into_iter().chain(before))
    }

    fn compile(&self, gpu: &Gpu, pipelines: &Pipelines, spec: Specialization) -> Result<()> {
        if self.reads_frame_range(&spec) {
            frame_range::pipeline(gpu, pipelines, &spec)?;
        }
        Computed::pipeline(gpu, pipelines, &spec).map(drop)
    }

    /// Refuses lists that one dispatch cannot walk: what a pixel has in the middle of its list is not kept. And lists in any order, where
    /// that decides what a pixel shows.
    fn make(&self, context: PassContext) -> Result<Box<dyn CompositePass>> {
        let (caps, spec) = (&context.gpu.caps, context.spec);
        if spec.options.frame.order == ListOrder::Any && !self.takes_any_order(spec) {
            return Err(Error::usage(format!(
                "--order any: the picture of {} depends on the order of its lists, and would be another in every run; choose \
                 another order, or methods that do not depend on it",
                spec.method
            )));
        }
        let (most, longest) = (layers_per_dispatch(caps, spec), context.extent.longest_list);
        if longest > most {
            return Err(Error::unavailable(format!(
                "{}: a list has {longest} layers, and {} lets a method walk at most {most} at once; choose fewer particles or \
                 smaller tiles",
                spec.method, caps.name
            )));
        }
        self.pass(context)
    }
}

/// These options but for what `change` changes.
pub(super) fn with(
    mut usual: MethodOptions,
    change: impl FnOnce(&mut MethodOptions),
) -> MethodOptions {
    change(&mut usual);
    usual
}

/// Most times that an invocation goes through its loops for each layer of a walk: that of the layers, and those that stage them.
pub(super) const TURNS_PER_LAYER: u32 = 3;

/// Where a benchmark times methods whose pixels several threads can share, too.
const TIMED_THREADS: Dial = Dial::Threads(8);

/// Bytes of a number in a thread's registers.
pub(super) const NUMBER: u32 = size_of::<f32>() as u32;
/// Bytes of the targets of weighted sums: four half floats, and `T` in 8 bits.
pub(super) const DRAWN_SUMS: u32 = 9;

/// Bytes of a pixel in the kernel, and in the targets that engines draw it into.
pub(super) fn pixel_bytes(state: u32, drawn: u32) -> PixelBytes {
    PixelBytes {
        state,
        drawn: Some(drawn),
    }
}

/// Methods that go by colour and opacity alone.
pub(super) struct Baselines;

impl AnyOrder for Baselines {
    fn own_constants(&self, spec: &Specialization, variant: Variant) -> Variant {
        variant.feature(Feature::ListOrder, spec.runs == Method::ListOrder)
    }

    fn takes_any_order(&self, spec: &Specialization) -> bool {
        spec.runs != Method::ListOrder
    }

    fn bytes(&self, spec: &Specialization) -> PixelBytes {
        let [numbers, drawn] = match spec.runs {
            Method::ListOrder => [4, 0],
            _ => [5, DRAWN_SUMS],
        };
        pixel_bytes(numbers * NUMBER, drawn)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::methods::{BenchAxes, Specialization, kernel_of};

    #[test]
    fn a_benchmark_tells_the_places_of_a_method_apart_and_has_the_usual_one_first() {
        let caps = Capabilities::default();
        let at = |approximations| BenchAxes {
            approximations,
            ..BenchAxes::default()
        };
        for method in Method::approximate() {
            let spec = Specialization::new(method);
            let kernel = kernel_of(method);
            assert_eq!(kernel.timed_at(&spec, &at(false), &caps), [spec.options]);
            let places = kernel.timed_at(&spec, &at(true), &caps);
            assert_eq!(places[0], spec.options, "{method}");
            let labels = places
                .iter()
                .map(|options| options.specialize(method).label());
            assert_eq!(
                labels.collect::<HashSet<_>>().len(),
                places.len(),
                "{method}"
            );
            let sizes: Vec<PixelBytes> = places
                .iter()
                .filter_map(|options| kernel.pixel_bytes(&options.specialize(method)))
                .collect();
            assert_eq!(sizes.len(), places.len(), "{method}");
        }
    }
}
