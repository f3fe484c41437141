//! The options of methods in the pane "Wave", in sections, each with the methods that its options act on. Those of A and B
//! are open; those of other methods stand together behind a heading.

use clap::ValueEnum;
use egui::emath::Numeric;
use egui::{CollapsingHeader, RichText, Slider, Ui};

use super::wave::Shown;
use crate::model::Capabilities;
use crate::model::methods::{Approximate, Family, Method, Trait};
use crate::model::options::{
    BIN_BLOCKS, BINS, CAPACITIES, Dial, FrameOptions, KEPT, KEY_BITS, LIST_ROOMS, ListOrder,
    MOST_CORE_OPACITY, MOST_FIRST_LAYERS, MOST_FRAMES, MOST_ORDER_AGE, MOST_SAMPLES,
    MOST_STOP_BELOW, MOST_WALKS, MOST_WEIGHT_SLICES, MethodOptions, Options, SUM_BACKGROUNDS,
    SUM_REACHES, SUM_SCALES, WEIGHT_SCALES,
};
use crate::viewer::controls::{choice, slider, text, value};

/// Methods that the heading of a section names, at most.
const MOST_NAMES: usize = 4;

/// Options that act on the same methods.
struct Section<'a> {
    /// Whether they act on a method that is asked for and what runs for it, which differ where it is `auto`.
    acts: fn(Method, Method) -> bool,
    controls: Vec<Control<'a>>,
}

type Control<'a> = Box<dyn FnOnce(&mut Ui) + 'a>;

/// An option: its name, which is its label, its value, and its default.
pub struct Set<'a, T> {
    label: String,
    now: &'a mut T,
    usual: T,
}

impl<'a, T: PartialEq> Set<'a, T> {
    pub fn new(name: &str, now: &'a mut T, usual: T) -> Self {
        let label = name.replace('_', " ");
        Self { label, now, usual }
    }

    pub fn called(self, label: &str) -> Self {
        let label = label.to_owned();
        Self { label, ..self }
    }

    fn is_changed(&self) -> bool {
        *self.now != self.usual
    }
}

impl Set<'_, u32> {
    /// The same, where more cannot be.
    fn at_most(self, most: u32) -> Self {
        *self.now = most.min(*self.now);
        let usual = most.min(self.usual);
        Self { usual, ..self }
    }
}

/// Makes a [`Set`] of each option that is named; the others have to be named, too.
macro_rules! sets {
    ($type:ident { $($name:ident,)+ } $(without { $($left:ident,)+ })? = $now:expr, $usual:expr) => {
        let $type { $($name,)+ $($($left: _,)+)? } = $now;
        $(
            let name = stringify!($name);
            let $name = $crate::viewer::panes::method_options::Set::new(name, $name, $usual.$name);
        )+
    };
}
pub(super) use sets;

/// One of the values of an option. What each does is said where it is declared, as in the help of its flag.
pub fn one_of<'a, T: Copy + PartialEq + ValueEnum + 'a>(
    of: Set<'a, T>,
    hover: &'static str,
) -> Control<'a> {
    let choice_of = |of: &T| {
        let value = of.to_possible_value()?;
        let does = value.get_help().map(ToString::to_string);
        Some((*of, value.get_name().to_owned(), does.unwrap_or_default()))
    };
    let choices = T::value_variants().iter().filter_map(choice_of).collect();
    among(of, hover, choices)
}

/// One of several counts.
fn count<'a>(
    of: Set<'a, u32>,
    hover: &'static str,
    counts: impl IntoIterator<Item = u32>,
) -> Control<'a> {
    let choice_of = |count: u32| (count, count.to_string(), String::new());
    among(of, hover, counts.into_iter().map(choice_of).collect())
}

/// One of these values, each with its name and what it does.
fn among<'a, T: Copy + PartialEq + 'a>(
    of: Set<'a, T>,
    hover: &'static str,
    choices: Vec<(T, String, String)>,
) -> Control<'a> {
    Box::new(move |ui| {
        let text = text(&of.label, hover);
        choice(ui, text, value(of.now, &of.usual), &choices);
    })
}

