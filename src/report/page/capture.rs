//! The page of a capture: pictures, and the data for the page's script. Pictures are packed one by one into an unnamed
//! file until the page is written, so that memory never holds all of them.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::str::FromStr;
use std::sync::Mutex;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::packed::Predicted;
use super::{CAPTURE, PROGRAM, Page, packed};
use crate::model::methods::Method;
use crate::report::canvas::{Canvas, Rgb};
use crate::report::comparison::{PassTime, Report, fact};
use crate::report::drawing::{Bar, Drawing};
use crate::report::{Picture, palette, scale};
use crate::workers::lock;

/// Maximum bytes of the pictures on a page, without values requested by name.
const ROOM: u64 = 20_000_000;

/// The methods with pictures on a page, in addition to the reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PagePictures {
    NoPage,
    /// All methods, with float values for as many as fit.
    #[default]
    All,
    Named(Vec<Method>),
}

impl FromStr for PagePictures {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let method = |name: &str| Method::by_name(name).map_err(|error| error.message);
        match text {
            "none" => Ok(Self::NoPage),
            "all" => Ok(Self::All),
            names => Ok(Self::Named(
                names.split(',').map(method).collect::<Result<_, _>>()?,
            )),
        }
    }
}

impl fmt::Display for PagePictures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPage => f.write_str("none"),
            Self::All => f.write_str("all"),
            Self::Named(methods) => {
                let names: Vec<&str> = methods.iter().map(|method| method.name()).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

impl PagePictures {
    pub fn may_hold(&self, method: Method) -> bool {
        match self {
            Self::NoPage => false,
            Self::All => true,
            Self::Named(methods) => methods.contains(&method),
        }
    }
}

/// A range of the pending file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    at: u64,
    length: u64,
}

/// Packed pictures that wait for the page. Equal bytes are stored once.
struct Waiting {
    file: File,
    known: HashMap<[u8; 32], Block>,
}

impl Waiting {
    fn add(&mut self, bytes: &[u8], is_difference: bool) -> io::Result<Stored> {
        let digest = Sha256::digest(bytes).into();
        let block = match self.known.get(&digest) {
            Some(block) => *block,
            None => Block {
                at: self.file.seek(SeekFrom::End(0))?,
                length: bytes.len() as u64,
            },
        };
        if self.known.insert(digest, block).is_none() {
            self.file.write_all(bytes)?;
        }
        Ok(Stored {
            block,
            is_difference,
        })
    }
}

/// Packs the pictures of a page. Callable from any thread.
pub struct Pictures<'a> {
    reference: &'a Picture,
    displayed: &'a Canvas,
    waiting: Mutex<Waiting>,
    of_reference: Packed,
    is_rounded: bool,
    room: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    block: Block,
    is_difference: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    pub values: Stored,
    pub colours: Stored,
}

impl<'a> Pictures<'a> {
    /// Packs the values and the displayed colours of the reference into `file`. `others` pictures follow later.
    pub fn new(
        reference: &'a Picture,
        displayed: &'a Canvas,
        file: File,
        held: &PagePictures,
        others: usize,
    ) -> io::Result<Self> {
        let mut waiting = Waiting {
            file,
            known: HashMap::new(),
        };
        let mut values = packed::values(reference, Predicted::Alone)?;
        // Another exact method takes about a sixth of the reference's size, and base64 adds a third.
        let is_rounded = values.len() * (6 + others) / 6 > ROOM as usize * 3 / 4;
        if is_rounded {
            values = packed::values(reference, Predicted::Rounded)?;
        }
        let colours = packed::colours(displayed, None)?;
        Ok(Self {
            of_reference: Packed {
                values: waiting.add(&values, false)?,
                colours: waiting.add(&colours, false)?,
            },
            reference,
            displayed,
            waiting: Mutex::new(waiting),
            is_rounded,
            room: if *held == PagePictures::All {
                ROOM
            } else {
                u64::MAX
            },
        })
    }

    /// Packs the values of another picture with the reference's size.
    pub fn values(&self, picture: &Picture) -> io::Result<Stored> {
        let mut bytes = packed::values(picture, Predicted::From(self.reference))?;
        let is_far = bytes.len() as u64 > self.of_reference.values.block.length;
        let is_alone = packed::is_half(picture) || (self.is_rounded && is_far);
        if is_alone {
            bytes = packed::values(picture, Predicted::Rounded)?;
        }
        lock(&self.waiting).add(&bytes, !is_alone)
    }

    pub fn colours(&self, displayed: &Canvas) -> io::Result<Stored> {
        let differences = packed::colours(displayed, Some(self.displayed))?;
        lock(&self.waiting).add(&differences, true)
    }
}

pub struct Candidate {
    /// Index of the method's capture on the page.
    pub run: usize,
    pub method: Method,
    pub name: String,
    /// `None` for the reference, which is always on the page.
    pub packed: Option<Packed>,
}

