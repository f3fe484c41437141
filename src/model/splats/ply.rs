//! PLY: a text header that names the properties of each element, followed by rows of values, as text or as binary in
//! either byte order. This reader does not interpret properties.
//!
//! `serde-ply` would match every row to a struct by field names. Here the offsets of a file's properties are found only
//! once, and messages can list missing properties.
//!
//! Source: G. Turk, "The PLY Polygon File Format" (1994).

use std::io::{BufRead, Read};

use super::records::{blocks, bytes_at};
use crate::model::files::{Fault, Opened, bail, ensure};
use crate::model::kind::without_mark;
use crate::model::number::{Scalar, number};

/// Maximum size of the header in bytes, and of a line after the header. Headers of splat files have about 2 kB.
const LONGEST: u64 = 1 << 24;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    Text,
    LittleEndian,
    BigEndian,
}

/// Property types with both of their names.
const TYPES: [([&str; 2], Scalar); 8] = [
    (["char", "int8"], Scalar::I8),
    (["uchar", "uint8"], Scalar::U8),
    (["short", "int16"], Scalar::I16),
    (["ushort", "uint16"], Scalar::U16),
    (["int", "int32"], Scalar::I32),
    (["uint", "uint32"], Scalar::U32),
    (["float", "float32"], Scalar::F32),
    (["double", "float64"], Scalar::F64),
];

fn type_named(name: &str) -> Result<Scalar, String> {
    let found = TYPES.iter().find(|(names, _)| names.contains(&name));
    let found = found.ok_or_else(|| format!("`{name}` is not a property type"))?;
    Ok(found.1)
}

/// Offset and type of a property in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    at: usize,
    pub(super) kind: Scalar,
}

impl Column {
    /// Value of the property in a little-endian row, as the nearest f32.
    pub(super) fn number(self, row: &[u8]) -> f32 {
        self.double(row) as f32
    }

    /// Like [`Column::number`], but exact.
    pub(super) fn double(self, row: &[u8]) -> f64 {
        self.kind.read(&row[self.at..])
    }

    /// True if the values need more than single precision.
    pub(super) fn is_fine(self) -> bool {
        matches!(self.kind, Scalar::F64 | Scalar::I32 | Scalar::U32)
    }

    pub(super) fn word(self, row: &[u8]) -> u32 {
        u32::from_le_bytes(bytes_at(row, self.at))
    }
}

/// A kind of row, such as `vertex`.
#[derive(Clone, Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    properties: Vec<(String, Column)>,
    /// Bytes of a binary row, not counting lists.
    size: usize,
    /// Lists of the element, which are skipped: index of the property that follows, and types of length and items.
    lists: Vec<(usize, [Scalar; 2])>,
}

impl Element {
    fn lists_before(&self, property: usize) -> impl Iterator<Item = [Scalar; 2]> {
        let there = (self.lists.iter()).filter(move |(before, _)| *before == property);
        there.map(|(_, types)| *types)
    }

    pub(super) fn column(&self, name: &str) -> Option<Column> {
        let found = self.properties.iter().find(|(other, _)| other == name);
        found.map(|(_, column)| *column)
    }

    pub(super) fn columns<const COUNT: usize>(
        &self,
        names: [&str; COUNT],
    ) -> Result<[Column; COUNT], Fault> {
        let count = |name: &&str| self.properties.iter().filter(|of| of.0 == *name).count();
        if let Some(twice) = names.iter().find(|name| count(name) > 1) {
            let name = &self.name;
            bail!("its {name} element has the property {twice} twice; remove one");
        }
        let missing: Vec<&str> = names.into_iter().filter(|name| count(name) == 0).collect();
        ensure!(
            missing.is_empty(),
            "its {} element has no {}",
            self.name,
            missing.join(", ")
        );
        let nowhere = Column {
            at: 0,
            kind: Scalar::U8,
        };
        Ok(names.map(|name| self.column(name).unwrap_or(nowhere)))
    }

