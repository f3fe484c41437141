//! The page of a capture.

use std::path::{Path, PathBuf};

use serde_json::Value;
use wavelerp::report::Picture;
use wavelerp::report::canvas::Canvas;
use wavelerp::report::exr_file::decode_exr;
use wavelerp::report::metrics::absolute_difference;
use wavelerp::viewer::view::View;

use super::browser::Browser;
use crate::cli::{Desk, png_pixels};
use crate::wave8::present::shown;

const METHODS: [&str; 4] = [
    "pixel-loop",
    "read-lane-loop",
    "wave-tree",
    "fixed-function-f16",
];

/// The page of a capture that has EXR files and all methods on the page.
fn captured(desk: &Desk) -> PathBuf {
    let flags = "--size 96x54 --format exr --page all --out set";
    let line = format!(
        "capture --scene two {flags} --methods {}",
        METHODS.join(",")
    );
    desk.run(&line).good();
    desk.path("set")
}

/// A browser of the given size that shows the page of a capture.
fn shown_in(page: &Path, size: [u32; 2]) -> Browser {
    let mut browser = Browser::open(size);
    browser.show(page, "");
    settled(&mut browser);
    browser
}

fn exr(folder: &Path, method: &str) -> Picture {
    let bytes = std::fs::read(folder.join(format!("{method}.exr"))).expect("an EXR file");
    decode_exr(&bytes).expect("a picture")
}

/// Bits of all values of a picture on the page, channel by channel.
fn bits_on_page(browser: &mut Browser, index: usize) -> Vec<u32> {
    let script = format!("values({index}).then((floats) => [...new Uint32Array(floats.buffer)])");
    browser.read(&script)
}

fn bits_of(picture: &Picture) -> Vec<u32> {
    let channel = |channel: usize| {
        let pixels = picture.pixels.iter();
        pixels.map(move |pixel| pixel[channel].to_bits())
    };
    (0..4).flat_map(channel).collect()
}

/// Texts of the table of values, with a row each for A, B and A − B.
fn values_shown(browser: &mut Browser) -> Vec<Vec<String>> {
    browser.read("[...document.querySelectorAll('#values tbody tr')].map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent))")
}

/// Position of a pixel's centre on the page.
fn point_of(browser: &mut Browser, [x, y]: [u32; 2]) -> [f64; 2] {
    let script = format!(
        "(() => {{ const box = parts.screen.getBoundingClientRect(), room = rooms()[0], zoom = zoomIn(room), [cx, cy] = middle(); \
         return [box.left + room.left + room.width / 2 + ({x} + 0.5 - cx) * zoom, box.top + room.top + room.height / 2 + ({y} + 0.5 - cy) * zoom]; }})()"
    );
    browser.read(&script)
}

fn chosen(browser: &mut Browser, what: &str) -> Value {
    browser.value(&format!("view.{what}"))
}

/// Waits until the selection is unpacked and shown.
fn settled(browser: &mut Browser) {
    browser.until("drawn.of && drawn.of[0] === view.a && drawn.of[1] === view.b && !asked");
    browser
        .value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}

#[test]
fn the_page_of_a_capture_shows_the_values_of_its_files_bit_by_bit() {
    let desk = Desk::new();
    let folder = captured(&desk);
    let mut browser = shown_in(&folder.join("index.html"), [1400, 1000]);
    for (index, method) in METHODS.iter().enumerate() {
        let picture = bits_of(&exr(&folder, method));
        assert_eq!(bits_on_page(&mut browser, index), picture, "{method}");
    }
    let other = exr(&folder, METHODS[3]);
    assert_ne!(bits_on_page(&mut browser, 0), bits_of(&other), "control");
    // The displayed picture equals the PNG file.
    for (index, method) in METHODS.iter().enumerate() {
        let script = format!("colours({index}).then((image) => [...image.data])");
        let bytes: Vec<u8> = browser.read(&script);
        let (size, pixels) = png_pixels(&desk.read(&format!("set/{method}.png")));
        let written = Canvas::from_pixels(size, pixels);
        assert_eq!(Canvas::from_rgba8(size, &bytes).ok(), written, "{method}");
    }
    // The values under the mouse are the values of the file, with enough digits to distinguish any two floats.
    let [a, b] = [exr(&folder, METHODS[0]), exr(&folder, METHODS[3])];
    browser.value("choose({ a: 0, b: 3 })");
    settled(&mut browser);
    for pixel in [[0, 0], [95, 53], [40, 20]] {
        let point = point_of(&mut browser, pixel);
        browser.mouse("mouseMoved", point, 0.0);
        browser.until(&format!(
            "document.getElementById('place').textContent.startsWith('pixel {}, {}')",
            pixel[0], pixel[1]
        ));
        let shown = values_shown(&mut browser);
        for (row, picture) in [&a, &b].into_iter().enumerate() {
            let at = (pixel[1] * 96 + pixel[0]) as usize;
            let read = |text: &String| text.parse::<f32>().map(f32::to_bits).expect(text);
            let read: Vec<u32> = shown[row].iter().map(read).collect();
            assert_eq!(read, picture.pixels[at].map(f32::to_bits), "{pixel:?}");
        }
    }
    // The worst pixel matches the metrics.
    browser.press("w", "KeyW", 0);
    settled(&mut browser);
    let differences = absolute_difference(&a, &b).expect("one size");
    let most = differences.iter().copied().fold(0.0, f32::max);
    let worst = differences.iter().position(|of| *of == most).expect("one");
    let pixel: [usize; 2] = browser.read("view.pixel");
    assert_eq!(pixel, [worst % 96, worst / 96]);
    for url in &browser.requests {
        let is_own = url.ends_with("index.html") || url.starts_with("data:,");
        assert!(is_own || url == "about:blank", "{url}");
    }
}

