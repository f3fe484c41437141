//! Results of a benchmark run: the data ([`record`]), statistics of changes ([`stats`]), rows grouped by work
//! ([`groups`]), the winners ([`map`]), and the files: [`spreadsheet`] (`bench.csv`), [`markdown`] (`bench.md`),
//! [`charts`] (SVG), [`file`](mod@file) (`bench.json` and all others), [`regression`] (two runs compared). [`format`]
//! has the number format that all of them share.

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
