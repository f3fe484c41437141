//! Checks that the methods composite what they should on this adapter: lists of numbers instead of a
//! scene, through the very kernels of the frame, against f64; and that the functions of the wave library
//! give what their intrinsics promise, against a model of a wave.

pub mod checks;
pub mod facts;
pub mod library;
pub mod self_test;
pub mod table;
pub mod values;
