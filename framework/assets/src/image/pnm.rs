//! Netpbm images: PBM, PGM and PPM as text or binary (`P1` to `P6`), and PAM (`P7`).
//!
//! Format: the manual pages pbm(5), pgm(5), ppm(5) and pam(5) of Netpbm. Samples are scaled so that
//! the largest one in use is white.

use super::mean::{Raster, Samples};
use crate::Problem;

const FORMAT: &str = "PNM";

/// Returns whether the bytes start as a Netpbm image does.
pub(super) fn is_content(bytes: &[u8]) -> bool {
    matches!(bytes, [b'P', b'1'..=b'7', after, ..] if after.is_ascii_whitespace() || *after == b'#')
}

/// Returns the width and height in pixels.
pub(super) fn size(bytes: &[u8]) -> Result<[u32; 2], Problem> {
    Header::read(&mut Scanner { rest: bytes }).map(|header| header.size)
}

/// Decodes all pixels. The caller has bounded the size.
pub(super) fn decode(bytes: &[u8]) -> Result<Raster, Problem> {
    let mut scanner = Scanner { rest: bytes };
    let header = Header::read(&mut scanner)?;
    let [width, height] = header.size.map(|size| size as usize);
    let count = width * height * header.channels;
    let samples = match header.encoding {
        Encoding::TextBits => scanner.text_bits(count)?,
        Encoding::Text => scanner.text(count, header.max)?,
        Encoding::Bits => scanner.bits(width, height)?,
        Encoding::Binary => scanner.binary(count, header.max)?,
    };
    Ok(Raster { channels: header.channels, samples: header.scale(&samples) })
}

#[derive(Clone, Copy)]
enum Encoding {
    /// One digit per pixel, `1` is black.
    TextBits,
    /// Decimal numbers.
    Text,
    /// One bit per pixel, `1` is black, rows padded to whole bytes.
    Bits,
    /// One byte per sample, two (big-endian) for a maximum above 255.
    Binary,
}

struct Header {
    encoding: Encoding,
    /// Width and height, pixels.
    size: [u32; 2],
    channels: usize,
    /// The sample that stands for white.
    max: u16,
}

impl Header {
    fn read(scanner: &mut Scanner) -> Result<Self, Problem> {
        let kind = scanner.rest.get(1).copied().unwrap_or_default();
        scanner.skip(2);
        let (encoding, channels) = match kind {
            b'1' => (Encoding::TextBits, 1),
            b'2' => (Encoding::Text, 1),
            b'3' => (Encoding::Text, 3),
            b'4' => (Encoding::Bits, 1),
            b'5' => (Encoding::Binary, 1),
            b'6' => (Encoding::Binary, 3),
            _ => return Self::read_pam(scanner),
        };
        let size = [scanner.number()?, scanner.number()?];
        let max = match encoding {
            Encoding::TextBits | Encoding::Bits => 1,
            Encoding::Text | Encoding::Binary => maximum(scanner.number()?)?,
        };
        if matches!(encoding, Encoding::Bits | Encoding::Binary) {
            scanner.skip(1);
        }
        Ok(Self { encoding, size, channels, max })
    }

    /// `WIDTH`, `HEIGHT`, `DEPTH` and `MAXVAL` in any order, then `ENDHDR`.
    fn read_pam(scanner: &mut Scanner) -> Result<Self, Problem> {
        let (mut width, mut height, mut depth, mut max) = (None, None, None, None);
        loop {
            match scanner.word()? {
                b"WIDTH" => width = Some(scanner.number()?),
                b"HEIGHT" => height = Some(scanner.number()?),
                b"DEPTH" => depth = Some(scanner.number()?),
                b"MAXVAL" => max = Some(maximum(scanner.number()?)?),
                b"TUPLTYPE" => drop(scanner.word()?),
                b"ENDHDR" => break,
                other => {
                    let found = String::from_utf8_lossy(other);
                    return Err(Problem::syntax(FORMAT, format!("unknown header line `{found}`")));
                }
            }
        }
        scanner.skip(1);
        let (Some(width), Some(height), Some(depth), Some(max)) = (width, height, depth, max)
        else {
            let missing = "expected WIDTH, HEIGHT, DEPTH and MAXVAL in the header";
            return Err(Problem::syntax(FORMAT, missing));
        };
        if !(1..=4).contains(&depth) {
            let found = format!("found DEPTH {depth}; expected 1 to 4");
            return Err(Problem::syntax(FORMAT, found));
        }
        let (size, channels) = ([width, height], depth as usize);
        Ok(Self { encoding: Encoding::Binary, size, channels, max })
    }

    /// Stretches samples to the full range of 8 or 16 bits.
    fn scale(&self, samples: &[u16]) -> Samples {
        let scaled = |white: u16| {
            let factor = f32::from(white) / f32::from(self.max);
            move |sample: &u16| (f32::from(*sample) * factor).round()
        };
        if self.max > u16::from(u8::MAX) {
            let scaled = scaled(u16::MAX);
            Samples::Sixteen(samples.iter().map(|sample| scaled(sample) as u16).collect())
        } else {
            let scaled = scaled(u16::from(u8::MAX));
            Samples::Eight(samples.iter().map(|sample| scaled(sample) as u8).collect())
        }
    }
}

