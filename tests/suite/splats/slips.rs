//! Mistakes of programs that write PLY: the reader guesses the obvious intention.

use std::io::{BufReader, Read as _};

use glam::Vec3;
use wavelerp::model::files::{InMemory, Opened};
use wavelerp::model::kind::FileKind::{Model, Scene};
use wavelerp::model::kind::{FileKind, SplatKind, kind_at_start};
use wavelerp::model::scene;

use super::bad_files::{in_text, refused, replaced};
use super::write::{Format, compressed, header_of, inria, some_splats};
use super::{EXACT, bytes_of, difference, good};
use crate::harness::says;

#[test]
fn lines_end_in_lf_cr_or_both_also_before_binary_rows() {
    let mut splats = some_splats(1);
    // The first byte of the rows is the same as LF.
    splats.positions[0].x = f32::from_le_bytes([b'\n', 0, 0, 0x40]);
    for format in [Format::Little, Format::Text] {
        let file = inria(&splats, format);
        let expected = good(&file, "a.ply");
        let (header, rows) = file.split_at(header_of(&file));
        let header = String::from_utf8_lossy(header);
        let mixed = header
            .replacen("property", "\rproperty", 3)
            .replace(" 1.0\n", " 1.0\r\n");
        for header in [
            header.replace('\n', "\r"),
            header.replace('\n', "\r\n"),
            mixed,
        ] {
            let rows = match format {
                Format::Text => &*String::from_utf8_lossy(rows)
                    .replace('\n', "\r")
                    .into_bytes(),
                _ => rows,
            };
            let file = [b"\xef\xbb\xbf", header.as_bytes(), rows].concat();
            assert_eq!(good(&file, "a.ply"), expected, "{header:?}");
        }
    }
}

#[test]
fn a_property_twice_is_read_past_unless_it_is_needed_and_headers_may_be_long() {
    let splats = some_splats(1);
    let file = inria(&splats, Format::Little);
    let expected = good(&file, "a.ply");
    let twice = replaced(&file, b"float nz", b"float nx");
    assert_eq!(good(&twice, "a.ply"), expected);
    for name in ["x", "scale_2", "rot_3"] {
        let twice = replaced(&file, b"float nz", format!("float {name}").as_bytes());
        let said = format!("its vertex element has the property {name} twice; remove one");
        says(refused(&twice, "a.ply"), said);
    }
    let long = "comment much was done\n".repeat(10_000);
    let long = replaced(&file, b"comment a test\n", long.as_bytes());
    assert_eq!(good(&long, "a.ply"), expected);
}

#[test]
fn numbers_are_read_as_programs_of_any_language_and_country_write_them() {
    let (header, rows) = in_text(&some_splats(0));
    let file = |change: &dyn Fn(&str) -> String| format!("{header}{}", change(&rows)).into_bytes();
    let expected = good(&file(&str::to_owned), "a.ply");
    for change in [
        &(|rows: &str| rows.replace('.', ",")) as &dyn Fn(&str) -> String,
        &|rows| rows.replace("0.25", "2.5D-01"),
        &|rows| rows.replace("0.25 ", ".25, "),
    ] {
        assert_ne!(change(&rows), rows, "a change");
        assert_eq!(good(&file(change), "a.ply"), expected);
    }
    // The opacity of the first row precedes its scales.
    for (word, opacity) in [
        ("1.#INF", 1.0),
        ("-1.#INF00", 0.0),
        ("-Infinity", 0.0),
        ("\u{221e}", 1.0),
    ] {
        let first = |rows: &str| rows.replacen("0.25 0 ", &format!("0.25 {word} "), 1);
        assert_eq!(good(&file(&first), "a.ply").opacities[0], opacity, "{word}");
    }
    for word in ["-1.#IND", "1.#QNAN", "nan", "-nan(ind)", "NaNQ", "1.#J"] {
        let first = |rows: &str| rows.replacen("0.25 0 ", &format!("0.25 {word} "), 1);
        let read = good(&file(&first), "a.ply");
        assert_eq!(read.len(), 4, "{word}");
        assert!(read.remarks[0].starts_with("1 of 5 splats are left out"));
    }
    for word in ["1,234.5", "0x10", "none"] {
        let first = |rows: &str| rows.replacen("0.25 0 ", &format!("0.25 {word} "), 1);
        says(
            refused(&file(&first), "a.ply"),
            format!("opacity is `{word}`"),
        );
    }
}

