//! Compares, colours, encodes and writes the pictures of a set on all cores. A method's picture is written while the
//! GPU works on the next one. Differences are written after the last picture, because they share one range.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::Scope;

use super::{COMPOSITING, Capture, MethodPicture, SetRequest, Steps};
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use crate::gpu::shader::provenance::Provenance;
use crate::model::methods::Method;
use crate::model::settings::Settings;
use crate::report::comparison::MethodReport;
use crate::report::errors::{Errors, Linear, shown};
use crate::report::flip::DisplayedPicture;
use crate::report::folder::FileSet;
use crate::report::metrics::{Metrics, absolute_difference, percentile_99};
use crate::report::page;
use crate::report::page::capture::{Packed, Pictures};
use crate::report::png_file::encode_png;
use crate::report::range::{DifferenceRange, Histogram};
use crate::report::{Picture, exr_file, scale};
use crate::workers::{cores, joined};

const TASKS: usize = 3;

/// Data that all pictures of a set share.
#[derive(Clone, Copy)]
pub(super) struct Finisher<'a> {
    pub wanted: &'a SetRequest,
    pub settings: &'a Settings,
    pub shaders: &'a Provenance,
    pub reference: &'a Picture,
    /// Colour behind all layers, for each pixel.
    pub backgrounds: &'a [[f32; 4]],
    /// The reference as displayed.
    pub seen: &'a DisplayedPicture,
    pub files: &'a FileSet<'a>,
    /// Pictures for the page, if there is one.
    pub page: Option<&'a Pictures<'a>>,
}

/// A method with a picture that is being written and compared.
pub(super) struct DrawnMethod {
    /// Difference of each pixel, kept until the differences are drawn as a picture.
    differences: Vec<f32>,
    counted: Histogram,
    pub method: Method,
    pub milliseconds: Option<f64>,
    /// Facts about the method from its picture. Times are added last.
    pub report: MethodReport,
    /// The method's packed picture for the page. `None` for the reference.
    pub packed: Option<Packed>,
}

/// Waits for the comparison of a picture.
type Comparing<'a> = Box<dyn FnOnce() -> Result<DrawnMethod> + 'a>;

pub(super) type Failures = Vec<(Method, Error)>;

impl<'a> Finisher<'a> {
    /// Draws one method after the other, while earlier pictures are compared and written. A timed picture waits for
    /// that work. `known` is the picture of the reference. Returns the compared methods, and the failed methods with
    /// reasons.
    pub(super) fn draw(
        self,
        gpu: &Gpu,
        capture: &mut Capture,
        known: &MethodPicture,
        steps: &mut Steps,
    ) -> Result<(Vec<DrawnMethod>, Failures)> {
        let mut failures = Vec::new();
        let compared = std::thread::scope(|scope| {
            let (mut compared, mut under_way) = (Vec::new(), VecDeque::<Comparing>::new());
            for &method in &self.wanted.methods {
                if !gpu.is_lost() {
                    steps.next(&format!("{COMPOSITING}{method}"))?;
                }
                let mut draw = || {
                    gpu.check()?;
                    if method == known.method {
                        return Ok(known.clone());
                    }
                    let composite = capture.composite(method)?;
                    capture.warm_up(&composite)?;
                    if capture.times_pictures() {
                        compared.extend(under_way.drain(..).map(|end| end()));
                    }
                    capture.picture_by(method, &composite)
                };
                match draw() {
                    Ok(picture) => under_way.push_back(Box::new(self.compare(scope, picture))),
                    Err(error) => failures.push((method, error)),
                }
                // This limits the number of pictures in memory.
                if under_way.len() > cores().div_ceil(TASKS) {
                    compared.extend(under_way.pop_front().map(|end| end()));
                }
            }
            compared.extend(under_way.into_iter().map(|end| end()));
            compared.into_iter().collect::<Result<Vec<_>>>()
        });
        Ok((compared?, failures))
    }

