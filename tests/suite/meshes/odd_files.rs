//! Faulty files as real programs write them: each is shown like the same file without the fault.

use std::path::Path;

use glam::{Mat4, Vec3};
use serde_json::json;
use wavelerp::input::Disk;
use wavelerp::model::files::InMemory;
use wavelerp::model::meshes;
use wavelerp::model::meshes::Model;

use super::write::{Writer, bytes_of};
use super::{CORNERS, corners_of, of_bytes, positions, read};
use crate::harness::says;

/// A square with a picture, moved by a matrix.
pub fn whole() -> Writer {
    let mut writer = Writer::new();
    let texture = writer.texture(1, &[[200, 100, 50, 255]]);
    let base = json!({"baseColorTexture": {"index": texture}, "metallicFactor": 0.0});
    let material = writer.add("materials", json!({"pbrMetallicRoughness": base}));
    writer.square(1.0, material);
    let matrix = json!([2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]);
    writer.set("/nodes/0/matrix", matrix);
    writer
}

/// Reads a text with some parts replaced.
fn with(changes: &[(&str, &[u8])]) -> Model {
    let mut text = whole().gltf();
    for (old, new) in changes {
        let old = old.as_bytes();
        let at = text.windows(old.len()).position(|part| part == old);
        let at = at.unwrap_or_else(|| panic!("{changes:?}"));
        text.splice(at..at + old.len(), new.iter().copied());
    }
    let model = of_bytes(&text, "a.gltf");
    model.unwrap_or_else(|error| panic!("{changes:?}: {error}"))
}

#[test]
fn json_as_programs_write_it_is_read_as_what_it_means() {
    let good = read(&whole());
    assert_eq!(good.remarks, [""; 0]);
    for changes in [
        &[("{", b"\xef\xbb\xbf {".as_slice())][..],
        &[("\"byteLength\":48", b"\"byteStride\":0,\"byteLength\":48")],
        &[("\"byteLength\":48", b"\"byteStride\":4.0,\"byteLength\":48")],
        // The stride is set for indices, which are contiguous in any case.
        &[("\"byteLength\":12", b"\"byteStride\":12,\"byteLength\":12")],
        &[
            ("5126", b"5126.0"),
            ("5123", b"5.123e3"),
            ("\"mesh\":0", b"\"mesh\":0.00"),
        ],
        &[("\"asset\":{", b"\"asset\":{\"generator\":\"caf\xe9\tx\",")],
        &[
            ("6,7,1]", b"6,7,0.9999999]"),
            ("[2,0,0,0,", b"[2,0,0,1e-9,"),
        ],
        &[("\"matrix\"", b"\"rotation\":[0,0,0,0],\"matrix\"")],
        &[
            (
                "\"metallicFactor\"",
                b"\"baseColorFactor\":null,\"metallicFactor\"",
            ),
            ("\"nodes\":[0]", b"\"nodes\":[0,]"),
        ],
    ] {
        assert_eq!(with(changes), good, "{changes:?}");
    }
    let numbers = b"\"baseColorFactor\":[NaN,0,-Infinity,1],\"metallicFactor\"";
    let mut unset = with(&[("\"metallicFactor\"", numbers)]);
    let said = std::mem::take(&mut unset.remarks);
    let expected = "numbers such as NaN in its JSON (2): taken as missing";
    assert_eq!(said, [expected]);
    assert_eq!(unset, good);
    let mut padded = whole().glb();
    let chunk = padded.windows(4).position(|part| part == b"BIN\0");
    let end = chunk.expect("a chunk") - 4;
    padded[12..16].copy_from_slice(&((end - 20 + 4) as u32).to_le_bytes());
    padded.splice(end..end, [0; 4]);
    let length = padded.len() as u32;
    padded[8..12].copy_from_slice(&length.to_le_bytes());
    assert_eq!(of_bytes(&padded, "a.glb").expect("read"), good);
}

