//! TIFF, GIF, BMP and TGA images, through the `image` crate.

use std::io::Cursor;

use image::{DynamicImage, ImageError, ImageFormat, ImageReader, Limits};

use super::mean::{Raster, Samples};
use super::{Format, MAX_DECODED_BYTES, too_large_when_decoded};
use crate::Problem;

/// Returns the width and height in pixels.
pub(super) fn size(bytes: &[u8], format: Format) -> Result<[u32; 2], Problem> {
    let (width, height) =
        reader(bytes, format).into_dimensions().map_err(|error| defective(format, error))?;
    Ok([width, height])
}

/// Decodes all pixels.
pub(super) fn decode(bytes: &[u8], format: Format) -> Result<Raster, Problem> {
    let image = reader(bytes, format).decode().map_err(|error| defective(format, error))?;
    Ok(match image {
        DynamicImage::ImageLuma8(image) => eight(1, image.into_raw()),
        DynamicImage::ImageLumaA8(image) => eight(2, image.into_raw()),
        DynamicImage::ImageRgb8(image) => eight(3, image.into_raw()),
        DynamicImage::ImageRgba8(image) => eight(4, image.into_raw()),
        image => {
            let samples = Samples::Sixteen(image.into_rgb16().into_raw());
            Raster { channels: 3, samples }
        }
    })
}

fn eight(channels: usize, samples: Vec<u8>) -> Raster {
    Raster { channels, samples: Samples::Eight(samples) }
}

fn reader(bytes: &[u8], format: Format) -> ImageReader<Cursor<&[u8]>> {
    let format = match format {
        Format::Bmp => ImageFormat::Bmp,
        Format::Gif => ImageFormat::Gif,
        Format::Tga => ImageFormat::Tga,
        _ => ImageFormat::Tiff,
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(limits);
    reader
}

fn defective(format: Format, error: ImageError) -> Problem {
    match error {
        ImageError::Limits(_) => too_large_when_decoded(),
        error => Problem::syntax(format.name(), error),
    }
}