    /// Properties named `prefix` followed by 0, 1, 2 and so on.
    pub(super) fn numbered(&self, prefix: &str) -> Result<Vec<Column>, Fault> {
        let is_one = |(name, _): &&(String, Column)| name.starts_with(prefix);
        let count = self.properties.iter().filter(is_one).count();
        let of = |number| {
            let name = format!("{prefix}{number}");
            let missing = || {
                Fault::bad(format!(
                    "its {} element has {count} properties {prefix}… but no {name}",
                    self.name
                ))
            };
            self.column(&name).ok_or_else(missing)
        };
        (0..count).map(of).collect()
    }
}

struct Header {
    format: Format,
    elements: Vec<Element>,
    comments: String,
    length: u64,
}

/// Rows, read element by element in file order.
pub(super) struct Rows<'a> {
    bytes: Box<dyn BufRead + 'a>,
    format: Format,
    /// Number of lines read after the header, for messages about text files.
    line: usize,
}

impl<'b> Rows<'b> {
    /// Passes all rows of the next element to `each` in blocks: index of the block's first row, little-endian rows, row size.
    pub(super) fn of(
        &mut self,
        element: &Element,
        mut each: impl FnMut(usize, &[u8], usize) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let what = format!("the rows of its {} element", element.name);
        let (count, size) = (element.count, element.size);
        let swapped = self.format == Format::BigEndian;
        let each = |index, block: &mut [u8]| {
            if swapped {
                block
                    .chunks_exact_mut(size)
                    .for_each(|row| swap(row, element));
            }
            each(index, block, size)
        };
        if self.format == Format::Text || !element.lists.is_empty() {
            blocks(&mut self.packed(element), (count, size), &what, each)
        } else {
            blocks(&mut self.bytes, (count, size), &what, each)
        }
    }

    pub(super) fn skip(&mut self, element: &Element) -> Result<(), Fault> {
        let has_lists = !element.lists.is_empty();
        if element.properties.is_empty() && !has_lists {
            return Ok(());
        }
        if self.format != Format::Text && !has_lists {
            return self.of(element, |_, _, _| Ok(()));
        }
        let broken = |why: &dyn std::fmt::Display| {
            Fault::bad(format!("the rows of its {} element: {why}", element.name))
        };
        for _ in 0..element.count {
            let read = match self.format {
                Format::Text => {
                    next_line(&mut self.bytes, &mut self.line).map(|line| line.is_some())
                }
                _ => self.packed(element).next_row().map(|()| true),
            };
            if !read.map_err(|error| broken(&error))? {
                return Err(broken(&"the file ends too early"));
            }
        }
        Ok(())
    }

    fn packed<'a>(&'a mut self, element: &'a Element) -> Packed<'a, 'b> {
        Packed {
            rows: self,
            element,
            row: Vec::new(),
            read: 0,
        }
    }
}

fn skip_list(
    bytes: &mut dyn BufRead,
    [length, item]: [Scalar; 2],
    is_swapped: bool,
) -> std::io::Result<()> {
    let mut number = [0; 8];
    let number = &mut number[..length.size()];
    bytes.read_exact(number)?;
    if is_swapped {
        number.reverse();
    }
    let column = Column {
        at: 0,
        kind: length,
    };
    let size = (column.double(number).max(0.0) as u64).saturating_mul(item.size() as u64);
    match std::io::copy(&mut bytes.take(size), &mut std::io::sink())? == size {
        true => Ok(()),
        false => Err(std::io::Error::other("a list ends too early")),
    }
}

/// Rows of an element, converted to binary without lists.
struct Packed<'a, 'b> {
    rows: &'a mut Rows<'b>,
    element: &'a Element,
    /// The current row, and the part of that row already passed on.
    row: Vec<u8>,
    read: usize,
}

