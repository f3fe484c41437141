//! The pictures of a comparison set: compared, coloured, encoded and written on all cores. Those of methods are
//! written while the GPU works on the next one; differences wait for the last, as all of them have one range.

use std::sync::Arc;
use std::thread::ScopedJoinHandle;

use super::set::{SetRequest, Steps};
use super::{Capture, MethodPicture};
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::gpu::shader::provenance::Provenance;
use crate::model::format::{grouped, three_digits};
use crate::model::methods::Method;
use crate::model::settings::Settings;
use crate::report::canvas::Canvas;
use crate::report::comparison::{MethodReport, Report};
use crate::report::flip::Seen;
use crate::report::folder::FileSet;
use crate::report::heat::HeatCaption;
use crate::report::metrics::{Metrics, absolute_difference};
use crate::report::range::{DifferenceRange, Histogram};
use crate::report::sheet::{ContactSheet, SheetCell, Thumbnail};
use crate::report::{Picture, exr_file, heat, markdown, png_file};
use crate::workers::{Free, Workers, joined};

/// What every picture of a set has to do with the others.
#[derive(Clone, Copy)]
pub(super) struct Finisher<'a> {
    pub wanted: &'a SetRequest,
    pub settings: &'a Settings,
    pub shaders: &'a Provenance,
    pub reference: &'a Picture,
    /// The reference as it is displayed.
    pub seen: &'a Seen,
    pub files: &'a FileSet<'a>,
}

/// A method whose picture is written and compared.
pub(super) struct Compared {
    method: Method,
    wave_size: Option<u32>,
    metrics: Metrics,
    flip_mean: f64,
    /// The difference of each pixel.
    differences: Vec<f32>,
    counted: Histogram,
    picture: Thumbnail,
}

/// A method whose pictures are written.
pub(super) struct Finished {
    pub method: Method,
    pub wave_size: Option<u32>,
    pub metrics: Metrics,
    pub flip_mean: f64,
    picture: Thumbnail,
    difference: Thumbnail,
}

/// Methods that should have run and did not, and why.
pub(super) type Failures = Vec<(Method, Error)>;

impl<'a> Finisher<'a> {
    /// Draws one method after the other, while what was drawn before is compared and written. Returns what is
    /// compared, and the methods that failed with their reasons.
    pub(super) fn draw(
        self,
        gpu: &Gpu,
        capture: &mut Capture,
        steps: &mut Steps,
    ) -> Result<(Vec<Compared>, Failures)> {
        let free = Free::default();
        let mut failures = Vec::new();
        let under_way = std::thread::scope(|scope| {
            let workers = Workers::new(scope, &free);
            let mut under_way = Vec::new();
            for &method in &self.wanted.methods {
                let picture = if gpu.is_lost() {
                    gpu.check().and_then(|()| capture.picture(method))
                } else {
                    steps.next(format!("compositing by {method}"))?;
                    capture.picture(method)
                };
                match picture {
                    Ok(picture) => under_way.push(self.compare(&workers, picture)),
                    Err(error) => failures.push((method, error)),
                }
            }
            under_way
                .into_iter()
                .map(UnderWay::end)
                .collect::<Result<Vec<_>>>()
        });
        Ok((under_way?, failures))
    }

