//! The map: the winning method at each number of outputs and layers, and its lead. Tables, charts and the window show
//! the map.

use super::groups::{Group, ratio};
use super::record::{Record, Work};
use crate::model::methods::{Cost, ListKind, Method};
use crate::model::samples::distinct;

/// Two methods that the map compares. They cross over at a ratio of 1 between their times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rivals {
    pub of: Method,
    pub against: Method,
}

/// Winners for one evaluation cost and one kind of list.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    pub cost: Cost,
    pub kind: ListKind,
    /// The two methods with ratios in the cells. `None` unless both were timed.
    pub rivals: Option<Rivals>,
    /// Columns: pixels in x and y, smallest first.
    pub outputs: Vec<[u32; 2]>,
    /// Rows: number of layers, smallest first.
    pub layers: Vec<u32>,
    /// Cells, row by row. `None` if the record has no rows for the cell.
    cells: Vec<Option<Cell>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Fastest runner. `None` if nothing was timed.
    pub winner: Option<Winner>,
    /// Time of the first rival divided by the second's, each at its best dial. `None` unless both were timed.
    pub rivals: Option<f64>,
    pub skipped: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Winner {
    pub runner: String,
    /// Dial without the method's name. Often empty.
    pub dial: String,
    pub method: Method,
    /// Median in microseconds per dispatch.
    pub median: f64,
    /// The second best method, and its median divided by the winner's (1 or more).
    pub second: Option<(Method, f64)>,
}

impl Rivals {
    /// The wave lerp that usually wins, and the best method without wave operations. `None` unless both were timed.
    pub fn usual(record: &Record) -> Option<Self> {
        let timed = |method: &Method| {
            let mut rows = record.rows.iter();
            rows.any(|row| row.method == Some(*method) && !row.samples.is_empty())
        };
        let against = [Method::PixelLoopStaged, Method::PixelLoop];
        Some(Self {
            of: Some(Method::WaveLerpDeferred).filter(timed)?,
            against: against.into_iter().find(timed)?,
        })
    }

    pub fn name(self) -> String {
        format!("{} : {}", self.of, self.against)
    }
}

