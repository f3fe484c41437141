//! Reads comparison sets and benchmark runs from files, for a page or a comparison.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::input;
use crate::model::methods::Method;
use crate::output;
use crate::report::Picture;
use crate::report::bench::file::{self, RECORD};
use crate::report::bench::record::Record;
use crate::report::canvas::Canvas;
use crate::report::comparison::Report;
use crate::report::exr_file::decode_exr;
use crate::report::page::bench::BenchPage;
use crate::report::page::capture::{
    Candidate, CapturePage, Contents, Packed, PagePictures, Pictures,
};
use crate::report::png_file::decode_png;
use crate::runs::capture::set::SET;

pub enum Written {
    Set(WrittenSet),
    Bench(Record),
}

pub struct WrittenSet {
    pub folder: PathBuf,
    pub report: Report,
}

impl Written {
    /// Reads a folder, or the folder that contains the named `bench.json` or `report.json`.
    pub fn read(named: &Path) -> Result<Self> {
        let made_by = "name a folder made by `capture` or `bench`";
        if !named.exists() {
            return Err(wrong(named, &format!("it does not exist; {made_by}")));
        }
        let path = match named.is_dir() {
            false => named.to_owned(),
            true => {
                let records = [RECORD, SET.record].map(|name| named.join(name));
                let why = format!("contains neither {RECORD} nor {}; {made_by}", SET.record);
                let record = records.into_iter().find(|path| path.exists());
                record.ok_or_else(|| wrong(named, &why))?
            }
        };
        match path.file_name().is_some_and(|name| name == SET.record) {
            true => Ok(Self::Set(WrittenSet::read(&path)?)),
            false => Ok(Self::Bench(file::read(&path)?)),
        }
    }
}

fn wrong(path: &Path, why: &str) -> Error {
    Error::usage(format!("{}: {why}", path.display()))
}

impl WrittenSet {
    fn read(report: &Path) -> Result<Self> {
        let text = input::text(report, input::REPORT);
        let text = text.map_err(|why| wrong(report, &format!("cannot read it: {why}")))?;
        Ok(Self {
            folder: output::folder_of(report).to_owned(),
            report: Report::from_json(&text).map_err(|why| wrong(report, &why))?,
        })
    }

    pub fn name(&self) -> String {
        let whole = self.folder.canonicalize();
        let whole = whole.unwrap_or_else(|_| self.folder.clone());
        let name = whole.file_name().unwrap_or(whole.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// Methods that ran, in the order of the report. Methods unknown to this program are left out.
    pub fn methods(&self) -> Vec<Method> {
        let ran = self.report.methods.iter();
        let ran = ran.filter(|of| of.unavailable.is_none());
        let known = ran.filter_map(|of| Method::by_name(&of.method).ok());
        known.collect()
    }

    /// Float values of a method. `None` if the set has no EXR file of the method.
    pub fn values(&self, method: &str) -> Result<Option<Picture>> {
        let path = self.folder.join(format!("{method}.exr"));
        self.file(&path, decode_exr)
    }

    /// Float values and displayed colours of a method. `None` if its EXR or PNG file is missing.
    pub fn picture(&self, method: &str) -> Result<Option<(Picture, Canvas)>> {
        let Some(values) = self.values(method)? else {
            return Ok(None);
        };
        let path = self.folder.join(format!("{method}.png"));
        let Some(displayed) = self.file(&path, decode_png)? else {
            return Ok(None);
        };
        if displayed.size() != values.size {
            let why = "its size differs from that of the EXR file next to it";
            return Err(wrong(&path, why));
        }
        Ok(Some((values, displayed)))
    }

    fn file<T>(&self, path: &Path, read: impl Fn(&[u8]) -> Result<T>) -> Result<Option<T>> {
        if !path.exists() {
            return Ok(None);
        }
        let bytes = input::bytes(path, input::PICTURE).map_err(|why| wrong(path, &why))?;
        let picture = read(&bytes).map_err(|error| wrong(path, &error.message))?;
        Ok(Some(picture))
    }
}

/// Writes the page of one set, or of two sets compared with each other. Pictures come from the first set, and also from
/// the second if they have the same size. All are packed against the first set's reference.
pub fn write_page(
    sets: &[(String, &WrittenSet)],
    notes: Vec<String>,
    held: &PagePictures,
    out: &Path,
) -> Result<Contents> {
    let reports = sets.iter();
    let reports = reports.map(|(name, set)| (name.clone(), &set.report));
    let reports: Vec<(String, &Report)> = reports.collect();
    let mut page = CapturePage::of(&reports, notes);
    let cannot = |error: std::io::Error| wrong(out, &format!("cannot write it: {error}"));
    let write = |page: &CapturePage<'_>, pictures, candidates: &[Candidate]| {
        output::write_by(out, |file| page.write(file, pictures, candidates))
    };
    let Some((_, first)) = sets.first().filter(|_| *held != PagePictures::NoPage) else {
        return write(&page, None, &[]);
    };
    let reference = &first.report.reference;
    let (values, displayed) = first.picture(reference)?.ok_or_else(|| {
        wrong(
            &first.folder.join(format!("{reference}.exr")),
            "a page needs the float values: capture again with --format exr, or add --page none for the tables alone",
        )
    })?;
    let waiting = tempfile::tempfile_in(output::folder_of(out));
    let others = sets.iter().flat_map(|(_, set)| set.methods());
    let others = others.filter(|method| held.may_hold(*method)).count();
    let pictures = waiting.and_then(|file| Pictures::new(&values, &displayed, file, held, others));
    let pictures = pictures.map_err(cannot)?;
    let mut candidates = Vec::new();
    for (run, (name, set)) in sets.iter().enumerate() {
        for method in set.methods() {
            let is_reference = run == 0 && method.name() == reference;
            let packed = match is_reference {
                true => None,
                false if !held.may_hold(method) => continue,
                false => match set.picture(method.name())? {
                    Some((own, displayed)) if own.size == values.size => Some(Packed {
                        values: pictures.values(&own).map_err(cannot)?,
                        colours: pictures.colours(&displayed).map_err(cannot)?,
                    }),
                    _ => {
                        let note = format!("{}: no picture of {method} that fits", set.name());
                        page.notes.push(note);
                        continue;
                    }
                },
            };
            candidates.push(Candidate::new(run, name, method, packed));
        }
    }
    write(&page, Some(&pictures), &candidates)
}

pub fn write_bench_page(page: &BenchPage<'_>, out: &Path) -> Result<()> {
    output::write_by(out, |file| page.write(file))
}
