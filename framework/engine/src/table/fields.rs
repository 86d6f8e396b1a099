//! The quantities of the vehicles of a table, by name.

mod host;
mod roads;

use simhost_abi::host_port::ON_DEMAND;
use simhost_abi::{Scope, StateDesc, StateKind};
use simhost_model::{View, lanes};

use super::driving::Driving;
use super::models::{Actuator, Models};
use super::step::Table;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::model::Call;
use crate::readings::Units;
use crate::result_hash::Items;

pub(super) use roads::RoadReading;

/// A quantity that every vehicle, or every wheel, of a table has.
pub(crate) struct Field {
    /// Name after that of the vehicle, or of the wheel, and a slash.
    pub name: String,
    /// Units of its values.
    pub units: Units,
    /// Meaning, sign convention and frame.
    pub doc: &'static str,
    /// Full name of the class that computes it, or `host`.
    pub source: String,
    /// Whether each wheel has one.
    pub of_wheel: bool,
    /// The only wheel that has it, if a wheel has a friction model of its own.
    pub wheel: Option<usize>,
    /// Way to read it.
    pub read: Read,
}

/// Way to read a quantity of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Read {
    /// Pose of the reference point.
    Pose,
    /// Twist of the reference point.
    Twist,
    /// Pose by odometry.
    OdometryPose,
    /// Twist by odometry.
    OdometryTwist,
    /// Position of the centre of mass.
    CentreOfMass,
    /// Velocity of the centre of mass.
    CentreVelocity,
    /// Position of a point of the vehicle, whose columns are given.
    Point([Column; 3]),
    /// Velocity of a point of the vehicle, whose columns are given.
    PointVelocity([Column; 2]),
    /// Forward (0) or leftward (1) acceleration of a point of the vehicle, whose columns are given.
    Acceleration(usize, Option<[Column; 2]>),
    /// Direction of the velocity of such a point.
    Sideslip(Option<[Column; 2]>),
    /// Direction of the velocity of a wheel.
    SlipAngle,
    /// Position of the centre of a wheel.
    WheelPosition,
    /// Slip ratio of a wheel.
    SlipRatio,
    /// Tangent of the slip angle of a wheel to its right.
    LateralSlip,
    /// Torque of rolling resistance and bearings on a wheel.
    RollingResistance,
    /// Part of the greatest moment that the wheels can balance: 0 for pitch, 1 for roll.
    LoadTransfer(usize),
    /// Torque of the ground about the steering axes.
    SteeringTorque,
    /// Place on the road network.
    Road(RoadReading),
    /// A column with one value per vehicle, or one per wheel.
    Column(Column),
}

/// Names of friction inputs that differ from those of the ports. A wheel has quantities of the latter
/// names, in another frame or from another source.
const FRICTION_INPUTS: &[(&str, &str)] = &[
    ("vx", "longitudinal_velocity"),
    ("vy", "lateral_velocity"),
    ("torque", "applied_torque"),
    ("gravity", "normal_gravity"),
    ("steer", "heading"),
];

/// Names of friction outputs that differ from those of the ports.
const FRICTION_OUTPUTS: &[(&str, &str)] = &[("fx", "longitudinal_force"), ("fy", "lateral_force")];

/// The model to which a port or a state slot belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Controller,
    Dynamics,
    Friction,
    /// The friction model that replaces another one after a fault.
    Fallback,
}

impl Role {
    const fn name(self) -> &'static str {
        match self {
            Self::Controller => "controller",
            Self::Dynamics => "dynamics",
            Self::Friction => "friction",
            Self::Fallback => "fallback",
        }
    }

    /// Returns whether the lanes of the model are wheels.
    fn is_of_wheel(self) -> bool {
        matches!(self, Self::Friction | Self::Fallback)
    }
}

/// A port or a state slot.
struct Slot<'a> {
    name: &'a str,
    unit: &'static str,
    doc: &'static str,
    scope: u32,
}

/// Collects fields and keeps their names unique.
pub(super) struct Fields {
    pub(super) found: Vec<Field>,
    /// The only wheel that has the fields that are added.
    wheel: Option<usize>,
}

impl Fields {
    /// Adds a field. If another one has its name, the name gets a prefix.
    fn add(&mut self, prefix: &str, mut field: Field) {
        field.wheel = self.wheel;
        if self.has(&field) {
            let (path, own) = field.name.split_at(field.name.rfind('/').map_or(0, |at| at + 1));
            field.name = format!("{path}{prefix}_{own}");
        }
        if !self.has(&field) {
            self.found.push(field);
        }
    }

    fn has(&self, field: &Field) -> bool {
        let is_same = |known: &Field| {
            let share_wheel = known.wheel.is_none() || known.wheel == field.wheel;
            share_wheel && known.of_wheel == field.of_wheel && known.name == field.name
        };
        self.found.iter().any(is_same)
    }

