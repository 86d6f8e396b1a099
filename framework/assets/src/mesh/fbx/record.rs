//! Records of a binary FBX file.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::Problem;

const MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";

/// First version in which lengths have eight bytes instead of four.
const WIDE_SINCE: u32 = 7500;

/// Largest numbers of nested records, of all records, and of values of records. Files of exporters have a depth below 10;
/// damaged ones must not exhaust stack or memory.
const MAX_DEPTH: usize = 64;
const MAX_RECORDS: usize = 500_000;
const MAX_VALUES: usize = 2_000_000;

/// A named record with values and nested records. Arrays are decompressed on demand.
#[derive(Debug, Default)]
pub(super) struct Record<'a> {
    name: &'a [u8],
    values: Vec<FbxValue<'a>>,
    children: Vec<Record<'a>>,
}

#[derive(Clone, Copy, Debug)]
enum FbxValue<'a> {
    Integer(i64),
    Float(f64),
    Text(&'a [u8]),
    Array { kind: u8, count: u32, packed: bool, bytes: &'a [u8] },
}

/// Parses a file and returns the root record.
pub(super) fn read(bytes: &[u8]) -> Result<Record<'_>, Problem> {
    let mut source = Source { bytes, at: 0, wide: false, records: 0, values: 0 };
    if !bytes.starts_with(MAGIC) {
        return Err(Problem::Unsupported {
            detail: "only binary FBX files are supported".to_owned(),
            remedy: "export it as binary FBX, or as glTF",
        });
    }
    source.take(MAGIC.len())?;
    let version = u32::from_le_bytes(source.array()?);
    if !(7000..8000).contains(&version) {
        return Err(Problem::Unsupported {
            detail: format!("FBX version {version} is not supported, only 7000 to 7999"),
            remedy: "export it as FBX 2014 or newer, or as glTF",
        });
    }
    source.wide = version >= WIDE_SINCE;
    let mut root = Record::default();
    while let Some(record) = source.record(0)? {
        root.children.push(record);
    }
    Ok(root)
}

struct Source<'a> {
    bytes: &'a [u8],
    at: usize,
    wide: bool,
    records: usize,
    values: usize,
}

impl<'a> Source<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], Problem> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let taken = rest.get(..count).ok_or_else(|| {
            defective(format!("expected {count} more bytes after byte {}", self.bytes.len()))
        })?;
        self.at += count;
        Ok(taken)
    }

    fn array<const COUNT: usize>(&mut self) -> Result<[u8; COUNT], Problem> {
        Ok(self.take(COUNT)?.try_into().expect("`take` returns the requested number of bytes"))
    }

    fn length(&mut self) -> Result<u64, Problem> {
        if self.wide {
            Ok(u64::from_le_bytes(self.array()?))
        } else {
            Ok(u64::from(u32::from_le_bytes(self.array()?)))
        }
    }

    /// Parses the next record. Returns `None` at the end of a list.
    fn record(&mut self, depth: usize) -> Result<Option<Record<'a>>, Problem> {
        let (end, values, _) = (self.length()?, self.length()?, self.length()?);
        let [name_length] = self.array()?;
        if end == 0 {
            return Ok(None);
        }
        self.records += 1;
        if depth > MAX_DEPTH || self.records > MAX_RECORDS {
            return Err(defective("too many records, or records nested too deeply"));
        }
        let name = self.take(usize::from(name_length))?;
        let mut record = Record { name, ..Record::default() };
        for _ in 0..values {
            self.values += 1;
            Problem::bounded("values", self.values as u64, MAX_VALUES as u64)?;
            record.values.push(self.value()?);
        }
        while (self.at as u64) < end {
            match self.record(depth + 1)? {
                Some(child) => record.children.push(child),
                None => break,
            }
        }
        if self.at as u64 != end {
            let at = self.at;
            return Err(defective(format!("a record ends at byte {at}, expected {end}")));
        }
        Ok(Some(record))
    }

    fn value(&mut self) -> Result<FbxValue<'a>, Problem> {
        let [kind] = self.array()?;
        Ok(match kind {
            b'C' | b'B' => FbxValue::Integer(i64::from(self.array::<1>()?[0])),
            b'Y' => FbxValue::Integer(i64::from(i16::from_le_bytes(self.array()?))),
            b'I' => FbxValue::Integer(i64::from(i32::from_le_bytes(self.array()?))),
            b'L' => FbxValue::Integer(i64::from_le_bytes(self.array()?)),
            b'F' => FbxValue::Float(f64::from(f32::from_le_bytes(self.array()?))),
            b'D' => FbxValue::Float(f64::from_le_bytes(self.array()?)),
            b'S' | b'R' => {
                let length = u32::from_le_bytes(self.array()?);
                FbxValue::Text(self.take(length as usize)?)
            }
            b'f' | b'd' | b'i' | b'l' | b'b' | b'c' => {
                let count = u32::from_le_bytes(self.array()?);
                let packed = u32::from_le_bytes(self.array()?) != 0;
                let length = u32::from_le_bytes(self.array()?);
                FbxValue::Array { kind, count, packed, bytes: self.take(length as usize)? }
            }
            kind => return Err(defective(format!("unknown type of value: {kind}"))),
        })
    }
}