#[test]
fn files_are_found_by_names_of_another_system_and_never_outside_the_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("Parts")).expect("a folder");
    let path = folder.path().join("a.gltf");
    let [_, binary] = whole().apart("");
    std::fs::write(folder.path().join("Parts/Square.BIN"), &binary).expect("written");
    for (uri, is_found) in [
        ("Parts/Square.BIN", true),
        ("parts\\square.bin", true),
        (".\\PARTS%5cSQUARE.BIN", true),
        ("parts/circle.bin", false),
        ("parts\\..\\..\\square.bin", false),
    ] {
        let [text, _] = whole().apart(uri);
        std::fs::write(&path, &text).expect("written");
        let on_disk = meshes::read(&path, &Disk, &mut |_| Ok(()));
        assert_eq!(on_disk.is_ok(), is_found, "{uri}");
        let files = [("b/a.gltf", &*text), ("b/Parts/Square.BIN", &*binary)];
        let in_memory = meshes::read(Path::new("b/a.gltf"), &InMemory(&files), &mut |_| Ok(()));
        assert_eq!(in_memory.is_ok(), is_found, "{uri}");
    }
}

/// Result of reading a square with a picture of the given bytes.
fn with_picture(bytes: &[u8], mime: &str) -> Model {
    let mut writer = whole();
    let view = writer.view(bytes);
    writer.set("/images/0", json!({"bufferView": view, "mimeType": mime}));
    read(&writer)
}

