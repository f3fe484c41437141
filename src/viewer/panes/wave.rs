//! Pane "Wave": how wide the waves of A and B are, and the options of methods.

use egui::Ui;

use super::Readings;
use super::style::warn;
use crate::model::Capabilities;
use crate::model::methods::{Approximate, Family, Method, Trait};
use crate::model::options::{
    BinRange, Dial, FrameOptions, Hazard, LaneRead, ListOrder, MethodOptions, Moments,
    OpacityCounts, Options, Precision, Tail,
};
use crate::model::reference::oit::kbuffer::Tail as Rest;
use crate::model::reference::oit::mlab::Storage as NodeStorage;
use crate::model::reference::oit::moment::Storage as MomentStorage;
use crate::model::reference::oit::stochastic::{Mode, Noise};
use crate::model::reference::oit::weighted::{Storage, Weight};
use crate::model::scene::{Cull, MacroTile, Solids};
use crate::model::settings::{
    BINS, CAPACITIES, KEPT, MOST_CORE_OPACITY, MOST_SAMPLES, MOST_WALKS, MOST_WEIGHT_SLICES,
    SUM_BACKGROUNDS, SUM_REACHES, SUM_SCALES, WEIGHT_SCALES,
};
use crate::viewer::comparison::Comparison;
use crate::viewer::controls::{choice, slider, text, unless_idle, value};
use crate::viewer::subject::Subject;

/// The methods on screen, each with the one that runs: of `auto` what it chose.
pub struct Shown(Vec<(Method, Method)>);

impl Shown {
    pub fn new(comparison: &Comparison, readings: &Readings) -> Self {
        let with_what_runs = |method| match readings.choice {
            Some(choice) if method == Method::Auto => (method, choice.specialization.runs),
            _ => (method, method),
        };
        let shown = [Some(comparison.left()), comparison.right()];
        let mut shown: Vec<_> = shown.into_iter().flatten().map(with_what_runs).collect();
        shown.dedup();
        Self(shown)
    }

    /// Why an option does nothing now, if that is so: it acts on methods that are `such`.
    fn idle(&self, such: &str, acts: impl Fn(Method) -> bool) -> Option<String> {
        let is_idle = !self.0.iter().any(|(_, runs)| acts(*runs));
        is_idle.then(|| self.without_effect(such))
    }

    /// The same for a place of the dial, which `auto` chooses by itself.
    fn idle_dial(&self, such: &str, of: Family) -> Option<String> {
        let is_of = |(asked, _): &(Method, Method)| asked.entry().family == of;
        let is_idle = !self.0.iter().any(is_of);
        is_idle.then(|| self.without_effect(&format!("{such}, and auto chooses by itself")))
    }

    /// The same for an option of the tiles' lists.
    pub fn idle_lists(&self) -> Option<String> {
        let needs_lists = |method: Method| !method.is_drawn();
        self.idle("methods that composite tiles' lists", needs_lists)
    }

    fn without_effect(&self, such: &str) -> String {
        let names = self.0.iter().map(|(asked, runs)| match asked == runs {
            true => asked.to_string(),
            false => format!("{asked}, which runs {runs}"),
        });
        let names: Vec<String> = names.collect();
        format!(
            "No effect on what is shown ({}): it acts on {such}.",
            names.join("; ")
        )
    }
}

