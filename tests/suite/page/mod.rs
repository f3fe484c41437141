//! The pages in a real browser: they show what is in the files, and request nothing else.

mod bench;
mod browser;
mod capture;
mod program;