#[test]
fn the_page_of_a_capture_answers_to_keys_the_mouse_and_links() {
    let desk = Desk::new();
    let page = captured(&desk).join("index.html");
    let mut browser = shown_in(&page, [1400, 1000]);
    for (key, code, what, expected) in [
        ("3", "Digit3", "a", "2"),
        ("ArrowDown", "ArrowDown", "a", "3"),
        ("ArrowUp", "ArrowUp", "a", "2"),
        ("b", "KeyB", "b", "2"),
        ("ArrowRight", "ArrowRight", "b", "3"),
        ("g", "KeyG", "layout", "side"),
        ("z", "KeyZ", "layout", "blink"),
        ("d", "KeyD", "layout", "difference"),
        ("f", "KeyF", "mode", "ulp"),
        ("f", "KeyF", "mode", "absolute"),
        ("x", "KeyX", "layout", "split"),
    ] {
        browser.press(key, code, 0);
        let found = chosen(&mut browser, what);
        let found = found.as_str().map_or(found.to_string(), str::to_owned);
        assert_eq!(found, expected, "{key}");
    }
    settled(&mut browser);
    // The wheel zooms about the mouse: the pixel under the mouse stays in place in both pictures.
    let point = point_of(&mut browser, [30, 20]);
    browser.mouse("mouseMoved", point, 0.0);
    browser.mouse("mouseWheel", point, -480.0);
    browser.until("view.zoom > 20");
    settled(&mut browser);
    let after = point_of(&mut browser, [30, 20]);
    let moved = (after[0] - point[0]).hypot(after[1] - point[1]);
    let zoom: f64 = browser.read("view.zoom");
    assert!(moved < 0.6 * zoom, "{moved} of {zoom}");
    // Dragging moves the picture, a click locks the pixel, and the handle moves the split.
    let before: f64 = browser.read("view.x");
    browser.drag(point, [point[0] + 60.0, point[1]]);
    let now: f64 = browser.read("view.x");
    assert!(now < before, "{before} {now}");
    assert_eq!(chosen(&mut browser, "locked"), false, "a drag is no click");
    browser.drag(point, point);
    assert_eq!(chosen(&mut browser, "locked"), true);
    browser.press("o", "KeyO", 0);
    settled(&mut browser);
    let handle: [f64; 2] = browser.read(
        "(() => { const box = parts.handle.getBoundingClientRect(); return [box.left + 9, box.top + 40]; })()",
    );
    browser.drag(handle, [handle[0] - 300.0, handle[1]]);
    let split: f64 = browser.read("view.split");
    assert!((0.1..0.45).contains(&split), "{split}");
    // The split shows A on the left and B on the right.
    let colours: [bool; 2] = browser.read(
        "(async () => { const box = parts.screen, context = box.getContext('2d'); const zoom = zoomIn(rooms()[0]); \
         const at = (canvas, x, y) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data].slice(0, 3).join(); \
         const screen = (x) => at(box, Math.round(rooms()[0].width / 2 + (x + 0.5 - WIDTH / 2) * zoom), Math.round((20.5) * zoom)); \
         return [screen(5) === at(drawn.a, 5, 20), screen(90) === at(drawn.b, 90, 20)]; })()",
    );
    assert_eq!(colours, [true; 2]);
    // The address stores everything, and a link restores it.
    browser.press("w", "KeyW", 0);
    settled(&mut browser);
    let everything = "JSON.stringify([nameOf(view.a), nameOf(view.b), view.layout, view.pixel, Math.round(view.zoom), view.locked])";
    let before = browser.value(everything);
    browser.until("location.hash.includes('x=')");
    let link: String = browser.read("location.hash");
    browser.show(&page, "");
    settled(&mut browser);
    assert_ne!(browser.value(everything), before, "control");
    browser.show(&page, &link);
    settled(&mut browser);
    assert_eq!(browser.value(everything), before);
    // The table sorts, and marks the sorted column for screen readers.
    let sort = "[...document.querySelectorAll('th button')].find((button) => button.textContent === 'RMSE').click()";
    browser.value(sort);
    browser.value(sort);
    let first = browser.value("document.querySelector('h2 + .scroll tbody th').textContent");
    assert_eq!(first, "fixed-function-f16");
    let sorted = browser.value("document.querySelector('[aria-sort=descending]').textContent");
    assert_eq!(sorted, "RMSE");
    // The values stay over the picture, and inside the window, for every pixel.
    browser.press("o", "KeyO", 0);
    browser.value("choose({ locked: false })");
    browser.resize([1000, 600]);
    settled(&mut browser);
    for pixel in [[2, 2], [90, 10], [50, 25], [3, 44]] {
        let point = point_of(&mut browser, pixel);
        browser.mouse("mouseMoved", point, 0.0);
        browser.until(&format!(
            "view.pixel.join() === '{},{}' && !asked",
            pixel[0], pixel[1]
        ));
        let is_seen: [bool; 2] = browser.read(&format!(
            "(() => {{ const [box, over] = [parts.values, parts.stage].map((part) => part.getBoundingClientRect()); \
             return [box.height > 50 && box.top >= Math.max(over.top, 0) && box.bottom <= Math.min(over.bottom, innerHeight), \
             {0} < box.left || {0} > box.right || {1} < box.top || {1} > box.bottom]; }})()",
            point[0], point[1]
        ));
        assert_eq!(is_seen, [true; 2], "{pixel:?}");
    }
    // At a phone's width, everything fits: the page scrolls only vertically.
    browser.resize([400, 800]);
    settled(&mut browser);
    assert_eq!(browser.value("document.documentElement.scrollWidth"), 400);
}

