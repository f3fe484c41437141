//! Each method on given layers: the frame's own kernels against f64.

use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::ShaderSource;
use wavelerp::methods::Hazard;
use wavelerp::verify::checks::{CheckOptions, run};
use wavelerp::verify::facts::facts;
use wavelerp::verify::faults::Fault;

use super::Harness;

fn options(pixels_per_wave: u32, fault: Option<Fault>) -> CheckOptions {
    CheckOptions {
        hazard: Hazard::Driver,
        tile: 8,
        pixels_per_wave,
        seed: 7,
        fault,
    }
}

#[test]
fn a_shader_reads_the_expected_wave_size() {
    let harness = Harness::new();
    let facts = facts(&harness.gpu, &harness.pipelines).expect("facts");
    let Ok(expected) = std::env::var("WAVELERP_EXPECT_WAVE") else {
        return assert!(facts.wave_size.is_some(), "a wave size was read");
    };
    assert_eq!(facts.wave_size.map(|size| size.to_string()), Some(expected));
}

#[test]
fn every_method_meets_its_bound_on_every_stress_list() {
    let harness = Harness::new();
    for (pixels_per_wave, hazard) in [
        (1, Hazard::Driver),
        (8, Hazard::Driver),
        (64, Hazard::Driver),
        (8, Hazard::Guarded),
    ] {
        let options = CheckOptions {
            hazard,
            ..options(pixels_per_wave, None)
        };
        let checks = run(
            &harness.gpu,
            &harness.pipelines,
            &harness.methods(),
            &options,
            |_| (),
        )
        .expect("the checks run");
        assert!(checks.len() >= harness.methods().len() * 63);
        let failed: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
        assert!(failed.is_empty(), "{options:?}: {failed:#?}");
    }
}

#[test]
fn every_planted_fault_is_caught() {
    let harness = Harness::new();
    for fault in [Fault::LastLane, Fault::Swap, Fault::Carry, Fault::Pixel] {
        let pipelines = Pipelines::new(ShaderSource {
            edits: fault.edits(),
            ..Default::default()
        });
        let checks = run(
            &harness.gpu,
            &pipelines,
            &harness.methods(),
            &options(8, Some(fault)),
            |_| (),
        )
        .expect("the checks run");
        assert!(
            checks.iter().any(|check| !check.passed),
            "{fault:?} was not caught"
        );
    }
}
