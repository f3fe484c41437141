//! The crossover map. Outputs run across, layers run up, and each cell has the colour of the winner. A line separates
//! cells in which different rivals are faster. All cells have the same size, with room for their text.

use super::chart::{Chart, RunPart, heading, words};
use crate::model::format::{grouped, time, times};
use crate::model::methods::Method;
use crate::report::axis::Tick;
use crate::report::bench::groups::Group;
use crate::report::bench::map::{Cell, Map, Winner};
use crate::report::bench::record::Record;
use crate::report::canvas::Rgb;
use crate::report::drawing::{
    LINE, MARGIN, Point, WIDTH, hex, line, mark, marker, rectangle, swatch, text, width,
};
use crate::report::palette::{colour, lighter, look, on};

const LEFT: f64 = MARGIN + 46.0;
/// Minimum and maximum height of a row, and maximum height of all rows together.
const ROW: [f64; 2] = [38.0, 54.0];
const HIGHEST: f64 = 420.0;
const UNTIMED: Rgb = [150, 152, 158];
/// Text sizes in cells, and line height relative to the text size.
const LARGE: f64 = 12.5;
const SMALL: f64 = 10.0;
const STEP: f64 = 1.2;
/// Width of the marker left of a cell's text.
const MARKER: f64 = 13.0;

