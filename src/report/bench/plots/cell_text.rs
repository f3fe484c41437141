//! The text of a cell of the map: the winner's name, its dial and lead, its time.

use super::page::{Page, Point, width};
use super::palette::{number, on};
use crate::model::format::{time, times};
use crate::report::bench::map::{Cell, Winner};
use crate::report::canvas::Rgb;

/// Sizes of text in cells. The first that fits is taken.
const SIZES: [f64; 5] = [15.0, 14.0, 13.0, 12.0, 11.0];
/// The height of a line is this many times the size of its text.
const LINE_FACTOR: f64 = 1.3;

/// Draws the text of a cell that is filled with the colour `fill`.
pub(super) fn draw(
    page: &Page<'_>,
    [[left, top], [right, bottom]]: [Point; 2],
    cell: &Cell,
    fill: Rgb,
) {
    let room = [right - left - 10.0, bottom - top - 6.0];
    let Some((size, lines)) = fitting(cell, room) else {
        return;
    };
    let [x, y] = [f64::midpoint(left, right), f64::midpoint(top, bottom)];
    let first = y - (lines.len() - 1) as f64 * size * LINE_FACTOR / 2.0;
    for (index, line) in lines.iter().enumerate() {
        let y = first + index as f64 * size * LINE_FACTOR;
        page.text_with_halo([x, y], size, [on(fill), fill], line);
    }
}

/// The most telling text that fits into a cell, in the largest size that fits.
fn fitting(cell: &Cell, [width_room, height_room]: [f64; 2]) -> Option<(f64, Vec<String>)> {
    let texts = match &cell.winner {
        Some(winner) => winner_texts(winner),
        None => ["not timed", "–"]
            .map(|text| vec![vec![text.to_owned()]])
            .to_vec(),
    };
    let fits = |size: f64, lines: &[String]| {
        let widest = lines
            .iter()
            .map(|line| width(size, line))
            .fold(0.0, f64::max);
        widest <= width_room && lines.len() as f64 * size * LINE_FACTOR <= height_room
    };
    texts.iter().find_map(|forms| {
        SIZES.into_iter().find_map(|size| {
            let fitting = forms.iter().find(|lines| fits(size, lines))?;
            Some((size, fitting.clone()))
        })
    })
}

/// Texts for a winner, from the most to the least telling, each in one or more layouts of lines. The last one is
/// its number in the legend.
fn winner_texts(winner: &Winner) -> Vec<Vec<Vec<String>>> {
    let name = winner.method.name();
    let lead = winner.second.map(|(_, ratio)| times(ratio));
    let lead = lead.unwrap_or_else(|| "alone".to_owned());
    let dial = if winner.dial.is_empty() {
        lead.clone()
    } else {
        format!("{} · {lead}", winner.dial)
    };
    let number = number(winner.method);
    let mut names = vec![vec![name.to_owned()]];
    // A long name breaks at the hyphen nearest to its middle.
    let hyphens = name.match_indices('-').map(|(at, _)| at + 1);
    if let Some(at) = hyphens.min_by_key(|at| (2 * at).abs_diff(name.len())) {
        names.push(vec![name[..at].to_owned(), name[at..].to_owned()]);
    }
    let with = |rest: &[String]| names.iter().map(|name| [name, rest].concat()).collect();
    vec![
        with(&[dial.clone(), time(winner.median)]),
        with(std::slice::from_ref(&dial)),
        vec![
            vec![format!("{number}: {dial}")],
            vec![number.clone(), lead],
        ],
        vec![vec![number]],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::methods::{Cost, ListKind};
    use crate::report::bench::fixture;
    use crate::report::bench::fixture::lists_row;
    use crate::report::bench::map::map;

    #[test]
    fn text_is_chosen_to_fit_its_cell() {
        let record = fixture::with_rows(vec![
            lists_row([64, 64], 256, "pixel-loop", "", 100.0),
            lists_row([64, 64], 256, "wave-lerp-product", "", 50.0),
        ]);
        let map = map(&record, Cost::Cheap, ListKind::Particles, None);
        let cell = map.cell(0, 0).expect("a cell");
        let (size, lines) = fitting(cell, [300.0, 90.0]).expect("text");
        assert_eq!((size, lines.len()), (SIZES[0], 3));
        assert_eq!(lines[0], "wave-lerp-product");
        let (_, narrow) = fitting(cell, [90.0, 90.0]).expect("text");
        assert_eq!(narrow[..2], ["wave-lerp-", "product"]);
        let (_, small) = fitting(cell, [20.0, 15.0]).expect("a number");
        assert_eq!(small, ["3"]);
        assert_eq!(fitting(cell, [3.0, 3.0]), None);
    }
}
