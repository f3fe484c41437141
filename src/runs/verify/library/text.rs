//! Table 3 as text: a row per intrinsic and a column per kind of set, with all types in one cell.

use clap::ValueEnum as _;

use super::LibraryCheck;
use super::cases::MaskKind;
use super::table::{TABLE, Type};
use crate::model::samples::distinct;
use crate::report::table::{NOTHING, plain};

pub fn table(checks: &[LibraryCheck]) -> String {
    if checks.is_empty() {
        return "  unavailable: no wave operations\n".to_owned();
    }
    let kinds = MaskKind::value_variants();
    let names: Vec<String> = kinds.iter().map(MaskKind::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let columns = [&["intrinsic", "early name", "wave"], &names[..], &["types"]];
    let rows = TABLE.iter().map(|entry| {
        let own = |check: &&LibraryCheck| check.intrinsic == entry.name;
        let own: Vec<&LibraryCheck> = checks.iter().filter(own).collect();
        let head = [
            entry.name.to_owned(),
            entry.early.to_owned(),
            wave_sizes(&own),
        ];
        let cells = kinds.iter().map(|kind| cell(&own, *kind).to_owned());
        let types = types(&own);
        head.into_iter().chain(cells).chain([types]).collect()
    });
    let mut text = plain(&columns.concat(), &[], rows);
    if !checks.iter().any(|check| check.ty == Some(Type::F16)) {
        text += "  f16 is not checked: the adapter has no SHADER_F16\n";
    }
    let passed = checks.iter().filter(|check| check.passed).count();
    text + &format!("  {passed} of {} checks passed\n", checks.len())
}

fn cell(checks: &[&LibraryCheck], kind: MaskKind) -> &'static str {
    let of_kind = checks.iter().filter(|check| check.active_lanes == kind);
    let passed: Vec<bool> = of_kind.map(|check| check.passed).collect();
    match passed.contains(&false) {
        _ if passed.is_empty() => NOTHING,
        false => "ok",
        true => "FAILED",
    }
}

/// Wave sizes of the intrinsic's kernels. Usually there is only one.
fn wave_sizes(checks: &[&LibraryCheck]) -> String {
    let sizes = distinct(checks.iter().map(|check| check.wave_size));
    let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
    sizes.join("/")
}

fn types(checks: &[&LibraryCheck]) -> String {
    let is_there = |ty: &Option<Type>| checks.iter().any(|check| check.ty == *ty);
    let types = Type::ALL.into_iter().filter(is_there).flatten();
    types.map(Type::name).collect::<Vec<_>>().join(" ")
}

pub fn describe(check: &LibraryCheck) -> String {
    let ty = check.ty.map(|ty| format!(" {}", ty.name()));
    format!(
        "{}{} at wave {} on {} lanes: {}",
        check.intrinsic,
        ty.unwrap_or_default(),
        check.wave_size,
        check.active_lanes,
        check.failure.as_deref().unwrap_or("ok")
    )
}
