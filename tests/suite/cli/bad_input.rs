//! Bad arguments: one line that says what, where and what to do; the exit code; nothing written.

use super::Desk;

/// Arguments, exit code, fragments of the message.
type Case = (&'static str, i32, &'static [&'static str]);

fn all_refused(cases: &[Case]) {
    let desk = Desk::new();
    desk.write("file", "not a folder");
    for (line, code, fragments) in cases {
        desk.refuses(line, *code, fragments);
    }
}

#[test]
fn names_that_do_not_exist_get_the_nearest() {
    all_refused(&[
        ("capture --scene tempel", 2, &["tempel", "temple", ".ron"]),
        ("capture --scene nowhere/my.ron", 2, &["nowhere/my.ron"]),
        ("capture --camera curt", 2, &["temple", "curt", "court"]),
        (
            "capture --methods wave-lerp-balot",
            2,
            &["--methods", "wave-lerp-balot", "wave-lerp-ballot"],
        ),
        (
            "capture --methods all,pixel-lop",
            2,
            &["pixel-lop", "pixel-loop"],
        ),
        ("capture --methods ''", 2, &["--methods"]),
        (
            "capture --reference pixel",
            2,
            &["--reference", "pixel-loop"],
        ),
        (
            "probe --pixel 0,0 --methods pixel",
            2,
            &["--methods", "pixel-loop"],
        ),
        ("verify --methods pixel", 2, &["--methods", "pixel-loop"]),
        (
            "verify --break last",
            2,
            &["last-lane, swap, carry, pixel, prefix, equal"],
        ),
        (
            "capture --hazard none",
            2,
            &["driver, driver-guarded, division, division-guarded"],
        ),
        ("capture --format jpg", 2, &["png, exr"]),
        ("capture --sceen two", 2, &["--sceen", "--scene"]),
        ("captur", 2, &["captur", "capture"]),
    ]);
}

#[test]
fn numbers_out_of_their_range_are_refused_with_the_range() {
    all_refused(&[
        ("capture --size 0x54", 2, &["--size", "0x54", "at least 1"]),
        ("capture --size 96x0", 2, &["--size", "96x0", "at least 1"]),
        ("capture --size 96", 2, &["--size", "1280x720"]),
        ("capture --size 96x54x2", 2, &["--size"]),
        ("capture --size 4294967296x1", 2, &["--size"]),
        ("capture --tile 7", 2, &["--tile 7", "8 or 16"]),
        ("capture --tile -8", 2, &["--tile"]),
        (
            "capture --pixels-per-wave 3",
            2,
            &["--pixels-per-wave 3", "256"],
        ),
        (
            "capture --tile 8 --pixels-per-wave 128",
            2,
            &["128", "1 to 64"],
        ),
        ("capture --pixels-per-wave 0", 2, &["--pixels-per-wave 0"]),
        ("capture --tile 16 --pixels-per-wave 512", 2, &["1 to 256"]),
        ("capture --pixels-per-wave many", 2, &["auto"]),
        (
            "capture --early-out 1",
            2,
            &["--early-out 1", "less than 1"],
        ),
        ("capture --early-out -0.5", 2, &["--early-out -0.5"]),
        ("capture --early-out NaN", 2, &["--early-out NaN"]),
        ("capture --time NaN", 2, &["--time NaN", "seconds"]),
        ("capture --time inf", 2, &["--time inf", "seconds"]),
        ("capture --time -1e9", 2, &["--time", "100000"]),
        ("capture --fog-slices 513", 2, &["--fog-slices 513", "512"]),
        ("capture --fog-slices -1", 2, &["--fog-slices"]),
        ("capture --particles -1", 2, &["--particles"]),
        (
            "capture --fog-density -1",
            2,
            &["--fog-density -1", "0 to 16"],
        ),
        ("capture --fog-density NaN", 2, &["--fog-density NaN", "16"]),
        (
            "run --particle-opacity 16.5",
            2,
            &["--particle-opacity 16.5", "0 to 16"],
        ),
        (
            "probe --pixel 0,0 --particle-size inf",
            2,
            &["--particle-size inf", "0 to 16"],
        ),
        (
            "capture --particle-size big",
            2,
            &["--particle-size", "big"],
        ),
        ("capture --seed 4294967296", 2, &["--seed"]),
        (
            "capture --difference-range 1e-7",
            2,
            &["--difference-range", "\"1e-7\"", "1e-7..1e-3, or auto"],
        ),
        (
            "run --difference-range 3e-7..1",
            2,
            &["3e-7..1", "powers of ten from 1e-12 to 1e6"],
        ),
        (
            "still --out a.png --difference-range 1..1e-3",
            2,
            &["1..1e-3", "less than the second"],
        ),
        (
            "capture --difference-range -1e-7..1",
            2,
            &["--difference-range", "powers of ten"],
        ),
        ("probe --pixel 5", 2, &["--pixel", "640,360"]),
        ("probe --pixel -1,5", 2, &["-1"]),
        ("probe", 2, &["--pixel <X,Y>"]),
        (
            "verify --break pixel --values a.csv",
            2,
            &["--break", "--values"],
        ),
    ]);
}

#[test]
fn a_camera_that_sees_nothing_is_refused() {
    all_refused(&[
        ("capture --eye 1,2", 2, &["--eye", "1,2", "0,1.7,-9"]),
        ("capture --target 1,2,3,4", 2, &["--target", "0,1.7,-9"]),
        ("capture --eye x,2,3", 2, &["--eye", "x,2,3"]),
        ("capture --eye --target", 2, &["--eye", "--target"]),
        (
            "capture --eye NaN,2,3",
            2,
            &["--eye NaN,2,3", "-100000 to 100000 m"],
        ),
        (
            "run --target -1,-100001,0",
            2,
            &["--target -1,-100001,0", "-100000 to 100000 m"],
        ),
        (
            "capture --eye 1,2,3 --target 1,2,3",
            2,
            &["--eye 1,2,3 and --target 1,2,3 are the same place", "1 mm"],
        ),
        ("capture --fov 0.5", 2, &["--fov 0.5", "1 to 170"]),
        ("probe --pixel 0,0 --fov NaN", 2, &["--fov NaN", "1 to 170"]),
    ]);
}

#[test]
fn sizes_beyond_the_device_are_refused_before_anything_is_allocated() {
    all_refused(&[
        (
            "capture --size 4294967295x1 --methods pixel-loop",
            2,
            &["4294967295x1", "each edge"],
        ),
        (
            "capture --size 65536x65536 --methods pixel-loop",
            2,
            &["65536x65536", "each edge"],
        ),
        (
            "capture --size 4294967295x4294967295 --methods pixel-loop",
            2,
            &["each edge"],
        ),
        (
            "capture --size 16384x16384 --fog-slices 512 --out a/b --methods pixel-loop",
            2,
            &["buffer limit", "bytes", "smaller size"],
        ),
        (
            "capture --particles 4294967295 --out a/b --methods pixel-loop",
            2,
            &["4294967295 particles", "buffer limit"],
        ),
        (
            "probe --pixel 96,0 --size 96x54 --particles 10",
            2,
            &["--pixel 96,0", "96x54", "below 96", "below 54"],
        ),
        ("probe --pixel 0,54 --size 96x54", 2, &["--pixel 0,54"]),
        ("probe --pixel 4294967295,0 --size 96x54", 2, &["outside"]),
    ]);
}

#[test]
fn output_that_cannot_be_written_is_refused_before_the_work() {
    let desk = Desk::new();
    desk.write("file", "not a folder");
    std::fs::create_dir(desk.path("there")).expect("a folder");
    let cases: &[Case] = &[
        ("capture --out file", 2, &["--out file", "not a folder"]),
        ("capture --out file --force", 2, &["--out file"]),
        ("capture --out file/deep/er", 2, &["--out file/deep/er"]),
        (
            "capture --out there",
            2,
            &["--out there", "exists", "--force"],
        ),
        ("capture --out .", 2, &["--force"]),
        ("capture --out ''", 2, &["--out"]),
        ("capture --out /proc/wavelerp/x", 2, &["/proc/wavelerp/x"]),
        ("verify --json file/x.json", 2, &["--json file/x.json"]),
        (
            "verify --json nowhere/x.json",
            2,
            &["--json nowhere/x.json"],
        ),
        ("list --json there", 2, &["--json there", "folder"]),
        ("list --json /proc/x.json", 2, &["--json /proc/x.json"]),
        ("probe --pixel 0,0 --json file/x.json", 2, &["--json"]),
        ("list --shaders nowhere", 2, &["--shaders nowhere"]),
        (
            "list --shaders there",
            2,
            &["--shaders there", "none of the"],
        ),
        ("bench --out file", 2, &["--out file", "not a folder"]),
        ("bench --out file/deep", 2, &["--out file/deep"]),
        (
            "calibrate --out nowhere/x.json",
            2,
            &["--out nowhere/x.json"],
        ),
        ("calibrate --out there", 2, &["--out there", "folder"]),
        ("capture --trace nowhere/t.json", 2, &["--trace nowhere/t"]),
        (
            "shader pixel-loop --output nowhere/x",
            2,
            &["--output nowhere"],
        ),
        ("shader --library --output file/x", 2, &["--output file/x"]),
    ];
    // Where no adapter would be found, the refusal comes from before any work.
    for (line, code, fragments) in cases {
        desk.refuses(&format!("{line} --adapter nothing"), *code, fragments);
    }
    assert_eq!(desk.read("file"), b"not a folder");
}

#[cfg(unix)]
#[test]
fn a_calibration_that_cannot_be_kept_is_not_made() {
    let desk = Desk::new();
    let nowhere = [("HOME", "/proc/wavelerp"), ("XDG_CACHE_HOME", "")];
    let line = "calibrate --adapter nothing";
    desk.refuses_with(
        line,
        &nowhere,
        2,
        &["cannot keep", "name a file with --out"],
    );
    // Negative control: with a home, the adapter is what is missing.
    let home = desk.path("").display().to_string();
    desk.refuses_with(
        line,
        &[("HOME", &home), ("XDG_CACHE_HOME", "")],
        3,
        &["nothing"],
    );
    std::os::unix::fs::symlink("nowhere/x", desk.path("link")).expect("a link");
    desk.refuses(&format!("{line} --out link"), 2, &["--out link"]);
}

#[test]
fn an_adapter_that_does_not_fit_is_exit_code_3_and_names_those_there_are() {
    all_refused(&[
        (
            "list --adapter no-such-adapter",
            3,
            &["no-such-adapter", "0: "],
        ),
        ("verify --adapter 4711", 3, &["4711", "0: "]),
        ("capture --adapter no-such-adapter --out a/b", 3, &["0: "]),
        ("list --backend gl", 2, &["vulkan, metal, dx12"]),
    ]);
}

#[cfg(target_os = "linux")]
#[test]
fn without_any_vulkan_the_package_is_named() {
    let desk = Desk::new();
    let nowhere = [
        ("VK_DRIVER_FILES", "/nonexistent"),
        ("VK_ICD_FILENAMES", "/nonexistent"),
    ];
    for line in [
        "verify",
        "capture --out a/b",
        "probe --pixel 0,0",
        "capture",
    ] {
        desk.refuses_with(line, &nowhere, 3, &["libvulkan1", "mesa-vulkan-drivers"]);
    }
}

#[test]
fn no_message_repeats_long_input_or_passes_on_control_characters() {
    let desk = Desk::new();
    let long = "x".repeat(3_000);
    let words = "many words ".repeat(300);
    let unknown = format!("(name: \"a\", {}: 1)", "field".repeat(500));
    desk.write("my.ron", &unknown);
    for arguments in [
        vec!["capture", "--scene", &long],
        vec!["capture", "--scene", &words],
        vec!["capture", "--scene", "\u{1b}[2J\u{7}\r\nerror: all is lost"],
        vec!["capture", "--scene", "my.ron"],
        vec!["capture", "--size", &long],
        vec!["capture", "--camera", &words],
        vec!["shader", &long, "--quiet"],
        vec!["run", "--preset", &long],
        vec![&long],
    ] {
        let output = desk.command().args(&arguments).output();
        let run = super::Run::of(arguments[0], &output.expect("the binary starts"));
        assert_eq!(run.code, 2, "{run}");
        let lines: Vec<&str> = run.stderr.trim_end().split('\n').collect();
        let message = lines.last().copied().unwrap_or_default();
        let said = lines.len() == 1 || lines[0].starts_with("shaders come from ");
        assert!(said && lines.len() <= 2, "one line: {run}");
        let count = message.chars().count();
        assert!(count < 400, "{count} characters: {run}");
        assert!(!message.contains(char::is_control), "{run}");
    }
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_scenes_beyond_every_buffer_are_refused_at_once() {
    let desk = Desk::new();
    let made = std::process::Command::new("mkfifo")
        .arg(desk.path("pipe.ron"))
        .status();
    assert!(made.is_ok_and(|status| status.success()), "coreutils");
    for line in [
        "capture --scene pipe.ron",
        "capture --scene /dev/zero",
        "run --preset /dev/zero",
        "run --preset ./pipe.ron",
        "verify --values /dev/zero",
        "bench --compare pipe.ron",
    ] {
        desk.refuses(line, 2, &["regular file"]);
    }
    let column =
        "Cylinder(base: (0, 0, 0), radius: 1, height: 1, segments: 256, albedo: (1, 1, 1)),\n";
    let scene = include_str!("../../../assets/scenes/two.ron");
    let (start, _) = scene.rsplit_once(')').expect("it ends");
    let many = format!("{start} meshes: [{}])", column.repeat(3_000));
    desk.write("my.ron", &many);
    let line = "capture --scene my.ron";
    desk.refuses(
        line,
        2,
        &["my.ron:", "3072000 triangles", "at most 1000000"],
    );
}
