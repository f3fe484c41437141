//! Benchmarks: what is timed, the record of a run, and what is made of it – statistics, comparisons,
//! tables and pictures.
//!
//! Reading order: [`record`] (the data), [`integrate`] (the columns of fog that are timed).

pub mod integrate;
pub mod record;
