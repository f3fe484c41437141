//! Files of splats for the fuzzer: those of tests/data/splats with changes, also below their compression, so that
//! more than the check sums is met.

use std::sync::OnceLock;

use fastrand::Rng;
use wavelerp::error::Error;
use wavelerp::model::files::Opened;
use wavelerp::model::splats;
use wavelerp::model::splats::How;

use super::mutate;
use crate::splats::bad_files::replaced;
use crate::splats::bytes_of;
use crate::splats::write::{Format, gunzip, gzip, inria, some_splats};

/// One of every kind, degree and version, with the name that it is read by.
const FILES: &str = "inria-0.ply inria-3.ply packed-0.compressed.ply packed-2.compressed.ply bytes.splat \
                     v2-1.spz v3-3.spz v4-0.spz v4-2.spz sog-1.sog sog-3.sog k0-2.ksplat k2-2.ksplat \
                     gltf-1.glb gltf-3.glb";

/// Names and bytes of all of them, and of one in text.
fn files() -> &'static [(&'static str, Vec<u8>)] {
    static FILES_READ: OnceLock<Vec<(&str, Vec<u8>)>> = OnceLock::new();
    FILES_READ.get_or_init(|| {
        let files = FILES.split(' ').map(|name| (name, bytes_of(name)));
        let text = inria(&some_splats(1), Format::Text);
        let text = replaced(&text, b"float y", b"double y");
        files.chain([("text.ply", text)]).collect()
    })
}

/// What begins a file that is compressed by gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Within so many bytes a header has its counts, versions and lengths.
const HEADER: usize = 160;

/// Has a changed file of splats read. What is taken must be what readers promise.
pub fn read(random: &mut Rng) -> Result<(), Error> {
    let (name, bytes) = changed(random);
    let outcome = splats::read(Opened::of(&bytes), name, How::default(), &mut |_| Ok(()));
    let checked = outcome?.check();
    checked.expect("what is taken is what readers promise");
    Ok(())
}

/// The name and the bytes of a changed file.
pub fn changed(random: &mut Rng) -> (&'static str, Vec<u8>) {
    let files = files();
    let all: Vec<&[u8]> = files.iter().map(|(_, bytes)| &**bytes).collect();
    let (name, bytes) = &files[random.usize(..files.len())];
    // Now and then another kind's name.
    let name = match random.u32(..16) {
        0 => files[random.usize(..files.len())].0,
        _ => name,
    };
    if bytes.starts_with(&GZIP) && random.u32(..4) > 0 {
        let inside = gunzip(bytes);
        return (name, gzip(&change(random, &inside, &[])));
    }
    (name, change(random, bytes, &all))
}

/// Bytes with changes of a header's numbers, or of anything, in which parts of `others` may come.
fn change(random: &mut Rng, bytes: &[u8], others: &[&[u8]]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let count = random.u32(..3);
    for _ in 0..count {
        let place = random.usize(..HEADER.min(bytes.len()));
        let value = match random.u32(..4) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << random.u32(..64),
            _ => random.u64(..),
        };
        let length = (1 << random.u32(..4)).min(bytes.len() - place);
        bytes[place..place + length].copy_from_slice(&value.to_le_bytes()[..length]);
    }
    if count > 0 && random.bool() {
        return bytes;
    }
    // Mostly parts of the file itself.
    let others = if random.u32(..8) == 0 { others } else { &[] };
    let texts: Vec<&[u8]> = [&[bytes.as_slice()], others].concat();
    mutate::changed(random, &texts)
}
