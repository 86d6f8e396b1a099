//! Reading messages from CDR.

use serde_json::{Map, Value};

use super::layout::{Kind, Layout, Part, Shape};

/// A value of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Leaf<'a> {
    /// A truth value.
    Bool(bool),
    /// A signed integer of any width.
    Signed(i64),
    /// An unsigned integer of any width.
    Unsigned(u64),
    /// A number of 32 bits.
    F32(f32),
    /// A number of 64 bits.
    F64(f64),
    /// A text.
    Text(&'a str),
    /// A sequence or an array of `uint8`.
    Bytes(&'a [u8]),
}

/// Bytes are not a message of the expected type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The encapsulation header does not denote plain CDR.
    #[error("expected CDR with the header 00 00 or 00 01; found {0:02x?}")]
    Encapsulation(Vec<u8>),
    /// The message ends too early.
    #[error("the message ends in {field}, after {len} bytes")]
    End {
        /// Path of the field.
        field: String,
        /// Length of the message, bytes.
        len: usize,
    },
    /// A text is not UTF-8.
    #[error("{field} is not UTF-8")]
    Text {
        /// Path of the field.
        field: String,
    },
}

impl Layout {
    /// Calls `take` for each value of a message with its path, such as `pose.pose.position.x` or
    /// `transforms[2].child_frame_id`. Elements of a sequence of numbers come one by one.
    ///
    /// # Errors
    /// [`DecodeError`] if the bytes are not a message of this definition. Bytes after its end are ignored.
    pub fn visit(
        &self,
        bytes: &[u8],
        take: &mut dyn FnMut(&str, Leaf<'_>),
    ) -> Result<(), DecodeError> {
        let mut paths = Paths { path: String::new(), ends: Vec::new(), counts: Vec::new(), take };
        self.read(bytes, &mut paths).map(drop)
    }

    /// Returns a message as JSON. A number that is not finite becomes `null`.
    ///
    /// # Errors
    /// As [`Self::visit`].
    pub fn decode(&self, bytes: &[u8]) -> Result<Value, DecodeError> {
        self.decode_with_length(bytes).map(|(message, _)| message)
    }

    /// Returns a message as JSON, as [`Self::decode`] does, and the number of its bytes.
    ///
    /// # Errors
    /// As [`Self::visit`].
    pub fn decode_with_length(&self, bytes: &[u8]) -> Result<(Value, usize), DecodeError> {
        let mut tree = Tree { open: vec![(String::new(), Value::Object(Map::new()))] };
        let len = self.read(bytes, &mut tree)?;
        Ok((tree.open.pop().map_or(Value::Null, |(_, value)| value), len))
    }

    /// Reads a message, and returns the number of its bytes.
    fn read(&self, bytes: &[u8], to: &mut dyn Visitor) -> Result<usize, DecodeError> {
        let (is_little, body) = match bytes {
            [0, 0, _, _, body @ ..] => (false, body),
            [0, 1, _, _, body @ ..] => (true, body),
            _ => {
                let header = bytes.iter().take(4).copied().collect();
                return Err(DecodeError::Encapsulation(header));
            }
        };
        let mut reader = Reader { layout: self, body, at: 0, is_little };
        reader.message(0, to).map_err(|stop| stop.into_error(bytes.len()))?;
        Ok(bytes.len() - body.len() + reader.at)
    }
}

/// Receives the content of a message. Elements of a list have empty names.
trait Visitor {
    fn open(&mut self, name: &str);
    fn close(&mut self);
    fn list(&mut self, name: &str);
    fn end(&mut self);
    fn leaf(&mut self, name: &str, leaf: Leaf<'_>);
}

/// Reason why reading stops, with the names of the fields from the innermost to the outermost.
enum Stop {
    End(Vec<String>),
    Text(Vec<String>),
}

impl Stop {
    fn within(mut self, name: &str) -> Self {
        let (Self::End(path) | Self::Text(path)) = &mut self;
        path.push(name.to_owned());
        self
    }

    fn into_error(self, len: usize) -> DecodeError {
        let field = |path: Vec<String>| {
            let path: Vec<String> = path.into_iter().rev().collect();
            path.join(".")
        };
        match self {
            Self::End(path) => DecodeError::End { field: field(path), len },
            Self::Text(path) => DecodeError::Text { field: field(path) },
        }
    }
}

struct Reader<'a> {
    layout: &'a Layout,
    body: &'a [u8],
    at: usize,
    is_little: bool,
}

impl<'a> Reader<'a> {
    fn message(&mut self, number: usize, to: &mut dyn Visitor) -> Result<(), Stop> {
        let layout = self.layout;
        let message = &layout.messages[number];
        if message.fields.is_empty() {
            // a message without fields has one byte, because IDL has no empty structures
            self.bytes(1)?;
        }
        message
            .fields
            .iter()
            .try_for_each(|part| self.part(part, to).map_err(|stop| stop.within(&part.name)))
    }

    fn part(&mut self, part: &Part, to: &mut dyn Visitor) -> Result<(), Stop> {
        let count = match part.shape {
            Shape::One => return self.element(part.kind, &part.name, to),
            Shape::Array(count) => count,
            Shape::Sequence(_) => self.u32()? as usize,
        };
        // each element has a byte at least
        if count > self.body.len() - self.at {
            return Err(Stop::End(Vec::new()));
        }
        if matches!(part.kind, Kind::U8 | Kind::Byte) {
            let bytes = self.bytes(count)?;
            to.leaf(&part.name, Leaf::Bytes(bytes));
            return Ok(());
        }
        to.list(&part.name);
        for _ in 0..count {
            self.element(part.kind, "", to)?;
        }
        to.end();
        Ok(())
    }

