//! Pictures in few bytes and without loss. A float is stored as its distance from a predicted one, counted in floats between
//! them (ULP): zigzag, bytes in planes, zlib. It is predicted by the same pixel of the reference, so that methods that agree
//! but for last bits take few bytes; the reference itself, and a picture of half floats, by their own pixels around it.
//! `assets/page/capture.js` has the inverse.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::report::Picture;
use crate::report::canvas::{Canvas, Rgb};

/// The usual effort, 6, makes the reference of `temple` 3 % smaller.
const EFFORT: u32 = 1;

/// The bits of a float as a number that ascends with it: the sign bit flipped, or all bits of a negative one.
fn ordered(value: f32) -> u32 {
    let bits = value.to_bits();
    let is_negative = bits >> 31 == 1;
    if is_negative { !bits } else { bits ^ (1 << 31) }
}

/// A distance as a number that is small where the distance is small in either direction.
fn zigzag(distance: u32) -> u32 {
    (distance << 1) ^ (0_u32.wrapping_sub(distance >> 31))
}

/// How the floats of a picture are predicted.
#[derive(Clone, Copy)]
pub enum Predicted<'a> {
    /// By the three pixels above and to the left, on the plane through them.
    Alone,
    /// By the same pixel of a picture of the same size.
    From(&'a Picture),
}

/// Whether all values of a picture are half floats: those take fewer bytes alone.
pub fn is_half(picture: &Picture) -> bool {
    let mut values = picture.pixels.as_flattened().iter();
    values.all(|value| value.to_bits().trailing_zeros() >= 13)
}

/// The values of a picture as distances from predicted ones: by channel, four planes of bytes, the lowest first.
pub fn values(picture: &Picture, predicted: Predicted<'_>) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(EFFORT));
    let count = picture.pixels.len();
    let width = picture.size[0] as usize;
    let mut planes = vec![0; 4 * count];
    for channel in 0..4 {
        let of = |picture: &Picture, at: usize| ordered(picture.pixels[at][channel]);
        for at in 0..count {
            let from = match predicted {
                Predicted::From(reference) => of(reference, at),
                Predicted::Alone => around(at, width, |at| of(picture, at)),
            };
            let bytes = zigzag(of(picture, at).wrapping_sub(from)).to_le_bytes();
            for (plane, byte) in bytes.into_iter().enumerate() {
                planes[plane * count + at] = byte;
            }
        }
        encoder.write_all(&planes)?;
    }
    encoder.finish()
}

/// A value predicted by those of the pixels to the left, above, and above that one.
fn around(at: usize, width: usize, of: impl Fn(usize) -> u32) -> u32 {
    match (!at.is_multiple_of(width), at >= width) {
        (true, true) => of(at - 1)
            .wrapping_add(of(at - width))
            .wrapping_sub(of(at - width - 1)),
        (true, false) => of(at - 1),
        (false, true) => of(at - width),
        (false, false) => 0,
    }
}

/// The colours of a picture as differences from those of `reference`, modulo 256: red, green and blue as planes.
pub fn colours(picture: &Canvas, reference: &Canvas) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(EFFORT));
    for channel in 0..3 {
        let difference = |(of, from): (&Rgb, &Rgb)| of[channel].wrapping_sub(from[channel]);
        let pairs = picture.pixels().iter().zip(reference.pixels());
        let plane: Vec<u8> = pairs.map(difference).collect();
        encoder.write_all(&plane)?;
    }
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;

    use super::*;

    fn unpacked(bytes: &[u8]) -> Vec<u8> {
        let mut all = Vec::new();
        ZlibDecoder::new(bytes)
            .read_to_end(&mut all)
            .expect("zlib data");
        all
    }

    /// The inverse, as the page has it.
    fn restored(
        bytes: &[u8],
        [width, height]: [u32; 2],
        predicted: Predicted<'_>,
    ) -> Vec<[u32; 4]> {
        let planes = unpacked(bytes);
        let count = (width * height) as usize;
        let mut pixels = vec![[0; 4]; count];
        for channel in 0..4 {
            let mut orders = vec![0_u32; count];
            for at in 0..count {
                let byte = |plane: usize| planes[(4 * channel + plane) * count + at];
                let zigzag = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
                let distance = (zigzag >> 1) ^ 0_u32.wrapping_sub(zigzag & 1);
                let from = match predicted {
                    Predicted::From(reference) => ordered(reference.pixels[at][channel]),
                    Predicted::Alone => around(at, width as usize, |at| orders[at]),
                };
                let order = from.wrapping_add(distance);
                orders[at] = order;
                let is_positive = order >> 31 == 1;
                pixels[at][channel] = if is_positive {
                    order ^ (1 << 31)
                } else {
                    !order
                };
            }
        }
        pixels
    }

    fn bits(picture: &Picture) -> Vec<[u32; 4]> {
        let pixels = picture.pixels.iter();
        pixels.map(|pixel| pixel.map(f32::to_bits)).collect()
    }

    /// Floats of any bits, some of which are no numbers.
    fn hard() -> Picture {
        let mut random = fastrand::Rng::with_seed(1);
        let mut pixels = vec![[0.0, -0.0, f32::INFINITY, f32::NAN]; 16];
        pixels.resize_with(256, || [(); 4].map(|()| f32::from_bits(random.u32(..))));
        Picture::new([16, 16], pixels).expect("a picture")
    }

    #[test]
    fn every_bit_of_every_float_comes_back() {
        let picture = hard();
        let mut reference = hard();
        reference.pixels.reverse();
        for predicted in [
            Predicted::Alone,
            Predicted::From(&reference),
            Predicted::From(&picture),
        ] {
            let bytes = values(&picture, predicted).expect("bytes");
            assert_eq!(restored(&bytes, [16, 16], predicted), bits(&picture));
        }
        let bytes = values(&picture, Predicted::From(&reference)).expect("bytes");
        assert_ne!(
            restored(&bytes, [16, 16], Predicted::Alone),
            bits(&picture),
            "negative control"
        );
    }

    #[test]
    fn half_floats_are_told_from_others() {
        let of = |value: f32| {
            let pixels = vec![[0.5, -0.0, value, 65504.0]; 4];
            is_half(&Picture::new([2, 2], pixels).expect("a picture"))
        };
        assert!(of(0.25) && of(1.0 / 1024.0) && of(f32::INFINITY));
        assert!(!of(0.1) && !of(0.25_f32.next_up()));
    }
}
