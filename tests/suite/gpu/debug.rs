//! Debug views match the lists, method A's composite and the depth buffer.

use wavelerp::gpu::read_buffer;
use wavelerp::live::{DebugView, Live, Wanted};
use wavelerp::methods::kernel::layers_per_dispatch;
use wavelerp::model::methods::Method;
use wavelerp::model::options::Hazard;
use wavelerp::model::settings::Settings;

use crate::harness::{Harness, scene, settings};
use crate::on_screen::{draw, live, shown, small, wanted};
use crate::tile_lists::read_list;

const SIZE: [u32; 2] = [97, 55];

/// Draws a view and returns its values.
fn values(harness: &Harness, live: &mut Live, wanted: &Wanted, view: DebugView) -> Vec<f32> {
    let wanted = Wanted {
        debug: Some(view),
        ..wanted.clone()
    };
    draw(harness, live, &wanted);
    let count = (SIZE[0] * SIZE[1]) as usize;
    read_buffer(&harness.gpu, &live.looking.debug_values, count).expect("values")
}

/// A debug view of the temple drawn with a wave method: the frame, the request and the values.
fn of_temple(harness: &Harness, view: DebugView) -> (Live, Wanted, Vec<f32>) {
    let methods = [Some(Method::WaveLerpDeferred), None];
    let (.., mut live, wanted) = small(harness, "temple", 1 << 16, methods);
    let values = values(harness, &mut live, &wanted, view);
    (live, wanted, values)
}

/// A debug view of `stress`, with other settings.
fn of_stress(
    harness: &Harness,
    view: DebugView,
    change: impl FnOnce(&mut Settings),
) -> (Settings, Live, Vec<f32>) {
    let scene = scene("stress");
    let mut settings = settings(&scene, SIZE, 3000, 8);
    change(&mut settings);
    let mut live = live(harness, &scene, &settings, 1 << 16);
    let wanted = wanted(&live, &settings, [Some(Method::WaveLerpDeferred), None]);
    let values = values(harness, &mut live, &wanted, view);
    (settings, live, values)
}

/// Each pixel with its index in row order.
fn places() -> impl Iterator<Item = ([u32; 2], usize)> {
    (0..SIZE[0] * SIZE[1]).map(|at| ([at % SIZE[0], at / SIZE[0]], at as usize))
}

#[test]
fn list_length_and_groups_are_those_of_the_lists() {
    let harness = Harness::new();
    let (mut live, wanted, lengths) = of_temple(&harness, DebugView::ListLength);
    let range_of_lengths = live.looking.debug_range(&live.shown);
    let groups = values(&harness, &mut live, &wanted, DebugView::Groups);
    let wave = live.shown.wave_sizes[0].expect("a wave size");
    let [across, down] = live.shown.frame.shape().tiles();
    let length = |tile| read_list(&harness.gpu, &live.shown.frame, tile).len() as u32;
    let lists: Vec<u32> = (0..across * down).map(length).collect();
    for ([x, y], at) in places() {
        let length = lists[(y / 8 * across + x / 8) as usize];
        assert_eq!(lengths[at], length as f32, "{x},{y}");
        assert_eq!(groups[at], length.div_ceil(wave) as f32, "{x},{y}");
    }
    let longest = lists.iter().copied().max().unwrap_or_default();
    assert_eq!(range_of_lengths, [0.0, longest as f32]);
    assert_eq!(
        live.looking.debug_range(&live.shown),
        [0.0, longest.div_ceil(wave) as f32]
    );
    let is_shorter = |length: &u32| *length != longest;
    assert!(lists.iter().any(is_shorter), "lists differ");
}

#[test]
fn transmittance_is_that_of_method_a() {
    let harness = Harness::new();
    let (live, _, found) = of_temple(&harness, DebugView::Transmittance);
    let composites = shown(&harness, &live).into_iter();
    let transmittances = composites.map(|[.., t]| f32::from_bits(t));
    assert!(transmittances.eq(found.iter().copied()));
    let differs = |value: &f32| *value != found[0];
    assert!(found.iter().any(differs), "pixels differ");
    assert_eq!(live.looking.debug_range(&live.shown), [0.0, 1.0]);
}

