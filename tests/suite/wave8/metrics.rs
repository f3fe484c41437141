//! Metrics computed on the GPU equal the CPU's, on uploaded pictures made for the purpose.

use wavelerp::gpu::shader::Edit;
use wavelerp::gpu::{Pipelines, filled_buffer, read_buffer};
use wavelerp::live::metrics::{LiveMetrics, MetricsPass};
use wavelerp::model::methods::Method;
use wavelerp::report::Picture;
use wavelerp::report::errors::{Flicker, Linear, shown};
use wavelerp::report::metrics::{Metrics, absolute_difference};
use wavelerp::report::range::{DECADES, Histogram, POWERS};

use crate::harness::{Harness, rows};
use crate::on_screen::{draw, draw_once, small, wanted};

/// Required relative agreement of sums and of values rounded to f32.
const TOLERANCE: f64 = 1e-6;
/// Threshold for counting differences.
const THRESHOLD: f32 = 1e-3;

fn picture(size: [u32; 2], pixel: impl Fn(usize) -> [f32; 4]) -> Picture {
    let pixels = (0..(size[0] * size[1]) as usize).map(pixel).collect();
    Picture::new(size, pixels).expect("pixels for the size")
}

/// A pseudo-random value in 0…1.
fn noise(index: usize, channel: usize) -> f32 {
    let mut bits = (index * 4 + channel) as u32;
    for _ in 0..3 {
        bits = (bits ^ (bits >> 15)).wrapping_mul(0x2c1b_3c6d) ^ 0x1234_5677;
    }
    (bits >> 8) as f32 / 16_777_216.0
}

/// A picture with bright and dark parts, without equal pixels.
fn rich(size: [u32; 2]) -> Picture {
    picture(size, |index| {
        let bright = f32::powi(2.0, (index % 17) as i32 - 8);
        let [r, g, b, t] = [0, 1, 2, 3].map(|channel| noise(index, channel));
        [r * bright, g * bright, b * bright, t]
    })
}

fn on_gpu(
    harness: &Harness,
    pipelines: &Pipelines,
    reference: &Picture,
    found: &Picture,
) -> LiveMetrics {
    let gpu = &harness.gpu;
    let behind = behind(reference.size);
    let buffers = [found, reference, &behind].map(|of| filled_buffer(gpu, "picture", &of.pixels));
    let (buffers, size) = (buffers.each_ref(), reference.size);
    let pass = MetricsPass::new(gpu, pipelines, size, buffers).expect("a pass");
    gpu.compute_and_wait("metrics", |compute| pass.record(gpu, compute, THRESHOLD))
        .expect("metrics");
    let parts = read_buffer(gpu, &pass.parts, pass.blocks() as usize).expect("parts");
    let decades = read_buffer(gpu, &pass.decades, DECADES).expect("decades");
    LiveMetrics::from_parts(&parts, &decades, size)
}

/// A background with bright and dark parts.
fn behind(size: [u32; 2]) -> Picture {
    let mut behind = rich(size);
    behind.pixels.iter_mut().for_each(|pixel| pixel[3] = 0.0);
    behind
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= TOLERANCE * expected.abs()
}

/// Fault in the GPU's result over a background, if there is any.
fn fault(
    found: &LiveMetrics,
    reference: &Picture,
    picture: &Picture,
    behind: &[[f32; 4]],
) -> Option<String> {
    let expected = Metrics::between(reference, picture).expect("sizes agree");
    let differences = absolute_difference(reference, picture).expect("sizes agree");
    let metrics = &found.metrics;
    let mut over = 0;
    let mut peak = 0f64;
    for (a, b) in reference.pixels.iter().zip(&picture.pixels) {
        let is_finite = a.iter().chain(b).all(|value| value.is_finite());
        let channels = a.iter().zip(b);
        let greatest = channels.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        over += u64::from(!is_finite || greatest > THRESHOLD);
        let finite = a.iter().filter(|value| value.is_finite());
        peak = finite.fold(peak, |peak, value| peak.max(f64::from(value.abs())));
    }
    let shown = shown(reference, picture, behind).expect("sizes agree");
    let shown = Linear::of_picture(&shown, 8).expect("sizes agree");
    let psnr = 20.0 * (peak / expected.rmse).log10();
    let psnr_agrees = match found.psnr {
        None => !psnr.is_finite(),
        Some(found) => (found - psnr).abs() < 1e-4,
    };
    let agree = close(metrics.max_abs, expected.max_abs)
        && close(metrics.mean_abs, expected.mean_abs)
        && close(metrics.rmse, expected.rmse)
        && close(metrics.max_ulp, expected.max_ulp)
        && metrics.differing_pixels == expected.differing_pixels
        && metrics.nan_count == expected.nan_count
        && metrics.worst_pixel == expected.worst_pixel
        && found.over_threshold == over
        && found.peak == peak
        && found.differences == Histogram::of(&differences)
        && close(found.shown_rmse, shown.rmse)
        && close(found.shown_max, shown.max)
        && psnr_agrees;
    (!agree).then(|| {
        format!("{found:?}\nis not {expected:?}, {shown:?}, {over} over, peak {peak}, PSNR {psnr}")
    })
}

