//! Mean colours of images.

/// Returns the mean colour of pixels: red, green, blue and opacity, sRGB. It is the mean of the
/// reflected light, weighted by opacity.
pub(super) fn mean_of(raster: &Raster) -> [u8; 4] {
    match &raster.samples {
        Samples::Eight(samples) => mean(samples, raster.channels),
        Samples::Sixteen(samples) => mean(samples, raster.channels),
    }
}

fn mean<T: Sample>(samples: &[T], channels: usize) -> [u8; 4] {
    // a table, because a power takes longer than the rest of a pixel
    let linear: Vec<f64> = (0..=255).map(|level| decoded(f64::from(level) / 255.0)).collect();
    let value = |sample: T| f64::from(sample.fraction());
    let light = |sample: T| linear[(255.0 * value(sample)).round() as usize];
    let (mut sum, mut weight, mut count) = ([0.0; 3], 0.0, 0.0);
    for pixel in samples.chunks_exact(channels) {
        let opacity = if channels.is_multiple_of(2) { value(pixel[channels - 1]) } else { 1.0 };
        let color = if channels < 3 { [pixel[0]; 3] } else { [pixel[0], pixel[1], pixel[2]] };
        for (sum, part) in sum.iter_mut().zip(color) {
            *sum += opacity * light(part);
        }
        (weight, count) = (weight + opacity, count + 1.0);
    }
    let level = |part: f64| (part * 255.0).round() as u8;
    let [red, green, blue] = sum.map(|sum| level(encoded(sum / f64::max(weight, 1e-9))));
    [red, green, blue, level(weight / f64::max(count, 1.0))]
}

/// Returns the light that a value of sRGB stands for, both from 0 to 1 (IEC 61966-2-1).
fn decoded(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
}

/// Returns the value of sRGB for light, both from 0 to 1 (IEC 61966-2-1).
pub(crate) fn encoded(light: f64) -> f64 {
    if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * libm::pow(light, 1.0 / 2.4) - 0.055 }
}

/// Samples of all pixels row by row from the top left, channel by channel within a pixel.
pub(super) enum Samples {
    /// 8 bits per sample.
    Eight(Vec<u8>),
    /// 16 bits per sample.
    Sixteen(Vec<u16>),
}

/// Decoded pixels.
pub(super) struct Raster {
    /// Samples per pixel: 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA.
    pub channels: usize,
    pub samples: Samples,
}

/// Luminance of linear sRGB (ITU-R BT.709): weights of red, green and blue.
const LUMINANCE: [f32; 3] = [0.2126, 0.7152, 0.0722];

impl Raster {
    /// Weights colours by their luminance and drops transparency.
    pub(super) fn into_grey(self) -> Levels {
        let Self { channels, samples } = self;
        match samples {
            Samples::Eight(samples) => Levels::Eight(grey(samples, channels, |level| {
                (level * f32::from(u8::MAX)).round() as u8
            })),
            Samples::Sixteen(samples) => Levels::Sixteen(grey(samples, channels, |level| {
                (level * f32::from(u16::MAX)).round() as u16
            })),
        }
    }

    /// Returns whether each pixel is transparent in part or in whole; `None` for pixels without opacity.
    pub(super) fn transparent(&self) -> Option<Vec<bool>> {
        if !matches!(self.channels, 2 | 4) {
            return None;
        }
        Some(match &self.samples {
            Samples::Eight(samples) => transparent(samples, self.channels, u8::MAX),
            Samples::Sixteen(samples) => transparent(samples, self.channels, u16::MAX),
        })
    }

    /// Returns red, green, blue and opacity of each pixel.
    pub(super) fn colors(&self) -> Vec<[u8; 4]> {
        match &self.samples {
            Samples::Eight(samples) => colors(samples, self.channels),
            Samples::Sixteen(samples) => colors(samples, self.channels),
        }
    }
}

fn transparent<T: PartialEq>(samples: &[T], channels: usize, opaque: T) -> Vec<bool> {
    let pixels = samples.chunks_exact(channels);
    pixels.map(|pixel| pixel.last().is_some_and(|opacity| *opacity != opaque)).collect()
}

fn colors<T: Sample>(samples: &[T], channels: usize) -> Vec<[u8; 4]> {
    let level = |sample: T| (sample.fraction() * f32::from(u8::MAX)).round() as u8;
    let pixels = samples.chunks_exact(channels).map(|pixel| match *pixel {
        [grey] => [level(grey), level(grey), level(grey), u8::MAX],
        [grey, opacity] => [level(grey), level(grey), level(grey), level(opacity)],
        [red, green, blue] => [level(red), level(green), level(blue), u8::MAX],
        _ => [0, 1, 2, 3].map(|part| level(pixel[part])),
    });
    pixels.collect()
}

trait Sample: Copy {
    /// The level as a fraction of white.
    fn fraction(self) -> f32;
}

impl Sample for u8 {
    fn fraction(self) -> f32 {
        f32::from(self) * (1.0 / f32::from(u8::MAX))
    }
}

impl Sample for u16 {
    fn fraction(self) -> f32 {
        f32::from(self) * (1.0 / f32::from(u16::MAX))
    }
}

fn grey<T: Sample>(samples: Vec<T>, channels: usize, from_fraction: impl Fn(f32) -> T) -> Vec<T> {
    match channels {
        1 => samples,
        2 => samples.chunks_exact(2).map(|pixel| pixel[0]).collect(),
        _ => {
            let luminance = |pixel: &[T]| {
                let weighted = |channel: usize| LUMINANCE[channel] * pixel[channel].fraction();
                weighted(0) + weighted(1) + weighted(2)
            };
            samples.chunks_exact(channels).map(|pixel| from_fraction(luminance(pixel))).collect()
        }
    }
}

/// Grey levels, row by row from the top left.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Levels {
    /// 8 bits: 0 is black, 255 is white.
    Eight(Vec<u8>),
    /// 16 bits: 0 is black, 65535 is white.
    Sixteen(Vec<u16>),
}

#[cfg(test)]
mod tests {
    use super::super::decode_color;
    use super::super::tests::encoded as png;
    use ::png::{BitDepth, ColorType};

    fn mean_of(color: ColorType, samples: &[u8]) -> [u8; 4] {
        let bytes = png(2, 1, color, BitDepth::Eight, samples);
        decode_color(&bytes, &mut 2).unwrap().mean()
    }

    #[test]
    fn the_mean_is_that_of_light() {
        // half of the light of white is 188 in sRGB
        assert_eq!(mean_of(ColorType::Grayscale, &[0, 255]), [188, 188, 188, 255]);
        assert_eq!(mean_of(ColorType::Rgb, &[10, 20, 30, 10, 20, 30]), [10, 20, 30, 255]);
    }

    #[test]
    fn transparent_pixels_do_not_count() {
        assert_eq!(mean_of(ColorType::Rgba, &[9, 8, 7, 255, 99, 99, 99, 0]), [9, 8, 7, 128]);
        assert_eq!(mean_of(ColorType::GrayscaleAlpha, &[7, 0, 9, 0]), [0, 0, 0, 0]);
    }

    #[test]
    fn other_bytes_and_too_many_pixels_are_errors() {
        assert!(decode_color(b"no image", &mut 9).is_err());
        let bytes = png(2, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 0]);
        let mut budget = 3;
        assert!(decode_color(&bytes, &mut budget).is_ok());
        assert!(decode_color(&bytes, &mut budget).is_err(), "one pixel is left");
    }
}
