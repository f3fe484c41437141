//! wavelerp

pub mod compare;
