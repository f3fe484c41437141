//! The code that a SPIR-V module's only entry point runs: each reachable instruction with the number of loops around
//! it. Calls are expanded in place, as compilers do. Code behind constant false conditions is left out.

use std::collections::{HashMap, HashSet};

use rspirv::dr::{Block, Function, Instruction, Module, Operand};
use rspirv::spirv::{Op, StorageClass, Word};

use crate::error::{Error, Result};
use crate::gpu::shader::spirv;

/// A loaded module with one entry point.
pub struct Code {
    module: Module,
    entry: Word,
    /// Instructions by result id: types, constants, values.
    by_id: HashMap<Word, Instruction>,
}

#[derive(Clone, Copy)]
pub struct Site<'a> {
    pub instruction: &'a Instruction,
    pub loops: usize,
}

impl Code {
    pub fn new(words: &[u32]) -> Result<Self> {
        let module = spirv::load(words)?;
        let entry = match module.entry_points.as_slice() {
            [entry] => entry.operands.get(1).and_then(reference),
            _ => None,
        };
        let entry =
            entry.ok_or_else(|| Error::failed("SPIR-V must have exactly one entry point"))?;
        let named = |instruction: &Instruction| Some((instruction.result_id?, instruction.clone()));
        Ok(Self {
            by_id: module.all_inst_iter().filter_map(named).collect(),
            module,
            entry,
        })
    }

    /// All sites in order, with calls expanded. Instructions without effect, and code that constant branches skip, are
    /// left out.
    pub fn sites(&self) -> Vec<Site<'_>> {
        let mut all = Vec::new();
        self.expand(self.entry, 0, &mut all);
        all
    }

    /// Adds the sites of `function`, called inside `outer` loops. SPIR-V has no recursion.
    fn expand<'a>(&'a self, function: Word, outer: usize, all: &mut Vec<Site<'a>>) {
        let Some(function) = self.function(function) else {
            return;
        };
        for (instruction, own) in self.instructions(function) {
            let loops = outer + own;
            let op = instruction.class.opcode;
            let only_declares = matches!(
                op,
                Op::Variable | Op::Label | Op::Line | Op::NoLine | Op::Nop
            );
            if !only_declares && self.decided(instruction).is_none() {
                all.push(Site { instruction, loops });
            }
            if op == Op::FunctionCall
                && let Some(callee) = instruction.operands.first().and_then(reference)
            {
                self.expand(callee, loops, all);
            }
        }
    }

    fn function(&self, id: Word) -> Option<&Function> {
        let functions = &mut self.module.functions.iter();
        functions.find(|function| function.def_id() == Some(id))
    }

    /// Reachable instructions of a function, each with the number of loops around it in the function. naga writes the
    /// blocks of a loop between the loop's header and its merge block.
    fn instructions<'a>(&self, function: &'a Function) -> Vec<(&'a Instruction, usize)> {
        let reached = self.reached(function);
        let mut merges: Vec<Word> = Vec::new();
        let mut all = Vec::new();
        for block in &function.blocks {
            let label = block.label_id();
            while merges.last().copied() == label && label.is_some() {
                merges.pop();
            }
            let mut own = block.instructions.iter();
            let merge = own.find(|instruction| instruction.class.opcode == Op::LoopMerge);
            // The header is part of its loop.
            merges.extend(merge.and_then(|merge| merge.operands.first().and_then(reference)));
            if label.is_some_and(|label| reached.contains(&label)) {
                let loops = merges.len();
                all.extend(block.instructions.iter().map(|own| (own, loops)));
            }
        }
        all
    }

    fn reached(&self, function: &Function) -> HashSet<Word> {
        let blocks = function.blocks.iter();
        let blocks: HashMap<Word, &Block> = blocks
            .filter_map(|block| Some((block.label_id()?, block)))
            .collect();
        let mut reached = HashSet::new();
        let first = function.blocks.first().and_then(Block::label_id);
        let mut open = Vec::from_iter(first);
        while let Some(label) = open.pop() {
            let block = blocks.get(&label);
            let end = block.and_then(|block| block.instructions.last());
            if let Some(end) = end.filter(|_| reached.insert(label)) {
                open.extend(self.targets(end));
            }
        }
        reached
    }

    /// Labels that a block's last instruction may branch to.
    fn targets(&self, end: &Instruction) -> Vec<Word> {
        let ids = end.operands.iter().filter_map(reference);
        match (end.class.opcode, self.decided(end)) {
            (_, Some(target)) => vec![target],
            (Op::Branch, _) => ids.collect(),
            (Op::BranchConditional | Op::Switch, _) => ids.skip(1).collect(),
            _ => Vec::new(),
        }
    }

    /// The label that a branch on a constant always goes to. `None` for other instructions.
    fn decided(&self, branch: &Instruction) -> Option<Word> {
        if branch.class.opcode != Op::BranchConditional {
            return None;
        }
        let condition = self.by_id.get(&reference(branch.operands.first()?)?)?;
        let target = match condition.class.opcode {
            Op::ConstantTrue => 1,
            Op::ConstantFalse => 2,
            _ => return None,
        };
        reference(branch.operands.get(target)?)
    }

    /// Storage class of the pointer in an instruction's first operand.
    pub fn storage_class(&self, instruction: &Instruction) -> Option<StorageClass> {
        let pointer = self.by_id.get(&reference(instruction.operands.first()?)?)?;
        let ty = self.by_id.get(&pointer.result_type?)?;
        match ty.operands.first() {
            Some(Operand::StorageClass(class)) if ty.class.opcode == Op::TypePointer => {
                Some(*class)
            }
            _ => None,
        }
    }
}

fn reference(operand: &Operand) -> Option<Word> {
    match operand {
        Operand::IdRef(id) => Some(*id),
        _ => None,
    }
}
