//! The table of all methods. The order is the order everywhere: CLI, panes, keys, reports.

use super::{Accuracy, Approximate, Bound, Entry, Group, Method, Needs, Trait};

// `Method::entry` finds a row by the number of its variant.
const _: () = {
    let mut row = 0;
    while row < TABLE.len() {
        let same = TABLE[row].method as usize == row;
        assert!(
            same,
            "the rows and the variants of `Method` differ in order"
        );
        let it = &TABLE[row];
        let lacks_code = it.name.is_empty() || it.module.is_empty();
        let lacks_words = it.mapping.is_empty() || it.cost.is_empty();
        let lacks_claims = it.guarantee.is_empty() || it.origin.is_empty();
        let is_whole = !(lacks_code || lacks_words || lacks_claims);
        assert!(is_whole, "a row lacks what no two methods share");
        row += 1;
    }
};

/// What the methods of a family share unless their rows say otherwise: a thread takes layer after layer.
const fn of(group: Group) -> Entry {
    Entry {
        method: Method::ListOrder,
        name: "",
        module: "",
        needs: match group {
            Group::PerWave => Needs::Waves,
            _ => Needs::Nothing,
        },
        group,
        accuracy: match group {
            Group::Approximate(_) => Accuracy::Approximate,
            _ => Accuracy::Exact(Bound::Rounding),
        },
        traits: &[],
        mapping: "",
        cost: "",
        guarantee: "",
        tail: "none: one layer at a time",
        carry: "in the thread, layer by layer",
        origin: "",
    }
}

const fn approximate(family: Approximate) -> Entry {
    of(Group::Approximate(family))
}

