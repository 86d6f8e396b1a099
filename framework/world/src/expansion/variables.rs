//! Variables of the world and of the vehicle, block, actor or class that is being expanded.

use std::collections::HashMap;
use std::rc::Rc;

use compact_str::CompactString;

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
