//! The pages in a real browser: they show the files' content, and request nothing else.

mod bench;
mod browser;
mod capture;
