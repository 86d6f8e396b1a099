//! What stands for something else.

use super::{Section, Value, attribute, section};

pub(crate) static INCLUDE: Section = section(
    "include",
    "Reads another file in its place. Any further attribute is an argument, which that file reads as `${name}`.",
    &[attribute("file", Value::Uri, "Relative to the file that names it.").required()],
);

pub(crate) static VARIABLE: Section = section(
    "variable",
    "Gives a name to a value.",
    &[
        attribute("name", Value::Text, "Read as `${name}`, and as `name` in `$f{…}`.").required(),
        attribute("value", Value::Text, "Its value from here on.").required(),
    ],
);

pub(crate) static FOR: Section = section(
    "for",
    "Repeats what it holds for every whole number of a range.",
    &[
        attribute("var", Value::Text, "Name of the variable that counts.").required(),
        attribute("from", super::integer(""), "First number.").required(),
        attribute("to", super::integer(""), "Last number.").required(),
    ],
);

pub(crate) static IF: Section = section(
    "if",
    "What it holds counts if a condition holds.",
    &[attribute("condition", Value::Text, "true, yes, on or a whole number that is not 0.")
        .required()],
);
