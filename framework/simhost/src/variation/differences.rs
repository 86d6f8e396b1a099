//! The differences between the members of an ensemble.

use std::collections::BTreeSet;

use super::column::{Drawn, ValueColumn};
use super::difference::Difference;
use super::distribution::{Distribution, VariedValue};
use super::grammar::Variation;
use super::sobol::DIMENSIONS;
use super::target::{Place, Target};
use crate::error::{Error, VariationError};
use crate::session::Session;

/// Greatest number of members.
const MOST_MEMBERS: u64 = 1 << 32;
/// Number of values up to which all numbers of a list are checked; of longer ones, the least and the greatest are.
const CHECKED: usize = 64;

/// The differences between the members of an ensemble, or between the runs of a study.
#[derive(Clone, Debug)]
pub struct Differences {
    columns: Vec<NamedColumn>,
    steps: Vec<Step>,
    /// Column of the seed, with the seeds that it selects from.
    seeds: Option<(usize, Vec<u64>)>,
    members: usize,
    seed: u64,
}

/// A variation with its values.
#[derive(Clone, Debug)]
struct NamedColumn {
    name: String,
    values: ValueColumn,
    /// Numbers of the values of a list, as many for each value as the target has.
    numbers: Vec<f64>,
}

/// Makes one difference of each member.
#[derive(Clone, Debug)]
enum Step {
    Parameter { column: usize },
    Pose { entity: String, from: Numbers },
    Velocity { entity: String, from: Numbers },
    Command { vehicle: String, kind: String, from: Numbers },
}

impl Step {
    /// Returns the place of the kind in the order in which differences are made.
    fn order(&self) -> u8 {
        match self {
            Self::Parameter { .. } => 0,
            Self::Pose { .. } => 1,
            Self::Velocity { .. } => 2,
            Self::Command { .. } => 3,
        }
    }
}

/// Where several numbers come from.
#[derive(Clone, Debug)]
struct Numbers {
    /// Numbers that do not vary.
    base: Vec<f64>,
    /// Column of all numbers.
    whole: Option<usize>,
    /// Columns of single numbers, with their indices.
    parts: Vec<(usize, usize)>,
}

impl Differences {
    /// Connects variations with the world of a session and a number of members.
    ///
    /// | Name | Value |
    /// |---|---|
    /// | `seed` | seed of a member, a whole number; without it, member k has the seed `seed + k`, modulo 2⁶⁴ |
    /// | a name of [`World::parameters`](simhost_world::World::parameters), such as `robot/friction/mu` | as in a world file |
    /// | `ENTITY/pose` | `x y yaw`, m, m, rad, world frame |
    /// | `ENTITY/pose/x`, `/y`, `/yaw` | one of these; the others are those of the session |
    /// | `ENTITY/velocity` | `vx vy omega`, m/s, m/s, rad/s, with the meaning of [`Edits::set_velocity`](crate::Edits::set_velocity) |
    /// | `ENTITY/velocity/vx`, `/vy`, `/omega` | one of these; the others are those of the session |
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
    /// number of values. Of a normal distribution, the first draws of all members are checked. Combinations of
    /// values that a model rejects are found when the difference is made.
    pub fn new(
        variations: Vec<Variation>,
        session: &Session,
        members: usize,
        seed: u64,
    ) -> Result<Self, VariationError> {
        if !(1..=MOST_MEMBERS).contains(&(members as u64)) {
            return Err(VariationError::Members { found: members });
        }
        let mut made = Self { columns: Vec::new(), steps: Vec::new(), seeds: None, members, seed };
        let mut dimension = 0;
        let mut taken = BTreeSet::new();
        for Variation { name, values } in variations {
            let target = Target::find(&name, session)?;
            let wrong = |problem: String| VariationError::Value { name: name.clone(), problem };
            values.check().map_err(|(_, problem)| wrong(problem))?;
            check_length(&values, members).map_err(wrong)?;
            if !taken.insert(name.clone()) {
                return Err(wrong("it varies twice; expected one variation".to_owned()));
            }
            if matches!(values, Distribution::Sobol { .. }) {
                if dimension == DIMENSIONS {
                    let problem = format!(
                        "it is Sobol dimension {}; expected at most {dimension}",
                        dimension + 1
                    );
                    return Err(wrong(problem));
                }
                dimension += 1;
            }
            let numbers = numbers_of(&values, &target).map_err(wrong)?;
            let values =
                ValueColumn::new(&name, values, (members, seed), dimension.saturating_sub(1));
            made.columns.push(NamedColumn { name, values, numbers });
            made.add(target, session)?;
        }
        made.keep_velocities(session);
        made.steps.sort_by_key(Step::order);
        Ok(made)
    }

