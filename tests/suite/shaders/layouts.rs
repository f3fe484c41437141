//! Data shared by CPU and GPU has the same layouts and values on both: structs, vertex attributes, constants.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Mutex;

use wavelerp::frame::counters;
use wavelerp::frame::macro_tiles::{CHUNK, SCAN_TURN};
use wavelerp::frame::opaque::VERTEX_ATTRIBUTES;
use wavelerp::frame::project::PROJECT_GROUP;
use wavelerp::gpu::pipeline::pipelines::GROUPS_PER_ROW;
use wavelerp::gpu::shader::{Variant, spirv};
use wavelerp::live::inspect;
use wavelerp::model::items::{ItemKind, KINDS};
use wavelerp::model::layout;
use wavelerp::model::scene::{MOST_SHEETS, MOST_SLICES, SHEET_LIGHT_EDGE};
use wavelerp::report::range::DECADES;

use super::{for_every_case, shaders, validated};
use crate::docs::root;
use crate::harness::below;
use crate::oracles::lists::FOG_BIT;

/// Layout of a struct on the CPU or the GPU: fields with byte offsets, and the array stride.
#[derive(Clone, Debug, PartialEq)]
struct Layout {
    fields: Vec<(String, usize)>,
    size: usize,
}

/// Layouts of structs, each under its own name or its name in shaders.
macro_rules! layouts {
    ($($ty:ident $(as $name:literal)?,)*) => {
        BTreeMap::from([$({
            let name = [$($name,)? stringify!($ty)][0];
            let fields = $ty::fields().into_iter();
            let fields = fields.map(|(name, offset)| (name.to_owned(), offset)).collect();
            (name, Layout { fields, size: size_of::<$ty>() })
        },)*])
    };
}

/// Layouts of the CPU's structs under their names in shaders, without `Vertex`, which is not an element of a buffer.
#[rustfmt::skip]
fn cpu_layouts() -> BTreeMap<&'static str, Layout> {
    use layout::*;
    use wavelerp::frame::sort::SortJob;
    use wavelerp::live::debug::DebugJob;
    use wavelerp::live::inspect::ProbeJob;
    use wavelerp::live::metrics::{MetricsJob, MetricsPart};
    use wavelerp::runs::bench::lists::{FillJob, SyntheticLayer};
    layouts! {
        FrameUniform as "Frame", PresentUniform as "Present",
        Emitter, Particle, Sheet, SeenSheet, Splat, SplatPlace, HalfSplat, Gaussian, SplatSet, TriangleMaterial, Material,
        PointLight, SortJob, Range, SyntheticLayer, FillJob, ProbeJob, MetricsJob, MetricsPart, DebugJob,
    }
}

/// naga's layout of the struct called `name`, if the module has one.
fn gpu_layout(module: &naga::Module, name: &str) -> Option<Layout> {
    module.types.iter().find_map(|(_, ty)| match &ty.inner {
        naga::TypeInner::Struct { members, span } if ty.name.as_deref() == Some(name) => {
            let field = |member: &naga::StructMember| {
                let name = member.name.clone().unwrap_or_default();
                (name, member.offset as usize)
            };
            Some(Layout {
                fields: members.iter().map(field).collect(),
                size: *span as usize,
            })
        }
        _ => None,
    })
}

/// Compares every known struct of a module; returns the names found.
fn compare(
    module: &naga::Module,
    known: &BTreeMap<&'static str, Layout>,
) -> Result<Vec<&'static str>, String> {
    let mut found = Vec::new();
    for (&name, cpu) in known {
        match gpu_layout(module, name) {
            Some(gpu) if gpu == *cpu => found.push(name),
            Some(gpu) => return Err(format!("{name}: GPU {gpu:?}\nCPU {cpu:?}")),
            None => {}
        }
    }
    Ok(found)
}

#[test]
fn structs_lie_in_the_same_bytes_on_cpu_and_gpu() {
    let known = cpu_layouts();
    let seen = Mutex::new(BTreeSet::new());
    for_every_case(|shader| {
        let found = compare(&shader.checked.module, &known)?;
        seen.lock().expect("no thread panics").extend(found);
        Ok(())
    });
    let seen = seen.into_inner().expect("no thread panics");
    let unseen: Vec<_> = known.keys().filter(|name| !seen.contains(**name)).collect();
    assert!(unseen.is_empty(), "in no shader: {unseen:?}");
}

#[test]
fn every_shared_struct_is_compared() {
    let declared = |file: PathBuf| {
        let text = std::fs::read_to_string(file).expect("a source file");
        text.matches("\ngpu_struct! {").count()
    };
    let files = below(&root().join("src"))
        .into_iter()
        .filter(|path| path.is_file());
    let declared: usize = files.map(declared).sum();
    assert_eq!(cpu_layouts().len() + 1, declared, "all but Vertex");
}

