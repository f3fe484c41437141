//! Model files on the command line: opened directly, and used by a scene file in the same folder.

use serde_json::json;

use super::{Desk, items, two_with};
use crate::harness::rows;
use crate::meshes::write::Writer;

/// A desk with a model that has a picture, a pane and unsupported content, and a scene that places the model twice.
fn desk() -> Desk {
    let desk = Desk::new();
    let mut writer = Writer::new();
    let texture = writer.texture(
        2,
        &[[200, 90, 20, 255], [20, 90, 200, 255], [9; 4], [99; 4]],
    );
    let painted = json!({"doubleSided": true, "pbrMetallicRoughness": {"baseColorTexture": {"index": texture}}});
    let glass = json!({"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorFactor": [0.2, 0.6, 0.9, 0.5]}});
    for material in [painted, glass] {
        let material = writer.add("materials", material);
        writer.square(1.0, material);
    }
    writer.set("/nodes/1/translation", json!([0.5, 0.0, 1.0]));
    writer.set("/animations", json!([{}, {}]));
    desk.write("some.glb", writer.glb());
    let place = "File(file: \"some.glb\", position: (0.0, 0.0, -4.0), rotation: (0.0, 20.0, 0.0), scale: 0.5)";
    let meshes = format!("meshes: [\n{place},\n{place}]");
    desk.write("mine.ron", two_with(&meshes));
    desk
}

#[test]
fn a_model_is_captured_and_probed_like_a_scene_and_what_is_not_shown_is_said() {
    let desk = desk();
    let size = "--size 48x27";
    let line = format!("capture some.glb {size} --methods pixel-loop");
    let run = desk.run(&format!("{line} --out a")).good();
    for remark in [
        "some.glb: animations (2): left out",
        "some.glb: metals (2): shown as matt surfaces of their colour",
    ] {
        assert_eq!(run.stderr.matches(remark).count(), 1, "{run}");
    }
    let probe = |scene: &str| {
        let line =
            format!("probe {scene} {size} --quiet --pixel 26,13 --methods pixel-loop --json -");
        let run = desk.run(&line).good();
        assert_eq!(run.stderr, "", "quiet: {run}");
        run.json()
    };
    let alone = probe("some.glb");
    let layers = items(&alone["layers"]).iter();
    let shown: Vec<_> = layers.filter(|layer| layer["opacity"] == 0.5).collect();
    assert_eq!(shown.len(), 1, "the pane in front of the square: {alone}");
    assert_eq!(shown[0]["kind"], "cell");
    let placed = probe("mine.ron");
    let mut layers = items(&placed["layers"]).iter();
    assert!(layers.any(|layer| layer["kind"] == "fog"), "{placed}");
}

#[test]
fn what_is_wrong_about_a_model_is_said_with_its_place() {
    let desk = desk();
    desk.refuses("capture none.glb", 2, "none.glb: ");
    desk.write("half.glb", &desk.read("some.glb")[..500]);
    let said = "half.glb: it ends too early";
    desk.refuses("probe half.glb --pixel 1,1", 2, said);
    let scene = desk.text("mine.ron");
    let line = scene.lines().count();
    let bad = scene
        .replacen("some.glb", "good.glb", 1)
        .replace("some.glb", "none.glb");
    desk.write("good.glb", desk.read("some.glb"));
    desk.write("bad.ron", bad);
    let place = format!("bad.ron:{line}: meshes[1].file: none.glb: ");
    desk.refuses("capture bad.ron", 2, &place);
    // Each file has one pane; together they exceed the limit.
    let many = format!("meshes: [{}", "File(file: \"some.glb\"), ".repeat(65));
    desk.write("bad.ron", scene.replace("meshes: [", &many));
    let said = "meshes[64].file: some.glb: with it, the scene has 65 panes; the limit is 64";
    desk.refuses("capture bad.ron", 2, said);
    for [old, new, wrong] in rows(
        "
scale: 0.5 | scale: 0.0 | meshes[0].scale is 0; it must be above 0
rotation: (0.0, 20.0, 0.0) | rotation: (0.0, 400.0, 0.0) | meshes[0].rotation[1] is 400; it must be from -360
position: (0.0, | position: (1e9, | meshes[0].position[0] is 1000000000
scale: 0.5 | size: 0.5 | `size` is not a field of `File`
some.glb |  | meshes[0].file is empty; it must be a text
",
    ) {
        desk.write("bad.ron", scene.replace(old, new));
        desk.refuses("capture bad.ron", 2, &format!("bad.ron: | {wrong}"));
    }
}
