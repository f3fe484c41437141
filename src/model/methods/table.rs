//! The table of all methods. Its order is used everywhere: in the CLI, panes, keys and reports.

use serde::{Deserialize, Serialize};

use super::entry::{Accuracy, Bound, Entry, Group, Needs, Trait, row};
use crate::model::options::Options;
use crate::model::techniques::adaptive::{self, Adaptive};
use crate::model::techniques::baselines::{self, Average, Exact, Listed};
use crate::model::techniques::coarse::{self, Coarse};
use crate::model::techniques::histogram::{self, Histogram};
use crate::model::techniques::k_buffer::{self, KBuffer};
use crate::model::techniques::keeping::Rest;
use crate::model::techniques::linked_list::{self, LinkedList};
use crate::model::techniques::mlab::{self, Mlab};
use crate::model::techniques::moment::{self, Moment};
use crate::model::techniques::peeling::{self, Peeling};
use crate::model::techniques::stochastic::{self, Stochastic};
use crate::model::techniques::weighted::{self, Weighted};
use crate::model::techniques::weighted_sum::{self, WeightedSum};
use crate::model::techniques::{Seen, Technique};

/// Declares each method with its row, and each approximate method with its technique at a pixel for given options.
macro_rules! methods {
    ($($(#[$meta:meta])* $method:ident = $entry:expr $(, |$options:pat_param, $seen:pat_param| $technique:expr)?;)+) => {
        /// A way to composite a tile's list; its row in [`TABLE`] describes it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Method {
            $($(#[$meta])* $method,)+
        }

        pub const TABLE: &[Entry] = &[$($entry),+];

        impl Method {
            pub(super) const ALL: &[Self] = &[$(Self::$method),+];

            pub fn technique(self, options: &Options, seen: &Seen) -> Box<dyn Technique> {
                match self {
                    $($(Self::$method => {
                        let ($options, $seen) = (options, seen);
                        Box::new($technique)
                    })?)+
                    _ => Box::new(Exact),
                }
            }
        }

        const HAVE_TECHNIQUES: &[bool] = &[$(false $(|| { stringify!($technique); true })?),+];
    };
}

/// Row for methods that keep all lanes of a wave active.
const SAFE_FORM: Entry = Entry {
    traits: &[Trait::PrefixProduct, Trait::ReadsLanes],
    guarantee: "every lane always active: does not rely on reconvergence",
    tail: "padded with a = 0: every lane stays",
    carry: "read from lane W-1",
    origin: "ours, the safe form",
    ..row(Group::PerWave)
};

/// Row for painter's order in hardware.
const FIXED_FUNCTION: Entry = Entry {
    module: "methods/fixed_function",
    tail: "none: the hardware takes one layer at a time",
    carry: "in the target: its alpha is the transmittance",
    origin: "painter's order (Porter and Duff 1984)",
    ..row(Group::Blended)
};

// Every row must state its own code, texts and claims, and every approximate method its technique.
const _: () = {
    let mut row = 0;
    while row < TABLE.len() {
        let it = &TABLE[row];
        let lacks_code = it.name.is_empty() || it.module.is_empty();
        let lacks_words = it.mapping.is_empty() || it.cost.is_empty();
        let lacks_claims = it.guarantee.is_empty() || it.origin.is_empty();
        let is_whole = !(lacks_code || lacks_words || lacks_claims);
        assert!(is_whole, "a row lacks its name, code or texts");
        let is_approximate = matches!(it.accuracy, Accuracy::Approximate);
        assert!(
            is_approximate == HAVE_TECHNIQUES[row],
            "a row lacks its technique"
        );
        row += 1;
    }
};

methods! {
    PixelLoop = Entry {
        name: "pixel-loop",
        module: "methods/pixel_loop",
        mapping: "thread per pixel; reads the list from global memory",
        cost: "n sequential evaluations per thread; no wave operation",
        guarantee: "strict order, at most three roundings per layer; runs everywhere",
        origin: "the article's plain loop",
        ..row(Group::PerPixel)
    };
    ReadLaneLoop = Entry {
        name: "read-lane-loop",
        module: "methods/read_lane_loop",
        traits: &[Trait::Ragged, Trait::LoopsOverLanes, Trait::ReadsLanes],
        mapping: "wave per pixel, lane per layer; loop of WaveReadLaneAt and lerp",
        cost: "per layer a broadcast of 4 floats, repeated in all lanes",
        guarantee: "the article's order inside a group; ragged tail, no inactive lane is read",
        tail: "ragged: lanes without a layer leave the loop; the inner loop ends at the last layer",
        carry: "the same in every lane, layer by layer",
        origin: "the article's simple loop of WaveReadLaneAt",
        ..row(Group::PerWave)
    };
    WaveLerpProduct = Entry {
        name: "wave-lerp-product",
        module: "methods/wave_lerp_product",
        traits: &[Trait::Ragged, Trait::PrefixProduct],
        mapping: "wave per pixel, lane per layer; WavePrefixProduct and WaveActiveSum",
        cost: "per group a scan, a sum of 3 channels and a second reduction for the carry",
        guarantee: "within (3n+4) roundings; ragged tail",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "WaveActiveProduct(1-t) of the group",
        origin: "article, continued interpolation",
        ..row(Group::PerWave)
    };
    WaveLerpBallot = Entry {
        name: "wave-lerp-ballot",
        module: "methods/wave_lerp_ballot",
        traits: &[Trait::Ragged, Trait::PrefixProduct, Trait::ReadsLanes],
        mapping: "as wave-lerp-product; carry read from the last active lane by ballot",
        cost: "per group a scan, a sum, a ballot with vector firstbithigh, one lane read",
        guarantee: "within (3n+4) roundings; ragged tail, any wave up to 128 lanes",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "read from the last active lane, found by ballot",
        origin: "article, the cross-platform way",
        ..row(Group::PerWave)
    };
    WaveLerpBallotScalar = Entry {
        name: "wave-lerp-ballot-scalar",
        module: "methods/wave_lerp_ballot_scalar",
        traits: &[Trait::Ragged, Trait::PrefixProduct, Trait::ReadsLanes],
        mapping: "as wave-lerp-ballot; ballot bits through WaveReadLaneFirst",
        cost: "as wave-lerp-ballot plus one read; uniform bits may stay in scalar registers",
        guarantee: "as wave-lerp-ballot",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "read from the last active lane, found by ballot made scalar",
        origin: "article, scalarization forced",
        ..row(Group::PerWave)
    };
    WaveLerpFindMsb = Entry {
        name: "wave-lerp-find-msb",
        module: "methods/wave_lerp_find_msb",
        needs: Needs::NativeSpirv,
        traits: &[
            Trait::Ragged,
            Trait::PrefixProduct,
            Trait::FindsMsbNatively,
            Trait::ReadsLanes,
        ],
        mapping: "as wave-lerp-ballot; last lane by OpGroupNonUniformBallotFindMSB",
        cost: "as wave-lerp-ballot, with one instruction instead of the bit arithmetic",
        guarantee: "as wave-lerp-ballot; Vulkan only",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "read from the last active lane, found by one opcode",
        origin: "article, \"the SPIR-V way\"",
        ..row(Group::PerWave)
    };
    WaveLerpKnownLast = Entry {
        name: "wave-lerp-known-last",
        module: "methods/wave_lerp_known_last",
        mapping: "as wave-lerp-ballot; tail padded with a = 0, last lane is W-1",
        cost: "per group a scan, a sum of 3 channels and one lane read, no ballot",
        ..SAFE_FORM
    };
    WaveLerpDeferred = Entry {
        name: "wave-lerp-deferred",
        module: "methods/wave_lerp_deferred",
        mapping: "as wave-lerp-known-last; one sum over lanes, at the end",
        cost: "per group a scan and one lane read; per pixel one sum of 3 channels",
        ..SAFE_FORM
    };
    PixelLoopStaged = Entry {
        name: "pixel-loop-staged",
        module: "methods/pixel_loop_staged",
        traits: &[Trait::TakesHalf],
        mapping: "thread per one or several pixels; list staged through workgroup memory",
        cost: "n sequential evaluations per pixel; a layer is fetched once per tile",
        guarantee: "bit-identical to pixel-loop in f32 without early-out; runs everywhere",
        origin: "as in tile rasterisers of splats (Kerbl et al. 2023)",
        ..row(Group::Staged)
    };
    WaveTree = Entry {
        name: "wave-tree",
        module: "methods/wave_tree",
        mapping: "wave per pixel, lane per layer; ordered butterfly over (rgb, T)",
        cost: "per group log2(W) steps of 4 shuffles and an over",
        guarantee: "within (3n+4) roundings; every lane always active",
        tail: "padded with a = 0: every lane stays",
        carry: "part of the tree",
        origin: "ours, the tree reduction of a monoid",
        ..row(Group::PerWave)
    };
    SplitDepth = Entry {
        name: "split-depth",
        module: "methods/split_depth",
        needs: Needs::Waves,
        traits: &[Trait::SharesPixels],
        mapping: "D threads per pixel (the dial); each folds a run of the staged list, then runs are joined",
        cost: "n/D sequential evaluations per thread; joins: 4 shuffles per doubling in a wave, a \
            step per wave",
        guarantee: "within (3n+4) roundings; any D at any wave size",
        tail: "runs differ in length by the remainder",
        carry: "in the thread; runs are joined by over",
        origin: "ours; reduction by contiguous runs",
        ..row(Group::SplitDepth)
    };
    SplitBatches = Entry {
        name: "split-batches",
        module: "methods/split_batches",
        mapping: "workgroup per batch of B layers, thread per pixel; a second pass joins batches",
        cost: "at most B sequential evaluations per thread; 16 bytes per pixel and additional batch",
        guarantee: "within (3n+4) roundings; the same bits wherever batches run; runs everywhere",
        tail: "the last batch has the remainder",
        carry: "in the thread; batches are joined by over",
        origin: "ours, split-depth across workgroups; batches as in HiGS",
        ..row(Group::Batches)
    };
    FixedFunction = Entry {
        name: "fixed-function",
        needs: Needs::Blending,
        mapping: "one indirect draw of a depth-sorted stream of items and slices, a quad each",
        cost: "per layer and pixel a 16-byte blend in memory; no list, no early-out, a pass to store",
        guarantee: "strict order, back to front; within (3n+4) roundings; no wave operation",
        ..FIXED_FUNCTION
    };
    #[serde(rename = "fixed-function-f16")]
    FixedFunctionF16 = Entry {
        name: "fixed-function-f16",
        accuracy: Accuracy::Exact(Bound::HalfBlends),
        mapping: "as fixed-function, into 16-bit floats",
        cost: "as fixed-function, with half the memory traffic",
        guarantee: "every blend rounds to 11 bits; its own bound, some 3/1024 of the value per layer",
        ..FIXED_FUNCTION
    };
    Auto = Entry {
        name: "auto",
        module: "methods/pixel_loop_staged",
        traits: &[Trait::TakesHalf],
        mapping: "picks method and dials from pixels, wave size and list lengths, by a measured rule",
        cost: "that of the method it picks, named in window and reports",
        guarantee: "that of the method it picks; never one with a hazard",
        tail: "that of the method it picks",
        carry: "that of the method it picks",
        origin: "ours",
        ..row(Group::Auto)
    };
    // Approximate methods from here on.
    ListOrder = baselines::LIST_ORDER, |_, _| Listed;
    Average = baselines::AVERAGE, |_, _| Average;
    Weighted = weighted::WEIGHTED, |of, seen| Weighted { own: of.method.weighted, is_drawn: false, range: seen.planes };
    WeightedDrawn = weighted::WEIGHTED_DRAWN, |of, seen| Weighted::drawn(of.method.weighted, seen.planes);
    Histogram = histogram::HISTOGRAM, |of, seen| Histogram::of(of.method.histogram, seen);
    KBuffer = k_buffer::K_BUFFER, |of, _| KBuffer { kept: of.method.keeping.kept, rest: Rest::Drop, core_opacity: of.method.k_buffer.core_opacity };
    Hybrid = k_buffer::HYBRID, |of, _| KBuffer { kept: of.method.keeping.kept, rest: of.method.keeping.rest, core_opacity: of.method.k_buffer.core_opacity };
    Mlab = mlab::MLAB, |of, _| Mlab::new(of.method.keeping.kept, of.method.mlab.node_storage);
    Adaptive = adaptive::ADAPTIVE, |of, _| Adaptive { nodes: of.method.keeping.kept };
    Moment = moment::MOMENT, |of, seen| Moment::of(of.method.moment.moments, seen.planes);
    WeightedSum = weighted_sum::WEIGHTED_SUM, |of, _| WeightedSum(of.method.weighted_sum);
    Stochastic = stochastic::STOCHASTIC, |of, seen| Stochastic::of(of.method.stochastic, seen);
    Peeling = peeling::PEELING, |of, _| Peeling::new(of.method.peeling.peels, 1);
    ABuffer = peeling::A_BUFFER, |of, _| Peeling::new(of.method.peeling.passes, of.method.peeling.capacity);
    LinkedList = linked_list::LINKED_LIST, |of, _| LinkedList::new(of.method.linked_list.list_room, of.method.keeping.rest);
    Coarse = coarse::COARSE, |of, seen| Coarse::of(&of.frame, of.method.coarse, seen.planes);
}