impl Candidate {
    /// A method of a capture. `capture` is the capture's name if there are two.
    pub fn new(run: usize, capture: &str, method: Method, packed: Option<Packed>) -> Self {
        let name = match capture {
            "" => method.name().to_owned(),
            capture => format!("{capture}: {method}"),
        };
        Self {
            run,
            method,
            name,
            packed,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
struct Run<'a> {
    name: String,
    /// One line of text about the scene and the machine.
    summary: String,
    report: &'a Report,
}

impl<'a> Run<'a> {
    fn of(name: String, report: &'a Report) -> Self {
        let (settings, adapter) = (&report.settings_rows, &report.adapter_rows);
        let scene = report.scene();
        let parts = [
            Some(scene.as_str()),
            fact(settings, "size"),
            fact(adapter, "name"),
            fact(adapter, "driver"),
            Some(report.program.as_str()),
        ];
        let parts = parts.into_iter().flatten();
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        Self {
            name,
            summary: parts.join(" · "),
            report,
        }
    }
}

/// Contents of a page except the pictures.
pub struct CapturePage<'a> {
    title: String,
    runs: Vec<Run<'a>>,
    pub notes: Vec<String>,
    /// A frame with each method as SVG, if there are times.
    passes: Option<String>,
}

/// The pictures of a page and their size on the page, largest first. Shared bytes count for the first picture.
pub type Contents = Vec<(String, u64)>;

#[derive(Serialize)]
struct Data<'a> {
    program: &'static str,
    title: &'a str,
    size: [u32; 2],
    ramp: Vec<Rgb>,
    equal: Rgb,
    is_rounded: bool,
    notes: &'a [String],
    runs: &'a [Run<'a>],
    pictures: Vec<PagePicture<'a>>,
}

/// A picture in the script's data: names of blocks, and index of the picture that its differences refer to.
#[derive(Serialize)]
struct PagePicture<'a> {
    run: usize,
    method: &'static str,
    name: &'a str,
    /// Name of the block with the values. `None` if the values did not fit.
    values: Option<String>,
    from: Option<usize>,
    seen: String,
    seen_from: Option<usize>,
}

