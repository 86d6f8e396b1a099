//! Columns of the host, and the wiring of all phases of a table to columns.

use std::sync::Arc;

use simhost_abi::host_port::{
    ACTUATORS, ALWAYS_MEASURED, BRAKING, HostPort, WHEEL_INPUTS, WHEEL_OUTPUTS,
};
use simhost_abi::{Kind, model_flag};
use simhost_world::{FaultPolicy, Settings, WheelTurning};

use super::actuation::{self, UnboundActuator};
use super::demand;
use super::group::Group;
use super::instances::Instances;
use super::parts::VehicleParts;
use crate::columns::{Column, Columns, Layout};
use crate::model::{ModelError, ModelLanes, PortMap, UnboundCall};
use crate::table::brake::Brakes;
use crate::table::calls::{Fallback, Phase};
use crate::table::driving::Driving;
use crate::table::host::{
    AirColumns, Contact, Forces, HostColumns, Measured, OnDemand, OwnColumns,
};
use crate::table::imposed::ImposedTwist;
use crate::table::models::{Buffers, Models};
use crate::table::rates::UnboundRates;
use crate::table::sensor_inputs::SensorInputs;
use crate::table::suspension::{self, UnboundGuidedAxle};
use crate::table::wheel_friction::UnboundWheelFriction;

/// All phases and columns of a table.
pub(super) struct TableWiring {
    pub calls: UnboundModels,
    pub host: HostColumns,
    pub driving: Driving,
    pub imposed: Option<ImposedTwist>,
    /// Set if wheel loads follow the ground and the forces.
    pub brakes: Option<Brakes>,
    /// Inputs of the controller that commands set.
    pub commands: PortMap,
    /// Inputs of the dynamics class that the world file sets.
    pub setpoints: PortMap,
    /// Quantities that sensors can read.
    pub measurements: PortMap,
    /// Inputs of models that read sensors.
    pub sensor_inputs: SensorInputs,
}

/// The phases of all models, before the columns are laid out in memory.
pub(super) struct UnboundModels {
    control: UnboundCall,
    drive: UnboundCall,
    measure: UnboundCall,
    /// Phases `advance` and `energy`.
    sprung: [Option<UnboundCall>; 2],
    suspensions: Vec<UnboundGuidedAxle>,
    friction: UnboundCall,
    wheel_friction: Vec<UnboundWheelFriction>,
    rates: Vec<(Phase, UnboundRates)>,
    /// Phase of the fallback, its outputs, and the columns to which they are copied.
    fallback: Option<(UnboundCall, Vec<(Column, Column)>)>,
    actuators: Vec<UnboundActuator>,
}

impl UnboundModels {
    /// Binds all phases to the columns in memory.
    pub fn bind(self, policy: FaultPolicy, columns: &Columns) -> Models {
        let rates = self.rates.into_iter();
        let [advance, energy] = self.sprung.map(|call| call.map(|call| call.bind(columns)));
        Models {
            control: self.control.bind(columns),
            drive: self.drive.bind(columns),
            measure: self.measure.bind(columns),
            advance,
            energy,
            suspensions: self.suspensions.into_iter().map(|one| one.bind(columns)).collect(),
            friction: self.friction.bind(columns),
            wheel_friction: self.wheel_friction.into_iter().map(|one| one.bind(columns)).collect(),
            rates: rates.map(|(after, rates)| (after, rates.bind(columns))).collect(),
            fallback: self
                .fallback
                .map(|(call, outputs)| Fallback { call: call.bind(columns), outputs }),
            actuators: self.actuators.into_iter().map(|one| one.bind(columns)).collect(),
            policy,
            buffers: Buffers::default(),
            trial: None,
        }
    }
}

/// Phases of controller and dynamics class.
struct ControlWiring {
    measure: UnboundCall,
    control: UnboundCall,
    drive: UnboundCall,
    /// Phases `advance` and `energy`.
    sprung: [Option<UnboundCall>; 2],
    suspensions: Vec<UnboundGuidedAxle>,
    driving: Driving,
    /// Outputs of `measure`.
    measured: PortMap,
    /// Inputs of `control` that nothing drives.
    commands: PortMap,
    /// Inputs of the dynamics class that nothing drives.
    setpoints: PortMap,
    /// Outputs of `control`, those on which actuators act replaced by the outputs of these.
    driven: PortMap,
    actuators: Vec<UnboundActuator>,
    torque: Column,
    steer: Column,
    brake_limit: Option<Column>,
    /// Camber and its rate.
    camber: [Option<Column>; 2],
    drive_inertia: Option<Column>,
    /// Load and radius of the contact of each wheel.
    contact: [Option<Column>; 2],
}

