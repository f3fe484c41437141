//! `wavelerp compare`: two earlier runs side by side.

use std::path::PathBuf;

use super::capture::about_page;
use super::common::Common;
use super::output::check_file;
use crate::console::print;
use crate::error::{Error, Result};
use crate::report::bench::regression;
use crate::report::page::bench::BenchPage;
use crate::report::page::capture::PagePictures;
use crate::runs::compare::{compare, names_of};
use crate::runs::written::{Written, write_bench_page, write_page};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp compare before after
  wavelerp compare bench/0001-run bench/0002-run --out bench.html
  wavelerp compare llvmpipe/temple gpu/temple --out temple.html")]
pub struct CompareArgs {
    /// Folder made by `capture` or `bench`, or the report.json or bench.json in it
    first: PathBuf,
    /// Another folder or file of the same kind
    second: PathBuf,
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
    let read = [&args.first, &args.second].map(|path| {
        common.progress(format_args!("reading {}", path.display()));
        Written::read(path)
    });
    let [first, second] = read;
    match (first?, second?) {
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
            let comparison = regression::side_by_side(&first, &second);
            let mut notes = regression::different_conditions(&first, &second);
            notes.extend(regression::about_shaders(&first, &second));
            let mut text: String = notes.iter().map(|note| format!("{note}\n")).collect();
            text += &comparison.text();
            if let Some(out) = &args.out {
                let names = ["first", "second"].map(str::to_owned);
                let page = BenchPage {
                    runs: names.into_iter().zip([&first, &second]).collect(),
                    notes,
                    comparison: Some(&comparison),
                };
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
