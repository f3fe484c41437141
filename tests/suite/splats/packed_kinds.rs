//! SOG, `.ksplat` and Gaussians in glTF: content, variants of packing, and errors for files that are invalid or
//! intended to exhaust memory.

use std::io::Write as _;
use std::path::Path;

use glam::{DQuat, DVec3, Vec3};
use image::ImageEncoder as _;
use serde_json::{Value, json};
use wavelerp::model::files::{Folder, InMemory};
use wavelerp::model::scene;
use wavelerp::model::scene::Scene;
use wavelerp::model::splats::{How, Splats};

use super::bad_files::refused;
use super::memory::most_held;
use super::write::{largest, parts_but, some_splats};
use super::{EXACT, Tolerance, bytes_of, colour, difference, good, of_bytes, read_as};
use crate::harness::{rows, says};

/// A ZIP archive of the given files, stored or deflated.
fn zip(files: &[(String, Vec<u8>)], is_deflated: bool) -> Vec<u8> {
    let mut all = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut all);
    for (name, bytes) in files {
        let method = match is_deflated {
            true => rawzip::CompressionMethod::DEFLATE,
            false => rawzip::CompressionMethod::STORE,
        };
        let file = archive.new_file(name).compression_method(method);
        let (mut entry, config) = file.start().expect("memory");
        if is_deflated {
            let level = flate2::Compression::default();
            let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, level));
            writer.write_all(bytes).expect("memory");
            let (encoder, descriptor) = writer.finish().expect("memory");
            encoder.finish().expect("memory");
            entry.finish(descriptor).expect("memory");
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(bytes).expect("memory");
            let (_, descriptor) = writer.finish().expect("memory");
            entry.finish(descriptor).expect("memory");
        }
    }
    archive.finish().expect("memory");
    all
}

/// Files in a ZIP archive with stored entries.
pub fn unzipped(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let archive = rawzip::ZipArchive::from_slice(bytes).expect("a ZIP archive");
    let mut entries = archive.entries();
    let mut files = Vec::new();
    while let Some(entry) = entries.next_entry().expect("an entry") {
        let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
        assert_eq!(entry.compression_method(), rawzip::CompressionMethod::STORE);
        let entry = archive.get_entry(entry.wayfinder()).expect("an entry");
        files.push((name, entry.data().to_vec()));
    }
    files
}

fn webp(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = image::codecs::webp::WebPEncoder::new_lossless(&mut bytes);
    let encoded = encoder.write_image(pixels, width, height, image::ExtendedColorType::Rgba8);
    encoded.expect("memory");
    bytes
}

#[test]
fn a_sog_is_the_same_deflated_in_a_folder_of_the_archive_and_unpacked() {
    let stored = bytes_of("sog-3.sog");
    let expected = good(&stored, "a.sog");
    let files = unzipped(&stored);
    let below: Vec<_> = (files.iter())
        .map(|(name, bytes)| (format!("scene/{name}"), bytes.clone()))
        .collect();
    for archive in [zip(&files, true), zip(&below, true), zip(&below, false)] {
        for name in ["a.sog", "a.zip"] {
            assert_eq!(good(&archive, name), expected);
        }
    }
    let held = below.iter().map(|(name, bytes)| (&**name, &**bytes));
    let held: Vec<(&str, &[u8])> = held.collect();
    let memory = InMemory(&held);
    let how = How {
        folder: Some(Folder {
            files: &memory,
            path: Path::new("scene"),
        }),
        ..How::default()
    };
    let meta = files.iter().find(|(name, _)| name == "meta.json");
    let (_, meta) = meta.expect("a meta.json");
    let read = read_as(meta, "scene/meta.json", how).expect("the file is read");
    assert_eq!(read, expected);
    // Negative control: without the other files of the folder, reading fails.
    let alone = refused(meta, "scene/meta.json");
    says(alone, "its pictures are in other files");
}

