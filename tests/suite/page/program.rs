//! The program in a page, in headless Chromium on SwiftShader: `cargo xtask web --test` builds the page, serves it and
//! runs these tests. WAVELERP_PAGE is its address.

use std::path::Path;

use base64::Engine;
use serde_json::json;

use super::browser::Browser;
use crate::cli::Desk;

/// Chromium's software GPU.
const FLAGS: &str = "--enable-unsafe-webgpu --enable-gpu --ignore-gpu-blocklist --enable-features=Vulkan \
                     --use-vulkan=swiftshader --use-angle=swiftshader --enable-unsafe-swiftshader";

/// A script for the page that keeps downloaded files in base64.
const KEEP_DOWNLOADS: &str = "window.saved = {};
    const plain = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
        const reader = new FileReader();
        reader.onload = () => window.saved.last = reader.result.split(',')[1];
        reader.readAsDataURL(blob);
        return plain.call(URL, blob);
    };
    HTMLAnchorElement.prototype.click = function () { window.saved.name = this.download; };";

fn open(query: &str, link: &str) -> Browser {
    let address = std::env::var("WAVELERP_PAGE").expect("run `cargo xtask web --test`");
    let mut browser = Browser::open_with([640, 400], FLAGS);
    browser.before_pages(KEEP_DOWNLOADS);
    browser.go_to(&format!("{address}{query}#{link}"));
    browser.until("Number(document.documentElement?.dataset.drawn) > 0");
    browser
}

/// What the program says about itself, under this key.
fn said(browser: &mut Browser, key: &str) -> String {
    let value = browser.value(&format!("document.documentElement.dataset.{key}"));
    value.as_str().unwrap_or_default().to_owned()
}

fn until(browser: &mut Browser, key: &str, value: &str) {
    browser.until(&format!(
        "document.documentElement.dataset.{key} === '{value}'"
    ));
}

/// The picture that F2 downloads.
fn saved_picture(browser: &mut Browser) -> image::RgbImage {
    browser.value("delete window.saved.last");
    browser.press("F2", "F2", 0);
    browser.until("window.saved.last");
    let name = browser.read::<String>("window.saved.name");
    assert!(
        Path::new(&name)
            .extension()
            .is_some_and(|ending| ending == "png"),
        "{name}"
    );
    let text = browser.read::<String>("window.saved.last");
    let bytes = base64::prelude::BASE64_STANDARD
        .decode(text)
        .expect("base64");
    image::load_from_memory(&bytes)
        .expect("a picture")
        .to_rgb8()
}

#[test]
#[ignore = "needs the built page"]
fn pictures_are_those_of_the_desktop_on_a_cpu() {
    // The window has smaller defaults on a CPU than a capture.
    let few = " --particles 2000 --fog-slices 16";
    for (scene, few, most) in [
        ("two", "", Some(2)),
        ("temple", few, None),
        ("panes", few, None),
    ] {
        let flags = format!("--size 320x180{few}");
        let desk = Desk::with_own_shaders();
        desk.run(&format!(
            "capture --scene {scene} {flags} --methods wave-lerp-deferred --quiet --out set"
        ))
        .good();
        let there = image::load_from_memory(&desk.read("set/wave-lerp-deferred.png"));
        let there = there.expect("a picture").to_rgb8();
        let values = flags
            .replace(" --", "&")
            .replace("--", "")
            .replace(' ', "=");
        let link = format!("scene={scene}&{values}&a=wave-lerp-deferred&paused&bare&layout=single");
        let here = saved_picture(&mut open("", &link));
        assert_eq!(here.dimensions(), there.dimensions(), "{scene}");
        for (picture, name) in [(&here, "page"), (&there, "desktop")] {
            let kept = std::env::temp_dir().join(format!("wavelerp-{scene}-{name}.png"));
            picture.save(kept).expect("the picture is kept");
        }
        let apart = here.pixels().zip(there.pixels()).map(|(a, b)| {
            let channels = a.0.iter().zip(b.0);
            channels
                .map(|(a, b)| a.abs_diff(b))
                .max()
                .unwrap_or_default()
        });
        let apart: Vec<u8> = apart.collect();
        match most {
            Some(most) => assert!(
                apart.iter().all(|of| *of <= most),
                "{scene}: {:?}",
                apart.iter().max()
            ),
            // The bound that drivers are compared by.
            None => {
                let (outliers, rest): (Vec<u8>, _) = apart.iter().partition(|of| **of > 25);
                let rest = rest
                    .iter()
                    .map(|of| (f64::from(*of) / 255.0).powi(2))
                    .sum::<f64>();
                let rms = (rest / apart.len() as f64).sqrt();
                let share = outliers.len() as f64 / apart.len() as f64;
                assert!(
                    share <= 0.005 && rms <= 0.02,
                    "{scene}: {share} outliers, rms {rms}"
                );
            }
        }
    }
}

