//! Every kind of broken scene file gets its message.

#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::error::ErrorKind;
use crate::model::files::InMemory;

/// A complete scene with every kind of part; tests break it in one place at a time.
const WHOLE: &str = r#"(
    name: "whole",
    shows: "One of each.",
    best_time: 1.0,
    particles: 10,
    exposure: 1.0,
    near: 0.5,
    far: 50.0,
    cameras: [
        (name: "a", eye: (0.0, 1.0, 5.0), target: (0.0, 1.0, 0.0), fov_y: 60.0),
        (name: "b", eye: (4.0, 1.0, 5.0), target: (0.0, 1.0, 0.0), fov_y: 60.0),
    ],
    sun: (direction_to_sun: (0.0, 1.0, 0.2), irradiance: (3.0, 3.0, 3.0)),
    ambient: (0.1, 0.1, 0.1),
    sky: (zenith: (0.1, 0.2, 0.3), horizon: (0.3, 0.3, 0.3)),
    fog: (extinction: 0.1, albedo: (0.9, 0.9, 0.9), anisotropy: 0.25,
        noise: (strength: 0.5, scale: 0.75, drift: (0.5, 0.0, 0.0))),
    lights: [(position: (0.0, 2.0, 0.0), radius: 0.25, intensity: (1.0, 2.0, 3.0))],
    emitters: [
        (amount: Exactly(3), origin: (0.0, 0.0, 0.0), albedo_start: (1.0, 1.0, 1.0),
            opacity: 0.5, radius_start: 0.125),
        (amount: Share(2.0), origin: (0.0, 0.0, 0.0), albedo_start: (1.0, 1.0, 1.0),
            lifetime: 7.0, opacity: 0.75, radius_start: 0.375, radius_end: 0.625),
    ],
    sheets: [
        (center: (0.0, 0.0, 0.0), half_u: (1.5, 0.0, 0.0), half_v: (0.0, 0.5, 0.0), cells: (4, 6),
            albedo: (0.5, 0.5, 0.5), opacity: 0.25, rim: 0.0625),
    ],
    meshes: [
        Box(center: (0.0, 0.0, 0.0), half_size: (1.5, 1.0, 1.0), albedo: (0.5, 0.5, 0.5)),
        Cylinder(base: (0.0, 0.0, 0.0), radius: 2.25, height: 1.75, segments: 12, albedo: (0.5, 0.5, 0.5)),
        Plane(center: (0.0, 0.0, 0.0), half_size: (6.5, 3.0), albedo: (0.5, 0.5, 0.5)),
    ],
)"#;

fn message(text: &str) -> String {
    let error = from_text("my.ron", text, &InMemory(&[])).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Usage);
    assert!(!error.message.contains('\n'), "one line: {}", error.message);
    error.message
}

/// The message after replacing `old`, which must occur exactly once, with `new`.
fn broken(old: &str, new: &str) -> String {
    assert_eq!(WHOLE.matches(old).count(), 1, "`{old}` is to be there once");
    message(&WHOLE.replace(old, new))
}

/// Breaks the complete scene once per line of `faults`: the original text, the replacement and a part of the message.
fn are_told(faults: &str) {
    for fault in faults.trim_matches('\n').lines() {
        let fault = fault.replace("\\n", "\n");
        let parts: Vec<&str> = fault.split(" | ").collect();
        let [old, new, expected] = parts[..] else {
            panic!("not three parts: {fault}");
        };
        let message = broken(old, new);
        assert!(message.starts_with("my.ron:"), "{message}");
        assert!(message.contains(expected), "{old} -> {new}: {message}");
    }
}

#[test]
fn broken_ron_gets_file_line_column_and_field() {
    are_told(
        r#"
best_time: 1.0 | best_time: "x" | my.ron:4:16: best_time:
best_time: 1.0 | best_tme: 1.0 | my.ron:4:5: `best_tme` is not a field of `Scene`; nearest: best_time
    exposure: 1.0,\n |  | the field `exposure` of `Scene` is missing
exposure: 1.0 | exposure: 1.0, exposure: 2.0 | the field `exposure` of `Scene` is given twice
particles: 10 | particles: -10 | my.ron:5:17: particles:
particles: 10 | particles: 99999999999 | particles: Integer is out of bounds
radius_start: 0.375 | radius_start: yes | my.ron:23:57: emitters[1].radius_start: Expected float
extinction: 0.1 | extinktion: 0.1 | fog: `extinktion` is not a field of `Fog`; nearest: extinction
Share(2.0) | Part(2.0) | emitters[1].amount: Unexpected variant named `Part` in enum `Amount`
Share(2.0) | Share("2") | emitters[1].amount: Expected float
Box( | Ball( | meshes[0]: Unexpected variant named `Ball`
radius: 2.25,  |  | my.ron:31:92: meshes[1]: the field `radius` of `Cylinder` is missing
ambient: (0.1, 0.1, 0.1) | ambient: (0.1, 0.1) | ambient:
ambient: (0.1, 0.1, 0.1), | ambient: (0.1, 0.1, 0.1) | Expected
"One of each." | "One of each. | my.ron:
)),\n    ],\n) | )),\n    ] | my.ron:33:
(\n    name | \n    name | my.ron:
"#,
    );
    assert!(message("").starts_with("my.ron:1:1: "));
}