/// A SOG of version 1, which interpolates numbers between two ends.
pub(super) fn first_version(splats: &Splats, change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let count = splats.len();
    let near = |value: f32, [low, high]: [f64; 2], steps: f64| {
        let part = (f64::from(value) - low) / (high - low);
        (part * steps).round().clamp(0.0, steps)
    };
    let mut pictures = vec![Vec::new(); 5];
    for index in 0..count {
        let places = splats.positions[index].map(|x| x.signum() * x.abs().ln_1p());
        let words = places.to_array();
        let words = words.map(|place| near(place, [-5.0, 5.0], 65535.0) as u16);
        let [x, y, z] = words.map(u16::to_le_bytes);
        pictures[0].extend([x[0], y[0], z[0], 255]);
        pictures[1].extend([x[1], y[1], z[1], 255]);
        let scales = splats.scales[index].map(f32::ln).to_array();
        pictures[2].extend(scales.map(|scale| near(scale, [-12.0, 4.0], 255.0) as u8));
        pictures[2].push(255);
        let [x, y, z, w] = splats.rotations[index].to_array();
        let parts = [w, x, y, z];
        let (largest, sign) = largest(parts);
        let rest = parts_but(parts, largest).map(|part| sign * part * 2f32.sqrt());
        pictures[3].extend(rest.map(|part| near(part, [-1.0, 1.0], 255.0) as u8));
        pictures[3].push(252 + largest as u8);
        let constant = splats.harmonics[index * splats.coefficients()].to_array();
        pictures[4].extend(constant.map(|part| near(part, [-4.0, 4.0], 255.0) as u8));
        let logit = (splats.opacities[index] / (1.0 - splats.opacities[index])).ln();
        pictures[4].push(near(logit, [-8.0, 8.0], 255.0) as u8);
    }
    let names = ["means_l", "means_u", "scales", "quats", "sh0"].map(|name| format!("{name}.webp"));
    let mut meta = json!({
        "means": {"shape": [count, 3], "mins": [-5.0, -5.0, -5.0], "maxs": [5.0, 5.0, 5.0], "files": [names[0], names[1]]},
        "scales": {"shape": [count, 3], "mins": [-12.0, -12.0, -12.0], "maxs": [4.0, 4.0, 4.0], "files": [names[2]]},
        "quats": {"shape": [count, 4], "encoding": "quaternion_packed", "files": [names[3]]},
        "sh0": {"shape": [count, 1, 4], "mins": [-4.0, -4.0, -4.0, -8.0], "maxs": [4.0, 4.0, 4.0, 8.0], "files": [names[4]]},
    });
    change(&mut meta);
    let mut files = vec![("meta.json".to_owned(), meta.to_string().into_bytes())];
    for (name, pixels) in names.into_iter().zip(pictures) {
        files.push((name, webp(count as u32, 1, &pixels)));
    }
    zip(&files, false)
}

#[test]
fn a_sog_of_version_1_is_read_as_far_as_it_keeps_its_numbers() {
    let splats = good(&bytes_of("inria-0.ply"), "a.ply");
    let read = good(&first_version(&splats, |_| {}), "a.sog");
    let tolerance = Tolerance {
        position: 0.5 * 10.0 / 65535.0 * 10.0,
        scale: 0.5 * 16.0 / 255.0 * 1.01,
        rotation: 0.01,
        opacity: 0.5 * 16.0 / 255.0 / 4.0 * 1.01,
        constant: 0.5 * 8.0 / 255.0 * 1.01,
        rest: 0.0,
    };
    assert_eq!(difference(&read, &splats, &tolerance), None);
}

#[test]
fn a_sog_that_is_wrong_says_where_and_one_that_expands_is_not_expanded() {
    let splats = some_splats(0);
    for [pointer, value, part] in rows(
        r#"
/version | 3 | SOG version 3; versions 1 and 2
/means/shape | [6, 3] | 5 x 1 pixels, and there are 6 splats
/means/shape | [] | no count
/means/shape | [0] | it contains no splats
/scales/mins | [1] | its scales have 1 mins and maxs of 3
/version | 2 | the codebook of its scales has 0 numbers instead of 256
/quats/files | ["../quats.webp"] | not a file next to its meta.json
/quats/files | ["none.webp"] | this SOG has no none.webp
/quats/files | [] | names too few pictures
/sh0 | 3 | its meta.json:
/quats/files | ["meta.json"] | meta.json:
"#,
    ) {
        let changed = first_version(&splats, |meta| {
            let (at, key) = pointer.rsplit_once('/').expect("a place");
            let place = meta.pointer_mut(at).expect("a place");
            place[key] = value.parse().expect("JSON");
        });
        says(refused(&changed, "a.sog"), part);
    }
    let whole = first_version(&splats, |_| {});
    for length in (0..whole.len()).step_by(7) {
        refused(&whole[..length], "a.sog");
    }
    // A picture of 4096 x 4096 pixels in a few bytes, and a meta.json of blanks.
    let flat = webp(4096, 4096, &vec![7; 4 * 4096 * 4096]);
    let mut files = unzipped(&whole);
    files[1].1 = flat;
    let bomb = zip(&files, false);
    let (reason, held) = most_held(|| refused(&bomb, "a.sog"));
    says(reason, "would become 4096 x 4096 pixels");
    assert!(held < 1 << 20, "{held}");
    files[0].1 = vec![b' '; 64 << 20];
    let bomb = zip(&files[..1], true);
    let (reason, held) = most_held(|| refused(&bomb, "a.sog"));
    says(reason, "meta.json is too long");
    assert!(held < 64 << 20, "{held}");
}

