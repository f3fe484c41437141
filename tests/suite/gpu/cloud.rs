//! The benchmark case `cloud` on the GPU with every method, against its picture in f64.

use wavelerp::gpu::{Pipelines, Profiler, Recorder, Span};
use wavelerp::methods::Specialization;
use wavelerp::model::methods::Method;
use wavelerp::model::options::{Dial, Options, Precision};
use wavelerp::report::bench::record::CLOUD_PASSES;
use wavelerp::runs::bench::cloud::Cloud;
use wavelerp::runs::bench::splats::CloudSpec;

use crate::harness::{Harness, edited};
use crate::oracles::cloud::{CloudPixel, STOP, picture};

pub(super) const SPEC: CloudSpec = CloudSpec {
    splats: 500,
    sigma: 2.0,
    opacity: 0.3,
    size: [64, 48],
    seed: 3,
};

/// Relative distance from a splat's edge within which it may be visible or not.
const DOUBT: f64 = 1e-3;
/// Largest error of a channel without doubtful splats: the light behind the stop, plus 1e-5 for centres that are
/// rounded to 2e-5 pixels in at most a hundred layers.
const BOUND: f64 = STOP + 1e-5;

pub(super) fn cloud_of(
    harness: &Harness,
    sigma: f32,
    opacity: f32,
    precision: Precision,
    tile: u32,
) -> (CloudSpec, Cloud) {
    let spec = CloudSpec {
        sigma,
        opacity,
        ..SPEC
    };
    let cloud = Cloud::new(&harness.gpu, &harness.pipelines, spec, precision, tile);
    (spec, cloud.expect("a cloud"))
}

fn drawn(harness: &Harness, pipelines: &Pipelines, cloud: &Cloud, method: Method) -> Vec<[f32; 4]> {
    let options = Options::default().with_method(|method| method.pixels_per_wave = 8);
    drawn_by(harness, pipelines, cloud, options.specialize(method))
}

pub(super) fn drawn_by(
    harness: &Harness,
    pipelines: &Pipelines,
    cloud: &Cloud,
    specialization: Specialization,
) -> Vec<[f32; 4]> {
    let gpu = &harness.gpu;
    let composite = cloud.composite(gpu, pipelines, specialization);
    let composite = composite.expect("the shader compiles");
    let mut profiler = Profiler::timed(gpu).expect("a profiler");
    let mut recorder = Recorder::new(gpu, &mut profiler, "cloud");
    cloud.record(&mut recorder, &composite).expect("recorded");
    let recorded = recorder.finish();
    let done = profiler.submit_and_wait(gpu, recorded).expect("drawn");
    let times = done.spans;
    // With the wall clock, a pass that takes no longer than an empty submission has no time.
    let mut passes = CLOUD_PASSES.iter();
    let is_next = |span: &Span| passes.any(|pass| *pass == span.label.pass);
    assert!(times.iter().all(is_next), "{times:?}");
    let is_timed = times.last().map(|span| span.label.pass) == CLOUD_PASSES.last().copied();
    // Compositing on a CPU takes longer than an empty submission.
    assert!(!gpu.caps.is_cpu || is_timed, "{times:?}");
    cloud.frame.read_composite(gpu).expect("a picture")
}

/// Largest error beyond the error that doubtful splats allow.
fn error(gpu: &[[f32; 4]], twin: &[CloudPixel]) -> f64 {
    assert_eq!(gpu.len(), twin.len());
    let of_pixel = |(gpu, twin): (&[f32; 4], &CloudPixel)| {
        let channels = gpu.iter().zip(twin.composite);
        let most = channels.map(|(gpu, twin)| (f64::from(*gpu) - twin).abs());
        most.fold(0.0, f64::max) - twin.doubtful
    };
    gpu.iter().zip(twin).map(of_pixel).fold(0.0, f64::max)
}

#[test]
fn a_cloud_is_its_picture_in_f64_by_every_method() {
    let harness = Harness::new();
    for (sigma, opacity, tile) in [(4.0, 0.9, 8), (8.0, 0.02, 16)] {
        let (spec, cloud) = cloud_of(&harness, sigma, opacity, Precision::Full, tile);
        assert_eq!(cloud.counters.dropped(), 0);
        let twin = picture(&spec, &cloud.splats, DOUBT);
        let doubtful = twin.iter().filter(|pixel| pixel.doubtful > 0.0).count();
        assert!(doubtful < twin.len() / 5, "{doubtful} pixels are doubtful");
        assert!(twin.iter().any(|pixel| pixel.composite[3] < 0.8));
        for method in harness.exact_kernels() {
            let picture = drawn(&harness, &harness.pipelines, &cloud, method);
            let error = error(&picture, &twin);
            assert!(error <= BOUND, "{method}, {spec:?}, tile {tile}: {error}");
        }
    }
}

/// Largest error of a channel in half floats with some tens to a hundred layers per pixel: the largest sums are
/// rounded several times, each time with a relative error of 2^-11.
const BOUND_IN_HALF: f64 = STOP + 6e-3;

#[test]
fn a_cloud_in_half_floats_is_its_picture_within_thousandths() {
    let harness = Harness::new();
    for (sigma, opacity, tile) in [(2.0, 0.3, 8), (8.0, 0.02, 16)] {
        let (spec, cloud) = cloud_of(&harness, sigma, opacity, Precision::Half, tile);
        let twin = picture(&spec, &cloud.splats, DOUBT);
        for dial in [Dial::Threads(1), Dial::Pixels(2), Dial::Pixels(4)] {
            let options = Options::default()
                .with_frame(|frame| frame.precision = Precision::Half)
                .at(dial);
            let specialization = options.specialize(Method::PixelLoopStaged);
            let picture = drawn_by(&harness, &harness.pipelines, &cloud, specialization);
            let error = error(&picture, &twin);
            let what = format!("{spec:?}, tile {tile}, {dial}");
            assert!(error <= BOUND_IN_HALF, "{what}: {error}");
            assert!(error > BOUND, "{dial}: composited in f32");
        }
    }
}

mod controls {
    use super::*;

    #[test]
    fn a_cloud_with_another_rule_or_order_is_found() {
        let harness = Harness::new();
        let (_, cloud) = cloud_of(&harness, SPEC.sigma, SPEC.opacity, Precision::Full, 8);
        let twin = picture(&SPEC, &cloud.splats, DOUBT);
        let right = drawn(&harness, &harness.pipelines, &cloud, Method::PixelLoop);
        assert!(error(&right, &twin) <= BOUND);
        let (find, replace) = ("max(LEAST_EXPONENT", "max(LEAST_EXPONENT + 1.0");
        let pipelines = edited("common/ellipse", find, replace);
        let wrong = drawn(&harness, &pipelines, &cloud, Method::PixelLoop);
        assert!(error(&wrong, &twin) > 10.0 * BOUND, "another least opacity");
        let mut far_first = cloud.splats.clone();
        for splat in &mut far_first {
            splat.depth = 110.0 - splat.depth;
        }
        let wrong = picture(&SPEC, &far_first, DOUBT);
        assert!(error(&right, &wrong) > 10.0 * BOUND, "another order");
    }
}
