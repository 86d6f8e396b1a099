//! Expansion of a world file: from the tree of the file to a tree without includes, variables,
//! loops, conditions and `$`.
//!
//! A single pass in document order produces the expanded tree. Every vehicle and block in it has a
//! name, every text is a final value, and every text keeps the position where it was written. Parts
//! of a tree without anything to replace are moved instead of copied.
//!
//! MVSim evaluates some places and not others. Here, every place is evaluated: at any depth, in
//! attributes and texts alike, with the same functions. A name refers to the first of the
//! following:
//!
//! 1. `NAME` and `PARENT_NAME` within a vehicle, block, actor or sensor;
//! 2. `MVSIM_CURRENT_FILE_DIRECTORY`, the directory of the file that contains the text;
//! 3. a variable or loop variable declared within the same vehicle, block, actor or class;
//! 4. an argument of the include, in the text of the included file. The argument is evaluated where
//!    it is used, with the names of the including file;
//! 5. a variable of the world. A class that is declared in an included file or in a loop sees the
//!    value at its declaration; a class of the main file sees the value where the class is used;
//! 6. in an included file, an environment variable of the process, with a warning. The files that
//!    ship with MVSim do not rely on this, but other files may.

mod classes;
mod document;
mod evaluation;
mod files;
mod flow;
mod foreign_vehicles;
mod includes;
mod pass;
mod shell;
mod state;
mod variables;

pub(crate) use document::{Expanded, Known, expand_file, expand_fragment, expand_text};
pub(crate) use evaluation::evaluate_alone;

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
