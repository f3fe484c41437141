//! Files that deviate from their format, but that other viewers show. The program shows each of them, too, with a remark
//! on anything that was left out, moved or guessed.

use glam::{DVec3, Quat, Vec3};
use serde_json::{Value, json};
use wavelerp::model::files::Opened;
use wavelerp::model::splats;
use wavelerp::model::splats::{Axes, How, SplatFilter, Splats};

use super::bad_files::{in_text, reason, refused, replaced};
use super::packed_kinds::first_version;
use super::write::{Format, Spz, axes, header_of, inria, some_splats, spz};
use super::{EXACT, bytes_of, difference, good, read_as, read_fixture};
use crate::harness::says;

/// `splats` without some of them.
fn without(splats: &Splats, left_out: &[usize]) -> Splats {
    let mut rest = Splats {
        degree: splats.degree,
        ..Splats::default()
    };
    let terms = splats.coefficients();
    for index in (0..splats.len()).filter(|index| !left_out.contains(index)) {
        rest.positions.push(splats.positions[index]);
        rest.rotations.push(splats.rotations[index]);
        rest.scales.push(splats.scales[index]);
        rest.opacities.push(splats.opacities[index]);
        rest.harmonics
            .extend(&splats.harmonics[index * terms..][..terms]);
    }
    rest
}

/// Splats that differ in all properties.
fn varied(degree: u8) -> Splats {
    read_fixture(&format!("inria-{degree}.ply"))
}

#[test]
fn rows_with_values_that_are_not_finite_are_left_out_counted_and_the_rest_is_shown() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for degree in [0, 3] {
            let varied = varied(degree);
            let mut splats = varied.clone();
            splats.positions[3].y = bad;
            splats.rotations[7].w = bad;
            let last = splats.harmonics.len() - 1;
            splats.harmonics[last].z = bad;
            splats.opacities[11] = f32::NAN;
            // A scale is stored as a logarithm, and only its exponential must be finite.
            splats.scales[12].x = f32::INFINITY;
            let left_out = [3, 7, 11, 12, 39];
            for format in [Format::Little, Format::Big, Format::Text, Format::Doubles] {
                let read = good(&inria(&splats, format), "a.ply");
                let rest = without(&varied, &left_out);
                assert_eq!(difference(&read, &rest, &EXACT), None);
                // Negative control: leaving out another row is detected.
                let others = without(&varied, &[3, 7, 11, 12, 38]);
                assert!(difference(&read, &others, &EXACT).is_some());
                let said = "5 of 40 splats are left out: 5 with values that are not finite";
                assert_eq!(read.remarks, [said]);
                let numbers = (0..35).map(|index| read.numbers.in_file(index));
                assert!(numbers.eq((0..40).filter(|n| !left_out.contains(&(*n as usize)))));
            }
        }
    }
}

#[test]
fn rows_of_zeros_have_no_rotation_and_are_left_out_while_infinite_logarithms_are_legal() {
    let mut splats = varied(1);
    for index in [0, 1, 20] {
        splats.positions[index] = Vec3::ZERO;
        splats.rotations[index] = Quat::from_array([0.0; 4]);
    }
    splats.scales[5] = Vec3::ZERO;
    (splats.opacities[6], splats.opacities[7]) = (0.0, 1.0);
    let read = good(&inria(&splats, Format::Little), "a.ply");
    assert_eq!(read.len(), 37);
    assert_eq!(read.scales[3], Vec3::ZERO);
    assert_eq!(read.opacities[4..6], [0.0, 1.0]);
    let said = "3 of 40 splats are left out: 3 with no rotation";
    assert_eq!(read.remarks, [said]);
    splats.rotations.fill(Quat::from_array([0.0; 4]));
    let reason = refused(&inria(&splats, Format::Little), "a.ply");
    let said = "none of its 40 splats can be shown: 40 with no rotation";
    assert_eq!(reason, said);
}