fn maximum(value: u32) -> Result<u16, Problem> {
    let expected =
        || Problem::syntax(FORMAT, format!("found maximum {value}; expected 1 to 65535"));
    u16::try_from(value).ok().filter(|max| *max > 0).ok_or_else(expected)
}

/// The part of the file that has not been read.
struct Scanner<'b> {
    rest: &'b [u8],
}

impl<'b> Scanner<'b> {
    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// Skips white space and comments, which run from `#` to the end of the line.
    fn skip_space(&mut self) {
        while let Some(&byte) = self.rest.first() {
            if byte == b'#' {
                let line = self.rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
                self.skip(line.unwrap_or(self.rest.len()));
            } else if byte.is_ascii_whitespace() {
                self.skip(1);
            } else {
                break;
            }
        }
    }

    fn word(&mut self) -> Result<&'b [u8], Problem> {
        self.skip_space();
        let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'#';
        let end = self.rest.iter().position(ends).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        self.skip(end);
        if word.is_empty() { Err(cut_short()) } else { Ok(word) }
    }

    fn number(&mut self) -> Result<u32, Problem> {
        let word = self.word()?;
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        number.ok_or_else(|| {
            let start = String::from_utf8_lossy(&word[..word.len().min(20)]).into_owned();
            Problem::syntax(FORMAT, format!("found `{start}`; expected a whole number"))
        })
    }

    fn text(&mut self, count: usize, max: u16) -> Result<Vec<u16>, Problem> {
        let mut sample = || {
            let number = self.number()?;
            let out_of_range =
                || Problem::syntax(FORMAT, format!("found sample {number}; expected 0 to {max}"));
            u16::try_from(number).ok().filter(|n| *n <= max).ok_or_else(out_of_range)
        };
        (0..count).map(|_| sample()).collect()
    }

    fn text_bits(&mut self, count: usize) -> Result<Vec<u16>, Problem> {
        let mut bit = || {
            self.skip_space();
            let digit = self.rest.first().copied().ok_or_else(cut_short)?;
            self.skip(1);
            match digit {
                b'0' => Ok(1),
                b'1' => Ok(0),
                _ => Err(Problem::syntax(FORMAT, "found a pixel that is neither 0 nor 1")),
            }
        };
        (0..count).map(|_| bit()).collect()
    }

    fn bits(&mut self, width: usize, height: usize) -> Result<Vec<u16>, Problem> {
        let row_bytes = width.div_ceil(8);
        let rows = self.rest.get(..row_bytes * height).ok_or_else(cut_short)?;
        let bit = |row: &[u8], x: usize| u16::from(row[x / 8] >> (7 - x % 8) & 1 == 0);
        let rows = rows.chunks_exact(row_bytes);
        Ok(rows.flat_map(|row| (0..width).map(move |x| bit(row, x))).collect())
    }

    fn binary(&mut self, count: usize, max: u16) -> Result<Vec<u16>, Problem> {
        if max <= u16::from(u8::MAX) {
            let bytes = self.rest.get(..count).ok_or_else(cut_short)?;
            return Ok(bytes.iter().map(|byte| u16::from(*byte)).collect());
        }
        let bytes = self.rest.get(..2 * count).ok_or_else(cut_short)?;
        Ok(bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect())
    }
}

fn cut_short() -> Problem {
    Problem::syntax(FORMAT, "unexpected end of file")
}

#[cfg(test)]
mod tests {
    use super::super::{Levels, from_bytes};
    use crate::Limits;

    fn levels(bytes: &[u8]) -> Levels {
        from_bytes(bytes, &Limits::default()).unwrap().levels().clone()
    }

    #[test]
    fn text_and_binary_encodings_agree() {
        let expected = Levels::Eight(vec![0, 255, 255, 0]);
        assert_eq!(levels(b"P1 2 2\n1 0\n# comment\n01"), expected);
        assert_eq!(levels(b"P4\n2 2\n\x80\x40"), expected);
        assert_eq!(levels(b"P2 2 2 15 0 15 15 0"), expected);
        assert_eq!(levels(b"P5\n# CREATOR: map_saver\n2 2\n255\n\x00\xff\xff\x00"), expected);
        assert_eq!(levels(b"P3 2 2 1  0 0 0  1 1 1  1 1 1  0 0 0"), expected);
        assert_eq!(levels(b"P6 2 2 255 \0\0\0\xff\xff\xff\xff\xff\xff\0\0\0"), expected);
        let pam =
            b"P7\nWIDTH 2\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\n\0\xff\xff\0";
        assert_eq!(levels(pam), expected);
    }

    #[test]
    fn sixteen_bits_are_big_endian_and_scaled() {
        assert_eq!(levels(b"P5 1 1 1000 \x03\xe8"), Levels::Sixteen(vec![65_535]));
        assert_eq!(levels(b"P5 1 1 65535 \x01\x02"), Levels::Sixteen(vec![0x0102]));
    }

    #[test]
    fn defects_are_named() {
        for (bytes, expected) in [
            (&b"P5 2 2 255 \0"[..], "unexpected end"),
            (b"P2 1 1 3 4", "expected 0 to 3"),
            (b"P2 1 x 3 4", "found `x`"),
            (b"P5 1 1 70000 ab", "expected 1 to 65535"),
            (b"P1 1 1 7", "neither 0 nor 1"),
            (b"P7\nWIDTH 2\nENDHDR\n", "expected WIDTH"),
        ] {
            let error = from_bytes(bytes, &Limits::default()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
