//! For invalid arguments, the program prints one line with cause, place and remedy, returns the right exit code, and
//! writes no file.

use super::{Desk, Run};

#[test]
fn names_that_do_not_exist_get_the_nearest() {
    Desk::new().refuses_all(
        r#"
capture --scene tempel | tempel | temple | .ron
capture --scene nowhere/my.ron | nowhere/my.ron
capture --camera curt | temple | curt | court
capture --methods wave-lerp-balot | --methods | wave-lerp-balot | wave-lerp-ballot
capture --methods '' | --methods
capture --reference pixel | --reference | pixel-loop
verify --methods pixel | --methods | pixel-loop
capture --hazard none | driver, driver-guarded, division, division-guarded
list --backend gl | vulkan, metal, dx12
capture --format jpg | png, exr
capture --sceen two | --sceen | --scene
captur | captur | capture
"#,
    );
}

#[test]
fn numbers_out_of_their_range_are_refused_with_the_range() {
    Desk::new().refuses_all(
        r#"
capture --size 0x54 | --size | 0x54 | at least 1
capture --size 96 | --size | 1280x720
capture --size 4294967296x1 | --size
capture --tile 7 | --tile 7 | 8 or 16
capture --tile -8 | --tile
verify --methods all --bins 12 | --bins 12 | 8, 16 or 32
capture --pixels-per-wave 3 | --pixels-per-wave 3 | 256
capture --tile 8 --pixels-per-wave 128 | 128 | 1 to 64
capture --pixels-per-wave many | auto
capture --early-out 1 | --early-out 1 | less than 1
capture --time NaN | --time NaN | seconds
capture --time -1e9 | --time | 100000
capture --fog-slices 513 | --fog-slices 513 | 512
capture --fog-slices -1 | --fog-slices
capture --particles -1 | --particles
capture --fog-density -1 | --fog-density -1 | 0 to 16
run --particle-opacity 16.5 | --particle-opacity 16.5 | 0 to 16
capture --particle-size big | --particle-size | big | write a number
capture --seed 4294967296 | --seed | whole number from 0 to 4294967295
capture --difference-range 1e-7 | --difference-range | "1e-7" | 1e-7..1e-3, or auto
capture --difference-range -1e-7..1 | --difference-range | powers of ten
probe --pixel 5 | --pixel | 640,360
probe --pixel -1,5 | -1
probe | --pixel <X,Y>
"#,
    );
}

#[test]
fn a_camera_that_sees_nothing_is_refused() {
    Desk::new().refuses_all(
        r#"
capture --eye 1,2 | --eye | 1,2 | 0,1.7,-9
capture --eye x,2,3 | --eye | x,2,3
capture --eye --target | --eye | --target
capture --eye NaN,2,3 | --eye NaN,2,3 | -10000000 to 10000000 m
run --target -1,-10000001,0 | --target -1,-10000001,0 | -10000000 to 10000000 m
capture --eye 1,2,3 --target 1,2,3 | --eye 1,2,3 and --target 1,2,3 are the same place | by more than a millionth
capture --fov 0.5 | --fov 0.5 | 1 to 170
probe --pixel 0,0 --fov NaN | --fov NaN | 1 to 170
"#,
    );
}

#[test]
fn sizes_beyond_the_device_are_refused_before_anything_is_allocated() {
    Desk::new().refuses_all(
        r#"
capture --size 4294967295x1 --methods pixel-loop | 4294967295x1 | each edge
capture --size 65536x65536 --methods pixel-loop | 65536x65536 | each edge
capture --size 16384x16384 --fog-slices 512 --out a/b --methods pixel-loop | buffer limit | bytes | smaller size
capture --particles 4294967295 --out a/b --methods pixel-loop | 4294967295 particles | buffer limit
probe --pixel 96,0 --size 96x54 --particles 10 | --pixel 96,0 | 96x54 | below 96 | below 54
probe --pixel 0,54 --size 96x54 | --pixel 0,54
"#,
    );
}

