//! The variants of a world that the members of an ensemble simulate, and their starts.

use std::collections::BTreeMap;
use std::sync::Arc;

use simhost_engine::{
    Fit, ModelRole, Simulation, Snapshot, StepError, TimedCommand, Variants, WideTables,
};
use simhost_model::ParamValue;
use simhost_streams::Input;
use simhost_world::{LaneOwner, LaneParameter, World};

use crate::builds::Purpose;
use crate::description::Description;
use crate::error::{Error, VariationError};
use crate::options::Options;
use crate::session::{Session, carry_out};
use crate::variation::{Difference, Differences, DrawStream};

/// Starts of the members of an ensemble.
pub(super) struct Starts {
    /// The world, as the members have it except for their differences.
    pub description: Description,
    pub options: Options,
    /// Commands whose times are known.
    pub commands: Vec<TimedCommand>,
    /// Inputs that change the state before the first measurement.
    pub early: Vec<Input>,
    /// State with which all members start, instead of the start of the world.
    pub snapshot: Option<Snapshot>,
    pub differences: Differences,
    /// Whether differences are drawn anew after a reset.
    pub draws_anew: bool,
    /// Random numbers that each member draws at its present start.
    pub streams: Vec<DrawStream>,
    /// Seeds that resets have given.
    pub seeds: Vec<Option<u64>>,
    /// Parameters that differ, by name, with their values in the world.
    parameters: BTreeMap<String, String>,
    /// Parameters that can differ between vehicles of one table, by name.
    lanes: BTreeMap<String, LaneParameter>,
    /// Worlds of all other values of parameters.
    variants: Vec<Description>,
    /// Indices of variants by these values.
    known: BTreeMap<Vec<(String, String)>, usize>,
    /// Variant of each member.
    of_members: Vec<usize>,
}

impl Starts {
    /// Opens a session with the differences of a member.
    pub fn session(&self, start: &Session, member: usize) -> Result<Session, Error> {
        let mut session = start.opened_again(self.seed(member), member)?;
        Difference::apply_all(self.of_member(member), &mut session)?;
        Ok(session)
    }

    /// Draws the random differences of the members of a mask for their next start, and returns whether there are any.
    pub fn draw_again(&mut self, mask: &[bool]) -> Result<bool, Error> {
        let change_variants = self.change_variants();
        for member in (0..mask.len()).filter(|member| mask[*member]) {
            self.streams[member].resets += 1;
            if change_variants {
                self.choose_variant(member)?;
            }
        }
        Ok(self.draws_anew)
    }

    /// Returns the starts of the members of an ensemble of the world of a session.
    ///
    /// # Errors
    /// If a value of a parameter is not accepted.
    pub fn of(session: &Session, differences: Differences) -> Result<Self, Error> {
        let (description, options) = (session.description()?.clone(), session.shared_options());
        let count = differences.members();
        let names = differences.columns();
        let lanes = names.filter_map(|name| {
            Some((name.to_owned(), LaneParameter::find(&description.world, name)?))
        });
        let parameters = description.world.parameters().into_iter();
        let is_varied = |(name, _): &(String, String)| differences.columns().any(|one| one == name);
        let mut starts = Self {
            parameters: parameters.filter(is_varied).collect(),
            lanes: lanes.collect(),
            draws_anew: differences.is_random(),
            description,
            options,
            commands: session.known_commands().to_vec(),
            early: session.early_inputs().to_vec(),
            snapshot: None,
            differences,
            streams: (0..count).map(|member| DrawStream::of(member, 0)).collect(),
            seeds: vec![None; count],
            variants: Vec::new(),
            known: BTreeMap::new(),
            of_members: vec![0; count],
        };
        (0..count).try_for_each(|member| starts.choose_variant(member))?;
        Ok(starts)
    }

    /// Returns the seed of a member.
    pub fn seed(&self, member: usize) -> u64 {
        self.seed_of(member)
    }

    /// Returns the differences of a member at present, except its seed.
    pub fn of_member(&self, member: usize) -> Vec<Difference> {
        self.differences.differences_in(self.streams[member], member)
    }