/// All methods in order.
pub const TABLE: [Entry; 31] = [
    Entry {
        method: Method::PixelLoop,
        name: "pixel-loop",
        module: "methods/pixel_loop",
        mapping: "thread per pixel; reads the list from global memory",
        cost: "n sequential evaluations per thread; no wave operation",
        guarantee: "strict order, at most three roundings per layer; runs everywhere",
        origin: "the article's plain loop",
        ..of(Group::PerPixel)
    },
    Entry {
        method: Method::ReadLaneLoop,
        name: "read-lane-loop",
        module: "methods/read_lane_loop",
        traits: &[Trait::Ragged, Trait::LoopsOverLanes, Trait::ReadsLanes],
        mapping: "wave per pixel, lane per layer; loop of WaveReadLaneAt and lerp",
        cost: "per layer a broadcast of 4 floats, repeated in all lanes",
        guarantee: "the article's order inside a group; ragged tail, no inactive lane is read",
        tail: "ragged: lanes without a layer leave the loop; the inner loop ends at the last layer",
        carry: "the same in every lane, layer by layer",
        origin: "the article's simple loop of WaveReadLaneAt",
        ..of(Group::PerWave)
    },
    Entry {
        method: Method::WaveLerpProduct,
        name: "wave-lerp-product",
        module: "methods/wave_lerp_product",
        traits: &[Trait::Ragged, Trait::PrefixProduct],
        mapping: "wave per pixel, lane per layer; WavePrefixProduct and WaveActiveSum",
        cost: "per group a scan, a sum of 3 channels and a second reduction for the carry",
        guarantee: "within (3n+4) roundings; ragged tail",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "WaveActiveProduct(1-t) of the group",
        origin: "article, continued interpolation",
        ..of(Group::PerWave)
    },
    Entry {
        method: Method::WaveLerpBallot,
        name: "wave-lerp-ballot",
        module: "methods/wave_lerp_ballot",
        traits: &[Trait::Ragged, Trait::PrefixProduct, Trait::ReadsLanes],
        mapping: "as wave-lerp-product; carry read from the last active lane by ballot",
        cost: "per group a scan, a sum, a ballot with vector firstbithigh, one lane read",
        guarantee: "within (3n+4) roundings; ragged tail, any wave up to 128 lanes",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "read from the last active lane, found by ballot",
        origin: "article, the cross-platform way",
        ..of(Group::PerWave)
    },
    Entry {
        method: Method::WaveLerpBallotScalar,
        name: "wave-lerp-ballot-scalar",
        module: "methods/wave_lerp_ballot_scalar",
        traits: &[Trait::Ragged, Trait::PrefixProduct, Trait::ReadsLanes],
        mapping: "as wave-lerp-ballot; ballot bits through WaveReadLaneFirst",
        cost: "as wave-lerp-ballot plus one read; uniform bits may stay in scalar registers",
        guarantee: "as wave-lerp-ballot",
        tail: "ragged: lanes without a layer leave the loop",
        carry: "read from the last active lane, found by ballot made scalar",
        origin: "article, scalarization forced",
        ..of(Group::PerWave)
    },
    Entry {
        method: Method::WaveLerpFindMsb,
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
        ..of(Group::PerWave)
    },
    Entry {
        method: Method::WaveLerpKnownLast,
        name: "wave-lerp-known-last",
        module: "methods/wave_lerp_known_last",
        traits: &[Trait::PrefixProduct, Trait::ReadsLanes],
        mapping: "as wave-lerp-ballot; tail padded with a = 0, last lane is W-1",
        cost: "per group a scan, a sum of 3 channels and one lane read, no ballot",
        guarantee: "every lane always active: needs no promise of where lanes reconverge",
        tail: "padded with a = 0: every lane stays",
        carry: "read from lane W-1",
        origin: "ours, the safe form",
        ..of(Group::PerWave)
    },
    Entry {
        method: Method::WaveLerpDeferred,
        name: "wave-lerp-deferred",
        module: "methods/wave_lerp_deferred",
        traits: &[Trait::PrefixProduct, Trait::ReadsLanes],
        mapping: "as wave-lerp-known-last; one sum over lanes, at the end",
        cost: "per group a scan and one lane read; per pixel one sum of 3 channels",
        guarantee: "every lane always active: needs no promise of where lanes reconverge",
        tail: "padded with a = 0: every lane stays",
        carry: "read from lane W-1",
        origin: "ours, the safe form",
        ..of(Group::PerWave)
    },
    Entry {
        method: Method::PixelLoopStaged,
        name: "pixel-loop-staged",
        module: "methods/pixel_loop_staged",
        traits: &[Trait::TakesHalf],
        mapping: "thread per one or several pixels; list staged through workgroup memory",
        cost: "n sequential evaluations per pixel; a layer is fetched once per tile",
        guarantee: "bit-identical to pixel-loop in f32 without early-out; runs everywhere",
        origin: "as in tile rasterisers of splats (Kerbl et al. 2023)",
        ..of(Group::Staged)
    },
    Entry {
        method: Method::WaveTree,
        name: "wave-tree",
        module: "methods/wave_tree",
        mapping: "wave per pixel, lane per layer; ordered butterfly over (rgb, T)",
        cost: "per group log2(W) steps of 4 shuffles and an over",
        guarantee: "within (3n+4) roundings; every lane always active",
        tail: "padded with a = 0: every lane stays",
        carry: "part of the tree",
        origin: "ours, the tree reduction of a monoid",
        ..of(Group::PerWave)
    },
    Entry {
        method: Method::SplitDepth,
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
        ..of(Group::SplitDepth)
    },
    Entry {
        method: Method::SplitBatches,
        name: "split-batches",
        module: "methods/split_batches",
        mapping: "workgroup per batch of B layers, thread per pixel; a second pass joins batches",
        cost: "at most B sequential evaluations per thread; 16 bytes per pixel and additional batch",
        guarantee: "within (3n+4) roundings; the same bits wherever batches run; runs everywhere",
        tail: "the last batch has the remainder",
        carry: "in the thread; batches are joined by over",
        origin: "ours, split-depth across workgroups; batches as in HiGS",
        ..of(Group::Batches)
    },
    Entry {
        method: Method::FixedFunction,
        name: "fixed-function",
        module: "methods/fixed_function",
        needs: Needs::Blending,
        mapping: "one indirect draw of a depth-sorted stream of items and slices, a quad each",
        cost: "per layer and pixel a 16-byte blend in memory; no list, no early-out, a pass to store",
        guarantee: "strict order, back to front; within (3n+4) roundings; no wave operation",
        tail: "none: the hardware takes one layer at a time",
        carry: "in the target: its alpha is the transmittance",
        origin: "painter's order (Porter and Duff 1984)",
        ..of(Group::Blended)
    },
    Entry {
        method: Method::FixedFunctionF16,
        name: "fixed-function-f16",
        module: "methods/fixed_function",
        accuracy: Accuracy::Exact(Bound::HalfBlends),
        mapping: "as fixed-function, into 16-bit floats",
        cost: "as fixed-function, with half the memory traffic",
        guarantee: "every blend rounds to 11 bits; its own bound, some 3/1024 of the value per layer",
        tail: "none: the hardware takes one layer at a time",
        carry: "in the target: its alpha is the transmittance",
        origin: "painter's order (Porter and Duff 1984)",
        ..of(Group::Blended)
    },
    Entry {
        method: Method::Auto,
        name: "auto",
        module: "methods/pixel_loop_staged",
        traits: &[Trait::TakesHalf],
        mapping: "picks method and dials from pixels, wave size and list lengths, by a measured rule",
        cost: "that of the method it picks, named in window and reports",
        guarantee: "that of the method it picks; never one with a hazard",
        tail: "that of the method it picks",
        carry: "that of the method it picks",
        origin: "ours",
        ..of(Group::Auto)
    },
    Entry {
        method: Method::ListOrder,
        name: "list-order",
        module: "methods/baselines",
        mapping: "thread per pixel; list staged, alpha blending in the order of the list",
        cost: "n sequential evaluations per pixel; no sort unless --order sorted",
        guarantee: "exact on sorted lists; depends on the order of the list",
        origin: "what blending without a sort gives",
        ..approximate(Approximate::Baselines)
    },
    Entry {
        method: Method::Average,
        name: "average",
        module: "methods/baselines",
        traits: &[Trait::SharesPixels],
        mapping: "as list-order, or D threads per pixel; sums of opacity and colour",
        cost: "n sequential evaluations per pixel; no sort; 5 numbers of state",
        guarantee: "exact transmittance, no order; far layers shine through near ones",
        origin: "weighted average (Bavoil and Myers 2008)",
        ..approximate(Approximate::Baselines)
    },
    Entry {
        method: Method::Weighted,
        name: "weighted",
        module: "methods/weighted",
        traits: &[Trait::SharesPixels],
        mapping: "as average; sums weighted by each layer's depth and opacity (--weight)",
        cost: "n sequential evaluations per pixel; no sort; 5 numbers of state per slice",
        guarantee: "no order, exact transmittance in f32; near-opaque layers leak, and weights are tied to metres",
        origin: "weighted blended transparency (McGuire and Bavoil 2013)",
        ..approximate(Approximate::Weighted)
    },
    Entry {
        method: Method::WeightedDrawn,
        name: "weighted-drawn",
        module: "methods/weighted_drawn",
        mapping: "one draw of all items and slices, a quad each, into two targets",
        cost: "per layer and pixel a blend of 9 bytes in memory; no list, no sort, a pass that divides",
        guarantee: "as weighted in half floats and 8 bits, rounded as the hardware does",
        tail: "none: the hardware takes one layer at a time",
        carry: "in the targets: sums and transmittance",
        origin: "weighted blended transparency (McGuire and Bavoil 2013)",
        ..approximate(Approximate::WeightedDrawn)
    },
    Entry {
        method: Method::Histogram,
        name: "histogram",
        module: "methods/histogram",
        traits: &[Trait::SharesPixels],
        mapping: "as average, twice: absorbance into bins of depth (--bins), then colours by what the bins let through",
        cost: "n evaluations per pixel, and n of opacity alone; no sort; 8 to 32 numbers of state in workgroup memory",
        guarantee: "no order, exact transmittance; layers less than two bins apart blend into one another",
        origin: "wavelet transparency (Aizenshtein, McGuire and others 2022) in its histogram form",
        ..approximate(Approximate::Histogram)
    },
    Entry {
        method: Method::KBuffer,
        name: "k-buffer",
        module: "methods/k_buffer",
        mapping: "as list-order; the nearest layers of a pixel in registers, in order (--kept)",
        cost: "n sequential evaluations per pixel; no sort; up to K exchanges for a layer that enters, 6 K numbers of state",
        guarantee: "exact up to K layers, no order; what is behind them is lost, and what it hides shows",
        origin: "k-buffer (Bavoil and others 2007)",
        ..approximate(Approximate::KBuffer)
    },
    Entry {
        method: Method::Hybrid,
        name: "hybrid",
        module: "methods/k_buffer",
        mapping: "as k-buffer; what is behind the nearest is averaged, or blended otherwise (--rest)",
        cost: "as k-buffer, with 5 more numbers of state",
        guarantee: "exact up to K layers, exact transmittance, no order unless --rest list-order; fog fills the core",
        origin: "hybrid transparency (Maule and others 2013)",
        ..approximate(Approximate::KBuffer)
    },
    Entry {
        method: Method::Mlab,
        name: "mlab",
        module: "methods/mlab",
        mapping: "as list-order; nodes of a pixel in registers, in order; the two farthest blend to make room (--kept)",
        cost: "n sequential evaluations per pixel; no sort; up to K exchanges and a blend per layer, 6 K numbers of state",
        guarantee: "exact on sorted lists and up to K layers, exact transmittance in f32; depends on the order of the list",
        origin: "multi-layer alpha blending (Salvi and Vaidyanathan 2014)",
        ..approximate(Approximate::MultiLayer)
    },
    Entry {
        method: Method::Adaptive,
        name: "adaptive",
        module: "methods/adaptive",
        mapping: "as list-order, twice; steps of transmittance, then layers under them (--kept)",
        cost: "two walks, the first without colour; no sort; up to 4 K steps per layer, 3 K numbers of state",
        guarantee: "exact up to K layers, exact transmittance; depends on the order of the list, and only darkens",
        origin: "adaptive transparency (Salvi, Montgomery and Lefohn 2011)",
        ..approximate(Approximate::MultiLayer)
    },
    Entry {
        method: Method::Moment,
        name: "moment",
        module: "methods/moment",
        traits: &[Trait::SharesPixels],
        mapping: "as average, twice: moments of absorbance over depth (--moments), then colours by what they let through",
        cost: "n evaluations per pixel, each with the zeros of a polynomial, and n of opacity alone; no sort; 10 to 14 numbers of state",
        guarantee: "exact transmittance; few distinct layers exact up to the bias, then layers blend, and rounding shows in order",
        origin: "moment-based transparency (Münstermann and others 2018, Sharpe 2018)",
        ..approximate(Approximate::Moment)
    },
    Entry {
        method: Method::WeightedSum,
        name: "weighted-sum",
        module: "methods/weighted_sum",
        traits: &[Trait::SharesPixels],
        mapping: "as average; sums weighted by depth, the background in them",
        cost: "n sequential evaluations per pixel; no sort; 4 numbers of state",
        guarantee: "no order and no occlusion: for splats that are trained for it",
        origin: "weighted sum rendering (Hou et al. 2025)",
        ..approximate(Approximate::WeightedSum)
    },
    Entry {
        method: Method::Stochastic,
        name: "stochastic",
        module: "methods/stochastic",
        traits: &[Trait::SharesPixels],
        mapping: "as average; layers cover S samples at random, each keeps its nearest (--samples, --estimate)",
        cost: "two walks; a hash per layer and 8 samples; no sort; S numbers of state, or 2S for mean and corrected",
        guarantee: "no order; --estimate mean is exact in expectation, corrected and depth keep transmittance; noise",
        origin: "stochastic transparency (Enderton et al. 2010)",
        ..approximate(Approximate::Stochastic)
    },
    Entry {
        method: Method::Peeling,
        name: "peeling",
        module: "methods/peeling",
        mapping: "as list-order; each walk takes the next nearest layer (--peels)",
        cost: "a walk of n evaluations per layer taken, until none is left; no sort; 12 numbers of state",
        guarantee: "no order; exact up to as many layers as walks; the others are lost",
        origin: "depth peeling (Everitt 2001)",
        ..approximate(Approximate::Peeling)
    },
    Entry {
        method: Method::ABuffer,
        name: "a-buffer",
        module: "methods/peeling",
        mapping: "as peeling, several layers a walk, sorted in registers (--capacity, --passes)",
        cost: "n evaluations and insertions per walk; no sort of lists; 6 numbers of state per layer taken",
        guarantee: "no order; exact up to passes times capacity layers, the others are lost",
        origin: "lists that a pixel sorts (Yang et al. 2010), by passes",
        ..approximate(Approximate::Peeling)
    },
    Entry {
        method: Method::LinkedList,
        name: "linked-list",
        module: "methods/linked_list",
        mapping: "as list-order; each pixel stores what it sees in a list in memory (--list-room), then sorts that",
        cost: "n evaluations per pixel; no sort of tiles' lists; 24 bytes of memory per pixel and layer that there is room for",
        guarantee: "exact while there is room; what comes later in the list is averaged, or treated otherwise (--rest), however near",
        origin: "per-pixel linked lists (Yang et al. 2010)",
        ..approximate(Approximate::LinkedList)
    },
    Entry {
        method: Method::Coarse,
        name: "coarse",
        module: "methods/coarse",
        mapping: "as list-order, in the order of depth keys of few bits (--key-bits)",
        cost: "at most n sequential evaluations per pixel (--stop-below, --first-layers), W exchanges each in a window (--window); lists sorted by short keys",
        guarantee: "exact where keys differ, exact transmittance unless it stops early; within a key depends on the order of the list",
        origin: "what viewers of Gaussian splats do",
        ..approximate(Approximate::Coarse)
    },
];