pub fn maps(record: &Record, groups: &[Group<'_>]) -> Vec<Map> {
    let rivals = Rivals::usual(record);
    let lists = groups.iter().filter_map(|group| group.work.lists());
    let of = |what| Map::of(groups, what, rivals);
    let all = distinct(lists.map(|of| (of.cost, of.kind)));
    all.into_iter().map(of).collect()
}

pub fn pixels([width, height]: [u32; 2]) -> u64 {
    u64::from(width) * u64::from(height)
}

impl Map {
    fn of(groups: &[Group<'_>], (cost, kind): (Cost, ListKind), rivals: Option<Rivals>) -> Self {
        let lists = groups.iter().filter_map(|group| group.work.lists());
        let found = lists.filter(|of| (of.cost, of.kind) == (cost, kind));
        let found = found.map(|of| (of.outputs, of.layers));
        let (mut outputs, layers): (Vec<[u32; 2]>, Vec<u32>) = found.unzip();
        outputs.sort_unstable_by_key(|&size| (pixels(size), size));
        outputs.dedup();
        let layers = distinct(layers);
        let mut map = Self {
            cost,
            kind,
            rivals,
            cells: vec![None; outputs.len() * layers.len()],
            outputs,
            layers,
        };
        for group in groups {
            if let Some([column, row]) = map.place(group.work) {
                map.cells[row * map.outputs.len() + column] = Some(Cell::of(group, rivals));
            }
        }
        map
    }

    pub(super) fn place(&self, work: &Work) -> Option<[usize; 2]> {
        let of = work.lists()?;
        let column = self.outputs.iter().position(|size| *size == of.outputs)?;
        let row = self.layers.iter().position(|count| *count == of.layers)?;
        ((of.cost, of.kind) == (self.cost, self.kind)).then_some([column, row])
    }

    /// Cell at a column and row. `None` outside the map, or if the record has no rows for the cell.
    pub fn cell(&self, column: usize, row: usize) -> Option<&Cell> {
        if column >= self.outputs.len() {
            return None;
        }
        self.cells.get(row * self.outputs.len() + column)?.as_ref()
    }

    /// True if each rival is faster in some cell.
    pub fn crosses(&self) -> bool {
        let ratios = || self.cells.iter().flatten().filter_map(|cell| cell.rivals);
        ratios().any(|ratio| ratio < 1.0) && ratios().any(|ratio| ratio > 1.0)
    }

    pub fn winners(&self) -> Vec<Method> {
        let winners = self.cells.iter().flatten();
        let winners = winners.filter_map(|cell| cell.winner.as_ref());
        distinct(winners.map(|winner| winner.method))
    }
}

impl Cell {
    fn of(group: &Group<'_>, rivals: Option<Rivals>) -> Self {
        let median = |method| group.best_of(method).map(|timed| timed.spread.median);
        let rivals = rivals.and_then(|rivals| ratio(median(rivals.of)?, median(rivals.against)?));
        Self {
            winner: Winner::of(group),
            rivals,
            skipped: group.skipped.len(),
        }
    }
}

impl Winner {
    fn of(group: &Group<'_>) -> Option<Self> {
        let best = group.best()?;
        let method = best.row.method?;
        let others = group.methods().into_iter();
        let others = others.filter(|(other, _)| *other != method && group.contends(*other));
        let second = others.min_by(|a, b| a.1.spread.median.total_cmp(&b.1.spread.median));
        let second = second.and_then(|(other, timed)| {
            Some((other, ratio(timed.spread.median, best.spread.median)?))
        });
        Some(Self {
            runner: best.row.runner.clone(),
            dial: super::format::dial(best.row).to_owned(),
            method,
            median: best.spread.median,
            second,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{self, lists_row};
    use super::super::groups::groups;
    use super::*;

    fn small() -> Record {
        fixture::with_rows(vec![
            lists_row([64, 64], 256, "pixel-loop", 80.0),
            lists_row([64, 64], 256, "wave-lerp-deferred P=1", 20.0),
            lists_row([64, 64], 256, "wave-lerp-deferred P=32", 90.0),
            lists_row([1920, 1080], 256, "pixel-loop", 400.0),
            lists_row([1920, 1080], 256, "wave-lerp-deferred P=32", 1200.0),
            lists_row([64, 64], 8, "pixel-loop", 5.0),
        ])
    }

    fn cheap(record: &Record) -> Map {
        maps(record, &groups(record)).swap_remove(0)
    }

    #[test]
    fn every_cell_knows_its_winner_and_the_ratios() {
        let map = cheap(&small());
        assert_eq!(map.outputs, [[64, 64], [1920, 1080]]);
        assert_eq!(map.layers, [8, 256]);
        let winner = |column, row| map.cell(column, row)?.winner.clone();
        let few = winner(0, 1).expect("timed");
        assert_eq!([&*few.runner, &few.dial], ["wave-lerp-deferred P=1", "P=1"]);
        let (second, behind) = few.second.expect("two methods");
        assert_eq!(second.name(), "pixel-loop");
        assert!((3.8..4.2).contains(&behind), "{behind}");
        assert_eq!(winner(1, 1).expect("timed").method.name(), "pixel-loop");
        assert_eq!(winner(0, 0).expect("timed").second, None);
        assert_eq!(map.cell(1, 0), None, "not in the record");
        assert_eq!(map.cell(2, 0), None, "outside");
        let names: Vec<&str> = map.winners().iter().map(|method| method.name()).collect();
        assert_eq!(names, ["pixel-loop", "wave-lerp-deferred"]);
    }

    #[test]
    fn rivals_cross_between_few_and_many_outputs() {
        let map = cheap(&small());
        let ratio = |column, row| map.cell(column, row).and_then(|cell| cell.rivals);
        assert!(ratio(0, 1).is_some_and(|ratio| ratio < 0.3));
        assert!(ratio(1, 1).is_some_and(|ratio| ratio > 2.5));
        assert_eq!(ratio(0, 0), None, "one of them was not timed");
        assert!(map.crosses());
        let mut many = small();
        many.rows.drain(..3);
        assert!(!cheap(&many).crosses());
    }
}