/// One value per kind of range. The macro that lists fields ensures that every field has a range.
#[test]
fn values_out_of_range_get_file_field_value_and_range() {
    are_told(
        r#"
name: "whole" | name: " " | my.ron:2: name is empty; it must be a text
best_time: 1.0 | best_time: NaN | my.ron:4: best_time is NaN; it must be from 0 to 100000 s
exposure: 1.0 | fog_slices: 513, exposure: 1.0 | fog_slices is 513; it must be from 0 to 512
near: 0.5 | near: 50.0 | far is 50; it must be from 50.5
(name: "b" | (name: "a" | cameras[1].name is `a`, the name of an earlier camera; it must be unique
eye: (4.0, 1.0, 5.0) | eye: (0.0, 1.0, 0.0) | cameras[1].target is 0,1,0, the same as `eye`; it must be apart from it by more than a millionth
fov_y: 60.0),\n    ] | fov_y: 171.0),\n    ] | cameras[1].fov_y is 171; it must be from 1 to 170°
(0.0, 1.0, 0.2) | (0.0, 0.0, 0.0) | sun.direction_to_sun is [0.0, 0.0, 0.0]
(0.9, 0.9, 0.9) | (0.9, 1.9, 0.9) | fog.albedo[1] is 1.9; it must be from 0 to 1
(0.5, 0.0, 0.0) | (inf, 0.0, 0.0) | fog.noise.drift[0] is inf
Share(2.0) | Share(0.0) | emitters[1].amount is 0; it must be above 0
lifetime: 7.0 | lifetime: -7.0 | emitters[1].lifetime is -7; it must be 0 (particles stand still)
lifetime: 7.0 | lifetime: 1e-30 | emitters[1].lifetime is 0.0000
lifetime: 7.0 | extent: (1.0, -1.0, 1.0) | my.ron:23: emitters[1].extent[1] is -1
radius_start: 0.375 | radius_start: -1.0 | my.ron:23: emitters[1].radius_start is -1; it must be above 0 and at most 10000 m
half_u: (1.5, 0.0, 0.0) | half_u: (0.0, NaN, 0.0) | my.ron:26: sheets[0].half_u[1] is NaN; it must be from -10000 to 10000 m
half_u: (1.5, 0.0, 0.0) | half_u: (0.0, 0.0, 0.0) | sheets[0].half_u is 0 m long; it must be 1 mm long or more
half_u: (1.5, 0.0, 0.0) | half_u: (0.0, -2.0, 0.0) | sheets[0].half_v is [0.0, 0.5, 0.0]; it must be half a degree or more from
cells: (4, 6) | cells: (4, 65) | my.ron:26: sheets[0].cells[1] is 65; it must be from 1 to 64
segments: 12 | flutes: 65 | my.ron:31: meshes[1].flutes is 65; it must be from 0 to 64
exposure: 1.0 | exposure: 1.0, ground: (0.0, -1.0, 0.0) | my.ron:6: ground[1] is -1; it must be from 0
lifetime: 7.0 | spin: 101.0 | my.ron:23: emitters[1].spin is 101; it must be from 0 to 100 turns/s
"#,
    );
}

#[test]
fn more_sheets_than_there_is_room_for_are_refused() {
    let start = WHOLE.find("        (center").unwrap();
    let end = WHOLE.find("    ],\n    meshes").unwrap();
    let sheets = |count| {
        let many = WHOLE[start..end].repeat(count);
        format!("{}{many}{}", &WHOLE[..start], &WHOLE[end..])
    };
    assert!(from_text("my.ron", &sheets(64), &InMemory(&[])).is_ok());
    assert_eq!(
        message(&sheets(65)),
        "my.ron:25: sheets is 65 sheets; it must be at most 64 sheets"
    );
}