#[test]
#[ignore = "needs the built page"]
fn a_link_opens_a_view_again_and_its_wrong_values_are_named() {
    let link =
        "scene=two&size=160x90&a=wave-tree&b=pixel-loop&particles=9&time=abc&colour=red&paused";
    let mut browser = open("", link);
    let facts = ["scene", "a", "b", "size", "particles"];
    let told = facts.map(|key| said(&mut browser, key));
    assert_eq!(told, ["two", "wave-tree", "pixel-loop", "160x90", "9"]);
    for wrong in ["abc", "--colour"] {
        browser.until(&format!(
            "document.documentElement.dataset.said.includes('{wrong}')"
        ));
    }
    let again = said(&mut browser, "link");
    let mut browser = open("", &again);
    assert_eq!(facts.map(|key| said(&mut browser, key)), told, "{again}");
}

#[test]
#[ignore = "needs the built page"]
fn a_dropped_file_opens_and_one_that_is_broken_is_named() {
    let mut browser = open("", "scene=two&size=160x90&paused");
    let ply = std::fs::read("tests/data/splats/inria-0.ply").expect("a file");
    let text = base64::prelude::BASE64_STANDARD.encode(ply);
    let drop = |name: &str, text: &str| {
        format!(
            "{{ const bytes = Uint8Array.from(atob({}), (letter) => letter.charCodeAt(0));
               const data = new DataTransfer();
               data.items.add(new File([bytes], {}));
               dispatchEvent(new DragEvent('drop', {{ dataTransfer: data }})); }}",
            json!(text),
            json!(name)
        )
    };
    browser.value(&drop("broken.ply", "cGx5"));
    browser.until("document.documentElement.dataset.said.includes('broken.ply')");
    browser.value(&drop("inria-0.ply", &text));
    until(&mut browser, "scene", "inria-0.ply");
}

#[test]
#[ignore = "needs the built page"]
fn without_subgroups_the_other_methods_run_and_keys_change_the_view() {
    let mut browser = open("?no-subgroups", "scene=two&size=160x90&paused");
    // A click gives the canvas the keyboard.
    browser.value("document.querySelector('canvas').focus()");
    browser.press("f", "KeyF", 0);
    browser.until("document.documentElement.dataset.view !== 'picture'");
    let before = said(&mut browser, "b");
    until(&mut browser, "tested", "true");
    browser.press("b", "KeyB", 0);
    browser.until(&format!(
        "document.documentElement.dataset.b !== '{before}'"
    ));
    let usable = said(&mut browser, "usable");
    let usable: Vec<&str> = usable.split(',').collect();
    assert!(
        usable.contains(&"pixel-loop") && !usable.contains(&"wave-lerp-deferred"),
        "{usable:?}"
    );
    assert!(said(&mut browser, "refused").contains("wave"));
    let clock = said(&mut browser, "clock");
    assert!(
        clock.starts_with("wall clock") || clock.starts_with("GPU timestamps"),
        "{clock}"
    );
}