impl Packed<'_, '_> {
    /// Reads the next row; a text file may end before the row does.
    fn next_row(&mut self) -> std::io::Result<()> {
        self.read = 0;
        self.row.clear();
        let Rows {
            bytes,
            format,
            line,
        } = &mut *self.rows;
        if *format == Format::Text {
            let Some(text) = next_line(bytes, line)? else {
                return Ok(());
            };
            return numbers(&text, self.element, &mut self.row).map_err(|reason| {
                std::io::Error::other(format!("line {line} after its header: {reason}"))
            });
        }
        let properties = &self.element.properties;
        for at in 0..=properties.len() {
            for types in self.element.lists_before(at) {
                skip_list(bytes, types, *format == Format::BigEndian)?;
            }
            if let Some((_, column)) = properties.get(at) {
                let mut number = [0; 8];
                let number = &mut number[..column.kind.size()];
                bytes.read_exact(number)?;
                self.row.extend_from_slice(number);
            }
        }
        Ok(())
    }
}

impl Read for Packed<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.read == self.row.len() {
            self.next_row()?;
        }
        let count = (&self.row[self.read..]).read(into)?;
        self.read += count;
        Ok(count)
    }
}

fn swap(row: &mut [u8], element: &Element) {
    for (_, column) in &element.properties {
        row[column.at..column.at + column.kind.size()].reverse();
    }
}

/// Reads a line and its end: LF, CR or, if `both` is set, CR LF. Returns the number of bytes.
fn read_line(bytes: &mut dyn BufRead, both: bool, text: &mut Vec<u8>) -> std::io::Result<usize> {
    let start = text.len();
    loop {
        let there = bytes.fill_buf()?;
        let end = there.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let count = end.map_or(there.len(), |at| at + 1);
        text.extend(&there[..count]);
        bytes.consume(count);
        if count == 0 || end.is_some() {
            break;
        }
    }
    if both && text.ends_with(b"\r") && bytes.fill_buf()?.starts_with(b"\n") {
        text.push(b'\n');
        bytes.consume(1);
    }
    Ok(text.len() - start)
}

fn next_line(bytes: &mut dyn BufRead, number: &mut usize) -> std::io::Result<Option<String>> {
    let mut text = Vec::new();
    loop {
        text.clear();
        let read = read_line(&mut bytes.take(LONGEST), true, &mut text)?;
        *number += 1;
        if read == 0 {
            return Ok(None);
        }
        if read as u64 >= LONGEST {
            let reason = format!("line {number} after its header is longer than {LONGEST} bytes");
            return Err(std::io::Error::other(reason));
        }
        if !text.trim_ascii().is_empty() {
            return Ok(Some(String::from_utf8_lossy(&text).into_owned()));
        }
    }
}

fn numbers(line: &str, element: &Element, row: &mut Vec<u8>) -> Result<(), String> {
    let mut words = line.split_ascii_whitespace();
    let skip_lists = |words: &mut std::str::SplitAsciiWhitespace, at| {
        element.lists_before(at).try_for_each(|_| {
            let length = words.next().ok_or("no length of a list")?;
            let count = length.parse::<usize>();
            let count = count.map_err(|_| format!("a list has a length of `{length}`"))?;
            match words.take(count).count() == count {
                true => Ok(()),
                false => Err(format!("a list of {count} ends too early")),
            }
        })
    };
    for (at, (name, column)) in element.properties.iter().enumerate() {
        skip_lists(&mut words, at)?;
        let word = words.next().ok_or_else(|| format!("no {name}"))?;
        let number = || number(word).ok_or_else(|| format!("{name} is `{word}`"));
        match (column.kind, word.parse::<f32>()) {
            // The number is rounded only once.
            (Scalar::F32, Ok(single)) => row.extend(single.to_le_bytes()),
            (kind, _) => kind.write(number()?, row),
        }
    }
    skip_lists(&mut words, element.properties.len())?;
    match words.next() {
        None => Ok(()),
        Some(word) => Err(format!("`{word}` after the last property")),
    }
}

/// Reads the header of a PLY file: elements, rows for reading next, and comments.
pub(super) fn open(mut file: Opened<'_>) -> Result<(Vec<Element>, Rows<'_>, String), Fault> {
    let header = header(&mut file.bytes)?;
    check_length(&header, file.length)?;
    let rows = Rows {
        bytes: file.bytes,
        format: header.format,
        line: 0,
    };
    Ok((header.elements, rows, header.comments))
}

