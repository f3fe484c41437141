//! Packed files that are wrong: compressed PLY, `.splat` and SPZ.

use super::bad_files::{refused, replaced};
use super::memory::most_held;
use super::write::{Spz, antimatter, axes, compressed, gzip, some_splats, spz, zstandard};
use super::{fixture, of_bytes};

fn how(version: u32) -> Spz {
    Spz {
        version,
        extensions: Vec::new(),
        more: 0,
        flags: 0,
    }
}

/// Bytes with some of them replaced, from a place on.
fn at(bytes: &[u8], place: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[place..place + new.len()].copy_from_slice(new);
    bytes
}

/// What is inside the gzip of a file.
fn inside(version: u32, degree: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let file = spz(&some_splats(degree), &how(version));
    let mut decoder = flate2::read::GzDecoder::new(file.as_slice());
    std::io::Read::read_to_end(&mut decoder, &mut bytes).expect("gzip");
    bytes
}

#[test]
fn every_shorter_file_is_refused_and_a_longer_one_is_read() {
    for (name, bytes) in [
        ("a.splat", antimatter(&some_splats(0))),
        ("a.ply", compressed(&some_splats(2))),
        ("a.spz", spz(&some_splats(3), &how(2))),
        ("a.spz", spz(&some_splats(0), &how(3))),
        ("a.spz", spz(&some_splats(3), &how(4))),
    ] {
        let whole = of_bytes(&bytes, name).expect("it is read");
        for length in 0..bytes.len() {
            // Nothing in a `.splat` says how many there are.
            if name != "a.splat" || length < 32 {
                refused(&bytes[..length], name);
            }
        }
        for more in [b"\0".as_slice(), b"more", &bytes[..bytes.len().min(31)]] {
            let read = of_bytes(&[bytes.as_slice(), more].concat(), name).expect("it is read");
            assert_eq!(read.positions, whole.positions, "{name}");
        }
    }
}

#[test]
fn a_splat_file_of_another_length_says_how_many_bytes_are_left() {
    let bytes = antimatter(&some_splats(0));
    let read = of_bytes(&bytes[..150], "a.splat").expect("it is read");
    assert_eq!(read.len(), 4);
    assert_eq!(
        read.remarks,
        ["its last 22 bytes are no whole splat: left out"]
    );
    assert_eq!(
        refused(&bytes[..31], "a.splat"),
        "it has 31 bytes; a splat has 32"
    );
    let bad = at(&bytes, 2 * 32 + 4, &f32::NAN.to_le_bytes());
    let bad = at(&bad, 32 + 12, &(-1.0_f32).to_le_bytes());
    let read = of_bytes(&bad, "a.splat").expect("it is read");
    assert_eq!(read.numbers.left_out, [1, 2]);
    assert_eq!(
        read.remarks,
        ["2 of 5 splats are left out: 1 with negative scales, 1 with values that are not finite"]
    );
}

#[test]
fn a_compressed_ply_whose_parts_do_not_fit_is_refused() {
    let bytes = compressed(&some_splats(1));
    let change =
        |from: &str, to: &str| refused(&replaced(&bytes, from.as_bytes(), to.as_bytes()), "a.ply");
    for (from, to, part) in [
        (
            "packed_scale",
            "unpacked_scale",
            "its vertex element has no packed_scale",
        ),
        (
            "uint packed_scale",
            "float packed_scale",
            "its vertex element are not of type uint",
        ),
        (
            "min_scale_y",
            "min_scale_w",
            "its chunk element has no min_scale_y",
        ),
        (
            "float min_g",
            "float min_a",
            "its chunk element has no min_g",
        ),
        (
            "element vertex",
            "element vertices",
            "but no element vertex",
        ),
        (
            "element vertex 5",
            "element vertex 500",
            "it ends too early",
        ),
        (
            "uchar f_rest_0\n",
            "char f_rest_0\n",
            "its sh element are not of type uchar",
        ),
        ("f_rest_8\n", "f_best_8\n", "8 properties f_rest_…"),
    ] {
        let reason = change(from, to);
        assert!(reason.contains(part), "{to}: {reason}");
    }
    let other = replaced(&bytes, b"element vertex 5", b"element vertex 4");
    let other = &other[..other.len() - 16];
    let reason = refused(other, "a.ply");
    assert_eq!(reason, "its sh element has 5 rows; 4 splats need 4");
    let infinite = replaced(
        &compressed(&some_splats(0)),
        b"end_header\n",
        b"end_header\n\0\0\x80\x7f",
    );
    let infinite = &infinite[..infinite.len() - 4];
    let reason = refused(infinite, "a.ply");
    assert_eq!(
        reason,
        "none of its 5 splats can be shown: 5 with values that are not finite"
    );
}

#[test]
fn versions_and_kinds_of_spz_that_are_not_known_are_named() {
    for version in [0_u32, 5, u32::MAX] {
        let file = gzip(&at(&inside(3, 0), 4, &version.to_le_bytes()));
        let expected = format!("it is SPZ version {version}; versions 1 to 4 can be read");
        assert_eq!(refused(&file, "a.spz"), expected);
        let file = at(&spz(&some_splats(0), &how(4)), 4, &version.to_le_bytes());
        assert_eq!(refused(&file, "a.spz"), expected);
    }
    let four = gzip(&at(&inside(3, 0), 4, &4_u32.to_le_bytes()));
    assert!(refused(&four, "a.spz").contains("version 4 in gzip"));
    assert!(refused(&inside(3, 0), "a.spz").contains("version 3 without this version's gzip"));
    let reason = refused(&gzip(&at(&inside(3, 0), 12, &[5])), "a.spz");
    assert_eq!(
        reason,
        "its harmonics have degree 5; up to degree 4 can be read"
    );
    let reason = refused(&gzip(&at(&inside(3, 0), 13, &[31])), "a.spz");
    assert!(
        reason.contains("31 fractional bits; the limit is 30"),
        "{reason}"
    );
    let reason = refused(&gzip(&at(&inside(3, 0), 8, &[0; 4])), "a.spz");
    assert_eq!(reason, "it holds no splats");
    for other in [b"".as_slice(), b"NGS", b"a text that was compressed"] {
        assert!(refused(&gzip(other), "a.spz").contains("its content is not SPZ"));
    }
    assert!(refused(&gzip(b"NGSP\x03\0"), "a.spz").contains("its header has 6 bytes of 16"));
}

