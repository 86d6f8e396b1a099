//! MRPT grid maps: `.gridmap`, plain or compressed with gzip.

use std::io::{BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use simhost_scene::OccupancyGrid;

use crate::{Limits, Problem};

const FORMAT: &str = "MRPT grid map";
const CLASS: &[u8] = b"COccupancyGridMap2D";
const VERSIONS: std::ops::RangeInclusive<u8> = 3..=6;

/// Reads a grid map. The first bytes determine whether it is compressed. Decompression stops after
/// the number of cells that the header announces.
///
/// # Errors
/// The data is not valid or exceeds the limits.
pub fn from_reader(source: impl Read, limits: &Limits) -> Result<OccupancyGrid, Problem> {
    let mut source = BufReader::new(source);
    let compressed = source.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    if compressed { plain(MultiGzDecoder::new(source), limits) } else { plain(source, limits) }
}

fn plain(mut source: impl Read, limits: &Limits) -> Result<OccupancyGrid, Problem> {
    let source = &mut source;
    let [mark] = next_bytes(source, "the class")?;
    if usize::from(mark) != 0x80 | CLASS.len() || next_bytes::<19>(source, "the class")? != CLASS {
        return Err(Problem::syntax(FORMAT, "expected COccupancyGridMap2D at the start"));
    }
    let [version, bits] = next_bytes(source, "the version")?;
    if !VERSIONS.contains(&version) {
        return Err(Problem::Unsupported {
            detail: format!("grid maps of version {version} are not supported, only 3 to 6"),
            remedy: "save it again with a newer MRPT, or as an image",
        });
    }
    if bits != 8 && bits != 16 {
        return Err(Problem::syntax(
            FORMAT,
            format!("expected 8 or 16 bits per cell, found {bits} bits"),
        ));
    }
    let columns = u32::from_le_bytes(next_bytes(source, "the number of columns")?) as usize;
    let rows = u32::from_le_bytes(next_bytes(source, "the number of rows")?) as usize;
    let [x_min, _, y_min, _, resolution] = [
        next_bytes(source, "x_min")?,
        next_bytes(source, "x_max")?,
        next_bytes(source, "y_min")?,
        next_bytes(source, "y_max")?,
        next_bytes(source, "the resolution")?,
    ]
    .map(|bytes| f64::from(f32::from_le_bytes(bytes)));
    let count = columns as u64 * rows as u64;
    limits.bound_pixels("cells", count)?;
    let cells = cells(source, count, bits)?;
    // the file means a decimal resolution such as 0.08, not its single-precision approximation
    let resolution = decimal(resolution);
    Ok(OccupancyGrid::new([decimal(x_min), decimal(y_min)], resolution, [columns, rows], cells)?)
}

/// Returns the shortest decimal number with the same single-precision value.
fn decimal(value: f64) -> f64 {
    (value as f32).to_string().parse().unwrap_or(value)
}

fn next_bytes<const COUNT: usize>(
    source: &mut impl Read,
    what: &str,
) -> Result<[u8; COUNT], Problem> {
    let mut bytes = [0; COUNT];
    source
        .read_exact(&mut bytes)
        .map_err(|error| Problem::syntax(FORMAT, format!("cannot read {what}: {error}")))?;
    Ok(bytes)
}

fn cells(source: &mut impl Read, count: u64, bits: u8) -> Result<Vec<i8>, Problem> {
    let mut cells = Vec::new();
    let mut block = [0; 1 << 14];
    let size = u64::from(bits / 8);
    let mut left = count * size;
    while left > 0 {
        // the block size is even, so that no block ends within a cell
        let piece = &mut block[..left.min(1 << 14) as usize];
        source.read_exact(piece).map_err(|error| {
            let missing = left / size;
            Problem::syntax(
                FORMAT,
                format!("up to {missing} of {count} cells are missing: {error}"),
            )
        })?;
        left -= piece.len() as u64;
        if bits == 8 {
            cells.extend(piece.iter().map(|&byte| (byte as i8).max(-127)));
        } else {
            let wide = |pair: &[u8]| i16::from_le_bytes([pair[0], pair[1]]).clamp(-127, 127) as i8;
            cells.extend(piece.chunks_exact(2).map(wide));
        }
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn head(bits: u8, size: [u32; 2]) -> Vec<u8> {
        let mut bytes = vec![0x80 | 19];
        bytes.extend(CLASS);
        bytes.extend([6, bits]);
        size.iter().for_each(|count| bytes.extend(count.to_le_bytes()));
        let place = [-10.0f32, 141.04, -127.04, 92.0, 0.08];
        place.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }

    fn compressed(plain: &[u8]) -> Vec<u8> {
        let mut coder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        coder.write_all(plain).unwrap();
        coder.finish().unwrap()
    }

    fn read(bytes: &[u8]) -> Result<OccupancyGrid, Problem> {
        from_reader(bytes, &Limits::default())
    }

    #[test]
    fn plain_and_compressed_with_a_trailer() {
        let mut bytes = head(8, [3, 2]);
        bytes.extend([5i8, -128, 0, 1, 127, -9].map(|cell| cell as u8));
        bytes.extend(*b"options\x88");
        for bytes in [&bytes, &compressed(&bytes)] {
            let grid = read(bytes).unwrap();
            assert_eq!(grid.cells(), [5, -127, 0, 1, 127, -9]);
            assert_eq!((grid.size(), grid.resolution()), ([3, 2], 0.08));
            assert_eq!(grid.corner(), [-10.0, -127.04]);
        }
    }

    #[test]
    fn wide_cells_are_clamped() {
        let mut bytes = head(16, [2, 1]);
        [-300i16, 40].iter().for_each(|cell| bytes.extend(cell.to_le_bytes()));
        assert_eq!(read(&bytes).unwrap().cells(), [-127, 40]);
    }

    #[test]
    fn truncated_and_invalid_files_are_rejected() {
        let whole = head(8, [3, 2]);
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err(), "{length}");
        }
        let error = read(&whole).unwrap_err().to_string();
        assert!(error.contains("6 of 6 cells are missing"), "{error}");
        let error = read(&head(9, [3, 2])).unwrap_err().to_string();
        assert!(error.contains("9 bits"), "{error}");
        let error = read(&head(8, [100_000, 100_000])).unwrap_err();
        assert!(matches!(error, Problem::TooMuch { count: 10_000_000_000, .. }), "{error}");
    }

    /// 100 MB of zeros compressed to 100 kB. The header announces six cells, and no more are
    /// decompressed.
    #[test]
    fn a_decompression_bomb_is_harmless() {
        let mut bytes = head(8, [3, 2]);
        bytes.resize(100_000_000, 0);
        let bomb = compressed(&bytes);
        assert!(bomb.len() < 200_000);
        let start = std::time::Instant::now();
        assert_eq!(read(&bomb).unwrap().cells(), [0; 6]);
        let few = Limits { max_pixels: 1000, ..Limits::default() };
        let mut large = head(8, [1000, 1000]);
        large.resize(2_000_000, 0);
        assert!(matches!(from_reader(&compressed(&large)[..], &few), Err(Problem::TooMuch { .. })));
        assert!(start.elapsed().as_secs_f64() < 2.0);
    }
}
