//! The page of a benchmark.

use std::path::PathBuf;

use super::browser::Browser;
use crate::cli::Desk;
use crate::cli::bench::scale;
use crate::harness::says;

/// A small run of the sweep, and its page.
fn measured(desk: &Desk, out: &str) -> PathBuf {
    let line = format!(
        "bench --quick --parts sweep --outputs 16x16,32x32 --layers 8,16 --kind particles --rounds 9 \
         --methods pixel-loop,wave-tree --out {out}"
    );
    desk.run(&line).good();
    desk.path(out)
}

fn texts(browser: &mut Browser, selector: &str) -> Vec<String> {
    let all = format!("[...document.querySelectorAll('{selector}')]");
    browser.read(&format!("{all}.map((one) => one.textContent)"))
}

#[test]
fn the_page_of_a_benchmark_answers_to_the_mouse_with_the_samples_of_the_record() {
    let desk = Desk::new();
    let folder = measured(&desk, "run");
    let record = desk.json("run/bench.json");
    let mut browser = Browser::open([1400, 1000]);
    browser.show(&folder.join("index.html"), "");
    let rows = record["rows"].as_array().expect("rows");
    assert_eq!(browser.value("data.runs[0].rows.length"), rows.len());
    // Every mark names existing rows, and the words of the mark contain the method of one of the rows.
    let marks: Vec<(String, String)> = browser.read("[...document.querySelectorAll('svg [data-rows]')].map((one) => [one.dataset.rows, one.dataset.words])");
    assert!(marks.len() > 10, "{}", marks.len());
    for (places, words) in &marks {
        let places = places.split(' ');
        let places = places.map(|place| place.parse::<usize>().expect("a place"));
        let mut names = places.filter_map(|place| {
            let row = &rows[place];
            row["method"].as_str().or(row["runner"].as_str())
        });
        // On a busy machine a cell may have no time at all.
        let is_named = names.any(|name| words.contains(name));
        assert!(is_named || words.ends_with("not timed"), "{words}");
    }
    // Hovering over a mark shows its words; a click shows its samples.
    browser.value("document.querySelector('svg [data-rows]').scrollIntoView({ block: 'center' })");
    let point: [f64; 2] = browser.read(
        "(() => { const box = document.querySelector('svg [data-rows]').getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]; })()",
    );
    browser.mouse("mouseMoved", point, 0.0);
    browser.until("!document.querySelector('.tip').hidden");
    browser.mouse("mousePressed", point, 0.0);
    browser.mouse("mouseReleased", point, 0.0);
    browser.until("document.querySelector('.samples .panel')");
    let chosen: usize =
        browser.read("Number(document.querySelector('svg .chosen').dataset.rows.split(' ')[0])");
    let row = &rows[chosen];
    let dots = texts(&mut browser, ".samples .panel:first-child circle");
    assert_eq!(dots.len(), row["samples"].as_array().map_or(0, Vec::len));
    let about = texts(&mut browser, ".samples .panel:first-child dd");
    assert_eq!(about.first().map(String::as_str), row["runner"].as_str());
    // The filter keeps matches in the selected parts.
    let count = "document.querySelectorAll('.long tbody tr').length";
    let all: usize = browser.read(count);
    browser.value("(() => { const field = document.getElementById('search'); field.value = 'wave-tree 32x32'; field.dispatchEvent(new Event('input')); })()");
    let left = texts(&mut browser, ".long tbody th");
    let is_found = |name: &String| name.starts_with("wave-tree");
    assert!(!left.is_empty() && left.iter().all(is_found), "{left:?}");
    assert!(all > left.len());
    browser.until("location.hash.includes('rows=')");
    let link: String = browser.read("location.hash");
    browser.show(&folder.join("index.html"), &link);
    assert_eq!(texts(&mut browser, ".long tbody th"), left);
    browser.show(&folder.join("index.html"), "");
    browser.value("document.querySelector('[data-part=sweep]').click()");
    let are_hidden =
        "[...document.querySelectorAll('[data-parts=sweep]')].every((one) => one.hidden)";
    assert_eq!(browser.value(are_hidden), true);
    browser.resize([400, 800]);
    assert_eq!(browser.value("document.documentElement.scrollWidth"), 400);
}

#[test]
fn two_benchmarks_stand_side_by_side_with_verdicts() {
    let desk = Desk::new();
    measured(&desk, "before");
    // The record of another machine, on which one method takes three times as long.
    let mut slower = desk.json("before/bench.json");
    slower["adapter"]["name"] = "</script><script>alert(1)</script>".into();
    scale(&mut slower, "wave-tree", 3.0);
    desk.folder("after");
    desk.write("after/bench.json", slower.to_string());
    let run = desk.run("compare before after --out both.html").good();
    run.prints("SLOWER | adapter: ");
    let mut browser = Browser::open([1400, 1000]);
    browser.show(&desk.path("both.html"), "");
    let slower = texts(&mut browser, ".long:first-of-type td.warn, .long span.warn");
    assert!(!slower.is_empty());
    let title: String = browser.read("document.querySelector('h1').textContent");
    says(title, "</script><script>alert(1)");
    let charts: usize = browser.read("document.querySelectorAll('section.pair figure svg').length");
    assert!(charts > 1, "{charts}");
}
