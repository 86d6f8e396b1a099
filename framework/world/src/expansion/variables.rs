//! Variables of the world and of the thing at hand.

use std::collections::HashMap;
use std::rc::Rc;

use compact_str::CompactString;

/// Most variables that are watched for a change.
const MAX_WATCHED: usize = 100;

/// Values by name.
pub(crate) type Table = HashMap<CompactString, CompactString>;

/// What the evaluation of a class depended on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dependence {
    /// On the instance: its name, a draw, or more than can be watched.
    pub instance: bool,
    variables: Vec<(CompactString, Option<CompactString>)>,
}

#[derive(Debug, Default)]
pub(crate) struct Variables {
    world: Rc<Table>,
    /// Declared within the thing at hand.
    local: Table,
    watched: Option<Dependence>,
}

impl Variables {
    pub(crate) fn set_world(&mut self, name: CompactString, value: CompactString) {
        Rc::make_mut(&mut self.world).insert(name, value);
    }

    pub(crate) fn set_local(&mut self, name: CompactString, value: CompactString) {
        self.local.insert(name, value);
    }

    /// Forgets what was declared within a thing.
    pub(crate) fn leave(&mut self) {
        self.local.clear();
    }

    pub(crate) fn local(&self, name: &str) -> Option<&CompactString> {
        self.local.get(name)
    }

    pub(crate) fn world(&mut self, name: &str) -> Option<&CompactString> {
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

    /// The variables as they are now.
    pub(crate) fn snapshot(&self) -> Rc<Table> {
        Rc::clone(&self.world)
    }

    /// Names of all variables.
    pub(crate) fn names(&self) -> impl Iterator<Item = &CompactString> {
        self.world.keys().chain(self.local.keys())
    }

    /// From now on, notes what an evaluation depends on.
    pub(crate) fn watch(&mut self) {
        self.watched = Some(Dependence::default());
    }

    /// The evaluation depends on the instance.
    pub(crate) fn note_instance(&mut self) {
        if let Some(watched) = &mut self.watched {
            watched.instance = true;
        }
    }

    /// What was noted.
    pub(crate) fn watched(&mut self) -> Dependence {
        self.watched.take().unwrap_or_default()
    }

    /// Whether an evaluation would come out the same again.
    pub(crate) fn unchanged(&self, dependence: &Dependence) -> bool {
        let same = |(name, value): &(CompactString, Option<CompactString>)| {
            self.world.get(name.as_str()) == value.as_ref()
        };
        !dependence.instance && dependence.variables.iter().all(same)
    }
}
