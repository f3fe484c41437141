//! The pages, in a real browser: what they show is what the files say, and they ask nobody for anything.

mod bench;
mod browser;
mod capture;
