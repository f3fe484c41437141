//! How results become files: each file and each set of files is there whole or not at all, also when the disk is full
//! or the program is interrupted.
//!
//! Reading order: [`unfinished`] (temporary names), [`file`](mod@file) (one file), [`folder`] (a set of files).

pub mod file;
pub mod folder;
pub mod unfinished;