    /// Adds what the last column varies.
    fn add(&mut self, target: Target, session: &Session) -> Result<(), VariationError> {
        let column = self.columns.len() - 1;
        match target {
            Target::Seed => self.seeds = Some((column, self.seeds_of(column)?)),
            Target::Parameter => {
                self.check_parameter(column, session)?;
                self.steps.push(Step::Parameter { column });
            }
            Target::Pose(Place { entity, part }) => {
                let from = self.steps.iter_mut().find_map(|step| match step {
                    Step::Pose { entity: known, from } if *known == entity => Some(from),
                    _ => None,
                });
                if let Some(from) = from {
                    return from.add(column, part).map_err(|()| self.overlap(column));
                }
                let from = Numbers::new(motion_of(session, &entity)[0].to_vec(), column, part);
                self.steps.push(Step::Pose { entity, from });
            }
            Target::Velocity(Place { entity, part }) => {
                let from = self.steps.iter_mut().find_map(|step| match step {
                    Step::Velocity { entity: known, from } if *known == entity => Some(from),
                    _ => None,
                });
                if let Some(from) = from {
                    return from.add(column, part).map_err(|()| self.overlap(column));
                }
                let from = Numbers::new(motion_of(session, &entity)[1].to_vec(), column, part);
                self.steps.push(Step::Velocity { entity, from });
            }
            Target::Command { vehicle, kind, width, part } => {
                let from = self.steps.iter_mut().find_map(|step| match step {
                    Step::Command { vehicle: known, kind: own, from }
                        if (&*known, &*own) == (&vehicle, &kind) =>
                    {
                        Some(from)
                    }
                    _ => None,
                });
                if let Some(from) = from {
                    return from.add(column, part).map_err(|()| self.overlap(column));
                }
                let from = Numbers::new(vec![0.0; width], column, part);
                self.steps.push(Step::Command { vehicle, kind, from });
            }
        }
        Ok(())
    }

    fn overlap(&self, column: usize) -> VariationError {
        let problem = "it varies as a whole and by component; expected one of them".to_owned();
        VariationError::Value { name: self.columns[column].name.clone(), problem }
    }

