//! The table in docs/oit.md for random lists: errors of the f64 twins of approximate techniques, and changes where there
//! should be none. The document explains how the lists are made. This command updates the table:
//!
//!     UPDATE_TABLES=1 cargo test random_lists
//!
//! Without the variable, the test compares the table with the results of a few lists. No adapter is needed.

use std::thread::{available_parallelism, scope};

use wavelerp::model::techniques::Technique;
use wavelerp::model::techniques::baselines::Average;
use wavelerp::model::techniques::coarse::{Coarse, Order};
use wavelerp::model::techniques::histogram::Histogram;
use wavelerp::model::techniques::k_buffer::KBuffer;
use wavelerp::model::techniques::keeping::Rest;
use wavelerp::model::techniques::layers::{Layer, Range, exact};
use wavelerp::model::techniques::mlab::{Mlab, Storage};
use wavelerp::model::techniques::moment::{Moment, MomentKind};
use wavelerp::model::techniques::stochastic::{Mode, Stochastic};
use wavelerp::model::techniques::weighted::{Weight, Weighted};

/// Number of lists per column of errors; columns of changes have a quarter as many.
const LISTS: u32 = 6_000;
const FEW: u32 = 40;
const COLUMNS: usize = 7;
const ABOVE: &str = "| technique | 4 |";

/// A root mean square in thousandths, with its standard error.
#[derive(Clone, Copy, Debug)]
struct Estimate {
    value: f64,
    error: f64,
}

impl Estimate {
    /// Makes a root mean square from the number of squares, their sum, and the sum of their squares.
    fn of([count, sum, squares]: [f64; 3]) -> Self {
        let mean = sum / count;
        let value = mean.sqrt();
        let spread = (squares / count - mean * mean).max(0.0).sqrt();
        let error = match value > 0.0 {
            true => spread / count.sqrt() / (2.0 * value),
            false => 0.0,
        };
        Self {
            value: 1e3 * value,
            error: 1e3 * error,
        }
    }

    /// Text of the number, with only the digits above its standard error.
    fn text(self) -> String {
        match self.error {
            _ if self.value < 0.05 => "0".to_owned(),
            error if error < 0.1 => format!("{:.1}", self.value),
            _ => format!("{:.0}", self.value),
        }
    }
}

/// SplitMix64, a pseudo-random generator.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let bits = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 16_777_216.0
    }
}

fn planes() -> Range {
    Range::new(1.0, 100.0)
}

fn techniques(list: u32, planes: Range) -> Vec<(&'static str, Box<dyn Technique>)> {
    let weighted = |weight| Box::new(Weighted::new(weight, planes));
    let moment = |kind| Box::new(Moment::of(kind, planes));
    let bins = |count| Box::new(Histogram::new(count, planes));
    let hybrid = |core| Box::new(KBuffer::new(core, Rest::Average));
    let mlab = |nodes| Box::new(Mlab::new(nodes, Storage::F32));
    let keys = |bits| Box::new(Coarse::keys(bits, planes));
    let stochastic = |samples, mode| {
        let mut technique = Stochastic::new(samples, mode);
        technique.seed = list;
        Box::new(technique)
    };
    let mut early = Coarse::new(Order::Exact);
    early.own.stop_below = 0.01;
    vec![
        ("list order", Box::new(Coarse::new(Order::Listed))),
        ("average", Box::new(Average)),
        ("weighted blog", weighted(Weight::Blog)),
        ("weighted 7", weighted(Weight::Paper7)),
        ("weighted 8", weighted(Weight::Paper8)),
        ("weighted 9", weighted(Weight::Paper9)),
        ("moment 4", moment(MomentKind::Power4)),
        ("moment 6", moment(MomentKind::Power6)),
        ("moment 8", moment(MomentKind::Power8)),
        ("histogram 8", bins(8)),
        ("histogram 16", bins(16)),
        ("histogram 32", bins(32)),
        ("hybrid 4", hybrid(4)),
        ("hybrid 8", hybrid(8)),
        ("mlab 4", mlab(4)),
        ("mlab 8", mlab(8)),
        ("stochastic 8", stochastic(8, Mode::Mean)),
        ("stochastic depth 8", stochastic(8, Mode::Depth)),
        ("stochastic depth 64", stochastic(64, Mode::Depth)),
        ("keys of 6 bits", keys(6)),
        ("keys of 8 bits", keys(8)),
        ("early-out 0.01", Box::new(early)),
        ("exact", Box::new(Coarse::new(Order::Exact))),
    ]
}

