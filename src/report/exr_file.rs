//! Encodes float composites as OpenEXR, bit-exact, and decodes them. [`crate::output`] writes the files. Equal pictures
//! and comments give equal bytes.

use std::io::Cursor;

use super::Picture;
use crate::error::{Error, Result};
use exr::prelude::{
    Compression, Encoding, Image, Layer, LayerAttributes, LineOrder, ReadChannels, ReadLayers,
    ReadSpecificChannel, SpecificChannels, Text, Vec2, WritableImage, read,
};

/// Encodes a composite as a lossless OpenEXR file of 32-bit floats. Its channels are `R`, `G`, `B` (linear,
/// premultiplied) and `T`, the transmittance. A channel `A` would be read as coverage, which is `1 - T`. `comment`
/// (such as the settings) becomes the file's `comments` attribute.
pub fn encode_exr(picture: &Picture, comment: &str) -> Result<Vec<u8>> {
    picture.check()?;
    let [width, height] = picture.size;
    encode(picture, comment).map_err(|reason| {
        let what = format!("a picture of {width}x{height} pixels");
        Error::failed(format!("{what} cannot be encoded as OpenEXR: {reason}"))
    })
}

fn encode(picture: &Picture, comment: &str) -> Result<Vec<u8>, exr::error::Error> {
    let size = Vec2(picture.size[0] as usize, picture.size[1] as usize);
    if size.area() == 0 {
        return Err(exr::error::Error::Invalid("a picture needs pixels".into()));
    }
    let channels = SpecificChannels::build()
        .with_channel::<f32>("R")
        .with_channel::<f32>("G")
        .with_channel::<f32>("B")
        .with_channel::<f32>("T")
        .with_pixel_fn(|Vec2(x, y)| {
            let [r, g, b, transmittance] = picture.pixels[y * size.0 + x];
            (r, g, b, transmittance)
        });
    let attributes = LayerAttributes {
        comments: Some(Text::from(comment)),
        ..LayerAttributes::default()
    };
    let encoding = Encoding {
        compression: Compression::ZIP16,
        blocks: exr::prelude::Blocks::ScanLines,
        line_order: LineOrder::Increasing,
    };
    let image = Image::from_layer(Layer::new(size, attributes, encoding, channels));
    let mut bytes = Vec::new();
    let write = image.write().non_parallel();
    write.to_buffered(Cursor::new(&mut bytes))?;
    Ok(bytes)
}

/// Decodes a composite written by [`encode_exr`]. Any other file is an error.
pub fn decode_exr(bytes: &[u8]) -> Result<Picture> {
    let image = read()
        .no_deep_data()
        .largest_resolution_level()
        .specific_channels()
        .required::<f32>("R")
        .required::<f32>("G")
        .required::<f32>("B")
        .required::<f32>("T")
        .collect_pixels(
            |size, _| (size.0, vec![[0.0_f32; 4]; size.area()]),
            |(width, pixels), at, (r, g, b, t)| pixels[at.1 * *width + at.0] = [r, g, b, t],
        )
        .first_valid_layer()
        .all_attributes()
        .non_parallel()
        .from_buffered(Cursor::new(bytes))
        .map_err(|why| {
            let what = "not an OpenEXR picture with the channels R, G, B and T";
            Error::failed(format!("{what}: {why}"))
        })?;
    let Vec2(width, height) = image.layer_data.size;
    let (_, pixels) = image.layer_data.channel_data.pixels;
    Picture::new([width as u32, height as u32], pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    type TestResult = Result<(), Box<dyn std::error::Error>>;

    fn picture() -> Picture {
        let value = |index: usize| index as f32 * 0.1 - 1e-7;
        let pixel = |index| [value(index), -value(index), 1e30, f32::from_bits(1)];
        let mut pixels: Vec<[f32; 4]> = (0..35).map(pixel).collect();
        pixels[3] = [f32::NAN, f32::INFINITY, -0.0, 0.25];
        Picture {
            size: [7, 5],
            pixels,
        }
    }

    fn bits(picture: &Picture) -> Vec<[u32; 4]> {
        assert_eq!(picture.size, [7, 5]);
        let pixels = picture.pixels.iter();
        pixels.map(|pixel| pixel.map(f32::to_bits)).collect()
    }

    #[test]
    fn every_bit_comes_back() -> TestResult {
        let mut picture = picture();
        let bytes = encode_exr(&picture, "seed 1")?;
        let decoded = bits(&decode_exr(&bytes)?);
        assert_eq!(decoded, bits(&picture));
        picture.pixels[34][3] = f32::from_bits(2);
        assert_ne!(decoded, bits(&picture), "negative control");
        Ok(())
    }

    #[test]
    fn bytes_that_are_no_composite_are_an_error() -> TestResult {
        let bytes = encode_exr(&picture(), "seed 1")?;
        for wrong in [&b"a text"[..], &[], &bytes[..bytes.len() / 2]] {
            let error = decode_exr(wrong).expect_err("no composite");
            assert!(error.message.contains("not an OpenEXR picture"), "{error}");
        }
        Ok(())
    }
}
