//! Every shader in every variant: none is forgotten, each is valid, and structs and constants match the CPU's. Every
//! line of a module can be translated for every back end and compiles in browsers.

mod back_ends;
mod coverage;
mod folders;
mod layouts;
mod library;
mod limits;
mod tint;
mod workgroup_memory;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread::ScopedJoinHandle;

use clap::ValueEnum;
use wavelerp::frame::unsorted::{self, UnsortedKind};
use wavelerp::frame::{FrameShape, lists, project};
use wavelerp::gpu::shader::spirv::Checked;
use wavelerp::gpu::shader::{Edit, ShaderSource, Variant, spirv};
use wavelerp::methods::{BenchAxes, Specialization};
use wavelerp::model::items::{ItemCounts, ItemKind};
use wavelerp::model::methods::{Cost, Kinds, ListKind, Method, Source, Stored, Trait};
use wavelerp::model::options::{Dial, Hazard, Options, Precision, SplatOrder};
use wavelerp::model::{Capabilities, Feature};
use wavelerp::runs::codegen::assumed;
use wavelerp::runs::verify::library::table::Kernel;
use wavelerp::runs::verify::library::variant as library_variant;

/// A shader variant and the entry points that are used together.
pub type Case = (Variant, Vec<&'static str>);

/// The WGSL of a case, parsed and validated.
pub struct Shader {
    pub case: Case,
    pub wgsl: String,
    pub checked: Checked,
}

/// The program's shaders for all tests: the embedded ones, overridden by the folder named in the environment variable
/// `WAVELERP_SHADERS`. The program reads the same variable, so a fault can be planted in a copy of the folder and
/// tested without a new build.
pub fn source() -> ShaderSource {
    ShaderSource {
        folder: std::env::var_os("WAVELERP_SHADERS").map(PathBuf::from),
        ..ShaderSource::default()
    }
}

/// The program's shaders with edits.
pub fn edited(edits: impl IntoIterator<Item = Edit>) -> ShaderSource {
    ShaderSource {
        edits: edits.into_iter().collect(),
        ..source()
    }
}

/// Folder of shaders that tests copy and edit as text.
pub fn folder() -> PathBuf {
    let checkout = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("shaders");
    source().folder.unwrap_or(checkout)
}

/// Writes every shader of `source` to a folder, where a test edits the files.
pub fn write(source: &ShaderSource, folder: &Path) {
    for module in ShaderSource::modules() {
        let path = folder.join(format!("{module}.wesl"));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        let text = source.file(&module).expect("there is such a shader");
        std::fs::write(path, text).expect("the shader is written");
    }
}

/// Shaders of the tests, in addition to the program's.
pub fn test_source() -> ShaderSource {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/shaders");
    ShaderSource {
        texts: wavelerp::gpu::shader::folder::read(&own),
        ..source()
    }
}

/// A fictitious adapter: waves of up to `wave_max` lanes (1: none).
pub fn capabilities(wave_max: u32, native_spirv: bool) -> Capabilities {
    Capabilities {
        name: "made up".to_owned(),
        wave_min: wave_max.min(4),
        waves: wave_max > 1,
        native_spirv,
        max_binding_bytes: 1 << 30,
        max_texture_edge: 8192,
        max_texture_layers: 2048,
        ..assumed(wave_max, "vulkan")
    }
}

/// Every specialization of a method that settings can request, at each set of options that a benchmark times.
fn specializations(method: Method, caps: &Capabilities) -> Vec<Specialization> {
    let dials: Vec<Dial> = Dial::all().collect();
    let at = BenchAxes {
        pixels_per_wave: &[1, 32],
        dials: &dials,
        approximations: true,
    };
    let usual = Specialization::new(method);
    let mut places = usual.kernel().timed_at(&usual, &at, caps);
    // This option adds a buffer, and no benchmark times it.
    if method == Method::Stochastic {
        places.push(
            usual
                .options
                .with_method(|method| method.stochastic.accumulate = 2),
        );
    }
    let mut all = Vec::new();
    for (index, place) in places.iter().enumerate() {
        let is_end = index == 0 || index + 1 == places.len();
        for (tile, early_out) in [(8, 0.0), (8, 0.5), (16, 0.0)] {
            let hazards: &[Hazard] = if method.uses_prefix_product() {
                Hazard::value_variants()
            } else {
                &[Hazard::Driver]
            };
            for &hazard in hazards {
                let plain = tile == 8 && early_out == 0.0 && hazard == Hazard::Driver;
                let takes_half = method.has(Trait::TakesHalf);
                // Shaders have patches only with these sizes and methods.
                let in_patches = tile == 16 && takes_half;
                // A layer does not depend on how a product is formed, when a walk ends, or what a pixel stores.
                let is_used = |source: &Source| match source {
                    Source::Frame(kinds) if *kinds == Kinds::default() => {
                        plain || is_end || method.is_exact()
                    }
                    Source::Table => method.is_exact() || plain && is_end,
                    Source::Synthetic(..) => plain && is_end && method.is_exact(),
                    Source::Gaussians(_) | Source::Cloud(_) if in_patches => true,
                    _ => plain && is_end,
                };
                for source in sources().into_iter().filter(is_used) {
                    let options = place
                        .with_frame(|frame| (frame.tile, frame.early_out) = (tile, early_out))
                        .with_method(|method| method.hazard = hazard);
                    let precisions = [Precision::Full, Precision::Half];
                    let halves = takes_half && (plain || in_patches);
                    for precision in precisions.into_iter().take(1 + usize::from(halves)) {
                        let options = options.with_frame(|frame| frame.precision = precision);
                        all.push(Specialization {
                            source,
                            ..options.specialize(method)
                        });
                    }
                }
            }
        }
    }
    all
}

/// True for a source that is checked with only a few other settings: it changes only the evaluation of layers.
fn is_special(source: Source) -> bool {
    match source {
        Source::Frame(kinds) => kinds.has(ItemKind::Cell),
        Source::Synthetic(..) | Source::Gaussians(_) => true,
        Source::Table | Source::Cloud(_) => false,
    }
}

/// Every source of layers used with methods.
fn sources() -> Vec<Source> {
    let kinds = |crowd, sheets, gaussians| {
        Source::Frame(Kinds {
            crowd,
            items: [false, sheets, gaussians],
            integrated: false,
        })
    };
    let integrated = Source::Frame(Kinds {
        items: [false, true, true],
        integrated: true,
        crowd: false,
    });
    let mut all = vec![
        Source::default(),
        kinds(true, false, false),
        kinds(false, true, false),
        kinds(false, true, true),
        integrated,
        Source::Gaussians(Stored::Whole),
        Source::Gaussians(Stored::Halves),
        Source::Table,
        Source::Cloud(Stored::Whole),
        Source::Cloud(Stored::Halves),
    ];
    for cost in [Cost::Cheap, Cost::Textured, Cost::Procedural] {
        for kind in [ListKind::Particles, ListKind::Fog, ListKind::Mixed] {
            all.push(Source::Synthetic(cost, kind));
        }
    }
    all
}

/// All parts of a method in all variants, on adapters with and without waves and native opcodes.
fn cases_of(method: Method) -> Vec<Case> {
    let adapters = [(32, true), (32, false), (128, true), (1, false)];
    let mut cases: Vec<Case> = Vec::new();
    for caps in adapters.map(|(wave, native)| capabilities(wave, native)) {
        if method.uses_waves() && !caps.waves {
            continue;
        }
        let few = !caps.native_spirv && caps.waves || caps.wave_max > 32;
        let is_new = |of: &Specialization| !(few && is_special(of.source));
        let all = specializations(method, &caps).into_iter().filter(is_new);
        let parts = all.flat_map(|specialization| specialization.parts(&caps));
        cases.extend(parts.map(|part| (part.variant, part.together.to_vec())));
    }
    let mut seen = BTreeSet::new();
    cases.retain(|case| seen.insert(name_of(case)));
    cases
}

/// Shaders that exist with and without wave operations.
fn wave_cases(wave: bool) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (bits, waves) in [(1, 8), (4, 256), (6, 64), (8, 16), (9, 8)] {
        for entry in ["histogram", "scan"] {
            let variant = Variant::new("frame/radix_sort").with("RADIX_BITS", bits);
            cases.push((variant, vec![entry]));
        }
        for values_only in [false, true] {
            let variant = Variant::new("frame/radix_scatter")
                .with("RADIX_BITS", bits)
                .with("MAX_WAVES", waves)
                .feature(Feature::ValuesOnly, values_only);
            cases.push((variant, vec!["scatter"]));
        }
    }
    let caps = capabilities(if wave { 32 } else { 1 }, true);
    let order = |by_distance| match by_distance {
        false => SplatOrder::Depth,
        true => SplatOrder::Distance,
    };
    for (tile, gaussians, stored, mip) in [
        (8, 0, Stored::Whole, false),
        (16, 0, Stored::Halves, false),
        (8, 1, Stored::Halves, true),
        (16, 1, Stored::Whole, false),
    ] {
        let shape = FrameShape {
            tile,
            counts: ItemCounts::new(|kind| {
                if kind == ItemKind::Gaussian {
                    gaussians
                } else {
                    1
                }
            }),
            splat_order: order(mip),
            stored,
            mip,
            ..FrameShape::default()
        };
        let fits = |kind: &ItemKind| stored == Stored::Whole || kind.fits_halves();
        for kind in shape.counts.kinds().filter(fits) {
            let (variant, entry) = project::project_variant(&caps, &shape, kind);
            cases.push((variant, vec![entry]));
        }
    }
    for (solids, other) in [(false, false), (false, true), (true, false), (true, true)] {
        let shape = FrameShape {
            slices: other.into(),
            splat_order: order(other),
            counts: ItemCounts::only(ItemKind::Gaussian, other.into()),
            solids: solids.into(),
            ..FrameShape::default()
        };
        for entry in ["scan_bins", "bin"] {
            cases.push((lists::bins_variant(&caps, &shape), vec![entry]));
        }
        let of_lists = |module| lists::variant(module, &caps, &shape);
        cases.push((of_lists("frame/lists"), vec!["list_tiles"]));
        cases.push((of_lists("frame/deal_chunks"), vec!["deal_chunks"]));
        cases.push((lists::join_variant(&shape), vec!["join"]));
        let any = unsorted::variant("frame/append_tiles", &caps, &shape, UnsortedKind::Any);
        cases.push((any, vec!["append_tiles"]));
        for (shuffled, stored, kind, by_order_camera) in [
            (false, Stored::Whole, UnsortedKind::Unsorted, false),
            (true, Stored::Whole, UnsortedKind::Unsorted, false),
            (false, Stored::Whole, UnsortedKind::Coarse, false),
            (true, Stored::Whole, UnsortedKind::Coarse, true),
            (false, Stored::Halves, UnsortedKind::Coarse, true),
        ] {
            let shape = FrameShape {
                shuffled,
                stored,
                key_bits: 8,
                by_order_camera,
                ..shape
            };
            for (module, entry) in [
                ("frame/unsorted_pairs", "count_pairs"),
                ("frame/unsorted_pairs", "place_blocks"),
                ("frame/unsorted_pairs", "put_pairs"),
                ("frame/append_tiles", "append_tiles"),
            ] {
                cases.push((unsorted::variant(module, &caps, &shape, kind), vec![entry]));
            }
        }
    }
    for (module, entry) in [
        ("inspect/largest_radiance", "largest_radiance"),
        ("inspect/probe", "probe"),
        ("inspect/debug_view", "early_out"),
        ("inspect/debug_view", "debug_view"),
    ] {
        for (tile, gaussians, integrated) in [
            (8, false, false),
            (16, false, false),
            (8, true, false),
            (8, false, true),
        ] {
            let variant = Variant::new(module)
                .with("TILE", tile)
                .feature(Feature::Gaussians, gaussians)
                .feature(Feature::Integrated, integrated)
                .with("PIXELS_PER_WAVE", 1)
                .with("WORKGROUP", 64)
                .with_bool("EARLY_OUT", false);
            cases.push((variant, vec![entry]));
        }
    }
    if wave {
        let variant = Variant::new("bench/integrate_wave").with("WORKGROUP", 128);
        cases.push((variant, vec!["integrate"]));
    }
    cases.push((Variant::new("inspect/facts"), vec!["facts"]));
    cases.push((Variant::new("frame/integrate"), vec!["integrate"]));
    let fog_behind = Variant::new("frame/fog_behind").with("TILE", 8);
    let fog_behind = fog_behind.feature(Feature::Integrated, true);
    cases.push((fog_behind, vec!["fog_behind"]));
    cases
        .into_iter()
        .map(|(variant, entries)| (variant.feature(Feature::Wave, wave), entries))
        .collect()
}

