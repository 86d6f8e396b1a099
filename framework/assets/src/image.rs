//! Images: grey levels, colours and mean colours.
//!
//! PNG, JPEG and Netpbm are always supported; TIFF, GIF, BMP and TGA need the feature `images`.

mod jpeg;
mod mean;
#[cfg(feature = "images")]
mod more;
mod png;
mod pnm;

use std::path::Path;

use simhost_scene::ColorImage;

use mean::Raster;

pub use mean::Levels;

#[cfg(feature = "gltf")]
pub(crate) use mean::encoded;

use crate::{AssetError, Limits, Problem, file};

/// Largest size of a decoded image in bytes: the most pixels allowed, in colour, 8 bits per
/// channel.
const MAX_DECODED_BYTES: u64 = 400_000_000;

/// A file format of images.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Format {
    Png,
    Jpeg,
    Pnm,
    Bmp,
    Gif,
    Tga,
    Tiff,
}

impl Format {
    /// Returns the format that the first bytes of a file identify. TGA files have no signature.
    fn of_content(bytes: &[u8]) -> Option<Self> {
        Some(match bytes {
            [0x89, b'P', b'N', b'G', ..] => Self::Png,
            [0xff, 0xd8, 0xff, ..] => Self::Jpeg,
            [b'B', b'M', ..] => Self::Bmp,
            [b'G', b'I', b'F', b'8', ..] => Self::Gif,
            [b'I', b'I', 42, 0, ..] | [b'M', b'M', 0, 42, ..] => Self::Tiff,
            bytes if pnm::is_content(bytes) => Self::Pnm,
            _ => return None,
        })
    }

    /// Returns the format that the extension of a file name stands for.
    fn of_name(path: &Path) -> Option<Self> {
        Some(match file::extension(path).as_str() {
            "png" | "apng" => Self::Png,
            "jpg" | "jpeg" | "jfif" => Self::Jpeg,
            "pnm" | "pbm" | "pgm" | "ppm" | "pam" => Self::Pnm,
            "bmp" => Self::Bmp,
            "gif" => Self::Gif,
            "tga" => Self::Tga,
            "tif" | "tiff" => Self::Tiff,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Pnm => "PNM",
            Self::Bmp => "BMP",
            Self::Gif => "GIF",
            Self::Tga => "TGA",
            Self::Tiff => "TIFF",
        }
    }

    /// Returns the width and height in pixels, from the header of the file.
    fn size(self, bytes: &[u8]) -> Result<[u32; 2], Problem> {
        match self {
            Self::Png => png::size(bytes),
            Self::Jpeg => jpeg::size(bytes),
            Self::Pnm => pnm::size(bytes),
            #[cfg(feature = "images")]
            other => more::size(bytes, other),
            #[cfg(not(feature = "images"))]
            other => Err(Problem::not_built_in(other.name(), "images")),
        }
    }

    fn decode(self, bytes: &[u8]) -> Result<Raster, Problem> {
        match self {
            Self::Png => png::decode(bytes),
            Self::Jpeg => jpeg::decode(bytes),
            Self::Pnm => pnm::decode(bytes),
            #[cfg(feature = "images")]
            other => more::decode(bytes, other),
            #[cfg(not(feature = "images"))]
            other => Err(Problem::not_built_in(other.name(), "images")),
        }
    }
}

/// A grey image. Colours are converted by their luminance, whatever their opacity.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct GreyImage {
    width: usize,
    height: usize,
    levels: Levels,
    /// Whether each pixel is transparent, if pixels have an opacity.
    transparent: Option<Vec<bool>>,
}

impl GreyImage {
    /// Returns the width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns the grey levels of all pixels.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }

    /// Returns the level of white.
    pub fn white(&self) -> u16 {
        match self.levels {
            Levels::Eight(_) => u16::from(u8::MAX),
            Levels::Sixteen(_) => u16::MAX,
        }
    }

    /// Returns whether a pixel is transparent in part or in whole. `index` counts row by row from the top left.
    pub fn is_transparent(&self, index: usize) -> bool {
        self.transparent.as_ref().is_some_and(|transparent| transparent[index])
    }

    /// Returns the level of a pixel. `index` counts row by row from the top left.
    pub fn level(&self, index: usize) -> u16 {
        match &self.levels {
            Levels::Eight(levels) => u16::from(levels[index]),
            Levels::Sixteen(levels) => levels[index],
        }
    }
}

