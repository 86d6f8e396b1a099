//! The vocabulary as schemas for editors, as JSON for programs and as a reference page.
//!
//! All of them are generated from the tables that the reader uses and from the parameters that the
//! models of the catalogue declare.

mod document;
mod markdown;
mod models;
mod pages;
mod vehicle_file;
mod xsd;

use simhost_model::Classes;

/// Returns the reference in Markdown.
pub fn markdown(classes: &dyn Classes) -> String {
    markdown::page(&document::document(classes))
}

/// Returns the whole vocabulary as JSON.
pub fn json(classes: &dyn Classes) -> String {
    let document = document::document(classes);
    serde_json::to_string_pretty(&document).expect("names are texts and numbers are finite")
}

/// Returns the JSON Schema of vehicle files.
pub fn vehicle_file(classes: &dyn Classes) -> String {
    vehicle_file::text(&document::document(classes))
}

/// Returns an XML Schema 1.0 as file names and contents. The first file describes the world, the
/// others the prefixes `vehicle`, `block` and `actor`.
///
/// The schema allows expressions in place of numbers and elements in any order. An element whose
/// contents depend on a class can contain the parameters of every class; the loader checks the
/// rest.
pub fn xsd(classes: &dyn Classes) -> Vec<(String, String)> {
    xsd::files(&document::document(classes))
}