#[test]
fn a_difference_on_the_page_has_the_colours_of_the_window() {
    let desk = Desk::new();
    let page = captured(&desk).join("index.html");
    let mut browser = shown_in(&page, [800, 600]);
    let pixels: [[f32; 2]; 10] = [
        [0.5, 0.5],
        [0.5, 0.500_001],
        [1.0, 0.75],
        [0.3, 0.9],
        [1e-4, 1.2e-4],
        [f32::NAN, 1.0],
        [-0.2, 0.1],
        [2e-6, 0.0],
        [1.0, 1.0_f32.next_up()],
        [40.0, 39.5],
    ];
    for view in [
        View::Absolute,
        View::Signed,
        View::RedOnGrey,
        View::Log,
        View::Ulp,
    ] {
        let mode = match view {
            View::Log => "log10".to_owned(),
            other => other.flag(),
        };
        for ([a, b], expected) in pixels.into_iter().zip(shown(view, &pixels)) {
            let [a, b] = [a, b].map(f64::from);
            let colour: [u8; 3] = browser.read(&format!(
                "difference([{a:?}, 0, 0, 0], [{b:?}, 0, 0, 0], [0, 0, 0], {{ mode: '{mode}', amplify: 1, low: -9, high: 0 }}).map((share) => Math.round(share * 255))"
            ));
            let mut pairs = colour.iter().zip(expected);
            let is_near = pairs.all(|(page, window)| page.abs_diff(window) <= 1);
            assert!(is_near, "{view:?} {a} {b}: {colour:?} {expected:?}");
        }
    }
}

