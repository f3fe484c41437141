//! The crossover map: outputs across, layers up, a cell coloured by its winner, and a line where two
//! rivals take equal time.

use super::axis::{
    BOTTOM, Key, LABEL, MARGIN, RIGHT, TOP, heading, labels_below, legend, paragraph,
};
use super::cell_text;
use super::contour::zero;
use super::page::{INK, PAPER, Page, Point, picture};
use super::palette::{colour, lighter, number, on};
use crate::error::Result;
use crate::model::format::grouped;
use crate::model::methods::Method;
use crate::report::bench::map::{Cell, Map, Rivals, Winner, pixels};
use crate::report::bench::record::Record;
use crate::report::canvas::{Canvas, Rgb};
use crate::report::text::Align;

const LEFT: f64 = MARGIN + 84.0;
const LEGEND: f64 = RIGHT - 270.0;
const FOOT: f64 = BOTTOM - 76.0;
/// Colour of a cell in which nothing was timed.
const UNTIMED: Rgb = [228, 228, 230];
/// Colour of the line of equal time.
const LINE: Rgb = [0; 3];
/// Least distance of columns and of rows, in powers of two. Cells of closer ones would be too small to see.
const LEAST_STEP: f64 = 0.5;

/// The positions of all cells, in pixels.
#[derive(Debug)]
pub(super) struct Grid {
    /// Middles of the columns.
    pub x: Vec<f64>,
    /// Middles of the rows, fewest layers first (lowest).
    pub y: Vec<f64>,
    edges: [Vec<f64>; 2],
}

impl Grid {
    /// The grid of a map; `None` where it has no cells.
    pub(super) fn of(map: &Map) -> Option<Self> {
        let outputs = map.outputs.iter().map(|&size| pixels(size) as f64);
        let layers = map.layers.iter().map(|&count| f64::from(count));
        let columns = edges(outputs.collect(), [LEFT, LEGEND - 28.0])?;
        let rows = edges(layers.collect(), [FOOT, TOP])?;
        Some(Self {
            x: middles(&columns),
            y: middles(&rows),
            edges: [columns, rows],
        })
    }

    /// Top left and bottom right corner of a cell.
    pub(super) fn corners(&self, column: usize, row: usize) -> [Point; 2] {
        let [columns, rows] = &self.edges;
        [
            [columns[column], rows[row + 1]],
            [columns[column + 1], rows[row]],
        ]
    }
}

/// The edges of cells on a logarithmic axis, in pixels. They lie halfway between the values.
fn edges(values: Vec<f64>, [from, to]: [f64; 2]) -> Option<Vec<f64>> {
    let mut logs: Vec<f64> = values.iter().map(|value| value.max(1.0).log2()).collect();
    for i in 1..logs.len() {
        logs[i] = logs[i].max(logs[i - 1] + LEAST_STEP);
    }
    let (&first, &last) = (logs.first()?, logs.last()?);
    let halfway = |pair: &[f64]| f64::midpoint(pair[0], pair[1]);
    let mut edges: Vec<f64> = logs.windows(2).map(halfway).collect();
    let [start, end] = match edges[..] {
        [] => [first - 1.0, last + 1.0],
        [low, .., high] => [2.0 * first - low, 2.0 * last - high],
        [only] => [2.0 * first - only, 2.0 * last - only],
    };
    edges.insert(0, start);
    edges.push(end);
    let pixel = |log: f64| from + (log - start) / (end - start) * (to - from);
    Some(edges.into_iter().map(pixel).collect())
}

fn middles(edges: &[f64]) -> Vec<f64> {
    let middle = |pair: &[f64]| f64::midpoint(pair[0], pair[1]);
    edges.windows(2).map(middle).collect()
}

/// Draws the map.
pub(super) fn draw(record: &Record, map: &Map) -> Result<Option<Canvas>> {
    let Some(grid) = Grid::of(map) else {
        return Ok(None);
    };
    let title = format!(
        "Fastest method by outputs and layers · {} {}",
        map.cost.name(),
        map.kind.name()
    );
    let canvas = picture(|page| {
        heading(page, record, &title);
        each_cell(map, |column, row, cell| {
            fill(page, grid.corners(column, row), cell)
        })?;
        equal_time(page, map, &grid)?;
        each_cell(map, |column, row, cell| {
            let corners = grid.corners(column, row);
            cell_text::draw(page, corners, cell, cell_colour(cell));
            Ok(())
        })?;
        axes(page, map, &grid)?;
        keys(page, map)
    })?;
    Ok(Some(canvas))
}

