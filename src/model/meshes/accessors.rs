//! Numbers in the buffers of a glTF file. Every range is checked against the available bytes before it is read.

use super::document::{Accessor, Document, Sparse};
use super::uri;
use crate::model::files::{Folder, bail, ensure};
use crate::model::number::Scalar;

const MOST_BYTES: u64 = 1 << 30;

/// The buffers of a file, each with the length stated in the file.
pub struct Buffers<'a> {
    document: &'a Document,
    binary: Option<&'a [u8]>,
    /// Contents of buffers stored outside the file itself.
    read: Vec<Option<Vec<u8>>>,
}

impl<'a> Buffers<'a> {
    /// Reads the buffers; `binary` is the data chunk of a GLB file, and `folder` holds external files.
    pub fn read(
        document: &'a Document,
        binary: Option<&'a [u8]>,
        folder: Folder,
    ) -> Result<Self, String> {
        let mut buffers = Self {
            document,
            binary,
            read: Vec::new(),
        };
        let mut all = 0u64;
        for (index, buffer) in document.buffers.iter().enumerate() {
            let length = buffer.byte_length;
            let wrong = |reason: String| format!("buffers[{index}]: {reason}");
            all = all.saturating_add(length);
            if all > MOST_BYTES {
                let most = MOST_BYTES >> 20;
                return Err(wrong(format!(
                    "{all} bytes so far; the limit for all buffers is {most} MiB"
                )));
            }
            let read = match buffer.uri.as_ref().filter(|uri| !uri.is_empty()) {
                Some(uri) => Some(uri::bytes(uri, folder, length).map_err(wrong)?),
                None if index == 0 && binary.is_some() => None,
                None => return Err(wrong("it has no `uri`".to_owned())),
            };
            buffers.read.push(read);
            let found = buffers.bytes(index).len() as u64;
            if found < length {
                return Err(wrong(format!("it has {found} bytes, not {length}")));
            }
        }
        Ok(buffers)
    }

    fn bytes(&self, index: usize) -> &[u8] {
        match &self.read[index] {
            Some(bytes) => bytes,
            None => self.binary.unwrap_or_default(),
        }
    }

    /// Bytes of a view, and the stride of the view; 0 if the file states no stride.
    pub fn view(&self, index: usize) -> Result<(&[u8], usize), String> {
        let view = found(&self.document.buffer_views, "bufferViews", index)?;
        ensure!(
            view.buffer < self.read.len(),
            "bufferViews[{index}]: buffers[{}] does not exist",
            view.buffer
        );
        let bytes = self.bytes(view.buffer);
        let part = part_of(bytes, view.byte_offset, view.byte_length).ok_or_else(|| {
            format!(
                "bufferViews[{index}]: bytes {} to {} of buffers[{}], which has {}",
                view.byte_offset,
                view.byte_offset.saturating_add(view.byte_length),
                view.buffer,
                bytes.len()
            )
        })?;
        let stride = view.byte_stride.unwrap_or(0);
        Ok((part, usize::try_from(stride).unwrap_or(usize::MAX)))
    }

    /// Elements of an accessor with one of the given types, such as `VEC3`.
    pub fn elements(&self, index: usize, shapes: &[&str]) -> Result<Elements<'_>, String> {
        let accessor = found(&self.document.accessors, "accessors", index)?;
        self.elements_of(accessor, shapes)
            .map_err(|reason| format!("accessors[{index}]: {reason}"))
    }

    fn elements_of(&self, accessor: &Accessor, shapes: &[&str]) -> Result<Elements<'_>, String> {
        if !shapes.contains(&accessor.shape.as_str()) {
            let shapes = shapes.join(" or ");
            bail!("its type is {}, not {shapes}", accessor.shape);
        }
        let width = match accessor.shape.as_str() {
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => 1,
        };
        let kind = component_type(accessor.component_type, width == 1)?;
        let count = u32::try_from(accessor.count)
            .map_err(|_| format!("it has {} elements, which are too many", accessor.count))?
            as usize;
        let packed = width * kind.size();
        let (data, stride) = match accessor.buffer_view {
            None => (None, packed),
            Some(view) => {
                let (bytes, stride) = self.view(view)?;
                // Elements do not overlap, so a smaller stride is meaningless.
                let stride = stride.max(packed);
                let by = |stride| {
                    let data = listed(bytes, accessor.byte_offset, count, stride, packed)?;
                    Some((Some(data), stride))
                };
                let found = match by(stride) {
                    // Indices are contiguous, so the same holds for them.
                    None if width == 1 => by(packed),
                    found => found,
                };
                found.ok_or_else(|| {
                    format!(
                        "its {count} elements do not fit the {} bytes of bufferViews[{view}]",
                        bytes.len()
                    )
                })?
            }
        };
        let others = accessor.sparse.as_ref();
        let others = others.map(|sparse| self.others(sparse, count, packed));
        Ok(Elements {
            data,
            stride,
            count,
            width,
            kind,
            normalized: accessor.normalized,
            others: others.transpose()?,
        })
    }

    /// Sparse elements of an accessor, which are stored separately.
    fn others(&self, sparse: &Sparse, count: usize, packed: usize) -> Result<Others<'_>, String> {
        let kind = component_type(sparse.indices.component_type, true)?;
        ensure!(
            kind != Scalar::F32,
            "the indices of its sparse elements are not integers"
        );
        let few = usize::try_from(sparse.count).unwrap_or(usize::MAX);
        let part = |view: usize, offset: u64, size: usize| {
            let (bytes, _) = self.view(view)?;
            listed(bytes, offset, few, size, size).ok_or_else(|| {
                format!(
                    "its {few} sparse elements do not fit the {} bytes of bufferViews[{view}]",
                    bytes.len()
                )
            })
        };
        let (indices, values) = (&sparse.indices, &sparse.values);
        let bytes = part(indices.buffer_view, indices.byte_offset, kind.size())?;
        let values = part(values.buffer_view, values.byte_offset, packed)?;
        let mut indices: Vec<u32> = Vec::new();
        for index in bytes
            .chunks_exact(kind.size())
            .map(|of| kind.read(of) as u32)
        {
            if indices.last().is_some_and(|before| index <= *before) || index as usize >= count {
                let at = indices.len();
                bail!(
                    "its sparse element {at} has the index {index}; indices must increase and be below {count}"
                );
            }
            indices.push(index);
        }
        Ok(Others { indices, values })
    }
}

