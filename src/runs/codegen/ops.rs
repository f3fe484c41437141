//! Counts the operations of a module: wave operations by kind, arithmetic, memory accesses, loops and
//! branches, each by the number of loops around it.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{GlslStd450Op, Op, StorageClass};

use super::expanded::{Code, Site};

/// The sections of a table of counts, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// Operations across the lanes of a wave, each opcode and form apart; barriers.
    Wave,
    /// Arithmetic, comparisons, conversions.
    Arithmetic,
    /// Buffers, textures, workgroup memory.
    Memory,
    /// Loops and branches.
    Control,
    /// Operations that compilers keep in registers or remove: local variables, addresses, moves, calls, jumps.
    Rest,
}

impl Section {
    /// All of them in order.
    pub const ALL: [Section; 5] = [
        Section::Wave,
        Section::Arithmetic,
        Section::Memory,
        Section::Control,
        Section::Rest,
    ];

    /// Its heading.
    pub fn name(self) -> &'static str {
        match self {
            Section::Wave => "wave operations",
            Section::Arithmetic => "arithmetic",
            Section::Memory => "memory",
            Section::Control => "control",
            Section::Rest => "kept in registers or removed by compilers",
        }
    }
}

/// Instructions of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationCount {
    /// The section of the table.
    pub section: Section,
    /// The name of the kind: `FMul ExclusiveScan`, `load storage buffer`.
    pub name: String,
    /// Places in the expanded code.
    pub sites: usize,
    /// Number of scalars in all their results and stores: 3 for a sum of three channels.
    pub scalars: usize,
    /// Places by the number of loops around them.
    pub by_loops: Vec<usize>,
}

/// The operations of a module. Every instruction is counted in exactly one row.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// In the order of the table.
    pub rows: Vec<OperationCount>,
}

impl Counts {
    /// Counts what the module's entry point reaches, as [`Code::sites`] has it.
    pub fn of(code: &Code) -> Self {
        let mut counts = Self::default();
        for site in code.sites() {
            let (section, name) = kind_of(code, site.instruction);
            counts.add(section, name, site, code.scalars(site.instruction));
        }
        counts
            .rows
            .sort_by(|a, b| (a.section, &a.name).cmp(&(b.section, &b.name)));
        counts
    }

    fn add(&mut self, section: Section, name: String, site: Site, scalars: usize) {
        let is_same = |row: &OperationCount| row.section == section && row.name == name;
        let at = self.rows.iter().position(is_same).unwrap_or_else(|| {
            self.rows.push(OperationCount {
                section,
                name,
                sites: 0,
                scalars: 0,
                by_loops: Vec::new(),
            });
            self.rows.len() - 1
        });
        let row = &mut self.rows[at];
        row.sites += 1;
        row.scalars += scalars;
        let depths = row.by_loops.len().max(site.loops + 1);
        row.by_loops.resize(depths, 0);
        row.by_loops[site.loops] += 1;
    }

    /// The row of this name.
    pub fn row(&self, name: &str) -> Option<&OperationCount> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Places of the row of this name; 0 if there is no such row.
    pub fn sites(&self, name: &str) -> usize {
        self.row(name).map_or(0, |row| row.sites)
    }

    /// The largest number of loops around any instruction.
    pub fn depth(&self) -> usize {
        let depths = self.rows.iter().map(|row| row.by_loops.len());
        depths.max().unwrap_or(1).saturating_sub(1)
    }
}

/// The section and the row's name under which an instruction is counted.
pub fn kind_of(code: &Code, instruction: &Instruction) -> (Section, String) {
    let op = instruction.class.opcode;
    if let Some(name) = wave_name(instruction) {
        return (Section::Wave, name);
    }
    let (section, name) = match op {
        Op::ExtInst => return extended(instruction),
        Op::Load | Op::Store => return memory(code, instruction),
        Op::LoopMerge => (Section::Control, "loops"),
        Op::BranchConditional | Op::Switch => (Section::Control, "branches"),
        _ => plain(op),
    };
    if name.is_empty() {
        (section, format!("Op{}", instruction.class.opname))
    } else {
        (section, name.to_owned())
    }
}