#[test]
fn a_ksplat_that_is_wrong_says_so_whatever_its_length_and_counts() {
    for name in ["k0-2.ksplat", "k1-1.ksplat", "k2-2.ksplat"] {
        let bytes = bytes_of(name);
        let whole = good(&bytes, name);
        for length in (0..bytes.len()).step_by(37) {
            refused(&bytes[..length], name);
        }
        let longer = [bytes.as_slice(), b"more"].concat();
        assert_eq!(good(&longer, name), whole);
        for place in (0..48).chain(4096..4144) {
            for value in [0, 1, 0x7f, 0xff] {
                let mut changed = bytes.clone();
                changed[place] = value;
                let (read, held) = most_held(|| of_bytes(&changed, name));
                assert!(held < 4 << 20, "{held} bytes for byte {place}");
                if let Ok(read) = read {
                    read.check()
                        .expect("accepted splats satisfy the readers' guarantees");
                }
            }
        }
    }
    let zeros = refused(&[0; 5000], "a.ksplat");
    says(zeros, ".ksplat version 0.0; 0.1 can be read");
}

/// Covariance of a splat, which is the visible effect of rotation and scales.
fn spread(splats: &Splats, index: usize) -> glam::DMat3 {
    let axes = glam::DMat3::from_quat(splats.rotations[index].as_dquat());
    let scales = splats.scales[index].as_dvec3();
    axes * glam::DMat3::from_diagonal(scales * scales) * axes.transpose()
}

#[test]
fn gaussians_in_gltf_are_those_that_were_written_and_stand_as_gltf_has_its_axes() {
    for degree in [1, 3] {
        let bytes = bytes_of(&format!("gltf-{degree}.glb"));
        let splats = good(&bytes_of(&format!("inria-{degree}.ply")), "a.ply");
        // splat-transform flips x and y.
        let how = How {
            axes: Some("luf".parse().expect("axes")),
            ..How::default()
        };
        let mut read = read_as(&bytes, "a.glb", how).expect("the file is read");
        for index in 0..read.len() {
            let [read, written] = [&read, &splats].map(|splats| spread(splats, index));
            assert!(read.abs_diff_eq(written, 1e-5), "splat {index}");
        }
        // Axes of a Gaussian may be flipped.
        read.rotations.clone_from(&splats.rotations);
        assert_eq!(difference(&read, &splats, &EXACT), None);
        // By default, y is up. The two axes differ by half a turn about y.
        let read = good(&bytes, "a.glb");
        for (read, written) in read.positions.iter().zip(&splats.positions) {
            assert_eq!(*read, *written * Vec3::new(-1.0, 1.0, -1.0));
        }
        assert!(read.remarks.is_empty(), "{:?}", read.remarks);
    }
}

/// A GLB with changed JSON.
fn changed(bytes: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    change(&mut json);
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let rest = &bytes[20 + length..];
    let all = (20 + text.len() + rest.len()) as u32;
    let head = [b"glTF".as_slice(), &2u32.to_le_bytes(), &all.to_le_bytes()].concat();
    let chunk = [&(text.len() as u32).to_le_bytes()[..], b"JSON", &text, rest].concat();
    [head, chunk].concat()
}

