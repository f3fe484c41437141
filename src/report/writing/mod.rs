//! How results become files: each file is there whole or not at all, also when the disk is full or the program is
//! killed.
//!
//! Reading order: [`file`](mod@file) (one file), [`folder`] (a set of files).

pub mod file;
pub mod folder;
