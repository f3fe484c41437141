//! The intrinsics of the wave library in one table: names in five languages, the kernel that checks each, and
//! its place in that kernel's output. The table in docs/wave-library.md is this one.

use crate::model::Feature;
use serde::Serialize;

/// A type of numbers that intrinsics are there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// 32-bit floats.
    F32,
    /// 32-bit signed integers.
    I32,
    /// 32-bit unsigned integers.
    U32,
    /// Half floats, where the adapter has them.
    F16,
}

impl Type {
    /// The feature of shaders that checks it.
    pub fn feature(self) -> Feature {
        match self {
            Type::F32 => Feature::F32,
            Type::I32 => Feature::I32,
            Type::U32 => Feature::U32,
            Type::F16 => Feature::F16,
        }
    }

    pub const ALL: [Type; 4] = [Type::F32, Type::I32, Type::U32, Type::F16];

    /// Its WGSL name, which is also the feature of the kernels' variants.
    pub fn name(self) -> &'static str {
        self.feature().name()
    }

    /// What the name of a function ends in, for a vector of `width` components (1: the scalar).
    pub fn suffix(self, width: usize) -> String {
        let letter = match self {
            Type::F32 => 'f',
            Type::I32 => 'i',
            Type::U32 => 'u',
            Type::F16 => 'h',
        };
        match width {
            1 => self.name().to_owned(),
            _ => format!("vec{width}{letter}"),
        }
    }

    /// Whether it is a float: compared by value, since a zero may have either sign.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F16)
    }
}

/// A file of `shaders/check/`, with the entry point of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Queries, votes, ballots.
    Lanes,
    /// Reads of lanes, and equality.
    Read,
    Reduce,
    /// Reductions of bits.
    ReduceBits,
    Prefix,
    /// Reads within quads.
    Quad,
    Append,
}

impl Kernel {
    pub const ALL: [Kernel; 7] = [
        Kernel::Lanes,
        Kernel::Read,
        Kernel::Reduce,
        Kernel::ReduceBits,
        Kernel::Prefix,
        Kernel::Quad,
        Kernel::Append,
    ];

    /// Its module and its entry point.
    pub fn shader(self) -> (&'static str, &'static str) {
        match self {
            Kernel::Lanes => ("check/lanes", "lanes"),
            Kernel::Read => ("check/read", "read_lanes"),
            Kernel::Reduce => ("check/reduce", "reduce"),
            Kernel::ReduceBits => ("check/reduce_bits", "reduce_bits"),
            Kernel::Prefix => ("check/prefix", "prefix"),
            Kernel::Quad => ("check/quad", "quad"),
            Kernel::Append => ("check/append", "append"),
        }
    }

    /// The types it has variants for; none where its intrinsics have no type.
    pub fn types(self) -> &'static [Type] {
        match self {
            Kernel::Lanes | Kernel::Append => &[],
            Kernel::ReduceBits => &[Type::I32, Type::U32],
            _ => &Type::ALL,
        }
    }

    /// Its intrinsics, in the order of its output.
    pub fn intrinsics(self) -> impl Iterator<Item = &'static Intrinsic> {
        TABLE.iter().filter(move |entry| entry.kernel == self)
    }
}

/// What is computed: one per row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    IsFirstLane,
    LaneCount,
    LaneIndex,
    AnyTrue,
    AllTrue,
    AllEqualBool,
    CountBits,
    PrefixCountBits,
    Ballot,
    ReadLaneFirst,
    ReadLaneAt,
    AllEqual,
    Sum,
    Product,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    PrefixSum,
    PrefixProduct,
    QuadAcrossX,
    QuadAcrossY,
    QuadAcrossDiagonal,
    QuadLaneAt,
    AppendOne,
    AppendCounts,
}

#[derive(Clone, Copy, Debug)]
pub struct Intrinsic {
    /// Its name in HLSL today.
    pub name: &'static str,
    /// Its name in the first version of the specification.
    pub early: &'static str,
    /// File of `shaders/wave/`, without extension.
    pub module: &'static str,
    /// The function there, without the type that its name ends in where it has one.
    pub function: &'static str,
    /// What it is in plain WGSL.
    pub wgsl: &'static str,
    pub glsl: &'static str,
    pub msl: &'static str,
    pub operation: Operation,
    pub kernel: Kernel,
}