impl ControlWiring {
    /// Returns the outputs of the dynamics class for the camber and the columns that models read, and the
    /// column of the camber if the class does not set it.
    fn camber(&self, on_demand: &OnDemand) -> (Vec<(Column, Column)>, Option<Column>) {
        let read = on_demand.camber.into_iter().flatten();
        let copied = self.camber.iter().zip(read).filter_map(|(from, to)| Some(((*from)?, to)));
        let [camber, _] = on_demand.camber.map_or([None; 2], |columns| columns.map(Some));
        (copied.collect(), camber.filter(|_| self.camber[0].is_none()))
    }
}

/// Quantity of a friction model that acts about the vertical axis of the wheel.
const ALIGNING_MOMENT: &str = "aligning_moment";
/// Quantity of a friction model that replaces the radius of the wheel in the measurements.
const ROLLING_RADIUS: &str = "rolling_radius";

/// Phases of the friction models and the columns of the wheels.
struct FrictionWiring {
    force: UnboundCall,
    wheel_friction: Vec<UnboundWheelFriction>,
    fallback: Option<(UnboundCall, Vec<(Column, Column)>)>,
    contact: Contact,
    forces: Forces,
    aligning_moment: Option<Column>,
    /// Output of the model, and the column that others read.
    rolling_radius: Option<[Column; 2]>,
}

impl TableWiring {
    /// Adds the columns of the host and wires all phases.
    ///
    /// # Errors
    /// [`ModelError::Incomplete`] if a model lacks a phase or an output.
    pub fn new(
        group: &Group<'_>,
        instances: &Instances,
        parts: &[Arc<VehicleParts>],
        settings: &Settings,
        layout: &mut Layout,
    ) -> Result<Self, ModelError> {
        let columns = add_measurements(group, instances, parts, settings, layout);
        let measured = Measured::new(&columns);
        let (mut measurements, on_demand, rolling) =
            measured_ports(&columns, group, instances, parts, layout);
        let (vehicles, wheel_count) = (group.vehicles.len(), instances.by_wheel.lanes);
        let sensor_inputs = SensorInputs::new(group.first().readings.iter(), vehicles, layout);
        let control = wire_control(instances, &measurements, &sensor_inputs, parts, layout)?;
        let imposed = imposed(&control.driven, instances, settings);
        let dynamic_loads = !settings.profile.equal_wheel_loads
            && !matches!(control.driving, Driving::Motion(_))
            && imposed.is_none();
        let torque = match dynamic_loads {
            true => layout.fill_passing(wheel_count, 0.0),
            false => control.torque,
        };
        let braking = Braking::new(&control, instances, dynamic_loads, layout);
        let hold = [0.0; 2].map(|zero| layout.fill(wheel_count, zero));
        let slope_fx = braking.as_ref().map(|braking| braking.slope_fx);
        let brakes = dynamic_loads.then_some(Brakes { limit: control.brake_limit, hold, slope_fx });
        let mut ports = on_demand.ports();
        let by_host = (&measured, torque, &control);
        let inputs =
            wheel_inputs(instances, parts, settings, by_host.0, by_host.1, by_host.2, layout);
        ports.extend(PortMap::of_host(WHEEL_INPUTS, &inputs));
        let friction = wire_friction(instances, &inputs, &ports, &braking, rolling, layout)?;
        let rates = wire_rates(instances, &control, &friction, layout)?;
        let (camber, fixed_camber) = control.camber(&on_demand);
        measurements.extend(control.measured);
        let host = HostColumns {
            measured,
            contact: friction.contact,
            forces: friction.forces,
            steer: control.steer,
            torque: control.torque,
            wheel_force: [0.0; 2].map(|zero| layout.fill(vehicles, zero)),
            camber,
            fixed_camber,
            aligning_moment: friction.aligning_moment,
            rolling_radius: friction.rolling_radius,
            drive_inertia: inertia_parts(control.drive_inertia, parts, layout),
            air: AirColumns::new(group, settings, layout),
            own: OwnColumns::new(vehicles, wheel_count, &on_demand, layout),
            normal: on_demand.normal,
            surface: on_demand.surface,
            motion: on_demand.motion,
            spatial: on_demand.spatial,
            sway: [[0.0; 2]; 2].map(|axis| axis.map(|zero| layout.fill(vehicles, zero))),
        };
        let calls = UnboundModels {
            control: control.control,
            drive: control.drive,
            measure: control.measure,
            sprung: control.sprung,
            suspensions: control.suspensions,
            friction: friction.force,
            wheel_friction: friction.wheel_friction,
            rates,
            fallback: friction.fallback,
            actuators: control.actuators,
        };
        let ControlWiring { driving, commands, setpoints, .. } = control;
        Ok(Self {
            calls,
            host,
            driving,
            imposed,
            brakes,
            commands,
            setpoints,
            measurements,
            sensor_inputs,
        })
    }

