//! A reader's request, its progress, and its findings in addition to the splats.

use glam::DVec3;

use super::arrays::{Splats, vectors_of};
use super::axes::Axes;
use super::filter::SplatFilter;
use crate::model::files::{Fault, Folder, ensure};
use crate::model::layout::Gaussian;
use crate::progress::{Listener, Progress};

#[derive(Clone, Copy, Default)]
pub struct How<'a> {
    /// Axes of the file; by default as the file declares, or as usual for its format.
    pub axes: Option<Axes>,
    /// Treatment of small Gaussians, if it differs from what the file declares.
    pub filter: Option<SplatFilter>,
    /// Subsampling to every nth splat; 0 and 1 mean all.
    pub keep_every: u32,
    /// Maximum size in bytes of a GPU buffer of splats.
    pub largest: Option<u64>,
    pub folder: Option<Folder<'a>>,
}

pub(super) struct Reading<'a> {
    /// Progress listener, and the last report.
    pub listener: Listener<'a>,
    pub next: String,
    pub shown: u64,
    /// Bytes read so far, over all attributes.
    pub done: u64,
    pub how: How<'a>,
    /// Version of an SPZ file.
    pub version: u32,
    /// Comments of a PLY file.
    pub words: String,
    pub said: Option<Axes>,
    /// Treatment of small Gaussians during training, if the file states it.
    pub filter: Option<SplatFilter>,
    /// Positions in double precision; empty if single precision is enough.
    pub doubles: Vec<DVec3>,
    pub remarks: Vec<String>,
}

impl<'a> Reading<'a> {
    pub fn new(name: &str, how: How<'a>, listener: Listener<'a>) -> Self {
        Self {
            listener,
            next: format!("read {name}"),
            shown: 0,
            done: 0,
            how,
            version: 0,
            words: String::new(),
            said: None,
            filter: None,
            doubles: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Reports each of 64 steps of the work once; `done` of `all` bytes or rows have been read.
    pub fn at(&mut self, done: u64, all: u64) -> Result<(), Fault> {
        let part = done.saturating_mul(64) / all.max(1);
        if part <= self.shown {
            return Ok(());
        }
        self.shown = part;
        let progress = Progress::step(self.next.clone(), done as usize, all as usize);
        (self.listener)(progress).map_err(Fault::Ended)
    }

    /// Adds a remark on something left out or guessed, unless the remark exists already.
    pub fn remark(&mut self, line: impl Into<String>) {
        let line = line.into();
        if !self.remarks.contains(&line) {
            self.remarks.push(line);
        }
    }

    pub fn every(&self) -> usize {
        self.how.keep_every.max(1) as usize
    }

    /// Empty arrays with room for the splats kept from a file with `count` splats.
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
        ensure!(count != 0, "it contains no splats");
        let Some(largest) = self.how.largest else {
            return Ok(());
        };
        let kept = self.kept_of(count) as u64;
        // Largest of the buffers per splat: placed in the scene, projected, or harmonics.
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

    /// Wanted records of a block, with their indices; the block starts at index `first`.
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

    /// Number of wanted splats among the first `count`.
    pub fn kept_of(&self, count: usize) -> usize {
        count.div_ceil(self.every())
    }
}
