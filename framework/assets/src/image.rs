//! Grey levels of pictures.

use std::io::Cursor;
use std::path::Path;

use image::{DynamicImage, ImageError, ImageFormat as Format, ImageReader};

use crate::{AssetError, Limits, Problem, file};

/// What decoding may take, bytes: the most pixels in colour, eight bits a channel.
const MAX_DECODED_BYTES: u64 = 400_000_000;

/// Levels row by row, from the top left.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Levels {
    /// 0 black to 255 white.
    Eight(Vec<u8>),
    /// 0 black to 65535 white.
    Sixteen(Vec<u16>),
}

/// A picture in grey. Colours are weighted by their brightness, transparency is left out.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GreyImage {
    width: usize,
    height: usize,
    levels: Levels,
}

impl GreyImage {
    /// Pixels along a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All levels.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// The level of white.
    pub fn white(&self) -> u16 {
        match self.levels {
            Levels::Eight(_) => u16::from(u8::MAX),
            Levels::Sixteen(_) => u16::MAX,
        }
    }

    /// One level; `index` counts row by row from the top left.
    pub(crate) fn level(&self, index: usize) -> u16 {
        match &self.levels {
            Levels::Eight(levels) => u16::from(levels[index]),
            Levels::Sixteen(levels) => levels[index],
        }
    }
}

/// Reads a picture. The format is told by its content, and by its name where content does not tell.
pub fn read(path: &Path, limits: &Limits) -> Result<GreyImage, AssetError> {
    let read = || {
        let bytes = file::read(path, limits)?;
        decode(&bytes, Format::from_path(path).ok(), limits)
    };
    read().map_err(|problem: Problem| problem.at(path))
}

/// The same from bytes. TGA cannot be told by content and is not read this way.
pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<GreyImage, Problem> {
    decode(bytes, None, limits)
}

/// Width and height of a picture, from its head; its pixels are not read.
pub fn read_size(path: &Path, limits: &Limits) -> Result<[usize; 2], AssetError> {
    let read = || {
        let bytes = file::read(path, limits)?;
        size(&bytes, Format::from_path(path).ok(), limits)
    };
    read().map_err(|problem: Problem| problem.at(path))
}

fn decode(bytes: &[u8], by_name: Option<Format>, limits: &Limits) -> Result<GreyImage, Problem> {
    let [width, height] = size(bytes, by_name, limits)?;
    let levels = grey(open(bytes, by_name)?.decode().map_err(defective)?);
    Ok(GreyImage { width, height, levels })
}

fn size(bytes: &[u8], by_name: Option<Format>, limits: &Limits) -> Result<[usize; 2], Problem> {
    let (width, height) = open(bytes, by_name)?.into_dimensions().map_err(defective)?;
    let pixels = u64::from(width) * u64::from(height);
    limits.bound_pixels("pixels", pixels)?;
    if pixels == 0 {
        return Err(Problem::syntax("image", "it has no pixels"));
    }
    Ok([width as usize, height as usize])
}

fn open(bytes: &[u8], by_name: Option<Format>) -> Result<ImageReader<Cursor<&[u8]>>, Problem> {
    let mut reader = ImageReader::new(Cursor::new(bytes));
    match image::guess_format(bytes).ok().or(by_name) {
        Some(format) => reader.set_format(format),
        None => return Err(unknown_format()),
    }
    let mut bounds = image::Limits::default();
    bounds.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(bounds);
    Ok(reader)
}

fn grey(image: DynamicImage) -> Levels {
    use image::ColorType::{L8, La8, Rgb8, Rgba8};
    match image.color() {
        L8 | La8 | Rgb8 | Rgba8 => Levels::Eight(image.into_luma8().into_raw()),
        _ => Levels::Sixteen(image.into_luma16().into_raw()),
    }
}

fn unknown_format() -> Problem {
    Problem::Unsupported {
        detail: "is no picture of a known format".to_owned(),
        remedy: "expected PNG, JPEG, BMP, GIF, PNM, TGA or TIFF",
    }
}

fn defective(error: ImageError) -> Problem {
    match error {
        ImageError::Limits(_) => Problem::TooMuch {
            what: "bytes of the decoded image (at least)",
            count: MAX_DECODED_BYTES + 1,
            limit: MAX_DECODED_BYTES,
            flag: None,
        },
        error => Problem::syntax("image", error),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A PNG of 8-bit grey levels.
    pub(crate) fn png(width: u32, height: u32, levels: &[u8]) -> Vec<u8> {
        let image = image::GrayImage::from_raw(width, height, levels.to_vec()).unwrap();
        let mut bytes = Vec::new();
        image.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
        bytes
    }

    #[test]
    fn eight_and_sixteen_bits() {
        let grey = from_bytes(&png(3, 1, &[0, 128, 255]), &Limits::default()).unwrap();
        assert_eq!((grey.width(), grey.height(), grey.white()), (3, 1, 255));
        assert_eq!(grey.levels(), &Levels::Eight(vec![0, 128, 255]));
        let deep =
            image::ImageBuffer::<image::Luma<u16>, _>::from_raw(1, 2, vec![7, 65_535]).unwrap();
        let mut bytes = Vec::new();
        deep.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
        let grey = from_bytes(&bytes, &Limits::default()).unwrap();
        assert_eq!(grey.levels(), &Levels::Sixteen(vec![7, 65_535]));
    }

    #[test]
    fn every_format_that_is_named() {
        use image::ImageFormat::{Bmp, Gif, Jpeg, Png, Pnm, Tga, Tiff};
        let folder = tempfile::tempdir().unwrap();
        let picture =
            DynamicImage::ImageRgb8(image::RgbImage::from_pixel(8, 8, image::Rgb([90; 3])));
        for format in [Bmp, Gif, Jpeg, Png, Pnm, Tga, Tiff] {
            let extension = format.extensions_str()[0];
            let path = folder.path().join(format!("a.{extension}"));
            picture.save_with_format(&path, format).unwrap();
            let grey = read(&path, &Limits::default()).unwrap();
            assert!((89..=91).contains(&grey.level(0)), "{extension}: {}", grey.level(0));
        }
    }

    /// The head of a PNG alone claims the size.
    #[test]
    fn a_huge_image_is_refused_before_it_is_decoded() {
        let mut bytes = png(1, 1, &[0]);
        bytes[16..20].copy_from_slice(&60_000u32.to_be_bytes());
        bytes[20..24].copy_from_slice(&60_000u32.to_be_bytes());
        let sum = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&sum.to_be_bytes());
        let error = from_bytes(&bytes, &Limits::default()).unwrap_err();
        assert!(matches!(error, Problem::TooMuch { count: 3_600_000_000, .. }), "{error}");
    }

    #[test]
    fn what_is_cut_short_or_unknown_is_told() {
        let levels: Vec<u8> = (0..=255).collect();
        let whole = png(16, 16, &levels);
        for length in [10, 40, whole.len() / 2, whole.len() - 20] {
            let error = from_bytes(&whole[..length], &Limits::default()).unwrap_err();
            assert!(matches!(error, Problem::Syntax { .. }), "{length}: {error}");
        }
        let error = from_bytes(b"hello", &Limits::default()).unwrap_err();
        assert!(matches!(error, Problem::Unsupported { .. }), "{error}");
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(u32::MAX, |sum, byte| {
            (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
                (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg())
            })
        })
    }
}
