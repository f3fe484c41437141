//! Benchmarks: what is timed, the record of a run, and what is made of it – statistics, comparisons,
//! tables and pictures.
//!
//! Reading order: [`record`] (the data), [`stats`] (median, spread, is it slower?), [`groups`] (rows by
//! work), [`map`] (who wins where), then what is made of them: [`spreadsheet`] (`bench.csv`),
//! [`markdown`] (`bench.md`), [`plots`] (pictures), [`file`](mod@file) (`bench.json`, and all of these),
//! [`compare`] (two runs). [`format`] is how all of them write numbers.

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
pub mod spreadsheet;
pub mod stats;