/// Reads an image. The content determines the format, or the extension if the content has no
/// signature.
///
/// # Errors
/// The file cannot be read, is not valid or exceeds the limits.
pub fn read(path: &Path, limits: &Limits) -> Result<GreyImage, AssetError> {
    let read = || {
        let bytes = file::read(path, limits)?;
        decode(&bytes, Format::of_name(path), limits)
    };
    read().map_err(|problem: Problem| problem.at(path))
}

/// Reads an image in colour, as [`read`] does.
///
/// # Errors
/// As for [`read`].
pub fn read_color(path: &Path, limits: &Limits) -> Result<ColorImage, AssetError> {
    let read = || {
        let bytes = file::read(path, limits)?;
        let format = format(&bytes, Format::of_name(path))?;
        let size = bounded_size(&bytes, format, limits)?;
        color_image(&bytes, format, size)
    };
    read().map_err(|problem: Problem| problem.at(path))
}

/// Decodes an image in colour. `budget` is the number of pixels that may still be decoded.
///
/// # Errors
/// The image is not valid or exceeds the budget.
pub(crate) fn decode_color(bytes: &[u8], budget: &mut u64) -> Result<ColorImage, Problem> {
    let format = format(bytes, None)?;
    let limits = Limits { max_pixels: *budget, ..Limits::default() };
    let size = bounded_size(bytes, format, &limits)?;
    *budget -= size[0] as u64 * size[1] as u64;
    color_image(bytes, format, size)
}

fn color_image(bytes: &[u8], format: Format, size: [usize; 2]) -> Result<ColorImage, Problem> {
    let raster = format.decode(bytes)?;
    let pixels = raster.colors();
    if pixels.len() != size[0] * size[1] {
        let [width, height] = size;
        let detail = format!("expected {width} × {height} pixels, found {}", pixels.len());
        return Err(Problem::syntax(format.name(), detail));
    }
    Ok(ColorImage::new(size, pixels, mean::mean_of(&raster)))
}

/// Decodes an image from memory. TGA images have no signature and cannot be decoded this way.
///
/// # Errors
/// The image is not valid or exceeds the limits.
pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<GreyImage, Problem> {
    decode(bytes, None, limits)
}

/// Returns the width and height of an image in pixels without decoding it.
///
/// # Errors
/// The file cannot be read, is not valid or exceeds the limits.
pub fn read_size(path: &Path, limits: &Limits) -> Result<[usize; 2], AssetError> {
    let read = || {
        let bytes = file::read(path, limits)?;
        bounded_size(&bytes, format(&bytes, Format::of_name(path))?, limits)
    };
    read().map_err(|problem: Problem| problem.at(path))
}

fn decode(bytes: &[u8], by_name: Option<Format>, limits: &Limits) -> Result<GreyImage, Problem> {
    let format = format(bytes, by_name)?;
    let [width, height] = bounded_size(bytes, format, limits)?;
    let raster = format.decode(bytes)?;
    let transparent = raster.transparent();
    let levels = raster.into_grey();
    let count = match &levels {
        Levels::Eight(levels) => levels.len(),
        Levels::Sixteen(levels) => levels.len(),
    };
    if count != width * height {
        let detail = format!("expected {width} × {height} pixels, found {count}");
        return Err(Problem::syntax(format.name(), detail));
    }
    Ok(GreyImage { width, height, levels, transparent })
}

/// Returns the width and height once they are known to be within the limits.
fn bounded_size(bytes: &[u8], format: Format, limits: &Limits) -> Result<[usize; 2], Problem> {
    let [width, height] = format.size(bytes)?;
    let pixels = u64::from(width) * u64::from(height);
    limits.bound_pixels("pixels", pixels)?;
    if pixels == 0 {
        return Err(Problem::syntax(format.name(), "expected at least one pixel"));
    }
    Ok([width as usize, height as usize])
}

fn format(bytes: &[u8], by_name: Option<Format>) -> Result<Format, Problem> {
    Format::of_content(bytes).or(by_name).ok_or_else(|| Problem::Unsupported {
        detail: "unknown image format".to_owned(),
        remedy: "expected PNG, JPEG, PNM, BMP, GIF, TGA or TIFF",
    })
}

