//! Images in PNG files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Size, kind of pixels, and bytes of an image.
pub struct Image {
    pub size: (u32, u32),
    pub kind: (png::ColorType, png::BitDepth),
    pub bytes: Vec<u8>,
}

impl Image {
    /// Reads a file.
    pub fn read(path: &Path) -> Self {
        let decoder = png::Decoder::new(BufReader::new(File::open(path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let (size, kind) = ((info.width, info.height), (info.color_type, info.bit_depth));
        Self { size, kind, bytes }
    }

    /// Writes a square image in colour that consists of four squares, from the upper left one, row by row.
    pub fn write_squares(path: &Path, size: u32, colors: [[u8; 3]; 4]) {
        let mut encoder = png::Encoder::new(File::create(path).unwrap(), size, size);
        encoder.set_color(png::ColorType::Rgb);
        let half = |at: u32| usize::from(2 * at >= size);
        let pixels = (0..size * size).map(|at| colors[2 * half(at / size) + half(at % size)]);
        let bytes: Vec<u8> = pixels.flatten().collect();
        encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
    }

    /// Returns the colour of a pixel of an image of 8 bit.
    pub fn color(&self, column: usize, row: usize) -> [u8; 3] {
        assert_eq!(self.kind, (png::ColorType::Rgb, png::BitDepth::Eight));
        let at = 3 * (row * self.size.0 as usize + column);
        [self.bytes[at], self.bytes[at + 1], self.bytes[at + 2]]
    }

    /// Returns the numbers of an image of 16 bit.
    pub fn numbers(&self) -> Vec<u16> {
        assert_eq!(self.kind, (png::ColorType::Grayscale, png::BitDepth::Sixteen));
        self.bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
    }
}
