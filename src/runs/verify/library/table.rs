//! The intrinsics of the wave library in one table: their names, the kernel that checks each of them, and its place in
//! the kernel's output. The table in docs/wave-library.md also has their names in other languages.

use crate::model::Feature;
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    F32,
    I32,
    U32,
    F16,
}

impl Type {
    pub fn feature(self) -> Feature {
        match self {
            Type::F32 => Feature::F32,
            Type::I32 => Feature::I32,
            Type::U32 => Feature::U32,
            Type::F16 => Feature::F16,
        }
    }

    pub const ALL: [Option<Type>; 4] = [
        Some(Type::F32),
        Some(Type::I32),
        Some(Type::U32),
        Some(Type::F16),
    ];

    /// WGSL name of the type, which is also the feature of the kernels' variants.
    pub fn name(self) -> &'static str {
        self.feature().name()
    }

    /// End of a function's name for vectors of `width` components (1 for the scalar).
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

    /// True for floats, which are compared by value, because a zero may have either sign.
    pub fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F16)
    }
}

/// A file of `shaders/check/`, and the entry point of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Kernel {
    /// Queries, votes, ballots.
    Lanes,
    /// Reads of lanes, and equality.
    Read,
    Reduce,
    ReduceBits,
    Prefix,
    Quad,
    Append,
}

impl Kernel {
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

    /// Types that the kernel has variants for. A single `None` if the kernel's intrinsics have no type.
    pub fn types(self) -> &'static [Option<Type>] {
        match self {
            Kernel::Lanes | Kernel::Append => &[None],
            Kernel::ReduceBits => &[Some(Type::I32), Some(Type::U32)],
            _ => &Type::ALL,
        }
    }

    /// Intrinsics that the kernel checks, in the order of its output.
    pub fn intrinsics(self) -> impl Iterator<Item = &'static Intrinsic> {
        TABLE.iter().filter(move |entry| entry.kernel == self)
    }
}

/// One operation per row of the table.
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
    /// Name of the intrinsic in current HLSL.
    pub name: &'static str,
    /// Name of the intrinsic in the first version of the specification.
    pub early: &'static str,
    /// File in `shaders/wave/`, without the extension.
    pub module: &'static str,
    /// The function in that file, without a type at the end of its name.
    pub function: &'static str,
    pub operation: Operation,
    pub kernel: Kernel,
}

impl Intrinsic {
    /// Complete name of the function for a type and for vectors of `width` components (1 for the scalar).
    pub fn function_in(&self, ty: Option<Type>, width: usize) -> String {
        match ty {
            Some(ty) => format!("{}_{}", self.function, ty.suffix(width)),
            None => self.function.to_owned(),
        }
    }
}

/// Columns of a row: name | early | module | function | operation | kernel.
macro_rules! rows {
    ($($name:literal | $early:literal | $module:literal | $function:literal | $operation:ident | $kernel:ident;)*) => {
        [$(Intrinsic {
            name: $name,
            early: $early,
            module: $module,
            function: $function,
            operation: Operation::$operation,
            kernel: Kernel::$kernel,
        },)*]
    };
}

/// All intrinsics. Those of the same kernel are in the order of the kernel's output.
#[rustfmt::skip]
pub const TABLE: [Intrinsic; 27] = rows! {
    "WaveIsFirstLane" | "WaveIsFirstLane" | "query" | "wave_is_first_lane" | IsFirstLane | Lanes;
    "WaveGetLaneCount" | "WaveGetLaneCount" | "query" | "wave_get_lane_count" | LaneCount | Lanes;
    "WaveGetLaneIndex" | "WaveGetLaneIndex" | "query" | "wave_get_lane_index" | LaneIndex | Lanes;
    "WaveActiveAnyTrue" | "WaveAnyTrue" | "vote" | "wave_active_any_true" | AnyTrue | Lanes;
    "WaveActiveAllTrue" | "WaveAllTrue" | "vote" | "wave_active_all_true" | AllTrue | Lanes;
    "WaveActiveAllEqual (bool)" | "WaveAllEqualBool" | "vote" | "wave_active_all_equal_bool" | AllEqualBool | Lanes;
    "WaveActiveCountBits" | "WaveAllCountBits" | "ballot" | "wave_active_count_bits" | CountBits | Lanes;
    "WavePrefixCountBits" | "WavePrefixCountBits" | "ballot" | "wave_prefix_count_bits" | PrefixCountBits | Lanes;
    "WaveActiveBallot" | "WaveBallot" | "ballot" | "wave_active_ballot" | Ballot | Lanes;
    "WaveReadLaneFirst" | "WaveReadLaneFirst" | "read_lane" | "wave_read_lane_first" | ReadLaneFirst | Read;
    "WaveReadLaneAt" | "WaveReadLaneAt" | "read_lane" | "wave_read_lane_at" | ReadLaneAt | Read;
    "WaveActiveAllEqual" | "WaveAllEqual" | "all_equal" | "wave_active_all_equal" | AllEqual | Read;
    "WaveActiveSum" | "WaveAllSum" | "reduce" | "wave_active_sum" | Sum | Reduce;
    "WaveActiveProduct" | "WaveAllProduct" | "reduce" | "wave_active_product" | Product | Reduce;
    "WaveActiveMin" | "WaveAllMin" | "reduce" | "wave_active_min" | Min | Reduce;
    "WaveActiveMax" | "WaveAllMax" | "reduce" | "wave_active_max" | Max | Reduce;
    "WaveActiveBitAnd" | "WaveAllBitAnd" | "reduce_bits" | "wave_active_bit_and" | BitAnd | ReduceBits;
    "WaveActiveBitOr" | "WaveAllBitOr" | "reduce_bits" | "wave_active_bit_or" | BitOr | ReduceBits;
    "WaveActiveBitXor" | "WaveAllBitXor" | "reduce_bits" | "wave_active_bit_xor" | BitXor | ReduceBits;
    "WavePrefixSum" | "WavePrefixSum" | "prefix" | "wave_prefix_sum" | PrefixSum | Prefix;
    "WavePrefixProduct" | "WavePrefixProduct" | "prefix" | "wave_prefix_product" | PrefixProduct | Prefix;
    "QuadReadAcrossX" | "QuadReadAcrossX" | "quad" | "quad_read_across_x" | QuadAcrossX | Quad;
    "QuadReadAcrossY" | "QuadReadAcrossY" | "quad" | "quad_read_across_y" | QuadAcrossY | Quad;
    "QuadReadAcrossDiagonal" | "QuadReadAcrossDiagonal" | "quad" | "quad_read_across_diagonal" | QuadAcrossDiagonal | Quad;
    "QuadReadLaneAt" | "QuadReadLaneAt" | "quad" | "quad_read_lane_at" | QuadLaneAt | Quad;
    "ordered append, one or none" | "an example" | "append" | "wave_append_one" | AppendOne | Append;
    "ordered append, any number" | "an example" | "append" | "wave_append_counts" | AppendCounts | Append;
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::shader::ShaderSource;

    #[test]
    fn every_row_is_named_in_its_file_by_todays_name_and_the_early_one() {
        let source = ShaderSource::default();
        for row in TABLE.iter().filter(|row| row.kernel != Kernel::Append) {
            let text = source.file(&format!("wave/{}", row.module));
            let text = text.expect("a file");
            let name = row.name.trim_end_matches(" (bool)");
            assert!(text.contains(name) && text.contains(row.early), "{row:?}");
        }
    }
}
