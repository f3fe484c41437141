//! `wavelerp shader`, for an assumed adapter, so that the results are the same everywhere.

use super::{BINARY, Desk, NO_VULKAN};
use crate::harness::says;
use wavelerp::gpu::shader::{embedded, spirv};
use wavelerp::model::methods::Method;
use wavelerp::model::options::Options;
use wavelerp::runs::codegen::assumed;

/// Flags with which the command needs no adapter and does not depend on the build.
const ASSUMED: &str = "--wave-size 32 --runtime-checks off";

/// Number of places in the code, read from the named row of a table.
fn places(table: &str, row: &str) -> Option<usize> {
    let line = table
        .lines()
        .find(|line| line.trim_start().starts_with(row))?;
    let numbers = line.trim_start().strip_prefix(row)?;
    numbers.split_whitespace().next()?.parse().ok()
}

#[test]
fn every_language_says_what_it_is_and_holds_the_method() {
    let desk = Desk::new();
    for (language, begin, part) in [
        ("wgsl", "// ", "fn composite("),
        ("spirv-asm", "; ", "OpGroupNonUniformBallotFindMSB"),
        ("hlsl", "// ", "void composite("),
        ("msl", "// ", "kernel void composite("),
    ] {
        let line = format!("shader wave-lerp-find-msb --emit {language} {ASSUMED} --quiet");
        let run = desk.run(&line).good();
        assert_eq!(run.stderr, "", "{run}");
        let heading = format!("{begin}wave-lerp-find-msb P=32 by wavelerp ");
        assert!(run.stdout.starts_with(&heading), "{run}");
        run.prints("wave of 32 lanes, native opcodes; without run-time checks");
        run.prints(part);
        let native = run.stdout.contains("OpGroupNonUniformBallotFindMSB");
        assert_eq!(native, language == "spirv-asm", "WGSL has no such opcode");
    }
    assert!(desk.everything().is_empty());
}

#[test]
fn the_wgsl_is_what_the_program_compiles_and_the_default() {
    let desk = Desk::new();
    let run = desk.run(&format!("shader pixel-loop {ASSUMED}")).good();
    let lines = run.stdout.split_inclusive('\n');
    let text: String = lines.filter(|line| !line.starts_with("//")).collect();
    let options = Options::default().with_frame(|frame| frame.tile = 16);
    let specialization = options.specialize(Method::PixelLoop);
    let variant = specialization.variant(&assumed(32, "vulkan"));
    let wgsl = crate::shaders::source().resolve(&variant, &["composite"]);
    assert_eq!(text.trim(), wgsl.expect("the imports resolve").trim());
    let line = format!("shader read-lane-loop --tail padded --tile 16 {ASSUMED}");
    let padded = desk.run(&line).good();
    padded.prints("PADDED=true | TILE=16");
}

