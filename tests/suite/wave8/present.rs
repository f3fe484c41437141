//! Displayed differences match the metrics and the colours of difference pictures. Each test presents a row of pixels,
//! made for the purpose, into a texture.

use wavelerp::gpu::pipeline::draw::Draw;
use wavelerp::gpu::shader::Variant;
use wavelerp::gpu::{Binds, filled_buffer, read_texture, storage_buffer, texture, uniform_buffer};
use wavelerp::model::layout::PresentUniform;
use wavelerp::report::canvas::Rgb;
use wavelerp::report::range::DifferenceRange;
use wavelerp::report::scale;
use wavelerp::report::scale::NOT_FINITE;

use wavelerp::viewer::view::{ONLY_A, ONLY_B, RAMP, View};

use crate::harness::Harness;

/// Colours of a row of pixels in a view, given the red values of A and B; the other channels are empty.
pub fn shown(view: View, pixels: &[[f32; 2]]) -> Vec<Rgb> {
    shown_split(view, ONLY_A, pixels)
}

/// Like [`shown`], with A on the fraction `split` of the width.
fn shown_split(view: View, split: f32, pixels: &[[f32; 2]]) -> Vec<Rgb> {
    shown_in(DifferenceRange::default(), view, split, pixels)
}

/// Like [`shown_split`], for differences in a range.
fn shown_in(range: DifferenceRange, view: View, split: f32, pixels: &[[f32; 2]]) -> Vec<Rgb> {
    let harness = Harness::new();
    let gpu = &harness.gpu;
    let size = [pixels.len() as u32, 1];
    let [low, high] = range.exponents().map(|exponent| exponent as f32);
    let uniform = PresentUniform {
        scale: [1.0; 2],
        size,
        mode: view.mode(),
        split: split * size[0] as f32,
        amplify: 1.0,
        low,
        high,
        ramp: RAMP.map(|[r, g, b]| [r, g, b, 1.0]),
        ..PresentUniform::default()
    };
    let uniform = uniform_buffer(gpu, "present", &uniform);
    let composite = |side: usize| {
        let values = pixels.iter().map(|pixel| [pixel[side], 0.0, 0.0, 0.0]);
        let values: Vec<[f32; 4]> = values.collect();
        filled_buffer(gpu, "composite", &values)
    };
    let [a, b] = [composite(0), composite(1)];
    let debug = storage_buffer(gpu, "debug values", 16);
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let image = |usage| texture(gpu, "image", [size[0], size[1], 1], format, usage);
    let resolved = image(wgpu::TextureUsages::TEXTURE_BINDING).create_view(&Default::default());
    let target = image(wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC);
    let binds = Binds::new([
        ("present", uniform.as_entire_binding()),
        ("composites_a", a.as_entire_binding()),
        ("composites_b", b.as_entire_binding()),
        ("resolved_a", wgpu::BindingResource::TextureView(&resolved)),
        ("resolved_b", wgpu::BindingResource::TextureView(&resolved)),
        ("debug_values", debug.as_entire_binding()),
    ]);
    let draw = Draw {
        label: "present",
        vertex: "cover",
        fragment: Some(match view {
            View::Picture => "show_picture",
            _ => "show",
        }),
        stages: wgpu::ShaderStages::FRAGMENT,
        primitive: Default::default(),
        vertices: None,
        depth: None,
        targets: vec![format.into()],
    };
    let pipeline = harness
        .pipelines
        .draw(gpu, &Variant::new("inspect/present"), &draw);
    let mut encoder = gpu.encoder("present");
    let view = target.create_view(&Default::default());
    let mut pass = encoder
        .begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: Default::default(),
            })],
            ..Default::default()
        })
        .forget_lifetime();
    let pipeline = pipeline.expect("the shader compiles");
    pipeline.set(&mut pass, &[&binds]).expect("all bound");
    pass.draw(0..3, 0..1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
    let bytes = read_texture(gpu, &target).expect("the row is read back");
    bytes.chunks_exact(4).map(|p| [p[0], p[1], p[2]]).collect()
}

/// True if two colours are equal except for rounding of a channel.
fn alike(a: Rgb, b: Rgb) -> bool {
    a.into_iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 1)
}

#[test]
fn a_picture_that_is_all_of_one_method_has_no_line_at_its_edges() {
    let row = |split| shown_split(View::Picture, split, &[[0.0; 2]; 8]);
    let black = vec![[0; 3]; 8];
    assert_eq!(row(ONLY_A), black);
    assert_eq!(row(ONLY_B), black);
    assert_ne!(row(0.5), black, "negative control: a split has a line");
}

#[test]
fn ulps_are_measured_at_b_which_the_metrics_call_the_reference() {
    // The values are just below 1, where a ULP is half as large, and just above.
    let step = f32::powi(2.0, -20);
    let values = [1.0 - step, 1.0 + step, 1.0 + 2.0 * step];
    let colours = shown(View::Ulp, &values.map(|value| [value, 1.0]));
    assert!(alike(colours[0], colours[1]), "{colours:?}");
    // Negative control.
    assert!(!alike(colours[1], colours[2]), "{colours:?}");
}

#[test]
fn a_difference_has_the_colour_that_its_picture_gives_it() {
    let differences = [1e-12, 1e-9, 3e-8, 2e-6, 1e-4, 7e-3, 0.3, 1.0, 5.0];
    let pixels = differences.map(|difference| [difference, 0.0]);
    let mut seen = Vec::new();
    for range in [(-9, 0), (-7, -3), (-12, 6)] {
        let range = DifferenceRange::new(range.0, range.1).expect("a range");
        let colours = shown_in(range, View::Log, ONLY_A, &pixels);
        for (difference, colour) in differences.into_iter().zip(&colours) {
            let saved = scale::colour(difference, range);
            assert!(alike(*colour, saved), "{difference}: {colour:?}, {saved:?}");
        }
        seen.push(colours);
    }
    assert_ne!(seen[0], seen[1], "negative control: the range is used");
}

#[test]
fn equal_pixels_and_those_that_are_not_finite_have_the_colours_of_difference_pictures() {
    let infinite = [[f32::INFINITY, 0.5], [0.5, f32::NEG_INFINITY]];
    let pixels = [[0.5; 2], infinite[0], infinite[1], [f32::NAN, 0.5]];
    for view in [View::Log, View::Ulp] {
        let colours = shown(view, &pixels);
        assert!(alike(colours[0], scale::EQUAL), "{view:?}: {colours:?}");
        assert_eq!(colours[1..], [NOT_FINITE; 3], "{view:?}");
    }
}
