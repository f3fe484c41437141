//! Counts a module's operations: wave operations by kind, arithmetic, memory accesses, loops and branches. Each count
//! is broken down by the number of loops around the operation.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{GlslStd450Op, Op, StorageClass};

use super::expanded::{Code, Site};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Section {
    /// Operations across the lanes of a wave, by opcode and form, and barriers.
    Wave,
    /// Arithmetic, comparisons, conversions.
    Arithmetic,
    /// Buffers, textures, workgroup memory.
    Memory,
    Control,
    /// Operations that compilers keep in registers or remove: local variables, addresses, moves, calls, jumps.
    Rest,
}

impl Section {
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationCount {
    pub section: Section,
    /// Kind of operation: `FMul ExclusiveScan`, `load storage buffer`.
    pub name: String,
    pub sites: usize,
    /// Number of sites, indexed by the number of loops around them.
    pub by_loops: Vec<usize>,
}

/// Operations of a module. Each instruction is counted in exactly one row.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    pub rows: Vec<OperationCount>,
}

impl Counts {
    /// Counts everything that the entry point reaches, according to [`Code::sites`].
    pub fn of(code: &Code) -> Self {
        let mut counts = Self::default();
        for site in code.sites() {
            let (section, name) = kind_of(code, site.instruction);
            counts.add(section, name, site);
        }
        let rows = &mut counts.rows;
        rows.sort_by(|a, b| (a.section, &a.name).cmp(&(b.section, &b.name)));
        counts
    }

    fn add(&mut self, section: Section, name: String, site: Site) {
        let is_same = |row: &OperationCount| row.section == section && row.name == name;
        let at = self.rows.iter().position(is_same).unwrap_or_else(|| {
            self.rows.push(OperationCount {
                section,
                name,
                sites: 0,
                by_loops: Vec::new(),
            });
            self.rows.len() - 1
        });
        let row = &mut self.rows[at];
        row.sites += 1;
        let depths = row.by_loops.len().max(site.loops + 1);
        row.by_loops.resize(depths, 0);
        row.by_loops[site.loops] += 1;
    }

    pub fn row(&self, name: &str) -> Option<&OperationCount> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Largest number of loops around any instruction.
    pub fn depth(&self) -> usize {
        let depths = self.rows.iter().map(|row| row.by_loops.len());
        depths.max().unwrap_or(1).saturating_sub(1)
    }
}

pub fn kind_of(code: &Code, instruction: &Instruction) -> (Section, String) {
    let op = instruction.class.opcode;
    if let Some(name) = wave_name(instruction) {
        return (Section::Wave, name);
    }
    match op {
        Op::ExtInst => extended(instruction),
        Op::Load | Op::Store => memory(code, instruction),
        _ => {
            let opname = instruction.class.opname;
            let known = kind_in(&KINDS, opname).map(|(section, name)| (section, name.to_owned()));
            known.unwrap_or_else(|| (Section::Rest, format!("Op{opname}")))
        }
    }
}

/// Name of a group operation, such as `FMul ExclusiveScan` or `Ballot`, or of a barrier. `None` for other instructions.
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

/// Row name of a load or store, according to the memory that it accesses.
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
const FLOAT_FUNCTION: &str = "float functions (exp, sqrt, ...)";
const INTEGER: &str = "integer and bits";
const CONVERT: &str = "convert";

/// A row's section, name and opcodes. A `*` in an opcode matches any beginning or end. An opcode counts in the first
/// row that matches it.
type InstructionRow = (Section, &'static str, &'static str);

/// Rows for all instructions except wave operations, memory accesses and the extended set.
#[rustfmt::skip]
const KINDS: [InstructionRow; 18] = [
    (Section::Arithmetic, FLOAT, "FAdd FSub FMul FNegate Dot *Times* OuterProduct Transpose"),
    (Section::Arithmetic, "float divide", "FDiv FRem FMod"),
    (Section::Arithmetic, FLOAT_FUNCTION, "DPdx DPdy Fwidth"),
    (Section::Arithmetic, "integer divide", "UDiv SDiv UMod SRem SMod"),
    (Section::Arithmetic, INTEGER, "IAdd* ISub* IMul SNegate *MulExtended Shift* Bitwise* Not BitCount BitReverse BitField*"),
    (Section::Arithmetic, "compare, select, logic", "*Equal *Than Logical* Select Any All IsNan IsInf"),
    (Section::Arithmetic, CONVERT, "Convert* *Convert Bitcast QuantizeToF16"),
    (Section::Memory, "sample texture", "ImageSample* *Gather"),
    (Section::Memory, "fetch texel", "ImageFetch ImageRead"),
    (Section::Memory, "store texel", "ImageWrite"),
    (Section::Memory, "query texture size", "ImageQuery*"),
    (Section::Memory, "atomics", "Atomic*"),
    (Section::Control, "loops", "LoopMerge"),
    (Section::Control, "branches", "BranchConditional Switch"),
    (Section::Rest, "addresses", "*AccessChain ArrayLength"),
    (Section::Rest, "moves", "Composite* Vector* Copy* Undef SampledImage"),
    (Section::Rest, "calls and returns", "Function* Return*"),
    (Section::Rest, "jumps", "Branch SelectionMerge Phi Kill Unreachable"),
];

/// Rows for the functions of the extended set GLSL.std.450.
#[rustfmt::skip]
const EXTENDED: [InstructionRow; 3] = [
    (Section::Arithmetic, FLOAT, "FAbs FSign Floor Ceil Trunc Fract Round* FMin FMax FClamp NMin NMax NClamp FMix Step Fma"),
    (Section::Arithmetic, INTEGER, "SAbs SSign SMin SMax SClamp UMin UMax UClamp"),
    (Section::Arithmetic, CONVERT, "Pack* Unpack*"),
];

fn kind_in(kinds: &[InstructionRow], opname: &str) -> Option<(Section, &'static str)> {
    let is_named = |pattern: &str| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(_), Some(_)) => opname.contains(pattern.trim_matches('*')),
        (Some(end), None) => opname.ends_with(end),
        (None, Some(start)) => opname.starts_with(start),
        (None, None) => opname == pattern,
    };
    let mut kinds = kinds.iter();
    let found = kinds.find(|(_, _, opnames)| opnames.split(' ').any(is_named));
    found.map(|(section, name, _)| (*section, *name))
}

fn extended(instruction: &Instruction) -> (Section, String) {
    let number = match instruction.operands.get(1) {
        Some(Operand::LiteralExtInstInteger(number)) => *number,
        _ => 0,
    };
    let name = GlslStd450Op::from_u32(number).map_or(String::new(), |found| format!("{found:?}"));
    if name.starts_with("Find") {
        return (Section::Arithmetic, format!("bit search {name}"));
    }
    let (section, row) = kind_in(&EXTENDED, &name).unwrap_or((Section::Arithmetic, FLOAT_FUNCTION));
    (section, row.to_owned())
}
