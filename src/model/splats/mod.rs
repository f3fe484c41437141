//! Gaussian splats read from files: dispatch by file format, and the common result. Independent of scenes and the GPU.
//! docs/splats.md lists the formats and their axes.

mod antimatter;
mod arrays;
mod axes;
mod compressed;
mod filter;
mod finish;
mod gltf;
mod harmonics;
mod inria;
mod ksplat;
mod ply;
mod reading;
mod records;
mod sog;
mod spz;

use glam::Quat;

pub use arrays::{HIGHEST_DEGREE, Numbers, Splats, vectors_of};
pub use axes::Axes;
pub use filter::SplatFilter;
pub use reading::How;

use crate::error::Result;
use crate::model::files::{Fault, Opened, bail};
use crate::model::kind::{FileKind, READABLE, RECORD, SplatKind, kind_at_start};
use crate::progress::Listener;
use reading::Reading;

/// Half a turn about x: from the axes of [`Splats`], with y down, to those of scenes, with y up.
pub const UPRIGHT: Quat = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);

/// Reads a splat file of any format; `name` identifies the file in messages. Reading takes less memory than the file's
/// size plus a few MiB, not counting the result. An error from `progress` stops the reading.
pub fn read(file: Opened, name: &str, how: How, progress: Listener) -> Result<Splats> {
    let mut reading = Reading::new(name, how, progress);
    of_kind(file, name, &mut reading).map_err(|fault| fault.of_file(name))
}

fn of_kind(mut file: Opened, name: &str, reading: &mut Reading) -> Result<Splats, Fault> {
    let kind = match kind_at_start(&mut file, name)? {
        FileKind::Splats(kind) => kind,
        FileKind::Model => bail!("it is a model without Gaussian splats"),
        FileKind::Scene => bail!("it is text; {READABLE}"),
        FileKind::Record => bail!("{RECORD}"),
        FileKind::Other(reason) => bail!("{reason}"),
    };
    let start = file.bytes.fill_buf()?;
    let splats = match kind {
        SplatKind::Ply => of_ply(file, reading),
        SplatKind::Spz if start.starts_with(&spz::MAGIC) => spz::read_streams(file, reading),
        SplatKind::Spz => spz::read_gzip(file, reading),
        SplatKind::Antimatter => antimatter::read(file, reading),
        SplatKind::Sog => sog::read_zip(file, reading),
        SplatKind::SogMeta => sog::read_meta(file, reading),
        SplatKind::Ksplat => ksplat::read(file, reading),
        SplatKind::Gltf => gltf::read(file, reading),
    }?;
    finish::finish(splats, kind, reading)
}

/// Reads a PLY file: a compressed one if it has chunks, otherwise one written by training.
fn of_ply(file: Opened, reading: &mut Reading) -> Result<Splats, Fault> {
    let (elements, mut rows, comments) = ply::open(file)?;
    reading.filter = SplatFilter::of_comments(&comments);
    reading.words = comments;
    if elements.iter().any(|element| element.name == "chunk") {
        compressed::read(&elements, &mut rows, reading)
    } else {
        inria::read(&elements, &mut rows, reading)
    }
}