fn too_large_when_decoded() -> Problem {
    Problem::TooMuch {
        what: "bytes of the decoded image (at least)",
        count: MAX_DECODED_BYTES + 1,
        limit: MAX_DECODED_BYTES,
        flag: None,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use ::png::{BitDepth, ColorType, Encoder};

    use super::*;

    /// Returns a PNG of 8-bit grey levels.
    pub(crate) fn png(width: u32, height: u32, levels: &[u8]) -> Vec<u8> {
        encoded(width, height, ColorType::Grayscale, BitDepth::Eight, levels)
    }

    pub(crate) fn encoded(
        width: u32,
        height: u32,
        color: ColorType,
        depth: BitDepth,
        samples: &[u8],
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(samples).unwrap();
        bytes
    }

    #[test]
    fn eight_and_sixteen_bits() {
        let grey = from_bytes(&png(3, 1, &[0, 128, 255]), &Limits::default()).unwrap();
        assert_eq!((grey.width(), grey.height(), grey.white()), (3, 1, 255));
        assert_eq!(grey.levels(), &Levels::Eight(vec![0, 128, 255]));
        let bytes = encoded(1, 2, ColorType::Grayscale, BitDepth::Sixteen, &[0, 7, 255, 255]);
        let grey = from_bytes(&bytes, &Limits::default()).unwrap();
        assert_eq!(grey.levels(), &Levels::Sixteen(vec![7, 65_535]));
    }

    /// Grey, RGB and their transparent variants of one colour have the same grey level.
    #[test]
    fn colours_are_weighted_and_transparency_is_dropped() {
        let level = |color, pixel: &[u8]| {
            let bytes = encoded(1, 1, color, BitDepth::Eight, pixel);
            from_bytes(&bytes, &Limits::default()).unwrap().level(0)
        };
        assert_eq!(level(ColorType::GrayscaleAlpha, &[90, 3]), 90);
        assert_eq!(level(ColorType::Rgb, &[90, 90, 90]), 90);
        assert_eq!(level(ColorType::Rgba, &[90, 90, 90, 7]), 90);
        // 0.2126·255, 0.7152·255 and 0.0722·255
        assert_eq!(level(ColorType::Rgb, &[255, 0, 0]), 54);
        assert_eq!(level(ColorType::Rgb, &[0, 255, 0]), 182);
        assert_eq!(level(ColorType::Rgb, &[0, 0, 255]), 18);
    }

    /// A JPEG of 8 × 8 grey pixels of level 90.
    const JPEG: &[u8] = include_bytes!("image/grey.jpg");

    #[test]
    fn jpeg_images_are_decoded() {
        let grey = from_bytes(JPEG, &Limits::default()).unwrap();
        assert_eq!((grey.width(), grey.height()), (8, 8));
        assert!((89..=91).contains(&grey.level(0)), "{}", grey.level(0));
    }

    #[cfg(feature = "images")]
    #[test]
    fn every_format_of_the_feature_is_decoded() {
        use image::ImageFormat::{Bmp, Gif, Tga, Tiff};
        let folder = tempfile::tempdir().unwrap();
        let rgb =
            image::DynamicImage::ImageRgb8(image::RgbImage::from_pixel(8, 8, image::Rgb([90; 3])));
        for format in [Bmp, Gif, Tga, Tiff] {
            let extension = format.extensions_str()[0];
            let path = folder.path().join(format!("a.{extension}"));
            rgb.save_with_format(&path, format).unwrap();
            let grey = read(&path, &Limits::default()).unwrap();
            assert!((89..=91).contains(&grey.level(0)), "{extension}: {}", grey.level(0));
        }
    }

    #[cfg(not(feature = "images"))]
    #[test]
    fn formats_of_the_feature_name_it() {
        let error = from_bytes(b"BM......", &Limits::default()).unwrap_err().to_string();
        assert!(error.contains("BMP") && error.contains("--features images"), "{error}");
    }

    /// A PNG whose header claims more pixels than it holds.
    #[test]
    fn a_huge_image_is_rejected_before_it_is_decoded() {
        let mut bytes = png(1, 1, &[0]);
        bytes[16..20].copy_from_slice(&60_000u32.to_be_bytes());
        bytes[20..24].copy_from_slice(&60_000u32.to_be_bytes());
        let sum = crc32(&bytes[12..29]);
        bytes[29..33].copy_from_slice(&sum.to_be_bytes());
        let error = from_bytes(&bytes, &Limits::default()).unwrap_err();
        assert!(matches!(error, Problem::TooMuch { count: 3_600_000_000, .. }), "{error}");
    }

    #[test]
    fn truncated_and_unknown_files_are_errors() {
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
