//! Environments: wind, ground and gravity of a world, evaluated once per step.
//!
//! At the start of a step every environment updates its state and gives gravity. When the vehicles
//! stand on the ground of the step, every environment gives the ground at the wheels and the wind at the
//! vehicles. Winds add up; for ground and gravity, the last environment in the world file that gives a
//! value wins.

mod model;

use simhost_world::{FaultPolicy, World};

use crate::columns::Column;
use crate::encoding::{DecodeError, Reader, SnapshotError, Writer};
use crate::fault::FaultReport;
use crate::live_state::LiveState;
use crate::model::{Call, MemoryCopies, MigrationError, ModelError};
use crate::moment::Moment;
use crate::physics::Physics;
use crate::result_hash::Items;
use crate::table::{Table, state_doc};
use model::{EnvironmentModel, EnvironmentPhase};

/// Outputs of the phase `wind`.
const WIND: [&str; 3] = ["wind_x", "wind_y", "wind_z"];
/// Outputs of the phase `surface`.
const SURFACE: [&str; 2] = ["mu", "c_rr"];

/// All environments of a world.
#[derive(Clone)]
pub(crate) struct Environments {
    /// The environments, in the order of the world file.
    models: Vec<EnvironmentModel>,
    /// Table and lane of the vehicles on which wind can blow.
    blown: Vec<(usize, usize)>,
    /// Gravity of the world file, m/s².
    base_gravity: f64,
    /// Gravity of the last step, m/s².
    gravity: f64,
    /// Gravity that tables and blocks have received, m/s²; `None` if that is unknown.
    applied: Option<f64>,
    /// Buffer for points, world frame, m.
    points: Vec<[f64; 3]>,
    /// Buffer for the winds at the points, world frame, m/s.
    winds: Vec<[f64; 3]>,
}

impl Environments {
    /// Builds the environments of a world whose vehicles are in `tables`.
    ///
    /// # Errors
    /// [`ModelError`] if a model cannot be used.
    pub fn build(world: &World, tables: &mut [Table]) -> Result<Self, ModelError> {
        let (used, gravity) = (&world.settings.environments, world.settings.gravity);
        let wheels = tables.iter().map(|table| table.vehicles.wheel_count()).sum();
        let blown = if used.is_empty() { Vec::new() } else { blown(tables) };
        let numbered = used.iter().enumerate();
        let build = |(number, used)| EnvironmentModel::new(used, number, blown.len(), wheels);
        let models = numbered.map(build).collect::<Result<Vec<_>, _>>()?;
        let environments = Self {
            points: Vec::with_capacity(if models.is_empty() { 0 } else { wheels }),
            winds: Vec::with_capacity(blown.len()),
            models,
            blown,
            base_gravity: gravity,
            gravity,
            applied: None,
        };
        if environments.has(EnvironmentPhase::Gravity) {
            tables.iter_mut().for_each(|table| table.vehicles.expect_gravity(gravity));
        }
        Ok(environments)
    }

    /// Returns environments in the same state.
    ///
    /// # Errors
    /// [`SnapshotError`] if a model fails to save its memory.
    pub fn duplicate(&self, copies: &mut MemoryCopies) -> Result<Self, SnapshotError> {
        let mut copy = self.clone();
        copy.models.iter_mut().try_for_each(|model| model.bind(copies))?;
        Ok(copy)
    }

    /// Returns whether there are no environments.
    pub fn is_empty(&self) -> bool {
        self.models.is_empty()
    }

    /// Returns the gravity of the last step, m/s².
    pub fn gravity(&self) -> f64 {
        self.gravity
    }

    /// Returns whether an environment gives friction or rolling resistance of the ground.
    pub fn has_surface(&self) -> bool {
        self.has(EnvironmentPhase::Surface)
    }

