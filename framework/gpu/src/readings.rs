//! Results of scans on the CPU.

use crate::scene::Output;

/// Surface that a ray of [`Output::Hits`] meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Return {
    /// Distance in m along the ray.
    pub range: f32,
    /// Cosine of the angle between the ray and the normal of the surface, 0 to 1.
    pub cosine: f32,
    /// Number of the instance.
    pub instance: u32,
    /// Index of the triangle in its mesh.
    pub triangle: u32,
}

/// A pixel of [`Output::Image`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pixel {
    /// Distance in m along the ray, infinite for the sky.
    pub range: f32,
    /// Red, green and blue.
    pub colour: [u8; 3],
}

/// Results of all sensors of a submission.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    pub(crate) output: Output,
    pub(crate) words: Vec<u32>,
    /// First ray of each sensor, and the number of rays.
    pub(crate) starts: Vec<usize>,
}

impl Readings {
    /// Returns the number of sensors.
    pub fn sensors(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn words_of(&self, sensor: usize, output: Output) -> &[u32] {
        if output != self.output || sensor >= self.sensors() {
            return &[];
        }
        let words = output.words();
        &self.words[self.starts[sensor] * words..self.starts[sensor + 1] * words]
    }

    /// Returns the ranges in m of a sensor in the order of its pattern, infinite without a hit.
    /// Empty unless the output was [`Output::Ranges`].
    pub fn ranges(&self, sensor: usize) -> &[f32] {
        bytemuck::cast_slice(self.words_of(sensor, Output::Ranges))
    }

    /// Returns what each ray of a sensor meets. Empty unless the output was [`Output::Hits`].
    pub fn returns(&self, sensor: usize) -> impl ExactSizeIterator<Item = Option<Return>> {
        let (rays, _) = self.words_of(sensor, Output::Hits).as_chunks();
        rays.iter().map(|[range, cosine, instance, triangle]| {
            let range = f32::from_bits(*range);
            let cosine = f32::from_bits(*cosine);
            let (instance, triangle) = (*instance, *triangle);
            range.is_finite().then_some(Return { range, cosine, instance, triangle })
        })
    }

    /// Returns the pixels of a camera. Empty unless the output was [`Output::Image`].
    pub fn pixels(&self, sensor: usize) -> impl ExactSizeIterator<Item = Pixel> {
        let (rays, _) = self.words_of(sensor, Output::Image).as_chunks();
        rays.iter().map(|[range, colour]| {
            let [red, green, blue, _] = colour.to_le_bytes();
            Pixel { range: f32::from_bits(*range), colour: [red, green, blue] }
        })
    }
}
