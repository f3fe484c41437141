//! Checks of two kinds. Methods must composite correctly on this adapter: lists of numbers instead of a scene go
//! through the same kernels as frames do, and the results are compared with f64. Functions of the wave library must
//! give the results that the intrinsics promise, and are compared with a model of a wave.

pub mod checks;
pub mod facts;
pub mod library;
pub mod self_test;
pub mod table;
pub mod values;
