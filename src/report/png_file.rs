//! PNG files: sRGB pixels with text metadata. Produces bytes, and [`crate::output`] writes files. On the same machine,
//! equal pictures and texts give equal bytes.

use std::collections::HashSet;

use super::canvas::Canvas;
use crate::error::{Error, Result};

/// Encodes a canvas as an 8-bit RGB PNG marked as sRGB, with the (keyword, text) pairs in order. ASCII text becomes
/// `tEXt`, other text `iTXt`.
pub fn encode_png(canvas: &Canvas, texts: &[(String, String)]) -> Result<Vec<u8>> {
    encode_at(LEVEL, canvas, texts)
}

/// Like [`encode_png`], for a picture that is made once and read often. The file is a few per cent smaller, but takes
/// seconds.
pub fn encode_png_small(canvas: &Canvas, texts: &[(String, String)]) -> Result<Vec<u8>> {
    encode_at(HIGHEST_LEVEL, canvas, texts)
}

fn encode_at(level: u8, canvas: &Canvas, texts: &[(String, String)]) -> Result<Vec<u8>> {
    let [width, height] = canvas.size();
    encode(level, canvas, texts).map_err(|reason| {
        let what = format!("a picture of {width}x{height} pixels");
        Error::failed(format!("{what} cannot be encoded as PNG: {reason}"))
    })
}

/// Compression level. The next level takes 1.3 times as long and saves 1 %. The usual level 6 takes three times as long
/// and saves 3 %.
const LEVEL: u8 = 4;
const HIGHEST_LEVEL: u8 = 9;
/// A picture with at most this many colours counts as a drawing. Rows of a drawing compress best unfiltered.
const FEW_COLOURS: usize = 1024;

/// The filter that usually gives the smaller file. Drawings are half as large without a filter.
fn filter(canvas: &Canvas) -> png::Filter {
    let mut colours = HashSet::new();
    let has_many = canvas.pixels().iter().any(|colour| {
        colours.insert(colour);
        colours.len() > FEW_COLOURS
    });
    match has_many {
        true => png::Filter::Adaptive,
        false => png::Filter::NoFilter,
    }
}

fn encode(
    level: u8,
    canvas: &Canvas,
    texts: &[(String, String)],
) -> Result<Vec<u8>, png::EncodingError> {
    let [width, height] = canvas.size();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_deflate_compression(png::DeflateCompression::Level(level));
    encoder.set_filter(filter(canvas));
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    for (keyword, text) in texts {
        // PNG forbids NUL in a text.
        let (keyword, text) = (keyword.clone(), text.replace('\0', ""));
        if text.is_ascii() {
            encoder.add_text_chunk(keyword, text)?;
        } else {
            encoder.add_itxt_chunk(keyword, text)?;
        }
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(canvas.pixels().as_flattened())?;
    writer.finish()?;
    Ok(bytes)
}

/// Decodes a picture written by [`encode_png`]. Any other file is an error.
pub fn decode_png(bytes: &[u8]) -> Result<Canvas> {
    let what = "not a PNG of 8-bit red, green and blue";
    let failed = |why: png::DecodingError| Error::failed(format!("{what}: {why}"));
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let mut reader = decoder.read_info().map_err(failed)?;
    let kind = reader.output_color_type();
    let length = reader.output_buffer_size();
    let (Some(length), (png::ColorType::Rgb, png::BitDepth::Eight)) = (length, kind) else {
        return Err(Error::failed(what));
    };
    let mut pixels = vec![0; length];
    let size = reader.next_frame(&mut pixels).map_err(failed)?;
    let pixels = pixels.as_chunks::<3>().0.to_vec();
    Canvas::from_pixels([size.width, size.height], pixels).ok_or_else(|| Error::failed(what))
}

#[cfg(test)]
mod tests {
    use super::*;

    type TestResult = Result<(), Box<dyn std::error::Error>>;

    fn canvas() -> Canvas {
        let mut canvas = Canvas::filled([33, 7], [10, 20, 30]);
        canvas.fill([3, 2], [9, 3], [200, 100, 5]);
        canvas
    }

    fn texts(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let own = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
        pairs.iter().map(own).collect()
    }

    #[test]
    fn pixels_texts_and_colour_space_come_back() -> TestResult {
        let texts = texts(&[("settings", "{\"seed\":1}"), ("scene", "Tempel für λ")]);
        let bytes = encode_png(&canvas(), &texts)?;
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info()?;
        let mut pixels = vec![0; reader.output_buffer_size().ok_or("size")?];
        reader.next_frame(&mut pixels)?;
        assert_eq!(pixels, canvas().pixels().as_flattened());
        let info = reader.info();
        assert_eq!(info.size(), (33, 7));
        assert_eq!(info.srgb, Some(png::SrgbRenderingIntent::Perceptual));
        let [text] = &info.uncompressed_latin1_text[..] else {
            return Err("one tEXt chunk".into());
        };
        assert_eq!((&text.keyword, &text.text), (&texts[0].0, &texts[0].1));
        let [text] = &info.utf8_text[..] else {
            return Err("one iTXt chunk".into());
        };
        let found = (text.keyword.clone(), text.get_text()?);
        assert_eq!(found, texts[1]);
        Ok(())
    }

    #[test]
    fn an_empty_picture_is_an_error_and_no_text_has_a_nul() -> TestResult {
        let empty = Canvas::filled([0, 4], [0; 3]);
        let error = encode_png(&empty, &[]).expect_err("no pixels");
        assert!(error.message.contains("0x4 pixels cannot be encoded"));
        let bytes = encode_png(&canvas(), &texts(&[("seed", "1\u{0}2")]))?;
        assert!(bytes.windows(7).any(|part| part == b"seed\x0012"));
        Ok(())
    }
}
