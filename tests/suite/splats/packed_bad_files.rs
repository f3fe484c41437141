//! Invalid packed files: compressed PLY, `.splat` and SPZ.

use super::bad_files::{refused, replaced};
use super::memory::most_held;
use super::write::{Spz, antimatter, axes, compressed, gunzip, gzip, some_splats, spz, zstandard};
use super::{bytes_of, good, of_bytes};
use crate::harness::{rows, says};

/// A copy of the bytes in which `new` replaces those at an offset.
fn at(bytes: &[u8], place: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place..place + new.len()].copy_from_slice(new);
    bytes
}

/// Uncompressed content of an SPZ.
fn inside(version: u32, degree: u8) -> Vec<u8> {
    gunzip(&spz(&some_splats(degree), &Spz::of(version)))
}

#[test]
fn every_shorter_file_is_refused_and_a_longer_one_is_read() {
    for (name, bytes) in [
        ("a.splat", antimatter(&some_splats(0))),
        ("a.ply", compressed(&some_splats(2))),
        ("a.spz", spz(&some_splats(3), &Spz::of(2))),
        ("a.spz", spz(&some_splats(0), &Spz::of(3))),
        ("a.spz", spz(&some_splats(3), &Spz::of(4))),
    ] {
        let whole = good(&bytes, name);
        for length in 0..bytes.len() {
            // A `.splat` does not state its number of splats.
            if name != "a.splat" || length < 32 {
                refused(&bytes[..length], name);
            }
        }
        for more in [b"\0".as_slice(), b"more", &bytes[..bytes.len().min(31)]] {
            let read = good(&[bytes.as_slice(), more].concat(), name);
            assert_eq!(read.positions, whole.positions, "{name}");
        }
    }
}

#[test]
fn a_splat_file_of_another_length_says_how_many_bytes_are_left() {
    let bytes = antimatter(&some_splats(0));
    let read = good(&bytes[..150], "a.splat");
    assert_eq!(read.len(), 4);
    let said = "its last 22 bytes are not a whole splat: left out";
    assert_eq!(read.remarks, [said]);
    let reason = refused(&bytes[..31], "a.splat");
    assert_eq!(reason, "it has 31 bytes; a splat has 32");
    let bad = at(&bytes, 2 * 32 + 4, &f32::NAN.to_le_bytes());
    let bad = at(&bad, 32 + 12, &(-1.0_f32).to_le_bytes());
    let read = good(&bad, "a.splat");
    assert_eq!(read.numbers.left_out, [1, 2]);
    let said =
        "2 of 5 splats are left out: 1 with negative scales, 1 with values that are not finite";
    assert_eq!(read.remarks, [said]);
}

#[test]
fn a_compressed_ply_whose_parts_do_not_fit_is_refused() {
    let bytes = compressed(&some_splats(1));
    for [from, to, part] in rows(
        r#"
packed_scale | unpacked_scale | its vertex element has no packed_scale
uint packed_scale | float packed_scale | its vertex element are not of type uint
min_scale_y | min_scale_w | its chunk element has no min_scale_y
float min_g | float min_a | its chunk element has no min_g
element vertex | element vertices | but no element vertex
element vertex 5 | element vertex 500 | it ends too early
uchar f_rest_0\n | char f_rest_0\n | its sh element are not of type uchar
f_rest_8\n | f_best_8\n | 8 properties f_rest_…
"#,
    ) {
        let changed = replaced(&bytes, from.as_bytes(), to.as_bytes());
        says(refused(&changed, "a.ply"), part);
    }
    let other = replaced(&bytes, b"element vertex 5", b"element vertex 4");
    let reason = refused(&other[..other.len() - 16], "a.ply");
    assert_eq!(reason, "its sh element has 5 rows; 4 splats need 4");
    let end = b"end_header\n\0\0\x80\x7f";
    let infinite = replaced(&compressed(&some_splats(0)), b"end_header\n", end);
    let reason = refused(&infinite[..infinite.len() - 4], "a.ply");
    let said = "none of its 5 splats can be shown: 5 with values that are not finite";
    assert_eq!(reason, said);
}

#[test]
fn versions_and_kinds_of_spz_that_are_not_known_are_named() {
    for version in [0_u32, 5, u32::MAX] {
        let file = gzip(&at(&inside(3, 0), 4, &version.to_le_bytes()));
        let expected = format!("it is SPZ version {version}; versions 1 to 4 can be read");
        assert_eq!(refused(&file, "a.spz"), expected);
        let file = at(
            &spz(&some_splats(0), &Spz::of(4)),
            4,
            &version.to_le_bytes(),
        );
        assert_eq!(refused(&file, "a.spz"), expected);
    }
    let plain = "version 3 without this version's gzip";
    says(refused(&inside(3, 0), "a.spz"), plain);
    let degree = "its harmonics have degree 5; up to degree 4 can be read";
    for (place, new, said) in [
        (4, &[4, 0, 0, 0][..], "version 4 in gzip"),
        (12, &[5], degree),
        (13, &[31], "31 fractional bits; the limit is 30"),
        (8, &[0; 4], "it contains no splats"),
    ] {
        let changed = gzip(&at(&inside(3, 0), place, new));
        says(refused(&changed, "a.spz"), said);
    }
    for other in [b"".as_slice(), b"NGS", b"a text that was compressed"] {
        says(refused(&gzip(other), "a.spz"), "its content is not SPZ");
    }
    let short = refused(&gzip(b"NGSP\x03\0"), "a.spz");
    says(short, "its header has 6 bytes of 16");
}