#[test]
fn a_chunk_that_begins_or_ends_at_infinity_keeps_what_is_at_its_other_end() {
    let file = compressed(&some_splats(0));
    let at = header_of(&file);
    let plain = good(&file, "a.ply");
    // The smallest and largest positions, scales and colours come before the words.
    let with = |place: usize, value: f32, part: u32| {
        let mut file = file.clone();
        for axis in 0..3 {
            file[at + 4 * (place + axis)..][..4].copy_from_slice(&value.to_le_bytes());
        }
        for splat in 0..5 {
            file[at + 72 + 16 * splat + 8..][..4].copy_from_slice(&part.to_le_bytes());
        }
        file
    };
    let (lowest, greatest) = (6, 9);
    let read = good(&with(lowest, f32::NEG_INFINITY, u32::MAX), "a.ply");
    assert_eq!(difference(&read, &plain, &EXACT), None);
    let read = good(&with(greatest, f32::INFINITY, 0), "a.ply");
    assert_eq!(difference(&read, &plain, &EXACT), None);
    let read = good(&with(lowest, f32::NEG_INFINITY, 0), "a.ply");
    assert_eq!(read.scales, [Vec3::ZERO; 5]);
    let reason = refused(&with(greatest, f32::INFINITY, u32::MAX), "a.ply");
    says(reason, "none of its 5 splats can be shown");
}

#[test]
fn comments_name_the_axis_that_is_up_in_many_ways() {
    let file = inria(&some_splats(0), Format::Little);
    for (comment, axes) in [
        ("Vertical Axis: z", "rfu"),
        ("vertical axis is Z", "rfu"),
        ("up_axis = +Z", "rfu"),
        ("upAxis: Z", "rfu"),
        ("Up-axis:z", "rfu"),
        ("exported z-up by a program", "rfu"),
        ("coordinates: Y up, right-handed", "rub"),
        ("up axis: -Y", "rdf"),
        ("the up direction is -z", "rbd"),
        ("set up by zoe", "rdf"),
        ("a test", "rdf"),
    ] {
        let read = good(&replaced(&file, b"a test", comment.as_bytes()), "a.ply");
        assert_eq!(read.axes.to_string(), axes, "{comment}");
    }
}

#[test]
fn the_unit_of_a_file_does_not_matter() {
    let load = |unit: f32| {
        let mut splats = super::read_fixture("inria-1.ply");
        splats.positions.iter_mut().for_each(|place| *place *= unit);
        splats.scales.iter_mut().for_each(|scale| *scale *= unit);
        let bytes = inria(&splats, Format::Little);
        let files = [("a.ply", &*bytes)];
        scene::load("a.ply", &InMemory(&files)).expect("a scene")
    };
    let plain = load(1.0);
    assert!(bytes_of("inria-1.ply").len() > 100);
    for unit in [1e-6, 1e-5, 1e-3, 1e3, 1e5] {
        let scene = load(unit);
        let near = |found: f32, expected: f32| {
            let most = 1e-3 * unit * plain.size();
            assert!((found - unit * expected).abs() < most, "{found} in {unit}");
        };
        for (found, expected) in scene.cameras.iter().zip(&plain.cameras) {
            for axis in 0..3 {
                near(found.eye[axis], expected.eye[axis]);
                near(found.target[axis], expected.target[axis]);
            }
        }
        near(scene.near, plain.near.min(1e3 / unit));
    }
}

#[test]
fn a_file_is_what_it_is_wherever_in_it_that_stands_and_is_read_from_its_beginning_afterwards() {
    let far = " ".repeat(200_000);
    let json = format!("{{{far}\"KHR_gaussian_splatting\": {{}}}}");
    let length = (json.len() as u32).to_le_bytes();
    let glb = [
        b"glTF\x02\0\0\0....",
        &length[..],
        b"JSON",
        json.as_bytes(),
        b"more",
    ]
    .concat();
    for (bytes, kind) in [
        (json.as_bytes(), FileKind::Splats(SplatKind::Gltf)),
        (&glb, FileKind::Splats(SplatKind::Gltf)),
        (
            format!("//{far}\n{{\"asset\": {far}1, \"version\": 2}}").as_bytes(),
            Model,
        ),
        (format!("{far}(name: 1)").as_bytes(), Scene),
        (
            format!("PK\x03\x04{far}meta.json").as_bytes(),
            FileKind::Splats(SplatKind::Sog),
        ),
    ] {
        let mut file = Opened {
            bytes: Box::new(BufReader::with_capacity(1 << 16, bytes)),
            length: bytes.len() as u64,
        };
        let name = if bytes == json.as_bytes() {
            "a.gltf"
        } else {
            "a"
        };
        assert_eq!(kind_at_start(&mut file, name).ok(), Some(kind));
        let mut all = Vec::new();
        file.bytes.read_to_end(&mut all).expect("memory");
        assert!(all == bytes, "the whole file is read");
    }
}