fn layers(count: u32, random: &mut Random, opacity: [f32; 2]) -> Vec<Layer> {
    let layer = |item| Layer {
        depth: 100f32.powf(random.unit()),
        colour: [0; 3].map(|_| f64::from(random.unit())),
        opacity: opacity[0] + (opacity[1] - opacity[0]) * random.unit(),
        item,
    };
    (0..count).map(layer).collect()
}

/// A list for a column of errors; the fourth column's lists have `slices` fog slices.
fn list(column: usize, seed: u64, slices: u32) -> Vec<Layer> {
    let random = &mut Random(seed << 32 | column as u64);
    match column {
        0 => layers(4, random, [0.2, 0.8]),
        1 => layers(16, random, [0.05, 0.5]),
        2 => layers(8, random, [0.8, 0.99]),
        _ => {
            let mut list = layers(4, random, [0.2, 0.8]);
            let colour = [0; 3].map(|_| f64::from(random.unit()));
            list.extend((0..slices).map(|slice| Layer {
                depth: 100f32.powf((slice + 1) as f32 / slices as f32),
                colour,
                // The total fog is the same for any number of slices.
                opacity: 1.0 - 0.97f32.powf(48.0 / slices as f32),
                item: 100 + slice,
            }));
            for end in (1..list.len()).rev() {
                list.swap(end, (random.bits() % (end as u64 + 1)) as usize);
            }
            list
        }
    }
}

/// A list for a column. The reference is the exact result or, if a second list and range are given, the technique's
/// own result on these.
fn pair(column: usize, seed: u64) -> (Vec<Layer>, Option<(Vec<Layer>, Range)>) {
    let of = || list(1, seed, 0).into_iter();
    match column {
        0..4 => (list(column, seed, 48), None),
        4 => (list(3, seed, 16), Some((list(3, seed, 256), planes()))),
        5 => {
            let far = |layer: Layer| Layer {
                depth: 10.0 * layer.depth,
                ..layer
            };
            let range = Range::new(10.0, 1000.0);
            (of().collect(), Some((of().map(far).collect(), range)))
        }
        _ => {
            let halves = |layer: Layer| {
                [0, 1].map(|half| Layer {
                    opacity: 1.0 - (1.0 - layer.opacity).sqrt(),
                    item: 2 * layer.item + half,
                    ..layer
                })
            };
            (
                of().collect(),
                Some((of().flat_map(halves).collect(), planes())),
            )
        }
    }
}

