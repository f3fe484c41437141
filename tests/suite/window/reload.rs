//! Shaders edited while the window is open, and the window's choice of their folder.

use std::path::Path;

use super::headless::Window;
use super::{Picture, TEMPLE, WINDOW};
use crate::cli::{BINARY, Run};
use crate::harness::says;

/// Expression that the tests replace: the colour written by the last pass.
const PLAIN: &str = "vec4f(color, 1.0)";

/// The text of `resolve.wesl` with another colour.
fn resolve_with(color: &str) -> String {
    let text = std::fs::read_to_string(crate::shaders::folder().join("frame/resolve.wesl"));
    let text = text.expect("the file is there");
    assert!(text.contains(PLAIN));
    text.replace(PLAIN, color)
}

/// Writes a file as many editors do: beside it first, then renamed over it.
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
    window.until_it("it is explained", |window| window.has_said(&place));
    let stays = window.shot().picture == edited.picture;
    assert!(stays, "the last good picture stays");
    // Other editors write in place.
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
    // With a broken file, a missing one, and a different one.
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
    window.until_it("the log says it", |window| {
        window.has_said("shaders/frame/resolve.wesl:")
    });
    window.frame();
    assert!(bar(&window) != before);
    save(&folder, &resolve_with(PLAIN));
    window.until_it("the sign is gone", |window| bar(window) == before);
    assert!(window.has_said("shaders: fixed"));
}