#[test]
fn output_that_cannot_be_written_is_refused_before_the_work() {
    let desk = Desk::new();
    desk.write("file", "not a folder");
    desk.folder("there");
    let long = "x".repeat(256);
    desk.refuses(
        &format!("verify --adapter nothing --json {long}"),
        2,
        "--json | too long",
    );
    desk.refuses(
        &format!("capture --adapter nothing --out {long}"),
        2,
        "--out | too long",
    );
    // Without an adapter, the error must come before any work.
    desk.refuses_all(
        r#"
capture --adapter nothing --out file | --out file | not a folder
capture --adapter nothing --out file --force | --out file
capture --adapter nothing --out file/deep/er | --out file/deep/er
capture --adapter nothing --out there | --out there | exists | --force
capture --adapter nothing --out /proc/wavelerp/x | /proc/wavelerp/x
verify --adapter nothing --json file/x.json | --json file/x.json
list --adapter nothing --json there | --json there | folder
probe --adapter nothing --pixel 0,0 --json file/x.json | --json
list --adapter nothing --shaders nowhere | --shaders nowhere
list --adapter nothing --shaders there | --shaders there | none of the
bench --adapter nothing --out file | --out file | not a folder
capture --adapter nothing --trace there | --trace there | folder
capture --adapter nothing --renderdoc --trace x.json | --renderdoc | --trace
capture --adapter nothing --trace nowhere/t.json | --trace nowhere/t
shader --adapter nothing pixel-loop --output nowhere/x | --output nowhere
"#,
    );
    assert_eq!(desk.read("file"), b"not a folder");
}

#[test]
fn an_adapter_that_does_not_fit_is_exit_code_3_and_names_those_there_are() {
    let desk = Desk::new();
    for (command, name) in [("list", "no-such-adapter"), ("verify", "4711")] {
        let line = format!("{command} --adapter {name}");
        desk.refuses(&line, 3, &format!("{name} | 0: "));
    }
    let line = "capture --adapter no-such-adapter --out a/b";
    desk.refuses(line, 3, "no-such-adapter | 0: ");
}

#[cfg(target_os = "linux")]
#[test]
fn without_any_vulkan_the_package_is_named() {
    let desk = Desk::new();
    for line in [
        "verify",
        "capture",
        "capture --out a/b",
        "probe --pixel 0,0",
    ] {
        desk.refuses_with(
            line,
            &super::NO_VULKAN,
            3,
            "libvulkan1 | mesa-vulkan-drivers",
        );
    }
}

#[test]
fn no_message_repeats_long_input_or_passes_on_control_characters() {
    let desk = Desk::new();
    let long = "x".repeat(3_000);
    let words = "many words ".repeat(300);
    let unknown = format!("(name: \"a\", {}: 1)", "field".repeat(500));
    desk.write("my.ron", unknown);
    for line in [
        &format!("capture --scene {long}"),
        &format!("capture --scene '{words}'"),
        "capture --scene '\u{1b}[2J\u{7}\r\nerror: all is lost'",
        "capture --scene my.ron",
        &format!("run --preset {long}"),
    ] {
        let run = desk.run(&format!("{line} --quiet"));
        assert_eq!((run.code, run.stderr.lines().count()), (2, 1), "{run}");
        let message = run.stderr.trim_end();
        assert!(message.chars().count() < 820, "{run}");
        assert!(!message.contains(char::is_control), "{run}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_scenes_beyond_every_buffer_are_refused_at_once() {
    let desk = Desk::new();
    let made = Run::of("", desk.command_of("mkfifo").arg("pipe.ron"));
    assert_eq!(made.code, 0, "coreutils");
    for line in [
        "capture --scene pipe.ron",
        "capture --scene /dev/zero",
        "run --preset /dev/zero",
        "run --preset ./pipe.ron",
        "verify --values /dev/zero",
        "bench --compare pipe.ron",
    ] {
        desk.refuses(line, 2, "regular file");
    }
    let column =
        "Cylinder(base: (0, 0, 0), radius: 1, height: 1, segments: 256, albedo: (1, 1, 1)),\n";
    let many = super::two_with(&format!("meshes: [{}]", column.repeat(3_000)));
    desk.write("my.ron", many);
    let fragments = "my.ron: | 3072000 triangles | at most 1000000";
    desk.refuses("capture --scene my.ron", 2, fragments);
}
