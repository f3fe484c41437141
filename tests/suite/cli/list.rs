//! Output of `wavelerp list`.

use serde_json::Value;

use super::{Desk, NO_VULKAN, Run, items, keys, words};
use crate::harness::rows;
use wavelerp::gpu::shader::{ShaderSource, embedded};
use wavelerp::input::Disk;
use wavelerp::model::methods::Method;
use wavelerp::model::scene;

/// Fails unless every method and scene is listed.
fn prints_names(run: &Run) {
    let names = Method::all().map(Method::name);
    for name in names.chain(scene::names()) {
        run.prints(name);
    }
}

#[test]
fn every_method_scene_and_camera_is_listed_and_a_json_file_is_replaced() {
    let desk = Desk::new();
    desk.write("list.json", "old");
    let run = desk.run("list --quiet --json list.json").good();
    assert_eq!(run.stderr, "", "{run}");
    prints_names(&run);
    for scene in scene::names() {
        let scene = scene::load(scene, &Disk).expect("built-in scenes load");
        for camera in scene.cameras {
            run.prints(camera.name);
        }
    }
    run.prints("Adapters | Methods (on  | Scenes | wave size | driver");
    let json = desk.json("list.json");
    assert_eq!(keys(&json), words("adapters adapter clock methods scenes"));
    let adapter = &items(&json["adapters"])[0];
    for key in words("name driver backend wave_min wave_max features_found features_missing") {
        assert!(keys(adapter).contains(key), "{key}: {adapter}");
    }
    let method = words("method unavailable wave_size drawing_part mapping cost guarantee origin");
    let name = json["adapter"].as_str().expect("an adapter");
    let listed = items(&json["methods"]);
    assert_eq!(listed.len(), Method::all().count());
    for (listed, method_of_table) in listed.iter().zip(Method::all()) {
        assert_eq!(keys(listed), method);
        assert_eq!(listed["method"], method_of_table.name());
        let part = method_of_table.drawing_part(name).map(Value::from);
        assert_eq!(listed["drawing_part"], part.unwrap_or_default());
        // An available kernel reports its wave size; an unavailable method reports the reason.
        let ran = listed["wave_size"].is_number() || method_of_table.is_drawn();
        assert!(ran || listed["unavailable"].is_string(), "{listed}");
        assert!(!method_of_table.is_drawn() || listed["wave_size"].is_null());
    }
    let scene = &items(&json["scenes"])[0];
    assert_eq!(keys(scene), words("name shows cameras"));
    assert_eq!(scene["name"], "temple");
    assert_eq!(desk.everything().len(), 1, "no temporary file is left");
}

#[test]
fn gpus_of_which_little_can_draw_are_known_by_their_names() {
    let parts = "
NVIDIA H100 80GB HBM3 | 2 of 66 TPCs
NVIDIA H100 PCIe | 2 of 57 TPCs
NVIDIA H200 | 2 of 66 TPCs
NVIDIA GH200 480GB | 2 of 66 TPCs
NVIDIA H20 | 2 TPCs
NVIDIA GeForce RTX 4090 | -
AMD Radeon RX 7900 XTX | -
llvmpipe (LLVM 15.0.6, 256 bits) | -
";
    for [adapter, part] in rows(parts) {
        let of = |method: Method| method.drawing_part(adapter).unwrap_or("-");
        assert_eq!(of(Method::WeightedDrawn), part, "{adapter}");
        assert_eq!(of(Method::PixelLoop), "-", "{adapter}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_costs_the_file_and_not_the_results() {
    let run = Desk::new().run_with("list --quiet --json /dev/full", &NO_VULKAN);
    assert_eq!(run.code, 2, "{run}");
    run.prints("pixel-loop");
    run.warns("error: --json: cannot write /dev/full: ");
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    use std::process::Stdio;
    let desk = Desk::with_own_shaders();
    let mut command = desk.command();
    command.args(["completions", "bash"]).stdout(Stdio::piped());
    let mut child = command
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let run = Run::ended(
        "completions",
        &child.wait_with_output().expect("the program ends"),
    );
    assert_eq!((run.code, &*run.stderr), (0, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn work_is_done_where_nobody_reads_standard_error_and_fails_where_results_go_nowhere() {
    let desk = Desk::new();
    let unheard = "exec \"$0\" \"$@\" 2>/dev/full";
    desk.run_in_shell(unheard, "list")
        .good()
        .prints("pixel-loop");
    let run = desk.run_in_shell(unheard, "capture --scene nosuch");
    assert_eq!(run.code, 2, "{run}");
    for line in [
        "help",
        "--version",
        "list -h",
        "completions bash",
        "shader --library",
    ] {
        let run = desk.run_in_shell("exec \"$0\" \"$@\" >/dev/full", line);
        assert_eq!(run.code, 1, "{run}");
        run.warns("standard output: No space left");
    }
}

#[test]
fn a_variable_that_is_set_to_nothing_counts_as_unset() {
    let names = ["WAVELERP_SHADERS", "WAVELERP_ADAPTER", "RUST_LOG"];
    let line = "shader --library --quiet";
    let run = |value| Desk::new().run_with(line, &names.map(|name| (name, value)));
    assert_eq!(run("").good().stderr, "");
    assert_eq!(run("nothing").code, 2, "negative control");
}

#[cfg(target_os = "linux")]
#[test]
fn methods_and_scenes_are_listed_where_there_is_no_adapter() {
    let desk = Desk::new();
    let run = desk.run_with("list --quiet --json -", &NO_VULKAN);
    assert!(run.json()["adapter"].is_null(), "{run}");
    let run = desk.run_with("list --quiet", &NO_VULKAN);
    assert_eq!((run.code, run.stderr.lines().count()), (3, 1), "{run}");
    run.warns("libvulkan1");
    prints_names(&run);
    assert!(!run.stdout.contains("unavailable"), "{run}");
}

#[test]
fn it_is_said_how_many_shaders_come_from_a_folder() {
    let desk = Desk::new();
    desk.folder("mine/frame");
    let fog = embedded("frame/fog").expect("a file");
    desk.write("mine/frame/fog.wesl", fog);
    let line = "shader pixel-loop --wave-size 32 --shaders mine";
    let run = desk.run(line).good();
    let all = ShaderSource::modules().len();
    let said = format!("shaders come from mine (1 of {all} files, the others embedded)");
    assert_eq!(run.stderr.trim(), said, "{run}");
    // The file is in a different folder from the program's.
    desk.write("mine/fog.wesl", "");
    let run = desk.run(line).good();
    let moved = "; not files of this program: fog.wesl (move it to frame/fog.wesl))";
    assert!(run.stderr.trim().ends_with(moved), "{run}");
}
