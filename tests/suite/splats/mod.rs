//! Splat files: files of other programs, round trips through our own writers, and errors for invalid files.
//! `tests/data/splats/README.md` lists the sources of the files.

pub mod bad_files;
pub mod memory;
mod odd_files;
mod packed_bad_files;
pub mod packed_kinds;
mod slips;
pub mod write;

use std::path::{Path, PathBuf};

use glam::{Quat, Vec3};
use proptest::prelude::*;
use wavelerp::error::{Error, Result};
use wavelerp::model::files::Opened;
use wavelerp::model::splats;
use wavelerp::model::splats::{How, Splats};
use wavelerp::progress::Progress;

use write::{Format, Spz, antimatter, axes, compressed, inria, spz};

/// Path of a file in tests/data/splats.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data/splats")
        .join(name)
}

/// Bytes of a file in tests/data/splats.
pub fn bytes_of(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).expect("the fixture")
}

/// Reads a file in tests/data/splats.
pub fn read_fixture(name: &str) -> Splats {
    good(&bytes_of(name), name)
}

/// Reads bytes that must be a valid file.
fn good(bytes: &[u8], name: &str) -> Splats {
    of_bytes(bytes, name).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads bytes as a file called `name`.
pub fn of_bytes(bytes: &[u8], name: &str) -> Result<Splats> {
    read_as(bytes, name, How::default())
}

/// Reads bytes as a file called `name` with the given options.
pub fn read_as(bytes: &[u8], name: &str, how: How) -> Result<Splats> {
    splats::read(Opened::of(bytes), name, how, &mut |_| Ok(()))
}

/// Allowed differences between two splats, which follow from a file format's precision.
pub struct Tolerance {
    position: f32,
    /// Allowed difference between the logarithms of scales.
    scale: f32,
    /// Allowed difference between components of quaternions.
    rotation: f32,
    opacity: f32,
    constant: f32,
    rest: f32,
}

/// Tolerance for two files that store the same numbers.
pub const EXACT: Tolerance = Tolerance {
    position: 1e-5,
    scale: 1e-5,
    rotation: 1e-5,
    opacity: 2e-6,
    constant: 1e-5,
    rest: 1e-5,
};

/// The first difference between two sets of splats beyond the tolerance.
fn difference(a: &Splats, b: &Splats, tolerance: &Tolerance) -> Option<String> {
    let [of_a, of_b] = [a, b].map(|splats| (splats.len(), splats.degree));
    if of_a != of_b {
        return Some(format!("{of_a:?} and {of_b:?}"));
    }
    let terms = a.coefficients();
    (0..a.len()).find_map(|index| {
        let apart = |what: &str, apart: f32, most: f32| {
            (apart > most || apart.is_nan()).then(|| format!("splat {index}, {what}: {apart}"))
        };
        let vectors = |what: &str, a: Vec3, b: Vec3, most: f32| {
            apart(what, (a - b).abs().max_element(), most)
        };
        let (p, q) = (a.rotations[index], b.rotations[index]);
        let q = if p.dot(q) < 0.0 { -q } else { q };
        let turned = glam::Vec4::from(p) - glam::Vec4::from(q);
        let scales = [a, b].map(|splats| splats.scales[index].map(f32::ln));
        let opacity = a.opacities[index] - b.opacities[index];
        let harmonics = (0..terms).find_map(|term| {
            let [a, b] = [a, b].map(|splats| splats.harmonics[index * terms + term]);
            let most = match term {
                0 => tolerance.constant,
                _ => tolerance.rest,
            };
            vectors(&format!("term {term}"), a, b, most)
        });
        let [place, other] = [a, b].map(|splats| splats.positions[index]);
        vectors("position", place, other, tolerance.position)
            .or_else(|| vectors("scales", scales[0], scales[1], tolerance.scale))
            .or_else(|| apart("rotation", turned.abs().max_element(), tolerance.rotation))
            .or_else(|| apart("opacity", opacity.abs(), tolerance.opacity))
            .or(harmonics)
    })
}

/// Strategy for any number of splats of a degree.
fn any_splats(degree: u8) -> impl Strategy<Value = Splats> {
    let terms = (usize::from(degree) + 1).pow(2);
    let vector = |range: std::ops::Range<f32>| [range.clone(), range.clone(), range];
    let rotation = [-1.0_f32..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0];
    let rotation = rotation.prop_filter("a direction", |q| Quat::from_array(*q).length() > 0.1);
    let splat = (
        vector(-100.0..100.0),
        rotation,
        vector(-9.0..1.0),
        0.001_f32..0.999,
        prop::collection::vec(vector(-0.9..0.9), terms),
    );
    prop::collection::vec(splat, 1..40).prop_map(move |list| {
        let mut splats = Splats {
            degree,
            ..Splats::default()
        };
        for (position, rotation, scale, opacity, harmonics) in list {
            let rotation = Quat::from_array(rotation).normalize();
            splats.positions.push(position.into());
            splats.rotations.push(rotation);
            splats.scales.push(Vec3::from(scale).exp());
            splats.opacities.push(opacity);
            let harmonics = harmonics.into_iter().map(Vec3::from);
            splats.harmonics.extend(harmonics);
        }
        splats
    })
}

#[test]
fn a_file_of_training_is_read_as_its_numbers_are_meant() {
    let splats = read_fixture("inria-1.ply");
    let counts = (splats.len(), splats.degree, splats.harmonics.len());
    assert_eq!(counts, (40, 1, 160));
    assert_eq!(splats.bytes(), 40 * (12 + 16 + 12 + 4 + 4 * 12));
    // Bytes of the second row, at offsets that follow from the header's order.
    let bytes = bytes_of("inria-1.ply");
    let numbers = bytes.len() - 40 * 23 * 4;
    let number = |at: usize| {
        let at = numbers + (23 + at) * 4;
        f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
    };
    let three = |at: [usize; 3]| Vec3::from(at.map(number));
    assert_eq!(splats.positions[1], three([0, 1, 2]));
    let apart = splats.scales[1] - three([3, 4, 5]).exp();
    assert!(apart.abs().max_element() < 1e-6, "{apart}");
    assert_eq!(splats.harmonics[4], three([6, 7, 8]));
    let opacity = 1.0 / (1.0 + f64::from(-number(9)).exp());
    assert!((f64::from(splats.opacities[1]) - opacity).abs() < 1e-6);
    let rotation = Quat::from_xyzw(number(11), number(12), number(13), number(10)).normalize();
    assert!(splats.rotations[1].dot(rotation) > 1.0 - 1e-6);
    // The other coefficients are all of red, then green, then blue.
    for term in 0..3 {
        let expected = three([14 + term, 17 + term, 20 + term]);
        assert_eq!(splats.harmonics[5 + term], expected);
    }
}

#[test]
fn a_quaternion_of_length_zero_is_left_out_and_every_other_becomes_a_unit() {
    let mut splats = read_fixture("inria-0.ply");
    for (index, length) in [0.0, 1e-30, 1e30, 3.0].into_iter().enumerate() {
        let turned = Quat::from_xyzw(0.6, 0.0, 0.0, 0.8);
        splats.rotations[index] = turned * length;
    }
    let read = good(&inria(&splats, Format::Little), "a.ply");
    assert_eq!(read.numbers.left_out, [0]);
    for index in 0..3 {
        let turned = Quat::from_xyzw(0.6, 0.0, 0.0, 0.8);
        assert!(read.rotations[index].dot(turned) > 1.0 - 1e-6, "{index}");
    }
}

#[test]
fn the_reader_tells_how_far_it_is_and_stops_when_it_is_told_to() {
    let bytes = bytes_of("inria-3.ply");
    let read = |tell: &mut dyn FnMut(Progress) -> Result<()>| {
        splats::read(Opened::of(&bytes), "a.ply", How::default(), tell)
    };
    let mut last = None;
    let whole = read(&mut |progress| {
        last = Some(progress);
        Ok(())
    });
    assert!(whole.is_ok());
    let last = last.expect("the reader reports progress");
    assert_eq!((last.next.as_str(), last.done), ("read a.ply", 1.0));
    let stopped = read(&mut |_| Err(Error::failed("stopped")));
    assert_eq!(stopped.expect_err("a stop").message, "stopped");
}

proptest! {
    #[test]
    fn splats_of_training_come_back_in_every_form_of_ply(
        splats in (0_u8..=3).prop_flat_map(any_splats),
    ) {
        for format in [Format::Little, Format::Big, Format::Text, Format::Doubles] {
            let read = good(&inria(&splats, format), "a.ply");
            prop_assert_eq!(difference(&read, &splats, &EXACT), None);
        }
        // Negative control: another file is detected.
        let mut other = splats.clone();
        other.positions[0].x += 0.01;
        let read = good(&inria(&other, Format::Little), "a.ply");
        prop_assert!(difference(&read, &splats, &EXACT).is_some());
    }
}

/// Tolerance for `.splat`.
const OF_BYTES: Tolerance = Tolerance {
    rotation: 0.012,
    opacity: 0.5 / 255.0 + 1e-6,
    constant: 0.5 / 255.0 / 0.28 + 1e-4,
    ..EXACT
};

/// Tolerance for compressed PLY, with positions within 200 and logarithms of scales within 10.
const OF_WORDS: Tolerance = Tolerance {
    position: 0.5 * 200.0 / 1023.0 * 1.01,
    scale: 0.5 * 10.0 / 1023.0 * 1.01,
    rotation: 0.003,
    opacity: 0.5 / 255.0 + 1e-6,
    constant: 0.5 * 2.0 / 255.0 * 1.1,
    rest: 8.0 / 256.0,
};

/// Tolerance for SPZ. Version 2 omits the real part of a quaternion, which loses precision if that part is small.
fn of_spz(version: u32) -> Tolerance {
    Tolerance {
        position: 0.5 / 4096.0 * 1.1,
        scale: 0.5 / 16.0 * 1.01,
        rotation: if version == 2 { 0.12 } else { 0.003 },
        opacity: 0.5 / 255.0 + 1e-6,
        constant: 0.5 / 255.0 / 0.15 * 1.01,
        rest: 0.5 / 128.0 + 1e-6,
    }
}

/// Parameters of an SPZ without a change of axes.
fn plain(version: u32) -> Spz {
    Spz::of(version).with(axes(6))
}

#[test]
fn every_kind_of_file_is_read_as_splat_transform_reads_it() {
    let files = "packed-0.compressed.ply packed-1.compressed.ply packed-2.compressed.ply packed-3.compressed.ply \
                 v2-1.spz v2-3.spz v3-1.spz v3-3.spz v4-0.spz v4-2.spz v4-3.spz plain-4-1.spz \
                 sog-1.sog sog-3.sog k0-2.ksplat k1-1.ksplat k2-2.ksplat";
    for name in files.split(' ') {
        let (stem, _) = name.split_once('.').expect("an ending");
        let expected = read_fixture(&format!("decoded/{stem}.ply"));
        // splat-transform 2 wrote version 4 with SPZ's axes; later versions write their own axes.
        let how = How {
            axes: name.starts_with("v4").then(|| "rub".parse().expect("axes")),
            ..How::default()
        };
        let read = read_as(&bytes_of(name), name, how).expect("the file is read");
        // splat-transform stores opacities as bounded logits, so the smallest and largest opacities differ a little.
        assert_eq!(difference(&read, &expected, &EXACT), None, "{name}");
        // Negative control: the splats before packing differ.
        let degree = read.degree;
        if read.len() == 40 {
            let before = read_fixture(&format!("inria-{degree}.ply"));
            assert!(difference(&read, &before, &EXACT).is_some(), "{name}");
        }
    }
    // splat-transform takes 127.5 as the zero of a quaternion's bytes; we take 128, like the format's inventor.
    let [read, expected] = ["bytes.splat", "decoded/bytes.ply"].map(read_fixture);
    assert_eq!(difference(&read, &expected, &OF_BYTES), None);
}

#[test]
fn the_outermost_coefficients_of_compressed_ply_are_the_ends_of_their_range() {
    let mut splats = write::some_splats(1);
    splats.harmonics[1..4].copy_from_slice(&[Vec3::splat(-4.0), Vec3::splat(4.0), Vec3::ZERO]);
    let read = good(&compressed(&splats), "a.ply");
    let expected = [-4.0, 4.0, 0.5 / 256.0 * 8.0].map(Vec3::splat);
    assert_eq!(read.harmonics[1..4], expected);
}

#[test]
fn what_a_file_is_does_not_depend_on_its_name() {
    for name in "inria-1.ply packed-1.compressed.ply v3-1.spz v4-2.spz".split(' ') {
        let expected = read_fixture(name);
        for other in ["a", "a.ply", "a.spz", "a.txt"] {
            assert_eq!(good(&bytes_of(name), other), expected, "{name}");
        }
    }
}

/// Colour of harmonics in a direction, computed with the polynomials of the terms.
pub fn colour(harmonics: &[Vec3], direction: Vec3) -> Vec3 {
    let Vec3 { x, y, z } = direction;
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let terms = [
        0.28209479,
        -0.48860252 * y,
        0.48860252 * z,
        -0.48860252 * x,
        1.0925485 * x * y,
        -1.0925485 * y * z,
        0.31539157 * (2.0 * zz - xx - yy),
        -1.0925485 * x * z,
        0.54627424 * (xx - yy),
        -0.590_043_6 * y * (3.0 * xx - yy),
        2.8906114 * x * y * z,
        -0.457_045_8 * y * (4.0 * zz - xx - yy),
        0.37317634 * z * (2.0 * zz - 3.0 * xx - 3.0 * yy),
        -0.457_045_8 * x * (4.0 * zz - xx - yy),
        1.4453057 * z * (xx - yy),
        -0.590_043_6 * x * (xx - 3.0 * yy),
    ];
    let pairs = harmonics.iter().zip(terms);
    pairs.map(|(term, value)| *term * value).sum()
}

#[test]
fn axes_of_any_kind_become_those_of_training_with_all_that_depends_on_them() {
    let splats = read_fixture("inria-3.ply");
    let written = |how: Spz| good(&spz(&splats, &how), "a.spz");
    let as_they_are = written(plain(3));
    // Right, up and front are 1. In the axes of training, only up is -1, because the second axis points down.
    for number in 0..=8_u32 {
        for version in [2, 3, 4] {
            let read = written(Spz::of(version).with(axes(number)));
            // Without a number, version 4 has the axes of PLY, and older versions have right, up, back.
            let bits = match (number, version) {
                (0, 4) => 5,
                (0, _) => 3,
                _ => number - 1,
            };
            let sign = |bit: u32, training: bool| match (bits >> bit & 1 == 1) == training {
                true => 1.0,
                false => -1.0,
            };
            let signs = Vec3::new(sign(0, true), sign(1, false), sign(2, true));
            let mirror = glam::Mat3::from_diagonal(signs);
            for index in 0..read.len() {
                assert_eq!(read.positions[index], as_they_are.positions[index] * signs);
                if version == 2 {
                    continue;
                }
                let spread = |splats: &Splats| {
                    let axes = glam::Mat3::from_quat(splats.rotations[index]);
                    let scales = splats.scales[index];
                    axes * glam::Mat3::from_diagonal(scales * scales) * axes.transpose()
                };
                let expected = mirror * spread(&as_they_are) * mirror;
                let is_it = expected.abs_diff_eq(spread(&read), 1e-5);
                assert!(is_it, "axes {number}, splat {index}");
                let direction = Vec3::new(0.36, 0.48, -0.8);
                let harmonics = |splats: &Splats| splats.harmonics[index * 16..][..16].to_vec();
                let expected = colour(&harmonics(&as_they_are), direction);
                let turned = colour(&harmonics(&read), direction * signs);
                let apart = (expected - turned).abs().max_element();
                assert!(apart < 1e-5, "axes {number}, splat {index}");
                // Negative control: the terms depend on direction.
                let other = colour(&harmonics(&as_they_are), -direction);
                assert!((expected - other).abs().max_element() > 1e-3);
            }
        }
    }
    // A file without axes has axes number 4.
    let silent = written(Spz::of(3)).positions;
    assert_eq!(silent, written(Spz::of(3).with(axes(4))).positions);
}

proptest! {
    #[test]
    fn splats_come_back_from_packed_files_as_far_as_these_keep_them(
        splats in (0_u8..=3).prop_flat_map(any_splats),
    ) {
        for version in [2, 3, 4] {
            let read = good(&spz(&splats, &plain(version)), "a.spz");
            prop_assert_eq!(difference(&read, &splats, &of_spz(version)), None);
        }
        let packed = good(&compressed(&splats), "a.ply");
        prop_assert_eq!(difference(&packed, &splats, &OF_WORDS), None);
        let bytes = good(&antimatter(&splats), "a.splat");
        let mut constant = splats.clone();
        constant.degree = 0;
        constant.harmonics = splats.harmonics.chunks(splats.coefficients()).map(|terms| terms[0]).collect();
        prop_assert_eq!(difference(&bytes, &constant, &OF_BYTES), None);
    }
}
