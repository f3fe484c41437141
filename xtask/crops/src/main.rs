//! `crops LEFT.png RIGHT.png X,Y,WIDTH,HEIGHT OUT.png` shows one part of two pictures of a capture side by side, at
//! twice the size. Text metadata comes from RIGHT.png. `cargo xtask pictures` runs this program.

use std::fs::File;
use std::io::{BufReader, BufWriter};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Width of a picture, and pixels as red, green and blue, from the top row down.
type Pixels = (usize, Vec<[u8; 3]>);

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [left, right, part, out] = &arguments[..] else {
        return Err("usage: crops LEFT.png RIGHT.png X,Y,WIDTH,HEIGHT OUT.png".into());
    };
    let numbers: Vec<usize> = part.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let (left, (right, mut info)) = (read(left)?.0, read(right)?);
    let (width, pixels) = side_by_side([&left, &right], &numbers).ok_or("no such part")?;
    (info.width, info.height) = (width.try_into()?, (pixels.len() / width).try_into()?);
    let mut encoder = png::Encoder::with_info(BufWriter::new(File::create(out)?), info)?;
    encoder.set_deflate_compression(png::DeflateCompression::Level(9));
    encoder.set_filter(png::Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels.as_flattened())?;
    Ok(writer.finish()?)
}

fn read(path: &str) -> Outcome<(Pixels, png::Info<'static>)> {
    let file = File::open(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info()?;
    if reader.output_color_type() != (png::ColorType::Rgb, png::BitDepth::Eight) {
        return Err(format!("{path} is not of 8-bit red, green and blue").into());
    }
    let mut bytes = vec![0; reader.output_buffer_size().ok_or("too large")?];
    let width = reader.next_frame(&mut bytes)?.width.try_into()?;
    Ok(((width, bytes.as_chunks().0.to_vec()), reader.info().clone()))
}

/// The same part of both pictures, side by side at twice the size; `None` if the part is outside either picture.
fn side_by_side(pictures: [&Pixels; 2], part: &[usize]) -> Option<Pixels> {
    let &[x, y, width, height] = part else {
        return None;
    };
    let mut pixels = Vec::new();
    for row in (0..2 * height).map(|row| y + row / 2) {
        for (whole, rows) in pictures {
            let row = rows.chunks_exact(*whole).nth(row)?.get(x..x + width)?;
            pixels.extend(row.iter().flat_map(|pixel| [*pixel; 2]));
        }
    }
    (!pixels.is_empty()).then_some((4 * width, pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_each_pixel_four_times_the_left_picture_beside_the_right() {
        let left = (4, (0..12).map(|number| [number; 3]).collect());
        let right = (5, (100..115).map(|number| [number; 3]).collect());
        let part = |part: [usize; 4]| side_by_side([&left, &right], &part);
        let row = [5, 5, 6, 6, 106, 106, 107, 107];
        let next = [9, 9, 10, 10, 111, 111, 112, 112];
        let expected = [row, row, next, next].concat();
        let expected = (8, expected.iter().map(|number| [*number; 3]).collect());
        assert_eq!(part([1, 1, 2, 2]), Some(expected.clone()));
        // Negative controls: a part shifted by a pixel, and parts that would wrap to the next row or extend below.
        assert!(part([1, 0, 2, 2]).is_some_and(|other| other != expected));
        for beyond in [[3, 1, 2, 2], [1, 2, 2, 2], [1, 1, 0, 2]] {
            assert_eq!(part(beyond), None);
        }
    }
}
