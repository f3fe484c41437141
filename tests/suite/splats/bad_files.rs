//! Files that are wrong: each gets one line that says what is wrong, and nothing is read of it.

use super::of_bytes;
use super::write::{Format, inria, some_splats};
use crate::harness::rows;
use wavelerp::error::Kind;
use wavelerp::model::splats::Splats;

/// The message about a file that is wrong: one line, with the name of the file.
pub fn refused(bytes: &[u8], name: &str) -> String {
    let error = of_bytes(bytes, name).expect_err("it is refused");
    assert_eq!(error.kind, Kind::Usage, "{error}");
    assert_eq!(error.message.lines().count(), 1, "{error}");
    let reason = error.message.strip_prefix(&format!("{name}: "));
    reason.expect("the file is named").to_owned()
}

/// A PLY of five splats with a change to its header.
fn with_header(from: &str, to: &str) -> Vec<u8> {
    let bytes = inria(&some_splats(1), Format::Little);
    replaced(&bytes, from.as_bytes(), to.as_bytes())
}

/// `bytes` with the first occurrence of a part replaced.
pub fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let found = bytes.windows(from.len()).position(|part| part == from);
    let at = found.expect("the part is there");
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
        assert!(
            reason.contains("; ") && reason.contains(".ron") || reason.contains("RON"),
            "{reason}"
        );
    }
}

#[test]
fn a_ply_without_what_splats_need_lists_what_is_missing() {
    let bytes = with_header("property float opacity", "property float occupied");
    assert_eq!(
        refused(&bytes, "a.ply"),
        "its vertex element has no opacity"
    );
    let cloud = b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n\
        end_header\n1 2 3\n";
    assert!(refused(cloud, "a.ply").starts_with("it is a point cloud and no Gaussian splats; "));
    let mesh = [
        &cloud[..cloud.len() - 17],
        b"element face 1\nend_header\n1 2 3\n",
    ]
    .concat();
    assert!(refused(&mesh, "a.ply").starts_with("it is a mesh and no Gaussian splats; "));
    let rgb = with_header("f_dc_0", "red");
    assert!(refused(&rgb, "a.ply").contains("--ply-color-mode sh-coeffs"));
    let none = with_header("scale_0", "size_0");
    assert_eq!(refused(&none, "a.ply"), "its vertex element has no scale_0");
    let bytes = with_header("element vertex", "element points");
    let reason = refused(&bytes, "a.ply");
    assert!(
        reason.contains("no element vertex") && reason.contains("points"),
        "{reason}"
    );
    let bytes = with_header("float f_rest_3\n", "float f_rest_9\n");
    let reason = refused(&bytes, "a.ply");
    assert!(
        reason.contains("9 properties f_rest_… but no f_rest_3"),
        "{reason}"
    );
    let bytes = with_header("float f_rest_8\n", "float g_rest_8\n");
    let reason = refused(&bytes, "a.ply");
    assert!(
        reason.contains("8 properties f_rest_…; harmonics of degree"),
        "{reason}"
    );
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
float nx | float x | line 8 of its header: the property x appears twice
float nx | float | line 8 of its header: a property needs a type and a name
float nx | list uchar many nx | line 8 of its header: `many` is not a property type
element vertex 5\n |  | line 4 of its header: a property comes before any element
comment | remark | line 3 of its header: `remark` is unknown
end_header | end_headers | `end_headers` is unknown
"#,
    ) {
        let reason = refused(&with_header(from, to), "a.ply");
        assert!(reason.contains(part), "{to}: {reason}");
    }
    let none = inria(&Splats::default(), Format::Little);
    assert_eq!(refused(&none, "a.ply"), "it holds no splats");
    let bytes = inria(&some_splats(0), Format::Little);
    let reason = refused(&bytes[..60], "a.ply");
    assert_eq!(reason, "its header ends without end_header");
    let long = [b"ply\n".as_slice(), &b"comment \n".repeat(10_000)].concat();
    assert_eq!(
        refused(&long, "a.ply"),
        "its header has no end_header in the first 64 KiB"
    );
}

#[test]
fn counts_that_are_more_than_the_file_has_are_refused_before_memory_is_taken() {
    let bytes = inria(&some_splats(3), Format::Little);
    let length = bytes.len();
    for cut in [1, 100, 5 * 62 * 4] {
        let reason = refused(&bytes[..length - cut], "a.ply");
        let parts = [
            "ends too early",
            "5 of vertex",
            &format!("it has {}", length - cut),
        ];
        assert!(parts.iter().all(|part| reason.contains(part)), "{reason}");
    }
    // The header alone promises more than any memory holds; nothing is allocated for it.
    for count in ["4294967295", "18446744073709551615"] {
        let reason = refused(
            &with_header("vertex 5", &format!("vertex {count}")),
            "a.ply",
        );
        assert!(reason.contains("ends too early"), "{reason}");
        let text = inria(&some_splats(0), Format::Text);
        let text = replaced(&text, b"vertex 5", format!("vertex {count}").as_bytes());
        let reason = refused(&text, "a.ply");
        assert!(reason.contains("ends too early"), "{reason}");
    }
}

#[test]
fn a_wrong_line_of_a_file_in_text_is_named() {
    let bytes = inria(&some_splats(0), Format::Text);
    let text = String::from_utf8(bytes).expect("text");
    let (header, rows) = text.split_once("end_header\n").expect("a header");
    let lines: Vec<&str> = rows.lines().collect();
    let file = |lines: &[&str]| format!("{header}end_header\n{}\n", lines.join("\n"));
    assert!(of_bytes(file(&lines).as_bytes(), "a.ply").is_ok());
    let blank = [lines[0], "", "  ", lines[1], lines[2], lines[3], lines[4]];
    assert!(of_bytes(file(&blank).as_bytes(), "a.ply").is_ok());
    let short = lines[1]
        .rsplit_once(' ')
        .and_then(|(rest, _)| rest.rsplit_once(' '));
    let short = short.expect("words").0;
    for (line, part) in [
        ("1 2 x", "line 2 after its header: z is `x`"),
        (short, "line 2 after its header: no rot_3"),
        (
            &format!("{} 7", lines[1]),
            "line 2 after its header: `7` after the last property",
        ),
    ] {
        let changed = [lines[0], line, lines[2], lines[3], lines[4]];
        let reason = refused(file(&changed).as_bytes(), "a.ply");
        assert!(reason.contains(part), "{reason}");
    }
    let reason = refused(file(&lines[..4]).as_bytes(), "a.ply");
    assert!(reason.contains("it ends too early"), "{reason}");
}