#[test]
fn nodes_move_turn_and_stretch_gaussians_and_what_they_look_like_from_each_side() {
    let bytes = bytes_of("gltf-3.glb");
    let how = How {
        axes: Some("rdf".parse().expect("axes")),
        ..How::default()
    };
    let plain = read_as(&bytes, "a.glb", how).expect("the file is read");
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.5, -1.0, 2.0);
    for scale in [
        DVec3::splat(2.0),
        DVec3::new(2.0, 0.5, 1.0),
        DVec3::new(-1.0, 1.0, 1.0),
    ] {
        let moved = changed(&bytes, |json| {
            json["nodes"] = json!([
                {"children": [1], "translation": [4e6, -2.0, 5e6], "rotation": turn.to_array()},
                {"mesh": 0, "scale": scale.to_array()},
            ]);
        });
        let read = read_as(&moved, "a.glb", how).expect("the file is read");
        let place = DVec3::new(4e6, -2.0, 5e6);
        assert!(read.origin.distance(place) < 40.0, "{}", read.origin);
        let linear = glam::DMat3::from_quat(turn) * glam::DMat3::from_diagonal(scale);
        for index in 0..plain.len() {
            let there = read.origin + read.positions[index].as_dvec3() - place;
            let expected = linear * plain.positions[index].as_dvec3();
            assert!(there.distance(expected) < 1e-4, "{there} {expected}");
            let expected = linear * spread(&plain, index) * linear.transpose();
            let is_it = expected.abs_diff_eq(spread(&read, index), 1e-4);
            assert!(is_it, "splat {index}");
            let seen = |splats: &Splats, direction: DVec3| {
                colour(&splats.harmonics[index * 16..][..16], direction.as_vec3())
            };
            let direction = DVec3::new(0.36, 0.48, -0.8);
            let turned = turn * (scale.signum() * direction);
            let apart = seen(&plain, direction) - seen(&read, turned);
            assert!(apart.abs().max_element() < 1e-4, "splat {index}: {apart}");
        }
    }
    let twice = changed(&bytes, |json| {
        json["nodes"] = json!([{"mesh": 0}, {"mesh": 0, "translation": [0, 9, 0]}]);
        json["scenes"] = json!([{"nodes": [0, 1]}]);
    });
    let read = read_as(&twice, "a.glb", how).expect("the file is read");
    assert_eq!(read.len(), 2 * plain.len());
    let expected = plain.positions[0] + 9.0 * Vec3::Y;
    assert_eq!(read.positions[plain.len()], expected);
}

#[test]
fn gltf_without_harmonics_takes_its_colours_and_what_is_missing_is_named() {
    let bytes = bytes_of("gltf-1.glb");
    let attributes = "/meshes/0/primitives/0/attributes";
    let without = |names: &[&str]| {
        changed(&bytes, |json| {
            let all = json.pointer_mut(attributes).and_then(Value::as_object_mut);
            let all = all.expect("attributes");
            names.iter().for_each(|name| drop(all.remove(*name)));
        })
    };
    let own = |name: &str| format!("KHR_gaussian_splatting:{name}");
    let plain = good(&bytes, "a.glb");
    let bare = without(&[&own("SH_DEGREE_0_COEF_0"), &own("OPACITY")]);
    let read = good(&bare, "a.glb");
    assert_eq!(read.degree, 0);
    for index in 0..read.len() {
        assert!((read.opacities[index] - plain.opacities[index]).abs() < 0.003);
        let clamped = |of: Vec3| (0.5 + 0.282_094_8 * of).clamp(Vec3::ZERO, Vec3::ONE);
        let apart = clamped(read.harmonics[index]) - clamped(plain.harmonics[4 * index]);
        assert!(apart.abs().max_element() < 0.003, "{apart}");
    }
    for name in ["ROTATION", "SCALE"] {
        let reason = refused(&without(&[&own(name)]), "a.glb");
        says(reason, format!("it has no {}", own(name)));
    }
    // Drafts of the extension stored logarithms of scales.
    let mut place = (0, 0);
    let mut drafted = changed(&bytes, |json| {
        let view = &json["bufferViews"][3];
        let number = |name: &str| view[name].as_u64().expect("a number") as usize;
        place = (number("byteOffset"), number("byteLength"));
    });
    let json = u32::from_le_bytes(drafted[12..16].try_into().expect("four bytes")) as usize;
    for number in drafted[28 + json + place.0..][..place.1].chunks_exact_mut(4) {
        let value = f32::from_le_bytes([number[0], number[1], number[2], number[3]]);
        number.copy_from_slice(&value.ln().to_le_bytes());
    }
    let drafted = good(&drafted, "a.glb");
    for (read, plain) in drafted.scales.iter().zip(&plain.scales) {
        let apart = *read / *plain - 1.0;
        assert!(apart.abs().max_element() < 1e-5, "{read} {plain}");
    }
    says(&drafted.remarks[0], "taken as logarithms");
    let fewer = changed(&bytes, |json| json["accessors"][2]["count"] = json!(39));
    let reason = refused(&fewer, "a.glb");
    says(reason, "40 positions and 39 of another attribute");
    let compressed = changed(&bytes, |json| {
        let used = ["", "_compression_spz_2"].map(|of| format!("KHR_gaussian_splatting{of}"));
        json["extensionsUsed"] = json!(used);
    });
    says(refused(&compressed, "a.glb"), "SPZ in glTF");
    let linear = changed(&bytes, |json| {
        json["meshes"][0]["primitives"][0]["extensions"]["KHR_gaussian_splatting"]["colorSpace"] =
            json!("lin_rec709_display");
    });
    assert!(good(&linear, "a.glb").is_linear && !plain.is_linear);
}

