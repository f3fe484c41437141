//! The lerps of the wave library against the f64 composite of the layers in a wave's active lanes.

use wavelerp::gpu::shader::{Edit, Variant};
use wavelerp::gpu::{Binds, Pipelines, filled_buffer, read_buffer};
use wavelerp::model::Feature;
use wavelerp::model::reference::composite::{Layer, composite, error_bound};
use wavelerp::model::reference::stress::random_layers;

use crate::harness::{Harness, error_over_bound, rows};
use crate::shaders::test_source;

/// Lanes of a workgroup, which are whole waves at any wave size.
const LANES: usize = 128;
/// Functions that the kernel calls, in order. The first of each pair is for a single channel.
const FORMS: [&str; 8] = [
    "f32",
    "rgb",
    "carry f32",
    "carry rgb",
    "last f32",
    "last rgb",
    "prefix f32",
    "prefix rgb",
];
/// Active lanes: all, every other, the upper half of each group of four, one, and a few uneven ones.
const MASKS: [u32; 5] = [u32::MAX, 0x5555_5555, 0xcccc_cccc, 0x2222_2222, 0x9a6b_c5e3];

fn is_active(mask: u32, lane: usize) -> bool {
    mask >> (lane % 32) & 1 == 1
}

/// Forms with a result other than the composite, with `edits` planted in the shaders.
fn wrong(harness: &Harness, edits: Vec<Edit>) -> Vec<&'static str> {
    let gpu = &harness.gpu;
    let mut source = test_source();
    source.edits = edits;
    let variant = Variant::new("lerps").feature(Feature::Wave, true);
    let pipelines = Pipelines::new(source);
    let pipeline = pipelines
        .compute(gpu, &variant, "lerps")
        .expect("the shader compiles");
    let layers = random_layers(LANES, 5, 0.4);
    let row = |(lane, layer): (usize, &Layer), mask| match is_active(mask, lane) {
        true => [
            layer.color[0],
            layer.color[1],
            layer.color[2],
            layer.opacity,
        ],
        false => [f32::NAN; 4],
    };
    let of_mask = |mask: u32| {
        let lanes = layers.iter().enumerate();
        lanes.map(move |lane| row(lane, mask))
    };
    let given: Vec<[f32; 4]> = MASKS.into_iter().flat_map(of_mask).collect();
    let masks = filled_buffer(gpu, "masks", &MASKS);
    let given = filled_buffer(gpu, "rows", &given);
    let count = MASKS.len() * LANES * FORMS.len();
    let outputs = filled_buffer(gpu, "outputs", &vec![[-1f32; 4]; count]);
    let sizes = filled_buffer(gpu, "sizes", &MASKS);
    let binds = Binds::new([
        ("masks", masks.as_entire_binding()),
        ("rows", given.as_entire_binding()),
        ("outputs", outputs.as_entire_binding()),
        ("sizes", sizes.as_entire_binding()),
    ]);
    let done = gpu.compute_and_wait("lerps", |pass| {
        pipeline.dispatch(pass, &[&binds], MASKS.len() as u32)
    });
    done.expect("the work runs");
    let wave = read_buffer::<u32>(gpu, &sizes, 1).expect("read-back")[0] as usize;
    let outputs: Vec<[f32; 4]> = read_buffer(gpu, &outputs, count).expect("read-back");
    let mut wrong = Vec::new();
    for (at, found) in outputs.iter().enumerate() {
        let (lane, form) = (at / FORMS.len() % LANES, at % FORMS.len());
        let mask = MASKS[at / FORMS.len() / LANES];
        let first = lane / wave * wave;
        let end = if FORMS[form].starts_with("prefix") {
            lane + 1
        } else {
            first + wave
        };
        let own = (first..end).filter(|of| is_active(mask, *of));
        let mut own: Vec<Layer> = own.map(|of| layers[of]).collect();
        if form % 2 == 0 {
            own.iter_mut()
                .for_each(|layer| layer.color = [layer.color[0]; 3]);
        }
        let is_right = match is_active(mask, lane) {
            true => {
                let (expected, bound) = (composite(&own).channels(), error_bound(&own));
                error_over_bound(expected, bound, *found) <= 1.0
            }
            false => *found == [-1.0; 4],
        };
        if !is_right && !wrong.contains(&FORMS[form]) {
            wrong.push(FORMS[form]);
        }
    }
    wrong
}

#[test]
fn every_lerp_is_the_composite_of_the_active_lanes() {
    assert_eq!(wrong(&Harness::new(), Vec::new()), [""; 0]);
}

/// Mistakes in a file of the library, each with a form that reveals the mistake.
const MISTAKES: &str = "
wave/lerp | t: f32, prefix: f32) -> f32 {\\n    return subgroupAdd(value * t * prefix); | t: f32, prefix: f32) -> f32 {\\n    return subgroupAdd(value * prefix); | f32
wave/lerp_last | lane_f32(prefix * factor, last_lane) | lane_f32(prefix, last_lane) | last f32
wave/prefix_lerp | subgroupInclusiveAdd | subgroupExclusiveAdd | prefix rgb
wave/prefix_product | return subgroupExclusiveMul(factor); | return subgroupInclusiveMul(factor); | rgb
";

mod controls {
    use super::*;

    #[test]
    fn a_mistake_in_a_lerp_is_found() {
        let harness = Harness::new();
        for [module, find, replace, form] in rows(MISTAKES) {
            let wrong = wrong(&harness, vec![Edit::new(module, find, replace)]);
            assert!(
                wrong.contains(&form),
                "{module} with `{replace}`: {wrong:?}"
            );
        }
    }
}