/// A PLY of doubles with splats around a position.
fn around(splats: &Splats, place: DVec3) -> Vec<u8> {
    let mut bytes = inria(splats, Format::Doubles);
    let mut at = header_of(&bytes) + 6;
    let row = 8 * (17 + 3 * (splats.coefficients() - 1)) + 4;
    for position in &splats.positions {
        for axis in 0..3 {
            let number = place[axis] + f64::from(position[axis]);
            bytes[at + 8 * axis..][..8].copy_from_slice(&number.to_le_bytes());
        }
        at += row;
    }
    bytes
}

#[test]
fn doubles_of_maps_keep_every_millimetre_and_floats_say_how_coarse_they_are() {
    let near = varied(1);
    for place in [
        DVec3::new(500_000.0, 5_400_000.0, 300.0),
        DVec3::new(4_201_000.0, 168_000.0, 4_780_000.0),
        DVec3::new(-13_627_361.0, 4_544_761.0, 0.0),
    ] {
        let read = good(&around(&near, place), "a.ply");
        assert!(read.origin.distance(place) < 20.0, "{}", read.origin);
        for (index, position) in near.positions.iter().enumerate() {
            let there = read.origin + read.positions[index].as_dvec3();
            let away = there.distance(place + position.as_dvec3());
            assert!(away < 1e-5, "{away} at {place}");
        }
        let [said] = &read.remarks[..] else {
            panic!("doubles need no remark: {:?}", read.remarks);
        };
        assert!(said.starts_with("its splats are around ("), "{said}");
        // Negative control: in floats, the positions differ, with a remark.
        let mut coarse = near.clone();
        for index in 0..coarse.len() {
            coarse.positions[index] += place.as_vec3();
            coarse.scales[index] *= 0.01;
        }
        let read = good(&inria(&coarse, Format::Little), "a.ply");
        let step = 2.0_f64.powi(place.abs().max_element().log2().floor() as i32 - 23);
        let words = format!("its coordinates are floats in steps of {step}");
        assert!(read.remarks[1].starts_with(&words), "{:?}", read.remarks);
    }
    // Near positions stay unchanged, even as doubles.
    let read = good(&around(&near, DVec3::new(300.0, 0.0, 0.0)), "a.ply");
    assert_eq!((read.origin, read.remarks.len()), (DVec3::ZERO, 0));
}

#[test]
fn elements_lists_and_bytes_around_the_splats_are_read_past() {
    let splats = varied(0);
    let whole = inria(&splats, Format::Little);
    let expected = good(&whole, "a.ply");
    let (header, rows) = whole.split_at(header_of(&whole));
    let header = String::from_utf8_lossy(header).into_owned();
    let size = rows.len() / splats.len();
    let before = "element face 2\nproperty list uchar int vertex_indices\nelement vertex";
    let faces: Vec<u8> = [vec![3], vec![7; 12], vec![0]].concat();
    let list = "property list ushort double tail\nproperty float nx";
    let header = header.replace("element vertex", before);
    let inside = header.replace("property float nx", list);
    let mut ragged = [inside.as_bytes(), &faces].concat();
    for (index, row) in rows.chunks(size).enumerate() {
        ragged.extend(&row[..12]);
        let length = (index % 3) as u16;
        ragged.extend(length.to_le_bytes());
        ragged.extend(vec![9; 8 * usize::from(length)]);
        ragged.extend(&row[12..]);
    }
    for file in [
        [whole.as_slice(), b"more"].concat(),
        [header.as_bytes(), &faces, rows].concat(),
        [ragged.as_slice(), &[1, 2, 3]].concat(),
    ] {
        assert_eq!(good(&file, "a.ply"), expected);
    }
    for cut in [1, 200, rows.len()] {
        let reason = refused(&ragged[..ragged.len() - cut], "a.ply");
        let is_short = reason.contains("ends too early");
        assert!(is_short || reason.contains("element"), "{reason}");
    }
    let (header, rows) = in_text(&splats);
    let header = header.replace("element vertex", before);
    let file = format!("{header}3 1 2 3\n0\n{rows}1 2 3\n");
    let read = good(file.as_bytes(), "a.ply");
    assert_eq!(difference(&read, &expected, &EXACT), None);
}