/// 32-bit words of a file.
fn words(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.as_chunks::<4>().0.iter();
    words.map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

#[test]
fn the_assembly_is_the_binary_and_the_binary_is_valid() {
    let desk = Desk::new();
    // These programs are in the package spirv-tools.
    let tools = "spirv-val --target-env vulkan1.2 a.spv && \
                 spirv-as --preserve-numeric-ids --target-env spv1.5 a.spvasm -o b.spv";
    for method in "read-lane-loop wave-lerp-find-msb split-depth fixed-function".split(' ') {
        let line = format!("shader {method} {ASSUMED} --output");
        desk.run(&format!("{line} a.spv --emit spirv")).good();
        desk.run(&format!("{line} a.spvasm --emit spirv-asm"))
            .good();
        desk.run_in_shell(tools, method).good();
        let [binary, assembled] = ["a.spv", "b.spv"].map(|name| words(&desk.read(name)));
        assert_eq!(binary[0], 0x0723_0203, "SPIR-V's magic number");
        // Only the header word that names the tool differs.
        assert_eq!(binary[3..], assembled[3..], "{method}");
        assert!(spirv::load(&binary).is_ok());
    }
}

#[test]
fn editing_the_wgsl_changes_the_numbers() {
    let desk = Desk::with_own_shaders();
    crate::shaders::write(&crate::shaders::source(), &desk.path("mine"));
    let line = format!("shader wave-lerp-product --ops --pixels-per-wave 1 {ASSUMED}");
    let embedded = desk.run(&line).good().stdout;
    let mine = || desk.run(&format!("{line} --shaders mine")).good().stdout;
    assert_eq!(mine(), embedded, "an unchanged copy changes nothing");
    // Edits of imported modules have an effect, too.
    let lerp = "mine/wave/lerp.wesl";
    let sum = "return subgroupAdd(value * t * prefix);";
    let twice = "return subgroupAdd(subgroupAdd(value * t * prefix));";
    desk.write(lerp, desk.text(lerp).replace(sum, twice));
    let counts = |table: &str| places(table, "FAdd Reduce");
    assert_eq!([counts(&embedded), counts(&mine())], [Some(1), Some(2)]);
    desk.write(lerp, "fn broken(");
    let nowhere = format!("{line} --shaders nowhere");
    desk.refuses(&nowhere, 2, "--shaders | nowhere");
    let broken = desk.run(&format!("{line} --shaders mine"));
    assert_eq!((broken.code, broken.stdout.as_str()), (1, ""), "{broken}");
    broken.warns("shaders/wave/lerp.wesl");
}

#[test]
fn a_drawn_method_has_parts_and_one_can_be_named() {
    let desk = Desk::new();
    let line = format!("shader fixed-function {ASSUMED}");
    let run = desk.run(&format!("{line} --ops")).good();
    for part in "blended corner stream_splats stream_slices store_blended".split(' ') {
        let heading = format!("entry point {part} (");
        assert_eq!(run.stdout.matches(&heading).count(), 1, "{part}: {run}");
    }
    run.prints("Fixed hardware");
    let one = desk.run(&format!("{line} --entry corner --emit spirv-asm"));
    one.good().prints("OpEntryPoint Vertex");
    let line = format!("{line} --entry middle");
    desk.refuses(&line, 2, "middle | blended | store_blended");
}

#[test]
fn a_file_takes_the_code_and_the_table_goes_where_it_is_read() {
    let desk = Desk::new();
    desk.write("code.wgsl", "old");
    let line = format!("shader pixel-loop {ASSUMED} --output");
    let both = format!("{line} code.wgsl --emit wgsl --ops");
    let run = desk.run(&both).good();
    assert!(run.stdout.starts_with("SPIR-V as dispatched"), "{run}");
    says(desk.text("code.wgsl"), "fn composite(");
    let run = desk.run(&format!("{line} table.txt --ops")).good();
    assert_eq!(run.stdout, "");
    assert!(desk.read("table.txt").starts_with(b"SPIR-V as dispatched"));
    let run = desk.run(&format!("{line} -")).good();
    run.prints("fn composite(");
    assert_eq!(desk.everything().len(), 2, "no temporary file is left");
    let nowhere = format!("{line} no/such/folder.wgsl");
    desk.refuses(&nowhere, 2, "--output | no/such");
    desk.folder("folder");
    desk.refuses(&format!("{line} folder"), 2, "--output folder");
}

#[test]
fn what_does_not_go_is_refused_with_what_would() {
    let desk = Desk::new();
    desk.refuses_all(
        "
shader wave-lerp-balot | wave-lerp-balot | wave-lerp-ballot
shader pixel-loop --emit glsl | glsl | wgsl, spirv, spirv-asm, hlsl, msl
shader auto | auto | name that method
shader | METHOD
shader pixel-loop wave-tree | one method | --ops
shader all --emit hlsl --ops | one method
shader pixel-loop --emit spirv --ops | --output
shader pixel-loop --wave-size 12 | --wave-size 12 | power of two
shader pixel-loop --wave-size 2 | 4 to 128
shader pixel-loop --tile 7 | --tile 7 | 8 or 16
shader pixel-loop --half | --half | METHOD
shader --library --ops | --library | --ops
shader --library pixel-loop | --library
shader --library --emit spirv | --library --emit spirv | wgsl, hlsl or msl
",
    );
    let find_msb = "shader wave-lerp-find-msb --wave-size 8";
    let seen = "wave-lerp-find-msb | --opcodes native";
    desk.refuses(&format!("{find_msb} --opcodes plain"), 3, seen);
    let seen = "dx12 | --opcodes native";
    desk.refuses(&format!("{find_msb} --backend dx12"), 3, seen);
}

#[cfg(target_os = "linux")]
#[test]
fn a_binary_is_not_written_to_a_terminal() {
    // `script` provides a terminal; it is in the package bsdutils.
    let line = format!("{BINARY} shader pixel-loop {ASSUMED} --emit");
    let script =
        format!("script -qec '{line} spirv-asm' /dev/null && script -qec '{line} spirv' /dev/null");
    let run = Desk::new().run_in_shell(&script, "");
    assert_eq!(run.code, 2, "{run}");
    run.prints("OpEntryPoint | --output FILE | spirv-asm");
}

#[cfg(target_os = "linux")]
#[test]
fn without_any_adapter_a_usual_one_is_assumed_and_said() {
    let desk = Desk::new();
    let run = |line: &str| {
        let mut command = desk.command();
        command.envs(NO_VULKAN).env_remove("WAVELERP_ADAPTER");
        super::Run::of(line, command.args(line.split(' ')))
    };
    let unasked = run("shader wave-lerp-find-msb --ops").good();
    unasked.warns("no adapter was found");
    unasked.prints("wave of 32 lanes, native opcodes");
    let given = run("shader wave-lerp-find-msb --ops --wave-size 64 --quiet").good();
    assert_eq!(given.stderr, "", "{given}");
    given.prints("wave of 64 lanes");
    // An adapter requested by name must exist.
    let named = run("shader pixel-loop --adapter llvmpipe");
    assert_eq!((named.code, named.stdout.as_str()), (3, ""), "{named}");
}

#[test]
fn the_library_is_one_text_for_each_language() {
    let desk = Desk::new();
    for (flags, part) in [
        ("", "fn wave_active_lerp_rgb("),
        ("--emit wgsl", "fn wave_active_lerp_rgb("),
        ("--emit hlsl", "WavePrefixProduct("),
        ("--emit msl", "metal::simd_prefix_exclusive_product("),
    ] {
        let run = desk.run(&format!("shader --library {flags}")).good();
        let title = "// The wave library of wavelerp";
        assert!(run.stdout.starts_with(title), "{run}");
        run.prints(part);
    }
    desk.run("shader --library --output wave.wgsl").good();
    assert!(spirv::check(&desk.text("wave.wgsl"), "wave.wgsl").is_ok());
    assert_eq!(desk.everything().len(), 1);
}

#[test]
fn a_file_of_ones_own_may_pass_on_what_the_programs_file_does_and_nothing_else() {
    let desk = Desk::new();
    desk.folder("mine/methods/blocks");
    let module = "methods/blocks/four";
    let text = embedded(module).expect("a file");
    let more = "@publish import package::methods::block::Block;\n";
    assert!(text.contains("@publish import"));
    let line = format!("shader wave-lerp-product --shaders mine {ASSUMED}");
    let path = format!("mine/{module}.wesl");
    desk.write(&path, text.to_owned() + "// mine\n");
    desk.run(&line).good();
    let place =
        "shaders/methods/blocks/four.wesl: its `@publish import` lines differ from the program's";
    for wrong in [more.to_owned() + text, text.replacen("@publish ", "", 1)] {
        desk.write(&path, wrong);
        desk.refuses(&line, 1, place);
    }
}

#[test]
fn the_listing_of_operations_in_the_documents_is_what_the_program_prints() {
    let document = include_str!("../../../docs/profiling.md");
    let listing = document
        .split("```text\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let listing: Vec<&str> = listing.expect("a listing").lines().collect();
    assert!(
        listing.len() > 10 && listing[0].contains("read-lane-loop P=1"),
        "{listing:?}"
    );
    let missing = |more: &str| {
        let line = format!(
            "shader read-lane-loop wave-lerp-product wave-lerp-ballot --ops --wave-size 32 --runtime-checks off {more}"
        );
        let printed = Desk::new().run(&line).good().stdout;
        let lines: Vec<&str> = printed.lines().collect();
        listing.iter().filter(|line| !lines.contains(line)).count()
    };
    assert_eq!(missing("--pixels-per-wave 1"), 0, "{listing:?}");
    assert!(
        missing("--pixels-per-wave 1 --lane-read broadcast") > 0,
        "the control"
    );
}