fn each_value(picture: &mut Picture, change: fn(f32) -> f32) {
    for value in picture.pixels.iter_mut().flatten() {
        *value = change(*value);
    }
}

/// Named pairs of reference and picture.
fn pairs() -> Vec<(String, Picture, Picture)> {
    let mut pairs = Vec::new();
    let mut add = |name: &str, reference: &Picture, change: &dyn Fn(&mut Picture)| {
        let mut picture = reference.clone();
        change(&mut picture);
        pairs.push((name.to_owned(), reference.clone(), picture));
    };
    let grey = picture([1280, 720], |_| [0.25, 0.5, 0.125, 0.75]);
    let last = grey.pixels.len() - 1;
    add("equal", &grey, &|_| ());
    add("one pixel off by 1e-6", &grey, &|picture| {
        picture.pixels[700_001][2] += 1e-6
    });
    add("1e-6 everywhere", &grey, &|picture| {
        each_value(picture, |value| value + 1e-6);
    });
    add("1e-6 everywhere beside one off by 1", &grey, &|picture| {
        each_value(picture, |value| value + 1e-6);
        picture.pixels[last - 300][0] += 1.0;
    });
    for size in [[1, 1], [7, 5], [33, 31], [1025, 1], [97, 55], [300, 200]] {
        let reference = rich(size);
        let mut other = reference.clone();
        other.pixels.reverse();
        let name = |what: &str| format!("{what}, {}x{}", size[0], size[1]);
        add(&name("another picture"), &reference, &|picture| {
            *picture = other.clone()
        });
        add(&name("last bits"), &reference, &|picture| {
            for value in picture.pixels.iter_mut().flatten().step_by(3) {
                *value = value.next_up();
            }
        });
        let last = reference.pixels.len() - 1;
        let poison: [(usize, f32); 4] = [
            (0, f32::NAN),
            (last / 2, f32::INFINITY),
            (last, f32::NEG_INFINITY),
            (last / 3, -f32::NAN),
        ];
        let poisoned = |picture: &mut Picture| {
            for (at, value) in poison {
                picture.pixels[at][at % 4] = value;
            }
        };
        add(&name("not finite"), &reference, &poisoned);
        let mut reference = reference.clone();
        poisoned(&mut reference);
        add(&name("reference not finite"), &reference, &|picture| {
            *picture = other.clone()
        });
        add(&name("both not finite"), &reference, &|_| ());
    }
    let zero = picture([40, 40], |_| [0.0, -0.0, 0.0, -0.0]);
    add("-0 for 0", &zero, &|picture| {
        each_value(picture, |value| -value);
    });
    for huge in [1e-25f32, 1e25] {
        add(&format!("differences of {huge:e}"), &zero, &|picture| {
            picture.pixels[1111] = [huge; 4];
            picture.pixels[7] = [huge * 0.5; 4];
        });
    }
    add("both sides of every power", &zero, &|picture| {
        for (at, power) in POWERS.into_iter().enumerate() {
            picture.pixels[80 * at] = [0.0, power, 0.0, 0.0];
            picture.pixels[80 * at + 1] = [power.next_down(); 4];
        }
    });
    // Two pixels with the same largest difference, in one block and in two.
    let wide = picture([2000, 3], |_| [0.5; 4]);
    add("a tie", &wide, &|picture| {
        for at in [5, 600, 3000, 5999] {
            picture.pixels[at][at % 4] = 0.25;
        }
    });
    pairs
}