fn found<'a, T>(list: &'a [T], name: &str, index: usize) -> Result<&'a T, String> {
    let count = list.len();
    (list.get(index)).ok_or_else(|| format!("{name}[{index}] does not exist; there are {count}"))
}

fn part_of(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    bytes.get(start..end)
}

/// Bytes of `count` elements starting at `offset`, each `size` bytes long and `stride` bytes after the one before.
fn listed(bytes: &[u8], offset: u64, count: usize, stride: usize, size: usize) -> Option<&[u8]> {
    let length = match count.checked_sub(1) {
        None => 0,
        Some(last) => last.checked_mul(stride)?.checked_add(size)?,
    };
    part_of(bytes, offset, length as u64)
}

/// Component type for a code of the file. Single integers are indices, so they are read as unsigned.
fn component_type(code: u64, is_single: bool) -> Result<Scalar, String> {
    Ok(match code {
        5120 if !is_single => Scalar::I8,
        5120 | 5121 => Scalar::U8,
        5122 if !is_single => Scalar::I16,
        5122 | 5123 => Scalar::U16,
        5125 => Scalar::U32,
        5124 if is_single => Scalar::U32,
        5126 => Scalar::F32,
        _ => bail!("its component type is {code}; 5120 to 5123, 5125 and 5126 are known"),
    })
}

/// The number at the start of `bytes`; a normalized integer is a fraction of the largest value of its type.
fn number(kind: Scalar, bytes: &[u8], normalized: bool) -> f32 {
    let value = kind.read(bytes) as f32;
    let most = match kind {
        _ if !normalized => return value,
        Scalar::I8 => 127.0,
        Scalar::U8 => 255.0,
        Scalar::I16 => 32767.0,
        Scalar::U16 => 65535.0,
        _ => return value,
    };
    (value / most).max(-1.0)
}

/// Sparse elements, sorted by index.
struct Others<'a> {
    indices: Vec<u32>,
    values: &'a [u8],
}

/// Elements of an accessor.
pub struct Elements<'a> {
    /// `None` if all elements are zero except the sparse ones.
    data: Option<&'a [u8]>,
    stride: usize,
    pub count: usize,
    pub width: usize,
    kind: Scalar,
    normalized: bool,
    others: Option<Others<'a>>,
}

impl Elements<'_> {
    /// The same elements, read as unsigned indices or as fractions from 0 to 1.
    pub fn unsigned(mut self, are_parts: bool) -> Self {
        self.normalized |= are_parts;
        self.kind = match self.kind {
            Scalar::I8 => Scalar::U8,
            Scalar::I16 => Scalar::U16,
            other => other,
        };
        self
    }

    /// Bytes of an element with an index below `count`; `None` if the element is all zero.
    fn bytes(&self, index: usize) -> Option<&[u8]> {
        if let Some(others) = &self.others
            && let Ok(at) = others.indices.binary_search(&(index as u32))
        {
            return Some(&others.values[at * self.width * self.kind.size()..]);
        }
        self.data.map(|data| &data[index * self.stride..])
    }

    /// The first N components of an element with an index below `count`; missing components are 1.
    pub fn numbers<const N: usize>(&self, index: usize) -> [f32; N] {
        let bytes = self.bytes(index);
        std::array::from_fn(|at| match bytes {
            _ if at >= self.width => 1.0,
            None => 0.0,
            Some(bytes) => {
                let part = &bytes[at * self.kind.size()..];
                number(self.kind, part, self.normalized)
            }
        })
    }

    /// An element with an index below `count`, read as an index.
    pub fn index(&self, index: usize) -> u32 {
        self.bytes(index)
            .map_or(0, |bytes| self.kind.read(bytes) as u32)
    }

    pub fn are_integers(&self) -> bool {
        self.kind != Scalar::F32
    }
}
