//! `wavelerp capture`: files, report, metadata, determinism.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Desk, TWO, items, keys, of_flags, png_pixels, png_text, words};
use crate::harness::{Harness, says};
use wavelerp::model::methods::Method;
use wavelerp::report::comparison::Report;
use wavelerp::report::metrics::Metrics;
use wavelerp::report::range::DifferenceRange;
use wavelerp::runs::capture::Capture;

const SMALL: &str = "--size 96x54 --particles 500 --fog-slices 8 --quiet";
const TINY: &str = "--size 20x12 --particles 9 --fog-slices 2 --methods pixel-loop --quiet";

fn report(desk: &Desk, folder: &str) -> Value {
    desk.json(&format!("{folder}/report.json"))
}

/// All PNG files of a folder with their bytes.
fn pictures(desk: &Desk, folder: &str) -> Vec<(String, Vec<u8>)> {
    let names = desk.names(folder).into_iter();
    names
        .filter(|name| name.ends_with(".png"))
        .map(|name| (name.clone(), desk.read(&format!("{folder}/{name}"))))
        .collect()
}

#[test]
fn a_capture_writes_what_it_lists_and_the_report_is_complete() {
    let desk = Desk::new();
    let line = format!("capture {SMALL} --format exr --out a/b");
    let run = desk.run(&line).good();
    assert_eq!(run.stderr, "", "{run}");
    let names = desk.names("a/b");
    let mut expected: BTreeSet<String> = ["index.html", "report.json", "report.md"]
        .map(str::to_owned)
        .into();
    for method in Method::exact() {
        let files = ["{}.png", "diff_{}.png", "{}.exr"];
        expected.extend(files.map(|file| file.replace("{}", method.name())));
    }
    assert_eq!(names, expected);
    for name in &names {
        run.prints(format!("a/b/{name}\n"));
    }
    let markdown = desk.text("a/b/report.md");
    assert!(run.stdout.starts_with(&markdown), "{run}");
    assert!(markdown.contains("| 96x54"), "{markdown}");
    // A drawn method has no wave size.
    let nothing = markdown.matches("|         – |").count();
    let drawn = Method::exact().filter(|method| method.is_drawn()).count();
    assert_eq!(
        nothing, drawn,
        "only drawn methods lack a wave size: {markdown}"
    );
    let json = report(&desk, "a/b");
    check_report(&json);
    // If only a small part of the GPU can draw, drawn methods have no ratio.
    let mut few = json.clone();
    for row in few["methods"].as_array_mut().expect("methods") {
        let method = Method::by_name(row["method"].as_str().unwrap_or_default());
        row["drawing_part"] = method
            .expect("a method")
            .drawing_part("NVIDIA H100 80GB HBM3")
            .into();
    }
    let few = Report::from_json(&few.to_string()).expect("a report");
    let nothing = |markdown: &str| {
        let rows = markdown
            .lines()
            .filter(|line| line.starts_with("| `fixed-function"));
        rows.map(|row| row.matches(" – ").count()).sum::<usize>()
    };
    let few = wavelerp::report::markdown::report(&few);
    says(&few, "| `fixed-function (2 of 66 TPCs draw)`");
    assert_eq!(nothing(&few), nothing(&markdown) + drawn, "{few}");
}

