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

    /// Returns the numbers of an image of 16 bit.
    pub fn numbers(&self) -> Vec<u16> {
        assert_eq!(self.kind, (png::ColorType::Grayscale, png::BitDepth::Sixteen));
        self.bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
    }
}
