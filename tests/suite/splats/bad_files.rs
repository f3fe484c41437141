//! Each invalid file is rejected as a whole, with one line that states the fault.

use std::fmt::Debug;

use super::of_bytes;
use super::write::{Format, inria, some_splats};
use crate::harness::{rows, says};
use wavelerp::error::{Error, ErrorKind};
use wavelerp::model::splats::Splats;

/// Message about an invalid file, a single line that includes the file's name.
pub fn refused(bytes: &[u8], name: &str) -> String {
    reason(of_bytes(bytes, name), name)
}

/// Reason why the file called `name` was rejected.
pub fn reason<T: Debug>(read: Result<T, Error>, name: &str) -> String {
    let error = read.expect_err("a refusal");
    assert_eq!(error.kind, ErrorKind::Usage, "{error}");
    assert_eq!(error.message.lines().count(), 1, "{error}");
    let reason = error.message.strip_prefix(&format!("{name}: "));
    reason.expect("the message names the file").to_owned()
}

/// A PLY of five splats with a changed header.
fn with_header(from: &str, to: &str) -> Vec<u8> {
    let bytes = inria(&some_splats(1), Format::Little);
    replaced(&bytes, from.as_bytes(), to.as_bytes())
}

/// `bytes` with the first occurrence of a part replaced.
pub fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let found = bytes.windows(from.len()).position(|part| part == from);
    let at = found.expect("the part occurs");
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

#[test]
fn a_file_that_is_empty_or_of_no_known_kind_says_what_can_be_read() {
    assert_eq!(refused(b"", "a.ply"), "it is empty");
    for bytes in [
        b"PNG...".as_slice(),
        b"plywood",
        b"\0",
        b"element vertex 3\n",
    ] {
        let reason = refused(bytes, "a.ply");
        let lists = reason.contains("; ") && reason.contains(".ron");
        assert!(lists || reason.contains("RON"), "{reason}");
    }
}

#[test]
fn a_ply_without_what_splats_need_lists_what_is_missing() {
    for [from, to, part] in rows(
        r#"
property float opacity | property float occupied | its vertex element has no opacity
scale_0 | size_0 | its vertex element has no scale_0
f_dc_0 | red | --ply-color-mode sh-coeffs
element vertex | element points | no element vertex
element vertex | element points | points
float f_rest_3\n | float f_rest_9\n | 9 properties f_rest_… but no f_rest_3
float f_rest_8\n | float g_rest_8\n | 8 properties f_rest_…; harmonics of degree
"#,
    ) {
        says(refused(&with_header(from, to), "a.ply"), part);
    }
    let cloud = b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n\
        end_header\n1 2 3\n";
    assert!(refused(cloud, "a.ply").starts_with("it is a point cloud, not Gaussian splats; "));
    let mesh = replaced(cloud, b"end_header", b"element face 1\nend_header");
    assert!(refused(&mesh, "a.ply").starts_with("it is a mesh, not Gaussian splats; "));
}

#[test]
fn a_header_that_is_wrong_is_refused_with_its_line() {
    for [from, to, part] in rows(
        r#"
format binary_little_endian 1.0\n |  | no line `format`
binary_little_endian | binary_middle_endian | its format is `binary_middle_endian`
vertex 5 | vertex many | line 4 of its header: `many` is not a number of rows
vertex 5 | vertex -5 | line 4 of its header: `-5` is not a number of rows
vertex 5 | vertex 99999999999999999999 | not a number of rows
float nx | floats nx | line 8 of its header: `floats` is not a property type
float nx | float x | its vertex element has the property x twice; remove one
float nx | float | line 8 of its header: a property needs a type and a name
float nx | list uchar many nx | line 8 of its header: `many` is not a property type
element vertex 5\n |  | line 4 of its header: a property comes before any element
comment | remark | line 3 of its header: `remark` is unknown
end_header | end_headers | `end_headers` is unknown
"#,
    ) {
        says(refused(&with_header(from, to), "a.ply"), part);
    }
    let none = inria(&Splats::default(), Format::Little);
    assert_eq!(refused(&none, "a.ply"), "it contains no splats");
    let bytes = inria(&some_splats(0), Format::Little);
    let reason = refused(&bytes[..60], "a.ply");
    assert_eq!(reason, "its header ends without end_header");
    let long = format!("ply\n{}", "comment \n".repeat(2_000_000));
    let reason = refused(long.as_bytes(), "a.ply");
    assert_eq!(reason, "its header has no end_header in the first 16 MiB");
}

#[test]
fn counts_that_are_more_than_the_file_has_are_refused_before_memory_is_taken() {
    let bytes = inria(&some_splats(3), Format::Little);
    let length = bytes.len();
    for cut in [1, 100, 5 * 62 * 4] {
        let reason = refused(&bytes[..length - cut], "a.ply");
        let has = format!("it has {}", length - cut);
        says(reason, format!("ends too early | 5 of vertex | {has}"));
    }
    // The header promises more than fits in memory, but nothing is allocated for it.
    for count in ["vertex 4294967295", "vertex 18446744073709551615"] {
        for format in [Format::Little, Format::Text] {
            let file = inria(&some_splats(0), format);
            let file = replaced(&file, b"vertex 5", count.as_bytes());
            says(refused(&file, "a.ply"), "ends too early");
        }
    }
}

#[test]
fn a_wrong_line_of_a_file_in_text_is_named() {
    let (header, rows) = in_text(&some_splats(0));
    let lines: Vec<&str> = rows.lines().collect();
    let file = |lines: &[&str]| format!("{header}{}\n", lines.join("\n")).into_bytes();
    assert!(of_bytes(&file(&lines), "a.ply").is_ok());
    let blank = [lines[0], "", "  ", lines[1], lines[2], lines[3], lines[4]];
    assert!(of_bytes(&file(&blank), "a.ply").is_ok());
    let (short, _) = lines[1].trim_end().rsplit_once(' ').expect("words");
    for (line, part) in [
        ("1 2 x", "z is `x`"),
        (short, "no rot_3"),
        (&format!("{} 7", lines[1]), "`7` after the last property"),
    ] {
        let changed = [lines[0], line, lines[2], lines[3], lines[4]];
        let said = format!("line 2 after its header: {part}");
        says(refused(&file(&changed), "a.ply"), said);
    }
    says(refused(&file(&lines[..4]), "a.ply"), "it ends too early");
}

/// Header and rows of a PLY in text form.
pub fn in_text(splats: &Splats) -> (String, String) {
    let text = String::from_utf8(inria(splats, Format::Text)).expect("text");
    let (header, rows) = text.split_once("end_header\n").expect("a header");
    (format!("{header}end_header\n"), rows.to_owned())
}
