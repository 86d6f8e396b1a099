//! The files of a world. Each is read and parsed once.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use compact_str::CompactString;
use simhost_assets::{Problem, open_regular};

use crate::expression::Key;
use crate::options::{Confinement, LoadOptions};
use crate::tree::{Element, Text};

/// A parsed file.
#[derive(Debug)]
pub(super) struct File {
    pub directory: Rc<Path>,
    /// Canonical path.
    pub identity: PathBuf,
    pub roots: Vec<Element>,
    /// Names that the texts of the file refer to, collected on first use.
    names_read: OnceCell<HashSet<CompactString>>,
}

impl File {
    pub(super) fn new(directory: &Path, identity: PathBuf, roots: Vec<Element>) -> Self {
        Self { directory: directory.into(), identity, roots, names_read: OnceCell::new() }
    }

    /// Returns whether a text of the file refers to a name.
    pub(super) fn reads(&self, name: &str) -> bool {
        let names = self.names_read.get_or_init(|| {
            let mut names = HashSet::new();
            let mut add = |text: &Text| collect_names(&text.content, &mut names);
            self.roots.iter().for_each(|root| root.for_each_text(&mut add));
            names
        });
        names.contains(name)
    }
}

/// Collects the words after `${` and the words in expressions.
fn collect_names(text: &str, names: &mut HashSet<CompactString>) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for (at, _) in text.match_indices("${") {
        let rest = text[at + 2..].split(['|', '}']).next().unwrap_or_default();
        names.insert(rest.trim().into());
    }
    if text.contains("$f{") {
        let words = text.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        names.extend(words.map(CompactString::from));
    }
}

/// The files that have been read.
pub(super) struct Files {
    pub max_size: u64,
    total: u64,
    /// Directory of the world file. Draws depend on paths relative to it.
    pub home: PathBuf,
    /// Keys of the draws, by source.
    pub keys: Vec<Key>,
    /// Parsed files or error messages, by path.
    pub parsed: HashMap<PathBuf, Result<Rc<File>, String>>,
    /// Confines what is read.
    pub confinement: Option<Arc<Confinement>>,
}

impl Files {
    pub(super) fn new(options: &LoadOptions) -> Self {
        let (home, keys, parsed) = (PathBuf::new(), Vec::new(), HashMap::new());
        let (max_size, confinement) = (options.limits.file_size, options.confinement.clone());
        Self { max_size, total: 0, home, keys, parsed, confinement }
    }

    /// Returns the key of a source: its path relative to the world file, so that a world can be
    /// moved.
    pub(super) fn key(&self, file: u32) -> Key {
        self.keys.get(file as usize).copied().unwrap_or_default()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The reason why it cannot be read, to be appended to a message.
    pub(super) fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        self.confinement.as_ref().map_or(Ok(()), |confinement| confinement.check(path))?;
        let (file, length) = open_regular(path).map_err(|problem| match problem {
            Problem::Io(error) => error.to_string(),
            _ => "it is not a regular file".to_owned(),
        })?;
        let mut bytes = Vec::new();
        if length <= self.max_size {
            let limit = self.max_size.saturating_add(1);
            file.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        }
        // spans count bytes in 32 bits
        let max_size = self.max_size.min(u64::from(u32::MAX));
        if length.max(bytes.len() as u64) > max_size {
            let limit = size_text(max_size);
            return Err(format!("it exceeds {limit}; raise --max-file-size"));
        }
        self.total += bytes.len() as u64;
        if self.total > self.max_size.saturating_mul(4) {
            let limit = size_text(self.max_size.saturating_mul(4));
            return Err(format!("all files together exceed {limit}; raise --max-file-size"));
        }
        Ok(bytes)
    }
}

fn size_text(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

/// Decodes UTF-8 without a byte order mark. Invalid bytes are replaced; the offset of the first one
/// is returned.
pub(super) fn decode(mut bytes: Vec<u8>) -> (String, Option<usize>) {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    if is_latin(&bytes) {
        return (bytes.into_iter().map(latin).collect(), None);
    }
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(at))
        }
    }
}

/// Longest XML declaration that is looked at.
const LONGEST_DECLARATION: usize = 200;

/// Returns whether the XML declaration of a file names ISO 8859-1 or Windows-1252.
fn is_latin(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(LONGEST_DECLARATION)];
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let Some((declaration, _)) = head.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"))
    else {
        return false;
    };
    let Some((_, encoding)) = declaration.split_once("encoding") else { return false };
    let name = encoding.trim_start_matches([' ', '=', '\'', '"']).split(['\'', '"']).next();
    matches!(name, Some("iso-8859-1" | "latin1" | "windows-1252" | "cp1252"))
}

/// Returns the character of a byte in Windows-1252, which contains ISO 8859-1.
fn latin(byte: u8) -> char {
    const FROM_0X80: [char; 32] = [
        '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
        '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ',
        '\u{fffd}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => FROM_0X80[usize::from(byte) - 0x80],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn files_have_the_encoding_of_their_declaration() {
        let latin = |encoding: &str| {
            let mut bytes =
                format!("<?xml version=\"1.0\" encoding=\"{encoding}\"?><a>").into_bytes();
            bytes.extend_from_slice(b"\xc4pfel \x80</a>");
            decode(bytes)
        };
        for encoding in ["ISO-8859-1", "iso-8859-1", "windows-1252"] {
            let (text, invalid) = latin(encoding);
            assert!(text.ends_with("<a>Äpfel €</a>") && invalid.is_none(), "{text}");
        }
        let (text, invalid) = latin("UTF-8");
        assert!(text.contains('\u{fffd}') && invalid.is_some(), "{text}");
        assert_eq!(decode("\u{feff}<a>Ä</a>".into()), ("<a>Ä</a>".to_owned(), None));
    }
}