    /// Begins to compare a picture and to write it.
    fn compare<'scope>(
        self,
        workers: &Workers<'scope, 'a>,
        picture: MethodPicture,
    ) -> UnderWay<'scope>
    where
        'a: 'scope,
    {
        let MethodPicture {
            method,
            composite,
            resolved,
            wave_size,
        } = picture;
        let methods = self.wanted.methods.len();
        let resolved = Arc::new(resolved);
        let displayed = Arc::clone(&resolved);
        let written = workers.start(move || {
            let bytes = png(&resolved, &self.metadata(&[method], None))?;
            self.files.write(&format!("{method}.png"), &bytes)?;
            Ok(Thumbnail::of_picture(methods, &resolved))
        });
        let compared = workers.start(move || {
            let metrics = Metrics::between(self.reference, &composite).map_err(failed)?;
            let differences = absolute_difference(self.reference, &composite).map_err(failed)?;
            if self.wanted.exr {
                self.write_exr(method, &composite)?;
            }
            let counted = Histogram::of(&differences);
            Ok((metrics, differences, counted))
        });
        let seen = workers.start(move || self.seen.mean_difference(&displayed).map_err(failed));
        UnderWay {
            method,
            wave_size,
            written,
            compared,
            seen,
        }
    }

    /// Writes the differences of all methods in one range, and returns that.
    pub(super) fn colour(
        self,
        compared: Vec<Compared>,
    ) -> Result<(Vec<Finished>, DifferenceRange)> {
        let counted = compared.iter().map(|of| &of.counted);
        let range = self.wanted.difference_range.range_of(counted);
        let free = Free::default();
        let finished = std::thread::scope(|scope| {
            let workers = Workers::new(scope, &free);
            let start = |of: Compared| workers.start(move || self.finish(of, range));
            let under_way: Vec<_> = compared.into_iter().map(start).collect();
            under_way.into_iter().map(joined).collect::<Result<_>>()
        });
        Ok((finished?, range))
    }

    /// Writes a picture's difference, with its page.
    fn finish(self, compared: Compared, range: DifferenceRange) -> Result<Finished> {
        let Compared {
            method,
            wave_size,
            metrics,
            flip_mean,
            differences,
            counted: _,
            picture,
        } = compared;
        let size = self.reference.size;
        let canvas = heat::painted(size, &differences, range).map_err(failed)?;
        drop(differences);
        let caption = HeatCaption {
            method: method.name(),
            reference: self.wanted.reference.name(),
            metrics: &metrics,
            range,
        };
        let page = heat::page(&canvas, caption).map_err(failed)?;
        let bytes = png(&page, &self.metadata(&[method], Some(range)))?;
        self.files.write(&format!("diff_{method}.png"), &bytes)?;
        let methods = self.wanted.methods.len();
        Ok(Finished {
            method,
            wave_size,
            picture,
            difference: Thumbnail::of_difference(methods, &canvas),
            metrics,
            flip_mean,
        })
    }

    fn write_exr(self, method: Method, composite: &Picture) -> Result<()> {
        let shaders = self.shaders;
        let comment = format!(
            "{}{}; shaders {}",
            self.settings.flags(),
            shaders.flag(),
            shaders.digest
        );
        let exr = exr_file::encode_exr(composite, &comment).map_err(failed)?;
        self.files.write(&format!("{method}.exr"), &exr)
    }

    /// The settings as text metadata, with the command that makes the picture again: also of fewer methods, whose
    /// differences would fit another range.
    fn metadata(self, methods: &[Method], range: Option<DifferenceRange>) -> Vec<(String, String)> {
        let reference = Some(self.wanted.reference);
        self.settings
            .metadata(methods, reference, range, self.shaders)
    }

    /// What the card of a method says below its name.
    fn note_lines(self, of: &Finished, report: Option<&MethodReport>) -> Vec<String> {
        let mut wave = of
            .wave_size
            .map_or("no waves".to_owned(), |size| format!("wave {size}"));
        if of.method == self.wanted.reference {
            wave += " · the reference";
        }
        let max_abs = three_digits(of.metrics.max_abs);
        let nan_count = grouped(of.metrics.nan_count);
        let mut lines = vec![wave, format!("max abs {max_abs} · {nan_count} NaN")];
        lines.extend(report.into_iter().flat_map(markdown::time_lines));
        lines
    }

    /// `sheet.png`.
    pub(super) fn sheet(self, finished: Vec<Finished>, report: &Report) -> Result<Vec<u8>> {
        let mut facts = self.settings.facts();
        // The title says it.
        facts.retain(|(name, _)| name != "scene");
        let reference = self.wanted.reference.name().to_owned();
        facts.push(("reference".to_owned(), reference));
        let of_method = |method: Method| {
            let mut reports = report.methods.iter();
            reports.find(|of| of.method == method.name())
        };
        let methods: Vec<Method> = finished.iter().map(|of| of.method).collect();
        let cell = |of: Finished| {
            let report = of_method(of.method);
            SheetCell {
                label: report.map_or_else(|| of.method.name().to_owned(), MethodReport::title),
                note_lines: self.note_lines(&of, report),
                picture: of.picture,
                difference: of.difference,
            }
        };
        let sheet = ContactSheet {
            title: self.settings.scene_name(),
            facts,
            methods: self.wanted.methods.len(),
            range: report.difference_range,
            cells: finished.into_iter().map(cell).collect(),
            notes: report.methods.iter().filter_map(missing).collect(),
        };
        let range = Some(report.difference_range);
        png(
            &sheet.draw().map_err(failed)?,
            &self.metadata(&methods, range),
        )
    }
}

/// The work on the picture of a method.
struct UnderWay<'scope> {
    method: Method,
    wave_size: Option<u32>,
    written: ScopedJoinHandle<'scope, Result<Thumbnail>>,
    compared: ScopedJoinHandle<'scope, Result<(Metrics, Vec<f32>, Histogram)>>,
    seen: ScopedJoinHandle<'scope, Result<f64>>,
}

impl UnderWay<'_> {
    fn end(self) -> Result<Compared> {
        let picture = joined(self.written)?;
        let (metrics, differences, counted) = joined(self.compared)?;
        Ok(Compared {
            method: self.method,
            wave_size: self.wave_size,
            metrics,
            flip_mean: joined(self.seen)?,
            differences,
            counted,
            picture,
        })
    }
}

/// What of a method is missing on the sheet, and why.
fn missing(method: &MethodReport) -> Option<String> {
    let name = &method.method;
    let did_not_run = method.unavailable.as_ref();
    let did_not_run = did_not_run.map(|reason| format!("{name} did not run: {reason}"));
    let untimed = method.untimed.as_ref();
    did_not_run.or(untimed.map(|reason| format!("{name} has no time: {reason}")))
}

fn png(canvas: &Canvas, metadata: &[(String, String)]) -> Result<Vec<u8>> {
    png_file::encode_png(canvas, metadata).map_err(failed)
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::failed(error.to_string())
}
