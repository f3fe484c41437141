//! Machine code as text: its lines without encodings, and how often each kind of instruction occurs.

/// The kinds of instructions that methods are told apart by: the title of each column, and what its instructions begin
/// with, or hold where that begins with a blank.
pub const KINDS: [(&str, &[&str]); 8] = [
    // A value taken from a neighbour on its way into an instruction.
    ("dpp", &[" row_", " quad_perm", " wave_s", " wave_r"]),
    // A value taken across rows of 16 lanes on its way into an instruction (RDNA).
    ("permlane", &["v_permlane"]),
    // The value of one lane, or of the first active one, moved to a scalar register.
    ("readlane", &["v_readlane"]),
    ("readfirst", &["v_readfirstlane"]),
    // A value that any lane takes from any other, through the crossbar of the local data share.
    ("crossbar", &["ds_bpermute", "ds_permute", "ds_swizzle"]),
    // Highest set bit, in a scalar register, and in every lane.
    ("s_msb", &["s_flbit", "s_clz"]),
    ("v_msb", &["v_ffbh", "v_clz"]),
    // A reciprocal or a division.
    ("rcp", &["v_rcp", "v_div"]),
];

/// A program's lines.
pub struct Listing {
    lines: Vec<String>,
}

impl Listing {
    /// The labels and instructions of a disassembly, without comments (encodings) and empty lines.
    pub fn of(assembly: &str) -> Self {
        let lines = assembly.lines().map(|line| {
            let bare = line.split(';').next().unwrap_or_default();
            bare.trim_end().replace('\t', "    ")
        });
        Self {
            lines: lines.filter(|line| !line.trim().is_empty()).collect(),
        }
    }

    /// The instructions without indentation.
    pub fn instructions(&self) -> impl Iterator<Item = &str> {
        let indented = self.lines.iter().filter(|line| line.starts_with(' '));
        indented.map(|line| line.trim())
    }

    /// How many instructions are of each kind.
    pub fn counts(&self) -> [usize; 8] {
        KINDS.map(|(_, parts)| {
            let is_of = |instruction: &&str| {
                parts.iter().any(|part| match part.starts_with(' ') {
                    true => instruction.contains(part),
                    false => instruction.starts_with(part),
                })
            };
            self.instructions().filter(is_of).count()
        })
    }
}

/// Listings with titles next to each other, as text.
pub fn side_by_side(columns: &[(String, &Listing)]) -> String {
    let width = |(title, listing): &(String, &Listing)| {
        let longest = listing.lines.iter().map(|line| line.chars().count()).max();
        longest.unwrap_or_default().max(title.chars().count())
    };
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let lengths = columns.iter().map(|(_, listing)| listing.lines.len());
    let rows = lengths.max().unwrap_or_default();
    // The titles, an empty line, and the lines of the listings.
    let cell = |(title, listing): &'_ (String, &Listing), row: usize| match row {
        0 => title.clone(),
        1 => String::new(),
        _ => listing.lines.get(row - 2).cloned().unwrap_or_default(),
    };
    let rows = (0..rows + 2).map(|row| {
        let cells = columns.iter().zip(&widths);
        let cells = cells.map(|(column, &width)| format!("{:<width$}", cell(column, row)));
        let cells: Vec<String> = cells.collect();
        cells.join(" | ").trim_end().to_owned() + "\n"
    });
    rows.collect()
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
        let first = listing.instructions().next();
        assert_eq!(first, Some("v_readlane_b32 s0, v1, s2"));
        assert_eq!(listing.instructions().count(), 5);
    }

    #[test]
    fn each_kind_is_counted_and_a_plain_move_is_none_of_them() {
        let listing = Listing::of(CODE);
        assert_eq!(listing.counts(), [1, 0, 1, 0, 0, 1, 1, 0]);
        let plain = Listing::of("\tv_mov_b32_e32 v0, v1\n\ts_cbranch_scc0 BB1\n");
        assert_eq!(plain.counts(), [0; 8]);
    }

    #[test]
    fn columns_stand_next_to_each_other_and_the_shorter_one_ends_early() {
        let (long, short) = (Listing::of("\ta\n\tb\n"), Listing::of("\tc\n"));
        let text = side_by_side(&[("one".to_owned(), &short), ("two".to_owned(), &long)]);
        assert_eq!(text, "one   | two\n      |\n    c |     a\n      |     b\n");
    }
}
