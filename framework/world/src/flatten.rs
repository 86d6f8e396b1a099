//! A world as one flat file, after includes, loops, conditions and expressions.

mod paths;

use std::path::Path;

use compact_str::CompactString;
use quick_xml::escape::partial_escape;

use crate::diagnostics::LoadError;
use crate::expansion::{Expanded, expand_file, expand_text};
use crate::options::LoadOptions;
use crate::sources::Sources;
use crate::tree::{Element, Text};
use crate::vehicle::CLASS as VEHICLE_CLASS;

/// White space before an element, per level.
const INDENT: &str = "  ";

/// Returns a world file without `include`, `for`, `if`, `variable` and `$` that is equivalent to
/// the file at `path` and everything that it includes.
///
/// Random draws are replaced by their values, and the paths of existing resources are absolute. The
/// profile and the seed of `options` are written into the file. The mark `flat="true"` on the root
/// means that numbers were computed: they are treated as results of expressions, and nothing is
/// evaluated again.
///
/// # Errors
/// [`LoadError`] with every error in the language of the files. Names and values are not checked,
/// because that requires a catalogue; see [`load`](crate::load).
pub fn flatten(path: &Path, options: &LoadOptions) -> Result<String, LoadError> {
    of_expanded(expand_file(path, options, &VEHICLE_CLASS), options)
}

/// As [`flatten`], from any bytes, as if they were the content of `path`, which need not exist.
///
/// # Errors
/// As [`flatten`].
pub fn flatten_text(path: &Path, text: &[u8], options: &LoadOptions) -> Result<String, LoadError> {
    of_expanded(expand_text(path, text.to_vec(), options, &VEHICLE_CLASS), options)
}

fn of_expanded(expanded: Expanded, options: &LoadOptions) -> Result<String, LoadError> {
    let Expanded { root, sources, report, usage, .. } = expanded;
    match root {
        Some(root) if !report.has_errors() => Ok(text(&root, &sources, options)),
        _ => {
            let hidden_errors = report.hidden_errors();
            Err(LoadError { diagnostics: report.finish(), sources, hidden_errors, usage })
        }
    }
}

/// Returns the text of an expanded tree, whose first source is the world file, with absolute paths of resources.
pub(crate) fn text(root: &Element, sources: &Sources, options: &LoadOptions) -> String {
    written(root, sources, options, false)
}

/// As [`text`], with relative paths of resources, for a file in the folder of the world file.
pub(crate) fn movable_text(root: &Element, sources: &Sources, options: &LoadOptions) -> String {
    written(root, sources, options, true)
}

fn written(root: &Element, sources: &Sources, options: &LoadOptions, is_movable: bool) -> String {
    let home = sources.directory(0);
    Writer { sources, home: &home, is_movable, text: String::new() }.world(root, options)
}

struct Writer<'s> {
    sources: &'s Sources,
    /// Directory of the world file.
    home: &'s Path,
    /// Whether paths of resources are relative to that directory.
    is_movable: bool,
    text: String,
}

impl Writer<'_> {
    fn world(mut self, root: &Element, options: &LoadOptions) -> String {
        self.text.push_str("<mvsim_world");
        for attribute in &root.attributes {
            if attribute.name != "compat" || options.compat.is_none() {
                self.attribute(&attribute.name, &attribute.text.content);
            }
        }
        if let Some(compat) = &options.compat {
            self.attribute("compat", compat);
        }
        self.attribute("flat", "true");
        self.text.push_str(">\n");
        if let Some(seed) = options.seed {
            self.text.push_str(&format!("{INDENT}<random_seed>{seed}</random_seed>\n"));
        }
        for child in &root.children {
            if child.name != "random_seed" || options.seed.is_none() {
                self.element(child, 1);
            }
        }
        self.text.push_str("</mvsim_world>\n");
        self.text
    }

    fn element(&mut self, element: &Element, level: usize) {
        self.indent(level);
        self.text.push('<');
        self.text.push_str(&element.name);
        for attribute in &element.attributes {
            let value = self.value(&attribute.name, &attribute.text);
            self.attribute(&attribute.name, &value);
        }
        if element.text.is_none() && element.children.is_empty() {
            self.text.push_str("/>\n");
            return;
        }
        self.text.push('>');
        if let Some(text) = &element.text {
            let value = self.value(&element.name, text);
            self.escaped(&value);
        }
        if !element.children.is_empty() {
            self.text.push('\n');
            element.children.iter().for_each(|child| self.element(child, level + 1));
            self.indent(level);
        }
        self.text.push_str("</");
        self.text.push_str(&element.name);
        self.text.push_str(">\n");
    }

    fn indent(&mut self, level: usize) {
        (0..level).for_each(|_| self.text.push_str(INDENT));
    }

    /// Returns a value. The path of a resource becomes absolute, or relative to the directory of the world file.
    fn value(&self, name: &str, text: &Text) -> CompactString {
        if !paths::may_be_path(name, &text.content) {
            return text.content.clone();
        }
        let directory = self.sources.directory(text.span.file);
        let directories = [directory.as_path(), self.home];
        let found = paths::find(name, &text.content, &directories);
        let path = found.map(|path| match self.is_movable {
            true => paths::relative(&path, self.home),
            false => path,
        });
        path.map_or(text.content.clone(), |path| path.to_string_lossy().into())
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        self.escaped(value);
        self.text.push('"');
    }

    /// Writes a text with entities, so that it is read back unchanged and contains no `$`.
    fn escaped(&mut self, text: &str) {
        let mut text = partial_escape(text);
        for (character, entity) in
            [('"', "&quot;"), ('$', "&#36;"), ('\t', "&#9;"), ('\n', "&#10;")]
        {
            if text.contains(character) {
                text = text.replace(character, entity).into();
            }
        }
        self.text.push_str(&text);
    }
}
