//! Snapshots: the state of a simulation as bytes, to resume or fork a run and to compare runs.
//!
//! A snapshot is complete: a simulation of the same world that is restored from it continues bit for
//! bit like the original. It holds the columns of tables, memories of models, bodies with the contacts
//! and joints of rapier, plans, and the times at which sensors are due. It does not hold the inputs of a
//! run: the world, its models, commands and the seed, which influence the state only through the steps.
//! A run can therefore be forked with other commands or another seed.
//!
//! The state hash is the hash of the same bytes. Two runs with equal inputs and equal state hashes have
//! equal futures.

mod file;

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::encoding::{DecodeError, SnapshotError};
use crate::fault::{Evidence, FaultReport};
use crate::model::ModelStamp;
use crate::simulation::Simulation;

pub use file::{SNAPSHOT_FORMAT, Snapshot};

impl Simulation {
    /// Takes a snapshot of the state after the completed steps. The simulation does not change.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let faults = self.state.faults.iter().map(|fault| serde_json::to_string(&fault.evidence));
        let faults = faults.collect::<Result<_, _>>().map_err(SnapshotError::encoding)?;
        let (header, edits) = (header_of(self), self.state.edits.clone());
        Ok(Snapshot { header, faults, state: self.state.encode()?, edits })
    }

    /// Returns 128 bits over everything that determines the future, given world, models, commands and
    /// seed. The hash does not depend on the number of threads, the build of the program, or the files
    /// from which models were loaded.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn state_hash(&self) -> Result<u128, SnapshotError> {
        self.state.encode().map(|state| file::hash_of(&state, &self.state.edits))
    }

    /// Restores a snapshot, instead of [`Self::start`]. Commands whose time has passed are not carried
    /// out again. The seed stays that of this simulation.
    ///
    /// # Errors
    /// [`RestoreError`] if the snapshot does not fit or is damaged; the simulation then does not change. Only if a model can no
    /// longer save its memory, such as an FMU whose process has ended, the simulation has parts of both states then, and another
    /// snapshot has to be restored.
    pub fn restore(&mut self, snapshot: &Snapshot, fit: Fit) -> Result<(), RestoreError> {
        check_fit(&snapshot.header, &header_of(self), fit)?;
        if snapshot.edits != self.state.edits {
            let reasons = vec!["its world has been changed in another way".to_owned()];
            return Err(RestoreError::Misfit { reasons, may_be_forced: false });
        }
        let faults = snapshot.faults.iter().map(|text| {
            let evidence: Evidence = serde_json::from_str(text).map_err(DecodeError::damaged)?;
            Ok(FaultReport::new(evidence, &self.blueprint.policy))
        });
        let faults = faults.collect::<Result<_, RestoreError>>()?;
        // a snapshot that a simulation of the same origin has taken fits, unless a model rejects its memory
        let is_own = Arc::ptr_eq(&snapshot.header.models, &self.blueprint.models);
        let before = (!is_own || self.state.calls().any(|call| call.memories().is_some()))
            .then(|| self.state.encode());
        if let Err(error) = self.state.decode(&snapshot.state) {
            // a model that cannot save its memory has lost the present state anyway
            if let Ok(before) = before.expect("the state of a simulation of the same origin fits") {
                self.state.decode(&before).expect("a state that this simulation wrote fits it");
            }
            return Err(error.into());
        }
        self.state.faults = faults;
        self.state.skip_commands();
        Ok(())
    }
}

/// Returns the header of a snapshot of a simulation.
fn header_of(of: &Simulation) -> SnapshotHeader {
    SnapshotHeader {
        host: env!("CARGO_PKG_VERSION").to_owned(),
        world: of.blueprint.world,
        vehicles: Arc::clone(of.blueprint.names.all()),
        seed: of.state.seed,
        step: of.state.clock.steps,
        time: of.state.clock.time(),
        dt: of.state.clock.dt,
        models: Arc::clone(&of.blueprint.models),
    }
}

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
fn check_fit(was: &SnapshotHeader, is: &SnapshotHeader, fit: Fit) -> Result<(), RestoreError> {
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

/// Identification of the simulation from which a snapshot was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SnapshotHeader {
    /// Version of the program.
    pub host: String,
    /// Fingerprint of the world, see [`simhost_world::World::fingerprint`].
    pub world: u128,
    /// Names of the vehicles, in the order of the world file.
    pub vehicles: Arc<[String]>,
    /// Seed of the draws up to the snapshot.
    pub seed: u64,
    /// Number of completed steps.
    pub step: u64,
    /// Time after them, s.
    pub time: f64,
    /// Length of a step, s.
    pub dt: f64,
    /// The models, each once.
    pub models: Arc<[ModelStamp]>,
}

// times of a simulation are finite
impl Eq for SnapshotHeader {}

/// A file cannot be used as a snapshot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotFileError {
    /// The file cannot be read.
    #[error("failed to read {path}: {source}", path = path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The file cannot be written.
    #[error("failed to write {path}: {source}", path = path.display())]
    Write {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The file is not a snapshot.
    #[error("the file is not a snapshot: it does not start like one")]
    NotASnapshot,
    /// The file was written by a newer program.
    #[error("the snapshot has format {found}; this program supports formats up to {known}")]
    Newer {
        /// Format of the file.
        found: u32,
        /// Newest format that this program supports.
        known: u32,
    },
    /// Bytes are missing or have changed.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
}

