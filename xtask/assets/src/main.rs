//! Makes the generated files in assets/, for `cargo xtask assets`. Same program, same pixels.
//!
//! assets/sprites.png: eight puffs of smoke, 4 x 2 cells of 128 pixels, one channel of density. A puff
//! is a ball of fractal noise seen from the side: density integrated along the view.
//! assets/icon.png: the program's icon, see `icon.rs`.

mod icon;

use std::path::Path;

/// Edge of a cell, pixels.
const CELL: usize = 128;
/// Cells across and down.
const CELLS: [usize; 2] = [4, 2];
/// Steps through the ball.
const STEPS: usize = 24;

/// Width and height of the atlas, pixels.
const SIZE: [u32; 2] = [(CELLS[0] * CELL) as u32, (CELLS[1] * CELL) as u32];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    write("sprites.png", SIZE, png::ColorType::Grayscale, &atlas())?;
    let size = [icon::EDGE; 2];
    write("icon.png", size, png::ColorType::Rgba, &icon::pixels())?;
    Ok(())
}

/// Writes a picture into assets/ and says so.
fn write(
    name: &str,
    [width, height]: [u32; 2],
    colour: png::ColorType,
    bytes: &[u8],
) -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../assets")
        .join(name);
    let file = std::fs::File::create(&path)
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(colour);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(bytes)?;
    println!("assets/{name}");
    Ok(())
}

/// Density of all puffs, row by row.
fn atlas() -> Vec<u8> {
    let [columns, rows] = CELLS;
    let mut pixels = vec![0; columns * rows * CELL * CELL];
    for cell in 0..columns * rows {
        let puff = puff(cell as u32);
        for (y, row) in puff.chunks(CELL).enumerate() {
            let start = (cell / columns * CELL + y) * columns * CELL + cell % columns * CELL;
            pixels[start..start + CELL].copy_from_slice(row);
        }
    }
    pixels
}

/// One puff, brightest at 255, 0 at the rim of its cell.
fn puff(number: u32) -> Vec<u8> {
    let middle = |index: usize| (index as f64 + 0.5) / CELL as f64 * 2.0 - 1.0;
    let columns: Vec<f64> = (0..CELL * CELL)
        .map(|pixel| thickness(number, middle(pixel % CELL), middle(pixel / CELL)))
        .collect();
    let most = columns.iter().copied().fold(0.0, f64::max);
    columns
        .iter()
        .map(|thickness| ((thickness / most).powf(0.8) * 255.0).round() as u8)
        .collect()
}

/// Density along the view through (x, y) of the ball of radius 1.
fn thickness(number: u32, x: f64, y: f64) -> f64 {
    let step = |i: usize| (i as f64 + 0.5) / STEPS as f64 * 2.0 - 1.0;
    (0..STEPS).map(|i| density(number, [x, y, step(i)])).sum()
}

/// A ball whose rim billows, with finer billows inside.
fn density(number: u32, [x, y, z]: [f64; 3]) -> f64 {
    let reach = (x * x + y * y + z * z).sqrt();
    if reach >= 1.0 {
        return 0.0;
    }
    // Each octave is turned once more than the one before, so that no direction stands out.
    let octave = |octave: u32, scale: f64| {
        let turned = (0..=octave + number % 3).fold([x, y, z], |p, _| turn(p));
        let place = turned.map(|part| part * scale + 10.0);
        (2.0 * noise(number * 16 + octave, place) - 1.0).abs()
    };
    let coarse = octave(0, 1.6) + 0.5 * octave(1, 3.4) + 0.25 * octave(2, 7.1);
    let fine = octave(3, 4.3) + 0.5 * octave(4, 9.0) + 0.25 * octave(5, 19.0);
    let rim = ease((1.0 - reach) * 3.0);
    let body = ease((1.12 - reach - 0.62 * coarse) * 2.4);
    rim * body * (1.15 - 0.75 * fine).max(0.05)
}

/// Turns a point about an axis along which no puff is seen, so that octaves do not line up.
fn turn([x, y, z]: [f64; 3]) -> [f64; 3] {
    [
        0.8 * x + 0.6 * y,
        -0.36 * x + 0.48 * y + 0.8 * z,
        0.48 * x - 0.64 * y + 0.6 * z,
    ]
}

/// 0 to 1 with level ends.
fn ease(part: f64) -> f64 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// Smooth value noise, 0 to 1.
fn noise(seed: u32, place: [f64; 3]) -> f64 {
    let cell = place.map(f64::floor);
    let part = [0, 1, 2].map(|axis| place[axis] - cell[axis]);
    let eased = part.map(|t| t * t * t * (t * (6.0 * t - 15.0) + 10.0));
    let corner = |index: u32| {
        let bit = |axis: usize| (index >> axis) & 1;
        let weight: f64 = (0..3)
            .map(|axis| {
                if bit(axis) == 1 {
                    eased[axis]
                } else {
                    1.0 - eased[axis]
                }
            })
            .product();
        let at = [0, 1, 2].map(|axis| cell[axis] as u32 + bit(axis));
        let hash = at
            .into_iter()
            .fold(hash(seed), |hash, part| self::hash(hash ^ part));
        weight * f64::from(hash) / f64::from(u32::MAX)
    };
    (0..8).map(corner).sum()
}

/// The PCG hash.
fn hash(value: u32) -> u32 {
    let state = value.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checked_in_pictures_are_what_the_generator_makes() {
        let sprites: &[u8] = include_bytes!("../../../assets/sprites.png");
        let icon: &[u8] = include_bytes!("../../../assets/icon.png");
        for (file, size, expected) in [
            (sprites, SIZE, atlas()),
            (icon, [icon::EDGE; 2], icon::pixels()),
        ] {
            let decoder = png::Decoder::new(std::io::Cursor::new(file));
            let mut reader = decoder.read_info().expect("a picture");
            let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
            let info = reader.next_frame(&mut pixels).expect("pixels");
            assert_eq!([info.width, info.height], size);
            assert!(pixels == expected, "run `cargo xtask assets`");
        }
    }

    #[test]
    fn every_puff_is_round_off_at_its_rim_and_differs_from_the_others() {
        let puffs: Vec<Vec<u8>> = (0..8).map(puff).collect();
        for (index, puff) in puffs.iter().enumerate() {
            let corner = puff[0];
            let most = puff.iter().max().copied();
            assert_eq!((corner, most), (0, Some(255)), "puff {index}");
            assert!(puffs[..index].iter().all(|other| other != puff));
        }
    }
}
