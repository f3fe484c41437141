//! Defaults, flags that bring settings back, and the notice on CPU adapters.

#![expect(clippy::unwrap_used, reason = "tests")]

use clap::Parser;

use super::*;

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    scene: SceneArgs,
}

fn caps(is_cpu: bool) -> Capabilities {
    Capabilities {
        name: "An adapter".to_owned(),
        driver: String::new(),
        backend: "vulkan".to_owned(),
        kind: String::new(),
        wave_min: 32,
        wave_max: 32,
        waves: true,
        native_spirv: true,
        timestamps: true,
        is_cpu,
        draws_with_depth: true,
        loop_turns: None,
        max_binding_bytes: 1 << 31,
        max_texture_edge: 16384,
        max_workgroup_bytes: 32768,
        features_found: Vec::new(),
        features_missing: Vec::new(),
    }
}

fn settle(line: &str, is_cpu: bool) -> (Settings, Option<String>) {
    let words = std::iter::once("test").chain(line.split_whitespace());
    let request = Line::try_parse_from(words).unwrap().scene.check().unwrap();
    request.settle(&caps(is_cpu), Purpose::Capture).unwrap()
}

#[test]
fn the_defaults_are_the_promised_ones_and_smaller_on_a_cpu_adapter() {
    let (gpu, notice) = settle("", false);
    assert_eq!(notice, None);
    assert_eq!(
        gpu.flags(),
        "--scene temple --size 1280x720 --time 12 --seed 1 --camera court --particles 100000 \
         --fog-slices 64 --tile 8 --hazard driver --early-out 0 --pixels-per-wave 32"
    );
    let (cpu, notice) = settle("", true);
    assert_eq!(
        (cpu.size, cpu.particles, cpu.fog_slices),
        ([640, 360], 10_000, 32)
    );
    let notice = notice.unwrap();
    for part in ["640x360", "1280x720", "10000", "100000", "32", "64"] {
        assert!(notice.contains(part), "{notice}");
    }
}

#[test]
fn the_notice_tells_only_what_was_left_open() {
    let (_, notice) = settle("--size 64x64 --particles 7", true);
    let notice = notice.unwrap();
    assert!(
        notice.contains("--fog-slices 32 (elsewhere 64)"),
        "{notice}"
    );
    assert!(!notice.contains("--size") && !notice.contains("--particles"));
    let (_, notice) = settle("--size 64x64 --particles 7 --fog-slices 9", true);
    assert_eq!(notice, None);
}

#[test]
fn flags_bring_the_settings_back() {
    let line = "--scene stress --size 161x91 --time -2.5 --seed 4294967295 --camera above \
                --particles 0 --fog-slices 512 --tile 16 --hazard guarded --early-out 0.001 \
                --pixels-per-wave 128";
    let (settings, _) = settle(line, false);
    assert_eq!(settings.flags(), line);
    assert_eq!(settle(&settings.flags(), true).0.flags(), line);
}

#[test]
fn sizes_beyond_32_bits_of_pixels_do_not_overflow() {
    let (settings, _) = settle("--size 4294967295x4294967295", false);
    assert_eq!(settings.pixels_per_wave, 32);
}

#[test]
fn words_are_quoted_for_a_shell_only_where_they_must() {
    assert_eq!(quoted("temple"), "temple");
    assert_eq!(quoted("my scene.ron"), "'my scene.ron'");
    assert_eq!(quoted("it's"), r"'it'\''s'");
    assert_eq!(quoted(""), "''");
}
