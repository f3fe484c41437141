//! Compares means with the results of the authors' own code, and checks that changes show.
//!
//! The expected means come from crate `nv-flip` 0.1.2 at `pixels_per_degree(0.7, 3840.0, 0.7)`. At the crate's default
//! of 67 they differ by up to 7.3e-5.

use super::*;
use crate::report::canvas::Rgb;
use crate::report::png_file::decode_png;

/// A crop of a picture in `screenshots/`. It is stored separately because the original is regenerated.
const TEMPLE: &[u8] = include_bytes!("../../../tests/data/flip/temple.png");

/// Tolerance of a mean. A fault must change it by more than [`FAULT`].
const CLOSE: f64 = 1e-5;
const FAULT: f64 = 1e-4;

fn drawn(size: [u32; 2], colour: impl Fn(i32, i32) -> Rgb) -> Canvas {
    let pixels = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| [x as i32, y as i32]));
    let pixels = pixels.map(|[x, y]| colour(x, y)).collect();
    Canvas::from_pixels(size, pixels).expect("a colour for each pixel")
}

/// The pixel at a position, or the nearest pixel.
fn at(picture: &Canvas, x: i32, y: i32) -> Rgb {
    let [width, height] = picture.size().map(|edge| edge as i32);
    let nearest = [x.clamp(0, width - 1), y.clamp(0, height - 1)];
    picture.get(nearest).expect("inside")
}

fn shifted(picture: &Canvas) -> Canvas {
    drawn(picture.size(), |x, y| at(picture, x - 1, y))
}

/// Name, two pictures, and their mean according to `nv-flip`.
fn cases() -> [(&'static str, [Canvas; 2], f64); 4] {
    let grey = Canvas::filled([64, 48], [128; 3]);
    let mut square = grey.clone();
    square.fill([20, 10], [8, 8], [255, 0, 0]);
    let plain = drawn([5, 70], |_, y| [90, (y * 3) as u8, 40]);
    let mut lines = plain.clone();
    lines.fill([2, 0], [1, 70], [250, 250, 250]);
    lines.fill([0, 33], [5, 2], [0, 0, 90]);
    let green = drawn([40, 40], |x, _| [0, 255, if x < 13 { 255 } else { 0 }]);
    let blue = drawn([40, 40], |_, y| [if y < 11 { 255 } else { 0 }, 0, 255]);
    let temple = decode_png(TEMPLE).expect("a PNG");
    let moved = shifted(&temple);
    [
        ("a square", [grey, square], 0.027_583_2),
        ("smaller than the filters", [plain, lines], 0.664_348_3),
        ("saturated", [green, blue], 0.993_403_5),
        ("temple, shifted", [temple, moved], 0.017_716_2),
    ]
}

#[test]
fn the_means_are_those_of_the_authors_program() {
    for (what, [reference, picture], expected) in cases() {
        let error = |pixels_per_degree| {
            let seen = DisplayedPicture::at(reference.clone(), pixels_per_degree);
            seen.mean_difference(&picture).expect("one size") - expected
        };
        let here = error(PIXELS_PER_DEGREE);
        assert!(here.abs() < CLOSE, "{what}: {here:e}");
        // Green and blue differ as much as possible, from any viewing distance.
        let elsewhere = error(0.9 * PIXELS_PER_DEGREE);
        let is_fault = elsewhere.abs() > FAULT;
        assert_eq!(is_fault, what != "saturated", "{what}: {elsewhere:e}");
    }
}

#[test]
fn bands_that_are_left_out_have_no_difference() {
    let reference = Canvas::filled([20, 350], [90, 120, 40]);
    let mut picture = reference.clone();
    picture.fill([3, 40], [4, 1], [255; 3]);
    picture.fill([9, 291], [1, 3], [0, 0, 200]);
    let seen = DisplayedPicture::new(reference);
    let differences = seen.differences(&picture).expect("one size");
    let whole = DisplayedPicture::new(picture);
    let mut expected = [1.0; 20];
    let rows = seen.rows.chunks_exact(PLANES * 20);
    for (y, (a, b)) in rows.zip(whole.rows.chunks_exact(PLANES * 20)).enumerate() {
        seen.viewer.colours.differences(a, b, &mut expected);
        assert_eq!(differences[20 * y..][..20], expected, "row {y}");
    }
    assert!(differences[20 * 38 + 5] > 0.0 && differences[20 * 287 + 9] > 0.0);
}

#[test]
fn pictures_of_two_sizes_are_not_compared_and_an_empty_one_differs_from_none() {
    let seen = DisplayedPicture::new(Canvas::filled([4, 3], [0; 3]));
    let other = Canvas::filled([3, 4], [0; 3]);
    let error = seen.mean_difference(&other).expect_err("two sizes");
    assert!(error.message.contains("4x3"), "{error}");
    for size in [[0, 0], [0, 5], [5, 0]] {
        let empty = Canvas::filled(size, [0; 3]);
        assert_eq!(
            DisplayedPicture::new(empty.clone()).mean_difference(&empty),
            Ok(0.0)
        );
    }
}
