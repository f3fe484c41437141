//! The options of methods in the pane "Options", in sections, each with the methods that its options act on. Those of A and B
//! are open; those of other methods stand together behind a heading.

use clap::ValueEnum;
use egui::emath::Numeric;
use egui::{CollapsingHeader, Slider, Ui};

use super::shown_methods::ShownMethods;
use super::style::note;
use crate::model::Capabilities;
use crate::model::methods::{Approximate, Family, Method, Trait};
use crate::model::options::{
    BIN_BLOCKS, BINS, CAPACITIES, Dial, FrameOptions, KEPT, KEY_BITS, LIST_ROOMS,
    MOST_CORE_OPACITY, MOST_FIRST_LAYERS, MOST_FRAMES, MOST_ORDER_AGE, MOST_SAMPLES,
    MOST_STOP_BELOW, MOST_WALKS, MOST_WEIGHT_SLICES, MOST_WINDOW, MethodOptions, Options,
    SUM_BACKGROUNDS, SUM_REACHES, SUM_SCALES, WEIGHT_SCALES,
};
use crate::model::settings::help_of;
use crate::viewer::controls::{choice, choices, slider};

/// Maximum methods named in the heading of a section.
const MOST_NAMES: usize = 4;

struct Section<'a> {
    /// True if they affect a method, given as requested and as it runs, which differ for `auto`.
    acts: fn(Method, Method) -> bool,
    controls: Vec<Control<'a>>,
}

type Control<'a> = Box<dyn FnOnce(&mut Ui) + 'a>;

/// An option: its field name, value and default. The help of its flag describes it.
pub struct Set<'a, T> {
    name: &'static str,
    now: &'a mut T,
    usual: T,
}

impl<'a, T: PartialEq> Set<'a, T> {
    pub fn new(name: &'static str, now: &'a mut T, usual: T) -> Self {
        Self { name, now, usual }
    }

    fn is_changed(&self) -> bool {
        *self.now != self.usual
    }

    fn label(&self) -> String {
        match self.name {
            "early_out" => "early-out".to_owned(),
            "tile" => "tile size".to_owned(),
            name => name.replace('_', " "),
        }
    }
}

impl Set<'_, u32> {
    /// The same option with an upper limit.
    fn at_most(self, most: u32) -> Self {
        *self.now = most.min(*self.now);
        let usual = most.min(self.usual);
        Self { usual, ..self }
    }
}

/// Makes a [`Set`] of each named option; all other options must be listed too.
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

pub fn one_of<'a, T: Copy + PartialEq + ValueEnum + 'a>(of: Set<'a, T>) -> Control<'a> {
    among(of, choices())
}

fn count<'a>(of: Set<'a, u32>, counts: impl IntoIterator<Item = u32>) -> Control<'a> {
    let choice_of = |count: u32| (count, count.to_string(), String::new());
    among(of, counts.into_iter().map(choice_of).collect())
}

/// The same if the frame may also choose it: `of` has that number as its default.
pub fn count_or_auto<'a>(
    auto: Set<'a, bool>,
    of: Set<'a, u32>,
    counts: impl IntoIterator<Item = u32>,
) -> Control<'a> {
    let chosen = |auto: bool, count: u32| (!auto).then_some(count);
    let choice_of = |count: u32| (Some(count), count.to_string(), String::new());
    let mut choices = vec![(None, format!("auto, {}", of.usual), String::new())];
    choices.extend(counts.into_iter().map(choice_of));
    Box::new(move |ui| {
        let (label, hover) = (of.label(), help_of(of.name));
        let mut now = chosen(*auto.now, *of.now);
        let value = (&mut now, &chosen(auto.usual, of.usual));
        choice(ui, (&label, hover), value, &choices);
        (*auto.now, *of.now) = (now.is_none(), now.unwrap_or(of.usual));
    })
}

fn among<'a, T: Copy + PartialEq + 'a>(
    of: Set<'a, T>,
    choices: Vec<(T, String, String)>,
) -> Control<'a> {
    Box::new(move |ui| {
        let (label, hover) = (of.label(), help_of(of.name));
        choice(ui, (&label, hover), (of.now, &of.usual), &choices);
    })
}

fn powers([least, most]: [u32; 2]) -> impl Iterator<Item = u32> {
    (least.ilog2()..=most.ilog2()).map(|power| 1 << power)
}

fn number<'a, T: Numeric>(of: Set<'a, T>, range: [T; 2]) -> Control<'a> {
    on_slider(of, range, |slider| slider)
}

/// The same on a logarithmic slider.
pub fn factor<'a>(of: Set<'a, f32>, range: [f32; 2]) -> Control<'a> {
    on_slider(of, range, |slider| {
        slider.logarithmic(true).smallest_positive(1e-4)
    })
}

fn on_slider<'a, T: Numeric>(
    of: Set<'a, T>,
    [least, most]: [T; 2],
    adjust: fn(Slider<'_>) -> Slider<'_>,
) -> Control<'a> {
    Box::new(move |ui| {
        let (label, hover) = (of.label(), help_of(of.name));
        let value = (of.now, &of.usual);
        slider(ui, (&label, hover), value, least..=most, adjust);
    })
}

/// Options of A and B, and those of other methods behind a heading.
pub fn method_options(
    ui: &mut Ui,
    options: &mut Options,
    usual: &Options,
    caps: &Capabilities,
    shown: &ShownMethods,
) {
    let sections = sections(options, usual, caps).into_iter();
    let (of_shown, others): (Vec<_>, Vec<_>) =
        sections.partition(|section| shown.any(section.acts));
    of_shown.into_iter().for_each(|section| section.show(ui));
    CollapsingHeader::new("options of other methods")
        .show_unindented(ui, |ui| {
            note(ui, format!("No effect on the methods shown ({shown})."));
            others.into_iter().for_each(|section| section.show(ui));
        })
        .header_response
        .on_hover_text("Options that do not affect A or B, but other methods that are measured");
}