#[test]
fn flat_splats_with_two_scales_have_no_thickness() {
    let splats = varied(2);
    let (header, rows) = in_text(&splats);
    let mut file = header.replace("property float scale_2\n", "");
    for row in rows.lines() {
        let mut words: Vec<&str> = row.split_whitespace().collect();
        words.remove(words.len() - 5);
        file += &(words.join(" ") + "\n");
    }
    let read = good(file.as_bytes(), "a.ply");
    for (read, written) in read.scales.iter().zip(&splats.scales) {
        assert!((read.x / written.x - 1.0).abs() < 1e-5 && (read.y / written.y - 1.0).abs() < 1e-5);
        assert_eq!(read.z, 0.0);
    }
    assert_eq!(read.rotations.len(), splats.len());
}

#[test]
fn axes_follow_the_file_then_its_kind_and_the_user_has_the_last_word() {
    let splats = some_splats(0);
    let up = |bytes: &[u8], asked: Option<&str>| {
        let how = How {
            axes: asked.map(|axes| axes.parse::<Axes>().expect("axes")),
            ..How::default()
        };
        let read = read_as(bytes, "a.spz", how).expect("the file is read");
        // The third of the file's coordinates is -2.
        let there = read.turn * read.positions[0];
        (there.y, there.z, read.remarks.len())
    };
    let silent = |version| spz(&splats, &Spz::of(version));
    // The first has the axes right, up, back, the second those of PLY, each with a remark.
    assert_eq!(up(&silent(3), None), (-1.0, 2.0, 1));
    assert_eq!(up(&silent(4), None), (1.0, -2.0, 1));
    assert_eq!(up(&silent(4), Some("rub")), (-1.0, 2.0, 0));
    // Stated axes need no remark.
    let said = spz(&splats, &Spz::of(4).with(axes(4)));
    assert_eq!(up(&said, None), (-1.0, 2.0, 0));
    assert_eq!(up(&said, Some("rdf")), (1.0, -2.0, 0));
    let comment = b"Vertical Axis: z";
    let comment = replaced(&inria(&splats, Format::Little), b"a test", comment);
    let (y, z, lines) = up(&comment, None);
    let apart = f32::max((y - 2.0).abs(), (z - 1.0).abs());
    assert!(apart < 1e-6 && lines == 0, "{y} {z}");
    assert_eq!(up(&comment, Some("rdf")), (1.0, -2.0, 0));
}

#[test]
fn a_filter_of_training_follows_the_file_and_the_user_has_the_last_word() {
    let splats = varied(1);
    let flagged = |flags| {
        let how = Spz {
            flags,
            ..Spz::of(3)
        };
        spz(&splats, &how)
    };
    let commented = |comment: &[u8]| replaced(&inria(&splats, Format::Little), b"a test", comment);
    let sog = |model: Value| first_version(&splats, |meta| meta["model"] = model.clone());
    for (bytes, name, is_mip) in [
        (commented(b"SplatRenderMode: mip"), "a.ply", true),
        (commented(b"SplatRenderMode: default"), "a.ply", false),
        (commented(b"postshot.anti_aliasing=1"), "a.ply", true),
        (commented(b"nothing"), "a.ply", false),
        (flagged(1), "a.spz", true),
        (flagged(0x81), "a.spz", true),
        (flagged(0x80), "a.spz", false),
        (sog(json!("antialiased")), "a.sog", true),
        (sog(json!("2dgs")), "a.sog", false),
        (sog(json!({})), "a.sog", false),
    ] {
        let read = |filter| {
            let how = How {
                filter,
                ..How::default()
            };
            let read = read_as(&bytes, name, how).expect("the file is read");
            let says = |line: &String| line.contains("--splat-filter classic");
            (read.filter, read.remarks.iter().any(says))
        };
        let said = match is_mip {
            true => SplatFilter::Mip,
            false => SplatFilter::Classic,
        };
        assert_eq!(read(None), (said, is_mip), "{name}");
        for asked in [SplatFilter::Classic, SplatFilter::Mip] {
            assert_eq!(read(Some(asked)), (asked, false), "{name}");
        }
    }
}