#[test]
fn a_page_on_paper_is_whole_and_no_canvas_is_read_back() {
    let desk = Desk::new();
    let page = captured(&desk).join("index.html");
    let mut browser = Browser::open([1000, 600]);
    // Some browsers add noise to pixels that are read back from a canvas.
    browser.before_pages(
        "window.reads = 0; const read = CanvasRenderingContext2D.prototype.getImageData; \
         CanvasRenderingContext2D.prototype.getImageData = function (...of) { window.reads++; return read.apply(this, of); };",
    );
    browser.show(&page, "#a=pixel-loop&b=fixed-function-f16&x=5&y=5");
    settled(&mut browser);
    for layout in ["difference", "side", "split"] {
        browser.value(&format!(
            "choose({{ layout: '{layout}', mode: 'red-on-grey' }})"
        ));
        settled(&mut browser);
    }
    assert_eq!(browser.value("window.reads"), 0);
    browser.value("parts.screen.getContext('2d').getImageData(0, 0, 1, 1)");
    assert_eq!(browser.value("window.reads"), 1, "control");
    let look = "(() => { const box = (part) => part.getBoundingClientRect(); const [screen, handle] = [box(parts.screen), box(parts.handle)]; \
        const seen = (name) => [...document.querySelectorAll(name)].filter((part) => part.checkVisibility()).length; \
        return { shape: (screen.width / screen.height) / (parts.screen.width / parts.screen.height), \
        line: (handle.left + 9 - screen.left) / screen.width, controls: seen('.bar, select, summary, header button'), values: seen('#values td'), \
        light: getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)', \
        wide: document.documentElement.scrollWidth - innerWidth }; })()";
    browser.value("switchTheme()");
    let screen = browser.value(look);
    assert_eq!(
        [&screen["light"], &screen["values"]],
        [&Value::from(false), &Value::from(12)]
    );
    browser.paper([700, 1000]);
    let paper = browser.value(look);
    for (what, expected) in [("shape", 1.0), ("line", 0.5)] {
        let is = paper[what].as_f64().expect("a number");
        assert!((is - expected).abs() < 0.01, "{what} {paper}");
    }
    assert_eq!(paper["controls"], 0, "{screen}");
    assert_eq!(
        [&paper["values"], &paper["light"]],
        [&Value::from(12), &Value::from(true)]
    );
    assert!(paper["wide"].as_i64() <= Some(0), "{paper}");
}

#[test]
fn a_page_says_what_it_lacks_and_how_to_have_it() {
    let desk = Desk::new();
    let folder = captured(&desk);
    desk.run("page set --page read-lane-loop").good();
    let mut browser = shown_in(&folder.join("index.html"), [1000, 600]);
    let text: String = browser.read("document.body.innerText");
    assert_eq!(text.matches("left out").count(), 3, "{text}");
    assert!(text.contains("with --page and their names"), "{text}");
    // Pages with rounded values, and with values that did not fit.
    desk.run("page set").good();
    let whole = desk.text("set/index.html");
    let mut parts = whole.split("\"name\":\"wave-tree\",\"values\":\"");
    let (before, after) = (
        parts.next().expect("a page"),
        parts.next().expect("its values"),
    );
    let (_, after) = after.split_once('"').expect("a name");
    let lacking = format!("{before}\"name\":\"wave-tree\",\"values\":null{after}");
    desk.write(
        "set/lacking.html",
        lacking.replace("\"is_rounded\":false", "\"is_rounded\":true"),
    );
    browser.show(
        &folder.join("lacking.html"),
        "#a=pixel-loop&b=wave-tree&x=5&y=5&layout=difference",
    );
    settled(&mut browser);
    let text: String = browser.read("document.body.innerText");
    for part in [
        "rounded to 11 bits",
        "name those methods with --page",
        "no values",
        "A ≈",
        "values not on this page",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_page_that_was_cut_off_says_so() {
    let desk = Desk::new();
    let page = captured(&desk).join("index.html");
    let whole = desk.read("set/index.html");
    let mut browser = Browser::open([800, 600]).which_may_complain();
    for part in [15, 50, 90, 99] {
        desk.write("cut.html", &whole[..whole.len() * part / 100]);
        browser.load(&desk.path("cut.html"), "");
        let text: String = browser.read("document.body.innerText");
        let is_said = text.contains("file is incomplete") && text.len() < 400;
        assert!(is_said, "{part} %: {text}");
    }
    browser.show(&page, "");
    let text: String = browser.read("document.body.innerText");
    assert!(!text.contains("file is incomplete"));
}

#[test]
fn hostile_names_come_out_as_text() {
    let desk = Desk::new();
    let folder = captured(&desk);
    let name = "</script><img src=x onerror=alert(1)>\"'&\u{202e}<b>";
    let mut report = desk.json("set/report.json");
    report["settings"]["scene"] = name.into();
    report["adapter_rows"][0][1] = name.into();
    report["notes"] = serde_json::json!([name]);
    report["methods"][0]["runs"] = name.into();
    desk.write("set/report.json", report.to_string());
    desk.run("page set --page all").good();
    let mut browser = shown_in(&folder.join("index.html"), [800, 600]);
    let heading = browser.value("document.querySelector('h1').textContent");
    assert_eq!(heading, name);
    // Bidirectional controls become visible characters where nothing else can limit their effect.
    let title = name.replace('\u{202e}', "\u{fffd}");
    assert_eq!(browser.value("document.title"), title);
    let made = browser.value("document.querySelectorAll('img, b:not(label b)').length");
    assert_eq!(made, 0);
    let found = browser.value("document.body.textContent.split('onerror=alert(1)').length > 4");
    assert_eq!(found, true, "the page shows every name as text");
}