    fn element(&mut self, kind: Kind, name: &str, to: &mut dyn Visitor) -> Result<(), Stop> {
        let leaf = match kind {
            Kind::Message(number) => {
                to.open(name);
                self.message(number, to)?;
                to.close();
                return Ok(());
            }
            Kind::Bool => Leaf::Bool(self.bytes(1)?[0] != 0),
            Kind::Byte | Kind::U8 => Leaf::Unsigned(self.bytes(1)?[0].into()),
            Kind::I8 => Leaf::Signed(self.bytes(1)?[0].cast_signed().into()),
            Kind::U16 => Leaf::Unsigned(u16::from_le_bytes(self.word()?).into()),
            Kind::I16 => Leaf::Signed(i16::from_le_bytes(self.word()?).into()),
            Kind::U32 => Leaf::Unsigned(self.u32()?.into()),
            Kind::I32 => Leaf::Signed(i32::from_le_bytes(self.word()?).into()),
            Kind::U64 => Leaf::Unsigned(u64::from_le_bytes(self.word()?)),
            Kind::I64 => Leaf::Signed(i64::from_le_bytes(self.word()?)),
            Kind::F32 => Leaf::F32(f32::from_le_bytes(self.word()?)),
            Kind::F64 => Leaf::F64(f64::from_le_bytes(self.word()?)),
            Kind::Text(_) => Leaf::Text(self.text()?),
        };
        to.leaf(name, leaf);
        Ok(())
    }

    fn text(&mut self) -> Result<&'a str, Stop> {
        let len = self.u32()? as usize;
        let bytes = self.bytes(len)?;
        // the length includes a final zero; some writers omit it of an empty text
        let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
        std::str::from_utf8(bytes).map_err(|_| Stop::Text(Vec::new()))
    }

    fn u32(&mut self) -> Result<u32, Stop> {
        Ok(u32::from_le_bytes(self.word()?))
    }

    /// Returns the bytes of an aligned number in little-endian order.
    fn word<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let skipped = self.at.next_multiple_of(N) - self.at;
        self.bytes(skipped)?;
        let mut word = [0; N];
        word.copy_from_slice(self.bytes(N)?);
        if !self.is_little {
            word.reverse();
        }
        Ok(word)
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8], Stop> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.body.len());
        let end = end.ok_or(Stop::End(Vec::new()))?;
        let bytes = &self.body[self.at..end];
        self.at = end;
        Ok(bytes)
    }
}

/// Passes values on with their paths.
struct Paths<'a> {
    path: String,
    /// Lengths of the path at which messages and lists have begun.
    ends: Vec<usize>,
    /// Next element of each list that has begun; `None` for messages.
    counts: Vec<Option<usize>>,
    take: &'a mut dyn FnMut(&str, Leaf<'_>),
}

impl Paths<'_> {
    fn enter(&mut self, name: &str) -> usize {
        let end = self.path.len();
        match self.counts.last_mut() {
            Some(Some(count)) => {
                self.path.push_str(&format!("[{count}]"));
                *count += 1;
            }
            _ => {
                if !self.path.is_empty() {
                    self.path.push('.');
                }
                self.path.push_str(name);
            }
        }
        end
    }

    fn begin(&mut self, name: &str, count: Option<usize>) {
        let end = self.enter(name);
        self.ends.push(end);
        self.counts.push(count);
    }

    fn leave(&mut self) {
        self.counts.pop();
        if let Some(end) = self.ends.pop() {
            self.path.truncate(end);
        }
    }
}

impl Visitor for Paths<'_> {
    fn open(&mut self, name: &str) {
        self.begin(name, None);
    }

    fn close(&mut self) {
        self.leave();
    }

    fn list(&mut self, name: &str) {
        self.begin(name, Some(0));
    }

    fn end(&mut self) {
        self.leave();
    }

    fn leaf(&mut self, name: &str, leaf: Leaf<'_>) {
        let end = self.enter(name);
        (self.take)(&self.path, leaf);
        self.path.truncate(end);
    }
}

/// Builds the JSON form of a message.
struct Tree {
    open: Vec<(String, Value)>,
}

impl Tree {
    fn add(&mut self, name: &str, value: Value) {
        match self.open.last_mut() {
            Some((_, Value::Array(list))) => list.push(value),
            Some((_, Value::Object(message))) => {
                message.insert(name.to_owned(), value);
            }
            _ => {}
        }
    }

    fn leave(&mut self) {
        if let Some((name, value)) = self.open.pop() {
            self.add(&name, value);
        }
    }
}

impl Visitor for Tree {
    fn open(&mut self, name: &str) {
        self.open.push((name.to_owned(), Value::Object(Map::new())));
    }

    fn close(&mut self) {
        self.leave();
    }

    fn list(&mut self, name: &str) {
        self.open.push((name.to_owned(), Value::Array(Vec::new())));
    }

    fn end(&mut self) {
        self.leave();
    }

    fn leaf(&mut self, name: &str, leaf: Leaf<'_>) {
        let value = match leaf {
            Leaf::Bool(value) => value.into(),
            Leaf::Signed(value) => value.into(),
            Leaf::Unsigned(value) => value.into(),
            Leaf::F32(value) => value.into(),
            Leaf::F64(value) => value.into(),
            Leaf::Text(value) => value.into(),
            Leaf::Bytes(values) => values.iter().map(|value| Value::from(*value)).collect(),
        };
        self.add(name, value);
    }
}
