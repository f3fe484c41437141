//! The wave library (`shaders/wave/`) on the GPU against the CPU model of a wave, for sets of active
//! lanes of every kind. Inactive lanes hold NaN, and what they would write must be left alone.

mod controls;
mod expected;

use wavelerp::gpu::shader::{Edit, Variant};
use wavelerp::gpu::{Binds, Gpu, Pipelines, filled_buffer, read_buffer};
use wavelerp::model::Feature;
use wavelerp::model::reference::composite::Layer;
use wavelerp::model::reference::stress::random_layers;
use wavelerp::model::reference::wave_model::{Wave, as_words};
use wavelerp::runs::verify::facts::facts;

use crate::harness::Harness;
use crate::shaders::test_source;
use expected::{Driver, FIELDS, expected};

/// Lanes of a workgroup: whole waves of any size.
const PLACES: usize = 128;
/// What the outputs hold before the kernel runs.
const SENTINEL: u32 = 0x5e57_1e55;

/// A set of active lanes, the same in every wave of a workgroup.
#[derive(Clone, Debug)]
struct Mask {
    name: String,
    bits: u128,
}

/// Sets of active lanes for waves of `width` lanes.
fn masks(width: u32) -> Vec<Mask> {
    let all = u128::MAX >> (128 - width);
    let mut masks = Vec::new();
    let mut add = |name: String, bits: u128| {
        let bits = bits & all;
        if bits != 0 {
            masks.push(Mask { name, bits });
        }
    };
    add("full".to_owned(), all);
    for count in [1, 2, 3, width / 2, width / 2 + 1, width - 1] {
        add(format!("ragged {count}"), all >> (width - count));
    }
    let even = u128::MAX / 3;
    add("even lanes".to_owned(), even);
    add("odd lanes".to_owned(), even << 1);
    add("upper half".to_owned(), all << (width / 2));
    for lane in [0, 1, 31, 32, 63, 64, 95, 96, width / 2, width - 1] {
        add(format!("lane {lane} alone"), 1 << lane);
    }
    for (index, row) in random_layers(12, width, 1.0).iter().enumerate() {
        let [a, b, c] = row.color;
        let words = [a, b, c, row.opacity].map(|of| of.to_bits().wrapping_mul(0x9e37_79b9));
        let bits = (words.into_iter()).fold(0u128, |bits, word| bits << 32 | u128::from(word));
        add(format!("random {index}"), bits ^ bits >> 13);
    }
    masks
}

/// Rows (r, g, b, t) of one case; inactive lanes hold NaN. With `opaque`, each wave's middle active
/// lane has t = 1. Opacities are such that no product of 128 factors is denormal.
fn rows(mask: &Mask, width: u32, seed: u32, opaque: bool) -> Vec<[f32; 4]> {
    let lanes: Vec<u32> = (0..width)
        .filter(|lane| mask.bits >> lane & 1 == 1)
        .collect();
    let middle = lanes[lanes.len() / 2];
    let layers = random_layers(PLACES, seed, 0.38);
    let row = |(place, layer): (usize, &Layer)| {
        let lane = place as u32 % width;
        let [r, g, b] = layer.color;
        match mask.bits >> lane & 1 == 1 {
            true if opaque && lane == middle => [r, g, b, 1.0],
            true => [r, g, b, 0.02 + layer.opacity],
            false => [f32::NAN; 4],
        }
    };
    layers.iter().enumerate().map(row).collect()
}

/// Runs the kernel: the wave size, and the words of every place.
fn dispatch(
    gpu: &Gpu,
    pipelines: &Pipelines,
    native: bool,
    masks: &[[u32; 4]],
    rows: &[[f32; 4]],
) -> (u32, Vec<u32>) {
    let variant = Variant::new("wave_library")
        .feature(Feature::Wave, true)
        .feature(Feature::Native, native)
        .feature(Feature::Broadcast, native);
    let pipeline = pipelines.compute(gpu, &variant, "wave_library");
    let pipeline = pipeline.expect("the kernel compiles");
    let count = rows.len() * FIELDS.len();
    let masks_buffer = filled_buffer(gpu, "masks", masks);
    let rows = filled_buffer(gpu, "rows", rows);
    let outputs = filled_buffer(gpu, "outputs", &vec![SENTINEL; count]);
    let sizes = filled_buffer(gpu, "sizes", &vec![0u32; masks.len()]);
    let binds = Binds::new([
        ("masks", masks_buffer.as_entire_binding()),
        ("rows", rows.as_entire_binding()),
        ("outputs", outputs.as_entire_binding()),
        ("sizes", sizes.as_entire_binding()),
    ]);
    let groups = masks.len() as u32;
    let done = gpu.compute_and_wait("wave library", |pass| {
        pipeline.dispatch(pass, &[&binds], groups)
    });
    done.expect("it runs");
    let sizes = read_buffer::<u32>(gpu, &sizes, masks.len()).expect("read-back");
    assert!(sizes.iter().all(|&size| size == sizes[0]), "{sizes:?}");
    let outputs = read_buffer(gpu, &outputs, count).expect("read-back");
    (sizes[0], outputs)
}

