//! The pages of the documentation.

use std::path::PathBuf;

use crate::support::projects::root;

/// A page in Markdown.
pub struct Page {
    /// File name.
    pub name: String,
    /// Path of the file.
    pub path: PathBuf,
    /// Content of the file.
    pub text: String,
}

fn page(path: PathBuf) -> Page {
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    let text = std::fs::read_to_string(&path).unwrap();
    Page { name, path, text }
}

/// Returns the pages of the book, sorted by name.
pub fn book() -> Vec<Page> {
    let entries = std::fs::read_dir(root().join("docs/src")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut pages: Vec<Page> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "md")).map(page).collect();
    pages.sort_by(|one, other| one.name.cmp(&other.name));
    pages
}

/// Pages in the root of the repository.
const ROOT_PAGES: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "RELEASING.md",
    "SECURITY.md",
    "VERSIONING.md",
];

/// Returns the pages of the book and those in the root of the repository.
pub fn all() -> Vec<Page> {
    let mut pages = book();
    pages.extend(ROOT_PAGES.map(|name| page(root().join(name))));
    pages
}

/// Returns a text in which the parts between markers are made anew. A marker is `begin`, some words and ` -->`; its
/// part ends with `<!-- end -->`.
///
/// # Errors
/// A part has no end, or cannot be made.
pub fn renewed(
    text: &str,
    begin: &str,
    make: impl Fn(&str) -> Result<String, String>,
) -> Result<String, String> {
    const END: &str = "<!-- end -->";
    let (mut made, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(begin) {
        let (words, after) = after.split_once(" -->").ok_or("a marker does not end")?;
        let (_, after) = after.split_once(END).ok_or(format!("`{words}` has no {END}"))?;
        made += &format!("{before}{begin}{words} -->\n\n{}\n{END}", make(words)?);
        rest = after;
    }
    Ok(made + rest)
}

impl Page {
    /// Returns the text outside of code blocks, line by line.
    pub fn prose(&self) -> impl Iterator<Item = &str> {
        let mut in_block = false;
        self.text.lines().filter(move |line| {
            let fence = line.trim_start().starts_with("```");
            in_block ^= fence;
            !in_block && !fence
        })
    }

    /// Returns the words of all code: spans of a line, and lines of blocks.
    pub fn code(&self) -> Vec<String> {
        let mut code = Vec::new();
        let mut in_block = false;
        for line in self.text.lines() {
            if line.trim_start().starts_with("```") {
                in_block = !in_block;
            } else if in_block {
                code.push(line.to_owned());
            } else {
                code.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
            }
        }
        code
    }
}
