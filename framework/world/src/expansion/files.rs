//! The files of a world, each read and parsed once.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use compact_str::CompactString;
use simhost_assets::{Problem, open_regular};

use super::{Expansion, Scope};
use crate::expression::Key;
use crate::sources::Span;
use crate::xml::{self, Element};

/// A parsed file.
#[derive(Debug)]
pub(super) struct File {
    pub directory: Rc<Path>,
    /// The path without links and detours.
    pub identity: PathBuf,
    pub roots: Vec<Element>,
    /// Names that its texts refer to.
    names_read: OnceCell<HashSet<CompactString>>,
}

impl File {
    /// Whether a text of the file refers to a name.
    pub(super) fn reads(&self, name: &str) -> bool {
        let names = self.names_read.get_or_init(|| {
            let mut names = HashSet::new();
            let mut add = |text: &xml::Text| collect_names(&text.content, &mut names);
            self.roots.iter().for_each(|root| root.each_text(&mut add));
            names
        });
        names.contains(name)
    }
}

/// Words after `${` and words in expressions.
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

/// Files by path.
pub(super) struct Files {
    max_size: u64,
    total: u64,
    /// Where names of files begin that draws depend on.
    home: PathBuf,
    /// By source.
    keys: Vec<Key>,
    open: HashMap<PathBuf, Result<Rc<File>, String>>,
}

impl Files {
    pub(super) fn new(max_size: u64) -> Self {
        let (home, keys, open) = (PathBuf::new(), Vec::new(), HashMap::new());
        Self { max_size, total: 0, home, keys, open }
    }

    /// The key of a source: its path as seen from the world file, so that a world may be moved.
    pub(super) fn key(&self, file: u32) -> Key {
        self.keys.get(file as usize).copied().unwrap_or_default()
    }

    /// The text of a file.
    ///
    /// # Errors
    /// Why there is none, as the end of a sentence.
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let (file, length) = open_regular(path).map_err(|problem| match problem {
            Problem::Io(error) => error.to_string(),
            _ => "it is not a file".to_owned(),
        })?;
        let mut bytes = Vec::new();
        if length <= self.max_size {
            let limit = self.max_size.saturating_add(1);
            file.take(limit).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        }
        // spans count bytes in 32 bits
        let max_size = self.max_size.min(u64::from(u32::MAX));
        if length.max(bytes.len() as u64) > max_size {
            let limit = size(max_size);
            return Err(format!("it is longer than {limit}; raise --max-file-size"));
        }
        self.total += bytes.len() as u64;
        if self.total > self.max_size.saturating_mul(4) {
            let limit = size(self.max_size.saturating_mul(4));
            return Err(format!("all files are longer than {limit}; raise --max-file-size"));
        }
        Ok(bytes)
    }
}

fn size(bytes: u64) -> String {
    if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{bytes} bytes") }
}

impl Expansion {
    /// The root elements of the world file and what names mean in it.
    pub(crate) fn open_world(&mut self, path: &Path) -> Option<(Vec<Element>, Rc<Scope>)> {
        let bytes = match self.files.read(path) {
            Ok(bytes) => bytes,
            Err(problem) => {
                let message = format!("cannot read `{}`: {problem}", path.display());
                self.report.error(None, message, "");
                return None;
            }
        };
        self.open_text(path, bytes)
    }

    /// As [`Self::open_world`], for a text that is at hand.
    pub(crate) fn open_text(
        &mut self,
        path: &Path,
        bytes: Vec<u8>,
    ) -> Option<(Vec<Element>, Rc<Scope>)> {
        self.open_files.push(path.canonicalize().unwrap_or_else(|_| path.to_owned()));
        let directory = directory_of(path);
        self.files.home = directory.clone();
        let roots = self.parse(path, bytes)?;
        let scope = Scope { directory: directory.into(), included: false, arguments: Vec::new() };
        Some((roots, Rc::new(scope)))
    }

    /// A file that is named at a place; none with the error reported.
    pub(super) fn open(&mut self, path: &Path, from: Span) -> Option<Rc<File>> {
        if let Some(known) = self.files.open.get(path) {
            let known = known.clone();
            return self.or_report(known, from);
        }
        let outcome = match self.files.read(path) {
            Ok(bytes) => {
                let Some(roots) = self.parse(path, bytes) else {
                    // it is not parsed again, and what is wrong with it has been said
                    let message = format!("cannot use `{}`: it has errors", path.display());
                    self.files.open.insert(path.to_owned(), Err(message));
                    return None;
                };
                Ok(Rc::new(File {
                    directory: directory_of(path).into(),
                    identity: path.canonicalize().unwrap_or_else(|_| path.to_owned()),
                    roots,
                    names_read: OnceCell::new(),
                }))
            }
            Err(problem) => Err(format!("cannot read `{}`: {problem}", path.display())),
        };
        self.files.open.insert(path.to_owned(), outcome.clone());
        self.or_report(outcome, from)
    }

    fn or_report(&mut self, outcome: Result<Rc<File>, String>, from: Span) -> Option<Rc<File>> {
        outcome.map_err(|message| self.report.error(Some(from), message, "")).ok()
    }

    /// The roots of a text; none when it cannot be parsed.
    fn parse(&mut self, path: &Path, bytes: Vec<u8>) -> Option<Vec<Element>> {
        let (text, broken_at) = decoded(bytes);
        let (file, text) = self.sources.add(path.to_owned(), text);
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let name = path.strip_prefix(&self.files.home).unwrap_or(&path);
        self.files.keys.push(Key::default().named(&name.to_string_lossy()));
        if let Some(at) = broken_at {
            let span = Span { file, start: at as u32, end: at as u32 + 1 };
            self.report.warning(span, "this is not UTF-8", "what cannot be read is replaced");
        }
        let errors = self.report.error_count();
        let roots = xml::parse(&text, file, &mut self.budget, &mut self.report);
        (self.report.error_count() == errors).then_some(roots)
    }
}

/// The text of a file without its byte order mark, and where it is not UTF-8.
fn decoded(mut bytes: Vec<u8>) -> (String, Option<usize>) {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(at))
        }
    }
}

/// The absolute directory of a file.
pub(crate) fn directory_of(path: &Path) -> PathBuf {
    let directory = path.parent().unwrap_or(Path::new(""));
    std::path::absolute(directory)
        .or_else(|_| std::env::current_dir().map(|current| current.join(directory)))
        .unwrap_or_else(|_| directory.to_owned())
}