    /// Returns the calls that hold the states and memories of all models, one per environment.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.models.iter().map(EnvironmentModel::stateful)
    }

    /// Sets the gravity before the first step.
    pub fn start(&mut self, moment: &Moment, tables: &mut [Table], physics: &mut Physics) {
        self.set_gravity(moment, tables, physics);
    }

    /// Updates all states and sets the gravity of a step.
    pub fn update(&mut self, moment: &Moment, tables: &mut [Table], physics: &mut Physics) {
        for model in &mut self.models {
            model.call(EnvironmentPhase::Update, moment);
        }
        self.set_gravity(moment, tables, physics);
    }

    /// Sets the ground at the wheels and the wind at the vehicles. Property regions of the ground are
    /// applied to the wheels afterwards.
    pub fn apply(&mut self, moment: &Moment, tables: &mut [Table]) {
        self.set_surface(moment, tables);
        self.set_wind(moment, tables);
    }

    fn has(&self, phase: EnvironmentPhase) -> bool {
        self.models.iter().any(|model| model.has(phase))
    }

    /// Returns the faults of the models that have not been taken.
    pub fn take_faults(&mut self, policy: &FaultPolicy) -> Vec<FaultReport> {
        let found = self.models.iter_mut().filter_map(EnvironmentModel::take_fault);
        found.map(|evidence| FaultReport::new(evidence, policy)).collect()
    }

    fn set_gravity(&mut self, moment: &Moment, tables: &mut [Table], physics: &mut Physics) {
        if !self.has(EnvironmentPhase::Gravity) {
            return;
        }
        let mut gravity = self.base_gravity;
        for model in &mut self.models {
            if model.call(EnvironmentPhase::Gravity, moment)
                && let [given] = model.output(EnvironmentPhase::Gravity, "gravity")
                && *given >= 0.0
            {
                gravity = *given;
            }
        }
        self.gravity = gravity;
        if self.applied != Some(gravity) {
            tables.iter_mut().for_each(|table| table.vehicles.set_gravity(gravity));
            physics.blocks.set_gravity(gravity);
            self.applied = Some(gravity);
        }
    }

    fn set_surface(&mut self, moment: &Moment, tables: &mut [Table]) {
        if !self.has_surface() {
            return;
        }
        self.points.clear();
        for table in tables.iter_mut() {
            let vehicles = &mut table.vehicles;
            vehicles.clear_surface();
            let wheels = 0..vehicles.wheel_count();
            self.points.extend(wheels.map(|wheel| vehicles.wheel_place(wheel)));
        }
        for model in &mut self.models {
            model.set_points(EnvironmentPhase::Surface, &self.points);
            if !model.call(EnvironmentPhase::Surface, moment) {
                continue;
            }
            let mut values = SURFACE.map(|output| model.output(EnvironmentPhase::Surface, output));
            for table in tables.iter_mut() {
                let count = table.vehicles.wheel_count();
                let of_table = values.map(|values| values.get(..count).unwrap_or_default());
                values = values.map(|values| values.get(count..).unwrap_or_default());
                table.vehicles.offer_surface(of_table);
            }
        }
    }

    fn set_wind(&mut self, moment: &Moment, tables: &mut [Table]) {
        if self.blown.is_empty() {
            return;
        }
        self.points.clear();
        let places = self.blown.iter();
        let point = |(table, lane): &(usize, usize)| tables[*table].vehicles.blown_point(*lane);
        self.points.extend(places.map(|place| point(place).unwrap_or_default()));
        self.winds.clear();
        self.winds.resize(self.blown.len(), [0.0; 3]);
        for model in &mut self.models {
            model.set_points(EnvironmentPhase::Wind, &self.points);
            if !model.call(EnvironmentPhase::Wind, moment) {
                continue;
            }
            for (axis, output) in WIND.into_iter().enumerate() {
                let values = model.output(EnvironmentPhase::Wind, output);
                self.winds.iter_mut().zip(values).for_each(|(wind, value)| wind[axis] += value);
            }
        }
        for ((table, lane), wind) in self.blown.iter().zip(&self.winds) {
            tables[*table].vehicles.set_wind(*lane, *wind);
        }
    }
}

