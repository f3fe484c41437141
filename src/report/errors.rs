//! Error statistics that compare approximate methods, and a table of them.

use serde::{Deserialize, Serialize};

use super::canvas::Canvas;
use super::metrics::{Metrics, absolute_difference, percentile_99};
use super::table::{or_nothing, table};
use super::{Picture, check_pair, check_sizes};
use crate::error::Result;
use crate::model::format::three_digits;
use crate::model::methods::{Method, PixelBytes};

/// Errors in linear light, dominated by bright layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Linear {
    /// Root mean square error over pixels and channels.
    pub rmse: f64,
    /// 99th percentile over pixels of the largest channel error.
    pub p99: f64,
    pub max: f64,
    /// Mean error step between pixels across tile edges, divided by the mean step inside tiles. `None` without an
    /// error.
    pub seams: Option<f64>,
    /// Root mean square change of the error between frames of a slow camera. `None` for a single frame.
    pub flicker: Option<f64>,
}

/// Converts a root mean over four channels, with a fourth channel of 0, to a root mean over three.
pub const OF_THREE: f64 = 1.154_700_538_379_251_5;

impl Linear {
    /// Errors of one frame, before the background.
    fn of(reference: &Picture, picture: &Picture, tile: u32) -> Result<Self> {
        let metrics = Metrics::between(reference, picture)?;
        Ok(Self {
            rmse: metrics.rmse,
            p99: percentile_99(&absolute_difference(reference, picture)?),
            max: metrics.max_abs,
            seams: seams(reference, picture, tile)?,
            flicker: None,
        })
    }

    /// Errors of `rgb + T · background` in one frame. The pictures come from [`shown`].
    pub fn of_picture([exact, error]: &[Picture; 2], tile: u32) -> Result<Self> {
        let of = Self::of(exact, error, tile)?;
        let rmse = OF_THREE * of.rmse;
        Ok(Self { rmse, ..of })
    }
}

/// Reference and error of each pixel over its background, as two pictures. The reference is black, because adding the
/// background would cost the error digits.
pub fn shown(
    reference: &Picture,
    picture: &Picture,
    backgrounds: &[[f32; 4]],
) -> Result<[Picture; 2]> {
    check_pair(reference, picture)?;
    let pairs = reference.pixels.iter().zip(&picture.pixels);
    let error = pairs.zip(backgrounds).map(|((expected, found), behind)| {
        let off = |channel: usize| f64::from(found[channel]) - f64::from(expected[channel]);
        let shown = |channel| (off(channel) + off(3) * f64::from(behind[channel])) as f32;
        [shown(0), shown(1), shown(2), 0.0]
    });
    let error = Picture::new(reference.size, error.collect())?;
    let exact = Picture::new(reference.size, vec![[0.0; 4]; error.pixels.len()])?;
    Ok([exact, error])
}

/// Errors of a method's pictures. Pixels with a NaN or infinity are counted, and excluded from all other numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// Errors of red, green, blue and transmittance, before the background.
    #[serde(flatten)]
    pub before: Linear,
    /// Errors of the picture, `rgb + T · background`. Missing in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Linear>,
    /// Root mean square error of the displayed pictures, with red, green and blue from 0 to 1.
    pub displayed: f64,
    /// Mean of [`super::flip`].
    pub flip: f64,
    pub not_finite: u64,
    /// Number of pixels with a sum at the largest half float, or with more layers than their list can hold.
    #[serde(default)]
    pub overflowed: u32,
}

impl Errors {
    /// Errors of one frame with tiles of `tile` pixels, linear and displayed. The caller adds FLIP.
    pub fn of(
        reference: (&Picture, &Canvas),
        picture: (&Picture, &Canvas),
        tile: u32,
    ) -> Result<Self> {
        Ok(Self {
            before: Linear::of(reference.0, picture.0, tile)?,
            displayed: displayed_rmse(reference.1, picture.1)?,
            not_finite: Metrics::between(reference.0, picture.0)?.nan_count,
            ..Self::default()
        })
    }

    /// Errors in linear light, of the picture or before the background.
    pub fn linear(&self, of_picture: bool) -> Linear {
        self.picture.filter(|_| of_picture).unwrap_or(self.before)
    }
}

/// True if all have errors of their picture. A table never mixes the two kinds of errors.
pub fn have_pictures<'a>(errors: impl IntoIterator<Item = &'a Errors>) -> bool {
    errors.into_iter().all(|of| of.picture.is_some())
}

/// Label of the root mean square error in [`Errors::linear`].
pub fn name_of_rmse(of_picture: bool) -> &'static str {
    if of_picture {
        "RMSE"
    } else {
        "RMSE of r, g, b, T"
    }
}

