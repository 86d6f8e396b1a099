//! The differences between the members of an ensemble.

use std::collections::BTreeSet;

use super::column::{DrawStream, Drawn, ValueColumn};
use super::difference::Difference;
use super::distribution::{Distribution, VariedValue};
use super::grammar::Variation;
use super::sobol::DIMENSIONS;
use super::target::{Target, TextEntry, motion_of, with_entry};
use super::{NamedColumn, Step, What, checks};
use crate::error::{Error, VariationError};
use crate::session::Session;

/// The differences between the members of an ensemble, or between the runs of a study.
#[derive(Clone, Debug)]
pub struct Differences {
    columns: Vec<NamedColumn>,
    /// Differences of each member, in the order in which they are made.
    steps: Vec<Step>,
    /// Column of the seed, with the seeds from which members have one.
    seeds: Option<(usize, Vec<u64>)>,
    members: usize,
    seed: u64,
}

impl Differences {
    /// Connects variations with the world of a session and a number of members.
    ///
    /// | Name | Value |
    /// |---|---|
    /// | `seed` | seed of a member, a whole number; without it, member k has the seed `seed + k`, modulo 2⁶⁴ |
    /// | a name of [`World::parameters`](simhost_world::World::parameters), such as `robot/friction/mu` | as in a world file |
    /// | such a name with `:KEY`, as `car/friction/coefficients:PKY1` | a value in a parameter that is a text of names with values, separated by `;` |
    /// | `VEHICLE/fault/SENSOR/CODE/KEY`, with the keys `at`, `rate`, `until`, `duration` and `value` that the `<fault>` has | a number, as in a world file |
    /// | `ENTITY/pose` | `x y yaw`, m, m, rad, world frame |
    /// | `ENTITY/pose/x`, `/y`, `/yaw` | one of these; the others are taken from the session |
    /// | `ENTITY/velocity` | `vx vy omega`, m/s, m/s, rad/s, with the meaning of [`Edits::set_velocity`](crate::Edits::set_velocity) |
    /// | `ENTITY/velocity/vx`, `/vy`, `/omega` | one of these; the others are taken from the session |
    /// | `VEHICLE/cmd_vel` and other input streams of commands | values of the command, in its order and units |
    /// | `VEHICLE/cmd_vel/vx` and others | one value of the command; the others are 0 |
    ///
    /// `ENTITY` is a vehicle, or a block that moves as `block/NAME`. Commands hold from the first step on. An entity
    /// whose pose varies keeps its velocity of the session. Random distributions draw with `seed`; variations with
    /// the kind `sobol` have dimensions 1, 2, … in their order.
    ///
    /// # Errors
    /// [`VariationError`] if a name is unknown or varies twice, a value is not accepted, a distribution reaches
    /// beyond the range of a parameter, a list has more values than there are members, or a column has another
    /// number of values. Of a normal distribution, the first draws of all members are checked. Values that a model
    /// rejects together are found by [`Self::check_member`], or when the difference is made.
    pub fn new(
        variations: Vec<Variation>,
        session: &Session,
        members: usize,
        seed: u64,
    ) -> Result<Self, VariationError> {
        if !(1..=1 << 32).contains(&(members as u64)) {
            return Err(VariationError::Members { found: members });
        }
        let mut made = Self { columns: Vec::new(), steps: Vec::new(), seeds: None, members, seed };
        let owners: Vec<String> =
            variations.iter().map(|one| owner(&one.name).to_owned()).collect();
        let mut dimensions = 0;
        let mut taken = BTreeSet::new();
        for variation in variations {
            let name = variation.name.clone();
            let target = Target::find(&name, session)?;
            let is_alone = owners.iter().filter(|other| **other == owner(&name)).count() == 1;
            let added = match taken.insert(name.clone()) {
                true if has_part(&taken, &name) => {
                    Err("it varies as a whole and by value; expected one of them".to_owned())
                }
                true => made.add(variation, target, is_alone, &mut dimensions, session),
                false => Err("it varies twice; expected one variation".to_owned()),
            };
            added.map_err(|problem| VariationError::Value { name, problem })?;
        }
        made.keep_velocities(session);
        made.steps.sort_by_key(|step| step.what.order());
        Ok(made)
    }