#[test]
fn every_struct_in_a_buffer_is_compared() {
    let known = cpu_layouts();
    for_every_case(|shader| {
        let module = &shader.checked.module;
        for (_, variable) in module.global_variables.iter() {
            let element = match module.types[variable.ty].inner {
                _ if variable.binding.is_none() => continue,
                naga::TypeInner::Array { base, .. } => base,
                _ => variable.ty,
            };
            let ty = &module.types[element];
            let name = ty.name.as_deref().unwrap_or_default();
            let is_struct = matches!(ty.inner, naga::TypeInner::Struct { .. });
            if is_struct && !known.contains_key(name) {
                return Err(format!("{name} has no CPU layout to compare with"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_moved_field_or_another_size_is_found() {
    let module = &validated("frame/simulate").checked.module;
    let known = cpu_layouts();
    let names = vec!["Emitter", "Frame", "Particle"];
    assert_eq!(compare(module, &known), Ok(names));
    let is_found = |name: &str, change: fn(&mut Layout)| {
        let mut changed = known.clone();
        change(changed.get_mut(name).expect("known"));
        compare(module, &changed).is_err()
    };
    assert!(is_found("Emitter", |layout| layout.fields.swap(0, 1)));
    assert!(is_found("Frame", |layout| layout.fields[7].1 += 4));
    assert!(is_found("Particle", |layout| layout.size += 16));
}

/// Fields of an entry point's struct argument by location: name and number of f32.
fn locations(module: &naga::Module, entry: &str) -> BTreeMap<u32, (String, usize)> {
    let mut found = BTreeMap::new();
    let vector = |ty| match module.types[ty].inner {
        naga::TypeInner::Vector { size, .. } => size as usize,
        _ => 1,
    };
    let mut add = |binding: &Option<naga::Binding>, name: &Option<String>, ty| {
        if let Some(naga::Binding::Location { location, .. }) = binding {
            let name = name.clone().unwrap_or_default();
            found.insert(*location, (name, vector(ty)));
        }
    };
    let entry = module.entry_points.iter().find(|e| e.name == entry);
    for argument in entry.iter().flat_map(|entry| &entry.function.arguments) {
        match &module.types[argument.ty].inner {
            naga::TypeInner::Struct { members, .. } => members
                .iter()
                .for_each(|member| add(&member.binding, &member.name, member.ty)),
            _ => add(&argument.binding, &argument.name, argument.ty),
        }
    }
    found
}

/// Fields that `attributes` assign to each location, from the CPU's `Vertex`.
fn attributes(attributes: &[wgpu::VertexAttribute]) -> BTreeMap<u32, (String, usize)> {
    let fields = layout::Vertex::fields();
    let of_attribute = |attribute: &wgpu::VertexAttribute| {
        let field = fields.iter().find(|of| of.1 as u64 == attribute.offset);
        let name = field.map_or("between fields", |field| field.0);
        let floats = attribute.format.size() as usize / 4;
        (attribute.shader_location, (name.to_owned(), floats))
    };
    attributes.iter().map(of_attribute).collect()
}

#[test]
fn vertex_attributes_are_the_vertex_structs_fields() {
    let opaque = |entry: &str| {
        let mut of_opaque = shaders().iter().filter_map(|(name, shader)| {
            let is_opaque = name.starts_with("frame/opaque");
            shader.as_ref().ok().filter(|_| is_opaque)
        });
        let shader = of_opaque.find(|shader| shader.case.1.contains(&entry));
        locations(&shader.expect("a case").checked.module, entry)
    };
    let camera = opaque("camera_vertex");
    assert_eq!(camera, attributes(&VERTEX_ATTRIBUTES));
    assert_eq!(opaque("sun_vertex"), attributes(&VERTEX_ATTRIBUTES));
    // A moved attribute would be detected.
    let mut moved = VERTEX_ATTRIBUTES;
    moved[0].offset += 4;
    assert_ne!(camera, attributes(&moved));
}

#[test]
fn the_floats_of_a_triangle_are_where_the_shaders_read_them() {
    let fields = layout::Vertex::fields().into_iter();
    let mut expected: BTreeMap<String, Vec<u32>> = fields
        .map(|(name, at)| (format!("{}_AT", name.to_uppercase()), vec![at as u32 / 4]))
        .collect();
    let floats = size_of::<layout::Vertex>() as u32 / 4;
    expected.insert("VERTEX_FLOATS".to_owned(), vec![floats]);
    expected.insert("TRIANGLE_FLOATS".to_owned(), vec![3 * floats]);
    let names: Vec<&str> = expected.keys().map(String::as_str).collect();
    assert_eq!(constants("common/triangle", &names), expected);
}

/// Values of a module's `u32` constants; a vector has several.
fn constants(module: &'static str, names: &[&str]) -> BTreeMap<String, Vec<u32>> {
    let source = crate::shaders::source();
    let wgsl = source.resolve(&Variant::new(module), names);
    let wgsl = wgsl.expect("the module resolves");
    let checked = spirv::check(&wgsl, module).expect("the module validates");
    let module = &checked.module;
    let literal = |handle| match module.global_expressions[handle] {
        naga::Expression::Literal(naga::Literal::U32(value)) => value,
        ref other => panic!("not a u32: {other:?}"),
    };
    let value = |constant: &naga::Constant| match &module.global_expressions[constant.init] {
        naga::Expression::Compose { components, .. } => {
            components.iter().map(|&part| literal(part)).collect()
        }
        _ => vec![literal(constant.init)],
    };
    let named =
        |(_, constant): (_, &naga::Constant)| Some((constant.name.clone()?, value(constant)));
    module.constants.iter().filter_map(named).collect()
}

#[test]
fn constants_have_the_same_values_on_cpu_and_gpu() {
    let text = crate::shaders::source().file("common/counters");
    let text = text.expect("embedded");
    let declared = text.matches("\nconst ").count();
    let cpu = [
        ("VISIBLE", counters::VISIBLE),
        ("ENTRIES_NEEDED", counters::ENTRIES_NEEDED),
        ("ENTRIES", counters::ENTRIES),
        ("LONGEST_LIST", counters::LONGEST_LIST),
        ("LISTED_LAYERS", counters::LISTED_LAYERS),
        ("PLACED", counters::PLACED),
        ("ROOM", counters::ROOM),
        ("PAIRS", counters::PAIRS),
        ("COUNTER_STRIDE", counters::COUNTER_STRIDE as u32),
        ("ELEMENT_BLOCK", counters::ELEMENT_BLOCK),
        ("SORT_BLOCK", counters::SORT_BLOCK),
    ];
    let gpu = constants("common/counters", &cpu.map(|constant| constant.0));
    let cpu = cpu.map(|(name, value)| (name.to_owned(), vec![value]));
    assert_eq!(gpu, BTreeMap::from(cpu));
    assert_eq!(gpu.len(), declared, "a constant of the file is missing");
    let others = ["COUNTER_STRIDE", "ELEMENT_BLOCK", "SORT_BLOCK"];
    let is_slot = |(name, _): &(&String, &Vec<u32>)| !others.contains(&name.as_str());
    let slots = gpu.iter().filter(is_slot);
    let slots: BTreeSet<usize> = slots.map(|(_, value)| value[0] as usize).collect();
    assert!(slots.into_iter().eq(0..counters::COUNT));

    let flags = [
        ("SUN_SHADOWS", layout::flags::SUN_SHADOWS),
        ("FILMIC", layout::flags::FILMIC),
        ("ENCODED", layout::flags::ENCODED),
    ];
    let gpu_flags = constants("common/frame", &flags.map(|flag| flag.0));
    let flags = flags.map(|(name, bit)| (name.to_owned(), vec![bit]));
    assert_eq!(gpu_flags, BTreeMap::from(flags));

    let one = |module, name: &str| constants(module, &[name])[name].clone();
    assert_eq!(one("common/wave", "GROUPS_PER_ROW"), [GROUPS_PER_ROW]);
    let edge = one("common/sheet", "SHEET_LIGHT_EDGE");
    assert_eq!(edge, [SHEET_LIGHT_EDGE]);
    assert_eq!(one("common/macro_chunk", "CHUNK"), [CHUNK]);
    assert_eq!(one("common/sheet", "MOST_SHEETS"), [MOST_SHEETS as u32]);
    assert_eq!(one("layers/medium", "MOST_SLICES"), [MOST_SLICES]);
    assert_eq!(one("frame/bins", "SCAN_TURN"), [SCAN_TURN]);
    assert_eq!(one("frame/project/item", "GROUP"), [PROJECT_GROUP]);
    let kinds = ItemKind::ALL.map(|kind| kind as u32);
    let names = ["PARTICLE", "CELL", "GAUSSIAN"].map(|name| one("common/items", name)[0]);
    assert_eq!(
        (names, one("common/items", "KINDS")),
        (kinds, vec![KINDS as u32])
    );
    assert_eq!(one("common/listed_layer", "FOG"), [inspect::FOG]);
    assert_eq!(one("inspect/metrics", "DECADES"), [DECADES as u32]);
    assert_eq!(inspect::FOG, FOG_BIT);
    assert_ne!(gpu["VISIBLE"], gpu["ENTRIES"], "values are told apart");
}

#[test]
fn a_probed_layer_is_the_four_vectors_that_the_kernel_writes() {
    assert_eq!(size_of::<inspect::ProbedLayer>(), 4 * 16);
    assert_eq!(std::mem::offset_of!(inspect::ProbedLayer, depth), 16);
    assert_eq!(std::mem::offset_of!(inspect::ProbedLayer, own), 32);
    assert_eq!(std::mem::offset_of!(inspect::ProbedLayer, fog), 48);
}
