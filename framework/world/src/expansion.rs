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
mod includes;
mod instances;
mod open;
mod pass;
mod replacement;
mod scope;
mod shell;
mod state;
mod variables;
mod vehicle_files;
mod vocabulary;

pub(crate) use document::{Expanded, Known, expand_file, expand_fragment, expand_text};
pub(crate) use evaluation::evaluate_alone;
pub(crate) use vocabulary::{FOR_ENTRY, IF_ENTRY, INCLUDE_ENTRY, VARIABLE_ENTRY};