#[test]
fn more_splats_than_are_there_are_refused_without_room_being_made_for_them() {
    for version in [2, 3, 4] {
        for more in [1, 4_000_000_000] {
            let how = Spz {
                more,
                ..Spz::of(version)
            };
            let reason = refused(&spz(&some_splats(1), &how), "a.spz");
            says(&reason, format!(" of {}", 5 + more));
            // Version 4 has a separate stream for each attribute.
            if version == 4 || more > 100 {
                says(&reason, "its positions end");
            }
        }
        let how = Spz {
            more: -1,
            ..Spz::of(version)
        };
        let fewer = spz(&some_splats(1), &how);
        if version == 4 {
            refused(&fewer, "a.spz");
        } else {
            let read = good(&fewer, "a.spz");
            says(&read.remarks[0], "data after its 4 splats: left out");
        }
    }
}

#[test]
fn what_expands_beyond_what_its_header_says_is_not_expanded() {
    let zeros = vec![0; 4 << 20];
    let mut whole = inside(3, 0);
    whole.extend(&zeros);
    let bomb = gzip(&whole);
    assert!(bomb.len() < 100_000, "the file is small: {}", bomb.len());
    let (read, held) = most_held(|| of_bytes(&bomb, "a.spz"));
    assert_eq!(read.expect("the file is read").len(), 5);
    assert!(held < zeros.len() / 4, "{held} bytes");
    // In version 4, the stream of positions is longer than its table entry says.
    let file = spz(&some_splats(0), &Spz::of(4));
    let length = u64::from_le_bytes(file[32..40].try_into().expect("eight"));
    let bomb = zstandard(&zeros);
    let streams = 32 + 16 * 5;
    let rest = &file[streams + length as usize..];
    let bad = [&file[..streams], &bomb, rest].concat();
    let bad = at(&bad, 32, &(bomb.len() as u64).to_le_bytes());
    let said = "the stream of its positions: it has more data than its splats";
    assert_eq!(refused(&bad, "a.spz"), said);
}

#[test]
fn a_table_of_streams_that_does_not_fit_is_refused() {
    let file = spz(&some_splats(1), &Spz::of(4));
    let length = file.len();
    let refused = |place, new: &[u8], part: &str| {
        says(refused(&at(&file, place, new), "a.spz"), part);
    };
    let streams = "it has 5 streams; splats with harmonics of degree 1 have 6";
    refused(15, &[5], streams);
    refused(
        16,
        &31_u32.to_le_bytes(),
        &format!("at byte 31 of {length}"),
    );
    let behind = (length as u32 + 1).to_le_bytes();
    refused(16, &behind, "its header puts the table of streams");
    let more = "its positions have 46 bytes in its table of streams; 5 splats need 45";
    refused(40, &46_u64.to_le_bytes(), more);
    refused(32, &[0xff; 8], "its table of streams needs");
    refused(8, &6_u32.to_le_bytes(), "6 splats need 54");
    // A stream that is not Zstandard.
    refused(32 + 16 * 6, b"none", "the stream of its positions: ");
}

#[test]
fn extensions_are_skipped_and_wrong_ones_refused() {
    let other = [0xadbe_0002_u32, 12, 1, 2, 3];
    let other = other.map(u32::to_le_bytes).concat();
    for version in [2, 3, 4] {
        let with = |extensions: Vec<u8>| spz(&some_splats(1), &Spz::of(version).with(extensions));
        let plain = good(&with(axes(6)), "a.spz");
        let both = with([other.clone(), axes(6), other.clone()].concat());
        assert_eq!(of_bytes(&both, "a.spz").ok(), Some(plain));
        let upright = good(&with(axes(12)), "a.spz");
        // Up is z, which is -y in the axes of training.
        let up = upright.turn * glam::Vec3::Z;
        assert!(up.distance(glam::Vec3::NEG_Y) < 1e-6, "{up}");
        says(refused(&with(axes(17)), "a.spz"), "axes number 17");
        for cut in [1, 4, 11, 13] {
            let short = with(other[..other.len() - cut].to_vec());
            says(refused(&short, "a.spz"), "in its extensions");
        }
    }
}

#[test]
fn a_changed_byte_of_a_gzip_is_found_by_its_check_sum() {
    let bytes = bytes_of("v3-3.spz");
    for place in [bytes.len() / 2, bytes.len() - 8, bytes.len() - 1] {
        refused(&at(&bytes, place, &[!bytes[place]]), "a.spz");
    }
}
