//! Elements of XML documents with their lines, for readers of formats of other programs.
//!
//! [`parse`] reads a document whose size is limited, and refuses entities. [`Element`] gives texts and finite numbers, and
//! [`ReadError`]s that name line, element and attribute. [`Note`]s list what a reader left out.
//!
//! ```
//! use simhost_xml::{Element, Lines, parse};
//!
//! let text = "<road length=\"12.5\"/>";
//! let (document, lines) = (parse(text, 1 << 20).unwrap(), Lines::of(text));
//! let road = Element::root(&document, &lines);
//! assert_eq!(road.number_in("length"), Ok(Some(12.5)));
//! assert_eq!(road.required("id").unwrap_err().to_string(), "line 1: <road> has no attribute `id`");
//! ```

mod element;

pub use element::{Element, Lines, Note, ReadError, parse};
pub use roxmltree::Document;