/// The kernels that check the wave library, for every type.
fn library_cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for &kernel in Kernel::value_variants() {
        let types = kernel.types().iter();
        cases.extend(types.map(|ty| (library_variant(kernel, *ty), vec![kernel.shader().1])));
    }
    cases
}

/// Every shader that has entry points, in every variant that the program makes.
pub fn cases() -> Vec<Case> {
    let methods = Method::all().filter(|method| *method != Method::Auto);
    let mut cases: Vec<Case> = methods.flat_map(cases_of).collect();
    // No benchmark times the method with this frame option.
    let summed = Options::default().with_method(|own| own.stochastic.accumulate = 2);
    let summed = summed.specialize(Method::Stochastic);
    let parts = summed.parts(&capabilities(32, false)).into_iter();
    cases.extend(parts.map(|part| (part.variant, part.together.to_vec())));
    cases.extend([false, true].into_iter().flat_map(wave_cases));
    for tile in [8, 16] {
        let limits = Variant::new("frame/tile_limits").with("TILE", tile);
        cases.push((limits, vec!["limit_tiles"]));
    }
    let caps = capabilities(32, true);
    let shape = FrameShape {
        slices: 1,
        ..FrameShape::default()
    };
    let merged = lists::variant("frame/merge_slices", &caps, &shape);
    cases.push((merged, vec!["merge_slices"]));
    cases.push((lists::sort_variant(&caps), vec!["sort_chunks"]));
    let light = Stored::Halves.features(Variant::new("frame/gaussian_light"));
    cases.push((light, vec!["light_gaussians"]));
    for (module, entries) in [
        ("frame/simulate", "simulate"),
        ("frame/fog", "froxels"),
        ("frame/particle_light", "light_particles"),
        ("frame/sheet_light", "light_sheets"),
        ("frame/gaussian_light", "light_gaussians"),
        ("frame/surface", "shade"),
        ("frame/solids", "set_up cover"),
        ("frame/bloom", "bright down up"),
        ("frame/resolve", "resolve"),
        ("inspect/behind", "behind"),
        ("inspect/metrics", "metrics"),
        ("bench/integrate_column", "integrate"),
        ("frame/stream", "stream_start"),
        ("frame/antialias", "antialias"),
        ("bench/fill_synthetic", "fill_synthetic"),
        ("bench/clock", "turn"),
    ] {
        for entry in entries.split(' ') {
            cases.push((Variant::new(module), vec![entry]));
        }
    }
    cases.extend(library_cases());
    for (module, stages) in [
        ("frame/opaque", "camera_vertex triangle_seen"),
        ("frame/opaque", "sun_vertex"),
        (
            "frame/opaque",
            "material_camera_vertex material_triangle_seen",
        ),
        ("frame/opaque", "material_sun_vertex material_from_sun"),
        ("inspect/present", "cover show"),
        ("inspect/present", "cover show_picture"),
        ("inspect/present", "cover show_enlarged"),
    ] {
        cases.push((Variant::new(module), stages.split(' ').collect()));
    }
    let materials = Variant::new("frame/surface").feature(Feature::Materials, true);
    cases.push((materials, vec!["shade"]));
    cases
}

