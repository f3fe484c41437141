//! The program on RADV's device without hardware: what it writes, what it says when something is wrong, and
//! that the counted instructions are those of the kernels. A missing RADV is a failure.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use wavelerp::model::methods::Method;

/// A run of `isa`, whatever driver the environment of the tests names.
fn isa(arguments: &[&str], output: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_isa"));
    command.args(arguments).arg("--output").arg(output);
    command.env_remove("VK_DRIVER_FILES");
    command.env_remove("VK_ICD_FILENAMES");
    command.env_remove("VK_LOADER_DRIVERS_SELECT");
    command
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn run(arguments: &[&str], output: &Path) -> Output {
    isa(arguments, output).output().expect("isa starts")
}

fn succeed(arguments: &[&str], output: &Path) {
    let run = run(arguments, output);
    assert!(run.status.success(), "{arguments:?}: {}", message(&run));
}

fn message(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

/// Fails unless the run ended with this code and a message that has this part.
#[track_caller]
fn fails(run: &Output, code: i32, part: &str) {
    let message = message(run);
    assert_eq!(run.status.code(), Some(code), "{message}");
    assert!(message.contains(part), "{message}");
}

/// Lines of a family's statistics: (kernel, wave) to column to number.
fn statistics(folder: &Path) -> HashMap<(String, String), HashMap<String, u64>> {
    let path = folder.join("statistics.csv");
    let text = std::fs::read_to_string(&path).expect("statistics are written");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let titles = lines.next().expect("a header");
    let row = |cells: Vec<&str>| {
        let numbers = titles.iter().zip(&cells);
        let numbers =
            numbers.filter_map(|(title, cell)| Some(((*title).to_owned(), cell.parse().ok()?)));
        let key = (cells[0].to_owned(), cells[1].to_owned());
        (key, numbers.collect())
    };
    lines.map(row).collect()
}

/// Columns that count wave operations.
const WAVE_OPERATIONS: &str = "dpp permlane readlane readfirst crossbar s_msb v_msb";

#[test]
fn a_method_has_statistics_and_machine_code_at_both_wave_sizes_without_hardware() {
    let folder = folder();
    let document = folder.path().join("document.md");
    let text = "mine\n<!-- generated: begin -->\n<!-- generated: end -->\nmine too\n";
    std::fs::write(&document, text).expect("it can be written");
    let name = "wave-lerp-deferred P=1";
    let markdown = document.to_str().expect("a plain path");
    let arguments = ["--family", "navi21", "--only", name, "--markdown", markdown];
    succeed(&arguments, folder.path());

    let family = folder.path().join("navi21");
    let rows = statistics(&family);
    // It reads a lane in two ways, at two wave sizes.
    assert_eq!(rows.len(), 4, "{rows:?}");
    for wave in ["64", "32"] {
        let row = &rows[&(name.to_owned(), wave.to_owned())];
        let numbers = "VGPRs,SGPRs,Instructions,Latency,Inverse Throughput,Code size";
        for column in numbers.split(',') {
            assert!(row[column] > 0, "{column} at wave {wave}: {row:?}");
        }
        assert!(row["readlane"] > 0 && row["dpp"] > 0, "{row:?}");
        let code = family.join(format!("wave-lerp-deferred_P=1_wave{wave}.s"));
        let code = std::fs::read_to_string(code).expect("machine code is written");
        for part in ["v_readlane_b32", "s_endpgm"] {
            assert!(code.contains(part), "{part}: {code}");
        }
    }
    let document = std::fs::read_to_string(&document).expect("it is there");
    let is_kept = document.starts_with("mine\n") && document.ends_with("mine too\n");
    assert!(is_kept, "{document}");
    let is_row = |line: &str| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        cells.next() == Some(name) && cells.next() == Some("64* / 32")
    };
    assert!(document.lines().any(is_row), "{document}");
}

#[test]
fn a_kernel_without_wave_operations_has_none_of_their_instructions() {
    let folder = folder();
    let arguments = ["--family", "vega10,navi21", "--only", "core"];
    succeed(&arguments, folder.path());
    for (family, waves) in [("vega10", &["64"][..]), ("navi21", &["64", "32"])] {
        let rows = statistics(&folder.path().join(family));
        for &wave in waves {
            let count = |kernel: &str, column: &str| {
                rows[&(format!("core {kernel}"), wave.to_owned())][column]
            };
            let all = |kernel| {
                let columns = WAVE_OPERATIONS.split(' ');
                columns.map(|column| count(kernel, column)).sum::<u64>()
            };
            assert_eq!(all("no-wave"), 0, "{family} {wave}");
            let kernels = "padded ballot ballot-scalar find-msb product broadcast";
            for kernel in kernels.split(' ') {
                assert!(all(kernel) > 0, "{family} {wave} {kernel}");
            }
            assert!(count("broadcast", "readlane") > 0 && count("broadcast", "crossbar") == 0);
            assert!(count("find-msb", "s_msb") > 0 && count("padded", "s_msb") == 0);
            // The article's caution: only the form that divides is compiled as one that divides.
            for (form, divides) in [("driver", false), ("division", true)] {
                for form in [form.to_owned(), format!("{form}-guarded")] {
                    let divisions = count(&format!("prefix {form}"), "rcp");
                    assert_eq!(divisions > 0, divides, "{family} {wave} {form}");
                }
            }
        }
        assert_eq!(rows.len(), waves.len() * 18, "{family}");
        let cores = folder.path().join(family).join("cores.md");
        let cores = std::fs::read_to_string(cores).expect("the cores are written");
        let columns = ["padded", "ballot", "find-msb", "product"].map(|of| format!("core {of}"));
        let has_all = |line: &str| columns.iter().all(|title| line.contains(title));
        assert!(cores.lines().any(has_all), "{cores}");
    }
}

#[test]
fn an_unknown_family_names_the_known_ones() {
    let folder = folder();
    let run = run(&["--family", "navi99"], folder.path());
    for part in ["navi99", "vega10", "navi21", "navi31"] {
        fails(&run, 2, part);
    }
}

#[test]
fn without_radv_the_message_says_what_to_install() {
    let folder = folder();
    let missing = folder.path().join("missing.json");
    let run = isa(&["--family", "navi21"], folder.path())
        .env("VK_DRIVER_FILES", &missing)
        .env("VK_ICD_FILENAMES", &missing)
        .output()
        .expect("isa starts");
    fails(&run, 3, "mesa-vulkan-drivers");
}

#[test]
fn a_name_that_no_kernel_has_and_a_place_that_cannot_be_written_are_told() {
    let folder = folder();
    let arguments = ["--family", "navi21", "--only", "wave-lerp-paded"];
    fails(&run(&arguments, folder.path()), 2, "wave-lerp-paded");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("it can be written");
    let unwritten = run(&["--family", "vega10", "--only", "core padded"], &file);
    fails(&unwritten, 1, "cannot write");
}

#[test]
fn the_report_has_a_row_for_every_exact_method() {
    let report = include_str!("../../../docs/isa.md");
    for method in Method::exact().filter(|method| *method != Method::Auto) {
        let is_there = report.contains(&format!("\n| {method}"));
        assert!(is_there, "docs/isa.md has no row of {method}");
    }
}
