//! The crossover map: outputs across, layers up, a cell coloured by its winner, and a line where two rivals take equal
//! time.

use super::{Chart, Part, heading, words};
use crate::model::format::{grouped, time, times};
use crate::report::bench::groups::Group;
use crate::report::bench::map::{Cell, Map, Winner, pixels};
use crate::report::bench::record::Record;
use crate::report::canvas::Rgb;
use crate::report::drawing::{
    Drawing, LINE, MARGIN, Point, Sign, TEXT, WIDTH, label, line, marker, rectangle,
};
use crate::report::palette::{colour, lighter, look, on};
use crate::report::svg::{Element, element, path, width};

/// Left edge of the cells, height of the lowest row of them, and of all of them at most.
const LEFT: f64 = MARGIN + 46.0;
const ROW: f64 = 36.0;
const HIGHEST: f64 = 420.0;
/// Colour of a cell in which nothing was timed.
const UNTIMED: Rgb = [150, 152, 158];
/// Least distance of columns and of rows, in powers of two. Cells of closer ones would be too small to see.
const LEAST_STEP: f64 = 0.5;
/// Sizes of text in cells; the first that fits is taken. The height of a line is so many times its size.
const SIZES: [f64; 3] = [12.5, 11.0, 10.0];
const LINE_FACTOR: f64 = 1.2;
/// Room in a cell for the marker left of the text.
const MARKER: f64 = 13.0;

/// The positions of all cells.
struct Grid {
    columns: Vec<f64>,
    rows: Vec<f64>,
}

impl Grid {
    fn of(map: &Map, top: f64) -> Self {
        let outputs = map.outputs.iter().map(|&size| pixels(size) as f64);
        let layers = map.layers.iter().map(|&count| f64::from(count));
        let rows = edges(layers, [1.0, 0.0]);
        let lowest = rows.windows(2).map(|pair| pair[0] - pair[1]);
        let height = (ROW / lowest.fold(1.0, f64::min)).clamp(2.0 * ROW, HIGHEST);
        Self {
            columns: edges(outputs, [LEFT, WIDTH - MARGIN]),
            rows: rows.iter().map(|row| top + row * height).collect(),
        }
    }

    /// Top left and bottom right corner of a cell.
    fn corners(&self, column: usize, row: usize) -> [Point; 2] {
        let Self { columns, rows } = self;
        [
            [columns[column], rows[row + 1]],
            [columns[column + 1], rows[row]],
        ]
    }
}

/// The edges of cells on a logarithmic axis. They lie halfway between the values.
fn edges(values: impl Iterator<Item = f64>, [from, to]: [f64; 2]) -> Vec<f64> {
    let mut logs: Vec<f64> = values.map(|value| value.max(1.0).log2()).collect();
    for i in 1..logs.len() {
        logs[i] = logs[i].max(logs[i - 1] + LEAST_STEP);
    }
    let halves = middles(&logs);
    let (first, last) = match (&logs[..], &halves[..]) {
        ([only], _) => (only - 1.0, only + 1.0),
        ([first, .., last], [low, ..]) => {
            (2.0 * first - low, 2.0 * last - halves[halves.len() - 1])
        }
        _ => return Vec::new(),
    };
    let logs = [first].into_iter().chain(halves).chain([last]);
    logs.map(|log| from + (log - first) / (last - first) * (to - from))
        .collect()
}

fn middles(edges: &[f64]) -> Vec<f64> {
    let middle = |pair: &[f64]| f64::midpoint(pair[0], pair[1]);
    edges.windows(2).map(middle).collect()
}