/// Name of a case in messages.
pub fn name_of(case: &Case) -> String {
    format!("{} {:?}", case.0.key(), case.1)
}

/// Resolves, parses and validates a case.
pub fn shader(source: &ShaderSource, case: &Case) -> Result<Shader, String> {
    let wgsl = source.resolve(&case.0, &case.1);
    let wgsl = wgsl.map_err(|error| error.to_string())?;
    let checked = spirv::check(&wgsl, &name_of(case)).map_err(|error| error.to_string())?;
    Ok(Shader {
        case: case.clone(),
        wgsl,
        checked,
    })
}

#[test]
fn a_shader_of_several_entry_points_is_the_same_text_every_time() {
    let case = cases_of(Method::FixedFunction).swap_remove(0);
    assert!(case.1.len() > 1, "{case:?}");
    let text = || {
        source()
            .resolve(&case.0, &case.1)
            .expect("the imports resolve")
    };
    let first = text();
    for _ in 0..12 {
        assert!(text() == first, "the declarations have another order");
    }
}

/// Cases with a line, other than a constant, that no earlier case of the same module has. Together they contain every
/// line. Text patched with native opcodes counts separately.
fn richest() -> impl Iterator<Item = &'static Shader> {
    let mut seen: BTreeSet<(&str, bool, &str)> = BTreeSet::new();
    let valid = shaders()
        .iter()
        .filter_map(|(_, shader)| shader.as_ref().ok());
    valid.filter(move |shader| {
        let Variant {
            module, features, ..
        } = &shader.case.0;
        let is_native = features.contains(&Feature::Native);
        let lines = shader.wgsl.lines();
        let lines = lines.filter(|line| !line.starts_with("const "));
        let new = lines.filter(|line| seen.insert((*module, is_native, *line)));
        new.count() > 0
    })
}

