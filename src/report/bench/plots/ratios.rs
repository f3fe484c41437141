//! How far each method lies from the best: one dot for each cell of synthetic lists, with quartiles
//! and range.

use super::axis::{BOTTOM, LABEL, Log, MARGIN, RIGHT, TOP, heading, labels_below};
use super::page::{DIM, GRID, INK, Page, picture};
use super::palette::colour;
use crate::error::Result;
use crate::model::format::times;
use crate::model::methods::Method;
use crate::model::samples::Sorted;
use crate::report::bench::groups::Group;
use crate::report::bench::record::{Record, Work};
use crate::report::canvas::Canvas;
use crate::report::text::Align;

const LEFT: f64 = MARGIN + 230.0;
const TEXT: f64 = RIGHT - 330.0;
const FOOT: f64 = BOTTOM - 50.0;
/// Greatest height of the row of a method, pixels.
const TALLEST: f64 = 90.0;

/// A method's ratios to the best of each cell in which it was timed.
struct Ratios {
    method: Method,
    ratios: Sorted,
    /// Number of cells in which it is the best.
    wins: usize,
}

/// Draws the distribution of every method.
pub(super) fn draw(record: &Record, groups: &[Group<'_>]) -> Result<Option<Canvas>> {
    let all = ratios(groups);
    let least = all
        .iter()
        .map(|r| r.ratios.percentile(0))
        .fold(1.0, f64::min);
    let most = all
        .iter()
        .map(|r| r.ratios.percentile(100))
        .fold(1.0, f64::max);
    if all.is_empty() {
        return Ok(None);
    }
    let x = Log::new([least, most.max(1.1)], [LEFT + 12.0, TEXT - 24.0]);
    let height = ((FOOT - TOP - 10.0) / all.len() as f64).min(TALLEST);
    let foot = TOP + 10.0 + height * all.len() as f64;
    let canvas = picture(|page| {
        let title = "Time relative to the fastest method · all cells of synthetic lists";
        heading(page, record, title);
        axis(page, &x, foot)?;
        for (index, ratios) in all.iter().enumerate() {
            let middle = TOP + 10.0 + (index as f64 + 0.5) * height;
            row(page, ratios, &x, [middle, height])?;
        }
        Ok(())
    })?;
    Ok(Some(canvas))
}

/// The ratios of every method at its best dial in each cell.
fn ratios(groups: &[Group<'_>]) -> Vec<Ratios> {
    let mut all: Vec<(Method, Vec<f64>, usize)> = Vec::new();
    let lists = groups
        .iter()
        .filter(|group| matches!(group.work, Work::Lists { .. }));
    for group in lists {
        let best = group.best().and_then(|best| best.row.method);
        for (method, timed) in group.methods() {
            let Some(ratio) = group.ratio_to_best(&timed) else {
                continue;
            };
            let win = usize::from(best == Some(method));
            match all.iter_mut().find(|entry| entry.0 == method) {
                Some(entry) => {
                    entry.1.push(ratio);
                    entry.2 += win;
                }
                None => all.push((method, vec![ratio], win)),
            }
        }
    }
    all.sort_by_key(|entry| entry.0);
    let all = all.into_iter().filter_map(|(method, ratios, wins)| {
        let ratios = Sorted::new(&ratios)?;
        Some(Ratios {
            method,
            ratios,
            wins,
        })
    });
    all.collect()
}

fn axis(page: &Page<'_>, x: &Log, foot: f64) -> Result<()> {
    let ticks = x.ticks();
    for &tick in &ticks {
        page.line(&[[x.at(tick), TOP], [x.at(tick), foot]], 1.0, GRID)?;
    }
    page.line(&[[x.at(1.0), TOP], [x.at(1.0), foot]], 2.0, INK)?;
    let label = |&tick: &f64| (x.at(tick), format!("{tick}x"));
    let labels: Vec<(f64, String)> = ticks.iter().map(label).collect();
    labels_below(page, foot + 16.0, LABEL, &labels);
    let middle = f64::midpoint(LEFT, TEXT);
    let text = "median time relative to the fastest method in the same cell, each at its best \
        dial (logarithmic)";
    page.text([middle, foot + 44.0], LABEL, DIM, Align::Center, text);
    let text = "dot: a cell · bar: the middle half · tick: median";
    page.text([RIGHT, foot + 44.0], LABEL - 2.0, DIM, Align::Right, text);
    Ok(())
}

fn row(page: &Page<'_>, ratios: &Ratios, x: &Log, [middle, height]: [f64; 2]) -> Result<()> {
    let ink = colour(ratios.method);
    let sorted = &ratios.ratios;
    let name = ratios.method.name();
    page.text([LEFT - 14.0, middle], LABEL, INK, Align::Right, name);
    let [p0, p25, p75, p100] = [0, 25, 75, 100].map(|p| x.at(sorted.percentile(p)));
    page.line(&[[p0, middle], [p100, middle]], 1.5, ink)?;
    for (index, &ratio) in sorted.values().iter().enumerate() {
        // Seven lanes, so that equal ratios stand one above the other.
        let lane = ((index * 3) % 7) as f64 / 6.0 - 0.5;
        page.dot([x.at(ratio), middle + lane * height * 0.62], 4.0, ink)?;
    }
    let half = height * 0.16;
    page.rectangle(
        [[p25, middle - half], [p75.max(p25 + 1.0), middle + half]],
        ink,
    )?;
    let median = x.at(sorted.median());
    page.line(
        &[[median, middle - half * 1.9], [median, middle + half * 1.9]],
        4.0,
        INK,
    )?;
    let cells = sorted.values().len();
    let [median, worst] = [sorted.median(), sorted.percentile(100)].map(times);
    let text = format!("median {median}, worst {worst}");
    page.text([TEXT, middle], LABEL, INK, Align::Left, &text);
    let text = format!("best in {} of {cells}", ratios.wins);
    page.text([RIGHT, middle], LABEL, INK, Align::Right, &text);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::bench::fixture;
    use crate::report::bench::fixture::lists_row;
    use crate::report::bench::groups::groups;

    #[test]
    fn each_cell_counts_once_per_method_at_its_best_dial() {
        let mut record = fixture::with_rows(vec![
            lists_row([64, 64], 16, "pixel-loop", "", 1.0),
            lists_row([64, 64], 16, "wave-lerp-deferred", "P=1", 1.0),
            lists_row([64, 64], 16, "wave-lerp-deferred", "P=8", 1.0),
            lists_row([64, 64], 32, "pixel-loop", "", 1.0),
        ]);
        for (row, time) in record.rows.iter_mut().zip([10.0, 30.0, 20.0, 5.0]) {
            row.samples = vec![time];
        }
        let all = ratios(&groups(&record));
        let found: Vec<(&str, &[f64], usize)> = all
            .iter()
            .map(|ratios| (ratios.method.name(), ratios.ratios.values(), ratios.wins))
            .collect();
        let expected: [(&str, &[f64], usize); 2] = [
            ("pixel-loop", &[1.0, 1.0], 2),
            ("wave-lerp-deferred", &[2.0], 0),
        ];
        assert_eq!(found, expected);
    }
}
