//! Fog integrated along froxel columns is compared with the same fog as layers. Omitting any part of it must show.

use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::Edit;
use wavelerp::model::options::FogMode;
use wavelerp::model::reference::composite::{Composite, over};
use wavelerp::model::scene::Scene;
use wavelerp::model::settings::Settings;

use super::metamorphic::{drawn, input_of};
use crate::harness::{Harness, greatest, scene, settings, source, thinned_scene};
use crate::oracles::fog::{FogParticle, FogRay, FogSlice, composite};
use crate::oracles::integrate::integrals;

/// Size of a frame that has a froxel column per pixel.
const A_COLUMN_EACH: [u32; 2] = [40, 23];

fn with(mut settings: Settings, fog: FogMode) -> Settings {
    settings.options.frame.fog = fog;
    settings
}

/// Composite of a scene that the plain loop draws with the given pipelines.
fn by_loop(harness: &Harness, by: &Pipelines, of: &Scene, settings: &Settings) -> Vec<[f32; 4]> {
    let input = input_of(harness, of, settings);
    drawn(harness, by, input, settings).0
}

fn largest(pixels: &[[f32; 4]]) -> f32 {
    pixels.iter().flatten().fold(0.0, |most, of| most.max(*of))
}

#[test]
fn where_each_pixel_has_a_column_integrated_fog_is_the_same_as_layers_by_every_exact_method() {
    let harness = Harness::new();
    for (name, slices) in [
        ("temple", 24),
        ("panes", 16),
        ("stress", 1),
        ("two", 0),
        ("statue", 8),
    ] {
        let scene = thinned_scene(name);
        let plain = settings(&scene, A_COLUMN_EACH, scene.particles.min(3000), slices);
        let layers = by_loop(&harness, &harness.pipelines, &scene, &plain);
        let most = largest(&layers) / 512.0;
        let integrated = with(plain.clone(), FogMode::Integrated);
        let mut as_layers = harness.capture(&scene, &plain);
        let mut capture = harness.capture(&scene, &integrated);
        for method in harness.exact_methods() {
            let picture = capture.picture(method).expect("a picture").composite;
            let off = greatest(&layers, &picture.pixels);
            // Blending hardware rounds at every layer, whatever its kind.
            let mut rounded = || as_layers.picture(method).expect("a picture").composite;
            let own = method
                .is_drawn()
                .then(|| greatest(&layers, &rounded().pixels));
            let most = most + 2.0 * own.unwrap_or_default();
            assert!(off <= most, "{name} by {method}: {off} of {most}");
        }
    }
}

#[test]
fn each_part_of_integrated_fog_is_needed() {
    let harness = Harness::new();
    let scene = scene("panes");
    let plain = settings(&scene, A_COLUMN_EACH, 2000, 16);
    let layers = by_loop(&harness, &harness.pipelines, &scene, &plain);
    let most = largest(&layers) / 512.0;
    let integrated = with(plain, FogMode::Integrated);
    for (module, find, replace) in [
        (
            "layers/medium",
            "return fog.rgb + fog.a * color;",
            "return color;",
        ),
        (
            "layers/medium",
            "(front - frame.near) * ray.ray_scale",
            "front * ray.ray_scale",
        ),
        (
            "layers/sheet_cell",
            "color = behind_slices(color, within, ray);",
            "_ = behind_slices(color, within, ray);",
        ),
        (
            "layers/medium",
            "max(slices_in_front_of(ray.opaque_depth), 1u) - 1u",
            "frame.slices - 1u",
        ),
        (
            "layers/medium",
            "max(min(ray.opaque_depth, front_of(slice + 1u)) - front, 0.0)",
            "0.0",
        ),
        ("frame/integrate", "column, slice + 1u,", "column, slice,"),
        ("frame/fog_behind", "front.a * fog.a", "front.a"),
    ] {
        let faulty = Pipelines::new(source([Edit::new(module, find, replace)]));
        let found = by_loop(&harness, &faulty, &scene, &integrated);
        let off = greatest(&layers, &found);
        assert!(off > most, "{find}: {off} of {most}");
    }
}

