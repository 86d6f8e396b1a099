//! Variables of the world and of the vehicle, block, actor or class that is being expanded.

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use compact_str::CompactString;

use crate::expression::Key;
use crate::sources::Span;

/// Maximum number of variables that are watched for changes.
const MAX_WATCHED: usize = 100;

/// Values by name.
pub(super) type Table = HashMap<CompactString, CompactString>;

/// Dependencies of the result of evaluating a class.
#[derive(Clone, Debug, Default)]
pub(super) struct Dependence {
    /// Whether it depends on the instance: its name, a random draw, or more variables than can be
    /// watched.
    pub instance: bool,
    variables: Vec<(CompactString, Option<CompactString>)>,
}

/// All variables, world-wide and local.
#[derive(Debug, Default)]
pub(super) struct Variables {
    world: Rc<Table>,
    /// Variables declared within the current vehicle, block, actor or class.
    local: Table,
    watched: Option<Dependence>,
}

impl Variables {
    pub(super) fn set_world(&mut self, name: CompactString, value: CompactString) {
        Rc::make_mut(&mut self.world).insert(name, value);
    }

    pub(super) fn set_local(&mut self, name: CompactString, value: CompactString) {
        self.local.insert(name, value);
    }

    /// Removes all local variables.
    pub(super) fn leave(&mut self) {
        self.local.clear();
    }

    /// Returns a local variable.
    pub(super) fn local(&self, name: &str) -> Option<&CompactString> {
        self.local.get(name)
    }

    /// Returns a variable of the world and records the dependence on it.
    pub(super) fn world(&mut self, name: &str) -> Option<&CompactString> {
        let value = self.world.get(name);
        if let Some(watched) = &mut self.watched
            && !watched.variables.iter().any(|(known, _)| known == name)
        {
            watched.instance |= watched.variables.len() >= MAX_WATCHED;
            if !watched.instance {
                watched.variables.push((name.into(), value.cloned()));
            }
        }
        value
    }

    /// Returns the current variables of the world.
    pub(super) fn snapshot(&self) -> Rc<Table> {
        Rc::clone(&self.world)
    }

    /// Returns the names of all variables.
    pub(super) fn names(&self) -> impl Iterator<Item = &CompactString> {
        self.world.keys().chain(self.local.keys())
    }

    /// Starts recording dependences.
    pub(super) fn watch(&mut self) {
        self.watched = Some(Dependence::default());
    }

    /// Records a dependence on the instance.
    pub(super) fn depend_on_instance(&mut self) {
        if let Some(watched) = &mut self.watched {
            watched.instance = true;
        }
    }

    /// Stops recording and returns the dependences.
    pub(super) fn watched(&mut self) -> Dependence {
        self.watched.take().unwrap_or_default()
    }

    /// Returns whether an evaluation with these dependences would have the same result again.
    pub(super) fn is_unchanged(&self, dependence: &Dependence) -> bool {
        let same = |(name, value): &(CompactString, Option<CompactString>)| {
            self.world.get(name.as_str()) == value.as_ref()
        };
        !dependence.instance && dependence.variables.iter().all(same)
    }
}

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
