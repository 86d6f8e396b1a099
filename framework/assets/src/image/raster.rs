//! Decoded pixels in any colour layout, and their grey levels.

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

pub(super) trait Sample: Copy {
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
