//! Runs the kernel of a check on the GPU: uploads the cases, and reads back the kernel's output words.

use super::cases::Case;
use crate::error::{Error, Result};
use crate::gpu::{Binds, ComputePipeline, Gpu, filled_buffer, read_buffer};

/// Value of all outputs before the kernel runs.
pub const SENTINEL: u32 = 0x5e57_1e55;

pub struct Outcome {
    pub wave_size: u32,
    pub outputs: Vec<u32>,
    /// Two counters per case. Zero if the kernel has none.
    pub lengths: Vec<u32>,
}

/// Runs a kernel of `shaders/check/` with `groups` workgroups and `words` words of output per case.
pub fn dispatch(
    gpu: &Gpu,
    pipeline: &ComputePipeline,
    cases: &[Case],
    groups: usize,
    words: usize,
) -> Result<Outcome> {
    // Lane i corresponds to bit i % 32 of word i / 32.
    let mask = |case: &Case| [0, 32, 64, 96].map(|from| (case.bits >> from) as u32);
    let masks: Vec<[u32; 4]> = cases.iter().map(mask).collect();
    let rows: Vec<_> = cases.iter().flat_map(|case| case.rows.clone()).collect();
    let masks = filled_buffer(gpu, "masks", &masks);
    let rows = filled_buffer(gpu, "rows", &rows);
    let count = cases.len() * words;
    let outputs = filled_buffer(gpu, "outputs", &vec![SENTINEL; count]);
    let sizes = filled_buffer(gpu, "sizes", &vec![0u32; cases.len()]);
    let lengths = filled_buffer(gpu, "lengths", &vec![0u32; 2 * cases.len()]);
    let binds = Binds::new([
        ("masks", masks.as_entire_binding()),
        ("rows", rows.as_entire_binding()),
        ("outputs", outputs.as_entire_binding()),
        ("sizes", sizes.as_entire_binding()),
        ("lengths", lengths.as_entire_binding()),
    ]);
    gpu.compute_and_wait(&pipeline.label, |pass| {
        pipeline.dispatch(pass, &[&binds], (groups * cases.len()) as u32)
    })?;
    let sizes = read_buffer::<u32>(gpu, &sizes, cases.len())?;
    let wave_size = sizes.first().copied().unwrap_or(0);
    if wave_size < 4 || 128 % wave_size != 0 || sizes.iter().any(|&size| size != wave_size) {
        return Err(Error::failed(format!(
            "{} reads wave sizes {sizes:?} on {}; it needs one size, a divisor of 128",
            pipeline.label, gpu.caps.name
        )));
    }
    Ok(Outcome {
        wave_size,
        outputs: read_buffer(gpu, &outputs, count)?,
        lengths: read_buffer(gpu, &lengths, 2 * cases.len())?,
    })
}