    /// Adds a port or a state slot of a model.
    fn model(&mut self, role: Role, call: &Call, prefix: &str, slot: Slot<'_>, column: Column) {
        let of_wheel = role.is_of_wheel() || Scope::from_u32(slot.scope) == Scope::Wheel;
        let prefix = if role == Role::Fallback { "fallback" } else { prefix };
        let name = match of_wheel {
            true => slot.name.to_owned(),
            false => format!("{}/{}", role.name(), slot.name),
        };
        let (units, read) = (Units::All(slot.unit), Read::Column(column));
        let source = call.class().full_name.to_string();
        self.add(prefix, Field { name, units, doc: slot.doc, source, of_wheel, wheel: None, read });
    }

    /// Adds the inputs of a phase in the columns that `own` returns.
    fn inputs(&mut self, role: Role, call: &Call, mut own: impl FnMut(&str) -> bool) {
        for (port, column) in call.phase.inputs().iter().zip(call.inputs()) {
            if !lanes::is_parameter(port) && own(port.name()) {
                let name = match role.is_of_wheel() {
                    true => renamed(port.name(), FRICTION_INPUTS),
                    false => port.name(),
                };
                let slot = Slot { name, unit: port.unit(), doc: port.doc(), scope: port.scope };
                self.model(role, call, "input", slot, *column);
            }
        }
    }

    /// Adds the outputs of a phase, except those that the host uses under a name of its own.
    fn outputs(&mut self, role: Role, call: &Call, omitted: &[&str]) {
        for (port, column) in call.phase.outputs().iter().zip(call.outputs()) {
            if !omitted.contains(&port.name()) {
                let name = match role.is_of_wheel() {
                    true => renamed(port.name(), FRICTION_OUTPUTS),
                    false => port.name(),
                };
                let slot = Slot { name, unit: port.unit(), doc: port.doc(), scope: port.scope };
                self.model(role, call, role.name(), slot, *column);
            }
        }
    }

    /// Adds the state slots of a model.
    fn states(&mut self, role: Role, call: &Call) {
        for (slot, column) in call.class().model.states().iter().zip(call.states()) {
            let (name, unit, scope) = (slot.name(), slot.unit(), slot.scope);
            let doc = state_doc(slot);
            self.model(role, call, "state", Slot { name, unit, doc, scope }, *column);
        }
    }
}