/// Rows: name | early | module | function | WGSL | GLSL | MSL | operation | kernel.
macro_rules! rows {
    ($($name:literal | $early:literal | $module:literal | $function:literal | $wgsl:literal | $glsl:literal
        | $msl:literal | $operation:ident | $kernel:ident;)*) => {
        [$(Intrinsic {
            name: $name,
            early: $early,
            module: $module,
            function: $function,
            wgsl: $wgsl,
            glsl: $glsl,
            msl: $msl,
            operation: Operation::$operation,
            kernel: Kernel::$kernel,
        },)*]
    };
}

/// The intrinsics, those of a kernel in the order of its output.
#[rustfmt::skip]
pub const TABLE: [Intrinsic; 27] = rows! {
    "WaveIsFirstLane" | "WaveIsFirstLane" | "query" | "wave_is_first_lane"
        | "subgroupElect()" | "subgroupElect()" | "simd_is_first()" | IsFirstLane | Lanes;
    "WaveGetLaneCount" | "WaveGetLaneCount" | "query" | "wave_get_lane_count"
        | "@builtin(subgroup_size)" | "gl_SubgroupSize" | "[[threads_per_simdgroup]]" | LaneCount | Lanes;
    "WaveGetLaneIndex" | "WaveGetLaneIndex" | "query" | "wave_get_lane_index"
        | "@builtin(subgroup_invocation_id)" | "gl_SubgroupInvocationID" | "[[thread_index_in_simdgroup]]"
        | LaneIndex | Lanes;
    "WaveActiveAnyTrue" | "WaveAnyTrue" | "vote" | "wave_active_any_true"
        | "subgroupAny(b)" | "subgroupAny(b)" | "simd_any(b)" | AnyTrue | Lanes;
    "WaveActiveAllTrue" | "WaveAllTrue" | "vote" | "wave_active_all_true"
        | "subgroupAll(b)" | "subgroupAll(b)" | "simd_all(b)" | AllTrue | Lanes;
    "WaveActiveAllEqual (bool)" | "WaveAllEqualBool" | "vote" | "wave_active_all_equal_bool"
        | "all, or not any" | "subgroupAllEqual(b)" | "all, or not any" | AllEqualBool | Lanes;
    "WaveActiveCountBits" | "WaveAllCountBits" | "ballot" | "wave_active_count_bits"
        | "countOneBits of the ballot's words" | "subgroupBallotBitCount(subgroupBallot(b))"
        | "popcount((ulong)simd_ballot(b))" | CountBits | Lanes;
    "WavePrefixCountBits" | "WavePrefixCountBits" | "ballot" | "wave_prefix_count_bits"
        | "countOneBits of the words' lower lanes" | "subgroupBallotExclusiveBitCount(subgroupBallot(b))"
        | "simd_prefix_exclusive_sum(uint(b))" | PrefixCountBits | Lanes;
    "WaveActiveBallot" | "WaveBallot" | "ballot" | "wave_active_ballot"
        | "subgroupBallot(b)" | "subgroupBallot(b)" | "simd_ballot(b)" | Ballot | Lanes;
    "WaveReadLaneFirst" | "WaveReadLaneFirst" | "read_lane" | "wave_read_lane_first"
        | "subgroupBroadcastFirst(x)" | "subgroupBroadcastFirst(x)" | "simd_broadcast_first(x)"
        | ReadLaneFirst | Read;
    "WaveReadLaneAt" | "WaveReadLaneAt" | "read_lane" | "wave_read_lane_at"
        | "subgroupShuffle(x, lane)" | "subgroupBroadcast(x, lane)" | "simd_broadcast(x, lane)"
        | ReadLaneAt | Read;
    "WaveActiveAllEqual" | "WaveAllEqual" | "all_equal" | "wave_active_all_equal"
        | "subgroupAll of x == its first" | "subgroupAllEqual(x)" | "simd_all of x == its first"
        | AllEqual | Read;
    "WaveActiveSum" | "WaveAllSum" | "reduce" | "wave_active_sum"
        | "subgroupAdd(x)" | "subgroupAdd(x)" | "simd_sum(x)" | Sum | Reduce;
    "WaveActiveProduct" | "WaveAllProduct" | "reduce" | "wave_active_product"
        | "subgroupMul(x)" | "subgroupMul(x)" | "simd_product(x)" | Product | Reduce;
    "WaveActiveMin" | "WaveAllMin" | "reduce" | "wave_active_min"
        | "subgroupMin(x)" | "subgroupMin(x)" | "simd_min(x)" | Min | Reduce;
    "WaveActiveMax" | "WaveAllMax" | "reduce" | "wave_active_max"
        | "subgroupMax(x)" | "subgroupMax(x)" | "simd_max(x)" | Max | Reduce;
    "WaveActiveBitAnd" | "WaveAllBitAnd" | "reduce_bits" | "wave_active_bit_and"
        | "subgroupAnd(x)" | "subgroupAnd(x)" | "simd_and(x)" | BitAnd | ReduceBits;
    "WaveActiveBitOr" | "WaveAllBitOr" | "reduce_bits" | "wave_active_bit_or"
        | "subgroupOr(x)" | "subgroupOr(x)" | "simd_or(x)" | BitOr | ReduceBits;
    "WaveActiveBitXor" | "WaveAllBitXor" | "reduce_bits" | "wave_active_bit_xor"
        | "subgroupXor(x)" | "subgroupXor(x)" | "simd_xor(x)" | BitXor | ReduceBits;
    "WavePrefixSum" | "WavePrefixSum" | "prefix" | "wave_prefix_sum"
        | "subgroupExclusiveAdd(x)" | "subgroupExclusiveAdd(x)" | "simd_prefix_exclusive_sum(x)"
        | PrefixSum | Prefix;
    "WavePrefixProduct" | "WavePrefixProduct" | "prefix" | "wave_prefix_product"
        | "subgroupExclusiveMul(x)" | "subgroupExclusiveMul(x)" | "simd_prefix_exclusive_product(x)"
        | PrefixProduct | Prefix;
    "QuadReadAcrossX" | "QuadReadAcrossX" | "quad" | "quad_read_across_x"
        | "quadSwapX(x)" | "subgroupQuadSwapHorizontal(x)" | "quad_shuffle_xor(x, 1)" | QuadAcrossX | Quad;
    "QuadReadAcrossY" | "QuadReadAcrossY" | "quad" | "quad_read_across_y"
        | "quadSwapY(x)" | "subgroupQuadSwapVertical(x)" | "quad_shuffle_xor(x, 2)" | QuadAcrossY | Quad;
    "QuadReadAcrossDiagonal" | "QuadReadAcrossDiagonal" | "quad" | "quad_read_across_diagonal"
        | "quadSwapDiagonal(x)" | "subgroupQuadSwapDiagonal(x)" | "quad_shuffle_xor(x, 3)"
        | QuadAcrossDiagonal | Quad;
    "QuadReadLaneAt" | "QuadReadLaneAt" | "quad" | "quad_read_lane_at"
        | "quadBroadcast(x, constant)" | "subgroupQuadBroadcast(x, id)" | "quad_shuffle(x, id)"
        | QuadLaneAt | Quad;
    "ordered append, one or none" | "an example" | "append" | "wave_append_one"
        | "–" | "–" | "–" | AppendOne | Append;
    "ordered append, any number" | "an example" | "append" | "wave_append_counts"
        | "–" | "–" | "–" | AppendCounts | Append;
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shader::ShaderSource;

    #[test]
    fn every_row_is_a_function_of_its_file_in_every_type() {
        let source = ShaderSource::default();
        for row in &TABLE {
            let text = source
                .file(&format!("wave/{}", row.module))
                .expect("a file");
            let half = source.file("wave/half").expect("a file");
            let types = row.kernel.types();
            if types.is_empty() {
                assert!(text.contains(&format!("fn {}(", row.function)), "{row:?}");
            }
            for ty in types {
                let text = if *ty == Type::F16 { &half } else { &text };
                for width in 1..=4 {
                    let name = format!("fn {}_{}(", row.function, ty.suffix(width));
                    assert!(text.contains(&name), "{name}");
                }
            }
        }
    }

    #[test]
    fn every_row_is_named_in_its_file_by_todays_name_and_the_early_one() {
        let source = ShaderSource::default();
        for row in TABLE.iter().filter(|row| row.kernel != Kernel::Append) {
            let text = source
                .file(&format!("wave/{}", row.module))
                .expect("a file");
            let name = row.name.trim_end_matches(" (bool)");
            assert!(text.contains(name) && text.contains(row.early), "{row:?}");
        }
    }

    #[test]
    fn the_rows_of_a_kernel_are_as_many_as_its_slots() {
        for kernel in Kernel::ALL
            .into_iter()
            .filter(|kernel| *kernel != Kernel::Append)
        {
            let text = ShaderSource::default()
                .file(kernel.shader().0)
                .expect("a file");
            let slots = format!("const SLOTS: u32 = {}u;", kernel.intrinsics().count());
            assert!(text.contains(&slots), "{kernel:?}: {slots}");
        }
    }
}
