//! The elements of the language.

use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{Entry, Section, Value, integer, section};

static INCLUDE: Section = section(
    "include",
    "Includes another file. Every other attribute is an argument, which the included file reads as `${name}`.",
    &[attribute(Value::Uri)
        .named("file")
        .doc("Path relative to the file that contains this element.")
        .required()],
);

static VARIABLE: Section = section(
    "variable",
    "Sets a variable.",
    &[
        attribute(Value::Text)
            .named("name")
            .doc("Name, used as `${name}` and as `name` in `$f{…}`.")
            .required(),
        attribute(Value::Text).named("value").doc("Value from here on.").required(),
    ],
);

static FOR: Section = section(
    "for",
    "Repeats its contents for every whole number of a range.",
    &[
        attribute(Value::Text).named("var").doc("Name of the loop variable.").required(),
        attribute(integer("")).named("from").doc("First value.").required(),
        attribute(integer("")).named("to").doc("Last value.").required(),
    ],
);

static IF: Section = section(
    "if",
    "Keeps its contents if a condition holds.",
    &[attribute(Value::Text)
        .named("condition")
        .doc("true, yes, on, or a whole number other than 0.")
        .required()],
);

/// The `<include>` of elements that can contain one.
pub(crate) const INCLUDE_ENTRY: Entry =
    child(Value::Element(&INCLUDE)).named("include").doc("Includes another file.").repeats();
/// The `<variable>` of elements that can contain one.
pub(crate) const VARIABLE_ENTRY: Entry =
    child(Value::Element(&VARIABLE)).named("variable").doc("Sets a variable.").repeats();
/// The `<for>` of elements that can contain one.
pub(crate) const FOR_ENTRY: Entry =
    child(Value::Element(&FOR)).named("for").doc("Repeats its contents.").repeats();
/// The `<if>` of elements that can contain one.
pub(crate) const IF_ENTRY: Entry = child(Value::Element(&IF))
    .named("if")
    .doc("Keeps its contents if a condition holds.")
    .repeats();