#[test]
fn old_and_new_kinds_of_spz_are_read_as_far_as_they_can_be_shown() {
    let splats = varied(1);
    let written = |splats: &Splats, version, flags| {
        let how = Spz {
            flags,
            ..Spz::of(version)
        };
        good(&spz(splats, &how), "a.spz")
    };
    // Version 1 has half floats; everything else is as in version 2.
    let [first, second] = [1, 2].map(|version| written(&splats, version, 0));
    for (first, second) in first.positions.iter().zip(&second.positions) {
        assert!(first.distance(*second) < 8e-3, "{first} {second}");
    }
    assert_eq!(first.rotations, second.rotations);
    // An unknown flag changes nothing.
    for version in [3, 4] {
        let [plain, flagged] = [0, 0x80].map(|flags| written(&splats, version, flags));
        assert_eq!(plain.positions, flagged.positions);
    }
    // For degree 4, the first three bands are shown.
    let mut four = Splats {
        degree: 4,
        ..varied(3)
    };
    let three = four.harmonics.clone();
    let with_more = |terms: &[Vec3]| [terms, &[Vec3::splat(0.5); 9]].concat();
    four.harmonics = three.chunks(16).flat_map(with_more).collect();
    for version in [3, 4] {
        let [read, plain] = [&four, &varied(3)].map(|splats| written(splats, version, 0));
        assert_eq!((read.degree, &read.harmonics), (3, &plain.harmonics));
        assert!(read.remarks[0].starts_with("the harmonics of degree 4: left out"));
    }
}

#[test]
fn one_of_so_many_splats_is_read_the_same_from_every_kind() {
    let files = "inria-3.ply packed-2.compressed.ply bytes.splat v2-3.spz v3-3.spz v4-3.spz";
    for name in files.split(' ') {
        let bytes = bytes_of(name);
        let all = good(&bytes, name);
        for every in [1, 3, 40, 1000] {
            let how = How {
                keep_every: every,
                ..How::default()
            };
            let read = read_as(&bytes, name, how).expect("the file is read");
            let left_out = (0..all.len()).filter(|index| index % every as usize != 0);
            let rest = without(&all, &left_out.collect::<Vec<_>>());
            assert_eq!(difference(&read, &rest, &EXACT), None, "{name} {every}");
            let last = read.len() as u32 - 1;
            assert_eq!(read.numbers.in_file(last), last * every);
            let says = read
                .remarks
                .iter()
                .any(|line| line.starts_with("1 of every "));
            assert_eq!(says, every > 1, "{name}");
        }
    }
}

#[test]
fn more_splats_than_a_buffer_holds_are_refused_before_they_are_read_with_how_many_would_fit() {
    let bytes = inria(&varied(3), Format::Little);
    // 16 coefficients of three half floats, in whole vectors, take 96 bytes; there is room for 10 splats.
    let most = |largest, keep_every| How {
        largest: Some(largest),
        keep_every,
        ..How::default()
    };
    let read = read_as(&bytes, "a.ply", most(1000, 4)).expect("10 are read");
    assert_eq!(read.len(), 10);
    let refused = splats::read(Opened::of(&bytes), "a.ply", most(1000, 0), &mut |_| {
        panic!("the limit rejects nothing")
    });
    let said = "40 Gaussians are more than this adapter can hold: its buffer limit of 1000 bytes allows 10 of these; \
                --keep-every 4 shows 10";
    assert_eq!(reason(refused, "a.ply"), said);
    // Every reader obeys the limit; for degree 0 the smallest limit is that of the splats, which take 48 bytes.
    let files = "inria-0.ply packed-1.compressed.ply bytes.splat v2-1.spz v4-2.spz sog-1.sog k0-2.ksplat gltf-3.glb";
    for name in files.split(' ') {
        let bytes = bytes_of(name);
        let all = good(&bytes, name);
        let each = [48, 48, 64, 96][usize::from(all.degree)];
        let count = all.len() as u64;
        let fits = read_as(&bytes, name, most(each * count, 0));
        assert_eq!(fits.map(|read| read.len()).ok(), Some(all.len()), "{name}");
        let error = read_as(&bytes, name, most(each * count - 1, 0)).expect_err("too many");
        let words = format!("allows {} of these; --keep-every 2", count - 1);
        says(error.message, words);
    }
}
