//! A world as one flat file: after includes, loops, conditions and expressions.

mod paths;

use std::path::Path;

use compact_str::CompactString;

use crate::diagnostics::LoadError;
use crate::opening::{self, Opened};
use crate::reader::LoadOptions;
use crate::sources::Sources;
use crate::xml::{Element, Text};

/// White space before a tag, for each level.
const INDENT: &str = "  ";

/// The text of a world file without `include`, `for`, `if`, `variable` or `$` that means the same as the
/// file at `path` and everything it includes.
///
/// Random draws are frozen, paths of resources that exist are absolute, and the profile and seed of
/// `options` are written into it. The mark `flat="true"` on its root says that its numbers were
/// computed: they are read as the results of expressions are, and nothing in it is evaluated again.
///
/// # Errors
/// [`LoadError`] with every mistake in the language of the files. Names and values are not checked: that
/// takes a catalogue, see [`load`](crate::load).
pub fn flatten(path: &Path, options: &LoadOptions) -> Result<String, LoadError> {
    let Opened { root, sources, report, usage, .. } = opening::open(path, options);
    match root {
        Some(root) if !report.has_errors() => {
            let home = crate::expansion::directory_of(path);
            Ok(Flat { sources: &sources, home: &home, text: String::new() }.world(&root, options))
        }
        _ => {
            let hidden_errors = report.hidden_errors();
            Err(LoadError { diagnostics: report.finish(), sources, hidden_errors, usage })
        }
    }
}

struct Flat<'s> {
    sources: &'s Sources,
    /// Directory of the world file.
    home: &'s Path,
    text: String,
}

impl Flat<'_> {
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

    /// A value, with the path of a resource made absolute.
    fn value(&self, name: &str, text: &Text) -> CompactString {
        if !paths::may_be_one(name, &text.content) {
            return text.content.clone();
        }
        let directory = crate::expansion::directory_of(self.sources.path(text.span.file));
        let places = [directory.as_path(), self.home];
        paths::absolute(name, &text.content, &places).map_or(text.content.clone(), Into::into)
    }

    fn attribute(&mut self, name: &str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        self.escaped(value);
        self.text.push('"');
    }

    /// Text that reads back as it is, and has no `$`.
    fn escaped(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '$' => self.text.push_str("&#36;"),
                '\t' | '\n' | '\r' => {
                    self.text.push_str(&format!("&#{};", u32::from(character)));
                }
                _ => self.text.push(character),
            }
        }
    }
}