    /// Sets the setpoints of the world file, for controllers, dynamics classes and wheels.
    pub fn fill_setpoints(&self, group: &Group<'_>, columns: &mut Columns) {
        let count = group.vehicles.len();
        for (lane, (_, vehicle)) in group.vehicles.iter().enumerate() {
            let (commands, inputs) = (&self.commands, &self.setpoints);
            let controller = vehicle.controller.set_points.iter().map(|set| (commands, set, lane));
            let dynamics = vehicle.dynamics.set_points.iter().map(|set| (inputs, set, lane));
            let wheels = vehicle.wheels.iter().enumerate();
            let wheels = wheels.flat_map(|(wheel, spec)| {
                spec.inputs.iter().map(move |set| (inputs, set, wheel * count + lane))
            });
            for (ports, (port, value), index) in controller.chain(dynamics).chain(wheels) {
                if let Some(column) = ports.get(port) {
                    columns.get_mut(column)[index] = *value;
                }
            }
        }
    }
}

/// Adds a column for each measurement of the host.
fn add_measurements(
    group: &Group<'_>,
    instances: &Instances,
    parts: &[Arc<VehicleParts>],
    settings: &Settings,
    layout: &mut Layout,
) -> Vec<Column> {
    let constants = |port: &HostPort| -> Option<Vec<f64>> {
        Some(match port.name {
            "chassis_mass" => {
                group.vehicles.iter().map(|(_, vehicle)| vehicle.chassis.mass).collect()
            }
            "mass" => parts.iter().map(|part| part.mass.mass).collect(),
            "yaw_inertia" => parts.iter().map(|part| part.mass.inertia_about_centre()).collect(),
            "centre_x" => parts.iter().map(|part| part.mass.centre[0]).collect(),
            "centre_y" => parts.iter().map(|part| part.mass.centre[1]).collect(),
            "gravity" => vec![settings.gravity; instances.by_vehicle.lanes],
            "radius" => by_wheel(parts, |part, wheel| part.wheels[wheel].radius),
            "wheel_x" => by_wheel(parts, |part, wheel| part.wheels[wheel].x),
            "wheel_y" => by_wheel(parts, |part, wheel| part.wheels[wheel].y),
            "steers" => by_wheel(parts, |part, wheel| match part.turning[wheel] {
                WheelTurning::Fixed => 0.0,
                WheelTurning::Steered => 1.0,
                WheelTurning::Swivelling => 2.0,
            }),
            _ => return None,
        })
    };
    let add = |port: &HostPort| match constants(port) {
        Some(values) => layout.add_constant(values),
        None => {
            let len = instances.by_vehicle.of(port.scope as u32);
            // the others follow from bodies and ground
            let is_state = ["spin", "wheel_steer"].contains(&port.name);
            let fill = if is_state { Layout::fill } else { Layout::fill_passing };
            fill(layout, len, port.default)
        }
    };
    ALWAYS_MEASURED.iter().map(add).collect()
}