fn check_report(json: &Value) {
    let top = "program command settings shaders adapter clock conditions settings_rows adapter_rows reference difference_range \
               frame methods passes notes";
    assert_eq!(keys(json), words(top));
    assert_eq!(json["frame"]["layers_dropped"], 0);
    let number = |row: &Value, key: &str| row[key].as_f64().unwrap_or(f64::NAN);
    let [mean, longest] = ["mean_list", "longest_list"].map(|of| number(&json["frame"], of));
    assert!(mean >= 8.0 && longest >= mean, "{mean} {longest}");
    let largest = number(&json["frame"], "largest_radiance").max(1.0);
    // Every method has a time; on a CPU adapter, a single run by the wall clock.
    let (time, least) = match json["adapter"]["is_cpu"] == true {
        true => ("wall_ms", 1.0),
        false => ("gpu_ms", 5.0),
    };
    let columns = "method runs wave_size gpu_ms wall_ms ratio_to_read_lane_loop total_ms max_abs mean_abs rmse max_ulp \
                  differing_pixels nan_count worst_pixel p99 picture flip_mean bytes";
    assert_eq!(items(&json["methods"]).len(), Method::exact().count());
    for row in items(&json["methods"]) {
        assert_eq!(keys(row), words(columns), "{row}");
        let method = row["method"].as_str().unwrap_or_default();
        let method = Method::by_name(method).expect("a method of the table");
        assert_eq!(row["wave_size"].is_number(), !method.is_drawn(), "{row}");
        let runs = row["runs"].as_str().unwrap_or_default();
        let is_other = !runs.starts_with(method.name());
        assert_eq!(is_other, method == Method::Auto, "{row}");
        let (difference, unit) = match method.rounds_to_half() {
            true => ("mean_abs", 0.08),
            false => ("max_abs", 1e-5),
        };
        assert!(number(row, difference) <= unit * largest, "{row}");
        assert_eq!(row["nan_count"], 0, "{row}");
        let median = number(&row[time], "median");
        assert!(median > 0.0 && number(&row[time], "n") >= least, "{row}");
        assert!(row["ratio_to_read_lane_loop"].is_number(), "{row}");
        assert!(number(row, "total_ms") >= median, "{row}");
    }
    let reference = &items(&json["methods"])[0];
    assert_eq!(reference["method"], "pixel-loop");
    assert_eq!(reference["differing_pixels"], 0);
    assert_eq!(reference["worst_pixel"], Value::Null);
    assert_eq!(reference["flip_mean"], 0.0);
}

#[test]
fn the_same_arguments_give_the_same_pictures_and_another_seed_others() {
    let desk = Desk::new();
    let methods = "--methods pixel-loop,wave-tree,split-batches,fixed-function,weighted";
    for (folder, more) in [("a", "--page all"), ("b", ""), ("c", "--seed 2")] {
        desk.run(&format!("capture {SMALL} {methods} --out {folder} {more}"))
            .good();
    }
    let [a, b, c] = ["a", "b", "c"].map(|folder| pictures(&desk, folder));
    assert_eq!(a.len(), 10);
    assert_eq!(a, b);
    assert!(c.iter().all(|c| !a.contains(c)), "negative control");
    command_in_metadata_gives(&desk, "a", &["diff_wave-tree.png"]);
}

#[test]
fn the_command_in_a_picture_makes_it_again_also_from_a_file_with_an_odd_name() {
    let desk = Desk::new();
    desk.write("-my \nscene.ron", TWO);
    desk.run(
        "capture --scene './-my \nscene.ron' --out a --size 96x54 --hazard division-guarded --tile 16 --quiet \
         --methods wave-lerp-deferred,pixel-loop --reference read-lane-loop",
    )
    .good();
    let names: Vec<String> = pictures(&desk, "a").into_iter().map(|of| of.0).collect();
    assert_eq!(names.len(), 4);
    let command = |name: &String| command_in(&desk, "a", name);
    let mut commands: Vec<String> = names.iter().map(command).collect();
    commands.sort();
    commands.dedup();
    // Each method has a command, and so do its differences, which have a range.
    assert_eq!(commands.len(), 4, "{commands:?}");
    command_in_metadata_gives(&desk, "a", &["wave-lerp-deferred.png"]);
    command_in_metadata_gives(&desk, "a", &["diff_pixel-loop.png"]);
}

#[test]
fn pictures_by_edited_shaders_name_them_and_their_command_makes_them_again() {
    let desk = Desk::with_own_shaders();
    let own = wavelerp::gpu::shader::provenance::Provenance::default().digest;
    desk.folder("my shaders/frame");
    let resolve = include_str!("../../../shaders/frame/resolve.wesl");
    let inverted = resolve.replace("vec4f(color, 1.0)", "vec4f(1.0 - color, 1.0)");
    assert_ne!(inverted, resolve);
    desk.write("my shaders/frame/resolve.wesl", inverted);
    let capture = |out: &str, shaders: &str| {
        desk.run(&format!("capture {TINY} --out {out} {shaders}"))
            .good();
        let picture = desk.read(&format!("{out}/pixel-loop.png"));
        let text = |key: &str| png_text(&picture, key).expect("the picture has this text");
        assert_eq!(report(&desk, out)["shaders"], text("shaders"), "{out}");
        (text("shaders"), text("command"), png_pixels(&picture).1)
    };
    let mine = "--shaders 'my shaders'";
    let edited = capture("edited", mine);
    assert_ne!(edited.0, own);
    says(&edited.1, format!(" {mine}"));
    command_in_metadata_gives(&desk, "edited", &["pixel-loop.png"]);
    // Negative control: the program's own shaders make a different picture, and need no flag.
    desk.write("my shaders/frame/resolve.wesl", resolve);
    let plain = capture("same", mine);
    assert_eq!(plain.0, own);
    assert!(!plain.1.contains("--shaders"), "{}", plain.1);
    assert!(plain.2 != edited.2);
}