    /// Returns the texts of the edits of the world of a member, as its snapshots have them.
    pub fn edits(&self, member: usize) -> String {
        let differences = self.of_member(member);
        let parameters = differences.iter().filter_map(Difference::parameter);
        self.description.edits_with(parameters)
    }

    /// Returns the world of a member with its differences.
    ///
    /// # Errors
    /// If a value of a parameter is not accepted.
    pub fn description_of(&self, member: usize) -> Result<Description, Error> {
        let differences = self.of_member(member);
        self.description.with_parameters(differences.iter().filter_map(Difference::parameter))
    }

    /// Returns whether members can change into other variants when they draw anew.
    pub fn change_variants(&self) -> bool {
        // members differ in the same names whatever they draw
        self.draws_anew && self.known.keys().any(|own| !own.is_empty())
    }

    /// Chooses the variant of a member, whose differences may have changed.
    pub fn choose_variant(&mut self, member: usize) -> Result<(), Error> {
        let differences = self.of_member(member);
        let own = differences.iter().filter_map(Difference::parameter);
        let own = own.filter(|(name, _)| !self.lanes.contains_key(*name));
        let own: Vec<_> = own.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        self.of_members[member] = match self.known.get(&own) {
            Some(variant) => *variant,
            None => {
                let given = own.iter().map(|(name, value)| (&**name, &**value));
                self.variants.push(self.description.with_parameters(given)?);
                self.known.insert(own, self.variants.len() - 1);
                self.variants.len() - 1
            }
        };
        Ok(())
    }

    /// Returns whether a parameter has a value in the world from which the members differ.
    fn has(&self, name: &str, value: &str) -> bool {
        let number = |text: &str| text.parse::<f64>().ok();
        let is_same = |known: &String| {
            known == value || number(value).is_some_and(|value| number(known) == Some(value))
        };
        self.parameters.get(name).is_some_and(is_same)
    }

    /// Returns the initial state of a member whose parameters differ from a running simulation.
    fn changed(&self, member: usize, snapshot: &Snapshot) -> Result<Snapshot, Error> {
        let build = |description: &Description| {
            let options = simhost_engine::Options { seed: self.seed_of(member), threads: 1 };
            let mut simulation = description.simulation(options, Purpose::Session)?;
            simulation.set_limits(self.options.limits);
            Ok::<_, Error>(simulation)
        };
        let next = self.description_of(member)?;
        let (mut old, mut new) = (build(&self.description)?, build(&next)?);
        old.restore(snapshot, Fit::Exact)?;
        new.continue_changed(&old, &|vehicle| next.changes_vehicle(&self.description, vehicle))?;
        Ok(new.snapshot()?)
    }

    /// Returns the models for which a member has separate parameters, with the values of all their
    /// parameters.
    fn lane_values(
        &self,
        member: usize,
        differences: &[Difference],
    ) -> Result<Vec<(LaneParameter, Vec<ParamValue>)>, Error> {
        let world = &self.variants[self.of_members[member]].world;
        let mut models: Vec<(LaneParameter, Vec<ParamValue>)> = Vec::new();
        for (name, text) in differences.iter().filter_map(Difference::parameter) {
            let Some(lane) = self.lanes.get(name) else { continue };
            let value = checked(lane, text, member)
                .map_err(|problem| VariationError::Value { name: name.to_owned(), problem })?;
            let is_same =
                |known: &LaneParameter| (known.vehicle, known.owner) == (lane.vehicle, lane.owner);
            let place = models.iter().position(|(known, _)| is_same(known));
            let place = place.unwrap_or_else(|| {
                let values = lane.values(world).map_or(Vec::new(), |values| values.to_vec());
                models.push((*lane, values));
                models.len() - 1
            });
            lane.set(&mut models[place].1, value);
        }
        Ok(models)
    }