#[test]
fn meshes_beside_gaussians_in_gltf_are_shown_with_them_where_the_file_is_opened_by_itself() {
    let with = |primitive: Option<Value>| {
        let bytes = changed(&bytes_of("gltf-1.glb"), |json| {
            let primitives = json["meshes"][0]["primitives"].as_array_mut();
            primitives.expect("primitives").extend(primitive);
        });
        let files: [(&str, &[u8]); 1] = [("a.glb", &bytes)];
        scene::load("a.glb", &InMemory(&files)).expect("the scene loads")
    };
    let place = |of: [f32; 3]| Vec3::from(of);
    let alone = with(None);
    let both = with(Some(json!({"attributes": {"POSITION": 0}, "mode": 4})));
    assert_eq!(both.placed_splats.gaussians, alone.placed_splats.gaussians);
    // Every three positions of the Gaussians make a triangle.
    let corners: Vec<Vec3> = both.placed_meshes.positions().map(place).collect();
    assert_eq!(corners.len(), 39);
    for (corner, splat) in corners.iter().zip(&both.placed_splats.gaussians) {
        assert!(corner.distance(place(splat.position)) < 1e-4, "{corner}");
    }
    let remarks = |scene: &Scene| scene.remarks().cloned().collect::<Vec<_>>().join("\n");
    says(remarks(&both), "meshes beside its Gaussians (1)");
    let camera = &both.cameras[0];
    let (eye, target) = (place(camera.eye), place(camera.target));
    for corner in corners {
        assert!((corner - eye).angle_between(target - eye) < 25f32.to_radians());
    }
    // Negative controls: Gaussians alone have no light, and invalid meshes do not hide any.
    assert_eq!((alone.meshes.len(), alone.remarks().count()), (0, 0));
    let wrong = with(Some(json!({"attributes": {"POSITION": 99}, "mode": 4})));
    assert_eq!((wrong.meshes.len(), wrong.placed_splats.count()), (0, 40));
    says(remarks(&wrong), "accessors[99] | left out");
}

#[test]
fn gaussians_in_gltf_are_sorted_by_distance_and_another_method_is_named() {
    let sorted_by = |method: Option<&str>| {
        let bytes = changed(&bytes_of("gltf-1.glb"), |json| {
            let primitives = json["meshes"][0]["primitives"].as_array_mut();
            let primitives = primitives.expect("primitives");
            let gaussians = &mut primitives[0]["extensions"]["KHR_gaussian_splatting"];
            gaussians["sortingMethod"] = json!(method);
            // The remark appears once.
            primitives.push(primitives[0].clone());
        });
        let read = good(&bytes, "a.glb");
        (read.by_distance, read.remarks)
    };
    assert_eq!(sorted_by(None), (true, vec![]));
    assert_eq!(sorted_by(Some("cameraDistance")), (true, vec![]));
    let line = "Gaussians with sorting method zDepth: sorted by depth";
    assert_eq!(sorted_by(Some("zDepth")), (false, vec![line.to_owned()]));
    let ply = good(&bytes_of("inria-1.ply"), "a.ply");
    assert!(!ply.by_distance);
}