pub struct ErrorRow {
    /// Name of the method with its options, as table text.
    pub name: String,
    pub method: Option<Method>,
    pub errors: Errors,
    /// Composite time including its input passes, in milliseconds.
    pub time: Option<f64>,
    pub bytes: Option<PixelBytes>,
    /// Bytes per pixel of the lists that the method reads and of its own buffers.
    pub list_bytes: Option<f64>,
}

type Column<'a> = (&'a str, &'a dyn Fn(&ErrorRow) -> Option<String>);

pub const ABOUT_ERRORS: &str = "Errors against the exact picture, `rgb + T · background`: in linear light, relative to the error of `average`, and as displayed. \
    In records of older versions, all errors except displayed ones are of red, green, blue and T before the background, as the column names say. \
    Seams: the error's step across tile edges relative to that inside tiles. Flicker: how much the error changes between frames of a slow camera. \
    Overflows: pixels with a sum at the largest half float, or with more layers than their list has room for. Time: the composite and the passes that make its inputs. \
    Bytes per pixel: *state* is what the kernel keeps, *bound* is the lists that it reads and its own buffers, and *drawn* is the targets that engines need besides the picture.";

/// The error table, smallest error first, without empty columns. Empty if there are no rows.
pub fn error_table(mut rows: Vec<ErrorRow>) -> String {
    let of_picture = have_pictures(rows.iter().map(|of| &of.errors));
    let linear = |of: &ErrorRow| of.errors.linear(of_picture);
    rows.sort_by(|a, b| linear(a).rmse.total_cmp(&linear(b).rmse));
    let base = rows.iter().find(|of| of.method == Some(Method::Average));
    let base = base.map(|of| linear(of).rmse).filter(|rmse| *rmse > 0.0);
    let columns: [Column; 14] = [
        (name_of_rmse(of_picture), &|of| {
            Some(three_digits(linear(of).rmse))
        }),
        ("of average", &|of| {
            base.map(|base| format!("{:.2}", linear(of).rmse / base))
        }),
        ("displayed", &|of| Some(three_digits(of.errors.displayed))),
        ("p99", &|of| Some(three_digits(linear(of).p99))),
        ("max", &|of| Some(three_digits(linear(of).max))),
        ("FLIP", &|of| Some(three_digits(of.errors.flip))),
        ("seams", &|of| linear(of).seams.map(three_digits)),
        ("flicker", &|of| linear(of).flicker.map(three_digits)),
        ("NaN", &|of| Some(of.errors.not_finite.to_string())),
        ("overflows", &|of| {
            let count = of.errors.overflowed;
            (count > 0).then(|| count.to_string())
        }),
        ("with inputs, ms", &|of| {
            of.time.map(|ms| format!("{ms:.4}"))
        }),
        ("state, B", &|of| Some(of.bytes?.state.to_string())),
        ("bound, B", &|of| {
            of.list_bytes.map(|bytes| format!("{bytes:.0}"))
        }),
        ("drawn, B", &|of| Some(of.bytes?.drawn?.to_string())),
    ];
    let has_any = |column: &Column| rows.iter().any(|of| column.1(of).is_some());
    let columns: Vec<_> = columns.into_iter().filter(has_any).collect();
    let titles: Vec<&str> = columns.iter().map(|column| column.0).collect();
    let cells = rows.iter().map(|of| {
        let numbers = columns.iter().map(|column| or_nothing(column.1(of)));
        [of.name.clone()].into_iter().chain(numbers).collect()
    });
    table(&["method"], &titles, cells)
}

/// Root mean square difference of displayed pictures. Channels are from 0 to 1.
fn displayed_rmse(reference: &Canvas, picture: &Canvas) -> Result<f64> {
    check_sizes(reference.size(), picture.size())?;
    let pairs = reference.pixels().as_flattened().iter();
    let pairs = pairs.zip(picture.pixels().as_flattened());
    let squares = pairs.map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2));
    let values = 3 * reference.pixels().len().max(1);
    Ok((squares.sum::<u64>() as f64 / values as f64).sqrt() / 255.0)
}

/// Error of each pixel and channel. 0 if the error is not finite.
fn errors(reference: &Picture, picture: &Picture) -> impl Iterator<Item = [f32; 4]> {
    let pairs = reference.pixels.iter().zip(&picture.pixels);
    pairs.map(|(expected, found)| {
        let error = [0, 1, 2, 3].map(|channel: usize| found[channel] - expected[channel]);
        let is_finite = error.iter().all(|of| of.is_finite());
        if is_finite { error } else { [0.0; 4] }
    })
}

