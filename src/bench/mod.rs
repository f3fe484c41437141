//! Benchmarks: what is timed, the record of a run, and what is made of it – statistics, comparisons,
//! tables and pictures.
//!
//! Reading order: [`record`] (the data), then how it is taken: [`lists`] (synthetic lists on the GPU),
//! [`sweep`] (methods over outputs and
//! layers), [`floor`] (the arithmetic alone), [`integrate`] (columns of fog), [`sort`], [`splats`] and [`cloud`]
//! (gaussian splats from projection to picture) and [`peers`] (both timed), [`scenes`] (frames end to end), [`run`] (all of it),
//! [`calibrate`] (what `auto` needs). Then what is made of it: [`stats`] (median, spread, is it
//! slower?), [`groups`] (rows by work), [`map`] (who wins where), [`spreadsheet`] (`bench.csv`),
//! [`markdown`] (`bench.md`), [`plots`] (pictures), [`file`](mod@file) (`bench.json`, and all of these),
//! [`compare`] (two runs). [`format`] is how all of them write numbers.

pub mod calibrate;
pub mod cloud;
pub mod compare;
pub mod file;
#[cfg(test)]
pub(crate) mod fixture;
pub mod floor;
pub mod format;
pub mod groups;
pub mod integrate;
pub mod lists;
pub mod map;
pub mod markdown;
pub mod peers;
pub mod plots;
pub mod record;
pub mod run;
pub mod scenes;
pub mod small;
pub mod sort;
pub mod splats;
pub mod spreadsheet;
pub mod stats;
pub mod sweep;