/// The command stored in a picture's metadata.
fn command_in(desk: &Desk, folder: &str, name: &str) -> String {
    let picture = desk.read(&format!("{folder}/{name}"));
    for keyword in words("Software scene size seed hazard shaders methods reference") {
        assert!(png_text(&picture, keyword).is_some(), "{keyword}");
    }
    png_text(&picture, "command").expect("a picture contains its command")
}

/// Runs the command stored in each picture, as if a user had pasted it into a shell.
fn command_in_metadata_gives(desk: &Desk, folder: &str, names: &[&str]) {
    let command = command_in(desk, folder, names[0]);
    let arguments = command.strip_prefix("wavelerp").expect("our command");
    let script = format!("unset WAVELERP_SHADERS; exec \"$0\" {arguments} --out again --quiet");
    desk.run_in_shell(&script, "").good();
    for name in names {
        let picture = desk.read(&format!("{folder}/{name}"));
        let again = desk.read(&format!("again/{name}"));
        assert!(again == picture, "{name}: {command}");
    }
    std::fs::remove_dir_all(desk.path("again")).expect("the folder is removed");
}

#[test]
fn a_product_by_division_is_magenta_and_counted() {
    let desk = Desk::new();
    let line = "capture --scene stress --size 96x54 --particles 4000 --fog-slices 8 --quiet \
                --methods pixel-loop,wave-lerp-product";
    // Numbers of magenta pixels of the plain loop and of the product, which equal the reported counts.
    let bad = |hazard: &str| {
        desk.run(&format!("{line} --hazard {hazard} --out {hazard}"))
            .good();
        let json = report(&desk, hazard);
        [0, 1].map(|method| {
            let method = &json["methods"][method];
            let name = method["method"].as_str().unwrap_or_default();
            let pixels = png_pixels(&desk.read(&format!("{hazard}/{name}.png"))).1;
            let magenta = pixels.iter().filter(|pixel| **pixel == [255, 0, 255]);
            let magenta = magenta.count() as u64;
            assert_eq!(method["nan_count"].as_u64(), Some(magenta), "{hazard}");
            magenta
        })
    };
    let [plain, product] = bad("division");
    assert!(plain == 0 && product > 0, "{plain} {product}");
    assert_eq!(bad("division-guarded"), [0; 2], "negative control");
}

#[test]
fn all_differences_of_a_set_have_one_range_which_fits_them_or_is_fixed() {
    let desk = Desk::new();
    let line = "capture --size 40x24 --particles 60 --fog-slices 4 --quiet --methods ";
    let range = |folder: &str, more: &str| -> String {
        desk.run(&format!("{line} {more} --out {folder}")).good();
        let ranges: BTreeSet<String> = pictures(&desk, folder)
            .iter()
            .filter(|(name, _)| name.starts_with("diff_"))
            .filter_map(|(_, bytes)| png_text(bytes, "difference range"))
            .collect();
        assert_eq!(ranges.len(), 1, "{ranges:?}");
        let range = ranges.into_iter().next().expect("there is one");
        assert_eq!(report(&desk, folder)["difference_range"], range.as_str());
        range
    };
    let single = range("single", "wave-tree,pixel-loop");
    let half = range("half", "fixed-function-f16,pixel-loop");
    let both = range("both", "fixed-function-f16,wave-tree,pixel-loop");
    let ends = |range: &str| {
        let range: DifferenceRange = range.parse().expect("a range");
        range.exponents()
    };
    let [low, high] = [ends(&single)[0], ends(&half)[1]];
    assert!(ends(&single)[1] < high, "{single} {half}");
    assert_eq!(ends(&both), [low, high], "{single} {half}");
    // A fixed range is kept, and the picture shows it.
    let fixed = format!("wave-tree,pixel-loop --difference-range {both}");
    assert_eq!(range("fixed", &fixed), both);
    let picture = |folder: &str| png_pixels(&desk.read(&format!("{folder}/diff_wave-tree.png")));
    assert!(picture("fixed") == picture("both"), "the same colours");
    assert!(picture("fixed") != picture("single"), "negative control");
}