    /// Lets entities that get another pose, at rest, keep their velocities.
    fn keep_velocities(&mut self, session: &Session) {
        let placed: Vec<String> = self
            .steps
            .iter()
            .filter_map(|step| match step {
                Step::Pose { entity, .. } => Some(entity.clone()),
                _ => None,
            })
            .collect();
        for entity in placed {
            let varies = self.steps.iter().any(
                |step| matches!(step, Step::Velocity { entity: known, .. } if *known == entity),
            );
            let [_, velocity] = motion_of(session, &entity);
            if !varies && velocity != [0.0; 3] {
                let from = Numbers { base: velocity.to_vec(), whole: None, parts: Vec::new() };
                self.steps.push(Step::Velocity { entity, from });
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
        self.columns.iter().map(|column| column.value(self.checked(member), resets)).collect()
    }

    /// Returns the seed of a member after a number of resets.
    pub fn seed_of(&self, member: usize, resets: u64) -> u64 {
        let member = self.checked(member);
        match &self.seeds {
            None => self.seed.wrapping_add(member as u64),
            Some((column, seeds)) => match self.columns[*column].values.draw(member, resets) {
                Drawn::Item(item) => seeds[item],
                Drawn::Number(number) => number as u64,
            },
        }
    }

    /// Returns the differences of a member after a number of resets, except its seed, in the order in which they are
    /// made: parameters, poses, velocities, commands.
    pub fn of_member(&self, member: usize, resets: u64) -> Vec<Difference> {
        let member = self.checked(member);
        let three = |from: &Numbers| {
            let numbers = self.numbers(from, member, resets);
            [numbers[0], numbers[1], numbers[2]]
        };
        let steps = self.steps.iter().map(|step| match step {
            Step::Parameter { column } => {
                let column = &self.columns[*column];
                let value = column.value(member, resets).to_string();
                Difference::Parameter { name: column.name.clone(), value }
            }
            Step::Pose { entity, from } => {
                Difference::Pose { entity: entity.clone(), pose: three(from) }
            }
            Step::Velocity { entity, from } => {
                Difference::Velocity { entity: entity.clone(), velocity: three(from) }
            }
            Step::Command { vehicle, kind, from } => Difference::Command {
                vehicle: vehicle.clone(),
                kind: kind.clone(),
                values: self.numbers(from, member, resets),
            },
        });
        steps.collect()
    }

    fn checked(&self, member: usize) -> usize {
        assert!(member < self.members, "member {member} of {}", self.members);
        member
    }

    /// Returns the numbers of a difference of a member.
    fn numbers(&self, from: &Numbers, member: usize, resets: u64) -> Vec<f64> {
        let mut numbers = from.base.clone();
        let width = numbers.len();
        if let Some(column) = from.whole {
            self.columns[column].fill(member, resets, &mut numbers[..width]);
        }
        for &(part, column) in &from.parts {
            self.columns[column].fill(member, resets, &mut numbers[part..=part]);
        }
        numbers
    }

    /// Returns the seeds from which members have one; none of a range.
    fn seeds_of(&self, column: usize) -> Result<Vec<u64>, VariationError> {
        let NamedColumn { name, values, .. } = &self.columns[column];
        let wrong = |found: String| VariationError::Value {
            name: name.clone(),
            problem: format!("{found}; expected whole numbers from 0 to 18446744073709551615"),
        };
        let whole = |number: f64| number.fract() == 0.0 && (0.0..2_f64.powi(53)).contains(&number);
        if let Distribution::Range { count, .. } = *values.distribution() {
            let numbers = (0..count as usize).map(|member| match values.draw(member, 0) {
                Drawn::Number(number) => number,
                Drawn::Item(_) => f64::NAN,
            });
            let odd = { numbers }.find(|number| !whole(*number));
            return odd.map_or(Ok(Vec::new()), |odd| Err(wrong(format!("a value is {odd}"))));
        }
        let items = values.distribution().items();
        if items.is_empty() {
            return Err(wrong(format!("the distribution is '{}'", values.distribution().kind())));
        }
        let seed = |item: &VariedValue| match item {
            VariedValue::Number(number) if whole(*number) => Ok(*number as u64),
            VariedValue::Text(text) if text.parse::<u64>().is_ok() => {
                Ok(text.parse().unwrap_or_default())
            }
            other => Err(wrong(format!("a value is '{other}'"))),
        };
        items.iter().map(seed).collect()
    }

    /// Checks the values of a parameter.
    fn check_parameter(&self, column: usize, session: &Session) -> Result<(), VariationError> {
        let NamedColumn { name, values, .. } = &self.columns[column];
        for value in self.values_to_check(values) {
            let text = value.to_string();
            session.world().check_parameter(name, &text).map_err(|error| {
                let problem =
                    format!("{} is not accepted: {}", values.distribution(), reason(&error));
                VariationError::Value { name: name.clone(), problem }
            })?;
        }
        Ok(())
    }

    /// Returns values that a parameter must accept: texts, ends of ranges, and a number that is not whole if there is
    /// one.
    fn values_to_check(&self, values: &ValueColumn) -> Vec<VariedValue> {
        let distribution = values.distribution();
        let draw = |member| match values.draw(member, 0) {
            Drawn::Number(number) => number,
            Drawn::Item(item) => distribution.items()[item].numbers().map_or(0.0, |all| all[0]),
        };
        let mut numbers: Vec<f64> = match (distribution, distribution.ends()) {
            (_, Some(ends)) => ends.into_iter().chain([draw(0)]).collect(),
            (Distribution::Normal { .. }, None) => (0..self.members).map(draw).collect(),
            _ => {
                let items = distribution.items();
                let mut texts = BTreeSet::new();
                let distinct = items.iter().filter(|item| texts.insert(item.to_string()));
                let distinct: Vec<&VariedValue> = distinct.collect();
                let single = |item: &&VariedValue| match item.numbers().as_deref() {
                    Some([number]) => Some(*number),
                    _ => None,
                };
                let numbers: Option<Vec<f64>> = distinct.iter().map(single).collect();
                match numbers {
                    Some(numbers) if numbers.len() > CHECKED => numbers,
                    _ => return distinct.into_iter().cloned().collect(),
                }
            }
        };
        let part = numbers.iter().copied().find(|number| number.fract() != 0.0);
        numbers.sort_by(f64::total_cmp);
        let ends = [numbers[0], numbers[numbers.len() - 1]];
        ends.into_iter().chain(part).map(VariedValue::Number).collect()
    }
}

impl NamedColumn {
    /// Returns the value of a member.
    fn value(&self, member: usize, resets: u64) -> VariedValue {
        match self.values.draw(member, resets) {
            Drawn::Number(number) => VariedValue::Number(number),
            Drawn::Item(item) => self.values.distribution().items()[item].clone(),
        }
    }

    /// Writes the numbers of a member.
    fn fill(&self, member: usize, resets: u64, to: &mut [f64]) {
        match self.values.draw(member, resets) {
            Drawn::Number(number) => to.fill(number),
            Drawn::Item(item) => to.copy_from_slice(&self.numbers[item * to.len()..][..to.len()]),
        }
    }
}

impl Numbers {
    fn new(base: Vec<f64>, column: usize, part: Option<usize>) -> Self {
        let mut numbers = Self { base, whole: None, parts: Vec::new() };
        match part {
            None => numbers.whole = Some(column),
            Some(part) => numbers.parts.push((part, column)),
        }
        numbers
    }

    /// Adds a component.
    ///
    /// # Errors
    /// The numbers vary as a whole, or shall.
    fn add(&mut self, column: usize, part: Option<usize>) -> Result<(), ()> {
        match part {
            Some(part) if self.whole.is_none() => {
                self.parts.push((part, column));
                Ok(())
            }
            _ => Err(()),
        }
    }
}

/// Checks the number of values of a list.
fn check_length(values: &Distribution, members: usize) -> Result<(), String> {
    let (count, exact) = match values {
        Distribution::List(values) => (values.len() as u64, false),
        Distribution::Range { count, .. } => (*count, false),
        Distribution::Column(values) => (values.len() as u64, true),
        _ => return Ok(()),
    };
    if count > members as u64 || (exact && count != members as u64) {
        let most = if exact { "" } else { "at most " };
        return Err(format!(
            "it has {count} values; expected {most}{members}, the number of members"
        ));
    }
    Ok(())
}

/// Returns the numbers of the values of a list, one value after the other; none for a text.
fn numbers_of(values: &Distribution, target: &Target) -> Result<Vec<f64>, String> {
    let Some(width) = target.width() else { return Ok(Vec::new()) };
    let items = values.items();
    if items.is_empty() && width != 1 {
        return Err(format!(
            "the distribution '{}' gives one number; expected texts of {width} numbers, or a variation of a component",
            values.kind()
        ));
    }
    let mut all = Vec::with_capacity(items.len() * width);
    for item in items {
        match item.numbers() {
            Some(numbers) if numbers.len() == width => all.extend(numbers),
            _ => {
                let numbers = if width == 1 { "a finite number" } else { "finite numbers" };
                let count = if width == 1 { String::new() } else { format!("{width} ") };
                return Err(format!("a value is '{item}'; expected {count}{numbers}"));
            }
        }
    }
    Ok(all)
}

/// Returns pose and velocity of an entity in a session. They are exactly those of the world file while the entity has
/// them.
fn motion_of(session: &Session, entity: &str) -> [[f64; 3]; 2] {
    let Ok((pose, velocity)) = session.simulation().motion_of(entity) else {
        return [[0.0; 3]; 2];
    };
    let world = session.world().description();
    let described = world.and_then(|world| {
        let block = entity.strip_prefix("block/");
        let vehicle = world.vehicles.iter().find(|one| one.name == entity);
        let block = world.blocks.iter().find(|one| Some(&*one.name) == block);
        let of_vehicle = vehicle.map(|one| (one.pose, one.velocity));
        of_vehicle.or(block.map(|one| (one.pose, one.velocity)))
    });
    let Some((start, initial)) = described else { return [pose, velocity] };
    let exact = |now: [f64; 3], known: [f64; 3]| {
        let is_near = |(a, b): (f64, f64)| (a - b).abs() <= 1e-12 * b.abs().max(1.0);
        if now.into_iter().zip(known).all(is_near) { known } else { now }
    };
    [exact(pose, [start.x, start.y, start.yaw]), exact(velocity, initial)]
}

/// Returns the reason why a value is not accepted, in one line.
fn reason(error: &Error) -> String {
    match error {
        Error::Load(load) => load.diagnostics.first().map_or_else(String::new, |one| {
            let parts = [&*one.message, &*one.label].into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("; ")
        }),
        other => other.to_string(),
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
