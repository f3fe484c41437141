//! wavelerp
