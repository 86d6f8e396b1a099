//! Finding keys in the bytes of a terminal.

use super::Key;

/// Finds keys in the bytes of a terminal, and skips the sequences of other keys, such as arrows.
#[derive(Debug, Default)]
pub struct Decoder {
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Plain,
    /// After an escape character.
    Escape,
    /// In a sequence that ends with a letter or `~`.
    Sequence,
    /// In a sequence that has one more character.
    Single,
}

impl Decoder {
    /// Returns the keys in the next bytes. A sequence can begin in one call and end in another.
    pub fn keys<'a>(&'a mut self, bytes: &'a [u8]) -> impl Iterator<Item = Key> + 'a {
        bytes.iter().filter_map(|byte| self.key(*byte))
    }

    /// Forgets the beginning of a sequence: nothing has followed it for some time.
    pub fn rest(&mut self) {
        self.state = State::Plain;
    }

    fn key(&mut self, byte: u8) -> Option<Key> {
        let state = std::mem::take(&mut self.state);
        if byte == 0x1b {
            self.state = State::Escape;
            return None;
        }
        match state {
            State::Plain => return plain(byte),
            State::Escape if byte == b'[' => self.state = State::Sequence,
            State::Escape if byte == b'O' => self.state = State::Single,
            State::Sequence if !(0x40..=0x7e).contains(&byte) => self.state = State::Sequence,
            State::Escape | State::Sequence | State::Single => {}
        }
        None
    }
}

fn plain(byte: u8) -> Option<Key> {
    match byte {
        b' ' => Some(Key::Pause),
        b'.' => Some(Key::Step),
        // `=` is `+` without the shift key
        b'+' | b'=' => Some(Key::Faster),
        b'-' => Some(Key::Slower),
        b'q' | b'Q' => Some(Key::Quit),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Decoder, Key};

    #[test]
    fn keys_are_found_between_others() {
        let found: Vec<Key> = Decoder::default().keys(b"x .+=-Qy").collect();
        let expected = [Key::Pause, Key::Step, Key::Faster, Key::Faster, Key::Slower, Key::Quit];
        assert_eq!(found, expected);
    }

    #[test]
    fn sequences_of_other_keys_are_skipped() {
        let mut decoder = Decoder::default();
        // arrow up, delete, 1 and . of a number pad, Alt-q, and a sequence in two parts
        let bytes = b"\x1b[A\x1b[3~\x1bOq\x1bOn\x1bq\x1b[1;5";
        assert_eq!(decoder.keys(bytes).next(), None);
        assert_eq!(decoder.keys(b"C ").collect::<Vec<_>>(), [Key::Pause]);
        assert_eq!(decoder.keys(b"\x1b").next(), None);
        decoder.rest();
        assert_eq!(decoder.keys(b"q").next(), Some(Key::Quit));
    }
}