fn each_cell(map: &Map, mut visit: impl FnMut(usize, usize, &Cell) -> Result<()>) -> Result<()> {
    for row in 0..map.layers.len() {
        for column in 0..map.outputs.len() {
            if let Some(cell) = map.cell(column, row) {
                visit(column, row, cell)?;
            }
        }
    }
    Ok(())
}

/// Whether a dial puts several pixels on a thread: "4p".
fn several_pixels(dial: &str) -> bool {
    dial.strip_suffix('p')
        .is_some_and(|count| count.parse::<u32>().is_ok())
}

fn cell_colour(cell: &Cell) -> Rgb {
    cell.winner
        .as_ref()
        .map_or(UNTIMED, |winner| family(winner.method, &winner.dial))
}

/// The colour of a method; lighter where a thread takes several pixels.
fn family(method: Method, dial: &str) -> Rgb {
    if several_pixels(dial) {
        lighter(colour(method))
    } else {
        colour(method)
    }
}

fn fill(page: &Page<'_>, [[left, top], [right, bottom]]: [Point; 2], cell: &Cell) -> Result<()> {
    let colour = cell_colour(cell);
    // A gap of one pixel between cells.
    page.rectangle(
        [[left + 0.5, top + 0.5], [right - 0.5, bottom - 0.5]],
        colour,
    )?;
    if cell.rivals.is_some_and(|ratio| ratio < 1.0) {
        let corner = [right - 10.0, bottom - 9.0];
        page.marker(corner, 5.0, on(colour), super::page::Marker::Up)?;
    }
    Ok(())
}

fn equal_time(page: &Page<'_>, map: &Map, grid: &Grid) -> Result<()> {
    let logarithm = |column, row| Some(map.cell(column, row)?.rivals?.ln());
    let segments = zero(&grid.x, &grid.y, logarithm);
    for (thickness, ink) in [(7.0, PAPER), (4.0, LINE)] {
        for segment in &segments {
            page.line(segment, thickness, ink)?;
        }
    }
    Ok(())
}

fn axes(page: &Page<'_>, map: &Map, grid: &Grid) -> Result<()> {
    for (y, layers) in grid.y.iter().zip(&map.layers) {
        page.text(
            [LEFT - 10.0, *y],
            LABEL,
            INK,
            Align::Right,
            &grouped((*layers).into()),
        );
    }
    page.text(
        [MARGIN, TOP - 14.0],
        LABEL,
        INK,
        Align::Left,
        "layers per pixel",
    );
    let label = |text: fn([u32; 2]) -> String| -> Vec<(f64, String)> {
        let labels = grid.x.iter().zip(&map.outputs);
        labels.map(|(x, &size)| (*x, text(size))).collect()
    };
    labels_below(
        page,
        FOOT + 18.0,
        LABEL,
        &label(|[w, h]| format!("{w}x{h}")),
    );
    labels_below(
        page,
        FOOT + 40.0,
        LABEL - 2.0,
        &label(|size| grouped(pixels(size))),
    );
    let middle = f64::midpoint(LEFT, LEGEND - 28.0);
    let text = "outputs: size in pixels, and their number (logarithmic)";
    page.text([middle, FOOT + 66.0], LABEL, INK, Align::Center, text);
    Ok(())
}

fn keys(page: &Page<'_>, map: &Map) -> Result<()> {
    let cells = (0..map.layers.len())
        .flat_map(|row| (0..map.outputs.len()).filter_map(move |column| map.cell(column, row)));
    let winners: Vec<&Winner> = cells.filter_map(|cell| cell.winner.as_ref()).collect();
    let mut keys = Vec::new();
    for method in map.winners() {
        for several in [false, true] {
            let wins = winners.iter().filter(|winner| {
                winner.method == method && several_pixels(&winner.dial) == several
            });
            let wins = wins.count();
            if wins == 0 {
                continue;
            }
            let (dial, note) = if several { ("2p", " Np") } else { ("", "") };
            keys.push(Key {
                colour: family(method, dial),
                marker: None,
                text: format!("{} {method}{note}: {wins}", number(method)),
            });
        }
    }
    page.text(
        [LEGEND, TOP + 10.0],
        LABEL,
        INK,
        Align::Left,
        "winner: number of cells",
    );
    let y = legend(page, [LEGEND, TOP + 26.0], &keys)?;
    let text = "In a cell: the winner, its dial, the best other method's time relative to it, its \
        median per dispatch. Lighter: N pixels per thread (Np).";
    let y = paragraph(page, [LEGEND, y + 14.0], RIGHT - LEGEND, text);
    let Some(rivals) = map.rivals else {
        return Ok(());
    };
    line_key(page, rivals, y, map.crosses())
}