    /// Starts comparing and writing a picture. The returned closure waits for the result.
    fn compare<'scope>(
        self,
        scope: &'scope Scope<'scope, 'a>,
        picture: MethodPicture,
    ) -> impl FnOnce() -> Result<DrawnMethod> + use<'scope>
    where
        'a: 'scope,
    {
        let MethodPicture {
            method,
            composite,
            resolved,
            milliseconds,
            wave_size,
            overflowed,
            bytes,
        } = picture;
        let resolved = Arc::new(resolved);
        let displayed = Arc::clone(&resolved);
        let approximate = (!method.is_exact()).then(|| Arc::clone(&resolved));
        let may_hold = method != self.wanted.reference && self.wanted.page.may_hold(method);
        let pictures = self.page.filter(|_| may_hold);
        let written = scope.spawn(move || {
            let bytes = encode_png(&resolved, &self.metadata(method, None))?;
            self.files.write(&format!("{method}.png"), &bytes)?;
            let packed = pictures.map(|pictures| pictures.colours(&resolved));
            packed
                .transpose()
                .map_err(self.files.cannot_write(page::FILE))
        });
        let compared = scope.spawn(move || -> Result<_> {
            if self.wanted.exr {
                self.write_exr(method, &composite)?;
            }
            let values = pictures.map(|pictures| pictures.values(&composite));
            let values = values.transpose();
            let values = values.map_err(self.files.cannot_write(page::FILE))?;
            let differences = absolute_difference(self.reference, &composite)?;
            let tile = self.settings.options.frame.tile;
            let shown = shown(self.reference, &composite, self.backgrounds)?;
            let exact = (self.reference, self.seen.picture());
            let errors = approximate
                .map(|displayed| Errors::of(exact, (&composite, &displayed), tile))
                .transpose()?;
            let report = MethodReport {
                method: method.name().to_owned(),
                wave_size,
                metrics: Some(Metrics::between(self.reference, &composite)?),
                p99: Some(percentile_99(&differences)),
                picture: Some(Linear::of_picture(&shown, tile)?),
                bytes: Some(bytes),
                errors: errors.map(|of| Errors { overflowed, ..of }),
                ..MethodReport::default()
            };
            let drawn = DrawnMethod {
                counted: Histogram::of(&differences),
                differences,
                method,
                milliseconds,
                report,
                packed: None,
            };
            Ok((drawn, values))
        });
        let seen = scope.spawn(move || self.seen.mean_difference(&displayed));
        move || {
            let colours = joined(written)?;
            let (mut drawn, values) = joined(compared)?;
            let (flip, report) = (joined(seen)?, &mut drawn.report);
            report.flip_mean = Some(flip);
            report.errors = report.errors.map(|of| Errors { flip, ..of });
            let packed = values.zip(colours);
            drawn.packed = packed.map(|(values, colours)| Packed { values, colours });
            Ok(drawn)
        }
    }

    /// Writes the differences of all methods in the same range, and returns the range.
    pub(super) fn colour(
        self,
        compared: Vec<DrawnMethod>,
    ) -> Result<(Vec<DrawnMethod>, DifferenceRange)> {
        let counted = compared.iter().map(|of| &of.counted);
        let range = self.wanted.difference_range.range_of(counted);
        let (mut finished, mut compared) = (Vec::new(), compared.into_iter().peekable());
        while compared.peek().is_some() {
            std::thread::scope(|scope| -> Result<()> {
                let some = compared.by_ref().take(cores());
                let start = |of: DrawnMethod| scope.spawn(move || self.finish(of, range));
                let under_way: Vec<_> = some.map(start).collect();
                for end in under_way {
                    finished.push(joined(end)?);
                }
                Ok(())
            })?;
        }
        Ok((finished, range))
    }

    fn finish(self, mut of: DrawnMethod, range: DifferenceRange) -> Result<DrawnMethod> {
        let differences = std::mem::take(&mut of.differences);
        let canvas = scale::painted(self.reference.size, &differences, range)?;
        drop(differences);
        let bytes = encode_png(&canvas, &self.metadata(of.method, Some(range)))?;
        self.files
            .write(&format!("diff_{}.png", of.method), &bytes)?;
        Ok(of)
    }

    fn write_exr(self, method: Method, composite: &Picture) -> Result<()> {
        let shaders = self.shaders;
        let comment = format!(
            "{}{}; shaders {}",
            self.settings.flags(),
            shaders.flag(),
            shaders.digest
        );
        let exr = exr_file::encode_exr(composite, &comment)?;
        self.files.write(&format!("{method}.exr"), &exr)
    }

    /// The settings as text metadata, with the command that makes the picture again. The command fixes the range,
    /// because fewer methods would fit a different range.
    fn metadata(self, method: Method, range: Option<DifferenceRange>) -> Vec<(String, String)> {
        let reference = Some(self.wanted.reference);
        let mut texts = (self.settings).metadata(&[method], reference, range, self.shaders);
        texts.extend(self.wanted.scene.noted());
        texts
    }
}