/// Powers of two from one to another.
fn powers([least, most]: [u32; 2]) -> impl Iterator<Item = u32> {
    (least.ilog2()..=most.ilog2()).map(|power| 1 << power)
}

/// A number between two others.
fn number<'a, T: Numeric>(of: Set<'a, T>, hover: &'static str, range: [T; 2]) -> Control<'a> {
    on_slider(of, hover, range, |slider| slider)
}

/// The same on a slider along which each step is a factor.
pub fn factor<'a>(of: Set<'a, f32>, hover: &'static str, range: [f32; 2]) -> Control<'a> {
    on_slider(of, hover, range, |slider| {
        slider.logarithmic(true).smallest_positive(1e-4)
    })
}

fn on_slider<'a, T: Numeric>(
    of: Set<'a, T>,
    hover: &'static str,
    [least, most]: [T; 2],
    adjust: fn(Slider<'_>) -> Slider<'_>,
) -> Control<'a> {
    Box::new(move |ui| {
        let text = text(&of.label, hover);
        slider(ui, text, value(of.now, &of.usual), least..=most, adjust);
    })
}

/// The options of A and B, and those of other methods behind a heading.
pub fn method_options(
    ui: &mut Ui,
    options: &mut Options,
    usual: &Options,
    caps: &Capabilities,
    shown: &Shown,
) {
    let sections = sections(options, usual, caps).into_iter();
    let (of_shown, others): (Vec<_>, Vec<_>) =
        sections.partition(|section| shown.any(section.acts));
    of_shown.into_iter().for_each(|section| section.show(ui));
    CollapsingHeader::new("options of other methods")
        .show_unindented(ui, |ui| {
            let note = format!("No effect on what is shown ({shown}).");
            ui.label(RichText::new(note).weak().small());
            others.into_iter().for_each(|section| section.show(ui));
        })
        .header_response
        .on_hover_text("Options that act on neither A nor B, but where all methods are measured");
}

fn section<'a>(
    acts: fn(Method, Method) -> bool,
    controls: impl IntoIterator<Item = Control<'a>>,
) -> Section<'a> {
    let controls = controls.into_iter().collect();
    Section { acts, controls }
}

impl Section<'_> {
    /// The methods that they act on, and the options.
    fn show(self, ui: &mut Ui) {
        if self.controls.is_empty() {
            return;
        }
        let of = Method::all().filter(|method| (self.acts)(*method, *method));
        let of: Vec<&str> = of.map(Method::name).collect();
        let heading = match of.len() {
            0..=MOST_NAMES => of.join(", "),
            all => format!("{} and {} more", of[0], all - 1),
        };
        ui.label(RichText::new(heading).weak().small())
            .on_hover_text(format!("Options of {}", of.join(", ")));
        for control in self.controls {
            control(ui);
        }
    }
}

/// Whether it keeps the nearest layers, as many nodes or steps, or may keep no more.
fn keeps_layers(method: Method) -> bool {
    let keep = [
        Approximate::KBuffer,
        Approximate::MultiLayer,
        Approximate::Stochastic,
    ]
    .map(Family::Approximate);
    keep.contains(&method.entry().family)
}

