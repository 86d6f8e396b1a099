//! Comparison of a snapshot with the simulation that is to be restored from it.

use std::sync::Arc;

use super::error::RestoreError;
use super::header::SnapshotHeader;
use crate::model::ModelStamp;

/// Required agreement of a snapshot with a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fit {
    /// Same world, same models and same version of the program. The run continues bit for bit.
    #[default]
    Exact,
    /// Same vehicles, classes and state slots. The run can take another course.
    Slots,
}

/// Differences between a snapshot and a simulation.
#[derive(Default)]
struct Differences {
    /// The simulation has no place for some of the state.
    hard: Vec<String>,
    /// The run can take another course.
    soft: Vec<String>,
}

/// Compares the header of a snapshot with that of a simulation.
///
/// # Errors
/// [`RestoreError::Misfit`] if the snapshot does not fit.
pub(super) fn check(
    was: &SnapshotHeader,
    is: &SnapshotHeader,
    fit: Fit,
) -> Result<(), RestoreError> {
    let mut differences = Differences::default();
    // those of one simulation are the same lists
    if !Arc::ptr_eq(&was.vehicles, &is.vehicles) {
        differences.compare_vehicles(&was.vehicles, &is.vehicles);
    }
    if was.dt != is.dt {
        let text = format!("its step is {} s, that of the world is {} s", was.dt, is.dt);
        differences.hard.push(text);
    }
    if !Arc::ptr_eq(&was.models, &is.models) {
        differences.compare_models(&was.models, &is.models);
    }
    if was.host != is.host {
        let (was, is) = (&was.host, &is.host);
        differences.soft.push(format!("it was written by simhost {was}, this is simhost {is}"));
    }
    if was.world != is.world && differences.hard.is_empty() {
        let text = "the world, or a file to which it refers, has changed";
        differences.soft.push(text.to_owned());
    }
    differences.into_result(fit)
}

impl Differences {
    fn into_result(self, fit: Fit) -> Result<(), RestoreError> {
        let may_be_forced = self.hard.is_empty();
        if may_be_forced && (fit == Fit::Slots || self.soft.is_empty()) {
            return Ok(());
        }
        let reasons = self.hard.into_iter().chain(self.soft).collect();
        Err(RestoreError::Misfit { reasons, may_be_forced })
    }

    fn compare_vehicles(&mut self, was: &[String], is: &[String]) {
        if was == is {
            return;
        }
        let missing = |from: &[String], of: &[String]| {
            of.iter().find(|name| !from.contains(name)).map(|name| format!("'{name}'"))
        };
        self.hard.push(match (missing(is, was), missing(was, is)) {
            (Some(gone), None) => format!("the world has no vehicle {gone}"),
            (None, Some(new)) => format!("it has no vehicle {new}"),
            (Some(gone), Some(new)) => {
                format!("it has vehicle {gone}, the world has vehicle {new}")
            }
            (None, None) => "the vehicles have another order".to_owned(),
        });
    }

    fn compare_models(&mut self, was: &[ModelStamp], is: &[ModelStamp]) {
        let gone = was.iter().filter(|old| !is.contains(old));
        let mut added: Vec<&ModelStamp> = is.iter().filter(|new| !was.contains(new)).collect();
        for old in gone {
            // variants of a class have the same name
            let found = added.iter().position(|new| has_same_state(old, new));
            let found = found.or_else(|| added.iter().position(|new| name(old) == name(new)));
            match found {
                Some(number) => self.compare_model(old, added.remove(number)),
                None => self.hard.push(format!("the world has no {}", name(old))),
            }
        }
        for new in added {
            self.hard.push(format!("it has no {}", name(new)));
        }
    }

    fn compare_model(&mut self, was: &ModelStamp, is: &ModelStamp) {
        let name = name(is);
        if was.schema != is.schema {
            let (was, is) = (was.schema, is.schema);
            self.hard.push(format!("{name} had schema {was} and now has schema {is}"));
        } else if was.slots != is.slots {
            let (was, is) = (listed(&was.slots), listed(&is.slots));
            self.hard.push(format!("{name} had {was} and now has {is}"));
        } else if was.version != is.version {
            let (was, is) = (&was.version, &is.version);
            self.soft.push(format!("{name} had version {was} and now has version {is}"));
        } else if was.file.is_some() && is.file.is_some() && was.file != is.file {
            let version = &is.version;
            let text = format!("{name} still has version {version}, but its file has changed");
            self.soft.push(text);
        }
    }
}

fn name(model: &ModelStamp) -> String {
    format!("{} {}", model.kind, model.class)
}

fn has_same_state(a: &ModelStamp, b: &ModelStamp) -> bool {
    name(a) == name(b) && (a.schema, &a.slots) == (b.schema, &b.slots)
}

fn listed(slots: &[String]) -> String {
    match slots {
        [] => "no state slots".to_owned(),
        [slot] => format!("the state slot `{slot}`"),
        slots => format!("the state slots `{}`", slots.join("`, `")),
    }
}