/// Every case, resolved once for all tests in the process.
fn shaders() -> &'static [(String, Result<Shader, String>)] {
    static SHADERS: OnceLock<Vec<(String, Result<Shader, String>)>> = OnceLock::new();
    SHADERS.get_or_init(|| {
        let named = |case: &Case| (name_of(case), shader(&source(), case));
        on_all_cores(&cases(), named)
    })
}

/// The first validated case whose name starts with `name`.
fn validated(name: &str) -> &'static Shader {
    let mut shaders = shaders().iter();
    let found = shaders.find(|(own, _)| own.starts_with(name));
    let (_, shader) = found.unwrap_or_else(|| panic!("there is no case {name}"));
    shader.as_ref().expect("the shader is valid")
}

/// Results of `work` on each item, in order, computed by as many threads as there are cores.
fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let parts = items.chunks(items.len().div_ceil(threads));
        let workers: Vec<_> = parts
            .map(|part| scope.spawn(|| part.iter().map(&work).collect::<Vec<_>>()))
            .collect();
        let join =
            |worker: ScopedJoinHandle<_>| -> Vec<_> { worker.join().expect("no case panics") };
        workers.into_iter().flat_map(join).collect()
    })
}

/// Runs `check` on the [`richest`] cases and fails with all failures at once.
fn for_the_richest(check: impl Fn(&Shader) -> Result<(), String> + Sync) {
    let cases: Vec<&Shader> = richest().collect();
    let failures = on_all_cores(&cases, |shader| {
        let failure = check(shader).err()?;
        Some(format!("{}:\n{failure}", name_of(&shader.case)))
    });
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    fail_with(&failures);
}