/// Root mean square difference over all channels.
fn rmse(a: &[[f32; 4]], b: &[[f32; 4]]) -> f64 {
    let channels = a.iter().flatten().zip(b.iter().flatten());
    let squares: f64 = channels.map(|(a, b)| f64::from(a - b).powi(2)).sum();
    (squares / (4 * a.len()) as f64).sqrt()
}

#[test]
fn between_columns_the_difference_halves_or_better_when_columns_double() {
    let harness = Harness::with_fine_fog();
    let scene = scene("temple");
    let plain = settings(&scene, [160, 90], 2000, 16);
    let error = |columns: [u32; 2]| {
        let [layers, integrated] = [FogMode::Layers, FogMode::Integrated].map(|fog| {
            let settings = with(plain.clone(), fog);
            let mut input = input_of(&harness, &scene, &settings);
            input.shape.columns = columns;
            drawn(&harness, &harness.pipelines, input, &settings).0
        });
        rmse(&layers, &integrated)
    };
    let errors = [[20, 12], [40, 23], [80, 45]].map(error);
    println!("{errors:?}");
    assert!(
        errors[0] > 2.0 * errors[1] && errors[1] > 2.0 * errors[2],
        "{errors:?}"
    );
}

/// Composite of particles with integrated fog: each particle is seen through all fog in front of it, and the fog in
/// front of the background comes last.
fn seen_through(slices: &[FogSlice], particles: &[FogParticle], ray: FogRay) -> Composite {
    let before = integrals(slices, ray.path_per_depth);
    let mut sum = Composite::EMPTY;
    for particle in particles {
        let own = slices
            .iter()
            .rposition(|slice| slice.near <= particle.depth)
            .expect("a slice");
        let slice = slices[own];
        let path = (particle.depth - slice.near) * ray.path_per_depth;
        let through = (-slice.extinction * path).exp();
        let in_slice = Composite {
            rgb: slice.source.map(|source| source * (1.0 - through)),
            transmittance: through,
        };
        let fog = own
            .checked_sub(1)
            .map_or(Composite::EMPTY, |front| before[front]);
        let fog = over(fog, in_slice);
        let particle = Composite {
            rgb: [0, 1, 2].map(|i| {
                particle.opacity * (fog.rgb[i] + fog.transmittance * particle.radiance[i])
            }),
            transmittance: 1.0 - particle.opacity,
        };
        sum = over(sum, particle);
    }
    over(sum, before.last().copied().unwrap_or_default())
}

#[test]
fn in_f64_the_two_are_one() {
    let mut state = 7u64;
    let mut unit = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 40) as f64 / f64::from(1 << 24)
    };
    for _ in 0..200 {
        let mut near = 0.5;
        let slice = |_| {
            let far = near * (1.0 + unit());
            let slice = FogSlice {
                near,
                far,
                source: [unit(), unit(), unit()],
                extinction: unit(),
            };
            near = far;
            slice
        };
        let slices: Vec<FogSlice> = (0..12).map(slice).collect();
        let end = slices[11].far;
        let particle = |_| FogParticle {
            depth: 0.5 + unit() * (end - 0.5),
            radiance: [unit(), unit(), unit()],
            opacity: unit(),
        };
        let mut particles: Vec<FogParticle> = (0..20).map(particle).collect();
        particles.sort_by(|a, b| a.depth.total_cmp(&b.depth));
        let ray = FogRay {
            path_per_depth: 1.0 + unit(),
            surface: f64::INFINITY,
        };
        let expected = composite(&slices, &particles, ray).channels();
        let apart = |found: Composite| {
            let channels = expected.into_iter().zip(found.channels());
            let apart = channels.map(|(expected, found)| (expected - found).abs());
            apart.fold(0.0, f64::max)
        };
        assert!(apart(seen_through(&slices, &particles, ray)) < 1e-12);
        let off = apart(seen_through(&slices, &particles[1..], ray));
        assert!(off > 1e-12, "negative control");
    }
}