/// Explains the line of equal time, or says that there is none.
fn line_key(page: &Page<'_>, rivals: Rivals, y: f64, crosses: bool) -> Result<()> {
    let Rivals { of, against } = rivals;
    let room = RIGHT - LEGEND;
    if !crosses {
        let text = format!(
            "{of} and {against} never take equal time on this map. A triangle marks the cells \
            where {of} takes less."
        );
        paragraph(page, [LEGEND, y + 14.0], room, &text);
        return Ok(());
    }
    page.line(&[[LEGEND, y + 26.0], [LEGEND + 40.0, y + 26.0]], 4.0, LINE)?;
    page.text(
        [LEGEND + 50.0, y + 26.0],
        LABEL,
        INK,
        Align::Left,
        "equal time",
    );
    let text = format!(
        "of {of} and {against}, each at its best dial. A triangle marks the cells where {of} takes less time."
    );
    paragraph(page, [LEGEND, y + 42.0], room, &text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::methods::{Cost, ListKind};
    use crate::report::bench::fixture;
    use crate::report::bench::fixture::lists_row;
    use crate::report::bench::map::map;

    fn record(few: f64) -> Record {
        let row = |outputs, layers, method, time| lists_row(outputs, layers, method, "", time);
        let mut rows = Vec::new();
        for outputs in [[64, 64], [256, 256], [1920, 1080]] {
            for layers in [16, 256, 2048] {
                rows.push(row(outputs, layers, "pixel-loop", 100.0));
                rows.push(row(outputs, layers, "wave-lerp-deferred", 200.0));
            }
        }
        rows.push(row([64, 64], 256, "wave-lerp-product", few));
        fixture::with_rows(rows)
    }

    fn picture_of(record: &Record) -> (Map, Canvas) {
        let map = map(
            record,
            Cost::Cheap,
            ListKind::Particles,
            Rivals::usual(record),
        );
        let canvas = draw(record, &map).expect("a picture").expect("cells");
        (map, canvas)
    }

    #[test]
    fn a_planted_winner_changes_its_cell_and_no_other() {
        let (map, without) = picture_of(&record(300.0));
        let (_, with) = picture_of(&record(50.0));
        let grid = Grid::of(&map).expect("cells");
        let product = Method::by_name("wave-lerp-product").expect("a method");
        let share = |canvas: &Canvas, column, row, ink: Rgb| {
            let [[left, top], [right, bottom]] = grid.corners(column, row);
            let (mut found, mut all) = (0.0, 0.0);
            for y in top as i32 + 2..bottom as i32 - 2 {
                for x in left as i32 + 2..right as i32 - 2 {
                    found += f64::from(u8::from(canvas.get([x, y]) == Some(ink)));
                    all += 1.0;
                }
            }
            found / all
        };
        for row in 0..3 {
            for column in 0..3 {
                let planted = (column, row) == (0, 1);
                let [before, after] =
                    [&without, &with].map(|c| share(c, column, row, colour(product)));
                assert_eq!(before, 0.0);
                assert_eq!(after > 0.5, planted, "cell {column}, {row}: {after}");
                let loop_ = colour(Method::by_name("pixel-loop").expect("a method"));
                assert_eq!(share(&with, column, row, loop_) > 0.5, !planted);
            }
        }
        assert!(without != with);
    }

    #[test]
    fn the_line_of_equal_time_is_drawn_only_where_rivals_cross() {
        let black = |canvas: &Canvas| canvas.pixels().iter().filter(|&&p| p == LINE).count();
        let mut crossing = record(300.0);
        for row in &mut crossing.rows {
            if row.runner == "wave-lerp-deferred" && row.work.to_string().starts_with("64x64,") {
                row.samples.iter_mut().for_each(|time| *time /= 5.0);
            }
        }
        let [with, without] = [crossing, record(300.0)].map(|r| black(&picture_of(&r).1));
        assert!(with > without + 500, "{with} and {without} black pixels");
    }

    #[test]
    fn a_single_cell_and_crowded_columns_have_room() {
        let one = fixture::with_rows(vec![lists_row([64, 64], 16, "pixel-loop", "", 9.0)]);
        assert!(picture_of(&one).1.size()[0] > 0);
        let edges = edges(vec![1024.0, 1024.0, 1025.0], [0.0, 900.0]).expect("cells");
        assert!(
            edges.windows(2).all(|pair| pair[1] - pair[0] > 200.0),
            "{edges:?}"
        );
        assert_eq!(middles(&edges).len(), 3);
    }
}
