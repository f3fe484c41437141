//! Table 3 of `verify`: every intrinsic of the wave library on sets of active lanes of every kind, against the
//! CPU model of a wave. Lanes that are not active hold poison, and what they would write must be left alone.

pub mod append;
pub mod cases;
mod dispatch;
pub mod expected;
pub mod table;
pub mod text;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::gpu::shader::Variant;
use crate::gpu::{Gpu, Pipelines};
use crate::model::reference::wave_model::{Wave, WaveError};
use append::{LANES, ROOM, WORKGROUPS};
use cases::{Case, LaneInput, MaskKind, PLACES, cases};
use dispatch::{Outcome, SENTINEL, dispatch};
use expected::{WIDTHS, WORDS, Words, expected};
use table::{Intrinsic, Kernel, Operation, Type};

/// One intrinsic in one type on the sets of active lanes of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct LibraryCheck {
    /// Its name in HLSL today.
    pub intrinsic: &'static str,
    pub early: &'static str,
    /// The type, as a scalar and as vectors of 2 to 4; absent where it has none.
    #[serde(rename = "type")]
    pub ty: Option<Type>,
    pub wave_size: u32,
    pub active_lanes: MaskKind,
    /// Sets and patterns tried.
    pub cases: usize,
    /// Whether every lane of every case is right.
    pub passed: bool,
    /// The first thing that is wrong.
    pub failure: Option<String>,
}

/// Checks the intrinsics of `kernels` in every type that the adapter has; nothing without wave operations.
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
        if kernel.types().is_empty() {
            checks.extend(run_kernel(gpu, pipelines, kernel, None, seed)?);
        }
        let has = |ty: &&Type| **ty != Type::F16 || gpu.caps.half_floats;
        for &ty in kernel.types().iter().filter(has) {
            checks.extend(run_kernel(gpu, pipelines, kernel, Some(ty), seed)?);
        }
    }
    Ok(checks)
}

/// The shader of a kernel in one type.
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
    let groups = if kernel == Kernel::Append {
        WORKGROUPS
    } else {
        1
    };
    let per_case = match kernel {
        Kernel::Append => 2 * ROOM,
        _ => PLACES * kernel.intrinsics().count() * WORDS,
    };
    let run = |cases: &[Case]| dispatch(gpu, &pipeline, cases, groups, per_case);
    // The size is known only once the kernel ran.
    let width = run(&[Case {
        kind: MaskKind::Full,
        bits: u128::MAX,
        rows: vec![LaneInput::default(); groups * PLACES],
    }])?
    .wave_size;
    let places = groups * PLACES;
    let of = ty.unwrap_or(Type::U32);
    let cases = cases(width, kernel == Kernel::Quad, of, places, seed);
    let outcome = run(&cases)?;
    if outcome.wave_size != width {
        return Err(Error::failed(format!(
            "{} ran at wave {width} and at wave {} on {}",
            variant.key(),
            outcome.wave_size,
            gpu.caps.name
        )));
    }
    let findings = match kernel {
        Kernel::Append => judge_append(&cases, &outcome),
        _ => judge(kernel, of, &cases, &outcome),
    };
    let findings = findings
        .map_err(|error| Error::failed(format!("the cases of {}: {error}", variant.key())))?;
    Ok(checks_of(kernel, ty, width, &cases, &findings))
}

/// What is wrong per intrinsic and case.
type Findings = Vec<Vec<Option<String>>>;

/// One check per intrinsic and kind of set.
fn checks_of(
    kernel: Kernel,
    ty: Option<Type>,
    wave_size: u32,
    cases: &[Case],
    findings: &Findings,
) -> Vec<LibraryCheck> {
    let mut checks = Vec::new();
    for (intrinsic, findings) in kernel.intrinsics().zip(findings) {
        for kind in MaskKind::ALL {
            let of_kind = |pair: &(&Case, &Option<String>)| pair.0.kind == kind;
            let of_kind: Vec<_> = cases.iter().zip(findings).filter(of_kind).collect();
            if of_kind.is_empty() {
                continue;
            }
            let failure = of_kind.iter().find_map(|(_, finding)| (*finding).clone());
            checks.push(LibraryCheck {
                intrinsic: intrinsic.name,
                early: intrinsic.early,
                ty,
                wave_size,
                active_lanes: kind,
                cases: of_kind.len(),
                passed: failure.is_none(),
                failure,
            });
        }
    }
    checks
}

