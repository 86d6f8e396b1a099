//! PNG files of images, compressed fast and always to the same bytes.

use png::{BitDepth, ColorType, Compression, EncodingError, Filter};
use simhost_streams::image::{ImageForm, ImageKind, byte};

/// Returns the PNG file of an image: `rgb` with 8 bit; depth in mm, classes and entities as 16 bit
/// grey; flow as in KITTI. There is a slice per channel with the values of all pixels.
///
/// # Errors
/// Fails if the image has no pixels or a side is too long for the format.
pub(super) fn bytes(form: &ImageForm, channels: &[&[f64]]) -> Result<Vec<u8>, EncodingError> {
    let (colour, depth) = match form.kind {
        ImageKind::Rgb => (ColorType::Rgb, BitDepth::Eight),
        ImageKind::Depth | ImageKind::Class | ImageKind::Instance => {
            (ColorType::Grayscale, BitDepth::Sixteen)
        }
        ImageKind::Flow => (ColorType::Rgb, BitDepth::Sixteen),
    };
    let pixels = pixels(form, channels);
    let mut file = Vec::new();
    // a side that does not fit makes an image without pixels, which is an error
    let [width, height] =
        [form.width, form.height].map(|side| u32::try_from(side).unwrap_or_default());
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(file)
}

/// Returns the pixels row by row, big endian.
fn pixels(form: &ImageForm, channels: &[&[f64]]) -> Vec<u8> {
    match (form.kind, channels) {
        (ImageKind::Rgb, [red, green, blue]) => {
            let pixels = red.iter().zip(*green).zip(*blue);
            pixels.flat_map(|((r, g), b)| [*r, *g, *b].map(byte)).collect()
        }
        (ImageKind::Depth, [depths]) => wide(depths.iter().map(|depth| millimetres(*depth))),
        (ImageKind::Class | ImageKind::Instance, [numbers]) => {
            wide(numbers.iter().map(|number| form.number(*number)))
        }
        (ImageKind::Flow, [x, y]) => wide(x.iter().zip(*y).flat_map(|(x, y)| kitti_flow([*x, *y]))),
        _ => Vec::new(),
    }
}

fn wide(values: impl Iterator<Item = u16>) -> Vec<u8> {
    values.flat_map(u16::to_be_bytes).collect()
}

/// Returns a depth in mm; 0 for none, and 65 535 for more than 65.535 m.
fn millimetres(depth: f64) -> u16 {
    (1000.0 * depth).round() as u16
}

/// Returns a pixel of optical flow, px, as the development kit of KITTI's flow benchmark (2015) defines it:
/// 64 times the displacement plus 2¹⁵, and 1 if it is known.
fn kitti_flow(flow: [f64; 2]) -> [u16; 3] {
    if !flow.iter().all(|part| part.is_finite()) {
        return [0; 3];
    }
    let [x, y] = flow.map(|part| (64.0 * part + 32_768.0).round() as u16);
    [x, y, 1]
}
