//! Benchmarks: what is timed, the record of a run, and what is made of it – statistics, comparisons,
//! tables and pictures.
//!
//! Reading order: [`record`] (the data), [`lists`] (synthetic lists on the GPU), [`timer`] (times of
//! several subjects against each other), [`sweep`] (methods over outputs and layers), [`floor`] (the
//! arithmetic alone), [`integrate`] (columns of fog), [`run`] (all of it), [`calibrate`] (what `auto`
//! needs).

pub mod calibrate;
pub mod floor;
pub mod integrate;
pub mod lists;
pub mod record;
pub mod run;
pub mod sweep;
pub mod timer;