impl<'a> Record<'a> {
    pub(super) fn children(&self, name: &str) -> impl Iterator<Item = &Record<'a>> {
        self.children.iter().filter(move |child| child.name == name.as_bytes())
    }

    pub(super) fn child(&self, name: &str) -> Option<&Record<'a>> {
        self.children(name).next()
    }

    pub(super) fn integer(&self, index: usize) -> Option<i64> {
        match self.values.get(index)? {
            FbxValue::Integer(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn float(&self, index: usize) -> Option<f64> {
        match self.values.get(index)? {
            FbxValue::Integer(value) => Some(*value as f64),
            FbxValue::Float(value) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn text(&self, index: usize) -> Option<&'a str> {
        match self.values.get(index)? {
            FbxValue::Text(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// Returns the first value as at most `limit` numbers.
    pub(super) fn floats(&self, limit: usize) -> Result<Vec<f64>, Problem> {
        let (kind, bytes) = self.decompressed(limit)?;
        Ok(match kind {
            b'd' => pieces(&bytes).map(f64::from_le_bytes).collect(),
            b'f' => pieces(&bytes).map(|piece| f64::from(f32::from_le_bytes(piece))).collect(),
            _ => return Err(defective("expected an array of floating-point numbers")),
        })
    }

    /// Returns the first value as at most `limit` whole numbers.
    pub(super) fn integers(&self, limit: usize) -> Result<Vec<i64>, Problem> {
        let (kind, bytes) = self.decompressed(limit)?;
        Ok(match kind {
            b'l' => pieces(&bytes).map(i64::from_le_bytes).collect(),
            b'i' => pieces(&bytes).map(|piece| i64::from(i32::from_le_bytes(piece))).collect(),
            _ => return Err(defective("expected an array of whole numbers")),
        })
    }

    fn decompressed(&self, limit: usize) -> Result<(u8, Vec<u8>), Problem> {
        let Some(&FbxValue::Array { kind, count, packed, bytes }) = self.values.first() else {
            return Err(defective("expected an array"));
        };
        Problem::bounded("values of an array", u64::from(count), limit as u64)?;
        let size = if matches!(kind, b'd' | b'l') { 8 } else { 4 };
        let length = u64::from(count) * size;
        let mut plain = Vec::new();
        if packed {
            ZlibDecoder::new(bytes).take(length).read_to_end(&mut plain).map_err(defective)?;
        } else {
            plain.extend(bytes.iter().take(length as usize));
        }
        if plain.len() as u64 != length {
            return Err(defective(format!(
                "an array has {} bytes, expected {length}",
                plain.len()
            )));
        }
        Ok((kind, plain))
    }
}

fn pieces<const SIZE: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; SIZE]> {
    bytes
        .chunks_exact(SIZE)
        .map(|piece| piece.try_into().expect("`chunks_exact` returns chunks of this size"))
}

pub(super) fn defective(detail: impl ToString) -> Problem {
    Problem::syntax("FBX", detail)
}
