//! Benchmarks: what is timed, the record of a run, and what is made of it – statistics, comparisons,
//! tables and pictures.
//!
//! Reading order: [`record`] (the data), [`stats`] (median, spread, is it slower?), [`groups`] (rows by
//! work), [`map`] (who wins where), then what is made of them: [`file`](mod@file) (`bench.json`,
//! `bench.csv`), [`markdown`] (`bench.md`), [`compare`] (two runs), [`plots`] (pictures). [`format`]
//! is how all of them write numbers.

pub mod compare;
pub mod file;
#[cfg(test)]
mod fixture;
pub mod format;
pub mod groups;
pub mod map;
pub mod markdown;
pub mod plots;
pub mod record;
pub mod stats;