/// Wave details (shown) and options (switchable).
pub fn wave(
    ui: &mut Ui,
    subject: &mut Subject,
    comparison: &Comparison,
    caps: &Capabilities,
    readings: &Readings,
) {
    let shown = Shown::new(comparison, readings);
    let mut running = shown.0.iter().map(|(_, runs)| *runs);
    let (method, other) = (running.next().unwrap_or(comparison.left()), running.next());
    let size =
        |size: Option<u32>| size.map_or("unknown".to_owned(), |size| format!("{size} lanes"));
    let [ran, other_ran] = readings.wave_sizes;
    if method.uses_waves() {
        ui.label(format!("{method} ran at a wave of {}", size(ran)));
    } else {
        ui.label(format!("{method} uses no waves"));
    }
    if let Some(other) = other.filter(|other| other.uses_waves() && method.uses_waves())
        && let (Some(a), Some(b)) = (ran, other_ran)
        && a != b
    {
        warn(
            ui,
            format!("{other} ran at a wave of {b} lanes: compare their times with care"),
        );
    }
    ui.label(format!("tail: {}", method.entry().tail));
    ui.label(format!("carry: {}", method.entry().carry));
    let counters = readings.counters;
    let longest = counters.longest_list;
    let lanes = ran.unwrap_or(caps.wave_max).max(1);
    ui.label(match counters.has_lists() {
        true => format!(
            "longest list: {longest} layers, {} groups of {lanes}",
            longest.div_ceil(lanes)
        ),
        false => "longest list: – (no method shown needs lists)".to_owned(),
    });
    options(ui, subject, caps, &shown);
}

