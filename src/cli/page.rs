//! `wavelerp page`: creates the page of an earlier run again.

use std::path::PathBuf;

use super::capture::about_page;
use super::common::Common;
use crate::console::print;
use crate::error::Result;
use crate::report::page::FILE;
use crate::report::page::bench::BenchPage;
use crate::report::page::capture::PagePictures;
use crate::runs::written::{Written, write_bench_page, write_page};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp page screenshots/local/0001-temple
  wavelerp page bench/0001-run --out benchmark.html
  wavelerp page my-set --page pixel-loop,wave-tree")]
pub struct PageArgs {
    /// Folder made by `capture --format exr` or by `bench`, or the report.json or bench.json in it
    run: PathBuf,
    /// Pictures in the page, as for `capture`
    #[arg(long, default_value_t, value_name = "none|all|NAMES")]
    page: PagePictures,
    /// File to write; an existing file is replaced [default: index.html in the folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &PageArgs, common: &Common) -> Result<()> {
    let written = Written::read(&args.run)?;
    let folder = match args.run.is_dir() {
        true => args.run.as_path(),
        false => crate::output::folder_of(&args.run),
    };
    let out = args.out.clone().unwrap_or_else(|| folder.join(FILE));
    match written {
        Written::Set(set) => {
            common.progress(format_args!("reading {}", set.name()));
            let contents = write_page(&[(String::new(), &set)], Vec::new(), &args.page, &out)?;
            print(format!("{}\n{}\n", about_page(&contents), out.display()))
        }
        Written::Bench(record) => {
            write_bench_page(&BenchPage::of(&record), &out)?;
            print(format!("{}\n", out.display()))
        }
    }
}
