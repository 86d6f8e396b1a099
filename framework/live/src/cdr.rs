//! Little-endian CDR of small messages: requests and responses of services, and samples that clients read.

/// Bytes before the data: little-endian CDR.
const HEADER: [u8; 4] = [0, 1, 0, 0];

/// Reads the primitive values of a message in CDR one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    data: &'a [u8],
    at: usize,
    is_big: bool,
}

impl<'a> Reader<'a> {
    /// Creates a reader of a message with its header. Returns `None` if it is not plain CDR.
    pub fn new(message: &'a [u8]) -> Option<Self> {
        let (header, data) = message.split_first_chunk::<4>()?;
        match header {
            [0, 0, ..] => Some(Self { data, at: 0, is_big: true }),
            [0, 1, ..] => Some(Self { data, at: 0, is_big: false }),
            _ => None,
        }
    }

    fn bytes<const LEN: usize>(&mut self) -> Option<[u8; LEN]> {
        let start = self.at.next_multiple_of(LEN);
        let mut bytes: [u8; LEN] = self.data.get(start..start + LEN)?.try_into().ok()?;
        self.at = start + LEN;
        if self.is_big {
            bytes.reverse();
        }
        Some(bytes)
    }

    /// Reads a byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.bytes().map(u8::from_le_bytes)
    }

    /// Reads an unsigned number of 4 bytes.
    pub fn u32(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    /// Reads a signed number of 8 bytes.
    pub fn i64(&mut self) -> Option<i64> {
        self.bytes().map(i64::from_le_bytes)
    }

    /// Reads a number with a fraction, of 8 bytes.
    pub fn f64(&mut self) -> Option<f64> {
        self.bytes().map(f64::from_le_bytes)
    }

    /// Reads a text.
    pub fn text(&mut self) -> Option<&'a str> {
        let len = self.u32()? as usize;
        let end = self.at.checked_add(len)?;
        let bytes = self.data.get(self.at..end)?;
        self.at = end;
        std::str::from_utf8(bytes.strip_suffix(&[0]).unwrap_or(bytes)).ok()
    }
}

/// Returns a message with a truth value and a text, such as the response of `std_srvs/srv/Trigger`.
pub fn outcome(success: bool, message: &str) -> Vec<u8> {
    let mut out = HEADER.to_vec();
    out.extend([u8::from(success), 0, 0, 0]);
    out.extend((message.len() as u32 + 1).to_le_bytes());
    out.extend(message.as_bytes());
    out.push(0);
    out
}

/// Returns a message with a truth value alone.
pub fn truth(value: bool) -> Vec<u8> {
    [&HEADER[..], &[u8::from(value)]].concat()
}

#[cfg(test)]
mod tests {
    use super::{Reader, outcome};

    #[test]
    fn values_are_aligned_after_the_header() {
        let message = outcome(true, "ab");
        assert_eq!(message, [0, 1, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, b'a', b'b', 0]);
        let mut reader = Reader::new(&message).unwrap();
        assert_eq!((reader.u8(), reader.text()), (Some(1), Some("ab")));
        assert_eq!(reader.u8(), None);
        let mut big = vec![0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
        big.extend(2.5_f64.to_be_bytes());
        let mut reader = Reader::new(&big).unwrap();
        assert_eq!((reader.u8(), reader.f64()), (Some(7), Some(2.5)));
        assert!(Reader::new(&[9, 9, 0, 0]).is_none());
        let mut cut = Reader::new(&[0, 1, 0, 0, 255, 255, 255, 255]).unwrap();
        assert_eq!(cut.text(), None);
    }
}
