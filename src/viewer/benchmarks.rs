//! A small benchmark, which has the GPU to itself while the window waits for it. It opens the adapter anew on a thread of its
//! own, as a comparison set does.

use crate::error::Result;
use crate::gpu::shader::ShaderSource;
use crate::gpu::{AdapterRequest, Gpu, Pipelines};
use crate::progress::{Listener, Progress};
use crate::report::folder::Output;
use crate::runs::bench::files::files;
use crate::runs::bench::run::{Bench, Wanted};

use super::background::Made;
use super::maps::Maps;

/// Runs a benchmark and writes its record, tables and charts into the folder of `output`.
pub fn small_benchmark(
    adapter: &AdapterRequest,
    shaders: ShaderSource,
    wanted: &Wanted,
    mut output: Output,
    progress: Listener,
) -> Result<Made> {
    let gpu = Gpu::open(adapter)?;
    let pipelines = Pipelines::new(shaders);
    let bench = Bench {
        gpu: &gpu,
        pipelines: &pipelines,
        wanted,
    };
    let mut record = bench.head()?;
    bench.run(&mut record, progress)?;
    progress(Progress::step("tables and charts", 1, 1))?;
    let written = output.write(&files(&record, None)?)?;
    // The record comes last.
    let path = written.last().cloned().unwrap_or_default();
    Ok(Made::Maps(Maps::of(&record, &path)?))
}
