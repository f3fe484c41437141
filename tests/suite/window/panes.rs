//! The panes with a real frame: arranging and closing them, and impossible requests.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use egui::{Modifiers, PointerButton, RawInput};
use wavelerp::viewer::action::Action;
use wavelerp::viewer::action::Pick;
use wavelerp::viewer::dock::{Arrangement, Dock};
use wavelerp::viewer::messages::Severity;
use wavelerp::viewer::view::Layout;

use super::headless::{BARE, WITH_PANES, Window, in_window};
use super::{SIZE, WIDE};
use crate::harness::entries;
use crate::meshes::write::{Writer, png};
use crate::splats::packed_kinds::unzipped;
use crate::splats::{bytes_of, fixture};

#[test]
fn a_border_between_panes_is_dragged() {
    in_window(WITH_PANES, |window| {
        let before = window.state().panes.dock.text();
        assert_eq!(before, Dock::from(Arrangement::Compare).text());
        let border = (0.31 * WIDE[0] as f32) as u32;
        window.drag([border, 500], [border + 200, 500], PointerButton::Primary);
        let dragged = window.state().panes.dock.text();
        assert_ne!(dragged, before);
        assert!(Dock::parse(&dragged).is_ok(), "{dragged}");
    });
}

#[test]
fn the_card_of_the_first_start_covers_no_picture_and_makes_none_smaller() {
    let images_with = |is_first: bool| {
        let mut window = Window::open(WIDE, 1.0, |start| {
            (start.flags.bare, start.is_first) = (false, is_first);
            start.flags.layout = Some(Layout::WithDifference);
        });
        window.frame();
        assert_eq!(window.state().panes.card_open, is_first);
        let state = window.state();
        let images = state.comparison.images(&state.panes.picture, SIZE);
        let context = window.host.viewer.context();
        for image in &images {
            let [x, y] = image.room.origin;
            for (x, y) in [0.25, 0.5, 0.98].map(|at| (x + at * image.room.size[0], y + 60.0)) {
                let layer = context.layer_id_at(egui::pos2(x, y)).expect("a layer");
                assert_eq!(layer.order, egui::Order::Background);
            }
        }
        let edges = images.iter().map(|image| image.placement.pixel_edge());
        edges.collect::<Vec<f32>>()
    };
    assert_eq!(images_with(true), images_with(false));
}

#[test]
fn escape_closes_what_is_on_top_one_after_the_other_and_ctrl_q_ends_the_program() {
    // The first window shows a card.
    let mut window = Window::open(WIDE, 1.0, |start| {
        (start.flags.bare, start.is_first) = (false, true);
    });
    window.click([100, 13]);
    let has_menu = |window: &Window| egui::Popup::is_any_open(window.host.viewer.context());
    assert!(has_menu(&window) && window.state().panes.card_open);
    window.keys(&["Escape"]);
    assert!(!has_menu(&window), "the menu is closed");
    assert!(window.state().panes.card_open, "the card stays open");
    window.keys(&["Escape"]);
    assert!(!window.state().panes.card_open);
    // Everything is closed already.
    window.keys(&["Escape"]);
    assert!(!window.host.viewer.is_done(true));
    window.keys(&["ctrl+Q"]);
    assert!(window.host.viewer.is_done(true));
}

#[test]
fn a_preset_brings_everything_back() {
    in_window(BARE, |window| {
        window.state().panes.preset_name = window.path("mine.ron").display().to_string();
        window.keys(&["2", "x"]);
        let before = window.shot();
        assert_eq!(before.of, "read-lane-loop-beside-pixel-loop");
        window.keys(&["F5", "5", "f", "x", ".", ".", "."]);
        let changed = window.shot();
        assert_eq!(changed.of, "wave-lerp-ballot-scalar-absolute-pixel-loop");
        assert!(changed.picture != before.picture);
        window.keys(&["F9"]);
        let back = window.shot();
        assert_eq!(back.command, before.command);
        assert!(back.picture == before.picture);
        window.shows(&back.picture);
    });
}

#[test]
fn without_renderdoc_f12_says_so_in_the_window() {
    in_window(BARE, |window| {
        let empty = window.grab();
        window.keys(&["F12"]);
        assert!(window.has_said("renderdoccmd capture"));
        window.until_it("it is over the picture", |window| {
            window.grab().share_changed(&empty) > 0.001
        });
    });
}

