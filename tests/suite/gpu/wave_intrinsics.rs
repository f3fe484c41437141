//! The third table of `verify` at this adapter's wave size has every intrinsic of the wave library with every type and
//! every kind of active lanes. `controls` tests that each planted fault is found where it was planted.

mod controls;
mod lerps;

use clap::ValueEnum as _;
use wavelerp::gpu::Pipelines;
use wavelerp::gpu::shader::Edit;
use wavelerp::runs::verify::library::cases::MaskKind;
use wavelerp::runs::verify::library::table::{Kernel, TABLE, Type};
use wavelerp::runs::verify::library::{LibraryCheck, run};

use crate::harness::Harness;

/// All rows of the table, with `edits` planted in the shaders.
fn table(harness: &Harness, seed: u32, edits: Vec<Edit>) -> Vec<LibraryCheck> {
    part(harness, Kernel::value_variants(), seed, edits)
}

/// Rows of the table for some kernels.
fn part(harness: &Harness, kernels: &[Kernel], seed: u32, edits: Vec<Edit>) -> Vec<LibraryCheck> {
    let own = (!edits.is_empty()).then(|| Pipelines::new(crate::shaders::edited(edits)));
    let pipelines = own.as_ref().unwrap_or(&harness.pipelines);
    run(&harness.gpu, pipelines, kernels, seed, |_| Ok(())).expect("the work runs")
}

#[test]
fn every_intrinsic_in_every_type_is_right_for_every_kind_of_active_lanes() {
    let harness = Harness::new();
    for seed in [1, 2] {
        let checks = table(&harness, seed, Vec::new());
        let wrong: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
        assert!(wrong.is_empty(), "{} are wrong: {wrong:#?}", wrong.len());
        if let Ok(size) = std::env::var("WAVELERP_EXPECT_WAVE") {
            let mut sizes = checks.iter().map(|check| check.wave_size.to_string());
            assert!(sizes.all(|found| found == size), "not all run at {size}");
        }
        for entry in &TABLE {
            let has = |ty: &&Option<Type>| **ty != Some(Type::F16) || harness.gpu.caps.half_floats;
            for &ty in entry.kernel.types().iter().filter(has) {
                let own = |check: &&LibraryCheck| check.intrinsic == entry.name && check.ty == ty;
                let kinds = checks.iter().filter(own).map(|check| check.active_lanes);
                let mut wanted = MaskKind::value_variants().to_vec();
                // A wave of a single quad has no first quads that are only a part of it.
                let one_quad = entry.kernel == Kernel::Quad && harness.gpu.caps.wave_max == 4;
                wanted.retain(|kind| !one_quad || *kind != MaskKind::Ragged);
                assert_eq!(kinds.collect::<Vec<_>>(), wanted, "{} {ty:?}", entry.name);
            }
        }
    }
}
