//! The wavelerp binary.
fn main() {}
