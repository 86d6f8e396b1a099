//! The elements of the language.

use crate::vocabulary::{Entry, Section, Value, attribute, child, integer, section};

static INCLUDE: Section = section(
    "include",
    "Includes another file. Every other attribute is an argument, which that file reads as `${name}`.",
    &[attribute("file", Value::Uri, "Path relative to the file that contains this element.")
        .required()],
);

static VARIABLE: Section = section(
    "variable",
    "Sets a variable.",
    &[
        attribute("name", Value::Text, "Name, used as `${name}` and as `name` in `$f{…}`.")
            .required(),
        attribute("value", Value::Text, "Value from here on.").required(),
    ],
);

static FOR: Section = section(
    "for",
    "Repeats its contents for every whole number of a range.",
    &[
        attribute("var", Value::Text, "Name of the loop variable.").required(),
        attribute("from", integer(""), "First value.").required(),
        attribute("to", integer(""), "Last value.").required(),
    ],
);

static IF: Section = section(
    "if",
    "Keeps its contents if a condition holds.",
    &[attribute("condition", Value::Text, "true, yes, on, or a whole number other than 0.")
        .required()],
);

/// The `<include>` of elements that can contain one.
pub(crate) const INCLUDE_ENTRY: Entry =
    child("include", Value::Element(&INCLUDE), "Includes another file.").repeats();
/// The `<variable>` of elements that can contain one.
pub(crate) const VARIABLE_ENTRY: Entry =
    child("variable", Value::Element(&VARIABLE), "Sets a variable.").repeats();
/// The `<for>` of elements that can contain one.
pub(crate) const FOR_ENTRY: Entry =
    child("for", Value::Element(&FOR), "Repeats its contents.").repeats();
/// The `<if>` of elements that can contain one.
pub(crate) const IF_ENTRY: Entry =
    child("if", Value::Element(&IF), "Keeps its contents if a condition holds.").repeats();
