//! Every shader in every variant: it validates, it translates for every back end, its structs are
//! laid out as the CPU's, and each method's code is what the method's name says.

use std::collections::BTreeMap;

use wavelerp::gpu::layout;
use wavelerp::gpu::shader::{ShaderSource, Variant};
use wavelerp::gpu::spirv;
use wavelerp::methods::{Hazard, Method};

/// A shader variant and the entry points that are used together.
type Case = (Variant, Vec<&'static str>);

/// All composite variants of one method.
fn composite_variants(method: Method) -> Vec<Variant> {
    let module = method.entry().module;
    let mut variants = Vec::new();
    for (tile, pixels) in [(8, 1), (8, 32), (16, 64)] {
        for hazard in [Hazard::Driver, Hazard::Division, Hazard::Guarded] {
            for early_out in [false, true] {
                for table in [false, true] {
                    let variant = Variant::new(module)
                        .with("TILE", tile)
                        .with("PIXELS_PER_WAVE", pixels)
                        .with("WORKGROUP", 64)
                        .with_bool("EARLY_OUT", early_out)
                        .feature(hazard.name(), true)
                        .feature("table", table);
                    variants.push(variant.clone().feature("wave", true));
                    if !method.uses_waves() {
                        variants.push(variant);
                    }
                }
            }
        }
    }
    variants
}

/// Every shader with entry points in every variant that the program makes.
fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for method in Method::all() {
        for variant in composite_variants(method) {
            cases.push((variant, vec!["composite"]));
        }
    }
    for wave in [false, true] {
        for entry in ["reduce", "spine", "apply"] {
            cases.push((Variant::new("scan").feature("wave", wave), vec![entry]));
        }
        for entry in ["count", "scatter"] {
            for tile in [8, 16] {
                let variant = Variant::new("project").with("TILE", tile);
                cases.push((variant.feature("wave", wave), vec![entry]));
            }
        }
        for (bits, waves) in [(4, 256), (4, 64), (8, 8)] {
            for entry in ["histogram", "scatter"] {
                let variant = Variant::new("radix_sort")
                    .with("RADIX_BITS", bits)
                    .with("MAX_WAVES", waves);
                cases.push((variant.feature("wave", wave), vec![entry]));
            }
        }
        for module in ["largest_radiance", "probe"] {
            let variant = Variant::new(module)
                .with("TILE", 8)
                .with("PIXELS_PER_WAVE", 1)
                .with("WORKGROUP", 64)
                .with_bool("EARLY_OUT", false);
            cases.push((variant.feature("wave", wave), vec![module]));
        }
    }
    for (module, entries) in [
        ("simulate", vec!["simulate"]),
        (
            "lists",
            vec![
                "count_tiles",
                "emit",
                "find_starts",
                "merge_splats",
                "merge_slices",
            ],
        ),
        ("fog", vec!["froxels", "light_splats"]),
        ("resolve", vec!["resolve"]),
    ] {
        for entry in entries {
            cases.push((Variant::new(module), vec![entry]));
        }
    }
    for entry in ["for_splats", "for_entries"] {
        cases.push((Variant::new("arguments").with("RADIX_BITS", 4), vec![entry]));
    }
    cases.push((Variant::new("opaque"), vec!["camera_vertex", "surface"]));
    cases.push((Variant::new("opaque"), vec!["sun_vertex"]));
    cases
}

/// Runs `check` on every case and fails with all failures at once.
fn for_every_case(check: impl Fn(&Case, &str, &spirv::Checked) -> Result<(), String>) {
    let source = ShaderSource::default();
    let mut failures = Vec::new();
    for case in cases() {
        let name = format!("{} {:?}", case.0.key(), case.1);
        let result = source
            .resolve(&case.0, &case.1)
            .and_then(|wgsl| spirv::check(&wgsl, &name).map(|shader| (wgsl, shader)))
            .map_err(|error| error.to_string())
            .and_then(|(wgsl, shader)| check(&case, &wgsl, &shader));
        if let Err(failure) = result {
            failures.push(format!("{name}:\n{failure}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}

#[test]
fn every_shader_validates_in_every_variant() {
    for_every_case(|case, _, shader| {
        let found: Vec<_> = shader
            .module
            .entry_points
            .iter()
            .map(|e| e.name.as_str())
            .collect();
        match case.1.iter().all(|entry| found.contains(entry)) {
            true => Ok(()),
            false => Err(format!("entry points are {found:?}")),
        }
    });
}
