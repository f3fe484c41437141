//! Several threads per pixel. Each thread folds a run of the list (`shaders/methods/split_depth.wesl`).

use crate::gpu::shader::Variant;
use crate::model::Capabilities;
use crate::model::options::{Dial, JOINED_BYTES, MOST_WORKGROUP, MethodOptions};

use super::kernel::Kernel;
use super::specialization::{Geometry, Specialization};

/// Bytes of workgroup memory that a thread fills at a time: the maximum, and the amount per thread of its pixel. Each
/// fill waits once. With many threads per pixel, few workgroups can hide the wait, so fills are large. Otherwise small
/// fills leave room for more workgroups.
const MOST_FILLED: u32 = 128;
const FILLED_PER_THREAD_OF_PIXEL: u32 = 2;
/// Maximum number of layers that a thread fetches at a time if threads share a pixel.
const MOST_SLOTS_OF_THREAD: u32 = 4;
/// Maximum number of pixels per thread if threads share pixels. More would leave a large GPU idle in small frames.
const MOST_PIXELS: u32 = 2;

/// Minimum number of threads per pixel. One thread per pixel is `pixel-loop-staged`.
const LEAST_THREADS: u32 = 2;

pub(super) struct SplitDepth;

impl Kernel for SplitDepth {
    fn geometry(&self, spec: &Specialization, caps: &Capabilities) -> Geometry {
        let threads = threads(spec, caps);
        let workgroup = (spec.options.frame.pixels_of_tile() * threads).min(MOST_WORKGROUP);
        let abreast = workgroup / threads;
        let pixels = abreast * pixels_of_thread(spec, abreast);
        let joined = groups(caps, workgroup, abreast) * pixels * JOINED_BYTES;
        let bytes = spec.source.staged_bytes();
        let fits =
            |staged: u32| places(staged, threads) * bytes + joined <= caps.max_workgroup_bytes;
        let filled = (FILLED_PER_THREAD_OF_PIXEL * threads).min(MOST_FILLED);
        let mut staged = workgroup * (filled / bytes).clamp(1, MOST_SLOTS_OF_THREAD);
        while staged > threads && !fits(staged) {
            staged /= 2;
        }
        Geometry {
            workgroup,
            pixels,
            staged,
        }
    }

    fn constants(&self, spec: &Specialization, caps: &Capabilities, variant: Variant) -> Variant {
        let Geometry {
            workgroup, staged, ..
        } = spec.geometry(caps);
        let threads = threads(spec, caps);
        let abreast = workgroup / threads;
        variant
            .with("THREADS_PER_PIXEL", threads)
            .with("PIXELS_PER_THREAD", pixels_of_thread(spec, abreast))
            .with("GROUPS", groups(caps, workgroup, abreast))
            .with("SLOTS", staged / threads)
            .with("STAGED", places(staged, threads))
    }

    fn dial(&self, options: &MethodOptions) -> Option<Dial> {
        Some(Dial::Threads(options.threads_per_pixel.max(LEAST_THREADS)))
    }

    fn has(&self, dial: Dial, caps: &Capabilities) -> bool {
        matches!(dial, Dial::Threads(2..)) && dial <= Dial::Threads(Dial::most_threads(caps))
    }

    fn turns_per_layer(&self, _spec: &Specialization) -> Option<u32> {
        Some(4)
    }
}

/// Number of threads that share a pixel, limited by the adapter's memory.
fn threads(spec: &Specialization, caps: &Capabilities) -> u32 {
    let threads = spec.options.method.threads_per_pixel.max(LEAST_THREADS);
    threads.min(Dial::most_threads(caps))
}

/// Number of slots in workgroup memory for `staged` layers in `threads` runs. An odd number per run puts neighbouring
/// runs into different banks.
fn places(staged: u32, threads: u32) -> u32 {
    threads * ((staged / threads) | 1)
}

/// Maximum number of groups in a workgroup. A group joins its runs with wave operations, and the wave size is known
/// only at run time.
fn groups(caps: &Capabilities, workgroup: u32, abreast: u32) -> u32 {
    workgroup / abreast.max(caps.wave_min)
}

/// Number of pixels per thread if a workgroup has `abreast` pixels side by side. It is two if the tile has more pixels,
/// because one read of a layer then serves both.
fn pixels_of_thread(spec: &Specialization, abreast: u32) -> u32 {
    (spec.options.frame.pixels_of_tile() / abreast).min(MOST_PIXELS)
}
