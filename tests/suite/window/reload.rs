//! Shaders are edited while the window is open, and the window chooses the right folder of shaders.

use std::path::Path;
use std::time::Instant;

use wavelerp::viewer::view::View;

use super::headless::Window;
use super::{PATIENCE, Picture, TEMPLE, WINDOW};
use crate::cli::{BINARY, Run};
use crate::harness::says;

/// Expression that tests replace: the colour that the last pass writes.
const PLAIN: &str = "vec4f(color, 1.0)";

/// The text of `resolve.wesl` with a different colour.
fn resolve_with(color: &str) -> String {
    let text = std::fs::read_to_string(crate::shaders::folder().join("frame/resolve.wesl"));
    let text = text.expect("the file is there");
    assert!(text.contains(PLAIN));
    text.replace(PLAIN, color)
}

/// Writes a file as many editors do: a new file next to it is renamed over it.
fn save(folder: &Path, text: &str) {
    let beside = folder.join("frame/resolve.wesl.new");
    std::fs::write(&beside, text).expect("the file is written");
    std::fs::rename(beside, folder.join("frame/resolve.wesl")).expect("the file is replaced");
}

#[test]
fn an_edit_is_shown_a_broken_one_is_explained_and_a_mended_one_is_shown() {
    let mut window = Window::open(WINDOW, 1.0, |_| {});
    let folder = window.path("coarse");
    let before = window.shot();
    save(&folder, &resolve_with("vec4f(1.0 - color, 1.0)"));
    window.shows_more_than(&before.picture, 0.9);
    let edited = window.shot();
    window.shows(&edited.picture);

    let broken = resolve_with("vec4f(colour, 1.0)");
    let (before_it, _) = broken.split_once("vec4f(colour").expect("a place");
    let place = format!("shaders/frame/resolve.wesl:{}: ", before_it.lines().count());
    save(&folder, &broken);
    window.until_it("the error is reported", |window| window.has_said(&place));
    let stays = window.shot().picture == edited.picture;
    assert!(stays, "the last valid picture stays");
    // Other editors write the file in place.
    let path = folder.join("frame/resolve.wesl");
    std::fs::write(path, resolve_with(PLAIN)).expect("the file is written");
    window.shows(&before.picture);
    assert!(window.has_said("shaders: rebuilt"));
}

#[test]
fn the_folder_is_found_in_the_programs_checkout_and_without_one_it_says_so() {
    let desk = crate::cli::Desk::new();
    let binary = desk.path("checkout/target/debug/wavelerp");
    std::fs::create_dir_all(binary.parent().expect("a folder")).expect("a folder");
    std::fs::copy(BINARY, &binary).expect("the binary is copied");
    let still = |name: &str| {
        let line = format!("still {TEMPLE} --window-size 160x90 --out {name}")
            .replace("--paused --fresh", "");
        let mut command = std::process::Command::new(&binary);
        command
            .current_dir(desk.path(""))
            .args(line.split_whitespace());
        command
            .env("WAVELERP_ADAPTER", "llvmpipe")
            .env_remove("WAVELERP_SHADERS");
        let run = Run::of(&line, &mut command);
        assert_eq!(run.code, 0, "{run}");
        (run.stderr.clone(), Picture::read(&desk.path(name)))
    };
    let (said, embedded) = still("embedded.png");
    says(said, "embedded");
    // The folder has a broken file, a missing one and a different one.
    let shaders = desk.path("checkout/shaders");
    crate::shaders::write(&crate::shaders::source(), &shaders);
    let manifest = "[package]\nname = \"wavelerp\"\n";
    std::fs::write(desk.path("checkout/Cargo.toml"), manifest).expect("the file is written");
    save(&shaders, &resolve_with("vec4f(1.0 - color, 1.0)"));
    let nested = format!("fn old() {{ {}{} }}", "{".repeat(1_000), "}".repeat(1_000));
    std::fs::write(shaders.join("frame/fog.wesl"), nested).expect("the file is written");
    std::fs::remove_file(shaders.join("inspect/metrics.wesl")).expect("the file is removed");
    let (said, found) = still("found.png");
    says(said, "shaders/frame/fog.wesl");
    assert!(found.share_changed(&embedded) > 0.9);
}

#[test]
fn a_broken_shader_has_a_sign_in_the_bar_for_as_long_as_it_is_broken() {
    let mut window = Window::open(super::WIDE, 1.0, |start| start.flags.bare = false);
    let bar = |window: &Window| window.grab().part([480, 0], [800, 25]);
    let folder = window.path("coarse");
    let before = bar(&window);
    save(&folder, &resolve_with("vec4f(colour, 1.0)"));
    window.until_it("the log names the files", |window| {
        window.has_said("shaders/frame/resolve.wesl:")
    });
    window.frame();
    assert!(bar(&window) != before);
    save(&folder, &resolve_with(PLAIN));
    window.until_it("the warning is gone", |window| bar(window) == before);
    assert!(window.has_said("shaders: fixed"));
}

/// Saves a file of the folder with all of `find` replaced.
fn edit(folder: &Path, module: &str, find: &str, replace: &str) {
    let path = folder.join(format!("{module}.wesl"));
    let text = std::fs::read_to_string(&path).expect("the file is there");
    assert!(text.contains(find), "{module} does not contain {find}");
    std::fs::write(path, text.replace(find, replace)).expect("the file is written");
}

/// Edits that compile, but make every frame fail, although they also change something visible: resources of the frame and
/// of the window that are never bound, and a resource of the wrong format.
const UNDRAWABLE: [[&str; 3]; 3] = [
    ["frame/resolve", "composites", "composed"],
    ["frame/resolve", "rgba8unorm", "rgba16float"],
    ["inspect/present", "resolved_a", "settled_a"],
];

#[test]
fn an_edit_that_compiles_but_cannot_be_drawn_with_changes_nothing() {
    let mut window = Window::open(WINDOW, 1.0, |_| {});
    let folder = window.path("coarse");
    let before = window.shot().picture;
    let refused = "cannot draw with ";
    for [module, find, replace] in UNDRAWABLE {
        save(&folder, &resolve_with("vec4f(1.0 - color, 1.0)"));
        edit(&folder, module, find, replace);
        window.until_it("the edit is refused", |window| window.has_said(refused));
        window.state().messages = Default::default();
        assert!(window.shot().picture == before, "{module}: {replace}");
        edit(&folder, module, replace, find);
        // Negative control: the visible change alone is shown, and the next edit starts from here.
        window.shows_more_than(&before, 0.9);
        save(&folder, &resolve_with(PLAIN));
        window.shows(&before);
        assert!(!window.has_said(refused));
    }
}

#[test]
fn an_edit_that_fails_only_in_a_view_shown_later_is_taken_back() {
    let mut window = Window::open(WINDOW, 1.0, |_| {});
    let folder = window.path("coarse");
    let view = |window: &mut Window, view| window.state().comparison.chosen.view = view;
    view(&mut window, View::ListLength);
    let before = window.shot().picture;
    view(&mut window, View::Picture);
    let picture = window.shot().picture;
    assert!(picture != before);
    edit(&folder, "inspect/debug_view", "debug_values", "values");
    window.until_it("the edit is used", |window| {
        window.has_said("shaders: rebuilt")
    });
    assert!(window.shot().picture == picture);
    view(&mut window, View::ListLength);
    let begun = Instant::now();
    while !window.has_said("the previous version is back in use") {
        // These frames fail.
        drop(window.host.frame(Default::default()));
        assert!(begun.elapsed() < PATIENCE, "the edit is still in use");
    }
    assert!(window.shot().picture == before);
}
