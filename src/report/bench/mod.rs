//! Results of a benchmark run: the data ([`record`]), statistics of changes ([`stats`]), rows grouped by work
//! ([`groups`]) and the winners ([`map`]). [`spreadsheet`] writes `bench.csv`, [`markdown`] writes `bench.md`,
//! [`charts`] draws SVG, and [`file`](mod@file) writes `bench.json` and collects all files. [`regression`] compares two
//! runs. [`format`] contains their number formats.

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