/// The name of a group operation, as in `FMul ExclusiveScan`, `Ballot`; of a barrier; none for any other.
fn wave_name(instruction: &Instruction) -> Option<String> {
    let opname = instruction.class.opname;
    if instruction.class.opcode == Op::ControlBarrier {
        return Some("barrier".to_owned());
    }
    let name = opname.strip_prefix("GroupNonUniform")?;
    let form = |operand: &Operand| match operand {
        Operand::GroupOperation(form) => Some(format!("{form:?}")),
        _ => None,
    };
    Some(match instruction.operands.iter().find_map(form) {
        Some(form) => format!("{name} {form}"),
        None => name.to_owned(),
    })
}

/// The row's name of a load or store, by the memory that it accesses.
fn memory(code: &Code, instruction: &Instruction) -> (Section, String) {
    let verb = match instruction.class.opcode {
        Op::Store => "store",
        _ => "load",
    };
    let place = match code.storage_class(instruction) {
        Some(StorageClass::StorageBuffer) => "storage buffer",
        Some(StorageClass::Uniform) => "uniform buffer",
        Some(StorageClass::Workgroup) => "workgroup memory",
        Some(StorageClass::Input) => "input",
        Some(StorageClass::Output) => "output",
        Some(StorageClass::UniformConstant) => return rest("resource handles"),
        _ => return rest("local variables"),
    };
    (Section::Memory, format!("{verb} {place}"))
}

fn rest(name: &str) -> (Section, String) {
    (Section::Rest, name.to_owned())
}

const FLOAT: &str = "float add, multiply, min, max";
const FLOAT_DIVIDE: &str = "float divide";
const FLOAT_FUNCTION: &str = "float functions (exp, sqrt, ...)";
const INTEGER: &str = "integer and bits";
const COMPARE: &str = "compare, select, logic";
const CONVERT: &str = "convert";

/// The row's name of an instruction of the extended set GLSL.std.450.
fn extended(instruction: &Instruction) -> (Section, String) {
    use GlslStd450Op as G;
    let number = match instruction.operands.get(1) {
        Some(Operand::LiteralExtInstInteger(number)) => *number,
        _ => 0,
    };
    let name = match G::from_u32(number) {
        Some(found @ (G::FindUMsb | G::FindSMsb | G::FindILsb)) => {
            return (Section::Arithmetic, format!("bit search {found:?}"));
        }
        Some(
            G::FAbs
            | G::FSign
            | G::Floor
            | G::Ceil
            | G::Trunc
            | G::Fract
            | G::Round
            | G::RoundEven
            | G::FMin
            | G::FMax
            | G::FClamp
            | G::NMin
            | G::NMax
            | G::NClamp
            | G::FMix
            | G::Step
            | G::Fma,
        ) => FLOAT,
        Some(
            G::SAbs | G::SSign | G::UMin | G::SMin | G::UMax | G::SMax | G::UClamp | G::SClamp,
        ) => INTEGER,
        Some(
            G::PackSnorm4x8
            | G::PackUnorm4x8
            | G::PackSnorm2x16
            | G::PackUnorm2x16
            | G::PackHalf2x16
            | G::UnpackSnorm4x8
            | G::UnpackUnorm4x8
            | G::UnpackSnorm2x16
            | G::UnpackUnorm2x16
            | G::UnpackHalf2x16,
        ) => CONVERT,
        _ => FLOAT_FUNCTION,
    };
    (Section::Arithmetic, name.to_owned())
}

