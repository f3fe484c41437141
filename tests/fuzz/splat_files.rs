//! Files of splats for the fuzzer: those of tests/data/splats with changes, also below their compression, so that
//! more than the check sums is met.

use std::io::{Read as _, Write as _};

use fastrand::Rng;
use wavelerp::error::Error;
use wavelerp::model::files::Opened;
use wavelerp::model::splats;
use wavelerp::model::splats::How;

use super::mutate;

/// One of every kind, degree and version, with the name that it is read by.
const FILES: [(&str, &[u8]); 16] = [
    ("my.ply", include_bytes!("../data/splats/inria-0.ply")),
    ("my.ply", include_bytes!("../data/splats/inria-3.ply")),
    ("my.ply", TEXT),
    (
        "my.ply",
        include_bytes!("../data/splats/packed-0.compressed.ply"),
    ),
    (
        "my.ply",
        include_bytes!("../data/splats/packed-2.compressed.ply"),
    ),
    ("my.splat", include_bytes!("../data/splats/bytes.splat")),
    ("my.spz", include_bytes!("../data/splats/v2-1.spz")),
    ("my.spz", include_bytes!("../data/splats/v3-3.spz")),
    ("my.spz", include_bytes!("../data/splats/v4-0.spz")),
    ("my.spz", include_bytes!("../data/splats/v4-2.spz")),
    ("my.sog", include_bytes!("../data/splats/sog-1.sog")),
    ("my.sog", include_bytes!("../data/splats/sog-3.sog")),
    ("my.ksplat", include_bytes!("../data/splats/k0-2.ksplat")),
    ("my.ksplat", include_bytes!("../data/splats/k2-2.ksplat")),
    ("my.glb", include_bytes!("../data/splats/gltf-1.glb")),
    ("my.glb", include_bytes!("../data/splats/gltf-3.glb")),
];
const TEXT: &[u8] = b"ply
format ascii 1.0
element vertex 2
property float x
property double y
property float z
property float f_dc_0
property float f_dc_1
property float f_dc_2
property float opacity
property float scale_0
property float scale_1
property float scale_2
property float rot_0
property float rot_1
property float rot_2
property float rot_3
property uchar flags
end_header
1 2 3 0.1 0.2 0.3 -1 -4 -5 -6 1 0 0 0 7
4 5 6 0.1 0.2 0.3 2.5 -4 -5e0 -6 0.5 0.5 0.1 -1 9
";
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
    let all = FILES.map(|(_, bytes)| bytes);
    let (name, bytes) = FILES[random.usize(..FILES.len())];
    // Now and then another kind's name.
    let name = match random.u32(..16) {
        0 => FILES[random.usize(..FILES.len())].0,
        _ => name,
    };
    if bytes.starts_with(&GZIP) && random.u32(..4) > 0 {
        let mut inside = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(bytes);
        decoder.read_to_end(&mut inside).expect("a good file");
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

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}
