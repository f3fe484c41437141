//! The files of a run: the record, and the files made from it.

use crate::error::{Error, Result};
use crate::report::bench::file::{RECORD, json};
use crate::report::bench::record::Record;
use crate::report::bench::regression::Comparison;
use crate::report::bench::{charts, markdown, spreadsheet};
use crate::report::folder::OutputKind;
use crate::report::page;
use crate::report::page::bench::BenchPage;

pub const RUN: OutputKind = OutputKind {
    parent: "bench",
    record: RECORD,
    belongs: |name| {
        let texts = [RECORD, "bench.csv", "bench.md", "compare.csv", page::FILE];
        texts.contains(&name) || charts::is_chart(name)
    },
};

/// Names and bytes of all files of a run, including the comparison with an older run.
pub fn files(
    record: &Record,
    compared: Option<(&Record, &Comparison)>,
) -> Result<Vec<(String, Vec<u8>)>> {
    let mut texts = vec![
        (RECORD.to_owned(), json(record)?),
        ("bench.csv".to_owned(), spreadsheet::csv(record)?),
        ("bench.md".to_owned(), markdown::report(record)),
    ];
    let charts = charts::charts(record).into_iter();
    texts.extend(charts.map(|chart| chart.file(record)));
    let page = match compared {
        None => BenchPage::of(record),
        Some((old, comparison)) => {
            texts.push(("compare.csv".to_owned(), comparison.csv()?));
            BenchPage::comparing(vec![("old".to_owned(), old), ("new".to_owned(), record)])
        }
    };
    let mut bytes = Vec::new();
    page.write(&mut bytes)
        .map_err(|error| Error::failed(format!("{}: {error}", page::FILE)))?;
    let texts = texts.into_iter();
    let files = texts.map(|(name, text)| (name, text.into_bytes()));
    Ok(files.chain([(page::FILE.to_owned(), bytes)]).collect())
}