fn seams(reference: &Picture, picture: &Picture, tile: u32) -> Result<Option<f64>> {
    check_pair(reference, picture)?;
    let errors: Vec<[f32; 4]> = errors(reference, picture).collect();
    let [width, height] = reference.size.map(|edge| edge as usize);
    let tile = tile.max(1) as usize;
    // Sum and number of error steps, inside tiles and across their edges.
    let mut steps = [(0.0, 0u64); 2];
    let mut add = |a: usize, b: usize, is_edge: bool| {
        let (sum, count) = &mut steps[usize::from(is_edge)];
        let pairs = errors[a].iter().zip(&errors[b]);
        *sum += pairs.map(|(a, b)| f64::from((a - b).abs())).sum::<f64>();
        *count += 1;
    };
    for y in 0..height {
        for x in 0..width {
            let at = y * width + x;
            if x > 0 {
                add(at - 1, at, x % tile == 0);
            }
            if y > 0 {
                add(at - width, at, y % tile == 0);
            }
        }
    }
    let [inside, across] = steps.map(|(sum, count)| sum / count as f64);
    let ratio = across / inside;
    Ok(ratio.is_finite().then_some(ratio))
}

#[derive(Default)]
pub struct Flicker {
    before: Vec<[f32; 4]>,
    squares: f64,
    values: u64,
}

impl Flicker {
    pub fn add(&mut self, reference: &Picture, picture: &Picture) -> Result<()> {
        check_pair(reference, picture)?;
        let now: Vec<[f32; 4]> = errors(reference, picture).collect();
        for (a, b) in now.as_flattened().iter().zip(self.before.as_flattened()) {
            self.squares += f64::from(a - b).powi(2);
            self.values += 1;
        }
        self.before = now;
        Ok(())
    }

    pub fn value(&self) -> Option<f64> {
        (self.values > 0).then(|| (self.squares / self.values as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(size: [u32; 2], value: impl Fn(u32, u32) -> f32) -> Picture {
        let places = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        let pixels = places.map(|(x, y)| [value(x, y); 4]).collect();
        Picture::new(size, pixels).expect("its size")
    }

    #[test]
    fn a_range_for_each_tile_shows_as_seams_and_noise_does_not() {
        let exact = picture([32, 32], |_, _| 0.5);
        let tiles = picture([32, 32], |x, y| 0.5 + ((x / 8 + y / 8) % 2) as f32 * 0.1);
        assert_eq!(seams(&exact, &exact, 8), Ok(None));
        assert_eq!(seams(&exact, &tiles, 8), Ok(None), "no step inside");
        let mut both = tiles;
        for (x, pixel) in (0..32).cycle().zip(&mut both.pixels) {
            *pixel = pixel.map(|value| value + x as f32 * 1e-3);
        }
        let found = seams(&exact, &both, 8).expect("one size");
        assert!(found.is_some_and(|ratio| ratio > 20.0), "{found:?}");
        let noise = picture([32, 32], |x, y| {
            ((x * 7919 + y * 104_729) % 101) as f32 * 0.01
        });
        let found = seams(&exact, &noise, 8).expect("one size").expect("steps");
        assert!((0.8..1.2).contains(&found), "{found}");
    }

    #[test]
    fn an_error_that_stays_does_not_flicker() {
        let exact = picture([4, 4], |_, _| 0.0);
        let (one, two) = (picture([4, 4], |_, _| 0.5), picture([4, 4], |_, _| 0.25));
        let mut flicker = Flicker::default();
        assert_eq!(flicker.value(), None);
        for picture in [&one, &one] {
            flicker.add(&exact, picture).expect("one size");
        }
        assert_eq!(flicker.value(), Some(0.0));
        flicker.add(&exact, &two).expect("one size");
        let expected = (0.25f64.powi(2) / 2.0).sqrt();
        let found = flicker.value().expect("three frames");
        assert!((found - expected).abs() < 1e-12, "{found}");
    }

    #[test]
    fn what_is_no_number_is_counted_and_left_out() {
        let exact = picture([8, 8], |_, _| 0.5);
        let mut broken = picture([8, 8], |_, _| 0.75);
        broken.pixels[9] = [f32::NAN; 4];
        let canvas = Canvas::from_rgba8([8, 8], &[128; 4 * 64]).expect("its size");
        let errors = Errors::of((&exact, &canvas), (&broken, &canvas), 4).expect("one size");
        let counted = (errors.not_finite, errors.before.max, errors.displayed);
        assert_eq!(counted, (1, 0.25, 0.0));
        assert!((errors.before.rmse - 0.25).abs() < 1e-12);
        let shown = shown(&exact, &broken, &[[0.0; 4]; 64]).expect("one size");
        let errors = Linear::of_picture(&shown, 4).expect("one size");
        assert!((errors.rmse - 0.25).abs() < 1e-12 && errors.max == 0.25);
    }
}
