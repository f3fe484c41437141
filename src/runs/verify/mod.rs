//! Checks methods and the wave library on this adapter. Methods composite lists of numbers with the same kernels as in
//! frames, and the results are compared with f64. Functions of the wave library are compared with a model of a wave.

pub mod checks;
pub mod facts;
pub mod library;
pub mod self_test;
pub mod table;
pub mod values;
