//! The vocabulary as documents: for editors, for programs, for people.
//!
//! All three come from the tables that the reader uses and from the parameters that every model of the
//! catalogue declares.

mod document;
mod markdown;
mod models;
mod xsd;

use simhost_model::Classes;

/// The reference as Markdown.
pub fn markdown(classes: &dyn Classes) -> String {
    markdown::page(&document::document(classes))
}

/// The whole vocabulary as JSON, for other programs.
pub fn json(classes: &dyn Classes) -> String {
    let document = document::document(classes);
    serde_json::to_string_pretty(&document).expect("names are texts and numbers are finite")
}

/// XML Schema 1.0, as file names and their contents: the first is that of the world, the others are those
/// of the prefixes `vehicle`, `block` and `actor`. Numbers may be expressions, tags may stand in any
/// order, and what depends on a class may hold what any class reads: the rest is for the loader.
pub fn xsd(classes: &dyn Classes) -> Vec<(String, String)> {
    xsd::files(&document::document(classes))
}