/// The options of methods, and those of the frame that are not about its size, which stand in the pane of the scene.
fn options(ui: &mut Ui, subject: &mut Subject, caps: &Capabilities, shown: &Shown) {
    let scene = &subject.scene;
    let idle_solids = if scene.meshes.is_empty() {
        Some("No effect here: this scene has no solids.")
    } else if scene.names_models() {
        Some("No effect here: models of files are always drawn by the rasteriser.")
    } else {
        None
    };
    let has_no_splats = scene.splats.is_empty();
    let idle_cull =
        has_no_splats.then_some("No effect here: this scene has no files of Gaussians.");
    let defaults = subject.defaults.options;
    let most = subject.settings.options.frame.pixels_of_tile();
    let Options { frame, method } = &mut subject.settings.options;
    let FrameOptions {
        auto_tile: _,
        tile: _,
        precision,
        early_out,
        splat_order: _,
        cull,
        solids,
        macro_tile,
        order,
        order_seed,
    } = frame;
    let MethodOptions {
        hazard,
        lane_read,
        tail,
        pixels_per_wave,
        pixels_per_thread,
        threads_per_pixel,
        layers_per_batch,
        weight,
        weight_scale,
        weight_opacity,
        weight_storage,
        weight_slices,
        bins,
        bin_range,
        kept,
        rest,
        core_opacity,
        node_storage,
        moments,
        moment_storage,
        sum_reach,
        sum_scale,
        sum_background,
        samples,
        estimate,
        noise,
        peels,
        capacity,
        passes,
    } = method;
    let hazards = [
        (Hazard::Driver, "The driver's exclusive product"),
        (
            Hazard::DriverGuarded,
            "Exclusive product of max(1-t, 1e-5), as the article suggests: layers behind an \
            opaque one leak by 1e-5",
        ),
        (
            Hazard::Division,
            "Inclusive product / (1-t): not a number where t = 1, shown in magenta",
        ),
        (
            Hazard::DivisionGuarded,
            "Inclusive product / max(1-t, 1e-5): layers behind an opaque one leak by 1e-5",
        ),
    ];
    let why = shown.idle(
        "methods that form an exclusive prefix product, such as wave-lerp-product",
        Method::uses_prefix_product,
    );
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text("hazard", "How to form the exclusive prefix product"),
            value(hazard, &defaults.method.hazard),
            &named(hazards, Hazard::name),
        );
    });
    let why = shown.idle(
        "methods that are not drawn by the blending hardware",
        |method| !method.is_drawn(),
    );
    unless_idle(ui, why.as_deref(), |ui| {
        slider(
            ui,
            text(
                "early-out",
                "A pixel may stop below this transmittance; 0 is off. The error is at most this times \
            the largest radiance skipped. Keep it off when comparing.",
            ),
            value(early_out, &defaults.frame.early_out),
            0.0..=0.5,
            |slider| slider.logarithmic(true).smallest_positive(1e-4),
        );
    });
    *pixels_per_wave = (*pixels_per_wave).min(most);
    let why = shown.idle_dial(
        "methods with a wave per pixel, such as wave-lerp-product",
        Family::PerWave,
    );
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "pixels per wave",
                "Pixels of its tile that a wave walks. Changes times several-fold: compare methods at \
            the same value.",
            ),
            value(pixels_per_wave, &defaults.method.pixels_per_wave.min(most)),
            &counts((0..=most.ilog2()).map(|power| 1 << power)),
        );
    });
    let why = shown.idle_dial("pixel-loop-staged", Family::Staged);
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "pixels per thread",
                "Pixels that a thread of pixel-loop-staged composites: it fetches each layer once for all of them",
            ),
            value(pixels_per_thread, &defaults.method.pixels_per_thread),
            &counts([1, 2, 4, 8]),
        );
    });
    let most = Dial::most_threads(caps);
    *threads_per_pixel = (*threads_per_pixel).min(most);
    let why = shown.idle_dial("split-depth", Family::SplitDepth);
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "threads per pixel",
                "Threads that share a pixel of split-depth, as far as this adapter's workgroups go: each composites a run \
             of the layers, and the runs are joined in order. For few pixels or long lists.",
            ),
            value(
                threads_per_pixel,
                &defaults.method.threads_per_pixel.min(most),
            ),
            &counts((1..=most.ilog2()).map(|power| 1 << power)),
        );
    });
    let why = shown.idle_dial("split-batches", Family::Batches);
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "layers per batch",
                "split-batches cuts lists into batches of so many layers, which workgroups composite side by side, and \
             joins them in order. For lists of which some are much longer than others.",
            ),
            value(layers_per_batch, &defaults.method.layers_per_batch),
            &counts((5..=10).map(|power| 1 << power)),
        );
    });
    let why = shown.idle("weighted and weighted-drawn", |method| {
        [Method::Weighted, Method::WeightedDrawn].contains(&method)
    });
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "weight",
                "The weight of a layer in weighted blending, by its depth z or window depth d and its opacity",
            ),
            value(weight, &defaults.method.weight),
            &Weight::ALL.map(|of| (of, of.name().to_owned(), of.says().to_owned())),
        );
        slider(
            ui,
            text(
                "weight scale",
                "What depths are multiplied by in the weight: the paper's units fit depths of 0.1 to 500 metres",
            ),
            value(weight_scale, &defaults.method.weight_scale),
            WEIGHT_SCALES[0]..=WEIGHT_SCALES[1],
            |slider| slider.logarithmic(true),
        );
        choice(
            ui,
            text(
                "weight opacity",
                "How often opacity counts in the sums, by the paper's weights",
            ),
            value(weight_opacity, &defaults.method.weight_opacity),
            &named(
                [
                    (
                        OpacityCounts::Twice,
                        "In the weight, too, as in the paper: how finely fog is sliced then matters",
                    ),
                    (OpacityCounts::Once, "Only as what is weighted"),
                ],
                OpacityCounts::name,
            ),
        );
    });
    let why = shown.idle("weighted", |method| method == Method::Weighted);
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text("weight storage", "What the sums are stored in"),
            value(weight_storage, &defaults.method.weight_storage),
            &named(
                [
                    (Storage::F32, "Single precision"),
                    (
                        Storage::F16U8,
                        "Half floats and 8 bits, rounded at every add as blending hardware does: bright sums turn white, and \
                         faint layers never dim",
                    ),
                ],
                Storage::name,
            ),
        );
        slider(
            ui,
            text(
                "weight slices",
                "Slices in depth that are blended apart and composited in order",
            ),
            value(weight_slices, &defaults.method.weight_slices),
            1..=MOST_WEIGHT_SLICES,
            |slider| slider,
        );
    });
    let why = shown.idle("histogram", |method| method == Method::Histogram);
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "bins",
                "Bins of depth into which absorbance goes: layers less than two bins apart blend into one another",
            ),
            value(bins, &defaults.method.bins),
            &counts(BINS),
        );
        choice(
            ui,
            text("bin range", "The depths over which bins lie"),
            value(bin_range, &defaults.method.bin_range),
            &named(
                [
                    (BinRange::Camera, "Between the planes of the camera"),
                    (
                        BinRange::Frame,
                        "Between the nearest and the farthest item of the frame, for a pass over all items; fog is among them",
                    ),
                    (
                        BinRange::Tile,
                        "Between the nearest and the farthest item of each tile's list, for a walk of depths; with fog the \
                         same but for solids",
                    ),
                ],
                BinRange::name,
            ),
        );
    });
    let why = shown.idle("k-buffer, hybrid, mlab and adaptive", |method| {
        [Approximate::KBuffer, Approximate::MultiLayer]
            .map(Family::Approximate)
            .contains(&method.entry().family)
    });
    unless_idle(ui, why.as_deref(), |ui| {
        slider(
            ui,
            text(
                "kept",
                "Nearest layers that are kept of a pixel, nodes of mlab or steps of adaptive. Exact up to so many layers.",
            ),
            value(kept, &defaults.method.kept),
            KEPT[0]..=KEPT[1],
            |slider| slider,
        );
    });
    let why = shown.idle("k-buffer and hybrid", |method| {
        method.entry().family == Family::Approximate(Approximate::KBuffer)
    });
    unless_idle(ui, why.as_deref(), |ui| {
        slider(
            ui,
            text(
                "core opacity",
                "Layers fainter than this are not kept, so that fog does not fill the core",
            ),
            value(core_opacity, &defaults.method.core_opacity),
            0.0..=MOST_CORE_OPACITY,
            |slider| slider,
        );
    });
    let why = shown.idle("hybrid", |method| method == Method::Hybrid);
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text("rest", "What becomes of the layers that are not kept"),
            value(rest, &defaults.method.rest),
            &named(
                [
                    (Rest::Drop, "They are lost, as in k-buffer"),
                    (Rest::Average, "Averaged by opacity"),
                    (
                        Rest::Weighted,
                        "Averaged by opacity and a weight of their depth, paper7",
                    ),
                    (
                        Rest::ListOrder,
                        "Blended in the order in which they leave the core",
                    ),
                ],
                Rest::name,
            ),
        );
    });
    let why = shown.idle("mlab", |method| method == Method::Mlab);
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text("node storage", "What the nodes are stored in"),
            value(node_storage, &defaults.method.node_storage),
            &named(
                [
                    (NodeStorage::F32, "Single precision"),
                    (
                        NodeStorage::U8,
                        "8 bits, rounded at every blend: colours end at 1, and faint layers are lost",
                    ),
                ],
                NodeStorage::name,
            ),
        );
    });
    let why = shown.idle("moment", |method| method == Method::Moment);
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "moments",
                "The moments of absorbance over depth from which the light that reaches a layer is reconstructed",
            ),
            value(moments, &defaults.method.moments),
            &Moments::ALL.map(|of| (of, of.name().to_owned(), of.says().to_owned())),
        );
        choice(
            ui,
            text("moment storage", "What the moments are stored in"),
            value(moment_storage, &defaults.method.moment_storage),
            &named(
                [
                    (MomentStorage::F32, "Single precision"),
                    (
                        MomentStorage::U16,
                        "16 bits, rounded at every add, with larger biases, as engines keep them in render targets",
                    ),
                ],
                MomentStorage::name,
            ),
        );
    });
    let why = shown.idle("weighted-sum", |method| method == Method::WeightedSum);
    unless_idle(ui, why.as_deref(), |ui| {
        slider(
            ui,
            text("sum reach", "View depth at which the weight ends, metres"),
            value(sum_reach, &defaults.method.sum_reach),
            SUM_REACHES[0]..=SUM_REACHES[1],
            |slider| slider.logarithmic(true),
        );
        slider(
            ui,
            text("sum scale", "Weight of a layer at the camera"),
            value(sum_scale, &defaults.method.sum_scale),
            SUM_SCALES[0]..=SUM_SCALES[1],
            |slider| slider.logarithmic(true).smallest_positive(1e-2),
        );
        slider(
            ui,
            text("sum background", "Weight of the background"),
            value(sum_background, &defaults.method.sum_background),
            SUM_BACKGROUNDS[0]..=SUM_BACKGROUNDS[1],
            |slider| slider.logarithmic(true),
        );
    });
    let why = shown.idle("stochastic", |method| method == Method::Stochastic);
    unless_idle(ui, why.as_deref(), |ui| {
        slider(
            ui,
            text(
                "samples",
                "Samples of a pixel, of which layers cover some at random",
            ),
            value(samples, &defaults.method.samples),
            1..=MOST_SAMPLES,
            |slider| slider,
        );
        choice(
            ui,
            text("estimate", "What is made of the samples"),
            value(estimate, &defaults.method.estimate),
            &named(
                [
                    (
                        Mode::Mean,
                        "The mean of their colours: exact in expectation, the most noise",
                    ),
                    (
                        Mode::AlphaCorrected,
                        "The mean of those that a layer covers, over the exact transmittance",
                    ),
                    (
                        Mode::DepthOnly,
                        "Layers weighted by the samples that they are not behind: the least noise",
                    ),
                ],
                Mode::name,
            ),
        );
        choice(
            ui,
            text("noise", "How it is drawn which samples a layer covers"),
            value(noise, &defaults.method.noise),
            &named(
                [
                    (Noise::White, "Independent at each pixel, layer and time"),
                    (Noise::Blue, "Neighbouring pixels differ much"),
                    (Noise::Stable, "As white noise, and the same at all times"),
                ],
                Noise::name,
            ),
        );
    });
    let why = shown.idle("peeling", |method| method == Method::Peeling);
    unless_idle(ui, why.as_deref(), |ui| {
        slider(
            ui,
            text(
                "peels",
                "Layers that are taken, a walk for each; those behind are lost",
            ),
            value(peels, &defaults.method.peels),
            1..=MOST_WALKS,
            |slider| slider,
        );
    });
    let why = shown.idle("a-buffer", |method| method == Method::ABuffer);
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "capacity",
                "Layers that a pixel takes and sorts in one pass",
            ),
            value(capacity, &defaults.method.capacity),
            &counts(CAPACITIES),
        );
        slider(
            ui,
            text(
                "passes",
                "Most passes over the list; layers behind what they take are lost",
            ),
            value(passes, &defaults.method.passes),
            1..=MOST_WALKS,
            |slider| slider,
        );
    });
    let why = shown.idle(
        "methods in which lanes without a layer leave the loop, such as wave-lerp-product",
        |method| method.has(Trait::Ragged),
    );
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "tail",
                "How to handle the last wave of a list, which has fewer layers than lanes",
            ),
            value(tail, &defaults.method.tail),
            &tails(),
        );
    });
    // What a preset of another machine asked for can be taken back.
    if caps.native_spirv || *lane_read != defaults.method.lane_read {
        let why = shown.idle(
            "methods that read one lane's value, such as wave-lerp-ballot",
            |method| method.has(Trait::ReadsLanes),
        );
        unless_idle(ui, why.as_deref(), |ui| {
            choice(
                ui,
                text(
                    "lane read",
                    "How a wave reads one lane's value: read-lane-loop reads each in turn, other \
                methods the last lane",
                ),
                value(lane_read, &defaults.method.lane_read),
                &lane_reads(),
            );
        });
    }
    if caps.half_floats || *precision != defaults.frame.precision {
        let why = shown.idle("pixel-loop-staged", |method| method.has(Trait::TakesHalf));
        unless_idle(ui, why.as_deref(), |ui| {
            choice(
                ui,
                text(
                    "precision",
                    "Compositing precision. Half floats affect pixel-loop-staged, and auto if it \
                picks that; a pixel's error is some thousandths.",
                ),
                value(precision, &defaults.frame.precision),
                &precisions(),
            );
        });
    }
    unless_idle(ui, idle_solids, |ui| {
        choice(
            ui,
            text(
                "solids",
                "Whether the rasteriser finds which solid a pixel sees, or compute does. Pictures are the same but at edges.",
            ),
            value(solids, &defaults.frame.solids),
            &named(
                [
                    (Solids::Auto, "What is known to be faster on the adapter"),
                    (Solids::Draw, "By the rasteriser"),
                    (
                        Solids::Compute,
                        "By compute, in scenes without models of files and with few triangles",
                    ),
                ],
                Solids::name,
            ),
        );
    });
    unless_idle(ui, idle_cull, |ui| {
        choice(
            ui,
            text(
                "cull",
                "In which tiles Gaussians of files are listed. Pictures are the same.",
            ),
            value(cull, &defaults.frame.cull),
            &named(
                [
                    (Cull::Ellipse, "Where the ellipse may have a pixel"),
                    (Cull::Box, "Where the box around it has one: longer lists"),
                ],
                Cull::name,
            ),
        );
    });
    let why = shown.idle_lists();
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "macro tile",
                "Tiles of the squares by which items are sorted before tiles get their lists. Lists are the same.",
            ),
            value(macro_tile, &defaults.frame.macro_tile),
            &named(
                [
                    (
                        MacroTile::Auto,
                        "4x4, or 2x2 in frames of very many small items",
                    ),
                    (MacroTile::Four, "16 tiles"),
                    (MacroTile::Two, "4 tiles"),
                    (MacroTile::One, "Every tile by itself"),
                ],
                MacroTile::name,
            ),
        );
    });
    let why = shown.idle("approximate methods, such as list-order", |method| {
        !method.is_exact()
    });
    unless_idle(ui, why.as_deref(), |ui| {
        choice(
            ui,
            text(
                "order",
                "Order of the lists that approximate methods read: sorted lists flatter those that depend on it.",
            ),
            value(order, &defaults.frame.order),
            &named(
                [
                    (ListOrder::Sorted, "By depth, as exact methods have them"),
                    (
                        ListOrder::Item,
                        "As the scene has its items: no sort is paid for",
                    ),
                    (
                        ListOrder::Shuffled,
                        "At random, the same in every frame: a test of what depends on order",
                    ),
                ],
                ListOrder::name,
            ),
        );
        if *order == ListOrder::Shuffled {
            slider(
                ui,
                text("order seed", "Seed of the shuffled order"),
                value(order_seed, &defaults.frame.order_seed),
                0..=100,
                |slider| slider,
            );
        }
    });
}