/// All of them, those of exact methods first.
fn sections<'a>(
    options: &'a mut Options,
    usual: &Options,
    caps: &Capabilities,
) -> Vec<Section<'a>> {
    let most_walked = options.frame.pixels_of_tile();
    let most_threads = Dial::most_threads(caps);
    let Options { frame, method } = options;
    sets!(
        FrameOptions {
            precision,
            order,
            order_seed,
            key_bits,
            order_age,
        } without {
            auto_tile,
            tile,
            early_out,
            splat_order,
            cull,
            solids,
            macro_tile,
        } = frame, usual.frame
    );
    sets!(
        MethodOptions {
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
            bin_block,
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
            accumulate,
            peels,
            peel_from,
            capacity,
            passes,
            list_room,
            stop_below,
            first_layers,
        } = method,
        usual.method
    );
    // What a preset of another machine asked for can be taken back.
    let has_lane_reads = caps.native_spirv || lane_read.is_changed();
    let has_precisions = caps.half_floats || precision.is_changed();
    let lane_reads = has_lane_reads.then(|| {
        one_of(
            lane_read,
            "How a wave reads one lane's value: read-lane-loop reads each in turn, other methods the last lane",
        )
    });
    let precisions = has_precisions.then(|| {
        one_of(
            precision,
            "Compositing precision. Half floats affect pixel-loop-staged, and auto if it picks that; a pixel's error is \
            some thousandths.",
        )
    });
    let is_shuffled = *order.now == ListOrder::Shuffled;
    let seed = is_shuffled.then(|| number(order_seed, "Seed of the shuffled order", [0, 100]));
    vec![
        section(
            |asked, _| asked.entry().family == Family::PerWave,
            [count(
                pixels_per_wave.at_most(most_walked),
                "Pixels of its tile that a wave walks. Changes times several-fold: compare methods at the same value. auto \
                chooses by itself.",
                powers([1, most_walked]),
            )],
        ),
        section(
            |_, runs| runs.uses_prefix_product(),
            [one_of(hazard, "How to form the exclusive prefix product")],
        ),
        section(
            |_, runs| runs.has(Trait::Ragged),
            [one_of(
                tail,
                "How to handle the last wave of a list, which has fewer layers than lanes",
            )],
        ),
        section(|_, runs| runs.has(Trait::ReadsLanes), lane_reads),
        section(
            |asked, _| asked.entry().family == Family::Staged,
            [count(
                pixels_per_thread,
                "Pixels that a thread of pixel-loop-staged composites: it fetches each layer once for all of them. auto \
                chooses by itself.",
                powers([1, 8]),
            )],
        ),
        section(|_, runs| runs.has(Trait::TakesHalf), precisions),
        section(
            |asked, _| asked.entry().family == Family::SplitDepth,
            [count(
                threads_per_pixel.at_most(most_threads),
                "Threads that share a pixel of split-depth, as far as this adapter's workgroups go: each composites a run of \
                the layers, and the runs are joined in order. For few pixels or long lists. auto chooses by itself.",
                powers([2, most_threads]),
            )],
        ),
        section(
            |asked, _| asked.entry().family == Family::Batches,
            [count(
                layers_per_batch,
                "split-batches cuts lists into batches of so many layers, which workgroups composite side by side, and joins \
                them in order. For lists of which some are much longer than others. auto chooses by itself.",
                powers([32, 1024]),
            )],
        ),
        section(
            |_, runs| !runs.is_exact(),
            [one_of(
                order,
                "Order of the lists that approximate methods read: sorted lists flatter those that depend on it.",
            )]
            .into_iter()
            .chain(seed),
        ),
        section(
            |_, runs| [Method::Weighted, Method::WeightedDrawn].contains(&runs),
            [
                one_of(
                    weight,
                    "The weight of a layer in weighted blending, by its depth z or window depth d and its opacity",
                ),
                factor(
                    weight_scale,
                    "What depths are multiplied by in the weight: the paper's units fit depths of 0.1 to 500 metres",
                    WEIGHT_SCALES,
                ),
                one_of(
                    weight_opacity,
                    "How often opacity counts in the sums, by the paper's weights",
                ),
            ],
        ),
        section(
            |_, runs| runs == Method::Weighted,
            [
                one_of(weight_storage, "What the sums are stored in"),
                number(
                    weight_slices,
                    "Slices in depth that are blended apart and composited in order",
                    [1, MOST_WEIGHT_SLICES],
                ),
            ],
        ),
        section(
            |_, runs| runs == Method::Histogram,
            [
                count(
                    bins,
                    "Bins of depth into which absorbance goes: layers less than two bins apart blend into one another",
                    BINS,
                ),
                one_of(bin_range, "The depths over which bins lie"),
                count(
                    bin_block,
                    "Edge of the square of pixels that share bins, which hold what its middle pixel sees",
                    BIN_BLOCKS,
                ),
            ],
        ),
        section(
            |_, runs| keeps_layers(runs),
            [number(
                kept,
                "Nearest layers that are kept of a pixel, nodes of mlab, steps of adaptive, or layers of stochastic where its estimate is layered. Exact up to so many layers, \
                but for noise.",
                KEPT,
            )],
        ),
        section(
            |_, runs| runs.entry().family == Family::Approximate(Approximate::KBuffer),
            [number(
                core_opacity,
                "Layers fainter than this are not kept, so that fog does not fill the core",
                [0.0, MOST_CORE_OPACITY],
            )],
        ),
        section(
            |_, runs| [Method::Hybrid, Method::LinkedList].contains(&runs),
            [one_of(
                rest,
                "What becomes of the layers that are not kept, or that find no room",
            )],
        ),
        section(
            |_, runs| runs == Method::Mlab,
            [one_of(node_storage, "What the nodes are stored in")],
        ),
        section(
            |_, runs| runs == Method::Moment,
            [
                one_of(
                    moments,
                    "The moments of absorbance over depth from which the light that reaches a layer is reconstructed",
                ),
                one_of(moment_storage, "What the moments are stored in"),
            ],
        ),
        section(
            |_, runs| runs == Method::WeightedSum,
            [
                factor(
                    sum_reach,
                    "View depth at which the weight ends, metres",
                    SUM_REACHES,
                ),
                factor(sum_scale, "Weight of a layer at the camera", SUM_SCALES),
                factor(sum_background, "Weight of the background", SUM_BACKGROUNDS),
            ],
        ),
        section(
            |_, runs| runs == Method::Stochastic,
            [
                number(
                    samples,
                    "Samples of a pixel, of which layers cover some at random",
                    [1, MOST_SAMPLES],
                ),
                one_of(estimate, "What is made of the samples"),
                one_of(noise, "How it is drawn which samples a layer covers"),
                number(
                    accumulate,
                    "Frames whose sums are added up while nothing moves; each draws other samples",
                    [1, MOST_FRAMES],
                ),
            ],
        ),
        section(
            |_, runs| runs == Method::Peeling,
            [
                number(
                    peels,
                    "Walks over the list, each of which takes the next layer; the others are lost",
                    [1, MOST_WALKS],
                ),
                one_of(peel_from, "The ends from which each walk takes a layer"),
            ],
        ),
        section(
            |_, runs| runs == Method::ABuffer,
            [
                count(
                    capacity,
                    "Layers that a pixel takes and sorts in one pass",
                    CAPACITIES,
                ),
                number(
                    passes,
                    "Most passes over the list; layers behind what they take are lost",
                    [1, MOST_WALKS],
                ),
            ],
        ),
        section(
            |_, runs| runs == Method::LinkedList,
            [number(
                list_room,
                "Layers that a pixel has room for in memory, 24 bytes each; those that come later join the rest",
                LIST_ROOMS,
            )],
        ),
        section(
            |_, runs| runs == Method::Coarse,
            [
                number(
                    key_bits,
                    "Bits of the depth keys by which layers are in order",
                    KEY_BITS,
                ),
                number(
                    order_age,
                    "Frames since the camera stood where these depths are seen from; it shows only while the camera moves",
                    [0, MOST_ORDER_AGE],
                ),
                factor(
                    stop_below,
                    "Transmittance below which a pixel stops; 0: never. Exact methods go by early-out.",
                    [0.0, MOST_STOP_BELOW],
                ),
                number(
                    first_layers,
                    "Most layers that a pixel composites; 0: all",
                    [0, MOST_FIRST_LAYERS],
                ),
            ],
        ),
    ]
}
