//! Whether a snapshot is one of this world and of these models.

use super::error::RestoreError;
use super::header::{ModelStamp, SnapshotHeader};

/// How well a snapshot must fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fit {
    /// It was taken of the same world with the same models by the same version of the program: the run
    /// goes on bit for bit.
    #[default]
    Exact,
    /// There is a place for everything in it. What the run does from there on is its own.
    Slots,
}

/// In what they differ.
#[derive(Default)]
struct Reasons {
    /// No place for what the snapshot holds.
    hard: Vec<String>,
    /// The run would go on otherwise.
    soft: Vec<String>,
}

/// Compares a snapshot with the simulation that is to go on from it.
///
/// # Errors
/// [`RestoreError::Misfit`].
pub(super) fn check(
    was: &SnapshotHeader,
    is: &SnapshotHeader,
    fit: Fit,
) -> Result<(), RestoreError> {
    let mut reasons = Reasons::default();
    reasons.vehicles(&was.vehicles, &is.vehicles);
    if was.dt != is.dt {
        reasons.hard.push(format!("its step is {} s, that of the world {} s", was.dt, is.dt));
    }
    reasons.models(&was.models, &is.models);
    if was.host != is.host {
        let (was, is) = (&was.host, &is.host);
        reasons.soft.push(format!("simhost {was} wrote it, this is simhost {is}"));
    }
    if was.world != is.world && reasons.hard.is_empty() {
        let text = "the world, or a file that it points to, has been changed since";
        reasons.soft.push(text.to_owned());
    }
    reasons.settle(fit)
}

impl Reasons {
    fn settle(self, fit: Fit) -> Result<(), RestoreError> {
        let may_be_forced = self.hard.is_empty();
        if may_be_forced && (fit == Fit::Slots || self.soft.is_empty()) {
            return Ok(());
        }
        let reasons = self.hard.into_iter().chain(self.soft).collect();
        Err(RestoreError::Misfit { reasons, may_be_forced })
    }

    fn vehicles(&mut self, was: &[String], is: &[String]) {
        if was == is {
            return;
        }
        let missing = |from: &[String], of: &[String]| {
            of.iter().find(|name| !from.contains(name)).map(|name| format!("'{name}'"))
        };
        self.hard.push(match (missing(is, was), missing(was, is)) {
            (Some(gone), None) => format!("the world has no vehicle {gone}"),
            (None, Some(new)) => format!("it knows nothing of vehicle {new}"),
            (Some(gone), Some(new)) => format!("it has vehicle {gone}, the world vehicle {new}"),
            (None, None) => "the vehicles stand in another order".to_owned(),
        });
    }

    fn models(&mut self, was: &[ModelStamp], is: &[ModelStamp]) {
        let gone = was.iter().filter(|old| !is.contains(old));
        let mut added: Vec<&ModelStamp> = is.iter().filter(|new| !was.contains(new)).collect();
        for old in gone {
            // variants of a class have the same name
            let found = added.iter().position(|new| keeps_the_same(old, new));
            let found = found.or_else(|| added.iter().position(|new| name(old) == name(new)));
            match found {
                Some(number) => self.model(old, added.remove(number)),
                None => self.hard.push(format!("the world has no {}", name(old))),
            }
        }
        for new in added {
            self.hard.push(format!("it knows nothing of {}", name(new)));
        }
    }

    fn model(&mut self, was: &ModelStamp, is: &ModelStamp) {
        let name = name(is);
        if was.schema != is.schema {
            let (was, is) = (was.schema, is.schema);
            self.hard.push(format!("{name} remembered by schema {was}, and does by {is} now"));
        } else if was.slots != is.slots {
            let (was, is) = (listed(&was.slots), listed(&is.slots));
            self.hard.push(format!("{name} remembered {was}, and remembers {is} now"));
        } else if was.version != is.version {
            let (was, is) = (&was.version, &is.version);
            self.soft.push(format!("{name} had version {was}, and has {is} now"));
        } else if was.file.is_some() && is.file.is_some() && was.file != is.file {
            let version = &is.version;
            self.soft
                .push(format!("{name} has version {version} as it had, but its file is another"));
        }
    }
}

fn name(model: &ModelStamp) -> String {
    format!("{} {}", model.kind, model.class)
}

fn keeps_the_same(a: &ModelStamp, b: &ModelStamp) -> bool {
    name(a) == name(b) && (a.schema, &a.slots) == (b.schema, &b.slots)
}

fn listed(slots: &[String]) -> String {
    if slots.is_empty() { "nothing".to_owned() } else { format!("`{}`", slots.join("`, `")) }
}
