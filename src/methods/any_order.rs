//! Lists in any order, staged in workgroup memory (`shaders/methods/any_order.wesl`). All techniques in
//! [`crate::model::techniques`] use this kernel, except those that are drawn.

use crate::error::{Error, Result};
use crate::gpu::shader::Variant;
use crate::model::methods::{PixelBytes, Source, Trait};
use crate::model::options::{Dial, ListOrder, MOST_WORKGROUP, Options};
use crate::model::passes::Inputs;
use crate::model::techniques::{Seen, Technique};
use crate::model::{Capabilities, Feature};

use super::frame_range::{self, WithFrameRange};
use super::kernel::{
    BenchAxes, CompositePass, Computed, Kernel, Part, PassContext, layers_per_dispatch,
};
use super::own_buffer::WithBuffer;
use super::specialization::{Geometry, Specialization};
use super::staged::several;

/// Another dial position in benchmarks, for methods that can share a pixel among several threads.
const TIMED_THREADS: Dial = Dial::Threads(8);

pub(super) struct AnyOrder;

/// The technique of a method at any pixel. Shader constants do not depend on the pixel.
pub(super) fn technique(spec: &Specialization) -> Box<dyn Technique> {
    spec.runs.technique(&spec.options, &Seen::default())
}

/// Number of threads that share a pixel, at most the number of layers staged at a time.
fn threads(spec: &Specialization, technique: &dyn Technique) -> u32 {
    let most = several(spec, 1).staged;
    match spec.runs.has(Trait::SharesPixels) && technique.shares_pixels() {
        true => spec.options.method.threads_per_pixel.min(most),
        false => 1,
    }
}

impl Kernel for AnyOrder {
    fn inputs(&self, spec: &Specialization) -> Inputs {
        let technique = technique(spec);
        match spec.options.frame.order {
            ListOrder::Sorted => Inputs::LISTS,
            ListOrder::Any if technique.takes_any_order() => Inputs::ANY_LISTS,
            _ if technique.reads_coarse_lists() => Inputs::COARSE_LISTS,
            ListOrder::Item | ListOrder::Shuffled | ListOrder::Any => Inputs::UNSORTED_LISTS,
        }
    }

    /// Threads stage layers as in pixel-loop-staged.
    fn geometry(&self, spec: &Specialization, _caps: &Capabilities) -> Geometry {
        let (whole, technique) = (several(spec, 1), technique(spec));
        let threads = threads(spec, &*technique);
        let workgroup = (whole.workgroup * threads).min(MOST_WORKGROUP);
        let workgroup = workgroup.min(technique.most_threads(threads));
        Geometry {
            workgroup,
            pixels: workgroup / threads,
            ..whole
        }
    }

    fn constants(&self, spec: &Specialization, _caps: &Capabilities, variant: Variant) -> Variant {
        let technique = technique(spec);
        // Lists outside a frame have only one order.
        let is_frame = matches!(spec.source, Source::Frame(_) | Source::Gaussians(_));
        let reads = |lists| is_frame && self.inputs(spec) == lists;
        let variant = variant
            .with("PIXELS_PER_THREAD", 1)
            .with("STAGED", several(spec, 1).staged)
            .feature(Feature::Unsorted, reads(Inputs::UNSORTED_LISTS))
            .feature(Feature::AnyLists, reads(Inputs::ANY_LISTS))
            .feature(Feature::Coarse, reads(Inputs::COARSE_LISTS))
            .feature(Feature::FrameRange, technique.reads_frame_range());
        let variant = match threads(spec, &*technique) {
            1 => variant,
            threads => variant
                .with("THREADS_PER_PIXEL", threads)
                .feature(Feature::SharedPixels, true),
        };
        variant.of(&*technique)
    }

    fn place(&self, spec: &Specialization) -> Option<String> {
        let technique = technique(spec);
        let threads = match threads(spec, &*technique) {
            1 => None,
            threads => Some(format!("{threads} threads")),
        };
        let words: Vec<String> = technique.words().into_iter().chain(threads).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn timed_at(
        &self,
        spec: &Specialization,
        at: &BenchAxes<'_>,
        _caps: &Capabilities,
    ) -> Vec<Options> {
        let usual = spec.options.method;
        let mut places = vec![usual];
        if at.approximations {
            let values = spec.runs.entry().bench_options.split('|');
            places = values.filter_map(|values| usual.with(values)).collect();
            if spec.runs.has(Trait::SharesPixels) {
                places.push(usual.at(TIMED_THREADS));
            }
        }
        let at = |method| Options {
            method,
            ..spec.options
        };
        places.into_iter().map(at).collect()
    }

    fn pixel_bytes(&self, spec: &Specialization) -> Option<PixelBytes> {
        let technique = technique(spec);
        let bytes = technique.bytes();
        Some(PixelBytes {
            state: bytes.state * threads(spec, &*technique),
            ..bytes
        })
    }

    fn turns_per_layer(&self, spec: &Specialization) -> Option<u32> {
        Some(technique(spec).turns())
    }

    fn parts(&self, spec: &Specialization, caps: &Capabilities) -> Vec<Part> {
        let has_range = technique(spec).reads_frame_range();
        let before = has_range.then(|| frame_range::part(spec));
        Vec::from_iter([Part::composite(spec, caps)].into_iter().chain(before))
    }

    /// Refuses lists that are too long for one dispatch, because no state is kept between dispatches. Also refuses
    /// lists in any order if the picture depends on the order.
    fn make(&self, context: PassContext) -> Result<Box<dyn CompositePass>> {
        let (caps, spec) = (&context.gpu.caps, context.spec);
        let technique = technique(spec);
        if spec.options.frame.order == ListOrder::Any && !technique.takes_any_order() {
            return Err(Error::usage(format!(
                "--order any: the picture of {} depends on the order of its lists, and would differ in every run; choose \
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
        Ok(match technique.buffer() {
            Some(buffer) => Box::new(WithBuffer::new(context, buffer)?),
            None if technique.reads_frame_range() => Box::new(WithFrameRange::new(context)?),
            None => Box::new(Computed::new(context)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::methods::kernel_of;
    use crate::model::methods::Method;

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
            for values in method.entry().bench_options.split('|') {
                assert!(spec.options.method.with(values).is_some(), "{values}");
            }
            let places = kernel.timed_at(&spec, &at(true), &caps);
            assert_eq!(places[0], spec.options, "{method}");
            let specs = places.iter().map(|options| options.specialize(method));
            let labels: HashSet<String> = specs.clone().map(|spec| spec.label()).collect();
            assert_eq!(labels.len(), places.len(), "{method}");
            assert!(
                specs
                    .clone()
                    .all(|spec| kernel.pixel_bytes(&spec).is_some())
            );
        }
    }
}
