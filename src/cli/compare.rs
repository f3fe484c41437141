//! `wavelerp compare`: earlier runs side by side.

use std::path::PathBuf;

use super::capture::about_page;
use super::common::Common;
use super::output::check_file;
use crate::console::print;
use crate::error::{Error, Result};
use crate::report::page::bench::BenchPage;
use crate::report::page::capture::PagePictures;
use crate::runs::compare::{compare, names_of};
use crate::runs::written::{Written, write_bench_page, write_page};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp compare before after
  wavelerp compare bench/0001-run bench/0002-run --out bench.html
  wavelerp compare llvmpipe/temple gpu/temple --out temple.html
  wavelerp compare results/*.json --out results.html")]
pub struct CompareArgs {
    /// Folder made by `capture` or `bench`, or the report.json or bench.json in it
    first: PathBuf,
    /// Another folder or file of the same kind; of benchmarks several, for a page on which any two are compared
    #[arg(required = true)]
    second: Vec<PathBuf>,
    /// Also write a page that shows both runs; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Pictures in the page, as for `capture`
    #[arg(long, default_value_t, requires = "out", value_name = "none|all|NAMES")]
    page: PagePictures,
}

pub(super) fn run(args: &CompareArgs, common: &Common) -> Result<()> {
    if let Some(out) = &args.out {
        check_file("--out", out)?;
    }
    let read = |path: &PathBuf| {
        common.progress(format_args!("reading {}", path.display()));
        Written::read(path)
    };
    let first = read(&args.first)?;
    let [second] = args.second.as_slice() else {
        let others = args.second.iter().map(read).collect::<Result<Vec<_>>>()?;
        return compare_all(args, [first].into_iter().chain(others));
    };
    match (first, read(second)?) {
        (Written::Set(first), Written::Set(second)) => {
            let sets = [&first, &second];
            let comparison = compare(sets)?;
            let mut text = comparison.text();
            if let Some(out) = &args.out {
                let [one, other] = names_of(sets);
                let named = [(one, &first), (other, &second)];
                let contents = write_page(&named, comparison.notes, &args.page, out)?;
                text += &format!("\n{}\n{}\n", about_page(&contents), out.display());
            }
            print(&text)
        }
        (Written::Bench(first), Written::Bench(second)) => {
            let names = ["first", "second"].map(str::to_owned);
            let page = BenchPage::comparing(names.into_iter().zip([&first, &second]).collect());
            let mut text = String::new();
            for compared in &page.comparisons {
                text.extend(compared.notes.iter().map(|note| format!("{note}\n")));
                text += &compared.comparison.text();
            }
            if let Some(out) = &args.out {
                write_bench_page(&page, out)?;
                text += &format!("\n{}\n", out.display());
            }
            print(&text)
        }
        _ => Err(Error::usage(
            "one is a capture and the other a benchmark run; name two captures or two benchmarks",
        )),
    }
}

/// Writes the page of more than two benchmarks, which are named after their files.
fn compare_all(args: &CompareArgs, all: impl Iterator<Item = Written>) -> Result<()> {
    let out = args.out.as_ref().ok_or_else(|| {
        Error::usage("more than two runs are compared on a page: name its file with --out")
    })?;
    let record = |of: Written| match of {
        Written::Bench(record) => Ok(record),
        Written::Set(_) => Err(Error::usage(
            "only benchmarks are compared by more than two",
        )),
    };
    let records = all.map(record).collect::<Result<Vec<_>>>()?;
    let name = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        stem.to_string_lossy().into_owned()
    };
    let names = [&args.first].into_iter().chain(&args.second).map(name);
    write_bench_page(&BenchPage::comparing(names.zip(&records).collect()), out)?;
    print(format!("{}\n", out.display()))
}