#[test]
fn opaque_depth_is_the_depth_of_the_surface_or_the_far_plane() {
    let harness = Harness::new();
    let (live, _, found) = of_temple(&harness, DebugView::OpaqueDepth);
    let (near, far) = (live.shown.frame.shape().near, live.shown.frame.shape().far);
    assert_eq!(live.looking.debug_range(&live.shown), [near, far]);
    for ([x, y], at) in places().step_by(397) {
        let layers = harness.probe(&live.shown.frame, [x, y]).layers;
        // A slice ends at the surface, the last one at the far plane or the surface.
        let last = layers.iter().rfind(|layer| layer.is_fog()).expect("fog");
        assert_eq!(found[at], last.depth, "{x},{y}");
    }
    let surface = found.iter().filter(|&&depth| depth < far).count();
    assert!(found.iter().all(|&depth| depth >= near && depth <= far));
    // The temple has solids if the adapter can draw them.
    assert_eq!(surface > 0, harness.gpu.caps.draws_with_depth);
}

/// Groups in which a pixel's accumulated transmittance falls below each threshold.
fn early_out_groups(
    harness: &Harness,
    live: &Live,
    pixel: [u32; 2],
    thresholds: [f32; 2],
) -> [f32; 2] {
    let layers = harness.probe(&live.shown.frame, pixel).layers;
    let wave = live.shown.wave_sizes[0].expect("a wave size");
    thresholds.map(|threshold| {
        let mut through = 1f32;
        let at = layers.iter().position(|layer| {
            through *= 1.0 - layer.opacity;
            through < threshold
        });
        let never = (layers.len() as u32).div_ceil(wave);
        at.map_or(never, |at| at as u32 / wave) as f32
    })
}

/// Limit on loop iterations at which a list is split into many ranges.
const FEW_TURNS: Option<u32> = Some(200);

#[test]
fn the_early_out_group_is_where_the_layers_say() {
    let mut harness = Harness::new();
    let default = 1.0 / 256.0;
    for (turns, early_out, threshold) in [
        (harness.gpu.caps.loop_turns, 0.0, default),
        (harness.gpu.caps.loop_turns, 0.5, 0.5),
        (FEW_TURNS, 0.0, default),
    ] {
        harness.gpu.caps.loop_turns = turns;
        let (settings, live, found) = of_stress(&harness, DebugView::EarlyOutGroup, |settings| {
            settings.options.frame.early_out = early_out;
        });
        let wave = live.shown.wave_sizes[0].expect("a wave size");
        let longest = live.shown.counters.longest_list;
        let specialization = settings.options.specialize(Method::WaveLerpDeferred);
        let step = layers_per_dispatch(&harness.gpu.caps, &specialization);
        assert!(longest > 100, "a long list: {longest}");
        let has_many_ranges = longest > step.saturating_mul(5);
        assert_eq!(has_many_ranges, turns == FEW_TURNS, "{step} layers each");
        assert_eq!(
            live.looking.debug_range(&live.shown),
            [0.0, longest.div_ceil(wave) as f32]
        );
        let mut other = 0;
        for (pixel, at) in places().step_by(211) {
            let [expected, of_another] =
                early_out_groups(&harness, &live, pixel, [threshold, 0.99]);
            let what = format!("{pixel:?}, {turns:?} turns, {threshold}");
            assert_eq!(found[at], expected, "{what}");
            other += u32::from(expected != of_another);
        }
        assert!(other > 0, "the picture depends on the threshold");
    }
}

#[test]
fn pixels_that_are_not_finite_are_one_and_all_others_zero() {
    let harness = Harness::new();
    for (hazard, any) in [(Hazard::Division, true), (Hazard::DivisionGuarded, false)] {
        let (_, live, found) = of_stress(&harness, DebugView::NotFinite, |settings| {
            settings.options.method.hazard = hazard;
        });
        let composites = shown(&harness, &live);
        for (pixel, value) in composites.iter().zip(&found) {
            let is_finite = pixel.iter().all(|&bits| f32::from_bits(bits).is_finite());
            assert_eq!(*value, if is_finite { 0.0 } else { 1.0 });
        }
        assert_eq!(found.contains(&1.0), any, "{hazard:?}");
    }
}
