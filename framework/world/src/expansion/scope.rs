//! What names mean at one place of a world.

use std::path::Path;
use std::rc::Rc;

use compact_str::CompactString;

use super::variables::Table;
use crate::expression::Key;
use crate::sources::Span;

/// One reading of a file.
#[derive(Debug)]
pub(crate) struct Scope {
    pub directory: Rc<Path>,
    pub included: bool,
    /// Attributes of the include, visible in this file only.
    pub arguments: Vec<Argument>,
}

/// An argument of an include: its text is replaced where it is used.
#[derive(Debug)]
pub(crate) struct Argument {
    pub name: CompactString,
    pub text: CompactString,
    pub span: Span,
    /// What names in the text mean.
    pub scope: Rc<Scope>,
}

impl Scope {
    pub(crate) fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().rfind(|argument| argument.name == name)
    }
}

/// Where in a world something is evaluated, and for whom.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub scope: Rc<Scope>,
    /// Tags here are those of a world, not the parts of something.
    pub in_world: bool,
    /// `NAME`.
    pub own: Option<CompactString>,
    /// `PARENT_NAME`.
    pub parent: Option<CompactString>,
    /// Variables of the world where a class was declared.
    pub declared: Option<Rc<Table>>,
    /// They hold, rather than those of now.
    pub declared_first: bool,
    /// Rounds of loops, includes and the instance: the part of a draw's key that is not its place.
    pub path: Key,
    /// The instance or class at hand: places in its file count from its start, so that a draw does not
    /// depend on what stands before it.
    pub origin: Option<Span>,
    pub in_loop: bool,
}

impl Context {
    /// The top level of a world.
    pub(crate) fn world(scope: Rc<Scope>) -> Self {
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

    /// Within something.
    pub(crate) fn inner(&self) -> Self {
        Self { in_world: false, ..self.clone() }
    }
}
