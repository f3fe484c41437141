//! Small, lossless encoding of pictures. A float is stored as its distance in ULP from a predicted float. The
//! prediction is the same pixel of the reference, so methods that agree except in the last bits take few bytes. The
//! reference itself and pictures of half floats are predicted from neighbouring pixels. Two small distances share a
//! byte, because deflate finds few repeats in noise, and their codes cost more than they save. `assets/page/capture.js`
//! has the inverse.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::report::Picture;
use crate::report::canvas::Canvas;

/// Distances of at least this size are listed in full.
const LISTED: u32 = 15;
/// Number of low float bits that are zero in a half float.
const HALF_ZEROS: u32 = 13;

/// Maps a float's bits to an integer in ascending order: flips the sign bit, or all bits of a negative float.
fn ordered(bits: u32) -> u32 {
    let is_negative = bits >> 31 == 1;
    if is_negative { !bits } else { bits ^ (1 << 31) }
}

/// Maps a signed distance to an integer that is small for small distances of either sign.
fn zigzag(distance: u32) -> u32 {
    (distance << 1) ^ (0_u32.wrapping_sub(distance >> 31))
}

#[derive(Clone, Copy)]
pub enum Predicted<'a> {
    /// From three neighbours above and to the left, using the plane through them.
    Alone,
    /// Like `Alone`, with values rounded to half floats.
    Rounded,
    /// From the same pixel of another picture of the same size.
    From(&'a Picture),
}

/// True if all values are half floats. Such a picture takes fewer bytes without a reference.
pub fn is_half(picture: &Picture) -> bool {
    let mut values = picture.pixels.as_flattened().iter();
    values.all(|value| value.to_bits().trailing_zeros() >= HALF_ZEROS)
}

/// Encodes a picture's values as distances from predictions. The first byte is the number of low bits that are zero in
/// all values and omitted. Then follow, for every two channels, a byte per pixel with a distance in each half.
/// Distances that did not fit come last, as four planes of bytes, lowest first.
pub fn values(picture: &Picture, predicted: Predicted<'_>) -> io::Result<Vec<u8>> {
    let count = picture.pixels.len();
    let width = picture.size[0] as usize;
    let is_rounded = matches!(predicted, Predicted::Rounded);
    let zeros = if is_rounded { HALF_ZEROS } else { 0 };
    let mut bytes = vec![0; 1 + 2 * count];
    bytes[0] = zeros as u8;
    let mut listed = Vec::new();
    for channel in 0..4 {
        let of = |picture: &Picture, at: usize| {
            let value = picture.pixels[at][channel];
            // Rounding could turn a NaN or infinity into an ordinary number.
            let half = u32::from(value.is_finite()) << zeros >> 1;
            ordered(value.to_bits() + half) >> zeros
        };
        for at in 0..count {
            let from = match predicted {
                Predicted::From(reference) => of(reference, at),
                _ => around(at, width, |at| of(picture, at)),
            };
            let distance = zigzag(of(picture, at).wrapping_sub(from));
            listed.extend((distance >= LISTED).then(|| distance.to_le_bytes()));
            let pair = &mut bytes[1 + channel / 2 * count + at];
            *pair = *pair << 4 | distance.min(LISTED) as u8;
        }
    }
    for plane in 0..4 {
        bytes.extend(listed.iter().map(|distance| distance[plane]));
    }
    compressed(&bytes)
}

fn compressed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Prediction from the pixels to the left, above, and to the upper left.
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

/// Colours of a picture as differences from predictions, modulo 256: green, then red and blue relative to green.
pub fn colours(picture: &Canvas, reference: Option<&Canvas>) -> io::Result<Vec<u8>> {
    let width = picture.size()[0] as usize;
    let difference = |at: usize, channel: usize| {
        let of = |canvas: &Canvas, at: usize| u32::from(canvas.pixels()[at][channel]);
        let from = match reference {
            Some(reference) => of(reference, at),
            None => around(at, width, |at| of(picture, at)),
        };
        of(picture, at).wrapping_sub(from) as u8
    };
    let mut planes = Vec::new();
    for channel in [1, 0, 2] {
        let green = |at: usize| if channel == 1 { 0 } else { difference(at, 1) };
        let all = 0..picture.pixels().len();
        planes.extend(all.map(|at| difference(at, channel).wrapping_sub(green(at))));
    }
    compressed(&planes)
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

    /// The inverse encoding, as in the page's script.
    fn restored(
        bytes: &[u8],
        [width, height]: [u32; 2],
        predicted: Predicted<'_>,
    ) -> Vec<[u32; 4]> {
        let all = unpacked(bytes);
        let count = (width * height) as usize;
        let zeros = u32::from(all[0]);
        let (pairs, planes) = all[1..].split_at(2 * count);
        let listed = planes.len() / 4;
        let mut list = (0..listed)
            .map(|at| u32::from_le_bytes([0, 1, 2, 3].map(|plane| planes[plane * listed + at])));
        let mut pixels = vec![[0; 4]; count];
        for channel in 0..4 {
            let mut orders = vec![0_u32; count];
            for at in 0..count {
                let pair = pairs[channel / 2 * count + at];
                let small = u32::from([pair >> 4, pair & 15][channel % 2]);
                let zigzag = match small {
                    LISTED => list.next().expect("one more"),
                    small => small,
                };
                let distance = (zigzag >> 1) ^ 0_u32.wrapping_sub(zigzag & 1);
                let from = match predicted {
                    Predicted::From(reference) => ordered(reference.pixels[at][channel].to_bits()),
                    _ => around(at, width as usize, |at| orders[at]),
                };
                orders[at] = from.wrapping_add(distance);
                let order = orders[at] << zeros;
                let is_positive = order >> 31 == 1;
                let bits = if is_positive {
                    order ^ (1 << 31)
                } else {
                    !order
                };
                pixels[at][channel] = bits >> zeros << zeros;
            }
        }
        pixels
    }

    fn bits(picture: &Picture) -> Vec<[u32; 4]> {
        let pixels = picture.pixels.iter();
        pixels.map(|pixel| pixel.map(f32::to_bits)).collect()
    }

    /// Floats of arbitrary bits, some not finite.
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
    fn half_floats_of_either_sign_come_back_and_others_are_rounded_to_the_next_one() {
        let rounded = |value: f32| {
            let picture = Picture::new([1, 1], vec![[value; 4]]).expect("a picture");
            let bytes = values(&picture, Predicted::Rounded).expect("bytes");
            f32::from_bits(restored(&bytes, [1, 1], Predicted::Rounded)[0][3])
        };
        for half in [
            0.0,
            -0.0,
            0.75,
            -0.75,
            65504.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
        ] {
            assert_eq!(rounded(half).to_bits(), half.to_bits(), "{half}");
            if half.is_normal() {
                assert_eq!([half.next_up(), half.next_down()].map(rounded), [half; 2]);
            }
        }
        assert_eq!(rounded(1.0 + 0.75 / 1024.0), 1.0 + 1.0 / 1024.0);
        assert!(rounded(f32::from_bits(0x7fff_ffff)).is_nan());
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