/// A simulation cannot be restored from a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The snapshot is of another world or of other models.
    #[error("the snapshot does not fit: {}", reasons.join("; "))]
    Misfit {
        /// The differences.
        reasons: Vec<String>,
        /// Whether [`Fit::Slots`](Fit::Slots) accepts the snapshot.
        may_be_forced: bool,
    },
    /// A model rejected its memory.
    #[error("{entity}: {class} rejected its memory from the snapshot: {text}")]
    Memory {
        /// Vehicle, with the wheel or sensor where there is one.
        entity: String,
        /// Full name of the class.
        class: String,
        /// Message of the model.
        text: String,
    },
    /// The bytes are not a state of this world.
    #[error("the snapshot is damaged, or was written by models with another state: {0}")]
    Damaged(String),
}

impl From<DecodeError> for RestoreError {
    fn from(error: DecodeError) -> Self {
        match error {
            DecodeError::Memory { entity, class, text } => Self::Memory { entity, class, text },
            DecodeError::Damaged(text) => Self::Damaged(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use simhost_sdk::Random;

    use super::*;
    use crate::model::ModelStamp;

    fn example() -> Snapshot {
        let model = ModelStamp {
            kind: "friction".to_owned(),
            class: "tests/counter".to_owned(),
            version: "0.1.0".to_owned(),
            schema: 1,
            slots: vec!["calls".to_owned()],
            file: Some(u128::MAX),
        };
        // another variant of the class
        let variant = ModelStamp { slots: vec!["turns".to_owned()], ..model.clone() };
        let header = SnapshotHeader {
            host: "0.1.0".to_owned(),
            world: 1 << 100,
            vehicles: ["a", "b"].map(str::to_owned).into(),
            seed: u64::MAX,
            step: 300,
            time: 1.5,
            dt: 0.005,
            models: [model, variant].into(),
        };
        Snapshot {
            header,
            faults: vec!["{}".to_owned()],
            state: (0..200).collect(),
            edits: String::new(),
        }
    }

    /// Appends the correct hash.
    fn signed(mut body: Vec<u8>) -> Vec<u8> {
        let hash = xxhash_rust::xxh3::xxh3_128(&body).to_le_bytes();
        body.extend_from_slice(&hash);
        body
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let snapshot = example();
        assert_eq!(Snapshot::from_bytes(&snapshot.to_bytes()).expect("as written"), snapshot);
    }

    #[test]
    fn every_change_of_a_bit_is_detected() {
        let good = example().to_bytes();
        for length in 0..good.len() {
            assert!(Snapshot::from_bytes(&good[..length]).is_err(), "cut at {length}");
        }
        for at in 0..good.len() * 8 {
            let mut bent = good.clone();
            bent[at / 8] ^= 1 << (at % 8);
            assert!(Snapshot::from_bytes(&bent).is_err(), "bit {at}");
        }
        assert!(Snapshot::from_bytes(&[&good[..], &[0]].concat()).is_err());
    }

    /// Forged files with a correct hash are read or rejected, without allocating much memory.
    #[test]
    fn a_forged_file_does_no_harm() {
        let good = example().to_bytes();
        let body = &good[..good.len() - 16];
        let mut draws = Random::new(7);
        for _ in 0..20_000 {
            let mut forged = body.to_vec();
            for _ in 0..1 + draws.bits() % 4 {
                let at = 21 + (draws.bits() as usize) % (forged.len() - 21);
                forged[at] = draws.bits() as u8;
            }
            if draws.bits().is_multiple_of(3) {
                forged.truncate(21 + (draws.bits() as usize) % (forged.len() - 21));
            }
            let _ = Snapshot::from_bytes(&signed(forged));
        }
        // a length that exceeds all memory
        let endless = [&body[..21], &[0xff; 9][..], &[0x01]].concat();
        assert!(Snapshot::from_bytes(&signed(endless)).is_err());
    }

    /// A change of a header.
    type Change = fn(&mut SnapshotHeader);

    #[test]
    fn every_difference_is_named() {
        let was = example().header;
        let check = |change: Change, fit| {
            let mut is = was.clone();
            change(&mut is);
            super::check_fit(&was, &is, fit)
        };
        assert_eq!(check(|_| {}, Fit::Exact), Ok(()));
        // inputs of a run
        assert_eq!(check(|is| (is.seed, is.step) = (1, 2), Fit::Exact), Ok(()));
        // linked in instead of loaded from a file
        assert_eq!(check(|is| Arc::make_mut(&mut is.models)[0].file = None, Fit::Exact), Ok(()));
        let changes: [(Change, &str, bool); 9] = [
            (|is| is.host = "9.0.0".to_owned(), "it was written by simhost 0.1.0", true),
            (|is| is.world = 0, "has changed", true),
            (
                |is| Arc::make_mut(&mut is.models)[0].version = "2".to_owned(),
                "had version 0.1.0 and now has version 2",
                true,
            ),
            (|is| Arc::make_mut(&mut is.models)[0].file = Some(3), "its file has changed", true),
            (
                |is| Arc::make_mut(&mut is.models)[0].schema = 2,
                "had schema 1 and now has schema 2",
                false,
            ),
            (
                |is| Arc::make_mut(&mut is.models)[0].slots.clear(),
                "had the state slot `calls` and now has no state slots",
                false,
            ),
            (|is| is.models = [].into(), "the world has no friction tests/counter", false),
            (|is| is.dt = 0.01, "its step is 0.005 s", false),
            (
                |is| Arc::make_mut(&mut is.vehicles).reverse(),
                "the vehicles have another order",
                false,
            ),
        ];
        for (change, text, forced) in changes {
            let Err(error) = check(change, Fit::Exact) else { panic!("{text}") };
            assert!(error.to_string().contains(text), "{error}");
            let RestoreError::Misfit { may_be_forced, .. } = error else { panic!("{error}") };
            assert_eq!(may_be_forced, forced, "{text}");
            assert_eq!(check(change, Fit::Slots).is_ok(), forced, "{text}");
        }
    }
}
