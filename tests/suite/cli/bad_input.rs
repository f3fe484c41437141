//! Bad arguments: one line that says what, where and what to do; the exit code; nothing written.

use super::Desk;

/// Arguments, and fragments of the message.
type Case = (&'static str, &'static [&'static str]);

/// Refuses lines as wrong usage.
fn all_refused(cases: &[Case]) {
    let desk = Desk::new();
    for (line, fragments) in cases {
        desk.refuses(line, 2, fragments);
    }
}

#[test]
fn names_that_do_not_exist_get_the_nearest() {
    all_refused(&[
        ("capture --scene tempel", &["tempel", "temple", ".ron"]),
        ("capture --scene nowhere/my.ron", &["nowhere/my.ron"]),
        ("capture --camera curt", &["temple", "curt", "court"]),
        (
            "capture --methods wave-lerp-balot",
            &["--methods", "wave-lerp-balot", "wave-lerp-ballot"],
        ),
        ("capture --methods ''", &["--methods"]),
        ("capture --reference pixel", &["--reference", "pixel-loop"]),
        ("verify --methods pixel", &["--methods", "pixel-loop"]),
        (
            "verify --break last",
            &["last-lane, swap, carry, pixel, prefix, equal"],
        ),
        (
            "capture --hazard none",
            &["driver, driver-guarded, division, division-guarded"],
        ),
        ("list --backend gl", &["vulkan, metal, dx12"]),
        ("capture --format jpg", &["png, exr"]),
        ("capture --sceen two", &["--sceen", "--scene"]),
        ("captur", &["captur", "capture"]),
    ]);
}

#[test]
fn numbers_out_of_their_range_are_refused_with_the_range() {
    all_refused(&[
        ("capture --size 0x54", &["--size", "0x54", "at least 1"]),
        ("capture --size 96", &["--size", "1280x720"]),
        ("capture --size 4294967296x1", &["--size"]),
        ("capture --tile 7", &["--tile 7", "8 or 16"]),
        ("capture --tile -8", &["--tile"]),
        (
            "verify --methods all --bins 12",
            &["--bins 12", "8, 16 or 32"],
        ),
        (
            "capture --pixels-per-wave 3",
            &["--pixels-per-wave 3", "256"],
        ),
        (
            "capture --tile 8 --pixels-per-wave 128",
            &["128", "1 to 64"],
        ),
        ("capture --pixels-per-wave many", &["auto"]),
        ("capture --early-out 1", &["--early-out 1", "less than 1"]),
        ("capture --time NaN", &["--time NaN", "seconds"]),
        ("capture --time -1e9", &["--time", "100000"]),
        ("capture --fog-slices 513", &["--fog-slices 513", "512"]),
        ("capture --fog-slices -1", &["--fog-slices"]),
        ("capture --particles -1", &["--particles"]),
        ("capture --fog-density -1", &["--fog-density -1", "0 to 16"]),
        (
            "run --particle-opacity 16.5",
            &["--particle-opacity 16.5", "0 to 16"],
        ),
        ("capture --particle-size big", &["--particle-size", "big"]),
        ("capture --seed 4294967296", &["--seed"]),
        (
            "capture --difference-range 1e-7",
            &["--difference-range", "\"1e-7\"", "1e-7..1e-3, or auto"],
        ),
        (
            "capture --difference-range -1e-7..1",
            &["--difference-range", "powers of ten"],
        ),
        ("probe --pixel 5", &["--pixel", "640,360"]),
        ("probe --pixel -1,5", &["-1"]),
        ("probe", &["--pixel <X,Y>"]),
        (
            "verify --break pixel --values a.csv",
            &["--break", "--values"],
        ),
    ]);
}

#[test]
fn a_camera_that_sees_nothing_is_refused() {
    all_refused(&[
        ("capture --eye 1,2", &["--eye", "1,2", "0,1.7,-9"]),
        ("capture --eye x,2,3", &["--eye", "x,2,3"]),
        ("capture --eye --target", &["--eye", "--target"]),
        (
            "capture --eye NaN,2,3",
            &["--eye NaN,2,3", "-10000000 to 10000000 m"],
        ),
        (
            "run --target -1,-10000001,0",
            &["--target -1,-10000001,0", "-10000000 to 10000000 m"],
        ),
        (
            "capture --eye 1,2,3 --target 1,2,3",
            &["--eye 1,2,3 and --target 1,2,3 are the same place", "1 mm"],
        ),
        ("capture --fov 0.5", &["--fov 0.5", "1 to 170"]),
        ("probe --pixel 0,0 --fov NaN", &["--fov NaN", "1 to 170"]),
    ]);
}

#[test]
fn sizes_beyond_the_device_are_refused_before_anything_is_allocated() {
    all_refused(&[
        (
            "capture --size 4294967295x1 --methods pixel-loop",
            &["4294967295x1", "each edge"],
        ),
        (
            "capture --size 65536x65536 --methods pixel-loop",
            &["65536x65536", "each edge"],
        ),
        (
            "capture --size 16384x16384 --fog-slices 512 --out a/b --methods pixel-loop",
            &["buffer limit", "bytes", "smaller size"],
        ),
        (
            "capture --particles 4294967295 --out a/b --methods pixel-loop",
            &["4294967295 particles", "buffer limit"],
        ),
        (
            "probe --pixel 96,0 --size 96x54 --particles 10",
            &["--pixel 96,0", "96x54", "below 96", "below 54"],
        ),
        ("probe --pixel 0,54 --size 96x54", &["--pixel 0,54"]),
    ]);
}

#[test]
fn output_that_cannot_be_written_is_refused_before_the_work() {
    let desk = Desk::new();
    desk.write("file", "not a folder");
    std::fs::create_dir(desk.path("there")).expect("a folder");
    let cases: &[Case] = &[
        ("capture --out file", &["--out file", "not a folder"]),
        ("capture --out file --force", &["--out file"]),
        ("capture --out file/deep/er", &["--out file/deep/er"]),
        ("capture --out there", &["--out there", "exists", "--force"]),
        ("capture --out /proc/wavelerp/x", &["/proc/wavelerp/x"]),
        ("verify --json file/x.json", &["--json file/x.json"]),
        ("list --json there", &["--json there", "folder"]),
        ("probe --pixel 0,0 --json file/x.json", &["--json"]),
        ("list --shaders nowhere", &["--shaders nowhere"]),
        ("list --shaders there", &["--shaders there", "none of the"]),
        ("bench --out file", &["--out file", "not a folder"]),
        ("calibrate --out nowhere/x.json", &["--out nowhere/x.json"]),
        ("calibrate --out there", &["--out there", "folder"]),
        ("capture --trace there", &["--trace there", "folder"]),
        (
            "capture --renderdoc --trace x.json",
            &["--renderdoc", "--trace"],
        ),
        ("capture --trace nowhere/t.json", &["--trace nowhere/t"]),
        (
            "shader pixel-loop --output nowhere/x",
            &["--output nowhere"],
        ),
    ];
    // Where no adapter would be found, the refusal comes from before any work.
    for (line, fragments) in cases {
        desk.refuses(&format!("{line} --adapter nothing"), 2, fragments);
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
    let desk = Desk::new();
    for line in [
        "list --adapter no-such-adapter",
        "verify --adapter 4711",
        "capture --adapter no-such-adapter --out a/b",
    ] {
        let name = line.split(' ').nth(2).unwrap_or_default();
        desk.refuses(line, 3, &[name, "0: "]);
    }
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