/// The section and row's name of all other instructions; an empty name stands for the opcode's own.
fn plain(op: Op) -> (Section, &'static str) {
    let arithmetic = |name| (Section::Arithmetic, name);
    match op {
        Op::FAdd
        | Op::FSub
        | Op::FMul
        | Op::FNegate
        | Op::Dot
        | Op::VectorTimesScalar
        | Op::MatrixTimesScalar
        | Op::VectorTimesMatrix
        | Op::MatrixTimesVector
        | Op::MatrixTimesMatrix
        | Op::OuterProduct
        | Op::Transpose => arithmetic(FLOAT),
        Op::FDiv | Op::FRem | Op::FMod => arithmetic(FLOAT_DIVIDE),
        Op::DPdx | Op::DPdy | Op::Fwidth => arithmetic(FLOAT_FUNCTION),
        Op::UDiv | Op::SDiv | Op::UMod | Op::SRem | Op::SMod => arithmetic("integer divide"),
        Op::IAdd
        | Op::ISub
        | Op::IMul
        | Op::SNegate
        | Op::IAddCarry
        | Op::ISubBorrow
        | Op::UMulExtended
        | Op::SMulExtended
        | Op::ShiftLeftLogical
        | Op::ShiftRightLogical
        | Op::ShiftRightArithmetic
        | Op::BitwiseAnd
        | Op::BitwiseOr
        | Op::BitwiseXor
        | Op::Not
        | Op::BitCount
        | Op::BitReverse
        | Op::BitFieldInsert
        | Op::BitFieldSExtract
        | Op::BitFieldUExtract => arithmetic(INTEGER),
        Op::FOrdEqual
        | Op::FUnordEqual
        | Op::FOrdNotEqual
        | Op::FUnordNotEqual
        | Op::FOrdLessThan
        | Op::FUnordLessThan
        | Op::FOrdGreaterThan
        | Op::FUnordGreaterThan
        | Op::FOrdLessThanEqual
        | Op::FUnordLessThanEqual
        | Op::FOrdGreaterThanEqual
        | Op::FUnordGreaterThanEqual
        | Op::IEqual
        | Op::INotEqual
        | Op::ULessThan
        | Op::SLessThan
        | Op::UGreaterThan
        | Op::SGreaterThan
        | Op::ULessThanEqual
        | Op::SLessThanEqual
        | Op::UGreaterThanEqual
        | Op::SGreaterThanEqual
        | Op::LogicalAnd
        | Op::LogicalOr
        | Op::LogicalNot
        | Op::LogicalEqual
        | Op::LogicalNotEqual
        | Op::Select
        | Op::Any
        | Op::All
        | Op::IsNan
        | Op::IsInf => arithmetic(COMPARE),
        Op::ConvertFToU
        | Op::ConvertFToS
        | Op::ConvertSToF
        | Op::ConvertUToF
        | Op::UConvert
        | Op::SConvert
        | Op::FConvert
        | Op::Bitcast
        | Op::QuantizeToF16 => arithmetic(CONVERT),
        Op::ImageSampleImplicitLod
        | Op::ImageSampleExplicitLod
        | Op::ImageSampleDrefImplicitLod
        | Op::ImageSampleDrefExplicitLod
        | Op::ImageGather
        | Op::ImageDrefGather => (Section::Memory, "sample texture"),
        Op::ImageFetch | Op::ImageRead => (Section::Memory, "fetch texel"),
        Op::ImageWrite => (Section::Memory, "store texel"),
        Op::ImageQuerySize | Op::ImageQuerySizeLod | Op::ImageQueryLevels => {
            (Section::Memory, "query texture size")
        }
        Op::AtomicIAdd
        | Op::AtomicISub
        | Op::AtomicUMin
        | Op::AtomicUMax
        | Op::AtomicSMin
        | Op::AtomicSMax
        | Op::AtomicAnd
        | Op::AtomicOr
        | Op::AtomicXor
        | Op::AtomicExchange
        | Op::AtomicCompareExchange
        | Op::AtomicLoad
        | Op::AtomicStore => (Section::Memory, "atomics"),
        Op::AccessChain | Op::InBoundsAccessChain | Op::ArrayLength => (Section::Rest, "addresses"),
        Op::CompositeConstruct
        | Op::CompositeExtract
        | Op::CompositeInsert
        | Op::VectorShuffle
        | Op::VectorExtractDynamic
        | Op::VectorInsertDynamic
        | Op::CopyObject
        | Op::CopyLogical
        | Op::Undef
        | Op::SampledImage => (Section::Rest, "moves"),
        Op::FunctionCall | Op::FunctionParameter | Op::Return | Op::ReturnValue => {
            (Section::Rest, "calls and returns")
        }
        Op::Branch | Op::SelectionMerge | Op::Phi | Op::Kill | Op::Unreachable => {
            (Section::Rest, "jumps")
        }
        _ => (Section::Rest, ""),
    }
}