/// The choices of an option that is a number.
fn counts(counts: impl IntoIterator<Item = u32>) -> Vec<(u32, String, String)> {
    let named = |count: u32| (count, count.to_string(), String::new());
    counts.into_iter().map(named).collect()
}

/// The choices of an option, each with its name and what it does.
fn named<T: Copy, const N: usize>(
    choices: [(T, &str); N],
    name: fn(T) -> &'static str,
) -> [(T, String, String); N] {
    choices.map(|(choice, does)| (choice, name(choice).to_owned(), does.to_owned()))
}

/// The ways to handle a partial last wave.
fn tails() -> [(Tail, String, String); 2] {
    named(
        [
            (
                Tail::Own,
                "The method's own way: in the article's methods, lanes without a layer leave the loop",
            ),
            (
                Tail::Padded,
                "In every method, lanes without a layer stay and take one that changes nothing",
            ),
        ],
        Tail::name,
    )
}

/// The ways to read a lane.
fn lane_reads() -> [(LaneRead, String, String); 2] {
    named(
        [
            (
                LaneRead::Shuffle,
                "By a shuffle; the index may differ between lanes. DXC compiles WaveReadLaneAt to it",
            ),
            (
                LaneRead::Broadcast,
                "By OpGroupNonUniformBroadcast; the index is the same in all lanes",
            ),
        ],
        LaneRead::name,
    )
}

/// What layers may be composited in.
fn precisions() -> [(Precision, String, String); 2] {
    named(
        [
            (Precision::Full, "Single precision"),
            (
                Precision::Half,
                "Opacities and colours in half floats, two pixels at a time; positions stay in single precision",
            ),
        ],
        Precision::name,
    )
}
