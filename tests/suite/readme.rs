//! The README's tables are the program's.

use wavelerp::app::keys::KEYS;
use wavelerp::methods::TABLE;
use wavelerp::render::passes;
use wavelerp::verify::library::table::TABLE as INTRINSICS;

const README: &str = include_str!("../../README.md");

#[test]
fn the_readmes_method_table_is_the_programs() {
    for entry in &TABLE {
        let row = format!(
            "| `{}` | {} | {} | {} | {} |",
            entry.name, entry.mapping, entry.cost, entry.guarantee, entry.origin
        );
        assert!(README.contains(&row), "README.md lacks the row\n{row}");
    }
}

#[test]
fn the_readmes_table_of_intrinsics_is_the_programs() {
    for entry in &INTRINSICS {
        let row = format!(
            "| {} | {} | `{}`, {} | {} | {} | {} |",
            entry.name,
            entry.early,
            entry.function,
            entry.module,
            entry.wgsl,
            entry.glsl,
            entry.msl
        );
        assert!(README.contains(&row), "README.md lacks the row\n{row}");
    }
}

#[test]
fn the_readmes_keys_are_the_programs() {
    for key in KEYS.iter() {
        let row = format!("| {} | {} |", key.name, key.help);
        assert!(README.contains(&row), "README.md lacks the row\n{row}");
    }
}

#[test]
fn the_readmes_recording_has_every_pass_in_order() {
    let section = README.split("## Profile it with RenderDoc").nth(1);
    let listing = section.and_then(|section| section.split("```text\n").nth(1));
    let listing = listing.and_then(|listing| listing.split("```").next());
    let lines = listing.expect("README.md has a listing").lines();
    let groups: Vec<&str> = lines
        .filter(|line| !line.starts_with(' ') && !line.starts_with("vk"))
        .collect();
    assert_eq!(groups, passes::ALL, "record it again, as README.md says");
}