/// Compares what every lane of every case wrote with the model.
fn judge(
    kernel: Kernel,
    ty: Type,
    cases: &[Case],
    outcome: &Outcome,
) -> std::result::Result<Findings, WaveError> {
    let width = outcome.wave_size as usize;
    let slots = kernel.intrinsics().count();
    let per_case = PLACES * slots * WORDS;
    let mut findings = Vec::new();
    for (slot, intrinsic) in kernel.intrinsics().enumerate() {
        let mut of_intrinsic = Vec::with_capacity(cases.len());
        for (case, output) in cases.iter().zip(outcome.outputs.chunks_exact(per_case)) {
            let wave = case.wave(outcome.wave_size)?;
            let outputs = output.chunks_exact(width * slots * WORDS);
            let mut finding = None;
            for (rows, output) in case.rows.chunks_exact(width).zip(outputs) {
                let words = output.chunks_exact(WORDS).skip(slot).step_by(slots);
                let wrong = wrong(intrinsic, ty, &wave, rows, words)?;
                finding = finding.or(wrong);
            }
            of_intrinsic.push(finding);
        }
        findings.push(of_intrinsic);
    }
    Ok(findings)
}

/// The first wrong word of one intrinsic in one wave.
fn wrong<'a>(
    intrinsic: &Intrinsic,
    ty: Type,
    wave: &Wave,
    rows: &[LaneInput],
    output: impl Iterator<Item = &'a [u32]>,
) -> std::result::Result<Option<String>, WaveError> {
    let wanted = expected(intrinsic.operation, ty, wave, rows)?;
    for (lane, got) in (0..).zip(output) {
        if !wave.is_active(lane) {
            if got.iter().any(|&word| word != SENTINEL) {
                return Ok(Some(format!("inactive lane {lane} wrote")));
            }
            continue;
        }
        if let Some(index) = first_difference(ty, &wanted.get(lane)?, got) {
            let function = function_name(intrinsic, ty, index);
            let wanted = wanted.get(lane)?[index].unwrap_or(SENTINEL);
            // An answer is no number of the type.
            let of = if intrinsic.operation == Operation::AllEqual {
                Type::U32
            } else {
                ty
            };
            let (got, wanted) = (show(of, got[index]), show(of, wanted));
            return Ok(Some(format!(
                "{function} in lane {lane} is {got}, not {wanted}"
            )));
        }
    }
    Ok(None)
}

/// The first word that is not as wanted. Floats are compared by value, because a zero may have either sign; words
/// that are not wanted must not be written.
fn first_difference(ty: Type, wanted: &Words, got: &[u32]) -> Option<usize> {
    let as_wanted = |(wanted, &got): (&Option<u32>, &u32)| match *wanted {
        None => got == SENTINEL,
        Some(word) => word == got || ty.is_float() && f32::from_bits(word) == f32::from_bits(got),
    };
    wanted.iter().zip(got).position(|pair| !as_wanted(pair))
}

/// The name in `shaders/wave/` of what wrote word `index`.
fn function_name(intrinsic: &Intrinsic, ty: Type, index: usize) -> String {
    if intrinsic.kernel.types().is_empty() {
        intrinsic.function.to_owned()
    } else {
        format!("{}_{}", intrinsic.function, ty.suffix(WIDTHS[index]))
    }
}

/// A word as a number of its type.
fn show(ty: Type, word: u32) -> String {
    match ty {
        Type::F32 | Type::F16 => f32::from_bits(word).to_string(),
        Type::I32 => (word as i32).to_string(),
        Type::U32 => word.to_string(),
    }
}

/// Looks at the lists of every case.
fn judge_append(cases: &[Case], outcome: &Outcome) -> std::result::Result<Findings, WaveError> {
    debug_assert!(cases.iter().all(|case| case.rows.len() == LANES));
    let mut findings = Vec::new();
    for (list, intrinsic) in Kernel::Append.intrinsics().enumerate() {
        let mut of_intrinsic = Vec::with_capacity(cases.len());
        for (index, case) in cases.iter().enumerate() {
            let runs = append::runs(intrinsic.operation, case, outcome.wave_size)?;
            let list = 2 * index + list;
            let items = &outcome.outputs[list * ROOM..(list + 1) * ROOM];
            let length = outcome.lengths[list];
            of_intrinsic.push(append::wrong(
                &runs,
                outcome.wave_size,
                length,
                items,
                SENTINEL,
            ));
        }
        findings.push(of_intrinsic);
    }
    Ok(findings)
}
