//! A stack of equally sized pictures with mip levels, as a GPU reads them.

use std::sync::OnceLock;

use image::RgbaImage;
use image::imageops::{FilterType, resize};

use super::pictures::{Picture, most_edge};
use crate::model::colour::{linear_from_srgb_single, srgb_from_linear};

/// Square pictures of equal size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    /// Edge of the first level, texels: a power of two.
    pub edge: u32,
    pub layers: u32,
    /// Pictures of each level, one after another, rows from the top, four bytes per texel as in [`Picture`]. The last
    /// level has an edge of one texel.
    pub levels: Vec<Vec<u8>>,
}

impl Stack {
    /// Resizes pictures to the largest edge, rounded up to a power of two.
    pub fn of(pictures: &[&Picture]) -> Self {
        let longest = pictures.iter().flat_map(|picture| picture.size).max();
        let Some(longest) = longest else {
            return Self::default();
        };
        let edge = longest.next_power_of_two().min(most_edge(pictures.len()));
        let mut levels = vec![Vec::new(); edge.ilog2() as usize + 1];
        for picture in pictures {
            let mut texels = square(picture, edge);
            let mut size = edge as usize;
            for (level, smaller) in levels.iter_mut().enumerate() {
                if level > 0 {
                    texels = halved(&texels, size);
                    size /= 2;
                }
                smaller.extend_from_slice(&texels);
            }
        }
        Self {
            edge,
            layers: pictures.len() as u32,
            levels,
        }
    }
}

fn square(picture: &Picture, edge: u32) -> Vec<u8> {
    let [width, height] = picture.size;
    let texels = picture.texels.clone();
    match RgbaImage::from_raw(width, height, texels) {
        Some(image) if picture.size != [edge; 2] => {
            resize(&image, edge, edge, FilterType::Triangle).into_raw()
        }
        Some(image) => image.into_raw(),
        // The number of texels contradicts the size; no reader produces such a picture.
        None => vec![0; 4 * (edge as usize).pow(2)],
    }
}

/// Halves a square picture with an even edge: each texel is the mean of four in linear light, weighted by alpha.
fn halved(texels: &[u8], edge: usize) -> Vec<u8> {
    let curve = curve();
    let half = edge / 2;
    let mut smaller = Vec::with_capacity(texels.len() / 4);
    for y in 0..half {
        for x in 0..half {
            let at = |dx: usize, dy: usize| 4 * ((2 * y + dy) * edge + 2 * x + dx);
            let four = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
            let alphas = four.map(|at| u32::from(texels[at + 3]));
            let alpha: u32 = alphas.iter().sum();
            // Where nothing is visible, all texels have the same weight.
            let (weights, all) = match alpha {
                0 => ([1; 4], 4),
                _ => (alphas, alpha),
            };
            for channel in 0..3 {
                let sum: f32 = (four.iter().zip(weights))
                    .map(|(at, weight)| {
                        curve.linear[usize::from(texels[at + channel])] * weight as f32
                    })
                    .sum();
                smaller.push(curve.encoded(sum / all as f32));
            }
            smaller.push(((alpha + 2) / 4) as u8);
        }
    }
    smaller
}

struct Curve {
    linear: [f32; 256],
    /// Encoded byte for the square root of the linear value, evenly spaced from 0 to 1.
    encoded: Vec<u8>,
}

const STEPS: usize = 4096;

impl Curve {
    fn encoded(&self, linear: f32) -> u8 {
        let step = (linear.sqrt() * (STEPS - 1) as f32 + 0.5) as usize;
        self.encoded[step.min(STEPS - 1)]
    }
}

pub fn linear(byte: u8) -> f32 {
    curve().linear[usize::from(byte)]
}

fn curve() -> &'static Curve {
    static CURVE: OnceLock<Curve> = OnceLock::new();
    CURVE.get_or_init(|| {
        let linear = |byte: usize| linear_from_srgb_single(byte as f32 / 255.0);
        let encoded = |step: usize| {
            let linear = (step as f64 / (STEPS - 1) as f64).powi(2);
            (255.0 * srgb_from_linear(linear) + 0.5) as u8
        };
        Curve {
            linear: std::array::from_fn(linear),
            encoded: (0..STEPS).map(encoded).collect(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(size: [u32; 2], texel: impl Fn(u32, u32) -> [u8; 4]) -> Picture {
        let places = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        Picture {
            size,
            texels: places.flat_map(|(x, y)| texel(x, y)).collect(),
        }
    }

    #[test]
    fn pictures_come_to_one_size_with_levels_down_to_a_texel() {
        let [small, long] = [
            picture([2, 2], |_, _| [200, 100, 0, 255]),
            picture([3, 5], |_, _| [0, 100, 200, 255]),
        ];
        let stack = Stack::of(&[&small, &long]);
        assert_eq!((stack.edge, stack.layers, stack.levels.len()), (8, 2, 4));
        for (level, texels) in stack.levels.iter().enumerate() {
            let each = 4 * (8usize >> level).pow(2);
            assert_eq!(texels.len(), 2 * each);
            assert_eq!(texels[..4], [200, 100, 0, 255], "level {level}");
            assert_eq!(texels[each..each + 4], [0, 100, 200, 255], "level {level}");
        }
        assert_eq!(Stack::of(&[]), Stack::default());
    }

    #[test]
    fn means_are_those_of_light_and_hidden_texels_do_not_darken_them() {
        let checks = picture([2, 2], |x, y| match (x + y) % 2 {
            0 => [255, 255, 255, 255],
            _ => [0, 0, 0, 255],
        });
        // Half the light is 188 in sRGB; the mean of the bytes would be 128.
        assert_eq!(Stack::of(&[&checks]).levels[1], [188, 188, 188, 255]);
        let leaf = picture([2, 2], |x, _| match x {
            0 => [10, 200, 30, 255],
            _ => [0, 0, 0, 0],
        });
        assert_eq!(Stack::of(&[&leaf]).levels[1], [10, 200, 30, 128]);
    }
}
