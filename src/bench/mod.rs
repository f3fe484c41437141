//! Benchmarks: what is timed, the record of a run, and its evaluation: statistics, comparisons, tables and pictures.
//!
//! Reading order: [`record`] (the data). How it is taken: [`lists`] (synthetic lists on the GPU), [`runners`] (what a
//! row is of), [`sweep`] (methods over outputs and layers), [`floor`] (the arithmetic alone), [`integrate`] (columns of fog),
//! [`sort`], [`splats`], [`cloud`] and [`cloud_times`] (Gaussian splats from projection to picture), [`scenes`] (frames
//! end to end), [`run`] (all of it), [`calibrate`] (what `auto` needs). What is made of it: [`stats`]
//! (median, spread, is it slower?), [`groups`] (rows by work), [`map`] (who wins where), [`spreadsheet`]
//! (`bench.csv`), [`markdown`] (`bench.md`), [`plots`] (pictures), [`file`](mod@file) (`bench.json`, and all
//! of these), [`regression`] (two runs compared). [`format`] is how all of them write numbers.

pub mod calibrate;
pub mod cloud;
pub mod cloud_times;
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
pub mod plots;
pub mod record;
pub mod regression;
pub mod run;
pub mod runners;
pub mod scenes;
pub mod small;
pub mod sort;
pub mod splat_times;
pub mod splats;
pub mod spreadsheet;
pub mod stats;
pub mod sweep;