#[test]
fn folders_are_numbered_where_none_is_named_and_progress_goes_to_standard_error() {
    let desk = Desk::new();
    desk.folder("screenshots/local/0001-temple");
    let loud = TINY.replace("--quiet", "");
    let run = desk.run(&format!("capture {loud}")).good();
    run.prints("screenshots/local/0002-temple/report.json");
    run.warns("adapter:  | drawing temple | compositing by pixel-loop");
    assert!(!run.stdout.contains("compositing by"), "{run}");
    assert_eq!(desk.names("screenshots/local/0002-temple").len(), 5);
}

#[test]
fn force_replaces_an_older_set_whole_and_no_other_files() {
    let desk = Desk::new();
    desk.folder("a");
    // Files of an older set with more methods.
    for name in words("pixel-loop.png diff_wave-tree.png wave-tree.exr") {
        desk.write(&format!("a/{name}"), "old");
    }
    desk.write("a/mine.txt", "mine");
    desk.write("a/wave-four.png", "mine");
    let loud = format!("capture {} --out a", TINY.replace("--quiet", ""));
    desk.refuses(&loud, 2, "--force");
    assert_eq!(desk.read("a/pixel-loop.png"), b"old");
    desk.run(&format!("capture {TINY} --out a --force")).good();
    assert_eq!(desk.read("a/mine.txt"), b"mine");
    assert_ne!(desk.read("a/pixel-loop.png"), b"old");
    let expected = "mine.txt wave-four.png index.html pixel-loop.png diff_pixel-loop.png report.json report.md";
    let names = desk.names("a");
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(names, words(expected));
}

/// Flags of unusual frames: small, odd, empty, at another time.
const ODD: [&str; 3] = [
    "--size 1x1 --particles 50 --fog-slices 3 --time -3.5",
    "--size 33x17 --particles 50 --fog-slices 3 --tile 16 --pixels-per-wave 256 --early-out 0.01",
    "--size 24x16 --particles 0 --fog-slices 0 --scene stress --camera away",
];

#[test]
fn approximate_methods_are_told_how_they_err_and_what_they_keep_of_a_pixel() {
    let desk = Desk::new();
    let methods = "pixel-loop,average,histogram";
    let flags = "--threads-per-pixel 1 --out a --quiet";
    let line = format!("capture --scene stress --size 64x48 --methods {methods} {flags}");
    desk.run(&line).good();
    let report = report(&desk, "a");
    let [exact, average, histogram] = items(&report["methods"]) else {
        panic!("three methods: {report}");
    };
    assert!(exact["errors"].is_null() && exact["pixel_bytes"].is_null());
    assert_eq!(average["errors"]["rmse"], average["rmse"]);
    // The picture's error differs exactly where the background shows.
    assert!(average["picture"]["rmse"].as_f64() > Some(0.0));
    assert_ne!(average["picture"]["rmse"], average["rmse"]);
    assert!(average["errors"]["displayed"].as_f64() > Some(0.0));
    // The state is 16 bins and five sums.
    assert_eq!(histogram["pixel_bytes"]["state"], 84);
    assert!(average["bound"].as_f64() > Some(0.0));
    let text = desk.text("a/report.md");
    let is_it = |line: &str| line.starts_with("| `average`") && line.contains("1.00");
    assert!(text.lines().any(is_it), "{text}");
}

#[test]
fn every_method_draws_odd_sizes_tiles_dials_and_empty_scenes() {
    let harness = Harness::new();
    for odd in ODD {
        let (scene, settings) = of_flags(&harness, odd);
        let methods = harness.methods();
        let (gpu, pipelines) = (&harness.gpu, &harness.pipelines);
        let capture = Capture::expecting(gpu, pipelines, &scene, settings.clone(), &methods);
        let mut capture = capture.expect("a frame");
        let plain = capture.picture(Method::PixelLoop).expect("a picture");
        for method in methods {
            let picture = capture.picture(method).expect("a picture");
            assert_eq!(picture.composite.size, settings.size, "{method}, {odd}");
            let metrics = Metrics::between(&plain.composite, &picture.composite);
            let metrics = metrics.expect("pictures of one size");
            assert_eq!(metrics.nan_count, 0, "{method}, {odd}");
        }
    }
}