#[test]
fn metrics_on_the_gpu_are_the_cpus() {
    let harness = Harness::new();
    let wrong = |(name, reference, picture): &(String, Picture, Picture)| {
        let found = on_gpu(&harness, &harness.pipelines, reference, picture);
        let behind = behind(reference.size).pixels;
        Some(format!(
            "{name}: {}",
            fault(&found, reference, picture, &behind)?
        ))
    };
    let faults: Vec<String> = pairs().iter().filter_map(wrong).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const FAULTS: &str = "
inspect/metrics | both.abs_sum += b.abs_sum; | both.abs_sum += 0.0;
inspect/metrics | both.square_sum += b.square_sum; | both.square_sum += b.abs_sum;
inspect/metrics | both.shown_square_sum += b.shown_square_sum; | both.shown_square_sum += b.square_sum;
inspect/metrics | difference.a * backgrounds[pixel].rgb | difference.a
inspect/metrics | && b.worst < a.worst | && b.worst > a.worst
inspect/metrics | part.not_finite = select(1u, 0u, is_finite(found)); | part.not_finite = 1u;
inspect/metrics | magnitude(expected)) == vec4u(0u) | magnitude(expected)) == vec4u(7u)
inspect/metrics | min(job.pixels, first | min(job.pixels - 1u, first
inspect/metrics | if more.max_abs > 0.0 | if more.max_abs >= 0.0
inspect/metrics | job.powers[four] <= vec4f | job.powers[four] < vec4f
inspect/metrics | clamp(begun, 1u, DECADES) | clamp(begun, 2u, DECADES)
inspect/metrics | { atomicStore(&block_decades[local], 0u); } | { atomicStore(&block_decades[local], 1u); }
common/bits | vec4u(0x38800000u) | vec4u(0x38000000u)
common/bits | (277u - exponent) | (278u - exponent)
";

#[test]
fn a_faulty_kernel_is_found() {
    let harness = Harness::new();
    let mut pairs = pairs();
    pairs.sort_by_key(|(_, reference, _)| reference.pixels.len());
    for [module, find, replace] in rows(FAULTS) {
        let pipelines = Pipelines::new(crate::shaders::edited([Edit::new(module, find, replace)]));
        let is_found = pairs.iter().any(|(_, reference, picture)| {
            let found = on_gpu(&harness, &pipelines, reference, picture);
            let behind = behind(reference.size).pixels;
            fault(&found, reference, picture, &behind).is_some()
        });
        assert!(is_found, "{find} -> {replace}");
    }
}

#[test]
fn a_live_frame_measures_a_against_b_and_counts_its_results() {
    let harness = Harness::new();
    let (a, b) = (Method::WaveLerpDeferred, Method::PixelLoop);
    let (scene, settings, mut live, mut both) =
        small(&harness, "temple", 1 << 16, [Some(a), Some(b)]);
    draw(&harness, &mut live, &both);
    let found = (&live.looking.metrics, live.looking.metrics_frame);
    assert_eq!(found, (&None, 0), "no metrics without a request");
    both.metrics = Some(THRESHOLD);
    draw(&harness, &mut live, &both);
    let found = live.looking.metrics.clone().expect("metrics are back");
    let mut capture = harness.capture(&scene, &settings);
    let [picture, reference] =
        [a, b].map(|method| capture.picture(method).expect("a picture").composite);
    let behind = capture.backgrounds().expect("backgrounds");
    let is_bright = |pixel: &[f32; 4]| pixel[0] > 0.0;
    assert!(behind.iter().any(is_bright) && behind[0] != behind[1]);
    assert_eq!(fault(&found, &reference, &picture, &behind), None);
    assert!(found.metrics.differing_pixels > 0, "rounding");
    assert_eq!(live.looking.metrics_of, both.methods);
    both.methods = wanted(&live, &settings, [Some(Method::Auto), Some(b)]).methods;
    assert_ne!(
        live.looking.metrics_of, both.methods,
        "no metrics of both methods yet"
    );
    draw(&harness, &mut live, &both);
    assert_eq!(
        live.looking.metrics_of, both.methods,
        "metrics of both methods"
    );
    let before = live.looking.metrics_frame;
    draw_once(&harness, &mut live, &both);
    assert_eq!(live.looking.metrics_frame, before + 1);
    both.metrics = None;
    draw_once(&harness, &mut live, &both);
    assert_eq!(live.looking.metrics, None);
}

#[test]
fn light_that_is_missing_in_front_of_a_background_as_bright_is_no_error_of_the_picture() {
    // The picture has half of the light and half of the background. The reference has all the light and no background.
    let exact = Picture::new([2, 1], vec![[1.0, 1.0, 1.0, 0.0]; 2]).expect("its size");
    let half = Picture::new([2, 1], vec![[0.5, 0.5, 0.5, 0.5]; 2]).expect("its size");
    let of = |background: [[f32; 4]; 2]| {
        let shown = shown(&exact, &half, &background).expect("one size");
        let mut flicker = Flicker::default();
        for _ in 0..2 {
            flicker.add(&shown[0], &shown[1]).expect("one size");
        }
        let errors = Linear::of_picture(&shown, 1).expect("one size");
        (errors, flicker.value(), Metrics::between(&exact, &half))
    };
    let (errors, _, before) = of([[1.0; 4]; 2]);
    assert_eq!([errors.rmse, errors.p99, errors.max], [0.0; 3]);
    assert_eq!(before.map(|of| of.rmse), Ok(0.5));
    // In front of a brighter background the error is visible, in each channel separately.
    let (errors, flicker, _) = of([[1.0, 2.0, 1.0, 0.0], [1.0; 4]]);
    assert!((errors.rmse - (0.25f64 / 6.0).sqrt()).abs() < 1e-9);
    assert_eq!([errors.p99, errors.max], [0.5; 2]);
    assert_eq!(flicker, Some(0.0));
}
