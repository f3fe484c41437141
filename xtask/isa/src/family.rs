//! The GPU families that can be compiled for, and the names that Mesa knows them by.

use wavelerp::error::{Error, Result};

/// A family of GPUs with one instruction set.
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    /// Name in flags, folders and tables.
    pub name: &'static str,
    /// The names that versions of Mesa have for it, the newest first.
    pub mesa: &'static [&'static str],
    /// Instruction set and a card that has it.
    pub what: &'static str,
}

const fn family(name: &'static str, mesa: &'static [&'static str], what: &'static str) -> Family {
    Family { name, mesa, what }
}

/// All families, oldest first. Mesa may know more; these are the ones with wave operations of interest.
pub const FAMILIES: [Family; 12] = [
    family("polaris10", &["POLARIS10"], "GCN 4, Radeon RX 480"),
    family("vega10", &["VEGA10"], "GCN 5, Radeon RX Vega 64"),
    family("vega20", &["VEGA20"], "GCN 5, Radeon VII"),
    family("navi10", &["NAVI10"], "RDNA 1, Radeon RX 5700"),
    family("navi14", &["NAVI14"], "RDNA 1, Radeon RX 5500"),
    family("navi21", &["NAVI21"], "RDNA 2, Radeon RX 6800 and 6900"),
    family("navi22", &["NAVI22"], "RDNA 2, Radeon RX 6700"),
    family("navi23", &["NAVI23"], "RDNA 2, Radeon RX 6600"),
    family("navi24", &["NAVI24"], "RDNA 2, Radeon RX 6400 and 6500"),
    family("navi31", &["NAVI31", "GFX1100"], "RDNA 3, Radeon RX 7900"),
    family(
        "navi32",
        &["NAVI32", "GFX1101"],
        "RDNA 3, Radeon RX 7700 and 7800",
    ),
    family("navi33", &["NAVI33", "GFX1102"], "RDNA 3, Radeon RX 7600"),
];

/// The family called `name`, upper or lower case.
///
/// # Errors
/// A usage error that lists all families, if there is none of this name.
pub fn by_name(name: &str) -> Result<&'static Family> {
    let is_it = |family: &&Family| family.name.eq_ignore_ascii_case(name);
    FAMILIES.iter().find(is_it).ok_or_else(|| {
        let known = names().join(", ");
        Error::usage(format!("there is no family \"{name}\"; known are {known}"))
    })
}

pub fn names() -> Vec<&'static str> {
    FAMILIES.iter().map(|family| family.name).collect()
}

/// One line per family, for `--help`.
pub fn overview() -> String {
    let line = |family: &Family| format!("  {:<11}{}", family.name, family.what);
    FAMILIES.each_ref().map(line).join("\n")
}
