//! Shaders edited while the window is open, and where the window finds them.

use std::path::{Path, PathBuf};

use super::headless::Window;
use super::program::Program;
use super::{Desk, TEMPLE, WINDOW};
use crate::cli::BINARY;
use crate::harness::says;

/// What the tests put in place of the colour that the last pass writes.
const PLAIN: &str = "vec4f(color, 1.0)";

/// A copy of the checkout's shaders below the desk.
fn copied(desk: &Desk, name: &str) -> PathBuf {
    let target = desk.path(name);
    crate::shaders::write(&crate::shaders::source(), &target);
    target
}

/// The text of `resolve.wesl` with another colour.
fn resolve_with(color: &str) -> String {
    let text = std::fs::read_to_string(crate::shaders::folder().join("frame/resolve.wesl"));
    let text = text.expect("the file is there");
    assert!(text.contains(PLAIN));
    text.replace(PLAIN, color)
}

/// Writes a file as many editors do: beside it first, then over it.
fn save(folder: &Path, text: &str) {
    let beside = folder.join("frame/resolve.wesl.new");
    std::fs::write(&beside, text).expect("the file is written");
    std::fs::rename(beside, folder.join("frame/resolve.wesl")).expect("the file is replaced");
}

fn hears(program: &Program, words: &str) {
    program.until_it(&format!("it says `{words}`"), || {
        program.said().contains(words)
    });
}

#[test]
fn an_edit_is_shown_a_broken_one_is_explained_and_a_mended_one_is_shown() {
    let desk = Desk::new();
    let shaders = copied(&desk, "my shaders");
    let link = desk.path("shaders-of-mine");
    std::os::unix::fs::symlink(&shaders, &link).expect("a link");
    let arguments = format!("{TEMPLE} --shaders {}", link.display());
    let mut program = desk.open(&arguments, WINDOW);
    let before = program.shot();
    assert!(!before.command.contains("--shaders"), "{}", before.command);
    program.shows(&before.picture);

    save(&shaders, &resolve_with("vec4f(1.0 - color, 1.0)"));
    program.shows_more_than(&before.picture, 0.9);
    let edited = program.shot();
    let flag = format!("--shaders {}", link.display());
    says(&edited.command, flag);
    program.shows(&edited.picture);

    let broken = resolve_with("vec4f(colour, 1.0)");
    let (before_it, _) = broken.split_once("vec4f(colour").expect("a place");
    let line = before_it.lines().count();
    let place = format!("shaders/frame/resolve.wesl:{line}: ");
    // It compiles, but nobody binds such a thing.
    let unbound = resolve_with(PLAIN).replace("composites", "composed");
    // It passes on what the program's own file does not.
    let publishes = "@publish import package::common::frame::frame;\n".to_owned();
    for (text, said) in [
        (broken, place.as_str()),
        (unbound, "nothing is bound to composed"),
        (
            publishes + &resolve_with(PLAIN),
            "lines differ from the program's",
        ),
    ] {
        save(&shaders, &text);
        hears(&program, said);
        let stays = program.shot().picture == edited.picture;
        assert!(stays, "{said}: the last good picture stays");
    }

    // Other editors write in place.
    let path = shaders.join("frame/resolve.wesl");
    std::fs::write(path, resolve_with(PLAIN)).expect("the file is written");
    program.shows(&before.picture);
    assert!(program.shot().picture == before.picture);
    let origin = format!("shaders come from {} (all ", link.display());
    assert!(program.said_in_all().starts_with(&origin));
    program.keys(&["ctrl+q"]);
    let said = program.ended();
    let known = [
        place.as_str(),
        "shaders/frame/resolve.wesl: ",
        "1 pipeline",
        "bound to composed",
        "lines differ from the program's",
    ];
    for line in said.lines() {
        assert!(known.iter().any(|part| line.contains(part)), "{said}");
    }
}

/// Opens a copy of the program that is in another place.
fn open_elsewhere<'a>(desk: &'a Desk, place: &str, arguments: &str) -> Program<'a> {
    let binary = desk.path(place);
    std::fs::create_dir_all(binary.parent().expect("a folder")).expect("a folder");
    if !binary.exists() {
        std::fs::copy(BINARY, &binary).expect("the binary is copied");
    }
    desk.open_binary(&binary, arguments, WINDOW)
}

#[test]
fn the_folder_is_found_beside_the_program_and_without_one_it_says_so() {
    let desk = Desk::new();
    let place = "checkout/target/debug/wavelerp";
    let mut program = open_elsewhere(&desk, place, TEMPLE);
    let embedded = program.shot();
    program.keys(&["ctrl+q"]);
    let said = program.ended();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines.len() == 1 && lines[0].contains("embedded"), "{said}");
    // It can be told to be quiet.
    let program = open_elsewhere(&desk, place, &format!("{TEMPLE} --quiet"));
    program.close();

    // The folder of the program's checkout, with a file too few, two that do not work and one that does.
    let shaders = copied(&desk, "checkout/shaders");
    let manifest = "[package]\nname = \"wavelerp\"\n";
    std::fs::write(desk.path("checkout/Cargo.toml"), manifest).expect("the file is written");
    save(&shaders, &resolve_with("vec4f(1.0 - color, 1.0)"));
    let nested = format!("fn old() {{ {}{} }}", "{".repeat(1_000), "}".repeat(1_000));
    std::fs::write(shaders.join("frame/fog.wesl"), nested).expect("the file is written");
    std::fs::remove_file(shaders.join("inspect/metrics.wesl")).expect("the file is removed");
    let mut program = open_elsewhere(&desk, place, TEMPLE);
    hears(&program, "shaders/frame/fog.wesl");
    let found = program.shot();
    assert!(found.picture.share_changed(&embedded.picture) > 0.9);
    save(&shaders, &resolve_with(PLAIN));
    program.shows(&embedded.picture);
    program.keys(&["ctrl+q"]);
    let said = program.ended();
    assert!(said.lines().count() == 1, "{said}");
}

#[test]
fn a_broken_shader_has_a_sign_in_the_bar_for_as_long_as_it_is_broken() {
    let mut window = Window::with_panes();
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
    assert!(window.has_said("shaders: mended"));
}