pub(super) fn chart(record: &Record, groups: &[Group<'_>], map: &Map) -> Chart {
    let of = format!("{} {}", map.cost, map.kind);
    let title = format!("Fastest method by outputs and layers: {of}");
    let mut drawing = heading(record, &title);
    let above = [MARGIN, drawing.y + LINE / 2.0];
    drawing.label(above, "start", "dim", "layers per pixel");
    let rows = map.layers.len() as f64;
    let height = (HIGHEST / rows).clamp(ROW[0], ROW[1]);
    let width = (WIDTH - MARGIN - LEFT) / map.outputs.len() as f64;
    let bottom = drawing.y + LINE + rows * height;
    // Bottom left corner of a cell, or a point inside the cell.
    let at = |column: f64, row: f64| [LEFT + column * width, bottom - row * height];
    let cells = (0..map.layers.len())
        .flat_map(|row| (0..map.outputs.len()).map(move |column| [column, row]));
    for group in groups {
        if let Some([column, row]) = map.place(group.work)
            && let Some(cell) = map.cell(column, row)
        {
            let middle = at(column as f64 + 0.5, row as f64 + 0.5);
            drawing.add(&drawn(group, map, cell, middle, [width, height]));
        }
    }
    // The line of equal time separates neighbouring cells in which different rivals are faster.
    let is_less = |[column, row]: [usize; 2]| Some(map.cell(column, row)?.rivals? < 1.0);
    drawing.add("<g stroke-linecap=\"square\">");
    for [column, row] in cells.clone() {
        let [x, y] = [column as f64, row as f64];
        let right = ([column + 1, row], at(x + 1.0, y));
        let upper = ([column, row + 1], at(x, y + 1.0));
        for (neighbour, from) in [right, upper] {
            let both = is_less([column, row]).zip(is_less(neighbour));
            if both.is_some_and(|(here, there)| here != there) {
                drawing.add(&line(&[from, at(x + 1.0, y + 1.0)], 4.0, "line"));
            }
        }
    }
    drawing.add("</g>");
    for (row, layers) in map.layers.iter().enumerate() {
        let [left, y] = at(0.0, row as f64 + 0.5);
        drawing.label([left - 6.0, y], "end", "ink", &grouped((*layers).into()));
    }
    let outputs = map.outputs.iter().enumerate();
    let ticks = outputs.map(|(x, [w, h])| (at(x as f64 + 0.5, 0.0)[0], format!("{w}x{h}")));
    drawing.labels_below(bottom + 2.0, &ticks.collect::<Vec<Tick>>());
    let middle = [f64::midpoint(LEFT, WIDTH - MARGIN), drawing.y + LINE / 2.0];
    drawing.label(middle, "middle", "dim", "outputs (pixels)");
    drawing.y += LINE;
    let winners = cells.filter_map(|[column, row]| map.cell(column, row)?.winner.as_ref());
    let winners: Vec<&Winner> = winners.collect();
    let mut keys = Vec::new();
    for method in map.winners() {
        for (several, note) in [(false, ""), (true, " Np")] {
            let wins = winners.iter().filter(|winner| winner.method == method);
            let count = wins.filter(|winner| several_pixels(winner) == several);
            let count = count.count();
            if count > 0 {
                let sign = swatch(fill(method, several), look(method).marker);
                keys.push((sign, format!("{method}{note}: best in {count}")));
            }
        }
    }
    let mut about = "They never take equal time on this map.";
    if map.crosses() {
        let border = line(&[[0.0; 2], [26.0, 0.0]], 4.0, "line");
        keys.push((border, "equal time".to_owned()));
        about = "The line of equal time separates these cells from the others.";
    }
    drawing.legend(keys);
    drawing.paragraph(
        "In a cell: the winner's dial, the best other method's time relative to it, and its median per dispatch. \
        Lighter: N pixels per thread (Np).",
    );
    if let Some(rivals) = map.rivals {
        let [of, against] = [rivals.of, rivals.against];
        drawing.paragraph(&format!(
            "A filled corner: {of} takes less time than {against}, each at its best dial. {about}"
        ));
    }
    let name = format!("map-{}-{}", map.cost, map.kind);
    Chart::new(&name, &title, vec![RunPart::Sweep], drawing)
}

/// True if the dial is at several pixels per thread: "4p".
fn several_pixels(winner: &Winner) -> bool {
    let count = winner.dial.strip_suffix('p');
    count.is_some_and(|count| count.parse::<u32>().is_ok())
}

/// Colour of the winner, lighter for several pixels per thread.
fn fill(method: Method, several_pixels: bool) -> Rgb {
    match several_pixels {
        true => lighter(colour(method)),
        false => colour(method),
    }
}

/// Draws a cell: the winner's marker, and as much of its name, dial, lead and time as fits.
fn drawn(group: &Group<'_>, map: &Map, cell: &Cell, [x, y]: Point, size: [f64; 2]) -> String {
    let winner = cell.winner.as_ref();
    let best = group.best();
    let others = group.places.iter().copied();
    let others = others.filter(|place| best.is_none_or(|best| best.place != *place));
    let rows = best.map(|best| best.place).into_iter().chain(others);
    let mut said = match &best {
        Some(best) => format!("{}: fastest {}", group.work, words(best)),
        None => format!("{}: not timed", group.work),
    };
    if let Some((method, ratio)) = winner.and_then(|winner| winner.second) {
        said += &format!("; next {method}, {}", times(ratio));
    }
    if let (Some(rivals), Some(ratio)) = (map.rivals, cell.rivals) {
        said += &format!("; {} {}", rivals.name(), times(ratio));
    }
    if cell.skipped > 0 {
        said += &format!("; {} rows left out", cell.skipped);
    }
    let fill = winner.map_or(UNTIMED, |of| fill(of.method, several_pixels(of)));
    let ink = hex(on(fill));
    let [w, h] = size.map(|edge| edge / 2.0 - 0.5);
    let mut content = rectangle([x - w, y - h], [x + w, y + h], &hex(fill));
    let (size, lines) = told(winner, [2.0 * w - MARKER, 2.0 * h]);
    let step = STEP * size;
    let mut middle = x;
    if let Some(winner) = winner {
        let beside = x - w + MARKER / 2.0 + 1.5;
        let at = if lines.is_empty() { x } else { beside };
        content += &marker([at, y], 4.0, look(winner.method).marker, &ink);
        middle += MARKER / 2.0;
    }
    let first = y - (lines.len().max(1) - 1) as f64 * step / 2.0;
    for (index, line) in lines.iter().enumerate() {
        let at = [middle, first + index as f64 * step];
        content += &text(at, size, "middle", &ink, line);
    }
    if cell.rivals.is_some_and(|ratio| ratio < 1.0) {
        content += &marker([x - w, y - h], 9.0, "M0 0H1L0 1Z", &ink);
    }
    mark(&rows.collect::<Vec<_>>(), &said, &content)
}

/// The most informative lines that fit into a cell, and the text size. Empty if nothing fits.
fn told(winner: Option<&Winner>, room: [f64; 2]) -> (f64, Vec<String>) {
    let Some(winner) = winner else {
        return (SMALL, vec!["–".to_owned()]);
    };
    let lead = winner.second.map(|(_, ratio)| times(ratio));
    let lead = lead.unwrap_or_else(|| "alone".to_owned());
    let [name, dial, time] = [winner.method.name(), &winner.dial, &time(winner.median)];
    let both = format!("{dial} · {lead}");
    let both = if dial.is_empty() { &lead } else { &both };
    let texts: [(f64, &[&str]); 7] = [
        (LARGE, &[name, both, time]),
        (LARGE, &[both, time]),
        (SMALL, &[name, both, time]),
        (SMALL, &[both, time]),
        (SMALL, &[dial, &lead, time]),
        (SMALL, &[dial, &lead]),
        (SMALL, &[&lead]),
    ];
    let fits = |(size, lines): &&(f64, &[&str])| {
        let is_narrow = |line: &&str| width(*size, line) <= room[0];
        lines.iter().all(is_narrow) && lines.len() as f64 * STEP * size <= room[1]
    };
    let (size, lines) = texts.iter().find(fits).copied().unwrap_or_default();
    (size, lines.iter().map(|line| (*line).to_owned()).collect())
}
