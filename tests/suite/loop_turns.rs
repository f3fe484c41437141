//! Some drivers stop a shader after so many loop turns and return wrong numbers: no dispatch of the
//! composite can come to that limit.

use wavelerp::gpu::Capabilities;
use wavelerp::methods::{Hazard, Method, Specialization};
use wavelerp::render::composite::layers_per_dispatch;

use crate::shaders::capabilities;

/// As software Vulkan: all turns of all loops count together, and the turn that finds that a loop is
/// over is one of them.
const LIMIT: u64 = 65_535;

/// Turns that one invocation makes, counted loop by loop as the method's shader has them.
fn turns(method: Method, pixels: u64, layers: u64, wave: u64) -> u64 {
    let with_end = |body: u64| body + 1;
    let groups = layers.div_ceil(wave);
    match method {
        Method::PixelLoop => with_end(layers),
        Method::ReadLaneLoop => {
            let whole = layers / wave * with_end(wave);
            let rest = layers % wave;
            let lanes = whole + if rest > 0 { with_end(rest) } else { 0 };
            with_end(pixels * (1 + with_end(groups) + lanes))
        }
        _ if method.is_drawn() => 0,
        _ => with_end(pixels * (1 + with_end(groups))),
    }
}

fn specialization(method: Method, tile: u32, pixels_per_wave: u32) -> Specialization {
    Specialization {
        method,
        tile,
        pixels_per_wave,
        hazard: Hazard::Driver,
        early_out: true,
        table: false,
    }
}

fn software(wave: u32) -> Capabilities {
    Capabilities {
        draws_with_depth: true,
        loop_turns: Some(LIMIT as u32),
        is_cpu: true,
        ..capabilities(wave, true)
    }
}

#[test]
fn no_dispatch_can_come_to_the_limit() {
    let mut failures = Vec::new();
    for method in Method::all() {
        for wave in [4, 8, 16, 32, 64, 128] {
            for (tile, pixels) in [(8, 0..=6), (16, 0..=8)]
                .into_iter()
                .flat_map(|(tile, powers)| powers.map(move |power| (tile, 1 << power)))
            {
                let of = specialization(method, tile, pixels);
                let layers = layers_per_dispatch(&software(wave), &of);
                let turns = turns(
                    method,
                    u64::from(pixels),
                    u64::from(layers),
                    u64::from(wave),
                );
                if turns >= LIMIT || layers == 0 {
                    failures.push(format!(
                        "{of:?} wave {wave}: {layers} layers, {turns} turns"
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn work_is_not_split_more_than_needed() {
    for method in Method::all() {
        let of = specialization(method, 8, 1);
        assert!(layers_per_dispatch(&software(4), &of) > 30_000, "{method}");
        let unlimited = capabilities(4, true);
        assert_eq!(layers_per_dispatch(&unlimited, &of), u32::MAX);
    }
}

#[test]
fn the_count_of_turns_sees_a_list_that_is_too_long() {
    assert!(turns(Method::PixelLoop, 1, 65_535, 4) > LIMIT);
    assert!(turns(Method::ReadLaneLoop, 64, 1000, 4) > LIMIT);
    assert!(turns(Method::ReadLaneLoop, 64, 1000, 4) > turns(Method::ReadLaneLoop, 64, 1000, 8));
    assert!(turns(Method::WaveLerpPadded, 64, 1000, 4) < LIMIT);
}
