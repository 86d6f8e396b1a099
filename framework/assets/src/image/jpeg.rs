//! JPEG images, through the `zune-jpeg` crate.

use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;

use super::mean::{Raster, Samples};
use crate::Problem;

/// Returns the width and height in pixels.
pub(super) fn size(bytes: &[u8]) -> Result<[u32; 2], Problem> {
    let decoder = decoder(bytes)?;
    let (width, height) = decoder
        .dimensions()
        .ok_or_else(|| Problem::syntax("JPEG", "expected a size in the header"))?;
    let bounded = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
    Ok([bounded(width), bounded(height)])
}

/// Decodes all pixels.
pub(super) fn decode(bytes: &[u8]) -> Result<Raster, Problem> {
    let mut decoder = decoder(bytes)?;
    let (color, channels) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (ColorSpace::Luma, 1),
        _ => (ColorSpace::RGB, 3),
    };
    decoder.set_options(options().jpeg_set_out_colorspace(color));
    let samples = decoder.decode().map_err(defective)?;
    Ok(Raster { channels, samples: Samples::Eight(samples) })
}

fn decoder(bytes: &[u8]) -> Result<JpegDecoder<ZCursor<&[u8]>>, Problem> {
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options());
    decoder.decode_headers().map_err(defective)?;
    Ok(decoder)
}

/// The caller bounds the size before it decodes.
fn options() -> DecoderOptions {
    DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX)
}

fn defective(error: DecodeErrors) -> Problem {
    Problem::syntax("JPEG", error)
}
