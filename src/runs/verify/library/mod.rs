//! Table 3 of `verify`: every intrinsic of the wave library on all kinds of sets of active lanes. Inactive lanes have
//! no value, and must write nothing.

pub mod append;
pub mod cases;
mod dispatch;
pub mod expected;
pub mod table;
pub mod text;

use clap::ValueEnum as _;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use append::{ROOM, WORKGROUPS};
use cases::{Case, LaneInput, MaskKind, PLACES, cases};
use dispatch::{SENTINEL, dispatch};
use expected::{WIDTHS, WORDS, Words, expected};
use table::{Intrinsic, Kernel, Operation, Type};

/// One intrinsic in one type, checked on all sets of active lanes of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct LibraryCheck {
    /// Name of the intrinsic in current HLSL.
    pub intrinsic: &'static str,
    pub early: &'static str,
    /// The type, tested as a scalar and as vectors of 2 to 4 components. Absent if the intrinsic has no type.
    #[serde(rename = "type")]
    pub ty: Option<Type>,
    pub wave_size: u32,
    pub active_lanes: MaskKind,
    /// Number of sets and patterns tried.
    pub cases: usize,
    /// True if every lane of every case is correct.
    pub passed: bool,
    pub failure: Option<String>,
}

/// Checks the intrinsics of `kernels` in every type that the adapter supports. Returns nothing without wave operations.
pub fn run(
    gpu: &Gpu,
    pipelines: &Pipelines,
    kernels: &[Kernel],
    seed: u32,
    mut progress: impl FnMut(Kernel) -> Result<()>,
) -> Result<Vec<LibraryCheck>> {
    let mut checks = Vec::new();
    for &kernel in kernels.iter().filter(|_| gpu.caps.waves) {
        progress(kernel)?;
        let has = |ty: &&Option<Type>| **ty != Some(Type::F16) || gpu.caps.half_floats;
        for &ty in kernel.types().iter().filter(has) {
            checks.extend(run_kernel(gpu, pipelines, kernel, ty, seed)?);
        }
    }
    Ok(checks)
}

pub fn variant(kernel: Kernel, ty: Option<Type>) -> Variant {
    let variant = Variant::new(kernel.shader().0);
    match ty {
        Some(ty) => variant.feature(ty.feature(), true),
        None => variant,
    }
}

fn run_kernel(
    gpu: &Gpu,
    pipelines: &Pipelines,
    kernel: Kernel,
    ty: Option<Type>,
    seed: u32,
) -> Result<Vec<LibraryCheck>> {
    let variant = variant(kernel, ty);
    let pipeline = pipelines.compute(gpu, &variant, kernel.shader().1)?;
    let (groups, per_case) = match kernel {
        Kernel::Append => (WORKGROUPS, 2 * ROOM),
        _ => (1, PLACES * kernel.intrinsics().count() * WORDS),
    };
    let places = groups * PLACES;
    let run = |cases: &[Case]| dispatch(gpu, &pipeline, cases, groups, per_case);
    // The wave size is known only after the kernel has run.
    let width = run(&[Case {
        kind: MaskKind::Full,
        bits: u128::MAX,
        rows: vec![LaneInput::default(); places],
    }])?
    .wave_size;
    let number = ty.unwrap_or(Type::U32);
    let cases = cases(width, kernel == Kernel::Quad, number, places, seed);
    let outcome = run(&cases)?;
    if outcome.wave_size != width {
        return Err(Error::failed(format!(
            "{} ran at wave {width} and at wave {} on {}",
            variant.key(),
            outcome.wave_size,
            gpu.caps.name
        )));
    }
    let mut checks = Vec::new();
    for (slot, intrinsic) in kernel.intrinsics().enumerate() {
        for &kind in MaskKind::value_variants() {
            let (mut count, mut failure) = (0, None);
            let outputs = outcome.outputs.chunks_exact(per_case);
            for ((index, case), output) in cases.iter().enumerate().zip(outputs) {
                if case.kind != kind {
                    continue;
                }
                count += 1;
                let wrong = match kernel {
                    Kernel::Append => {
                        let length = outcome.lengths[2 * index + slot];
                        let list = &output[slot * ROOM..][..ROOM];
                        let runs = append::runs(intrinsic.operation, case, width);
                        append::wrong(&runs, width, length, list, SENTINEL)
                    }
                    _ => wrong(intrinsic, slot, ty, case, width, output).map_err(|error| {
                        Error::failed(format!("the cases of {}: {error}", variant.key()))
                    })?,
                };
                failure = failure.or(wrong);
            }
            if count > 0 {
                checks.push(LibraryCheck {
                    intrinsic: intrinsic.name,
                    early: intrinsic.early,
                    ty,
                    wave_size: width,
                    active_lanes: kind,
                    cases: count,
                    passed: failure.is_none(),
                    failure,
                });
            }
        }
    }
    Ok(checks)
}

/// Describes the first wrong word of the intrinsic at `slot` of its kernel, in a case.
fn wrong(
    intrinsic: &Intrinsic,
    slot: usize,
    ty: Option<Type>,
    case: &Case,
    width: u32,
    output: &[u32],
) -> Result<Option<String>, String> {
    let slots = intrinsic.kernel.intrinsics().count();
    let number = ty.unwrap_or(Type::U32);
    let lanes = output.chunks_exact(WORDS).skip(slot).step_by(slots);
    let lanes: Vec<&[u32]> = lanes.collect();
    let width = width as usize;
    for (rows, lanes) in (case.rows.chunks_exact(width)).zip(lanes.chunks_exact(width)) {
        let wanted = expected(intrinsic.operation, number, case.bits, rows)?;
        for (lane, got) in (0..).zip(lanes) {
            let Some(wanted) = wanted.get(&lane) else {
                if got.iter().any(|&word| word != SENTINEL) {
                    return Ok(Some(format!("inactive lane {lane} wrote")));
                }
                continue;
            };
            if let Some(index) = first_difference(number, wanted, got) {
                let function = intrinsic.function_in(ty, WIDTHS[index]);
                // An answer of true or false is not a number of the type.
                let of = match intrinsic.operation {
                    Operation::AllEqual => Type::U32,
                    _ => number,
                };
                let wanted = show(of, wanted[index].unwrap_or(SENTINEL));
                let got = show(of, got[index]);
                return Ok(Some(format!(
                    "{function} in lane {lane} is {got}, not {wanted}"
                )));
            }
        }
    }
    Ok(None)
}

/// The first wrong word. Floats are compared by value, because a zero may have either sign.
fn first_difference(ty: Type, wanted: &Words, got: &[u32]) -> Option<usize> {
    let as_wanted = |(wanted, &got): (&Option<u32>, &u32)| match *wanted {
        None => got == SENTINEL,
        Some(word) => word == got || ty.is_float() && f32::from_bits(word) == f32::from_bits(got),
    };
    wanted.iter().zip(got).position(|pair| !as_wanted(pair))
}

fn show(ty: Type, word: u32) -> String {
    match ty {
        Type::F32 | Type::F16 => f32::from_bits(word).to_string(),
        Type::I32 => (word as i32).to_string(),
        Type::U32 => word.to_string(),
    }
}