fn section<'a>(
    acts: fn(Method, Method) -> bool,
    controls: impl IntoIterator<Item = Control<'a>>,
) -> Section<'a> {
    let controls = controls.into_iter().collect();
    Section { acts, controls }
}

impl Section<'_> {
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
        note(ui, heading).on_hover_text(format!("Options of {}", of.join(", ")));
        for control in self.controls {
            control(ui);
        }
    }
}

fn keeps_layers(method: Method) -> bool {
    let keep = [Approximate::KBuffer, Approximate::MultiLayer].map(Family::Approximate);
    keep.contains(&method.entry().family)
}

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
            key_bits,
            order_age,
        } without {
            auto_tile,
            tile,
            early_out,
            splat_order,
            fog,
            solids,
        } = frame, usual.frame
    );
    sets!(
        MethodOptions {
            hazard,
            lane_read,
            tail,
            auto_pixels_per_wave,
            pixels_per_wave,
            pixels_per_thread,
            auto_threads_per_pixel,
            threads_per_pixel,
            layers_per_batch,
            weight,
            weight_scale,
            weight_slices,
            bins,
            bin_range,
            bin_block,
            kept,
            rest,
            core_opacity,
            node_storage,
            moments,
            sum_reach,
            sum_scale,
            sum_background,
            samples,
            estimate,
            accumulate,
            peels,
            capacity,
            passes,
            list_room,
            window,
            stop_below,
            first_layers,
        } = method,
        usual.method
    );
    // Lets the user revert what a preset from another machine has set.
    let has_lane_reads = caps.native_spirv || lane_read.is_changed();
    let has_precisions = caps.half_floats || precision.is_changed();
    let lane_reads = has_lane_reads.then(|| one_of(lane_read));
    let precisions = has_precisions.then(|| one_of(precision));
    vec![
        section(
            |asked, _| asked.entry().family == Family::PerWave,
            [count_or_auto(
                auto_pixels_per_wave,
                pixels_per_wave.at_most(most_walked),
                powers([1, most_walked]),
            )],
        ),
        section(|_, runs| runs.uses_prefix_product(), [one_of(hazard)]),
        section(|_, runs| runs.has(Trait::Ragged), [one_of(tail)]),
        section(|_, runs| runs.has(Trait::ReadsLanes), lane_reads),
        section(
            |asked, _| asked.entry().family == Family::Staged,
            [count(pixels_per_thread, powers([1, 8]))],
        ),
        section(|_, runs| runs.has(Trait::TakesHalf), precisions),
        section(
            |asked, _| asked.has(Trait::SharesPixels),
            [count_or_auto(
                auto_threads_per_pixel,
                threads_per_pixel.at_most(most_threads),
                powers([1, most_threads]),
            )],
        ),
        section(
            |asked, _| asked.entry().family == Family::Batches,
            [count(layers_per_batch, powers([32, 1024]))],
        ),
        section(|_, runs| !runs.is_exact(), [one_of(order)]),
        section(
            |_, runs| [Method::Weighted, Method::WeightedDrawn].contains(&runs),
            [one_of(weight), factor(weight_scale, WEIGHT_SCALES)],
        ),
        section(
            |_, runs| runs == Method::Weighted,
            [number(weight_slices, [1, MOST_WEIGHT_SLICES])],
        ),
        section(
            |_, runs| runs == Method::Histogram,
            [
                count(bins, BINS),
                one_of(bin_range),
                count(bin_block, BIN_BLOCKS),
            ],
        ),
        section(|_, runs| keeps_layers(runs), [number(kept, KEPT)]),
        section(
            |_, runs| runs.entry().family == Family::Approximate(Approximate::KBuffer),
            [number(core_opacity, [0.0, MOST_CORE_OPACITY])],
        ),
        section(
            |_, runs| [Method::Hybrid, Method::LinkedList].contains(&runs),
            [one_of(rest)],
        ),
        section(|_, runs| runs == Method::Mlab, [one_of(node_storage)]),
        section(|_, runs| runs == Method::Moment, [one_of(moments)]),
        section(
            |_, runs| runs == Method::WeightedSum,
            [
                factor(sum_reach, SUM_REACHES),
                factor(sum_scale, SUM_SCALES),
                factor(sum_background, SUM_BACKGROUNDS),
            ],
        ),
        section(
            |_, runs| runs == Method::Stochastic,
            [
                number(samples, [1, MOST_SAMPLES]),
                one_of(estimate),
                number(accumulate, [1, MOST_FRAMES]),
            ],
        ),
        section(
            |_, runs| runs == Method::Peeling,
            [number(peels, [1, MOST_WALKS])],
        ),
        section(
            |_, runs| runs == Method::ABuffer,
            [count(capacity, CAPACITIES), number(passes, [1, MOST_WALKS])],
        ),
        section(
            |_, runs| runs == Method::LinkedList,
            [number(list_room, LIST_ROOMS)],
        ),
        section(
            |_, runs| runs == Method::Coarse,
            [
                number(key_bits, KEY_BITS),
                number(order_age, [0, MOST_ORDER_AGE]),
                number(window, [0, MOST_WINDOW]),
                factor(stop_below, [0.0, MOST_STOP_BELOW]),
                number(first_layers, [0, MOST_FIRST_LAYERS]),
            ],
        ),
    ]
}