    /// Adds a variation. `is_alone` says that no other one has the same model.
    ///
    /// # Errors
    /// What is wrong with it.
    fn add(
        &mut self,
        variation: Variation,
        target: Target,
        is_alone: bool,
        dimensions: &mut usize,
        session: &Session,
    ) -> Result<(), String> {
        if target == Target::Seed {
            return self.add_seeds(variation);
        }
        let Variation { name, values } = variation;
        values.check().map_err(|(_, problem)| problem)?;
        checks::length(&values, self.members)?;
        let numbers = checks::numbers_of(&values, &target)?;
        let dimension = *dimensions;
        if matches!(values, Distribution::Sobol { .. }) {
            *dimensions += 1;
            if dimension == DIMENSIONS {
                return Err(format!(
                    "it is the Sobol dimension {dimensions}; expected at most {DIMENSIONS}"
                ));
            }
        }
        let values = ValueColumn::new(&name, values, self.members, self.seed, dimension);
        let column = self.columns.len();
        let members = self.members;
        match &target {
            Target::Parameter | Target::Fault { .. } => {
                checks::parameter(&name, is_alone, |value| value, &values, members, session)?;
            }
            Target::Entry(TextEntry { parameter, key, text }) => {
                let text_of = |value: String| with_entry(text, key, &value);
                checks::parameter(parameter, is_alone, text_of, &values, members, session)?;
            }
            _ => {}
        }
        let (what, base, part) = What::of(target, column, session);
        self.columns.push(NamedColumn { name, values, numbers });
        self.add_step(what, base, column, part)
    }

    /// Adds the variation of the seed.
    ///
    /// # Errors
    /// What is wrong with it.
    fn add_seeds(&mut self, Variation { name, values }: Variation) -> Result<(), String> {
        values.check().map_err(|(_, problem)| problem)?;
        checks::length(&values, self.members)?;
        let values = ValueColumn::new(&name, values, self.members, self.seed, 0);
        self.seeds = Some((self.columns.len(), checks::seeds(&values)?));
        self.columns.push(NamedColumn { name, values, numbers: Vec::new() });
        Ok(())
    }

    /// Adds a column to the difference that it belongs to.
    ///
    /// # Errors
    /// The numbers vary as a whole and by component.
    fn add_step(
        &mut self,
        what: What,
        base: Vec<f64>,
        column: usize,
        part: Option<usize>,
    ) -> Result<(), String> {
        let (whole, parts) = match part {
            None => (Some(column), Vec::new()),
            Some(part) => (None, vec![(part, column)]),
        };
        match self.steps.iter_mut().find(|step| step.what == what) {
            None => self.steps.push(Step { what, base, whole, parts }),
            Some(step) if step.whole.is_none() && whole.is_none() => step.parts.extend(parts),
            Some(_) => {
                return Err("it varies as a whole and by component; expected one of them".into());
            }
        }
        Ok(())
    }

    /// Lets entities that get another pose, at rest, keep their velocities.
    fn keep_velocities(&mut self, session: &Session) {
        for index in 0..self.steps.len() {
            let What::Pose { entity } = &self.steps[index].what else { continue };
            let what = What::Velocity { entity: entity.clone() };
            let [_, velocity] = motion_of(session, entity);
            if velocity != [0.0; 3] && !self.steps.iter().any(|step| step.what == what) {
                let base = velocity.to_vec();
                self.steps.push(Step { what, base, whole: None, parts: Vec::new() });
            }
        }
    }

    /// Returns the number of members.
    pub fn members(&self) -> usize {
        self.members
    }