/// Returns the measurements of the host that models read, with their columns for what is computed on demand and for
/// the effective rolling radii, if a friction model sets them. Those are the radii of the wheels before the first step.
fn measured_ports(
    columns: &[Column],
    group: &Group<'_>,
    instances: &Instances,
    parts: &[Arc<VehicleParts>],
    layout: &mut Layout,
) -> (PortMap, OnDemand, Option<Column>) {
    let mut ports = PortMap::of_host(ALWAYS_MEASURED, columns);
    let of_wheels = instances.wheel_friction.iter().map(|(_, model)| model);
    let mut models = of_wheels.chain([&instances.friction]);
    let sets = |model: &ModelLanes| demand::sets(model.instance().model(), ROLLING_RADIUS);
    let radii = || by_wheel(parts, |part, wheel| part.wheels[wheel].radius);
    let rolling = models.any(sets).then(|| layout.add(radii()));
    if let Some(rolling) = rolling {
        ports.extend(PortMap::one("radius", rolling));
    }
    let on_demand = OnDemand::new(group, instances, layout);
    ports.extend(on_demand.ports());
    (ports, on_demand, rolling)
}

/// Wires measurements of the dynamics class, then the controller, then the phase that it drives.
fn wire_control(
    instances: &Instances,
    measurements: &PortMap,
    sensor_inputs: &SensorInputs,
    parts: &[Arc<VehicleParts>],
    layout: &mut Layout,
) -> Result<ControlWiring, ModelError> {
    let Instances { dynamics, controller, .. } = instances;
    let (mut measured, mut setpoints) = (PortMap::default(), PortMap::default());
    let (mut commands, mut set) = (PortMap::default(), PortMap::default());
    let phase = dynamics.phase(&["measure"])?;
    let measure = dynamics.wire(phase, &[measurements], &mut setpoints, &mut measured, layout);
    let phase = controller.phase(&["control"])?;
    let sources = [&sensor_inputs.ports((Kind::Controller, 0)), &measured, measurements];
    let control = controller.wire(phase, &sources, &mut commands, &mut set, layout);
    let phase = dynamics.phase(&["drive", "wrench", "motion"])?;
    let (by_lane, ports) = (
        [instances.by_vehicle, instances.by_wheel],
        actuation::Ports {
            sensor_inputs,
            measured: &[&measured, measurements],
            driven: &mut set,
            setpoints: &mut setpoints,
        },
    );
    let actuators = actuation::wire(&instances.actuators, phase, ports, by_lane, layout)?;
    let (mut undriven, mut driven) = (PortMap::default(), PortMap::default());
    let mut axles = PortMap::default();
    let constants = |wheels| axle_constants(parts, wheels);
    let by_host = [&measured, measurements];
    let suspensions =
        suspension::wire(&instances.suspensions, by_host, &constants, &mut axles, layout)?;
    let by_sensors = sensor_inputs.ports((Kind::Dynamics, 0));
    let sources = [&by_sensors, &set, &axles, measurements, &setpoints];
    let drive = dynamics.wire(phase, &sources, &mut undriven, &mut driven, layout);
    setpoints.extend(undriven);
    let mut driving = Driving::new(dynamics, phase, &driven)?;
    let sources = [&set, &axles, measurements, &setpoints];
    let [(advance, moved), (energy, energies)] =
        ["advance", "energy"].map(|id| wire_optional(dynamics, id, &sources, layout));
    if advance.is_some() {
        driving = Driving::sprung(dynamics, [&moved, &driven, &energies])?;
    }
    let missing = |name: &str| dynamics.incomplete(format!("its phase has no output `{name}`"));
    let torque = match driving {
        Driving::Wheels | Driving::Sprung(_) => {
            driven.get("torque").ok_or_else(|| missing("torque"))?
        }
        // the wheels only show the motion
        _ => layout.fill(instances.by_wheel.lanes, 0.0),
    };
    let steer = driven.get("steer").ok_or_else(|| missing("steer"))?;
    let brake_limit = driven.get("brake_torque");
    let camber = ["camber", "camber_rate"].map(|name| driven.get(name));
    let drive_inertia = driven.get("drive_inertia");
    let contact = ["contact_load", "contact_radius"].map(|name| driven.get(name));
    Ok(ControlWiring {
        measure,
        control,
        drive,
        sprung: [advance, energy],
        suspensions,
        driving,
        measured,
        commands,
        setpoints,
        driven: set,
        actuators,
        torque,
        steer,
        brake_limit,
        camber,
        drive_inertia,
        contact,
    })
}