/// Nothing for a world without environments.
impl LiveState for Environments {
    fn write(&self, to: &mut Writer) -> Result<(), SnapshotError> {
        // the points and winds are those of a step
        let Self { models, gravity, blown: _, base_gravity: _, applied: _, points: _, winds: _ } =
            self;
        if models.is_empty() {
            return Ok(());
        }
        gravity.write(to)?;
        models.write(to)
    }

    fn read(&mut self, from: &mut Reader<'_>) -> Result<(), DecodeError> {
        if self.models.is_empty() {
            return Ok(());
        }
        self.applied = None;
        self.gravity.read(from)?;
        self.models.read(from)
    }
}

impl Environments {
    /// Copies the states of the environments of the same names of another simulation.
    ///
    /// # Errors
    /// [`MigrationError`] if a model rejects the state of its predecessor.
    pub fn take_over(&mut self, old: &Self) -> Result<(), MigrationError> {
        (self.gravity, self.applied) = (old.gravity, None);
        for model in &mut self.models {
            let named = |old: &&EnvironmentModel| old.name == model.name;
            if let Some(old) = old.models.iter().find(named) {
                model.take_over(old)?;
            }
        }
        Ok(())
    }

    /// Continues without the models that are no longer called in another simulation.
    pub fn keep_disabled(&mut self, old: &Self) {
        for model in &mut self.models {
            let is_same = |old: &&EnvironmentModel| old.name == model.name;
            model.disabled |= old.models.iter().find(is_same).is_some_and(|old| old.disabled);
        }
    }

    /// Adds the states to the items of a result hash.
    pub fn add_results(&self, items: &mut Items) {
        for model in &self.models {
            let label = format!("environment/{}", model.name);
            items.add_states(&label, model.stateful(), &model.columns, 0);
        }
    }
}

/// Returns table and lane of the vehicles on which wind can blow.
fn blown(tables: &[Table]) -> Vec<(usize, usize)> {
    let tables = tables.iter().enumerate();
    let lanes = tables.flat_map(|(number, table)| {
        let lanes = 0..table.vehicles.lanes.len();
        let is_blown = |lane: &usize| table.vehicles.blown_point(*lane).is_some();
        lanes.filter(is_blown).map(move |lane| (number, lane))
    });
    lanes.collect()
}

/// A quantity of an environment.
pub(crate) struct EnvironmentField {
    /// Name of the environment, a slash, and the name of the output or of the state slot.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// Meaning, sign convention and frame.
    pub doc: &'static str,
    /// Full name of the class.
    pub source: String,
    /// Place of the value.
    pub place: EnvironmentPlace,
}

/// Place of the value of a quantity of an environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnvironmentPlace {
    environment: usize,
    column: Column,
}

impl Environments {
    /// Returns the quantities of all environments: published outputs, then states.
    pub fn fields(&self) -> Vec<EnvironmentField> {
        let mut fields: Vec<EnvironmentField> = Vec::new();
        for (environment, model) in self.models.iter().enumerate() {
            let update = model.stateful();
            let class = update.class();
            let ports = update.phase.outputs().iter().zip(model.published());
            let ports = ports.map(|(port, column)| (port.name(), port.unit(), port.doc(), column));
            let slots = class.model.states().iter().zip(update.states());
            let slots =
                slots.map(|(slot, column)| (slot.name(), slot.unit(), state_doc(slot), column));
            for (own, unit, doc, column) in ports.chain(slots) {
                let mut name = format!("{}/{own}", model.name);
                if fields.iter().any(|field| field.name == name) {
                    name = format!("{}/state_{own}", model.name);
                }
                let (source, column) = (class.full_name.to_string(), *column);
                let place = EnvironmentPlace { environment, column };
                fields.push(EnvironmentField { name, unit, doc, source, place });
            }
        }
        fields
    }

    /// Returns the value of a quantity.
    pub fn read_field(&self, place: &EnvironmentPlace) -> f64 {
        self.models[place.environment].columns.get(place.column)[0]
    }
}
