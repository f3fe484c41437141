//! The dial: from several pixels per thread to many threads per pixel, and the number of layers in a batch.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::model::Capabilities;
use crate::model::flag_value::read_and_written_as_text;

/// Maximum number of invocations in a WebGPU workgroup.
pub const MOST_WORKGROUP: u32 = 256;
/// Bytes of a staged layer: `Fetched` of `shaders/layers/fetched.wesl`.
const FETCHED_BYTES: u32 = 64;
/// Bytes per pixel that one group of threads passes to the next.
pub const JOINED_BYTES: u32 = 16;
/// Minimum workgroup memory per thread if threads share a pixel.
const BYTES_PER_THREAD: u32 = FETCHED_BYTES + JOINED_BYTES;

/// Maximum number of pixels per thread: the results stay in registers.
const MOST_PIXELS: u32 = 8;

/// Smallest batch, in layers: joining smaller batches would take longer than compositing them.
const LEAST_BATCH: u32 = 32;
const MOST_BATCH: u32 = 1024;

/// Distribution of pixels and layers: `4p` (pixels per thread), `8` (threads per pixel) or `128b` (layers per batch).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Dial {
    /// Number of pixels in a row per thread: 2, 4 or 8.
    Pixels(u32),
    /// Number of threads per pixel: 1, 2, 4 … 256.
    Threads(u32),
    /// Maximum number of layers of a list per workgroup: 32, 64 … 1024.
    Batch(u32),
}

impl Default for Dial {
    fn default() -> Self {
        Dial::Threads(1)
    }
}

impl Dial {
    /// All positions: from most pixels per thread to most threads per pixel, then batches from smallest to largest.
    pub fn all() -> impl Iterator<Item = Dial> {
        let powers = |least: u32, most: u32| (least.ilog2()..=most.ilog2()).map(|power| 1 << power);
        let pixels = [8, 4, 2].map(Dial::Pixels).into_iter();
        let threads = powers(1, MOST_WORKGROUP).map(Dial::Threads);
        pixels
            .chain(threads)
            .chain(powers(LEAST_BATCH, MOST_BATCH).map(Dial::Batch))
    }

    pub fn exists(self) -> bool {
        Self::all().any(|place| place == self)
    }

    /// Maximum number of threads that may share a pixel on an adapter: a whole workgroup, if its memory suffices.
    pub fn most_threads(caps: &Capabilities) -> u32 {
        let fitting = (caps.max_workgroup_bytes / BYTES_PER_THREAD).max(1);
        MOST_WORKGROUP.min(1 << fitting.ilog2())
    }

    pub fn pixels(self) -> u32 {
        match self {
            Dial::Pixels(pixels) => pixels,
            Dial::Threads(_) | Dial::Batch(_) => 1,
        }
    }

    /// The dial for equally long lists of cheap layers: just enough threads to fill a large GPU. More threads would only
    /// fetch the same layers again.
    pub fn of_lists(pixels: u32) -> Self {
        const THREADS_TO_FILL: u32 = 1 << 16;
        const THREADS_ENOUGH: u32 = 1 << 17;
        let pixels = pixels.max(1);
        let per_thread = (pixels / THREADS_ENOUGH).clamp(1, 4);
        let per_pixel = (THREADS_TO_FILL / pixels).clamp(1, 64);
        match per_thread {
            1 => Dial::Threads(1 << per_pixel.ilog2()),
            _ => Dial::Pixels(1 << per_thread.ilog2()),
        }
    }
}

pub fn shares_pixel(threads: u32) -> bool {
    Dial::Threads(threads).exists()
}

pub const THREADS_PER_PIXEL: &str = "a power of two from 1 to 256";

/// Threads per pixel at `auto` for a frame of `pixels`: as many as fill a large GPU.
pub fn auto_threads_per_pixel(pixels: u32) -> u32 {
    match Dial::of_lists(pixels) {
        Dial::Threads(threads) => threads,
        Dial::Pixels(_) | Dial::Batch(_) => 1,
    }
}

/// Pixels per wave at `auto`: the largest power of two from 1 to 32 that still keeps a GPU full of waves (8192 for the
/// largest today). Compositing more pixels per wave reuses the list from the cache.
pub fn auto_pixels_per_wave(size: [u32; 2]) -> u32 {
    const WAVES_THAT_FILL_A_GPU: u64 = 8192;
    let pixels = u64::from(size[0]) * u64::from(size[1]);
    let most = (pixels / WAVES_THAT_FILL_A_GPU).clamp(1, 32);
    1 << most.ilog2()
}

read_and_written_as_text!(Dial);

impl fmt::Display for Dial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dial::Pixels(pixels) => write!(f, "{pixels}p"),
            Dial::Threads(threads) => write!(f, "{threads}"),
            Dial::Batch(layers) => write!(f, "{layers}b"),
        }
    }
}

impl FromStr for Dial {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, range, dial): (&str, _, fn(u32) -> Dial) =
            match (text.strip_suffix('p'), text.strip_suffix('b')) {
                (Some(pixels), _) => (pixels, 1..=MOST_PIXELS, Dial::Pixels),
                (_, Some(layers)) => (layers, LEAST_BATCH..=MOST_BATCH, Dial::Batch),
                _ => (text, 1..=MOST_WORKGROUP, Dial::Threads),
            };
        let number: Option<u32> = number.parse().ok();
        match number.filter(|n| n.is_power_of_two() && range.contains(n)) {
            Some(1) => Ok(Dial::Threads(1)),
            Some(number) => Ok(dial(number)),
            None => Err(format!(
                "\"{text}\" is not a dial; write {MOST_PIXELS}p, 4p or 2p (pixels per thread), 1, a \
                 power of two up to {MOST_WORKGROUP} (threads per pixel), or a power of two from \
                 {LEAST_BATCH}b to {MOST_BATCH}b (layers of a batch)"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dial_is_read_as_it_is_written() {
        for dial in Dial::all() {
            assert_eq!(dial.to_string().parse(), Ok(dial));
        }
        assert_eq!("1p".parse(), Ok(Dial::Threads(1)));
        assert_eq!("64b".parse(), Ok(Dial::Batch(64)));
    }
}