/// Everything that is not as the model says, with `edits` planted in the shaders.
fn failures(harness: &Harness, native: bool, edits: &[Edit]) -> Vec<String> {
    let gpu = &harness.gpu;
    let mut source = test_source();
    source.edits = edits.to_vec();
    let pipelines = Pipelines::new(source);
    let full = [as_words(u128::MAX)];
    let (width, _) = dispatch(gpu, &pipelines, native, &full, &[[0.5; 4]; PLACES]);
    let facts = facts(gpu, &harness.pipelines).expect("facts");
    let driver = Driver {
        survives_zero: facts.exclusive_product_survives_zero == Some(true),
        divides_to_nan: gpu.caps.is_cpu || gpu.caps.name.contains("NVIDIA"),
    };
    let cases = masks(width).into_iter();
    let cases = cases.flat_map(|mask| [(mask.clone(), false), (mask, true)]);
    let cases: Vec<(Mask, bool)> = cases.collect();
    let inputs = cases.iter().zip(1..);
    let inputs = inputs.map(|((mask, opaque), seed)| rows(mask, width, seed, *opaque));
    let inputs: Vec<Vec<[f32; 4]>> = inputs.collect();
    let bits: Vec<[u32; 4]> = cases.iter().map(|(mask, _)| as_words(mask.bits)).collect();
    let (again, outputs) = dispatch(gpu, &pipelines, native, &bits, &inputs.concat());
    assert_eq!(width, again, "one pipeline runs at one wave size");

    let mut failures = Vec::new();
    let per_case = PLACES * FIELDS.len();
    for ((case, input), output) in cases.iter().zip(&inputs).zip(outputs.chunks(per_case)) {
        let wave = Wave::new(width, case.0.bits).expect("masks fit the wave");
        let per_wave = width as usize * FIELDS.len();
        for (input, output) in input.chunks(width as usize).zip(output.chunks(per_wave)) {
            let what = format!("{} opaque {}", case.0.name, case.1);
            failures.extend(judge(&wave, input, output, driver).map(|f| format!("{what}: {f}")));
        }
    }
    failures
}

/// What is wrong with one wave's words.
fn judge(
    wave: &Wave,
    input: &[[f32; 4]],
    output: &[u32],
    driver: Driver,
) -> impl Iterator<Item = String> {
    let mut failures = Vec::new();
    for (lane, output) in (0..).zip(output.chunks(FIELDS.len())) {
        if !wave.is_active(lane) && output.iter().any(|&word| word != SENTINEL) {
            failures.push(format!("inactive lane {lane} wrote"));
        }
    }
    for (lane, words) in expected(wave, input, driver).expect("the model reads no poison") {
        assert_eq!(words.len(), FIELDS.len());
        let output = &output[lane as usize * FIELDS.len()..];
        for ((field, expected), &word) in FIELDS.iter().zip(words).zip(output) {
            if !expected.holds(word) {
                let got = f32::from_bits(word);
                failures.push(format!(
                    "{field} lane {lane}: {word} ({got}), not {expected:?}"
                ));
            }
        }
    }
    failures.into_iter()
}

/// Both forms of the kernel that this adapter can run.
fn forms(harness: &Harness) -> Vec<bool> {
    let native = harness.gpu.caps.native_spirv.then_some(true);
    std::iter::once(false).chain(native).collect()
}

#[test]
fn every_function_gives_what_the_model_gives_for_every_set_of_active_lanes() {
    let harness = Harness::new();
    assert!(harness.gpu.caps.waves, "tests need an adapter with waves");
    for native in forms(&harness) {
        let failures = failures(&harness, native, &[]);
        let first = &failures[..failures.len().min(20)];
        let what = format!("native {native}: {} failures", failures.len());
        assert!(failures.is_empty(), "{what}, first {first:#?}");
    }
}