/// Returns the description of a state slot.
pub(crate) fn state_doc(slot: &'static View<StateDesc>) -> &'static str {
    if slot.doc().is_empty() { "State of the model." } else { slot.doc() }
}

/// Returns the name of a quantity for that of a port.
fn renamed<'a>(port: &'a str, names: &[(&str, &'a str)]) -> &'a str {
    names.iter().find(|(from, _)| *from == port).map_or(port, |(_, to)| to)
}

impl Read {
    /// Returns the number of values; `None` for one that is not an array.
    pub fn len(self) -> Option<usize> {
        match self {
            Self::Pose | Self::OdometryPose => Some(6),
            Self::Twist | Self::OdometryTwist => Some(3),
            Self::CentreOfMass | Self::Point(_) | Self::WheelPosition => Some(3),
            Self::CentreVelocity | Self::PointVelocity(_) => Some(2),
            Self::SlipRatio | Self::LateralSlip | Self::LoadTransfer(_) => None,
            Self::RollingResistance | Self::SteeringTorque | Self::Column(_) => None,
            Self::Acceleration(..) | Self::Sideslip(_) | Self::SlipAngle => None,
            Self::Road(_) => None,
        }
    }
}

impl Table {
    /// Returns the quantities that each vehicle and each wheel of the table has, those of the host
    /// first.
    pub fn fields(&self) -> Vec<Field> {
        let mut fields = Fields { found: Vec::new(), wheel: None };
        fields.add_host(self);
        fields.add_roads(self);
        fields.add_host_wheels(self);
        let models = &self.models;
        let is_command = |name: &str| self.blueprint.commands.get(name).is_some();
        fields.outputs(Role::Controller, &models.control, &[]);
        fields.states(Role::Controller, &models.control);
        fields.inputs(Role::Controller, &models.control, is_command);
        // torque and steering angle are those of the host
        fields.outputs(Role::Dynamics, &models.drive, &["torque", "steer"]);
        // those of the body are quantities of the vehicle
        let omitted = if self.blueprint.driving.sets_pose() { &host::BODY[..] } else { &[] };
        fields.outputs(Role::Dynamics, &models.measure, omitted);
        fields.states(Role::Dynamics, &models.drive);
        let control = models.control.phase.outputs();
        let is_driven = |name: &str| {
            let by_controller = control.iter().any(|port| port.name() == name);
            by_controller || self.blueprint.measurements.get(name).is_some()
        };
        fields.inputs(Role::Dynamics, &models.drive, |name| !is_driven(name));
        fields.add_actuators(models);
        fields.add_suspensions(models);
        if self.blueprint.imposes_motion() {
            fields.add_motion(self);
            return fields.found; // no friction acts
        }
        let shared = ["spin", "radius", "normal_force"];
        let is_of_host =
            |name: &str| shared.contains(&name) || ON_DEMAND.iter().any(|port| port.name == name);
        let wheels = match models.wheel_friction.is_empty() {
            true => vec![None],
            false => (0..self.vehicles.wheels.count).map(Some).collect(),
        };
        for wheel in wheels {
            let call = wheel.map_or(&models.friction, |wheel| models.friction_of(wheel));
            fields.wheel = wheel;
            fields.outputs(Role::Friction, call, &[]);
            fields.states(Role::Friction, call);
            fields.inputs(Role::Friction, call, |name| !is_of_host(name));
        }
        fields.wheel = None;
        fields.add_motion(self);
        if matches!(self.blueprint.driving, Driving::Wheels | Driving::Sprung(_))
            && self.blueprint.imposed_before_step().is_none()
        {
            fields.add_of_contact();
        }
        if let Some(fallback) = &models.fallback {
            fields.states(Role::Fallback, &fallback.call);
        }
        fields.found
    }

    /// Returns the places of the numbers on which the motion of a vehicle depends whose dynamics class sets all six degrees of
    /// freedom, as [`Simulation::ride`](crate::Simulation::ride) has them.
    pub fn ride_places(&self, lane: usize) -> Option<Vec<(Column, usize)>> {
        let host = &self.vehicles.host;
        let motion = host.motion.filter(|_| host.spatial)?;
        let ([height, pitch, roll], [vx, vy, vz]) = (host.own.attitude, motion.velocity);
        let [about_x, about_y, about_z] = motion.rate;
        let of_body = [height, pitch, roll, vz, about_y, about_x, vx, vy, about_z];
        let states = self.models.stateful().flat_map(|call| call.states().iter().copied());
        let lanes = self.vehicles.lanes.len();
        let all = of_body.into_iter().chain([host.measured.spin]).chain(states);
        let places = all.flat_map(|column| {
            let count = self.vehicles.columns.get(column).len() / lanes;
            (0..count).map(move |wheel| (column, wheel * lanes + lane))
        });
        Some(places.collect())
    }

    /// Sets a state slot of a model or the spin of a wheel, `at` lane and wheel. Returns whether the column is one.
    pub fn set_state(&mut self, column: Column, at: [usize; 2], value: f64) -> bool {
        let is_slot = || self.models.stateful().any(|call| call.states().contains(&column));
        let is_state = column == self.vehicles.host.measured.spin || is_slot();
        if is_state {
            let [lane, wheel] = at;
            let index = wheel * self.vehicles.lanes.len() + lane;
            self.vehicles.set_values([column], index, [value]);
        }
        is_state
    }
}

impl Fields {
    /// Adds the outputs and states of the actuators.
    pub(super) fn add_actuators(&mut self, models: &Models) {
        for actuator in &models.actuators {
            let Actuator { name, call, by_wheel, unit: port, .. } = actuator;
            let path = |part: &str| format!("actuator/{name}/{part}");
            let mut add = |name: String, unit: &'static str, doc: &'static str, column: Column| {
                let source = call.class().full_name.to_string();
                let (units, read) = (Units::All(unit), Read::Column(column));
                self.found.push(Field {
                    name,
                    units,
                    doc,
                    source,
                    of_wheel: *by_wheel,
                    wheel: None,
                    read,
                });
            };
            let mut outputs = call.phase.outputs().iter();
            let fits_every_port = outputs.any(|one| one.name() == "value" && one.unit() == "1");
            let mut taken: Vec<&str> = Vec::new();
            for (output, column) in call.phase.outputs().iter().zip(call.outputs()) {
                let is_value = output.name() == "value";
                let unit = if is_value { *port } else { output.unit() };
                add(path(output.name()), unit, output.doc(), *column);
                taken.push(output.name());
            }
            for (slot, column) in call.class().model.states().iter().zip(call.states()) {
                let path = match taken.contains(&slot.name()) {
                    true => path(&format!("state_{}", slot.name())),
                    false => path(slot.name()),
                };
                // as the command, a number that is not a count or a flag has the unit of the port
                let is_of_port = slot.unit() == "1" && slot.kind() == Some(StateKind::Continuous);
                let unit = if is_of_port && fits_every_port { *port } else { slot.unit() };
                add(path, unit, state_doc(slot), *column);
            }
        }
    }
}

impl Models {
    /// Adds the items of the actuators of one vehicle to the result hash.
    pub(super) fn add_results_of_actuators(
        &self,
        vehicles: &Vehicles,
        lane: usize,
        items: &mut Items,
    ) {
        let (count, names) = (vehicles.lanes.len(), &vehicles.wheels.names);
        let owner = &vehicles.lanes[lane].fixed.name;
        for actuator in &self.actuators {
            let Actuator { name, call, by_wheel, .. } = actuator;
            for index in actuator.lanes(lane, count, vehicles.wheels.count) {
                let wheel = match by_wheel {
                    true => format!("/wheel/{}", names[index / count]),
                    false => String::new(),
                };
                let label = format!("vehicle/{owner}{wheel}/actuator/{name}");
                for (output, column) in call.phase.outputs().iter().zip(call.outputs()) {
                    let value = vehicles.value(*column, index);
                    items.add(format!("{label}/read/{}", output.name()), &[value]);
                }
                items.add_states(&format!("{label}/state"), call, &vehicles.columns, index);
            }
        }
    }
}