/// Wires a phase that a dynamics class can have, and returns its outputs.
fn wire_optional(
    dynamics: &ModelLanes,
    id: &str,
    sources: &[&PortMap],
    layout: &mut Layout,
) -> (Option<UnboundCall>, PortMap) {
    let mut outputs = PortMap::default();
    let call = dynamics
        .instance()
        .phase(id)
        .map(|phase| dynamics.wire(phase, sources, &mut PortMap::default(), &mut outputs, layout));
    (call, outputs)
}

/// Columns of a friction model that solves the brake together with the contact.
struct Braking {
    /// Torque of the motor.
    torque: Column,
    /// Largest torque of the brake.
    limit: Column,
    /// Forward pull that a braked wheel has to hold.
    slope_fx: Column,
}

impl Braking {
    /// Adds the columns, if a friction model reads them.
    fn new(
        control: &ControlWiring,
        instances: &Instances,
        brakes_act: bool,
        layout: &mut Layout,
    ) -> Option<Self> {
        let of_wheels = instances.wheel_friction.iter().map(|(_, model)| model);
        let mut models = of_wheels.chain([&instances.friction]).chain(&instances.fallback);
        if !models.any(solves_brakes) {
            return None;
        }
        let mut zeros = || layout.fill_passing(instances.by_wheel.lanes, 0.0);
        let limit = control.brake_limit.filter(|_| brakes_act).unwrap_or_else(&mut zeros);
        Some(Self { torque: control.torque, limit, slope_fx: zeros() })
    }

    /// Returns the inputs of a friction model that differ from those of others.
    fn ports(&self) -> PortMap {
        let mut ports = PortMap::of_host(&BRAKING, &[self.limit, self.slope_fx]);
        ports.extend(PortMap::one("torque", self.torque));
        ports
    }
}

/// Returns whether a friction model solves the brake together with the contact.
fn solves_brakes(model: &ModelLanes) -> bool {
    demand::reads(model.instance().model(), BRAKING[0].name)
}

/// Adds the columns of the wheels that friction models read. `torque` is that of motors and brakes. A
/// class can set the inertia of a powertrain, and, if it moves its body itself, loads and radii.
fn wheel_inputs(
    instances: &Instances,
    parts: &[Arc<VehicleParts>],
    settings: &Settings,
    measured: &Measured,
    torque: Column,
    control: &ControlWiring,
    layout: &mut Layout,
) -> Vec<Column> {
    let wheels = instances.by_wheel.lanes;
    let [load, radius] = control.contact;
    let add = |port: &HostPort| match port.name {
        "spin" => measured.spin,
        "radius" => radius.unwrap_or(measured.radius),
        "torque" => torque,
        "normal_force" => load.unwrap_or_else(|| {
            layout.add_passing(by_wheel(parts, |part, wheel| part.loads[wheel]))
        }),
        "gravity" => layout.fill_passing(wheels, settings.gravity),
        "inertia" => {
            let add = if control.drive_inertia.is_some() {
                Layout::add_passing
            } else {
                Layout::add_constant
            };
            add(layout, by_wheel(parts, |part, wheel| part.inertia[wheel]))
        }
        "coupling" => layout.add_constant(by_wheel(parts, |part, _| part.coupling)),
        _ => layout.fill_passing(wheels, port.default),
    };
    WHEEL_INPUTS.iter().map(add).collect()
}