fn header(bytes: &mut dyn BufRead) -> Result<Header, Fault> {
    let mut text = Vec::new();
    let mut bytes = bytes.take(LONGEST);
    // If lines end with a single CR, an LF belongs to the data.
    let mut both = true;
    let mut format = None;
    let mut elements: Vec<Element> = Vec::new();
    let mut comments = String::new();
    for number in 1.. {
        let start = text.len();
        read_line(&mut bytes, both, &mut text)?;
        both &= number > 1 || !text.ends_with(b"\r");
        if !text[start..].ends_with(b"\n") && !text[start..].ends_with(b"\r") {
            match text.len() as u64 {
                LONGEST.. => bail!("its header has no end_header in the first 16 MiB"),
                _ => bail!("its header ends without end_header"),
            }
        }
        let line = String::from_utf8_lossy(without_mark(&text[start..]));
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            ["end_header"] => break,
            ["comment" | "obj_info", rest @ ..] => {
                comments += &rest.join(" ");
                comments.push('\n');
            }
            ["format", "ascii", _version] => format = Some(Format::Text),
            ["format", "binary_little_endian", _version] => format = Some(Format::LittleEndian),
            ["format", "binary_big_endian", _version] => format = Some(Format::BigEndian),
            ["format", name, _version] => {
                bail!(
                    "its format is `{name}`; ascii, binary_little_endian and binary_big_endian can be read"
                );
            }
            other => declaration(other, &mut elements)
                .map_err(|reason| format!("line {number} of its header: {reason}"))?,
        }
    }
    Ok(Header {
        format: format.ok_or("its header has no line `format`")?,
        elements,
        comments,
        length: text.len() as u64,
    })
}

fn declaration(words: &[&str], elements: &mut Vec<Element>) -> Result<(), String> {
    match words {
        [] | ["ply"] => {}
        ["element", name, count] => {
            let number = count.parse();
            elements.push(Element {
                name: (*name).to_owned(),
                count: number.map_err(|_| format!("`{count}` is not a number of rows"))?,
                ..Element::default()
            });
        }
        ["property", kind, rest @ ..] => {
            let element = elements.last_mut();
            let element = element.ok_or("a property comes before any element")?;
            match (*kind, rest) {
                ("list", [length, item, _]) => {
                    let types = [type_named(length)?, type_named(item)?];
                    element.lists.push((element.properties.len(), types));
                }
                (kind, [name]) => {
                    let kind = type_named(kind)?;
                    let column = Column {
                        at: element.size,
                        kind,
                    };
                    element.size += kind.size();
                    element.properties.push(((*name).to_owned(), column));
                }
                _ => return Err("a property needs a type and a name".to_owned()),
            }
        }
        [word, ..] => return Err(format!("`{word}` is unknown")),
    }
    Ok(())
}

/// Checks that a file is at least as long as its header implies, before its rows are read.
fn check_length(header: &Header, length: u64) -> Result<(), Fault> {
    let mut least = header.length;
    for element in &header.elements {
        let size = match header.format {
            // A number takes at least a digit and a blank.
            Format::Text => 2 * (element.properties.len() + element.lists.len()),
            _ => {
                let lengths = element.lists.iter().map(|(_, [length, _])| length.size());
                element.size + lengths.sum::<usize>()
            }
        };
        least = least.saturating_add((element.count as u64).saturating_mul(size as u64));
    }
    // The last number of a text file needs no blank after it.
    let least = least - u64::from(header.format == Format::Text && least > header.length);
    let counts = || {
        let counts = header.elements.iter();
        let counts = counts.map(|element| format!("{} of {}", element.count, element.name));
        counts.collect::<Vec<_>>().join(", ")
    };
    ensure!(
        length >= least,
        "it ends too early: the {} rows of its header need at least {least} bytes, and it has {length}",
        counts()
    );
    Ok(())
}
