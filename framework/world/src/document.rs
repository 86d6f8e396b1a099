//! Opening files and following includes, within bounds.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::reader::Reader;
use crate::sources::Span;
use crate::substitution::Scope;
use crate::xml::{self, Element};

/// Longest file, in bytes.
const MAX_FILE: u64 = 64 << 20;
/// All files of a world together, a file counted as often as it is included.
const MAX_TOTAL: u64 = 512 << 20;
/// Most includes of a world.
const MAX_FILES: usize = 100_000;
/// Deepest chain of includes.
const MAX_DEPTH: usize = 32;

impl Reader<'_> {
    /// The root elements of a file; none with an error reported. `from` is the place that names it.
    pub(crate) fn open(
        &mut self,
        path: &Path,
        from: Option<Span>,
        arguments: HashMap<String, String>,
    ) -> Option<Vec<Element>> {
        let file = match self.sources.index_of(path) {
            Some(file) => file,
            None => {
                let text = match read(path) {
                    Ok(text) => text,
                    Err(problem) => {
                        let message = format!("cannot read `{}`: {problem}", path.display());
                        self.file_error(from, message, Vec::new());
                        return None;
                    }
                };
                self.sources.add(path.to_owned(), text)
            }
        };
        let text = self.sources.text(file).to_owned();
        self.bytes_read += text.len() as u64;
        self.files_read += 1;
        if self.bytes_read > MAX_TOTAL || self.files_read > MAX_FILES {
            self.file_error(from, "the world includes too much".to_owned(), Vec::new());
            return None;
        }
        self.scopes.push(Scope {
            directory: directory_of(path),
            included: from.is_some(),
            arguments,
            variables: Rc::clone(&self.variables),
        });
        let scope = (self.scopes.len() - 1) as u32;
        let mut report = std::mem::take(&mut self.report);
        let errors = report.error_count();
        let roots = xml::parse(&text, file, scope, &mut report);
        let broken = report.error_count() > errors;
        self.report = report;
        (!broken).then_some(roots)
    }

    /// Calls `f` with the root elements of an included file.
    pub(crate) fn include(&mut self, element: &Element, f: &mut dyn FnMut(&mut Self, &[Element])) {
        let Some(file) = element.attribute("file") else {
            let help = "help: write <include file=\"…\"/>".to_owned();
            self.error(element.name_span, "an include without a file", "", vec![help]);
            return;
        };
        let Some(name) = self.value(file) else { return };
        let path = self.resolve(file.scope, &name);
        let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
        let span = file.span;
        if self.open_files.contains(&identity) {
            let message = format!("`{name}` includes itself");
            self.error(span, message, "this closes the circle", Vec::new());
            return;
        }
        if self.open_files.len() >= MAX_DEPTH {
            let message = format!("includes are nested more than {MAX_DEPTH} deep");
            self.error(span, message, "", Vec::new());
            return;
        }
        let arguments = self.arguments(element);
        self.open_files.push(identity);
        if let Some(roots) = self.open(&path, Some(span), arguments) {
            self.unread_arguments(element, &roots);
            f(self, &roots);
        }
        self.open_files.pop();
    }

    fn arguments(&mut self, element: &Element) -> HashMap<String, String> {
        let mut arguments = HashMap::new();
        for attribute in element.attributes.iter().filter(|a| a.name != "file") {
            if let Some(value) = self.value(&attribute.text) {
                arguments.insert(attribute.name.clone(), value);
            }
        }
        arguments
    }

    fn unread_arguments(&mut self, element: &Element, roots: &[Element]) {
        for attribute in element.attributes.iter().filter(|a| a.name != "file") {
            let name = &attribute.name;
            let plain = format!("${{{name}}}");
            let with_default = format!("${{{name}|");
            let read = |text: &str| text.contains(&plain) || text.contains(&with_default);
            if !roots.iter().any(|root| root.any_text(&read)) {
                let message = format!("the included file does not read `{name}`");
                self.warning(attribute.name_span, message, "has no effect");
            }
        }
    }

    /// An absolute or relative path as written in the file that a scope belongs to.
    pub(crate) fn resolve(&self, scope: u32, name: &str) -> PathBuf {
        self.scopes[scope as usize].directory.join(name)
    }

    /// Children with the contents of included files in place of the includes.
    pub(crate) fn expanded(&mut self, children: &[Element]) -> Vec<Element> {
        let mut result = Vec::new();
        for child in children {
            if child.name == "include" {
                self.include(child, &mut |reader, roots| result.extend(reader.expanded(roots)));
            } else {
                result.push(child.clone());
            }
        }
        result
    }
}

fn directory_of(path: &Path) -> PathBuf {
    let directory = path.parent().unwrap_or(Path::new(""));
    std::path::absolute(directory)
        .or_else(|_| std::env::current_dir().map(|current| current.join(directory)))
        .unwrap_or_else(|_| directory.to_owned())
}

fn read(path: &Path) -> Result<String, String> {
    let metadata = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!("it is longer than {} MiB", MAX_FILE >> 20));
    }
    // a byte order mark is no part of the text
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line} is not UTF-8")
    })
}