#[test]
fn more_splats_than_are_there_are_refused_without_room_being_made_for_them() {
    for version in [2, 3, 4] {
        for more in [1, 4_000_000_000] {
            let how = Spz {
                more,
                ..how(version)
            };
            let reason = refused(&spz(&some_splats(1), &how), "a.spz");
            let expected = format!(" of {}", 5 + more);
            // Version 4 has ends between its attributes.
            let early = version == 4 || more > 100;
            assert!(!early || reason.contains("its positions end"), "{reason}");
            assert!(reason.contains(&expected), "{reason}");
        }
        let how = Spz {
            more: -1,
            ..how(version)
        };
        let fewer = spz(&some_splats(1), &how);
        if version == 4 {
            refused(&fewer, "a.spz");
        } else {
            let read = of_bytes(&fewer, "a.spz").expect("it is read");
            assert!(read.remarks[0].contains("what follows its 4 splats: left out"));
        }
    }
}

#[test]
fn what_expands_beyond_what_its_header_says_is_not_expanded() {
    let zeros = vec![0; 4 << 20];
    let mut whole = inside(3, 0);
    whole.extend(&zeros);
    let bomb = gzip(&whole);
    assert!(bomb.len() < 100_000, "it is a bomb: {}", bomb.len());
    let (read, held) = most_held(|| of_bytes(&bomb, "a.spz"));
    assert_eq!(read.expect("it is read").len(), 5);
    assert!(held < zeros.len() / 4, "{held} bytes");
    // The stream of the positions of version 4, made longer than its entry in the table says.
    let file = spz(&some_splats(0), &how(4));
    let lengths: Vec<u64> = (0..5)
        .map(|index| u64::from_le_bytes(file[32 + 16 * index..][..8].try_into().expect("eight")))
        .collect();
    let bomb = zstandard(&zeros);
    let streams = 32 + 16 * 5;
    let rest = &file[streams + lengths[0] as usize..];
    let bad = [&file[..streams], &bomb, rest].concat();
    let bad = at(&bad, 32, &(bomb.len() as u64).to_le_bytes());
    let reason = refused(&bad, "a.spz");
    assert_eq!(
        reason,
        "the stream of its positions: it has more data than its splats"
    );
}

#[test]
fn a_table_of_streams_that_does_not_fit_is_refused() {
    let file = spz(&some_splats(1), &how(4));
    let length = file.len();
    for (place, new, part) in [
        (
            15,
            &5_u8.to_le_bytes()[..],
            "it has 5 streams; splats with harmonics of degree 1 have 6",
        ),
        (
            16,
            &31_u32.to_le_bytes()[..],
            &format!("at byte 31 of {length}"),
        ),
        (
            16,
            &(length as u32 + 1).to_le_bytes()[..],
            "its header puts the table of streams",
        ),
        (
            40,
            &46_u64.to_le_bytes()[..],
            "its positions have 46 bytes by its table of streams; those of 5 splats have 45",
        ),
        (
            32,
            &u64::MAX.to_le_bytes()[..],
            "its table of streams needs",
        ),
        (8, &6_u32.to_le_bytes()[..], "those of 6 splats have 54"),
    ] {
        let reason = refused(&at(&file, place, new), "a.spz");
        assert!(reason.contains(part), "{reason}");
    }
    // Something else in a stream than Zstandard.
    let reason = refused(&at(&file, 32 + 16 * 6, b"none"), "a.spz");
    assert!(
        reason.starts_with("the stream of its positions: "),
        "{reason}"
    );
}

#[test]
fn extensions_are_skipped_and_wrong_ones_refused() {
    let other: Vec<u8> = [0xadbe_0002_u32, 12, 1, 2, 3]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect();
    for version in [2, 3, 4] {
        let with = |extensions: Vec<u8>| {
            spz(
                &some_splats(1),
                &Spz {
                    extensions,
                    ..how(version)
                },
            )
        };
        let plain = of_bytes(&with(axes(6)), "a.spz").expect("it is read");
        let both = with([other.clone(), axes(6), other.clone()].concat());
        assert_eq!(of_bytes(&both, "a.spz").ok(), Some(plain));
        let upright = of_bytes(&with(axes(12)), "a.spz").expect("it is read");
        // z is up: training's -y.
        let up = upright.turn * glam::Vec3::Z;
        assert!(up.distance(glam::Vec3::NEG_Y) < 1e-6, "{up}");
        assert!(refused(&with(axes(17)), "a.spz").contains("axes number 17"));
        for cut in [1, 4, 11, 13] {
            let reason = refused(&with(other[..other.len() - cut].to_vec()), "a.spz");
            assert!(reason.contains("in its extensions"), "{reason}");
        }
    }
}

#[test]
fn a_changed_byte_of_a_gzip_is_found_by_its_check_sum() {
    let bytes = std::fs::read(fixture("v3-3.spz")).expect("the fixture");
    for place in [bytes.len() / 2, bytes.len() - 8, bytes.len() - 1] {
        refused(&at(&bytes, place, &[!bytes[place]]), "a.spz");
    }
}
