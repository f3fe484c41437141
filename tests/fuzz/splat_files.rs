//! Splat files for the fuzzer: files of tests/data/splats with changes. Some changes are made before compression, so that
//! checksums match and the decompressed data is read.

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

/// One of every kind, degree and version, by file name.
const FILES: &str = "inria-0.ply inria-3.ply packed-0.compressed.ply packed-2.compressed.ply bytes.splat \
                     v2-1.spz v3-3.spz v4-0.spz v4-2.spz sog-1.sog sog-3.sog k0-2.ksplat k2-2.ksplat \
                     gltf-1.glb gltf-3.glb";

/// Names and bytes of all these files, and of one file as text.
fn files() -> &'static [(&'static str, Vec<u8>)] {
    static FILES_READ: OnceLock<Vec<(&str, Vec<u8>)>> = OnceLock::new();
    FILES_READ.get_or_init(|| {
        let files = FILES.split(' ').map(|name| (name, bytes_of(name)));
        let text = inria(&some_splats(1), Format::Text);
        let text = replaced(&text, b"float y", b"double y");
        files.chain([("text.ply", text)]).collect()
    })
}

/// First bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Reads a changed splat file. An accepted one must satisfy the readers' guarantees.
pub fn read(random: &mut Rng) -> Result<(), Error> {
    let files = files();
    let (name, bytes) = &files[random.usize(..files.len())];
    let (other, others) = &files[random.usize(..files.len())];
    // Sometimes the file gets the name of another kind.
    let name = if random.u32(..16) == 0 { other } else { name };
    let bytes = match random.u32(..4) {
        1.. if bytes.starts_with(&GZIP) => gzip(&mutate::changed(random, &[&gunzip(bytes)])),
        0 => mutate::changed(random, &[bytes, others]),
        _ => mutate::changed(random, &[bytes]),
    };
    let outcome = splats::read(Opened::of(&bytes), name, How::default(), &mut |_| Ok(()));
    let checked = outcome?.check();
    checked.expect("accepted splats satisfy the readers' guarantees");
    Ok(())
}
