//! Machine code as text: its lines without encodings, and how often each kind of instruction occurs.

/// A kind of instruction that the methods are told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value taken from a neighbour on its way into an instruction.
    Dpp,
    /// A value taken across rows of 16 lanes on its way into an instruction (RDNA).
    Permlane,
    /// The value of one lane, moved to a scalar register.
    ReadLane,
    /// The value of the first active lane, moved to a scalar register.
    ReadFirstLane,
    /// A value that any lane takes from any other, through the crossbar of the local data share.
    Crossbar,
    /// Highest set bit, in a scalar register.
    ScalarBit,
    /// Highest set bit, in every lane.
    VectorBit,
    /// A reciprocal or a division.
    Division,
}

impl Kind {
    /// All kinds with the titles of their columns.
    pub const ALL: [(Kind, &'static str); 8] = [
        (Kind::Dpp, "dpp"),
        (Kind::Permlane, "permlane"),
        (Kind::ReadLane, "readlane"),
        (Kind::ReadFirstLane, "readfirst"),
        (Kind::Crossbar, "crossbar"),
        (Kind::ScalarBit, "s_msb"),
        (Kind::VectorBit, "v_msb"),
        (Kind::Division, "rcp"),
    ];

    /// Whether an instruction is of this kind.
    fn holds(self, instruction: &str) -> bool {
        let starts = |names: &[&str]| names.iter().any(|name| instruction.starts_with(name));
        match self {
            Kind::Dpp => [" row_", " quad_perm", " wave_s", " wave_r"]
                .iter()
                .any(|control| instruction.contains(control)),
            Kind::Permlane => starts(&["v_permlane"]),
            Kind::ReadLane => starts(&["v_readlane"]),
            Kind::ReadFirstLane => starts(&["v_readfirstlane"]),
            Kind::Crossbar => starts(&["ds_bpermute", "ds_permute", "ds_swizzle"]),
            Kind::ScalarBit => starts(&["s_flbit", "s_clz"]),
            Kind::VectorBit => starts(&["v_ffbh", "v_clz"]),
            Kind::Division => starts(&["v_rcp", "v_div"]),
        }
    }
}

/// A program's lines.
pub struct Listing {
    lines: Vec<String>,
}

impl Listing {
    /// The labels and instructions of a disassembly, without comments (encodings) and empty lines.
    pub fn of(assembly: &str) -> Self {
        let bare = assembly
            .lines()
            .map(|line| line.split(';').next().unwrap_or_default());
        let lines = bare.map(|line| line.trim_end().replace('\t', "    "));
        Self {
            lines: lines.filter(|line| !line.trim().is_empty()).collect(),
        }
    }

    /// The instructions without indentation.
    pub fn instructions(&self) -> impl Iterator<Item = &str> {
        self.lines
            .iter()
            .filter(|line| line.starts_with(' '))
            .map(|line| line.trim())
    }

    /// How many instructions are of a kind.
    pub fn count(&self, kind: Kind) -> usize {
        self.instructions()
            .filter(|instruction| kind.holds(instruction))
            .count()
    }
}

/// Listings with titles next to each other, as text.
pub fn side_by_side(columns: &[(String, &Listing)]) -> String {
    let width = |(title, listing): &(String, &Listing)| {
        let longest = listing.lines.iter().map(|line| line.chars().count()).max();
        longest.unwrap_or_default().max(title.chars().count())
    };
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let rows = columns
        .iter()
        .map(|(_, listing)| listing.lines.len())
        .max()
        .unwrap_or_default();
    let row = |cells: Vec<&str>| {
        let padded = cells
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        padded.collect::<Vec<_>>().join(" | ").trim_end().to_owned() + "\n"
    };
    let mut text = row(columns.iter().map(|(title, _)| title.as_str()).collect());
    text += &row(widths.iter().map(|_| "").collect());
    for index in 0..rows {
        let cell = |(_, listing): &(String, &_)| -> String {
            let listing: &Listing = listing;
            listing.lines.get(index).cloned().unwrap_or_default()
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        text += &row(cells.iter().map(String::as_str).collect());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "BB0:\n\tv_readlane_b32 s0, v1, s2      ; d7600000 00000501\n\n\
        \tv_mul_f32_dpp v0, v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf ; 100202fa\n\
        \ts_flbit_i32_b64 s1, exec ; be81167e\n\tv_ffbh_u32_e32 v1, v2 ; 7e027302\n\ts_endpgm ; bf810000\n";

    #[test]
    fn encodings_go_and_labels_are_no_instructions() {
        let listing = Listing::of(CODE);
        assert_eq!(listing.lines[0], "BB0:");
        assert_eq!(
            listing.instructions().next(),
            Some("v_readlane_b32 s0, v1, s2")
        );
        assert_eq!(listing.instructions().count(), 5);
    }

    #[test]
    fn each_kind_is_counted_and_a_plain_move_is_none_of_them() {
        let listing = Listing::of(CODE);
        let counts = Kind::ALL.map(|(kind, _)| listing.count(kind));
        assert_eq!(counts, [1, 0, 1, 0, 0, 1, 1, 0]);
        let plain = Listing::of("\tv_mov_b32_e32 v0, v1\n\ts_cbranch_scc0 BB1\n");
        assert!(Kind::ALL.iter().all(|(kind, _)| plain.count(*kind) == 0));
    }

    #[test]
    fn columns_stand_next_to_each_other_and_the_shorter_one_ends_early() {
        let (long, short) = (Listing::of("\ta\n\tb\n"), Listing::of("\tc\n"));
        let text = side_by_side(&[("one".to_owned(), &short), ("two".to_owned(), &long)]);
        assert_eq!(text, "one   | two\n      |\n    c |     a\n      |     b\n");
    }
}
