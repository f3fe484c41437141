//! What is made of a benchmark run: the data ([`record`]), statistics (median, spread, is it slower? [`stats`]), rows by work
//! ([`groups`]), who wins where ([`map`]), and the results: [`spreadsheet`] (`bench.csv`), [`markdown`] (`bench.md`),
//! [`charts`] (SVG), [`file`](mod@file) (`bench.json`, and all of these), [`regression`] (two runs compared).
//! [`format`] is how all of them write numbers.

pub mod charts;
pub mod file;
#[cfg(test)]
pub(crate) mod fixture;
pub mod format;
pub mod groups;
pub mod map;
pub mod markdown;
pub mod record;
pub mod regression;
pub mod spreadsheet;
pub mod stats;
