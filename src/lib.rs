//! wavelerp

pub mod reference;
