//! The page of a benchmark.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::browser::Browser;
use crate::cli::Desk;

/// A small run of the sweep, and its page.
fn measured(desk: &Desk, out: &str) -> PathBuf {
    let line = format!(
        "bench --quick --parts sweep --outputs 16x16,32x32 --layers 8,16 --kind particles --rounds 9 \
         --methods pixel-loop,wave-tree --out {out}"
    );
    let run = desk.run(&line);
    assert_eq!(run.code, 0, "{run}");
    desk.path(out)
}

fn record(folder: &Path) -> Value {
    let text = std::fs::read_to_string(folder.join("bench.json")).expect("a record");
    serde_json::from_str(&text).expect("JSON")
}

fn texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let script =
        format!("[...document.querySelectorAll('{selector}')].map((one) => one.textContent)");
    serde_json::from_value(browser.value(&script)).expect("texts")
}

#[test]
fn the_page_of_a_benchmark_answers_to_the_mouse_with_the_samples_of_the_record() {
    let desk = Desk::new();
    let folder = measured(&desk, "run");
    let record = record(&folder);
    let mut browser = Browser::open([1400, 1000]);
    browser.show(&folder.join("index.html"), "");
    let rows = record["rows"].as_array().expect("rows");
    assert_eq!(browser.value("data.runs[0].rows.length"), rows.len());
    // Every mark names rows that are there, and its words have the method of one of them.
    let marks = browser.value("[...document.querySelectorAll('svg [data-rows]')].map((one) => [one.dataset.rows, one.dataset.words])");
    let marks: Vec<(String, String)> = serde_json::from_value(marks).expect("marks");
    assert!(marks.len() > 10, "{}", marks.len());
    for (places, words) in &marks {
        let places = places
            .split(' ')
            .map(|place| place.parse::<usize>().expect("a place"));
        let mut names = places.filter_map(|place| {
            let row = &rows[place];
            row["method"].as_str().or(row["runner"].as_str())
        });
        // On a busy machine a cell may have no time at all.
        let is_named = names.any(|name| words.contains(name));
        assert!(is_named || words.ends_with("not timed"), "{words}");
    }
    // The mouse over a mark shows its words, a click its samples.
    browser.value("document.querySelector('svg [data-rows]').scrollIntoView({ block: 'center' })");
    let point = browser.value(
        "(() => { const box = document.querySelector('svg [data-rows]').getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()",
    );
    let point: [f64; 2] = serde_json::from_value(point).expect("a point");
    browser.mouse("mouseMoved", point, 0.0);
    browser.until("!document.querySelector('.tip').hidden");
    browser.mouse("mousePressed", point, 0.0);
    browser.mouse("mouseReleased", point, 0.0);
    browser.until("document.querySelector('.samples .panel')");
    let chosen =
        browser.value("Number(document.querySelector('svg .chosen').dataset.rows.split(' ')[0])");
    let row = &rows[chosen.as_u64().expect("a place") as usize];
    let dots = texts(&mut browser, ".samples .panel:first-child circle");
    assert_eq!(dots.len(), row["samples"].as_array().map_or(0, Vec::len));
    let about = texts(&mut browser, ".samples .panel:first-child dd");
    assert_eq!(about.first().map(String::as_str), row["runner"].as_str());
    // The filter leaves what has the words, in the parts that are wanted.
    let count = "document.querySelectorAll('.long tbody tr').length";
    let all = browser.value(count);
    browser.value("(() => { const field = document.getElementById('search'); field.value = 'wave-tree 32x32'; field.dispatchEvent(new Event('input')); })()");
    let left = texts(&mut browser, ".long tbody th");
    assert!(
        !left.is_empty() && left.iter().all(|name| name.starts_with("wave-tree")),
        "{left:?}"
    );
    assert!(all.as_u64() > Some(left.len() as u64));
    browser.until("location.hash.includes('rows=')");
    let link = browser.value("location.hash");
    browser.show(&folder.join("index.html"), link.as_str().expect("a link"));
    assert_eq!(texts(&mut browser, ".long tbody th"), left);
    browser.show(&folder.join("index.html"), "");
    browser.value("document.querySelector('[data-part=sweep]').click()");
    assert_eq!(
        browser.value(
            "[...document.querySelectorAll('[data-parts=sweep]')].every((one) => one.hidden)"
        ),
        true
    );
    browser.resize([400, 800]);
    assert_eq!(browser.value("document.documentElement.scrollWidth"), 400);
    assert!(browser.faults.is_empty(), "{:?}", browser.faults);
}

#[test]
fn two_benchmarks_stand_side_by_side_with_verdicts() {
    let desk = Desk::new();
    measured(&desk, "before");
    let text = String::from_utf8(desk.read("before/bench.json")).expect("text");
    // Another machine, on which one method takes three times as long.
    let mut slower: Value = serde_json::from_str(&text).expect("JSON");
    slower["adapter"]["name"] = "</script><script>alert(1)</script>".into();
    for row in slower["rows"].as_array_mut().expect("rows") {
        if row["runner"]
            .as_str()
            .is_some_and(|name| name.starts_with("wave-tree"))
        {
            for sample in row["samples"].as_array_mut().expect("samples") {
                *sample = (sample.as_f64().expect("a time") * 3.0).into();
            }
        }
    }
    std::fs::create_dir(desk.path("after")).expect("a folder");
    desk.write("after/bench.json", &slower.to_string());
    let run = desk.run("compare before after --out both.html");
    assert_eq!(run.code, 0, "{run}");
    assert!(
        run.stdout.contains("SLOWER") && run.stdout.contains("adapter: "),
        "{run}"
    );
    let mut browser = Browser::open([1400, 1000]);
    browser.show(&desk.path("both.html"), "");
    let slower = texts(&mut browser, ".long:first-of-type td.warn, .long span.warn");
    assert!(!slower.is_empty());
    let title = browser.value("document.querySelector('h1').textContent");
    assert!(
        title
            .as_str()
            .unwrap_or_default()
            .contains("</script><script>alert(1)"),
        "{title}"
    );
    assert_eq!(
        browser.value("document.querySelectorAll('section.pair figure svg').length > 1"),
        true
    );
    assert!(browser.faults.is_empty(), "{:?}", browser.faults);
}
