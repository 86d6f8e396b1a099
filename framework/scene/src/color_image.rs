//! Images on surfaces.

/// An image in colour: red, green, blue and opacity, sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColorImage {
    size: [usize; 2],
    pixels: Vec<[u8; 4]>,
    mean: [u8; 4],
}

impl ColorImage {
    /// Creates an image from its width and height, its pixels row by row from the top left, and its mean
    /// colour.
    ///
    /// # Panics
    /// Panics if the number of pixels does not match the size, or is zero.
    pub fn new(size: [usize; 2], pixels: Vec<[u8; 4]>, mean: [u8; 4]) -> Self {
        assert!(!pixels.is_empty(), "an image has pixels");
        assert_eq!(Some(pixels.len()), size[0].checked_mul(size[1]), "one value for each pixel");
        Self { size, pixels, mean }
    }

    /// Returns the width and the height in pixels.
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// Returns the mean colour.
    pub fn mean(&self) -> [u8; 4] {
        self.mean
    }

    /// Returns the colour at a place of an image that repeats in both directions, interpolated between the
    /// four pixels around it. The image reaches from 0 to 1; (0, 0) is its lower left corner.
    pub fn at(&self, [u, v]: [f64; 2]) -> [u8; 4] {
        let [width, height] = self.size;
        let (column, right, x) = place(u, width);
        let (row, above, y) = place(v, height);
        // rows are stored from the top
        let pixel = |row: usize, column: usize| self.pixels[(height - 1 - row) * width + column];
        let corners = [[(row, column), (row, right)], [(above, column), (above, right)]];
        let [[a, b], [c, d]] = corners.map(|pair| pair.map(|(row, column)| pixel(row, column)));
        [0, 1, 2, 3].map(|part| {
            let [a, b, c, d] = [a, b, c, d].map(|pixel| f64::from(pixel[part]));
            let (low, high) = (a + x * (b - a), c + x * (d - c));
            (low + y * (high - low)).round() as u8
        })
    }
}

/// Returns the numbers of the pixels before and behind a place along one side, and the part of the way
/// between their centres.
fn place(at: f64, count: usize) -> (usize, usize, f64) {
    let along = (at - at.floor()) * count as f64 - 0.5;
    let first = along.floor();
    // NaN counts as 0; a rounded place can be a whole turn
    let index = (first as i64).rem_euclid(count as i64) as usize;
    (index, (index + 1) % count, if along.is_finite() { along - first } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black and white above grey and red.
    fn image() -> ColorImage {
        let pixels = [[0, 0, 0, 255], [255; 4], [100, 100, 100, 255], [200, 0, 0, 255]];
        ColorImage::new([2, 2], pixels.to_vec(), [0; 4])
    }

    #[test]
    fn centres_of_pixels_have_their_colours_and_the_image_repeats() {
        let image = image();
        for turn in [-3.0, 0.0, 5.0] {
            assert_eq!(image.at([0.25 + turn, 0.75]), [0, 0, 0, 255]);
            assert_eq!(image.at([0.75, 0.75 + turn]), [255; 4]);
            assert_eq!(image.at([0.25 + turn, 0.25 + turn]), [100, 100, 100, 255]);
            assert_eq!(image.at([0.75, 0.25]), [200, 0, 0, 255]);
        }
    }

    #[test]
    fn colours_between_pixels_are_interpolated() {
        let image = image();
        assert_eq!(image.at([0.5, 0.75]), [128, 128, 128, 255]);
        assert_eq!(image.at([0.25, 0.5]), [50, 50, 50, 255]);
        // half way from the last column to the first one of the next copy
        assert_eq!(image.at([1.0, 0.25]), [150, 50, 50, 255]);
        assert_eq!(image.at([f64::NAN, 0.25])[3], 255);
    }

    #[test]
    #[should_panic(expected = "one value for each pixel")]
    fn the_size_is_that_of_the_pixels() {
        ColorImage::new([2, 2], vec![[0; 4]], [0; 4]);
    }
}
