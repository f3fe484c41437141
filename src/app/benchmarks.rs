//! What has the GPU to itself while the window waits for it: a calibration of `auto`, a small benchmark.
//! Each opens the adapter anew on a thread of its own, as a comparison set does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::auto::{Calibration, Rule, store};
use crate::bench::calibrate::{Scope, calibrate};
use crate::bench::file;
use crate::bench::run::{Progress, run};
use crate::error::{Error, Result};
use crate::gpu::{Adapter, Capabilities, Gpu, Pipelines};

use super::background::Made;
use super::demo::Demo;
use super::maps::{FOLDER, Maps, small};
use super::screenshot::free_path;

/// The rule that a window starts with: the adapter's calibration where one is kept.
pub(super) fn first_rule(caps: &Capabilities) -> Arc<Rule> {
    Arc::new(store::kept_rule(&Adapter::of(caps)))
}

impl Demo {
    /// Measures what `auto` needs to know of the adapter, and keeps it.
    pub(super) fn calibrate(&mut self) -> Result<()> {
        self.refuse_while_measuring()?;
        let (adapter, shaders) = (self.adapter.clone(), self.reloading.fixed());
        self.background.occupy("calibration", move |progress| {
            let gpu = Gpu::open(&adapter)?;
            let pipelines = Pipelines::new(shaders);
            let line = |what| progress(format!("calibrating auto: {what}"));
            let calibration = calibrate(&gpu, &pipelines, Scope::Frames, line)?;
            let kept = store::keep(&calibration);
            Ok(Made::Calibration(Box::new(calibration), kept))
        })
    }

    /// Chooses by `calibration` from now on, and says where it is kept.
    pub(super) fn take_calibration(&mut self, calibration: Calibration, kept: Result<PathBuf>) {
        if let Some(reason) = calibration.mismatch(&Adapter::of(&self.gpu.caps)) {
            let line = format!("the calibration cannot be used: {reason}; choose with --adapter");
            self.state.announce(line);
            return;
        }
        let seconds = calibration.seconds;
        self.rule = Arc::new(Rule::from(calibration));
        let kept = match kept {
            Ok(path) => format!("kept in {}", path.display()),
            Err(error) => format!("used until the window closes ({error})"),
        };
        self.state
            .announce(format!("calibrated auto in {seconds:.1} s; {kept}"));
    }

    /// Reads the record that the page of the map names.
    pub(super) fn open_record(&mut self) -> Result<()> {
        let path = PathBuf::from(self.state.map.path.trim());
        self.background
            .start(move || Ok(Made::Maps(Maps::read(&path)?)))
    }

    /// Runs a small benchmark into a folder of its own, and opens its record.
    pub(super) fn small_benchmark(&mut self) -> Result<()> {
        self.refuse_while_measuring()?;
        let options = small(self.gpu.caps.is_cpu, self.state.usable());
        let folder = free_path(Path::new(FOLDER), "small", "");
        let (adapter, shaders) = (self.adapter.clone(), self.reloading.fixed());
        self.background.occupy("small benchmark", move |progress| {
            std::fs::create_dir_all(&folder).map_err(|error| {
                Error::usage(format!("cannot create {}: {error}", folder.display()))
            })?;
            let gpu = Gpu::open(&adapter)?;
            let pipelines = Pipelines::new(shaders);
            let record = run(&gpu, &pipelines, &options, |at: Progress| {
                progress(format!("benchmark, {:.0} %: {}", at.done * 100.0, at.next));
            })?;
            progress("benchmark: tables and pictures".to_owned());
            file::write_all(&record, &folder)?;
            Ok(Made::Maps(Maps::of(&record, &folder.join("bench.json"))?))
        })
    }

    fn refuse_while_measuring(&self) -> Result<()> {
        match self.measuring() {
            true => Err(Error::usage("methods are being measured; stop that first")),
            false => Ok(()),
        }
    }
}
