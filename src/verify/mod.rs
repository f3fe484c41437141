//! Proof that the methods composite what they should on this adapter: lists of numbers instead of a
//! scene, through the very kernels of the frame, against f64.

pub mod checks;
pub mod facts;
pub mod faults;
pub mod self_test;
pub mod table;
pub mod values;