    /// Gives the models of a simulation those parameters of a member that can differ between vehicles of one table.
    fn set_lanes(
        &self,
        member: usize,
        differences: &[Difference],
        simulation: &mut Simulation,
    ) -> Result<(), Error> {
        if self.lanes.is_empty() {
            return Ok(());
        }
        let world = &self.variants[self.of_members[member]].world;
        let models = self.lane_values(member, differences)?;
        for (lane, values) in models {
            let role = match lane.owner {
                LaneOwner::Controller => ModelRole::Controller,
                LaneOwner::Friction => ModelRole::Friction,
                LaneOwner::WheelFriction(wheel) => ModelRole::WheelFriction(wheel),
                LaneOwner::Actuator(number) => ModelRole::Actuator(number),
            };
            let values: Arc<[ParamValue]> = values.into();
            simulation.set_model_values(lane.vehicle, role, &values).map_err(|text| {
                let vehicle = &world.vehicles[lane.vehicle].name;
                Error::Variation(VariationError::Rejected {
                    member,
                    vehicle: vehicle.clone(),
                    text,
                })
            })?;
        }
        Ok(())
    }
}

/// Returns the value of a parameter of a member.
///
/// # Errors
/// Describes a value that is not accepted.
fn checked(lane: &LaneParameter, text: &str, member: usize) -> Result<f64, String> {
    let Ok(value) = text.parse::<f64>() else {
        return Err(format!("a value is '{text}'; expected a number"));
    };
    let [low, high] = lane.range();
    match lane.accepts(value) {
        true => Ok(value),
        false => Err(format!(
            "member {member} has the value {value}; expected a number from {low} to {high}"
        )),
    }
}

impl Variants for Starts {
    type Error = Error;

    fn variant_of(&self, member: usize) -> usize {
        self.of_members[member]
    }

    fn seed_of(&self, member: usize) -> u64 {
        let drawn = || self.differences.seed_in(self.streams[member], member);
        self.seeds[member].unwrap_or_else(drawn)
    }

    fn world(&self, variant: usize) -> &Arc<World> {
        &self.variants[variant].world
    }

    fn build(&self, variant: usize, seed: u64) -> Result<Simulation, Error> {
        let options = simhost_engine::Options { seed, threads: 1 };
        let mut simulation = self.variants[variant].simulation(options, Purpose::Member)?;
        simulation.set_limits(self.options.limits);
        self.options.gpu.install(&mut simulation)?;
        simulation.set_commands(&self.commands)?;
        Ok(simulation)
    }

    fn build_tables(&self, variant: usize, count: usize) -> Result<WideTables, Error> {
        let description = &self.variants[variant];
        WideTables::new(&description.world, count).map_err(|error| description.build_error(error))
    }

    fn start(
        &self,
        member: usize,
        simulation: &mut Simulation,
    ) -> Result<Option<StepError>, Error> {
        let differences = self.of_member(member);
        let mut failure = None;
        match &self.snapshot {
            None => {
                self.set_lanes(member, &differences, simulation)?;
                for input in &self.early {
                    // as a session does; the input has been checked
                    let _ = carry_out(simulation, input);
                }
                act(&differences, simulation, |input| !matches!(input, Input::Command { .. }))?;
                failure = simulation.start().err();
                // a session measures before it takes commands
                act(&differences, simulation, |input| matches!(input, Input::Command { .. }))?;
            }
            Some(snapshot) => {
                self.set_lanes(member, &differences, simulation)?;
                let mut parameters = differences.iter().filter_map(Difference::parameter);
                let mut snapshot = match parameters.any(|(name, value)| !self.has(name, value)) {
                    true => self.changed(member, snapshot)?,
                    false => snapshot.clone(),
                };
                snapshot.set_edits(simulation.edits().to_owned());
                simulation.restore(&snapshot, Fit::Slots)?;
                act(&differences, simulation, |_| true)?;
            }
        }
        Ok(failure)
    }

    fn set_parameters(&self, member: usize, simulation: &mut Simulation) -> Result<(), Error> {
        match self.lanes.is_empty() {
            true => Ok(()),
            false => self.set_lanes(member, &self.of_member(member), simulation),
        }
    }

    fn starts_alike(&self, _: usize) -> bool {
        !self.differences.differ()
    }
}

/// Applies the differences that `is_wanted` selects, except parameters.
fn act(
    differences: &[Difference],
    simulation: &mut Simulation,
    is_wanted: impl Fn(&Input) -> bool,
) -> Result<(), Error> {
    for difference in differences {
        match difference.input() {
            Input::Parameter { .. } => {}
            input if is_wanted(&input) => carry_out(simulation, &input)?,
            _ => {}
        }
    }
    Ok(())
}
