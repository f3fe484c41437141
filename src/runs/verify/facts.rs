//! Table 2 of `verify`: the driver's behaviour where specifications leave it open. A missing result is a fault.

use serde::Serialize;

use crate::error::Result;
use crate::gpu::shader::Variant;
use crate::gpu::{Binds, Gpu, Pipelines, filled_buffer, read_buffer, storage_buffer};
use crate::model::Feature;

/// Number of lanes in the kernel's only workgroup, enough for one wave of any size.
const LANES: usize = 128;

#[derive(Clone, Debug, Serialize)]
pub struct DriverFacts {
    pub wave_min: u32,
    pub wave_max: u32,
    /// Wave size that a kernel has read. Absent without wave operations.
    pub wave_size: Option<u32>,
    /// True if the exclusive product after a zero is zero (not NaN). Absent without wave operations.
    pub exclusive_product_survives_zero: Option<bool>,
    /// True if a product that is denormal in f32 becomes zero.
    pub flushes_denormals: bool,
}

pub fn facts(gpu: &Gpu, pipelines: &Pipelines) -> Result<DriverFacts> {
    let variant = Variant::new("inspect/facts").feature(Feature::Wave, gpu.caps.waves);
    let pipeline = pipelines.compute(gpu, &variant, "facts")?;
    // Factors of one half with a zero in the second lane, followed by two numbers with a denormal product.
    let mut inputs = vec![0.5f32; LANES];
    inputs[1] = 0.0;
    inputs.extend([(-100f32).exp2(), (-30f32).exp2()]);
    let input = filled_buffer(gpu, "facts in", &inputs);
    let output = storage_buffer(gpu, "facts out", (LANES as u64 + 2) * 4);
    let binds = Binds::new([
        ("inputs", input.as_entire_binding()),
        ("outputs", output.as_entire_binding()),
    ]);
    gpu.compute_and_wait("facts", |pass| pipeline.dispatch(pass, &[&binds], 1))?;
    let words = read_buffer::<u32>(gpu, &output, LANES + 2)?;
    let wave_size = gpu.caps.waves.then_some(words[LANES]);
    let survives = wave_size.map(|size| {
        let lanes = words.iter().take(size as usize);
        let expected = [1.0, 0.5].into_iter().chain(std::iter::repeat(0.0));
        let mut pairs = lanes.zip(expected);
        pairs.all(|(&product, expected)| f32::from_bits(product) == expected)
    });
    Ok(DriverFacts {
        wave_min: gpu.caps.wave_min,
        wave_max: gpu.caps.wave_max,
        wave_size,
        exclusive_product_survives_zero: survives,
        flushes_denormals: words[LANES + 1] == 0,
    })
}
