//! The names that a plugin can declare.
//!
//! A class is written in `class="…"`, with or without its vendor, and a parameter is an element or
//! an attribute of a world file, so both must be writable there. Names that look like another name
//! are rejected, because a user could not see which model a world refers to.

/// Longest name, bytes of UTF-8.
const MAX_NAME: usize = 100;

/// The elements of the world language, which the host reads in any element.
pub const LANGUAGE_KEYS: &[&str] = &["include", "variable", "for", "if"];

/// The rule of [`is_word`], as the end of a sentence.
pub const WORD_RULE: &str =
    "expected a word of at most 100 bytes without space, slash, \" < > & or invisible characters";

/// The rule of [`is_key`], as the end of a sentence.
pub const KEY_RULE: &str = "expected the name of an XML element: a letter or _, followed by letters, \
                            digits, _, - and ., at most 100 bytes";

/// Returns whether a text can be a vendor or the name of a plugin or class.
pub const fn is_word(text: &str) -> bool {
    let (bytes, mut at) = (text.as_bytes(), 0);
    let mut is_word = !bytes.is_empty() && bytes.len() <= MAX_NAME;
    while at < bytes.len() && is_word {
        let (code, next) = decode(bytes, at);
        is_word = !matches!(code, 0x22 | 0x26 | 0x2F | 0x3C | 0x3E) && !is_invisible(code);
        at = next;
    }
    is_word
}

/// Returns whether a text can be the name of a parameter or of another value in a world file, which is
/// the rule of XML for names, without colons and invisible characters.
pub const fn is_key(text: &str) -> bool {
    let (bytes, mut at) = (text.as_bytes(), 0);
    let mut is_key = !bytes.is_empty() && bytes.len() <= MAX_NAME;
    while at < bytes.len() && is_key {
        let (code, next) = decode(bytes, at);
        is_key = starts_name(code) || at > 0 && continues_name(code);
        at = next;
    }
    is_key
}

/// Returns whether an element of the world language has this name.
pub const fn is_of_language(key: &str) -> bool {
    let mut k = 0;
    while k < LANGUAGE_KEYS.len() {
        if is_same(LANGUAGE_KEYS[k], key) {
            return true;
        }
        k += 1;
    }
    false
}

/// Returns whether two texts are equal.
pub const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut k = 0;
    while k < one.len() && k < other.len() && one[k] == other[k] {
        k += 1;
    }
    k == one.len() && k == other.len()
}

/// Returns the character that starts at a byte, and the byte after it.
const fn decode(bytes: &[u8], at: usize) -> (u32, usize) {
    let first = bytes[at] as u32;
    let (mut code, count) = match first {
        0..0x80 => (first, 1),
        0x80..0xE0 => (first & 0x1F, 2),
        0xE0..0xF0 => (first & 0x0F, 3),
        _ => (first & 0x07, 4),
    };
    let mut k = 1;
    while k < count {
        code = code << 6 | bytes[at + k] as u32 & 0x3F;
        k += 1;
    }
    (code, at + count)
}

/// Returns whether a character is invisible: white space, controls, marks of direction, joiners.
const fn is_invisible(code: u32) -> bool {
    matches!(
        code,
        0..=0x20
            | 0x7F..=0xA0
            | 0xAD
            | 0x61C
            | 0x1680
            | 0x180E
            | 0x2000..=0x200F
            | 0x2028..=0x202F
            | 0x205F..=0x206F
            | 0x3000
            | 0xFEFF
            | 0xFFF9..=0xFFFB
    )
}

/// Returns whether a name in XML 1.0 (fifth edition, `NameStartChar`) can begin with a character.
const fn starts_name(code: u32) -> bool {
    (code < 0x80 && ((code as u8).is_ascii_alphabetic() || code == 0x5F))
        || matches!(
            code,
            0xC0..=0xD6
                | 0xD8..=0xF6
                | 0xF8..=0x2FF
                | 0x370..=0x37D
                | 0x37F..=0x61B
                | 0x61D..=0x167F
                | 0x1681..=0x180D
                | 0x180F..=0x1FFF
                | 0x2070..=0x218F
                | 0x2C00..=0x2FEF
                | 0x3001..=0xD7FF
                | 0xF900..=0xFDCF
                | 0xFDF0..=0xFEFE
                | 0xFF00..=0xFFF8
                | 0x10000..=0xEFFFF
        )
}

/// Returns whether a character can follow in a name of XML (`NameChar`).
const fn continues_name(code: u32) -> bool {
    (code < 0x80 && ((code as u8).is_ascii_digit() || code == 0x2D || code == 0x2E))
        || matches!(code, 0xB7 | 0x300..=0x36F | 0x203F..=0x2040)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_visible_and_short() {
        for word in ["mu", "a.b", "r\u{e4}der", "\u{8f66}\u{8f6e}", "\u{1f697}", "1abc"] {
            assert!(is_word(word), "{word}");
        }
        let long = "a".repeat(MAX_NAME + 1);
        let others = ["", "a b", "a/b", "a\"b", "a\0", "a\nb", "a\u{202e}b", "\u{200b}", &long];
        for word in others {
            assert!(!is_word(word), "{word:?}");
        }
        assert!(is_word(&long[1..]));
    }

    #[test]
    fn keys_are_names_of_xml() {
        for key in ["mu", "_x", "r\u{e4}der", "a-b.c1", "MU", "\u{8f66}"] {
            assert!(is_key(key), "{key}");
        }
        for key in ["", "mu mu", "1abc", "-a", "a:b", "a<b", "\u{d7}", "a\u{202e}", "\u{1680}"] {
            assert!(!is_key(key), "{key:?}");
        }
        assert!(is_of_language("if") && !is_of_language("i") && !is_of_language("iff"));
    }

    /// UTF-8 encodes a character in one to four bytes.
    #[test]
    fn every_character_is_decoded() {
        for c in ['a', '\u{7ff}', '\u{800}', '\u{ffff}', '\u{10000}', '\u{10ffff}'] {
            let text = c.to_string();
            assert_eq!(decode(text.as_bytes(), 0), (u32::from(c), text.len()));
        }
    }
}
