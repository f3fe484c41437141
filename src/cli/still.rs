//! `wavelerp still`: a picture of the window without opening it.

use std::path::PathBuf;

use clap::ArgMatches;

use super::common::Common;
use super::output::{check_file, command_line, write_file};
use super::run::of_window;
use crate::error::{Error, Result};
use crate::gpu::shader::provenance::COMMIT;
use crate::model::settings::{SceneArgs, parse_size};
use crate::report::png_file::encode_png_small;
use crate::viewer::start::WindowFlags;
use crate::viewer::still::{Still, still};

const SCALES: std::ops::RangeInclusive<f32> = 0.5..=4.0;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  wavelerp still --out window.png
  wavelerp still --arrangement profile --window-size 1920x1080 --measure --out profile.png
  wavelerp still --window-size 2560x1440 --scale 2 --light --out window.png

Draws frames off screen as the window does, and writes the last one. No display is needed.")]
pub struct StillArgs {
    #[command(flatten)]
    scene: SceneArgs,
    #[command(flatten)]
    flags: WindowFlags,
    /// The PNG file to write
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    out: PathBuf,
    /// Size of the window in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = parse_size, default_value = "1280x720", help_heading = "Picture")]
    window_size: [u32; 2],
    /// Pixels per point, 0.5 to 4: 2 for a HiDPI display
    #[arg(
        long,
        value_name = "FACTOR",
        default_value_t = 1.0,
        help_heading = "Picture"
    )]
    scale: f32,
    /// Measure all methods first, as the key M does
    #[arg(long, help_heading = "Picture")]
    measure: bool,
    /// Use the light theme
    #[arg(long, help_heading = "Picture")]
    light: bool,
}

pub(super) fn run(args: &StillArgs, common: &Common, given: Option<&ArgMatches>) -> Result<()> {
    let request = common.read(&of_window(&args.scene, given))?;
    let noted: Vec<_> = request.scene.noted().collect();
    if !SCALES.contains(&args.scale) {
        let (least, most, scale) = (SCALES.start(), SCALES.end(), args.scale);
        let message = format!("--scale {scale}: must be {least} to {most}");
        return Err(Error::usage(message));
    }
    check_file("--out", &args.out)?;
    let canvas = still(Still {
        start: args.flags.start(request, common)?,
        size: args.window_size,
        scale: args.scale,
        measure: args.measure,
        is_light: args.light,
    })?;
    let texts = [
        ("Software", concat!("wavelerp ", env!("CARGO_PKG_VERSION"))),
        ("commit", COMMIT),
        ("command", &command_line()),
    ];
    let mut texts = texts
        .map(|(key, text)| (key.to_owned(), text.to_owned()))
        .to_vec();
    texts.extend(noted);
    let bytes = encode_png_small(&canvas, &texts)?;
    write_file("--out", &args.out, &bytes)?;
    common.progress(format!("wrote {}", args.out.display()));
    Ok(())
}