/// Numbers of a column, technique by technique, over the given number of lists.
fn column(column: usize, lists: u32) -> Vec<Estimate> {
    let lists = if column < 4 { lists } else { lists / 4 };
    let threads = available_parallelism().map_or(1, |count| count.get() as u32);
    let part = |first: u32| {
        let mut sums = vec![[0.0; 3]; techniques(0, planes()).len()];
        for number in (first..lists).step_by(threads as usize) {
            let (list, other) = pair(column, number.into());
            let random = &mut Random(u64::from(number) << 8);
            let background = [0; 3].map(|_| f64::from(random.unit()));
            let other = other.map(|(list, range)| (list, techniques(number, range)));
            let of_list = techniques(number, planes()).into_iter();
            for (row, (_, technique)) in of_list.enumerate() {
                let found = technique.composite(&list).result;
                let expected = match &other {
                    None => exact(&list).result,
                    Some((other, techniques)) => techniques[row].1.composite(other).result,
                };
                let off = |channel: usize| found[channel] - expected[channel];
                let shown = [0, 1, 2].map(|at| off(at) + off(3) * background[at]);
                let square = shown.iter().map(|off| off * off).sum::<f64>() / 3.0;
                let new = [1.0, square, square * square];
                (sums[row].iter_mut().zip(new)).for_each(|(sum, new)| *sum += new);
            }
        }
        sums
    };
    let sums = scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|at| scope.spawn(move || part(at)))
            .collect();
        let parts = parts.into_iter().map(|part| part.join().expect("a part"));
        parts.reduce(|a, b| {
            let add = |(a, b): ([f64; 3], [f64; 3])| [0, 1, 2].map(|at| a[at] + b[at]);
            a.into_iter().zip(b).map(add).collect()
        })
    });
    sums.unwrap_or_default()
        .into_iter()
        .map(Estimate::of)
        .collect()
}

/// Rows of a table as the document shows them, from the given columns.
fn table(columns: &[Vec<Estimate>]) -> String {
    let row = |(row, (name, _)): (usize, (&str, _))| {
        let cells = columns.iter().map(|column| column[row].text());
        format!("| {name} | {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let names = techniques(0, planes()).into_iter();
    names.enumerate().map(row).collect()
}

/// Faults in a table's rows, judged from a few lists. The standard errors also come from these few lists, which may
/// lack rare events.
fn faults(rows: &str, few: &[Vec<Estimate>]) -> Vec<String> {
    let mut faults = Vec::new();
    let names: Vec<_> = techniques(0, planes()).iter().map(|of| of.0).collect();
    let known: Vec<&str> = rows
        .lines()
        .map(|row| row.split('|').nth(1).map_or("", str::trim))
        .collect();
    if names != known {
        faults.push(format!("the rows are {known:?}"));
    }
    for (row, line) in rows.lines().enumerate() {
        let cells = line.trim_matches('|').split('|').skip(1);
        for (column, cell) in cells.enumerate() {
            let Estimate { value, error } = few[column][row];
            let told: f64 = cell.trim().parse().unwrap_or(f64::NAN);
            let is_rare = line.starts_with("| keys");
            let room = 4.0 * error + 0.1 * told + 0.6;
            let below = if is_rare { f64::INFINITY } else { room };
            if !(value <= told + room && value >= told - below) {
                faults.push(format!("{line}, column {column}: {value:.1} ± {error:.1}"));
            }
        }
    }
    faults
}

#[test]
fn random_lists_say_what_the_table_of_the_document_does() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/oit.md");
    let text = std::fs::read_to_string(path).expect("docs/oit.md");
    let start = text.find(ABOVE).expect("the table");
    // The rows begin below the heading and its rule.
    let start = start
        + text[start..]
            .match_indices('\n')
            .nth(1)
            .expect("two lines")
            .0
        + 1;
    let end = start + text[start..].find("\n\n").expect("its end") + 1;
    let columns = |lists| (0..COLUMNS).map(|at| column(at, lists)).collect::<Vec<_>>();
    if std::env::var_os("UPDATE_TABLES").is_some() {
        let text = format!(
            "{}{}{}",
            &text[..start],
            table(&columns(LISTS)),
            &text[end..]
        );
        std::fs::write(path, text).expect("the document is written");
        return;
    }
    let (rows, few) = (&text[start..end], columns(FEW));
    let found = faults(rows, &few);
    assert!(found.is_empty(), "{}", found.join("\n"));
    // Swapped rows are detected.
    let rows: Vec<&str> = rows.lines().collect();
    let moved = [&rows[1..], &rows[..1]].concat().join("\n");
    assert!(faults(&moved, &few).len() > 20);
}