fn encoded(size: [u32; 2], format: image::ImageFormat) -> Vec<u8> {
    let image = image::RgbImage::from_pixel(size[0], size[1], image::Rgb([255, 0, 0]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("memory");
    bytes.into_inner()
}

#[test]
fn pictures_of_other_formats_are_decoded_and_long_ones_are_shrunk() {
    use image::ImageFormat::{Bmp, Gif, Png, Tga, WebP};
    for (format, mime, width, shown) in [
        (WebP, "image/webp", 3, 3),
        (Gif, "", 3, 3),
        (Bmp, "image/png", 3, 3),
        (Tga, "image/x-tga", 3, 3),
        (Png, "", 9000, 2048),
    ] {
        let model = with_picture(&encoded([width, 2], format), mime);
        let picture = &model.pictures[0];
        assert_eq!(picture.size, [shown, 2], "{format:?}");
        assert_eq!(picture.texels[4..8], [255, 0, 0, 255], "{format:?}");
        assert_eq!(model.remarks, [""; 0]);
    }
    let mut writer = whole();
    let source = writer.json["textures"][0]["source"].clone();
    let webp = json!({"extensions": {"EXT_texture_webp": {"source": source}}});
    writer.set("/textures/0", webp);
    assert_eq!(read(&writer).pictures.len(), 1);
}

#[test]
fn a_picture_that_cannot_be_read_leaves_its_shape_in_its_own_colour() {
    let png = encoded([8, 8], image::ImageFormat::Png);
    let mut bomb = png.clone();
    bomb[16..24].copy_from_slice(&[0, 0, 0x80, 0, 0, 0, 0x80, 0]);
    let mut check = flate2::Crc::new();
    check.update(&bomb[12..29]);
    bomb[29..33].copy_from_slice(&check.sum().to_be_bytes());
    let unknown = "images[0]: it is not PNG, JPEG, WebP, GIF, BMP or TGA";
    let packed = "images[0]: it is KTX2; `gltf-transform ktxdecompress`";
    let large = "it has 32768 x 32768 texels; the limit is 256 million";
    for (bytes, words) in [
        (&png[..50], "images[0]: "),
        (b"II*\0".as_slice(), unknown),
        (b"\xabKTX 20\xbb\r\n\x1a\n", packed),
        (&bomb, large),
    ] {
        let model = with_picture(bytes, "image/png");
        assert_eq!((model.mesh.triangles.len(), model.pictures.len()), (2, 0));
        assert_eq!(model.materials[0].picture, None);
        let [remark] = &model.remarks[..] else {
            panic!("{:?}", model.remarks);
        };
        says(remark, words);
        let end = ": its materials are shown in their plain colour";
        assert!(remark.ends_with(end), "{remark}");
    }
    for (uri, words) in [
        ("none.png", "none.png: there is no such file"),
        ("https://example.org/a.png", "is an address"),
        ("C:\\a.png", "is an address"),
        ("data:image/png,x", "it is not PNG"),
    ] {
        let mut writer = whole();
        writer.set("/images/0", json!({"uri": uri}));
        let remarks = read(&writer).remarks;
        assert_eq!(remarks.len(), 1, "{remarks:?}");
        says(&remarks[0], words);
    }
}

#[test]
fn materials_of_other_models_have_their_diffuse_colour_and_no_variant_is_shown() {
    let mut writer = whole();
    let glossy = json!({"diffuseFactor": [0.25, 0.5, 0.75, 1.0], "diffuseTexture": {"index": 0}});
    let material = json!({"extensions": {"KHR_materials_pbrSpecularGlossiness": glossy}});
    writer.set("/materials/0", material);
    let model = read(&writer);
    assert_eq!(corners_of(&model, 0)[0].albedo, Vec3::new(0.25, 0.5, 0.75));
    assert_eq!((model.pictures.len(), model.remarks.len()), (1, 0));
    let red =
        json!({"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1], "metallicFactor": 0}});
    let red = writer.add("materials", red);
    let mappings = json!([{"material": red, "variants": [2, 0]}]);
    let extensions = json!({"KHR_materials_variants": {"mappings": mappings}});
    writer.set("/meshes/0/primitives/0/extensions", extensions);
    let required = json!(["KHR_materials_variants", "EXT_x"]);
    writer.set("/extensionsRequired", required);
    let model = read(&writer);
    assert_eq!(corners_of(&model, 0)[0].albedo, Vec3::new(0.25, 0.5, 0.75));
    let remarks = [
        "extensions EXT_x: left out",
        "meshes with variants of materials: shown with their own materials",
    ];
    assert_eq!(model.remarks, remarks);
    // Negative control: a part shows its own material; without one, it is white, whatever the variants are.
    writer.set("/meshes/0/primitives/0/material", json!(red));
    assert_eq!(corners_of(&read(&writer), 0)[0].albedo, Vec3::X);
    writer.set("/meshes/0/primitives/0/material", json!(null));
    assert_eq!(corners_of(&read(&writer), 0)[0].albedo, Vec3::ONE);
}

#[test]
fn nodes_far_away_keep_their_shape() {
    let mut writer = Writer::new();
    let near = writer.triangle([[0.0; 3], [0.01, 0.0, 0.0], [0.0, 0.01, 0.0]]);
    writer.move_to(near, [0.125, 0.0, -3.0]);
    let inner = json!({"children": [near], "translation": [512_345.25, 0.0, 0.0]});
    let inner = writer.add("nodes", inner);
    let outer = json!({"children": [inner], "translation": [0.0, 0.0, 5_400_100.5]});
    let outer = writer.add("nodes", outer);
    writer.set("/scenes/0/nodes", json!([outer]));
    let model = read(&writer);
    let said = "its meshes are around (512345, 0, 5400098): shown around the origin";
    assert_eq!(model.remarks, [said]);
    let expected = [[0.375, 0.0, -0.5], [0.385, 0.0, -0.5], [0.375, 0.01, -0.5]];
    super::near(positions(&model)[0], expected.map(Vec3::from), 1e-6);
    // A large node is not a distant node.
    writer.set(&format!("/nodes/{near}/scale"), json!([1e8, 1e8, 1e8]));
    assert_eq!(read(&writer).remarks, [""; 0]);
}

#[test]
fn a_mesh_stands_as_often_as_its_node_says() {
    let mut writer = Writer::new();
    let shifts = writer.floats(&[[0.0, 0.0, 0.0], [5.0, 0.0, 0.0], [0.0, 7.0, 0.0]]);
    // Half turns about z, in normalised bytes.
    let turns = [0, 0, 0, 127, 0, 0, 127, 0, 0, 0, 0, 127];
    let turns = writer.normalized(&turns, 5120, "VEC4");
    let scales = writer.floats(&[[1.0; 3], [2.0; 3], [1.0; 3]]);
    writer.triangle(CORNERS);
    let attributes = json!({"TRANSLATION": shifts, "ROTATION": turns, "SCALE": scales});
    let copies = json!({"EXT_mesh_gpu_instancing": {"attributes": attributes}});
    writer.set("/nodes/0/extensions", copies);
    writer.set("/nodes/0/translation", json!([0.0, 0.0, 1.0]));
    let found = positions(&read(&writer));
    let expected = [
        [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]],
        [[5.0, 0.0, 1.0], [3.0, 0.0, 1.0], [5.0, -2.0, 1.0]],
        [[0.0, 7.0, 1.0], [1.0, 7.0, 1.0], [0.0, 8.0, 1.0]],
    ];
    assert_eq!(found.len(), 3);
    for (found, expected) in found.into_iter().zip(expected) {
        super::near(found, expected.map(Vec3::from), 1e-6);
    }
}

#[test]
fn skins_stand_where_joints_put_them_and_morph_targets_apply_by_their_weights() {
    let mut writer = Writer::new();
    let node = writer.triangle(CORNERS);
    let joints = writer.accessor(&[0, 1, 9, 9].repeat(3), 5121, 3, "VEC4");
    let weights = [[1.0, 0.0], [0.0, 2.0], [0.5, 0.5]];
    let weights = writer.floats(&weights.map(|[a, b]| [a, b, 0.0, 0.0]));
    let attributes = "/meshes/0/primitives/0/attributes";
    writer.set(&format!("{attributes}/JOINTS_0"), json!(joints));
    writer.set(&format!("{attributes}/WEIGHTS_0"), json!(weights));
    let inverses = [Mat4::IDENTITY, Mat4::from_translation(-Vec3::X)];
    let inverses = inverses.map(|of| of.to_cols_array());
    let inverses = writer.accessor(&bytes_of(inverses.as_flattened()), 5126, 2, "MAT4");
    let first = writer.add("nodes", json!({"translation": [0.0, 0.0, 2.0]}));
    let second = json!({"translation": [4.0, 0.0, 0.0], "scale": [3.0, 3.0, 3.0]});
    let second = writer.add("nodes", second);
    let skin = json!({"joints": [first, second], "inverseBindMatrices": inverses});
    writer.set("/skins", json!([skin]));
    writer.set(&format!("/nodes/{node}/skin"), json!(0));
    // The node's own transform has no effect.
    writer.move_to(node, [100.0, 0.0, 0.0]);
    writer.set("/scenes/0/nodes", json!([node, first, second]));
    let model = read(&writer);
    // By hand: the first joint moves (0, 0, 0), the second (1, 0, 0), and the mean of both (0, 1, 0).
    let expected = [[0.0, 0.0, 2.0], [4.0, 0.0, 0.0], [0.5, 2.0, 1.0]].map(Vec3::from);
    assert_eq!(positions(&model), [expected]);
    assert_eq!(model.remarks, [""; 0]);
    writer.set("/scenes/0/nodes", json!([node, first]));
    let model = read(&writer);
    assert_eq!(positions(&model), [CORNERS.map(Vec3::from)]);
    let remark = "skins with joints outside the scene: their meshes are shown unposed";
    assert_eq!(model.remarks, [remark]);
    writer.set(&format!("{attributes}/JOINTS_0"), json!(joints + 90));
    assert!(of_bytes(&writer.glb(), "a.glb").is_err());

    let mut writer = Writer::new();
    let node = writer.triangle(CORNERS);
    let up = writer.floats(&[[0.0, 0.0, 4.0]; 3]);
    let out = writer.floats(&[[0.0; 3], [6.0, 0.0, 0.0], [0.0; 3]]);
    let targets = json!([{"POSITION": up}, {"POSITION": out}]);
    writer.set("/meshes/0/primitives/0/targets", targets);
    assert_eq!(positions(&read(&writer)), [CORNERS.map(Vec3::from)]);
    writer.set("/meshes/0/weights", json!([0.5, 0.0]));
    let raised = CORNERS.map(|corner| Vec3::from(corner) + 2.0 * Vec3::Z);
    assert_eq!(positions(&read(&writer)), [raised]);
    writer.set(&format!("/nodes/{node}/weights"), json!([0.0, 0.5]));
    let stretched = [CORNERS[0], [4.0, 0.0, 0.0], CORNERS[2]].map(Vec3::from);
    assert_eq!(positions(&read(&writer)), [stretched]);
}

/// A grid of squares in the plane z = 0 between -1 and 1 with shuffled triangles, without the square named by `lacks`.
fn window(edge: u16, order: u64, lacks: Option<[u16; 2]>, shade: Option<[f32; 4]>) -> Writer {
    let mut writer = Writer::new();
    let glass = json!({"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [0.1, 0.3, 0.9, 0.5], "metallicFactor": 0}});
    let glass = writer.add("materials", glass);
    let at = |step: u16| f32::from(step) / f32::from(edge) * 2.0 - 1.0;
    let grid = || (0..=edge).flat_map(move |y| (0..=edge).map(move |x| [x, y]));
    let places: Vec<[f32; 3]> = grid().map(|[x, y]| [at(x), at(y), 0.0]).collect();
    let mut triangles = Vec::new();
    for [x, y] in grid().filter(|[x, y]| *x < edge && *y < edge && Some([*x, *y]) != lacks) {
        let corner = |dx: u16, dy: u16| (y + dy) * (edge + 1) + x + dx;
        triangles.push([corner(0, 0), corner(1, 0), corner(1, 1)]);
        triangles.push([corner(1, 1), corner(0, 1), corner(0, 0)]);
    }
    fastrand::Rng::with_seed(order).shuffle(&mut triangles);
    let mut attributes = json!({"POSITION": writer.floats(&places)});
    if let Some(shade) = shade {
        attributes["COLOR_0"] = json!(writer.floats(&vec![shade; places.len()]));
    }
    let indices = writer.indices(triangles.as_flattened());
    writer.mesh(json!({"attributes": attributes, "indices": indices, "material": glass}));
    writer
}

#[test]
fn a_window_is_one_pane_however_many_squares_it_has_and_in_whatever_order() {
    let [plain] = read(&window(1, 0, None, None)).panes[..] else {
        panic!("one pane");
    };
    assert_eq!(plain.albedo, Vec3::new(0.1, 0.3, 0.9));
    assert_eq!((plain.opacity, plain.half_u.length()), (0.5, 1.0));
    for (edge, order) in [(2, 1), (4, 2), (9, 3), (30, 4)] {
        let model = read(&window(edge, order, None, None));
        assert_eq!(model.panes, [plain], "{edge}");
        assert_eq!(model.remarks, [""; 0]);
    }
    // Reversed winding, or a back at the same place, changes nothing.
    let mut writer = window(1, 0, None, None);
    let indices = writer.indices(&[0, 1, 3, 0, 2, 3, 1, 0, 3, 3, 0, 2]);
    writer.set("/meshes/0/primitives/0/indices", json!(indices));
    let model = read(&writer);
    assert_eq!((model.panes, model.remarks), (vec![plain], Vec::new()));
    // With a hole, every order gives the same panes, each as large as possible.
    let [first, second] = [5, 6].map(|order| read(&window(6, order, Some([2, 3]), None)));
    assert_eq!(first, second);
    let areas = first.panes.iter();
    let areas = areas.map(|pane| 4.0 * pane.half_u.cross(pane.half_v).length());
    let apart = areas.sum::<f32>() - 4.0 * 35.0 / 36.0;
    assert!(apart.abs() < 1e-5, "{:?}", first.panes);
    assert!(first.panes.len() < 10, "{:?}", first.panes);
    // A bent sheet is not a pane, and no part of it is shown.
    let put = |mut writer: Writer, places: &[[f32; 3]]| {
        let places = writer.floats(places);
        writer.set("/meshes/0/primitives/0/attributes/POSITION", json!(places));
        writer.triangle(CORNERS);
        read(&writer)
    };
    let places = (0..16u8).map(|at| {
        let [x, y] = [at % 4, at / 4].map(f32::from);
        [x, y, x * x]
    });
    let bent = put(window(3, 7, None, None), &places.collect::<Vec<_>>());
    // The sheet has three flat strips.
    assert_eq!((bent.mesh.triangles.len(), bent.panes.len()), (1, 3));
    // A bent sheet with a few flat squares has no panes either: squares on one side of a valley are flat, the others are
    // twisted.
    let valley = |lowest: u8| {
        let places = (0..49u8).map(|at| {
            let [x, y] = [at % 7, at / 7].map(f32::from);
            [x, y, f32::from(lowest.saturating_sub(at % 7)) * y * y]
        });
        put(window(6, 8, None, None), &places.collect::<Vec<_>>())
    };
    let [flat, bent] = [0, 4].map(valley);
    assert_eq!((flat.panes.len(), bent.panes.len()), (1, 0));
    let left_out = |count: u32| {
        format!("translucent triangles that are not parts of flat panes ({count}): left out")
    };
    assert_eq!(bent.remarks, [left_out(72)]);
    let kite = [[0.0, 0.0], [1.0, 0.0], [3.0, 3.0], [0.0, 1.0]];
    let model = put(window(1, 0, None, None), &kite.map(|[x, y]| [x, y, 0.0]));
    assert_eq!((model.mesh.triangles.len(), model.panes.len()), (1, 0));
    assert_eq!(model.remarks, [left_out(2)]);
}

#[test]
fn what_lets_light_through_is_translucent_by_as_much() {
    let through = |factor: f64, has_texture: bool, mode: &str| {
        let mut transmission = json!({"transmissionFactor": factor});
        let mut writer = window(2, 1, None, None);
        if has_texture {
            let texture = writer.texture(1, &[[255; 4]]);
            transmission["transmissionTexture"] = json!({"index": texture});
        }
        let extensions = json!({"KHR_materials_transmission": transmission});
        writer.set("/materials/0/extensions", extensions);
        writer.set("/materials/0/alphaMode", json!(mode));
        writer.set("/extensionsUsed", json!(["KHR_materials_transmission"]));
        writer.triangle(CORNERS);
        let model = read(&writer);
        let panes: Vec<f32> = model.panes.iter().map(|pane| pane.opacity).collect();
        (panes, model.mesh.triangles.len(), model.remarks.concat())
    };
    let by_as_much =
        "transmissive materials: shown as equally translucent, without tint or refraction";
    let by_texture = "materials with a transmission texture: shown without transmission";
    // Opaque materials have no alpha; the triangle next to the window appears in every case.
    for (factor, has_texture, mode, panes, triangles, said) in [
        (0.75, false, "OPAQUE", &[0.25][..], 1, by_as_much),
        (0.75, false, "BLEND", &[0.125], 1, by_as_much),
        (1.0, false, "OPAQUE", &[], 1, by_as_much),
        (0.0, false, "OPAQUE", &[], 9, ""),
        (0.5, true, "OPAQUE", &[], 9, by_texture),
    ] {
        let expected = (panes.to_vec(), triangles, said.to_owned());
        assert_eq!(through(factor, has_texture, mode), expected);
    }
}

#[test]
fn alpha_of_vertices_and_that_of_pictures_times_the_factor_count() {
    let [pane] = read(&window(3, 1, None, Some([1.0, 0.5, 1.0, 0.5]))).panes[..] else {
        panic!("one pane");
    };
    assert_eq!(pane.albedo, Vec3::new(0.1, 0.15, 0.9));
    assert_eq!(pane.opacity, 0.25);
    for (texels, factor, expected) in [
        (&[[255, 0, 0, 128]; 2], 1.0, Ok(128.0 / 255.0)),
        (&[[255, 0, 0, 255]; 2], 0.25, Ok(0.25)),
        (&[[255, 0, 0, 128]; 2], 0.5, Ok(64.0 / 255.0)),
        // A picture in which every alpha is 0 or 1 is not glass.
        (&[[255, 0, 0, 255], [0, 0, 0, 0]], 1.0, Err(Some(0.5))),
        (&[[255, 0, 0, 255]; 2], 1.0, Err(Some(0.5))),
    ] {
        let mut writer = Writer::new();
        let texture = writer.texture(2, texels);
        let base =
            json!({"baseColorTexture": {"index": texture}, "baseColorFactor": [1, 1, 1, factor]});
        let material = json!({"alphaMode": "BLEND", "pbrMetallicRoughness": base});
        let material = writer.add("materials", material);
        writer.square(1.0, material);
        let model = read(&writer);
        match expected {
            Ok(opacity) => {
                let pane = model.panes[0];
                assert!((pane.opacity - opacity as f32).abs() < 1e-6, "{pane:?}");
                assert_eq!((pane.albedo, model.mesh.triangles.len()), (Vec3::X, 0));
            }
            Err(cutoff) => {
                assert_eq!((model.mesh.triangles.len(), model.panes.len()), (2, 0));
                assert_eq!(model.materials[0].cutoff, cutoff);
            }
        }
    }
    // The material is masked, and the alpha of the vertices puts it below the cutoff.
    let mut writer = window(2, 1, None, Some([1.0, 1.0, 1.0, 0.2]));
    writer.set("/materials/0/alphaMode", json!("MASK"));
    writer.triangle(CORNERS);
    assert_eq!(read(&writer).mesh.triangles.len(), 1);
}

#[test]
fn triangles_that_are_not_finite_are_left_out_and_such_colours_are_white() {
    for bad in [f32::NAN, f32::INFINITY] {
        let mut writer = Writer::new();
        let mut places = CORNERS.to_vec();
        places.push([bad, 0.0, 0.0]);
        let positions_of = writer.floats(&places);
        let colors = [[0.0, 0.0, 1.0], [bad, 0.0, 0.0], [0.0; 3], [0.0; 3]];
        let colors = writer.floats(&colors);
        let indices = writer.indices(&[0, 1, 2, 0, 1, 3, 0, 2, 3]);
        let attributes = json!({"POSITION": positions_of, "COLOR_0": colors});
        writer.mesh(json!({"attributes": attributes, "indices": indices}));
        let model = read(&writer);
        assert_eq!(positions(&model), [CORNERS.map(Vec3::from)]);
        let albedos = corners_of(&model, 0).map(|corner| corner.albedo);
        assert_eq!(albedos, [Vec3::Z, Vec3::ONE, Vec3::ZERO]);
        let said = [
            "triangles with a corner that is not finite (2): left out",
            "triangles with a colour or texture coordinate that is not finite: taken as white and 0",
        ];
        assert_eq!(model.remarks, said);
    }
}

#[test]
fn triangles_share_the_corners_of_vertices_that_have_normals() {
    for (has_normals, corners) in [(true, 4), (false, 6)] {
        let mut writer = Writer::new();
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let positions_of = writer.floats(&square.map(|[x, y]| [x, y, 0.0]));
        let indices = writer.indices(&[0, 1, 2, 0, 2, 3]);
        let mut attributes = json!({"POSITION": positions_of});
        if has_normals {
            attributes["NORMAL"] = json!(writer.floats(&[[0.0, 0.0, 1.0]; 4]));
        }
        writer.mesh(json!({"attributes": attributes, "indices": indices}));
        let flat = read(&writer);
        assert_eq!(flat.mesh.corners.len(), corners);
        let [first, second] =
            [0, 1].map(|at| corners_of(&flat, at).map(|corner| corner.position.to_array()));
        assert_eq!(first, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]);
        assert_eq!(second, [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
        // Each instance of a mesh gets its own corners.
        writer.root(json!({"mesh": 0, "translation": [0, 0, 3]}));
        assert_eq!(read(&writer).mesh.corners.len(), 2 * corners);
    }
}
