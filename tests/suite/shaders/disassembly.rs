//! What a SPIR-V module does with its wave: the group operations and bit searches that its entry
//! point reaches, and in how many loops each stands, calls followed.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Block, Function, Instruction, Module, Operand};
use rspirv::spirv::{GlslStd450Op, GroupOperation, Op, Word};

/// A loaded module and how deep in loops each function may run.
pub struct Code {
    pub module: Module,
    /// Reachable functions by id, and the most loops around any call of them.
    depths: BTreeMap<Word, usize>,
}

/// A group operation or a search for the highest bit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operation {
    /// As in `FMul ExclusiveScan`, `Ballot`, `FindUMsb`.
    pub name: String,
    /// Loops around it.
    pub loops: usize,
}

impl Code {
    /// Loads `words` and follows the calls of their one entry point.
    pub fn new(words: &[u32]) -> Result<Self, String> {
        let module = rspirv::dr::load_words(words).map_err(|error| error.to_string())?;
        let entry = match module.entry_points.as_slice() {
            [entry] => reference(&entry.operands[1]).ok_or("the entry point has no function")?,
            other => return Err(format!("{} entry points", other.len())),
        };
        let mut code = Self {
            module,
            depths: BTreeMap::new(),
        };
        code.follow(entry, 0);
        Ok(code)
    }

    fn function(&self, id: Word) -> Option<&Function> {
        let has_id = |function: &&Function| {
            let definition = function.def.as_ref();
            definition.and_then(|definition| definition.result_id) == Some(id)
        };
        self.module.functions.iter().find(has_id)
    }

    /// Notes that `function` is called inside `depth` loops, and so its callees. SPIR-V has no
    /// recursion.
    fn follow(&mut self, function: Word, depth: usize) {
        let known = self.depths.get(&function);
        if known.is_some_and(|&known| known >= depth) {
            return;
        }
        self.depths.insert(function, depth);
        let calls: Vec<(Word, usize)> = self
            .function(function)
            .map(instructions_with_loops)
            .unwrap_or_default()
            .into_iter()
            .filter(|(instruction, _)| instruction.class.opcode == Op::FunctionCall)
            .filter_map(|(call, loops)| Some((reference(&call.operands[0])?, depth + loops)))
            .collect();
        for (callee, depth) in calls {
            self.follow(callee, depth);
        }
    }

    /// Every reachable instruction with the most loops around it.
    pub fn instructions(&self) -> Vec<(&Instruction, usize)> {
        let mut all = Vec::new();
        for (&id, &depth) in &self.depths {
            let own = self.function(id).map(instructions_with_loops);
            let deeper = own.into_iter().flatten();
            all.extend(deeper.map(|(instruction, loops)| (instruction, depth + loops)));
        }
        all
    }

    /// Reachable functions by name: their opcodes, and the most loops around any call.
    pub fn functions(&self) -> BTreeMap<String, (Vec<Op>, usize)> {
        let named = self.module.debug_names.iter().filter_map(|name| {
            match (&name.operands[0], &name.operands[1]) {
                (Operand::IdRef(id), Operand::LiteralString(text)) => Some((*id, text.clone())),
                _ => None,
            }
        });
        let reachable = named.filter_map(|(id, name)| {
            let function = self.function(id)?;
            let opcodes = function.all_inst_iter().map(|own| own.class.opcode);
            Some((name, (opcodes.collect(), *self.depths.get(&id)?)))
        });
        reachable.collect()
    }

    /// The operations that tell methods apart, each once.
    pub fn operations(&self) -> BTreeSet<Operation> {
        self.instructions()
            .into_iter()
            .filter_map(|(instruction, loops)| {
                let name = operation_name(instruction)?;
                Some(Operation { name, loops })
            })
            .collect()
    }

    /// The reachable code without names and ids: what two modules are compared by.
    pub fn opcodes(&self) -> Vec<(u32, String)> {
        self.module
            .functions
            .iter()
            .filter(|function| {
                let id = function.def.as_ref().and_then(|def| def.result_id);
                id.is_some_and(|id| self.depths.contains_key(&id))
            })
            .flat_map(Function::all_inst_iter)
            .map(|instruction| {
                let name = operation_name(instruction).unwrap_or_default();
                (instruction.class.opcode as u32, name)
            })
            .collect()
    }
}

/// The id that an operand refers to.
pub fn reference(operand: &Operand) -> Option<Word> {
    match operand {
        Operand::IdRef(id) => Some(*id),
        _ => None,
    }
}

/// The name of a group operation or bit search; none for any other instruction.
pub fn operation_name(instruction: &Instruction) -> Option<String> {
    if instruction.class.opcode == Op::ExtInst {
        let number = instruction.operands.get(1)?;
        let find = [
            (GlslStd450Op::FindUMsb, "FindUMsb"),
            (GlslStd450Op::FindSMsb, "FindSMsb"),
            (GlslStd450Op::FindILsb, "FindILsb"),
        ];
        let is = |op: GlslStd450Op| *number == Operand::LiteralExtInstInteger(op as u32);
        let found = find.into_iter().find(|(op, _)| is(*op));
        return found.map(|(_, name)| name.to_owned());
    }
    let name = instruction.class.opname.strip_prefix("GroupNonUniform")?;
    let form = instruction
        .operands
        .iter()
        .find_map(|operand| match operand {
            Operand::GroupOperation(form) => Some(form_name(*form)),
            _ => None,
        });
    Some(match form {
        Some(form) => format!("{name} {form}"),
        None => name.to_owned(),
    })
}

fn form_name(form: GroupOperation) -> String {
    format!("{form:?}")
}

/// A function's instructions, each with the number of its function's loops around it.
fn instructions_with_loops(function: &Function) -> Vec<(&Instruction, usize)> {
    let bodies: Vec<BTreeSet<Word>> = function
        .blocks
        .iter()
        .filter_map(|block| loop_body(function, block))
        .collect();
    let mut all = Vec::new();
    for block in &function.blocks {
        let label = label_of(block);
        let loops = bodies.iter().filter(|body| body.contains(&label)).count();
        all.extend(block.instructions.iter().map(|own| (own, loops)));
    }
    all
}

fn label_of(block: &Block) -> Word {
    let label = block.label.as_ref();
    label.and_then(|label| label.result_id).unwrap_or_default()
}

/// The labels of the loop that `header` heads: what it reaches before its merge block.
fn loop_body(function: &Function, header: &Block) -> Option<BTreeSet<Word>> {
    let merge = header
        .instructions
        .iter()
        .find(|instruction| instruction.class.opcode == Op::LoopMerge)?;
    let exit = reference(&merge.operands[0])?;
    let mut body = BTreeSet::new();
    let mut open = vec![label_of(header)];
    while let Some(label) = open.pop() {
        if label == exit || !body.insert(label) {
            continue;
        }
        let block = function
            .blocks
            .iter()
            .find(|block| label_of(block) == label);
        open.extend(block.map(successors).unwrap_or_default());
    }
    Some(body)
}

/// Labels that a block may go on to: `continue` of an outer loop does not occur in our shaders' inner
/// loops, so that none of these lies outside the loop but through its merge block.
fn successors(block: &Block) -> Vec<Word> {
    let Some(end) = block.instructions.last() else {
        return Vec::new();
    };
    let targets = match end.class.opcode {
        Op::Branch => &end.operands[..],
        Op::BranchConditional | Op::Switch => &end.operands[1..],
        _ => &[],
    };
    targets.iter().filter_map(reference).collect()
}
