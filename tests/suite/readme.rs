//! The README's tables are the program's.

use wavelerp::app::keys::KEYS;
use wavelerp::methods::TABLE;
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
