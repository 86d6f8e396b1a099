//! The meaning of names at one place of a world.

use std::path::Path;
use std::rc::Rc;

use compact_str::CompactString;

use super::variables::Table;
use crate::expression::Key;
use crate::sources::Span;

/// One inclusion of a file, or the main file.
#[derive(Debug)]
pub(super) struct Scope {
    pub directory: Rc<Path>,
    pub included: bool,
    /// Attributes of the include. They are visible in this file only.
    pub arguments: Vec<Argument>,
}

/// An argument of an include. It is evaluated where it is used.
#[derive(Debug)]
pub(super) struct Argument {
    pub name: CompactString,
    pub text: CompactString,
    pub span: Span,
    /// The scope of the names in the text.
    pub scope: Rc<Scope>,
}

impl Scope {
    /// Creates the scope of the main file.
    pub(super) fn main(directory: &Path) -> Self {
        Self { directory: directory.into(), included: false, arguments: Vec::new() }
    }

    pub(super) fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().rfind(|argument| argument.name == name)
    }
}

/// The context of an evaluation: where in the world it happens, and for which instance.
#[derive(Clone, Debug)]
pub(super) struct NameContext {
    pub scope: Rc<Scope>,
    /// Whether elements here are top-level elements of the world.
    pub in_world: bool,
    /// Value of `NAME`.
    pub own: Option<CompactString>,
    /// Value of `PARENT_NAME`.
    pub parent: Option<CompactString>,
    /// Variables of the world at the declaration of a class.
    pub declared: Option<Rc<Table>>,
    /// Whether they take precedence over the current ones.
    pub declared_first: bool,
    /// The part of a draw's key that is not its position: loop iterations, includes and the
    /// instance.
    pub path: Key,
    /// The current instance or class. Positions in its file count from its start, so that a draw
    /// does not depend on what precedes the instance.
    pub origin: Option<Span>,
    pub in_loop: bool,
}

impl NameContext {
    /// Creates the context of top-level elements.
    pub(super) fn world(scope: Rc<Scope>) -> Self {
        Self {
            scope,
            in_world: true,
            own: None,
            parent: None,
            declared: None,
            declared_first: false,
            path: Key::default(),
            origin: None,
            in_loop: false,
        }
    }

    /// Returns the context within an element of the world.
    pub(super) fn inner(&self) -> Self {
        Self { in_world: false, ..self.clone() }
    }
}
