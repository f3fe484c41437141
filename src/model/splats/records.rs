//! Fixed-size records, read in blocks.

use std::io::{ErrorKind, Read};

use glam::Vec3;

use crate::model::files::{Fault, bail};

/// Approximate number of bytes read at once.
const BLOCK: usize = 1 << 16;

/// Passes `count` records of `size` bytes to `each`, in blocks of whole records, each with the index of its first
/// record. `what` names the records in messages.
pub(super) fn blocks(
    bytes: &mut dyn Read,
    (count, size): (usize, usize),
    what: &str,
    mut each: impl FnMut(usize, &mut [u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if size == 0 {
        return Ok(());
    }
    let most = (BLOCK / size).max(1);
    let mut block = vec![0; most.min(count) * size];
    let mut first = 0;
    while first < count {
        let records = most.min(count - first);
        let block = &mut block[..records * size];
        let filled = filled(bytes, block).map_err(|error| {
            Fault::bad(format!(
                "{what}, from number {first} of {count} on: {error}"
            ))
        })?;
        if filled < block.len() {
            let whole = first + filled / size;
            bail!("it ends too early: {what} end after {whole} of {count}");
        }
        each(first, block)?;
        first += records;
    }
    Ok(())
}

/// Fills `into`; an error names the part in which the file ends too early.
pub(super) fn whole(bytes: &mut dyn Read, into: &mut [u8], what: &str) -> Result<(), Fault> {
    match filled(bytes, into) {
        Ok(count) if count == into.len() => Ok(()),
        Ok(_) => Err(Fault::bad(format!("it ends too early, in {what}"))),
        Err(error) => Err(Fault::bad(format!("{what}: {error}"))),
    }
}

pub(super) fn bytes_at<const COUNT: usize>(record: &[u8], at: usize) -> [u8; COUNT] {
    std::array::from_fn(|byte| record[at + byte])
}

pub(super) fn word(record: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes_at(record, at))
}

pub(super) fn float(record: &[u8], at: usize) -> f32 {
    f32::from_bits(word(record, at))
}

pub(super) fn vector(record: &[u8], at: usize) -> Vec3 {
    Vec3::from([0, 4, 8].map(|offset| float(record, at + offset)))
}

/// Reads until `block` is full or the input ends. Returns the number of bytes.
pub(super) fn filled(bytes: &mut dyn Read, block: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < block.len() {
        match bytes.read(&mut block[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// True if any input is left. Unlike in [`filled`], a truncated compressed stream is an error.
pub(super) fn is_more(bytes: &mut dyn Read) -> std::io::Result<bool> {
    loop {
        match bytes.read(&mut [0]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => return read.map(|count| count > 0),
        }
    }
}
