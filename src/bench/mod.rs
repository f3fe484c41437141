//! Benchmarks: what is timed, the record of a run, and what is made of it – statistics, comparisons,
//! tables and pictures.
//!
//! Reading order: [`record`] (the data), then what is timed: [`sort`], [`cloud`].

pub mod cloud;
pub mod record;
pub mod sort;
