//! What a reader is asked for, and what it finds out beside the splats.

use glam::DVec3;

use super::arrays::{Splats, vectors_of};
use super::axes::Axes;
use super::filter::SplatFilter;
use crate::model::files::{Fault, Folder};
use crate::model::layout::Gaussian;
use crate::progress::{Listener, Progress};

#[derive(Clone, Copy, Default)]
pub struct How<'a> {
    /// Where its axes point, if not where it says or files of its kind have them.
    pub axes: Option<Axes>,
    /// How small Gaussians are shown, if not as it says.
    pub filter: Option<SplatFilter>,
    /// One of so many splats is read; 0 is all of them, as 1 is.
    pub keep_every: u32,
    /// The most bytes that one buffer of its splats may have on the GPU.
    pub largest: Option<u64>,
    /// Where the files are that it names.
    pub folder: Option<Folder<'a>>,
}

/// What a reader is asked for, and what it finds out beside the splats.
pub(super) struct Reading<'a> {
    /// Who is told how far reading has come, and what was told last.
    pub listener: Listener<'a>,
    pub next: String,
    pub shown: u64,
    pub how: How<'a>,
    /// That of SPZ.
    pub version: u32,
    /// The comments of a PLY.
    pub words: String,
    /// The axes that the file itself names.
    pub said: Option<Axes>,
    /// How small Gaussians were shown in training, if the file says it.
    pub filter: Option<SplatFilter>,
    /// Positions that are finer than those of the splats; empty where none are.
    pub doubles: Vec<DVec3>,
    pub remarks: Vec<String>,
}

impl<'a> Reading<'a> {
    pub fn new(name: &str, how: How<'a>, listener: Listener<'a>) -> Self {
        Self {
            listener,
            next: format!("read {name}"),
            shown: 0,
            how,
            version: 0,
            words: String::new(),
            said: None,
            filter: None,
            doubles: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Tells of each of 64 parts of the work once; `done` of `all` bytes or rows are read.
    pub fn at(&mut self, done: u64, all: u64) -> Result<(), Fault> {
        let part = done.saturating_mul(64) / all.max(1);
        if part <= self.shown {
            return Ok(());
        }
        self.shown = part;
        let progress = Progress::step(self.next.clone(), done as usize, all as usize);
        (self.listener)(progress).map_err(Fault::Ended)
    }

    /// Says what was left out or guessed, once.
    pub fn remark(&mut self, line: impl Into<String>) {
        let line = line.into();
        if !self.remarks.contains(&line) {
            self.remarks.push(line);
        }
    }

    pub fn every(&self) -> usize {
        self.how.keep_every.max(1) as usize
    }

    /// No splats, with room for those of a file with `count`.
    pub fn room(&self, count: usize, degree: u8) -> Result<Splats, Fault> {
        self.check_count(count, degree)?;
        let mut splats = Splats {
            degree,
            ..Splats::default()
        };
        splats.make_room(self.kept_of(count))?;
        Ok(splats)
    }

    pub fn check_count(&self, count: usize, degree: u8) -> Result<(), Fault> {
        if count == 0 {
            return Err(Fault::bad("it holds no splats"));
        }
        let Some(largest) = self.how.largest else {
            return Ok(());
        };
        let kept = self.kept_of(count) as u64;
        // In the largest buffer that has something of each: as it stands in the scene or in the picture, or its harmonics.
        let each = size_of::<Gaussian>().max(size_of::<[u32; 4]>() * vectors_of(degree));
        let fit = largest / each as u64;
        if kept <= fit || fit == 0 {
            return Ok(());
        }
        let every = (count as u64).div_ceil(fit);
        Err(Fault::bad(format!(
            "{kept} Gaussians are more than this adapter can hold: its buffer limit of {largest} bytes allows {fit} of \
             these; --keep-every {every} shows {}",
            (count as u64).div_ceil(every)
        )))
    }

    pub fn keeps(&self, index: usize) -> bool {
        index.is_multiple_of(self.every())
    }

    /// The wanted records of a block and their numbers, which start at `first`.
    pub fn kept<'b>(
        &self,
        first: usize,
        block: &'b [u8],
        size: usize,
    ) -> impl Iterator<Item = (usize, &'b [u8])> + use<'b> {
        let every = self.every();
        let numbered = (first..).zip(block.chunks_exact(size));
        numbered.filter(move |(number, _)| number.is_multiple_of(every))
    }

    /// How many of the first `count` splats are wanted.
    pub fn kept_of(&self, count: usize) -> usize {
        count.div_ceil(self.every())
    }
}
