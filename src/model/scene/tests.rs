//! Built-in scenes load and keep the promises of their descriptions.

#![expect(clippy::unwrap_used, reason = "tests")]

use super::*;
use crate::input::Disk;

#[test]
fn embedded_scenes_load_and_are_called_what_they_are_called() {
    assert_eq!(names()[0], "temple");
    for name in names() {
        let scene = load(name, &Disk).unwrap();
        assert_eq!(scene.name, name);
        let (list, total) = emitters(&scene, scene.particles);
        assert_eq!(total, scene.particles, "{name}");
        assert!(list.iter().all(|emitter| emitter.count > 0), "{name}");
        assert!(scene.cameras.len() >= 3 || name == "two", "{name}");
    }
}

#[test]
fn every_scene_file_is_embedded() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scenes");
    for entry in std::fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let name = file.strip_suffix(".ron");
        assert!(name.is_none_or(|name| names().contains(&name)), "{file}");
    }
}

#[test]
fn a_path_is_read_and_an_unknown_name_gets_the_nearest() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/scenes/two.ron");
    assert_eq!(load(path, &Disk).unwrap(), load("two", &Disk).unwrap());
    let message = load("tempel", &Disk).unwrap_err().message;
    assert!(
        message.contains("no scene `tempel`; nearest: temple"),
        "{message}"
    );
    let message = load("no/where", &Disk).unwrap_err().message;
    assert!(message.starts_with("no/where: cannot read"), "{message}");
}

#[test]
fn a_scene_whose_lines_end_as_on_windows_is_the_same_scene_and_its_mistakes_have_the_same_place() {
    for (name, text) in EMBEDDED {
        let windows = text.replace('\n', "\r\n");
        let named = (Named::in_program(&Disk), None);
        let here = read("a.ron", &windows, named, &mut |_| Ok(()));
        assert_eq!(here.unwrap(), load(name, &Disk).unwrap());
        // Mistakes in a value, and in the grammar.
        for (good, bad) in [("opacity: 0", "opacity: 7"), ("opacity: ", "opacity? ")] {
            assert!(text.contains(good), "{name}");
            let wrong = text.replacen(good, bad, 1);
            let here = from_text("a.ron", &wrong, &Disk).unwrap_err().message;
            let there = from_text("a.ron", &wrong.replace('\n', "\r\n"), &Disk);
            assert_eq!(there.unwrap_err().message, here, "{name}");
            assert!(here.starts_with("a.ron:"), "{here}");
        }
    }
}
