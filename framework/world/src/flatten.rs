//! A world as one flat file, after includes, loops, conditions and expressions.

use std::path::{Component, Path, PathBuf};

use compact_str::CompactString;
use quick_xml::escape::partial_escape;

use crate::diagnostics::LoadError;
use crate::expansion::{Expanded, expand_file, expand_text};
use crate::options::LoadOptions;
use crate::sources::Sources;
use crate::spelling::parse_number;
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
        if !may_be_path(name, &text.content) {
            return text.content.clone();
        }
        let directory = self.sources.directory(text.span.file);
        let directories = [directory.as_path(), self.home];
        let found = find_paths(name, &text.content, &directories);
        let path = found.map(|path| match self.is_movable {
            true => relative(&path, self.home),
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

/// Elements and attributes that contain the path of a resource. The path may contain `%s` or lead
/// into an archive.
const RESOURCES: &[&str] = &[
    "file",
    "model_uri",
    "image",
    "texture",
    "texture_image",
    "textures",
    "elevation_image",
    "dem_xyzrgb_file",
    "file_txt_2d",
    "file_txt_3d",
    "controllers_yaml",
    "robot_description",
];
/// Elements and attributes that never contain a path.
const NAMES: &[&str] = &["name", "class", "label", "publish_topic", "log_path"];

/// Maximum length of a path in bytes.
const MAX_LENGTH: usize = 4096;

/// Returns whether a value may be the relative path of a resource. A parameter of a model may
/// contain one as well, so every value with a dot is a candidate.
fn may_be_path(name: &str, value: &str) -> bool {
    let maybe = value.contains('.') && !NAMES.contains(&name) && parse_number(value).is_none();
    let relative = !value.contains("://") && !Path::new(value).is_absolute();
    !value.is_empty()
        && value.len() <= MAX_LENGTH
        && relative
        && (maybe || RESOURCES.contains(&name))
}

/// Returns the path of the resource that a relative path refers to in the first directory that
/// contains it.
fn find_paths(name: &str, value: &str, directories: &[&Path]) -> Option<PathBuf> {
    let known = RESOURCES.contains(&name);
    let found = |directory: &&Path| {
        let path = directory.join(value);
        let there = if known { resource(&path).exists() } else { path.is_file() };
        there.then_some(path)
    };
    directories.iter().find_map(found)
}

/// Returns the path of a resource relative to a directory, both of them absolute. It stays absolute where
/// no relative path leads to it, such as on another drive or across links.
fn relative(path: &Path, directory: &Path) -> PathBuf {
    let [to, from] = [path, directory].map(plain);
    let shared = to.iter().zip(&from).take_while(|(to, from)| to == from).count();
    let up = from[shared..].iter().map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(to[shared..].iter().copied()).collect();
    let place = |path: &Path| std::fs::canonicalize(resource(path)).ok();
    let found = place(&directory.join(&relative));
    if found.is_some() && found == place(path) { relative } else { path.to_owned() }
}

/// Returns the components of a path, without those that lead nowhere or back.
fn plain(path: &Path) -> Vec<Component<'_>> {
    let mut parts = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts
}

/// Returns the path that has to exist: the archive that a path leads into, the directory of a
/// pattern, or the path itself.
fn resource(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    if let Some(at) = text.find(".zip/") {
        return PathBuf::from(&text[..at + 4]);
    }
    match (text.contains("%s"), path.parent()) {
        (true, Some(directory)) => directory.to_owned(),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{find_paths, may_be_path, relative};

    #[test]
    fn files_that_exist_become_absolute() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        for name in ["a.png", "b.zip", "1.5"] {
            std::fs::write(folder.path().join(name), "").expect("a writable file");
        }
        let found = |name: &str, value: &str| {
            if !may_be_path(name, value) {
                return None;
            }
            find_paths(name, value, &[folder.path()])
                .inspect(|absolute| assert!(absolute.starts_with(folder.path())))
        };
        for (name, value) in [
            ("file", "a.png"),
            ("model_uri", "b.zip/inner/m.dae"),
            ("textures", "sky_%s.png"),
            ("table", "a.png"),
        ] {
            assert!(found(name, value).is_some(), "{name} {value}");
        }
        for (name, value) in [
            ("name", "a.png"),
            ("mass", "1.5"),
            ("file", "none.png"),
            ("model_uri", "https://example.org/a.png"),
            ("file", "/a.png"),
        ] {
            assert_eq!(found(name, value), None, "{name} {value}");
        }
    }

    #[test]
    fn relative_paths_lead_to_the_resource() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let [maps, parts] = ["maps", "parts"].map(|name| folder.path().join(name));
        for (directory, name) in [(&maps, "a.png"), (&parts, "sky_up.png"), (&parts, "b.zip")] {
            std::fs::create_dir_all(directory).expect("a new directory");
            std::fs::write(directory.join(name), "").expect("a writable file");
        }
        for (path, expected) in [
            (parts.join("../maps/./a.png"), "maps/a.png"),
            (parts.join("sky_%s.png"), "parts/sky_%s.png"),
            (parts.join("b.zip/in/m.dae"), "parts/b.zip/in/m.dae"),
        ] {
            assert_eq!(relative(&path, folder.path()).to_string_lossy(), expected);
        }
        let expected = std::path::Path::new("../maps/a.png");
        assert_eq!(relative(&maps.join("a.png"), &parts), expected);
        // a folder that does not exist cannot be left
        let (file, absent) = (maps.join("a.png"), folder.path().join("none"));
        assert_eq!(relative(&file, &absent), file);
    }
}