/// Runs `check` on every case and fails with all failures at once.
fn for_every_case(check: impl Fn(&Shader) -> Result<(), String> + Sync) {
    let failures = on_all_cores(shaders(), |(name, shader)| {
        let result = shader.as_ref().map_err(Clone::clone).and_then(&check);
        result.err().map(|failure| format!("{name}:\n{failure}"))
    });
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    fail_with(&failures);
}

/// Fails with all failures at once, if there are any.
fn fail_with(failures: &[String]) {
    let (count, all) = (failures.len(), failures.join("\n\n"));
    assert!(failures.is_empty(), "{count} failures:\n{all}");
}

#[test]
fn every_shader_validates_in_every_variant() {
    for_every_case(|shader| {
        let entry_points = &shader.checked.module.entry_points;
        let found: Vec<_> = entry_points.iter().map(|e| e.name.as_str()).collect();
        match shader.case.1.iter().all(|entry| found.contains(entry)) {
            true => Ok(()),
            false => Err(format!("entry points are {found:?}")),
        }
    });
}

#[test]
fn a_shader_that_does_not_validate_is_reported() {
    let find = "outputs[129] = bitcast<u32>(";
    let source = edited([Edit::new("inspect/facts", find, "outputs[129] = (")]);
    let case = (Variant::new("inspect/facts"), vec!["facts"]);
    assert!(shader(&self::source(), &case).is_ok());
    let failure = shader(&source, &case).err().unwrap_or_default();
    assert!(failure.contains("facts"), "{failure}");
}

/// Faults, in the form of `tests/mutants/faults.toml`, whose text does not occur exactly once in the shader.
fn stale_faults(faults: &str) -> Vec<&str> {
    let count = |fault: &str| {
        let (_, rest) = fault.split_once("\nfile = \"")?;
        let (file, rest) = rest.split_once("\"\nfind = '''")?;
        let (find, _) = rest.split_once("'''\nreplace = ")?;
        let text = std::fs::read_to_string(crate::docs::root().join(file)).ok()?;
        Some(text.matches(find).count())
    };
    let faults = faults.split("\n[[fault]]").skip(1);
    faults.filter(|fault| count(fault) != Some(1)).collect()
}

#[test]
fn every_fault_that_tests_must_find_can_be_planted() {
    let faults = include_str!("../mutants/faults.toml");
    assert_eq!(stale_faults(faults), [""; 0]);
    // Negative control.
    let renamed = faults.replacen("find = '''", "find = '''no such text ", 1);
    assert_eq!(stale_faults(&renamed).len(), 1);
}
