//! PNG images, through the `png` crate.

use std::io::Cursor;

use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Reader, Transformations};

use super::mean::{Raster, Samples};
use super::{MAX_DECODED_BYTES, too_large_when_decoded};
use crate::Problem;

/// Returns the width and height in pixels.
pub(super) fn size(bytes: &[u8]) -> Result<[u32; 2], Problem> {
    let mut decoder = Decoder::new(Cursor::new(bytes));
    let info = decoder.read_header_info().map_err(defective)?;
    Ok([info.width, info.height])
}

/// Decodes all pixels. Palettes and depths below 8 bits are expanded.
pub(super) fn decode(bytes: &[u8]) -> Result<Raster, Problem> {
    let mut reader = reader(bytes)?;
    let (color, depth) = reader.output_color_type();
    let length = reader.output_buffer_size().filter(|size| *size as u64 <= MAX_DECODED_BYTES);
    let mut samples = vec![0; length.ok_or_else(too_large_when_decoded)?];
    reader.next_frame(&mut samples).map_err(defective)?;
    let channels = match color {
        ColorType::Grayscale | ColorType::Indexed => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
    };
    let samples = match depth {
        BitDepth::Sixteen => Samples::Sixteen(big_endian(&samples)),
        _ => Samples::Eight(samples),
    };
    Ok(Raster { channels, samples })
}

fn reader(bytes: &[u8]) -> Result<Reader<Cursor<&[u8]>>, Problem> {
    let limits = Limits { bytes: MAX_DECODED_BYTES as usize };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND);
    decoder.read_info().map_err(defective)
}

fn big_endian(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
}

fn defective(error: DecodingError) -> Problem {
    match error {
        DecodingError::LimitsExceeded => too_large_when_decoded(),
        error => Problem::syntax("PNG", error),
    }
}
