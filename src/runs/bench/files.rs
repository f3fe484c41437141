//! The files of a run: the record, and what is made of it.

use crate::error::{Error, Result};
use crate::report::bench::file::{RECORD, json};
use crate::report::bench::record::Record;
use crate::report::bench::regression::Comparison;
use crate::report::bench::{charts, markdown, spreadsheet};
use crate::report::folder::Kind;
use crate::report::page;
use crate::report::page::bench::BenchPage;

/// The files of a run.
pub const RUN: Kind = Kind {
    parent: "bench",
    record: RECORD,
    belongs: |name| {
        let texts = [RECORD, "bench.csv", "bench.md", "compare.csv", page::FILE];
        texts.contains(&name) || charts::is_chart(name)
    },
};

/// The names and bytes of all files of a run, with what its comparison with an older one says.
pub fn files(
    record: &Record,
    compared: Option<(&Record, &Comparison)>,
) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files = vec![
        (RECORD.to_owned(), json(record)?.into_bytes()),
        (
            "bench.csv".to_owned(),
            spreadsheet::csv(record)?.into_bytes(),
        ),
        ("bench.md".to_owned(), markdown::report(record).into_bytes()),
    ];
    for chart in charts::charts(record) {
        let (name, text) = chart.file(record);
        files.push((name, text.into_bytes()));
    }
    let mut page = BenchPage::of(record);
    if let Some((old, comparison)) = compared {
        files.push(("compare.csv".to_owned(), comparison.csv()?.into_bytes()));
        page.runs = vec![("old".to_owned(), old), ("new".to_owned(), record)];
        page.comparison = Some(comparison);
    }
    let mut bytes = Vec::new();
    page.write(&mut bytes)
        .map_err(|error| Error::failed(format!("{}: {error}", page::FILE)))?;
    files.push((page::FILE.to_owned(), bytes));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::report::bench::file::read;
    use crate::report::bench::fixture;
    use crate::report::folder::Output;

    type Outcome = std::result::Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn a_run_leaves_all_its_files_and_a_chart_of_each_kind() -> Outcome {
        let folder = tempfile::tempdir()?;
        let mut record = fixture::small();
        record
            .rows
            .retain(|row| row.work.to_string().contains("cheap"));
        let out = folder.path().join("run");
        let mut output = Output::choose(RUN, Some(&out), "", false)?;
        let paths = output.write(&files(&record, None)?)?;
        let names: Vec<_> = paths.iter().filter_map(|path| path.file_name()).collect();
        let expected = [
            "bench.csv",
            "bench.md",
            "map-cheap-particles.svg",
            "layers-cheap-particles.svg",
            "outputs-cheap-particles.svg",
            "ratios.svg",
            "index.html",
            "bench.json",
        ];
        assert_eq!(names, expected);
        assert_eq!(read(&paths[7])?, record);
        // A run without lists has fewer charts, and none of the older run stays beside it.
        std::fs::write(out.join("notes.md"), "mine")?;
        record.rows.clear();
        Output::choose(RUN, Some(&out), "", true)?.write(&files(&record, None)?)?;
        let left: BTreeSet<_> = std::fs::read_dir(&out)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<std::io::Result<_>>()?;
        let expected = [
            "bench.json",
            "bench.csv",
            "bench.md",
            "index.html",
            "notes.md",
        ];
        assert_eq!(left, expected.map(str::to_owned).into());
        Ok(())
    }
}