    /// Returns the names of the variations, in their order.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.columns.iter().map(|column| &*column.name)
    }

    /// Returns the value of each variation for a member after a number of resets, as a table shows it.
    ///
    /// # Panics
    /// If there is no such member, as the other methods that take one.
    pub fn values(&self, member: usize, resets: u64) -> Vec<VariedValue> {
        self.values_in(DrawStream::of(member, resets), member)
    }

    /// Returns the value of each variation for a member with a stream.
    pub(crate) fn values_in(&self, stream: DrawStream, member: usize) -> Vec<VariedValue> {
        let member = self.checked(member);
        self.columns.iter().map(|column| column.value(member, stream)).collect()
    }

    /// Returns the seed of a member after a number of resets.
    pub fn seed_of(&self, member: usize, resets: u64) -> u64 {
        self.seed_in(DrawStream::of(member, resets), member)
    }

    /// Returns the seed of a member with a stream.
    pub(crate) fn seed_in(&self, stream: DrawStream, member: usize) -> u64 {
        let member = self.checked(member);
        match &self.seeds {
            None => self.seed.wrapping_add(member as u64),
            Some((column, seeds)) => match self.columns[*column].values.draw(member, stream) {
                Drawn::Item(item) => seeds[item],
                Drawn::Number(number) => number as u64,
            },
        }
    }

    /// Returns the seed of one of `members` members, as [`Self::seed_of`] does before a reset. It needs no session, so
    /// that one can be opened with the seed.
    ///
    /// # Errors
    /// [`VariationError`] if the variation of the seed is not accepted.
    pub fn first_seed_of(
        member: usize,
        variations: &[Variation],
        members: usize,
        seed: u64,
    ) -> Result<u64, VariationError> {
        let mut made = Self { columns: Vec::new(), steps: Vec::new(), seeds: None, members, seed };
        for variation in variations.iter().filter(|one| one.name == "seed") {
            let wrong = |problem| VariationError::Value { name: "seed".to_owned(), problem };
            made.add_seeds(variation.clone()).map_err(wrong)?;
        }
        Ok(made.seed_of(member, 0))
    }

    /// Returns the differences of a member after a number of resets, except its seed, in the order in which they are
    /// made: parameters, faults, poses, velocities, commands.
    pub fn of_member(&self, member: usize, resets: u64) -> Vec<Difference> {
        self.differences_in(DrawStream::of(member, resets), member)
    }

    /// Returns the differences of a member with a stream, as [`Self::of_member`].
    pub(crate) fn differences_in(&self, stream: DrawStream, member: usize) -> Vec<Difference> {
        let member = self.checked(member);
        self.steps.iter().map(|step| self.difference(step, member, stream)).collect()
    }

    /// Checks that models accept the parameters of a member together.
    ///
    /// # Errors
    /// [`VariationError::Value`] with the last parameter of a model that rejects them.
    pub fn check_member(&self, member: usize, session: &Session) -> Result<(), VariationError> {
        let differences = self.of_member(member, 0);
        let given: Vec<(&str, &str)> =
            differences.iter().filter_map(Difference::parameter).collect();
        for (number, (name, _)) in given.iter().enumerate() {
            let is_own = |(other, _): &&(&str, &str)| owner(other) == owner(name);
            if given[number + 1..].iter().any(|one| is_own(&one)) {
                continue;
            }
            let own: Vec<(&str, &str)> = given.iter().filter(is_own).copied().collect();
            session.world().check_parameters(&own).map_err(|error| {
                let values: Vec<&str> = own.iter().map(|(_, value)| *value).collect();
                let problem =
                    format!("{} is not accepted: {}", values.join(", "), checks::reason(&error));
                VariationError::Value { name: (*name).to_owned(), problem }
            })?;
        }
        Ok(())
    }

    /// Makes the differences of a member, except its seed, in a session before its first step. Parameters are set in an
    /// order in which their models accept each of them.
    ///
    /// # Errors
    /// As [`Difference::apply`].
    pub fn apply(&self, member: usize, session: &mut Session) -> Result<(), Error> {
        Difference::apply_all(self.of_member(member, 0), session)
    }

    fn checked(&self, member: usize) -> usize {
        assert!(member < self.members, "member {member} of {}", self.members);
        member
    }

    fn difference(&self, step: &Step, member: usize, stream: DrawStream) -> Difference {
        let text = |column: usize| {
            let column = &self.columns[column];
            (column.name.clone(), column.value(member, stream).to_string())
        };
        let mut values = step.base.clone();
        if !values.is_empty() {
            if let Some(column) = step.whole {
                self.columns[column].fill(member, stream, &mut values);
            }
            for &(part, column) in &step.parts {
                self.columns[column].fill(member, stream, &mut values[part..=part]);
            }
        }
        let three = |all: &[f64]| std::array::from_fn(|index| all[index]);
        match step.what.clone() {
            What::Parameter { column } => {
                let (name, value) = text(column);
                Difference::Parameter { name, value }
            }
            What::Text { parameter, text: base } => {
                let value = step.parts.iter().fold(base, |all, (_, column)| {
                    let (name, value) = text(*column);
                    with_entry(&all, name.rsplit(':').next().unwrap_or_default(), &value)
                });
                Difference::Parameter { name: parameter, value }
            }
            What::Fault { column, vehicle, fault } => {
                let (name, value) = text(column);
                Difference::Fault { name, vehicle, fault, value }
            }
            What::Pose { entity } => Difference::Pose { entity, pose: three(&values) },
            What::Velocity { entity } => Difference::Velocity { entity, velocity: three(&values) },
            What::Command { vehicle, kind } => Difference::Command { vehicle, kind, values },
        }
    }
}

impl Differences {
    /// Returns whether members differ in more than their seeds.
    pub(crate) fn differ(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Returns whether differences are drawn anew after a reset.
    pub(crate) fn is_random(&self) -> bool {
        self.columns.iter().any(|column| column.values.distribution().is_random())
    }
}

/// Returns whether a parameter varies as a whole, and a value in it, too. `name` is the later one.
fn has_part(taken: &BTreeSet<String>, name: &str) -> bool {
    let whole = name.rsplit_once(':').map(|(whole, _)| whole);
    let has_whole = whole.is_some_and(|whole| taken.contains(whole));
    has_whole
        || taken
            .range(format!("{name}:")..)
            .next()
            .is_some_and(|next| next.starts_with(&format!("{name}:")))
}

/// Returns the model or the fault that has a parameter.
fn owner(parameter: &str) -> &str {
    parameter.rsplit_once('/').map_or("", |(owner, _)| owner)
}