/// Wires the friction models to the columns of the wheels.
fn wire_friction(
    instances: &Instances,
    inputs: &[Column],
    contact: &PortMap,
    braking: &Option<Braking>,
    rolling: Option<Column>,
    layout: &mut Layout,
) -> Result<FrictionWiring, ModelError> {
    let wheels = instances.by_wheel.lanes;
    let mut outputs = PortMap::default();
    let mut wire = |model: &ModelLanes, outputs: &mut PortMap| {
        let phase = model.phase(&["force"])?;
        let braking = braking.as_ref().filter(|_| solves_brakes(model)).map(Braking::ports);
        let sources = [&braking.unwrap_or_default(), contact];
        Ok(model.wire(phase, &sources, &mut PortMap::default(), outputs, layout))
    };
    let force = wire(&instances.friction, &mut outputs)?;
    let mut of_wheels = Vec::new();
    for (wheel, model) in &instances.wheel_friction {
        let mut own = PortMap::default();
        of_wheels.push((*wheel, wire(model, &mut own)?, own));
    }
    let mut replaced = PortMap::default();
    let fallback = instances.fallback.as_ref();
    let fallback = fallback.map(|model| wire(model, &mut replaced)).transpose()?;
    // an output that the model does not have stays zero
    let mut output = |port: &HostPort| {
        outputs.get(port.name).unwrap_or_else(|| layout.fill(wheels, port.default))
    };
    let forces: Vec<Column> = WHEEL_OUTPUTS.iter().map(&mut output).collect();
    let copied = WHEEL_OUTPUTS.iter().zip(&forces);
    let copied = copied.filter_map(|(port, to)| Some((replaced.get(port.name)?, *to)));
    let fallback = fallback.map(|call| (call, copied.collect()));
    outputs.extend(PortMap::of_host(WHEEL_OUTPUTS, &forces));
    let wheel_friction = UnboundWheelFriction::all(of_wheels, &mut outputs, wheels, layout);
    let (contact, forces) = (Contact::new(inputs), Forces::new(&forces));
    Ok(FrictionWiring {
        force,
        wheel_friction,
        fallback,
        contact,
        forces,
        aligning_moment: outputs.get(ALIGNING_MOMENT),
        rolling_radius: outputs.get(ROLLING_RADIUS).zip(rolling).map(|(from, to)| [from, to]),
    })
}

/// Wires the rates of change of all continuous states.
fn wire_rates(
    instances: &Instances,
    control: &ControlWiring,
    friction: &FrictionWiring,
    layout: &mut Layout,
) -> Result<Vec<(Phase, UnboundRates)>, ModelError> {
    let mut rates = vec![
        (Phase::Control, UnboundRates::new(&instances.controller, &control.control, layout)?),
        (Phase::Drive, UnboundRates::new(&instances.dynamics, &control.drive, layout)?),
        (Phase::Friction, UnboundRates::new(&instances.friction, &friction.force, layout)?),
    ];
    for (number, (_, model)) in instances.wheel_friction.iter().enumerate() {
        let own = UnboundRates::new(model, friction.wheel_friction[number].call(), layout)?;
        rates.push((Phase::WheelFriction(number), own));
    }
    for (number, (actuator, own)) in control.actuators.iter().zip(&instances.actuators).enumerate()
    {
        let own = UnboundRates::new(&own.lanes, actuator.call(), layout)?;
        rates.push((actuator.phase(number), own));
    }
    Ok(rates.into_iter().filter_map(|(after, rates)| Some((after, rates?))).collect())
}

/// Returns the inertia that the powertrain adds to each wheel, and the inertia of the wheels alone.
fn inertia_parts(
    added: Option<Column>,
    parts: &[Arc<VehicleParts>],
    layout: &mut Layout,
) -> Option<[Column; 2]> {
    let alone = || by_wheel(parts, |part, wheel| part.inertia[wheel]);
    added.map(|added| [added, layout.add_constant(alone())])
}

/// Returns half the track and the radius of the wheels of an axle, m.
fn axle_constants(parts: &[Arc<VehicleParts>], [left, right]: [usize; 2]) -> [Vec<f64>; 2] {
    let half = |part: &Arc<VehicleParts>| 0.5 * (part.wheels[left].y - part.wheels[right].y);
    let radius = |part: &Arc<VehicleParts>| part.wheels[left].radius;
    [parts.iter().map(half).collect(), parts.iter().map(radius).collect()]
}

/// Returns the twist that the controller imposes, if it does.
fn imposed(driven: &PortMap, instances: &Instances, settings: &Settings) -> Option<ImposedTwist> {
    let twist = [0, 1, 2].map(|component: usize| driven.get(ACTUATORS[component].name));
    twist.iter().any(Option::is_some).then_some(ImposedTwist {
        twist,
        after_step: settings.profile.ideal_twist_after_step,
        holonomic: instances.dynamics.instance().has_flag(model_flag::HOLONOMIC),
    })
}

/// Returns the values of a column with one value per wheel: all vehicles of the first wheel, then all
/// of the second.
fn by_wheel(parts: &[Arc<VehicleParts>], value: impl Fn(&VehicleParts, usize) -> f64) -> Vec<f64> {
    let wheels = parts.first().map_or(0, |first| first.wheels.len());
    (0..wheels)
        .flat_map(|wheel| parts.iter().map(move |part| (part, wheel)))
        .map(|(part, wheel)| value(part, wheel))
        .collect()
}