/// A file dropped on the window.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        Err("nobody asks".to_owned())
    }
}

/// Draws a frame in which files are dropped.
fn drop_on(window: &mut Window, files: Vec<PathBuf>, modifiers: Modifiers) {
    let dropped = files.into_iter().map(|path| Arc::new(Dropped(path)) as _);
    let input = RawInput {
        events: vec![egui::Event::ModifiersChanged(modifiers)],
        dropped_files: dropped.collect(),
        ..RawInput::default()
    };
    window.frame_with(Duration::ZERO, input);
}

#[test]
fn a_dropped_file_is_opened_and_one_dropped_with_shift_is_added() {
    let file = fixture("inria-3.ply");
    in_window(BARE, move |window| {
        for (modifiers, is_added) in [(Modifiers::SHIFT, true), (Modifiers::NONE, false)] {
            drop_on(window, vec![file.clone()], modifiers);
            window.until_it("its splats are shown", |window| {
                let subject = &window.state().subject;
                let mut splats = subject.scene.splats.iter();
                let is_there = splats.any(|spec| Path::new(&spec.file) == file);
                let is_temple = subject.settings.scene_name() == "temple";
                is_there && is_temple == is_added
            });
        }
    });
}

#[test]
fn folders_and_files_that_belong_together_are_dropped_at_once() {
    in_window(BARE, |window| {
        let folder = |name: &str, files: &[(String, Vec<u8>)]| {
            let folder = window.path(name);
            std::fs::create_dir(&folder).expect("a folder");
            for (name, bytes) in files {
                std::fs::write(folder.join(name), bytes).expect("a file");
            }
            folder
        };
        let bust = folder("bust", &unzipped(&bytes_of("sog-1.sog")));
        let mut model = Writer::new();
        model.triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let [text, binary] = model.apart("chair.bin");
        let notes = b"Model information:\n* author: somebody (of somewhere)".to_vec();
        let files = [
            ("chair.bin", binary),
            ("chair.gltf", text),
            ("license.txt", notes),
            ("wood.png", png(1, &[[1, 2, 3, 255]])),
        ]
        .map(|(name, bytes)| (name.to_owned(), bytes));
        let chair = folder("chair", &files);
        for (dropped, scene, splats) in [
            (vec![bust.clone()], "bust", true),
            (vec![chair.clone()], "chair", false),
            (entries(&bust), "bust", true),
            (entries(&chair), "chair", false),
        ] {
            drop_on(window, dropped, Modifiers::NONE);
            window.until_it("the dropped file is shown", |window| {
                let is_outline = window.state().files.is_outline;
                let shown = &window.state().subject.scene;
                let is_there = match splats {
                    true => shown.placed_splats.count() > 0,
                    false => shown.placed_meshes.count() == 1,
                };
                shown.name == scene && !is_outline && is_there
            });
            let mut log = window.state().messages.log();
            let error = log.find(|said| said.severity == Severity::Error);
            assert!(error.is_none(), "{error:?}");
        }
    });
}

#[test]
fn a_dialog_is_asked_for_and_its_answer_is_used_and_a_copied_command_is_handed_over() {
    in_window(BARE, |window| {
        let mut frame = |events: Vec<egui::Event>| {
            let input = RawInput {
                events,
                ..RawInput::default()
            };
            window.frame_with(Duration::ZERO, input)
        };
        assert_eq!(frame(vec![]).dialogs, []);
        frame(vec![egui::Event::Copy]);
        let copied = frame(vec![]).platform.commands;
        let command = window.state().command();
        assert_eq!(copied, [egui::OutputCommand::CopyText(command)]);
        window.state().ask(Action::Browse(Pick::Open));
        let output = window.frame_with(Duration::ZERO, RawInput::default());
        assert_eq!(output.dialogs, [Pick::Open]);
        let answer = || Ok(Some("two".into()));
        window.host.viewer.browse(Pick::Open, answer);
        window.until_it("its scene is shown", |window| {
            window.state().subject.settings.scene_name() == "two"
        });
    });
}