impl<'a> CapturePage<'a> {
    pub fn of(captures: &[(String, &'a Report)], notes: Vec<String>) -> Self {
        let runs = captures.iter();
        let runs = runs.map(|(name, report)| Run::of(name.clone(), report));
        let mut scenes: Vec<String> = captures.iter().map(|(_, report)| report.scene()).collect();
        scenes.dedup();
        Self {
            title: scenes.join(" and "),
            runs: runs.collect(),
            notes,
            passes: passes(captures),
        }
    }

    /// Writes the page with the pictures of `candidates` in order, or without pictures if `pictures` is `None`.
    pub fn write(
        &self,
        out: &mut dyn Write,
        pictures: Option<&Pictures<'_>>,
        candidates: &[Candidate],
    ) -> io::Result<Contents> {
        let mut page = Page::begin(out, &CAPTURE, &self.title)?;
        if let Some(svg) = &self.passes {
            page.drawing("passes", svg)?;
        }
        let mut contents = Contents::default();
        let (mut size, mut shown) = ([0; 2], Vec::new());
        if let Some(pictures) = pictures {
            size = pictures.reference.size;
            shown = show(&mut page, pictures, candidates, &mut contents)?;
            contents.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        }
        page.end(&Data {
            program: PROGRAM,
            title: &self.title,
            size,
            ramp: scale::COLOURS.to_vec(),
            equal: scale::EQUAL,
            is_rounded: pictures.is_some_and(|of| of.is_rounded),
            notes: &self.notes,
            runs: &self.runs,
            pictures: shown,
        })?;
        Ok(contents)
    }
}

/// A frame with each method, stacked by pass. `None` without times.
fn passes(captures: &[(String, &Report)]) -> Option<String> {
    let mut bars = Vec::new();
    for (capture, report) in captures {
        let part = |name: &str, colour: Rgb, time: PassTime| {
            Some((name.to_owned(), colour, time.median()?))
        };
        let shared = report.passes.iter();
        let shared = shared.filter_map(|of| part(of.pass.label(), palette::pass(of.pass), of.time));
        let shared: Vec<(String, Rgb, f64)> = shared.collect();
        let compared = report.methods.iter();
        for method in compared.filter(|of| of.drawing_part.is_none()) {
            let known = Method::by_name(&method.method).ok();
            let composite =
                known.and_then(|of| part("composite", palette::colour(of), method.time));
            bars.extend(composite.map(|composite| Bar {
                name: method.title(),
                note: capture.clone(),
                rows: Vec::new(),
                parts: shared.iter().cloned().chain([composite]).collect(),
            }));
        }
    }
    if bars.is_empty() {
        return None;
    }
    let mut drawing = Drawing::new("A frame by pass", None, "");
    drawing.stacked_bars(&bars);
    drawing.paragraph(
        "Medians of the passes, in order. The last part of each bar, in the colour of the method's family, is its \
        composite. The frame of the other passes makes the inputs of all methods.",
    );
    Some(drawing.finish())
}

/// Writes each picture block once, and returns the pictures' data for the script.
fn show<'a>(
    page: &mut Page<'_>,
    pictures: &Pictures<'_>,
    candidates: &'a [Candidate],
    contents: &mut Contents,
) -> io::Result<Vec<PagePicture<'a>>> {
    let reference = candidates.iter().position(|of| of.packed.is_none());
    // Base64 takes four characters for every three bytes.
    let on_page = |block: Block| block.length.div_ceil(3) * 4;
    let both = |of: Packed| [of.colours, of.values].map(|of| of.block);
    let mut held = HashSet::from(both(pictures.of_reference));
    let packed = candidates.iter().filter_map(|of| of.packed);
    let mut blocks: Vec<Block> = packed.flat_map(both).collect();
    // Take the smallest first, so that as many pictures as possible fit. Displayed colours are smaller than values.
    blocks.sort_by_key(|block| block.length);
    let mut taken: u64 = held.iter().copied().map(on_page).sum();
    for block in blocks {
        // Equal blocks count only once.
        let has_room = taken + on_page(block) <= pictures.room;
        if has_room && held.insert(block) {
            taken += on_page(block);
        }
    }
    let mut names: HashMap<Block, String> = HashMap::new();
    let mut shown = Vec::new();
    for candidate in candidates {
        let Packed { values, colours } = candidate.packed.unwrap_or(pictures.of_reference);
        if !held.contains(&colours.block) {
            contents.push((format!("no room for {}", candidate.name), 0));
            continue;
        }
        let has_values = held.contains(&values.block);
        let mut bytes = 0;
        let mut name = |stored: Stored| -> io::Result<String> {
            let block = stored.block;
            if let Some(name) = names.get(&block) {
                return Ok(name.clone());
            }
            let name = format!("block-{}", names.len());
            let mut waiting = lock(&pictures.waiting);
            waiting.file.seek(SeekFrom::Start(block.at))?;
            page.block(&name, &mut (&mut waiting.file).take(block.length))?;
            bytes += on_page(block);
            names.insert(block, name.clone());
            Ok(name)
        };
        let from = |of: Stored| reference.filter(|_| of.is_difference);
        shown.push(PagePicture {
            run: candidate.run,
            method: candidate.method.name(),
            name: &candidate.name,
            values: has_values.then(|| name(values)).transpose()?,
            from: from(values),
            seen: name(colours)?,
            seen_from: from(colours),
        });
        let about = ["no room for the values of ", ""][usize::from(has_values)];
        contents.push((format!("{about}{}", candidate.name), bytes));
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::comparison::tests::example;

    fn noise(seed: u64) -> Picture {
        let mut random = fastrand::Rng::with_seed(seed);
        let pixels = std::iter::repeat_with(|| [(); 4].map(|()| random.f32()));
        Picture::new([64, 64], pixels.take(64 * 64).collect()).expect("a picture")
    }

    /// Contents of a page with two noisy methods and a reference, and true if the reference is rounded.
    fn contents(held: &PagePictures, others: usize, room: u64) -> (Contents, bool) {
        let (reference, displayed) = (noise(1), Canvas::filled([64, 64], [0; 3]));
        let file = tempfile::tempfile().expect("a file");
        let mut pictures =
            Pictures::new(&reference, &displayed, file, held, others).expect("packed");
        pictures.room = pictures.room.min(room);
        let packed = |seed| Packed {
            values: pictures.values(&noise(seed)).expect("packed"),
            colours: pictures.colours(&displayed).expect("packed"),
        };
        let candidate = |method, packed| Candidate::new(0, "", method, packed);
        let candidates = [
            candidate(Method::PixelLoop, None),
            candidate(Method::ReadLaneLoop, Some(packed(2))),
            candidate(Method::WaveTree, Some(packed(3))),
        ];
        let report = example();
        let page = CapturePage::of(&[(String::new(), &report)], Vec::new());
        let contents = page.write(&mut io::sink(), Some(&pictures), &candidates);
        (contents.expect("written"), pictures.is_rounded)
    }

    #[test]
    fn values_that_find_no_room_are_left_out_unless_their_method_was_named() {
        let without = |held: &PagePictures, room| {
            let (contents, _) = contents(held, 2, room);
            let left_out = contents.iter().filter(|(name, _)| name.contains("no room"));
            left_out.count()
        };
        assert_eq!(without(&PagePictures::All, ROOM), 0);
        assert_eq!(without(&PagePictures::All, 180_000), 1);
        assert_eq!(
            without(&PagePictures::All, 0),
            2,
            "the reference is always there"
        );
        let named = PagePictures::Named(vec![Method::ReadLaneLoop, Method::WaveTree]);
        assert_eq!(without(&named, u64::MAX), 0);
    }

    #[test]
    fn a_page_of_many_pictures_is_rounded() {
        let bytes = |others| {
            let (contents, is_rounded) = contents(&PagePictures::All, others, ROOM);
            let bytes: u64 = contents.iter().map(|(_, bytes)| bytes).sum();
            (bytes, is_rounded)
        };
        let ((whole, no), (rounded, yes)) = (bytes(2), bytes(5000));
        assert!(!no && yes && 3 * rounded < 2 * whole, "{rounded} {whole}");
    }
}