pub(super) fn chart(record: &Record, groups: &[Group<'_>], map: &Map) -> Chart {
    let of = format!("{} {}", map.cost, map.kind);
    let title = format!("Fastest method by outputs and layers: {of}");
    let mut drawing = heading(record, &title);
    let above = [MARGIN, drawing.y + LINE / 2.0];
    drawing.add(label(above, TEXT, "start", "layers per pixel").with("class", "dim"));
    let grid = Grid::of(map, drawing.y + LINE);
    for group in groups {
        if let Some([column, row]) = map.place(group.work)
            && let Some(cell) = map.cell(column, row)
        {
            drawing.add(drawn(group, map, cell, grid.corners(column, row)));
        }
    }
    borders(&mut drawing, map, &grid);
    axes(&mut drawing, map, &grid);
    keys(&mut drawing, map);
    let name = format!("map-{}-{}", map.cost, map.kind);
    Chart::new(&name, &title, vec![Part::Sweep], drawing)
}

/// Whether a dial puts several pixels on a thread: "4p".
fn several_pixels(winner: &Winner) -> bool {
    let count = winner.dial.strip_suffix('p');
    count.is_some_and(|count| count.parse::<u32>().is_ok())
}

/// The colour of the winning method; lighter where a thread takes several pixels.
fn fill(winner: &Winner) -> Rgb {
    match several_pixels(winner) {
        true => lighter(colour(winner.method)),
        false => colour(winner.method),
    }
}

/// A cell: the winner's marker, and as much of name, dial, lead and time as there is room for.
fn drawn(
    group: &Group<'_>,
    map: &Map,
    cell: &Cell,
    [[left, top], [right, bottom]]: [Point; 2],
) -> Element {
    let fill = cell.winner.as_ref().map_or(UNTIMED, fill);
    let best = group.best().map(|best| best.place);
    let others = group.places.iter().copied();
    let others = others.filter(|place| Some(*place) != best);
    let rows: Vec<usize> = best.into_iter().chain(others).collect();
    // A gap between cells.
    let ground = rectangle([left + 0.5, top + 0.5], [right - 0.5, bottom - 0.5]);
    let mut drawn = element("g")
        .with("fill", on(fill))
        .mark(&rows, &explained(group, map, cell))
        .child(ground.with("fill", fill));
    let room = [right - left - MARKER - 4.0, bottom - top - 3.0];
    let (size, lines) = fitting(cell.winner.as_ref(), room);
    let y = f64::midpoint(top, bottom);
    let mut x = f64::midpoint(left, right);
    if let Some(winner) = &cell.winner {
        let at = match lines.is_empty() {
            true => x,
            false => left + MARKER / 2.0 + 2.0,
        };
        drawn.push(marker([at, y], 4.0, look(winner.method).marker));
        x += MARKER / 2.0;
    }
    let first = y - (lines.len().max(1) - 1) as f64 * size * LINE_FACTOR / 2.0;
    for (index, text) in lines.iter().enumerate() {
        let y = first + index as f64 * size * LINE_FACTOR;
        drawn.push(label([x, y], size, "middle", text));
    }
    if cell.rivals.is_some_and(|ratio| ratio < 1.0) {
        let [left, top] = [left + 0.5, top + 0.5];
        let corner = path(&[[left, top], [left + 9.0, top], [left, top + 9.0]]);
        drawn.push(element("path").with("d", corner));
    }
    drawn
}

/// The winner, its lead over the next, the ratio of the rivals, and what is missing.
fn explained(group: &Group<'_>, map: &Map, cell: &Cell) -> String {
    let mut words = match group.best() {
        Some(best) => format!("{}: fastest {}", group.work, words(&best)),
        None => format!("{}: not timed", group.work),
    };
    if let Some((method, ratio)) = cell.winner.as_ref().and_then(|winner| winner.second) {
        words += &format!("; next {method}, {}", times(ratio));
    }
    if let (Some(rivals), Some(ratio)) = (map.rivals, cell.rivals) {
        words += &format!("; {} {}", rivals.name(), times(ratio));
    }
    match cell.skipped {
        0 => words,
        skipped => format!("{words}; {skipped} rows left out"),
    }
}

/// The most telling text that fits into a cell, in the largest size that fits; none where none does.
fn fitting(winner: Option<&Winner>, [width_room, height_room]: [f64; 2]) -> (f64, Vec<String>) {
    let texts = winner.map_or_else(|| vec![vec!["–".to_owned()]], texts);
    let fits = |size: f64, lines: &[String]| {
        let widths = lines.iter().map(|line| width(size, line));
        widths.fold(0.0, f64::max) <= width_room
            && lines.len() as f64 * size * LINE_FACTOR <= height_room
    };
    let fitting = texts.into_iter().find_map(|lines| {
        let size = SIZES.into_iter().find(|size| fits(*size, &lines))?;
        Some((size, lines))
    });
    fitting.unwrap_or_default()
}

/// Texts for a winner in lines, from the most to the least telling.
fn texts(winner: &Winner) -> Vec<Vec<String>> {
    let lead = winner.second.map(|(_, ratio)| times(ratio));
    let lead = lead.unwrap_or_else(|| "alone".to_owned());
    let name = winner.method.to_string();
    let time = time(winner.median);
    let dial: Vec<String> = match winner.dial.as_str() {
        "" => Vec::new(),
        dial => vec![dial.to_owned()],
    };
    let one_line = [&dial[..], std::slice::from_ref(&lead)]
        .concat()
        .join(" · ");
    let two_lines = [dial, vec![lead.clone()]].concat();
    vec![
        vec![name, one_line.clone(), time.clone()],
        vec![one_line, time.clone()],
        [&two_lines[..], &[time]].concat(),
        two_lines,
        vec![lead],
    ]
}

/// The line of equal time: it parts neighbours of which one rival is faster in the one, the other in the other.
fn borders(drawing: &mut Drawing, map: &Map, grid: &Grid) {
    let is_less = |column, row| Some(map.cell(column, row)?.rivals? < 1.0);
    let parts = |a: Option<bool>, b: Option<bool>| a.zip(b).is_some_and(|(a, b)| a != b);
    let cells = (0..map.outputs.len())
        .flat_map(|column| (0..map.layers.len()).map(move |row| (column, row)));
    for (column, row) in cells {
        let here = is_less(column, row);
        let [[left, top], [right, bottom]] = grid.corners(column, row);
        let beside = parts(here, is_less(column + 1, row));
        let above = parts(here, is_less(column, row + 1));
        for (parts, from) in [(beside, [right, bottom]), (above, [left, top])] {
            if parts {
                let border = line(&[from, [right, top]], 4.0).with("stroke-linecap", "square");
                drawing.add(border.with("class", "line"));
            }
        }
    }
}

fn axes(drawing: &mut Drawing, map: &Map, grid: &Grid) {
    for (y, layers) in middles(&grid.rows).into_iter().zip(&map.layers) {
        let text = grouped((*layers).into());
        drawing.add(label([LEFT - 6.0, y], TEXT, "end", &text).with("class", "ink"));
    }
    let labels = middles(&grid.columns).into_iter().zip(&map.outputs);
    let labels: Vec<(f64, String)> = labels.map(|(x, [w, h])| (x, format!("{w}x{h}"))).collect();
    drawing.labels_below(grid.rows[0] + 2.0, &labels);
    let middle = [f64::midpoint(LEFT, WIDTH - MARGIN), drawing.y + LINE / 2.0];
    drawing
        .add(label(middle, TEXT, "middle", "outputs (pixels, logarithmic)").with("class", "dim"));
    drawing.y += LINE;
}

fn keys(drawing: &mut Drawing, map: &Map) {
    let cells = (0..map.layers.len())
        .flat_map(|row| (0..map.outputs.len()).filter_map(move |column| map.cell(column, row)));
    let winners: Vec<&Winner> = cells.filter_map(|cell| cell.winner.as_ref()).collect();
    let mut keys = Vec::new();
    for method in map.winners() {
        for several in [false, true] {
            let of =
                |winner: &&&Winner| winner.method == method && several_pixels(winner) == several;
            let wins: Vec<&&Winner> = winners.iter().filter(of).collect();
            if let Some(first) = wins.first() {
                let note = if several { " Np" } else { "" };
                let sign = Sign::Marked(fill(first), look(method).marker);
                keys.push((sign, format!("{method}{note}: best in {}", wins.len())));
            }
        }
    }
    if map.crosses() {
        keys.push((Sign::Border, "equal time".to_owned()));
    }
    drawing.legend(&keys);
    let cells = "In a cell: the winner's dial, the best other method's time relative to it, and its median per dispatch. \
        Lighter: N pixels per thread (Np).";
    drawing.paragraph(cells);
    if let Some(rivals) = map.rivals {
        let line = match map.crosses() {
            true => "The line of equal time parts these cells from the others.",
            false => "They never take equal time on this map.",
        };
        drawing.paragraph(&format!(
            "A filled corner: {} takes less time than {}, each at its best dial. {line}",
            rivals.of, rivals.against
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::methods::Method;
    use crate::report::bench::fixture::{self, lists_row};
    use crate::report::bench::groups::groups;
    use crate::report::bench::map::{Rivals, measured};
    use crate::report::svg::Value;
    use crate::report::svg::tests::read;

    fn record(few: f64) -> Record {
        let row = |outputs, layers, method, time| lists_row(outputs, layers, method, "", time);
        let mut rows = Vec::new();
        for outputs in [[64, 64], [256, 256], [1920, 1080]] {
            for layers in [16, 256, 2048] {
                rows.push(row(outputs, layers, "pixel-loop", 100.0));
                rows.push(row(outputs, layers, "wave-lerp-deferred", 200.0));
            }
        }
        rows.push(row([64, 64], 256, "split-depth", few));
        fixture::with_rows(rows)
    }

    fn svg(record: &Record) -> String {
        let groups = groups(record);
        let map = Map::of(&groups, measured(&groups)[0], Rivals::usual(record));
        chart(record, &groups, &map).svg
    }

    #[test]
    fn a_planted_winner_is_the_first_row_of_its_cell_and_of_no_other() {
        let record = record(50.0);
        let marks = read(&svg(&record)).marks;
        assert_eq!(marks.len(), 9);
        let won = |(rows, words): &&(Vec<usize>, String)| {
            let is_first = record.rows[rows[0]].runner == "split-depth";
            assert_eq!(is_first, words.contains("fastest split-depth: "), "{words}");
            is_first
        };
        let won: Vec<_> = marks.iter().filter(won).collect();
        assert_eq!(won.len(), 1);
        assert!(won[0].1.starts_with("64x64, 256 layers"), "{}", won[0].1);
        assert_eq!(won[0].0, [18, 2, 3]);
    }

    #[test]
    fn the_line_of_equal_time_is_drawn_around_the_cells_of_one_rival() {
        let mut crossing = record(300.0);
        for row in &mut crossing.rows {
            if row.runner == "wave-lerp-deferred" && row.work.to_string().starts_with("64x64,") {
                row.samples.iter_mut().for_each(|time| *time /= 5.0);
            }
        }
        // The leftmost of three columns of three cells; a line of the legend is no border.
        let lines = |record| svg(record).matches("stroke-linecap").count();
        assert_eq!([lines(&crossing), lines(&record(300.0))], [3, 0]);
    }

    #[test]
    fn cells_without_times_say_so_and_a_single_cell_has_room() {
        let mut one = fixture::with_rows(vec![lists_row([64, 64], 16, "pixel-loop", "", 9.0)]);
        let fill = |colour: Rgb| format!("fill=\"{}\"", Value::written(&colour));
        assert!(svg(&one).contains(&fill(colour(one.rows[0].method.expect("a method")))));
        one.rows[0].samples.clear();
        one.rows[0].skipped = Some("predicted over 200 ms".to_owned());
        let svg = svg(&one);
        assert!(svg.contains(&fill(UNTIMED)));
        let marks = read(&svg).marks;
        assert_eq!(marks[0].0, [0]);
        let words = &marks[0].1;
        assert!(words.contains("not timed; 1 rows left out"), "{words}");
        let crowded = edges([1024.0, 1024.0, 1025.0].into_iter(), [0.0, 900.0]);
        let mut steps = crowded.windows(2).map(|pair| pair[1] - pair[0]);
        assert!(steps.all(|step| step > 200.0), "{crowded:?}");
    }

    #[test]
    fn text_is_chosen_to_fit_its_cell() {
        let winner = Winner {
            runner: "wave-lerp-product P=8".to_owned(),
            dial: "P=8".to_owned(),
            method: Method::WaveLerpProduct,
            median: 50.0,
            second: None,
        };
        let lines = |room| fitting(Some(&winner), room).1;
        let all = ["wave-lerp-product", "P=8 · alone", "50.0 µs"];
        assert_eq!(lines([300.0, 90.0]), all);
        assert_eq!(lines([70.0, 34.0]), ["P=8 · alone", "50.0 µs"]);
        assert_eq!(lines([34.0, 16.0]), ["alone"]);
        assert!(lines([9.0, 9.0]).is_empty());
    }
}
