//! Parts of a run: its values, seed, differences and identifier.

use std::sync::Arc;

use sha2::{Digest, Sha256};
use simhost::{Distribution, Variation};

use super::{RunVariations, StudyPlan};
use crate::error::StudyError;
use crate::open_world::{OpenWorld, Variables};
use crate::study::{PlanValue, VARIABLE};

impl StudyPlan {
    /// Returns the values of what varies in a run, as texts of rows.
    pub fn values(&self, run: u64) -> Vec<String> {
        self.design.values(run).iter().map(ToString::to_string).collect()
    }

    /// Returns the seed of a run.
    pub fn seed_of(&self, run: u64) -> u64 {
        let varied = self.study.vary.iter().position(|one| one.value.name == "seed");
        let varied = varied.map(|axis| self.design.value(run, axis).to_string());
        let fixed = self.study.set.iter().find(|one| one.value.name == "seed");
        let fixed = fixed.and_then(|one| one.value.values.items().first());
        // both have been checked
        let given = varied.or(fixed.map(ToString::to_string));
        let own = if self.study.common_seeds { self.design.repetition(run) } else { run };
        let given = given.and_then(|text| match text.parse::<u64>() {
            Ok(seed) => Some(seed),
            Err(_) => text.parse::<f64>().ok().map(|seed| seed as u64),
        });
        given.unwrap_or_else(|| self.seed.wrapping_add(own))
    }

    /// Returns the values of variables of the world in a run.
    pub(crate) fn variables(&self, run: u64) -> Variables {
        let fixed = self.study.set.iter().filter_map(|one| {
            let value = one.value.values.items().first()?;
            Some((one.value.name.clone(), value.to_string()))
        });
        let varied = self.study.vary.iter().enumerate();
        let varied = varied.filter(|(_, one)| one.value.name.starts_with(VARIABLE));
        let varied = varied
            .map(|(axis, one)| (one.value.name.clone(), self.design.value(run, axis).to_string()));
        fixed.filter(|(name, _)| name.starts_with(VARIABLE)).chain(varied).collect()
    }

    /// Returns whether runs differ in variables of the world.
    pub(crate) fn has_variables(&self) -> bool {
        self.study.vary.iter().any(|one| one.value.name.starts_with(VARIABLE))
    }

    /// Returns the world of a run.
    pub(crate) fn world_of(&self, run: u64) -> Result<Arc<OpenWorld>, StudyError> {
        self.worlds.with(&self.variables(run))
    }

    /// Returns the differences of a run, fixed ones first.
    pub(crate) fn differences(&self, run: u64) -> RunVariations {
        let is_own = |one: &&PlanValue<Variation>| is_difference(&one.value.name);
        let fixed = self.study.set.iter().filter(is_own).filter_map(|one| {
            let value = one.value.values.items().first()?;
            Some((one.value.name.clone(), value.clone()))
        });
        let varied = self.study.vary.iter().enumerate().filter(|(_, one)| is_own(one));
        let varied =
            varied.map(|(axis, one)| (one.value.name.clone(), self.design.value(run, axis)));
        fixed.chain(varied).collect()
    }

    /// Returns the variations of an ensemble whose members are runs.
    pub(crate) fn variations(&self, runs: &[u64]) -> Vec<Variation> {
        let fixed = self.study.set.iter().map(|one| one.value.clone());
        let mut all: Vec<Variation> = fixed.filter(|one| is_difference(&one.name)).collect();
        for (axis, one) in self.study.vary.iter().enumerate() {
            if is_difference(&one.value.name) {
                let values = runs.iter().map(|run| self.design.value(*run, axis)).collect();
                let values = Distribution::Column(values);
                all.push(Variation { name: one.value.name.clone(), values });
            }
        }
        let seeds = runs.iter().map(|run| self.seed_of(*run).to_string()).collect();
        all.push(Variation::texts("seed", seeds));
        all
    }

    /// Returns the identifier of a run of `world`: the first 64 bits of SHA-256 over everything that affects its results,
    /// in hexadecimal digits.
    pub(crate) fn id_in(&self, world: &OpenWorld, run: u64) -> String {
        let mut hash = world.identity.clone();
        let mut differences = self.differences(run);
        differences.sort_by(|one, other| one.0.cmp(&other.0));
        for (name, value) in differences {
            hash.update(format!("{name}={value}\n"));
        }
        hash.update(format!("seed {}\n", self.seed_of(run)));
        hex(&hash.finalize()[..8])
    }

    /// Returns the identifier of a run: 16 hexadecimal digits over everything that affects its
    /// results. For a run whose world cannot be read, it covers only its values.
    pub fn id(&self, run: u64) -> String {
        match self.world_of(run) {
            Ok(world) => self.id_in(&world, run),
            Err(_) => {
                let mut hash = Sha256::new();
                hash.update(format!("{:?} {:?}", self.variables(run), self.values(run)));
                hex(&hash.finalize()[..8])
            }
        }
    }
}

fn is_difference(name: &str) -> bool {
    name != "seed" && !name.starts_with(VARIABLE)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
