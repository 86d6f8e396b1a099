//! Builds a table from the vehicles that share it.

use std::sync::Arc;

use simhost_abi::{WheelGeometry, host_port, model_flag};
use simhost_scene::{MassProperties, Pose2, polygon};
use simhost_sdk::math;
use simhost_world::{Integrator, ModelUse, Settings, Vehicle};

use super::brake::Brakes;
use super::driving::Driving;
use super::extrapolation::Extrapolation;
use super::fallback::Fallback;
use super::steps::Border;
use super::weight::{Around, Weight};
use super::wires::{Part, Planned};
use super::{HostColumns, Imposed, Lane, Phase, Table};
use crate::columns::{Column, Columns, Layout};
use crate::error::BuildError;
use crate::ground::{Footing, Ground};
use crate::loads::Support;
use crate::model::{Made, Shape};
use crate::physics::{BodySpec, BodyState, Physics, Surface, no_area};
use crate::springs::Springs;
use crate::tilt::Tilt;
use crate::wiring::{Lengths, Names};

/// Properties of regions, with the inputs of friction that they set.
const GROUND_PROPERTIES: [(&str, &str); 2] =
    [("friction_mu", "mu_override"), ("friction_C_rr", "c_rr_override")];

/// Vehicles that share a table, with their numbers in the world file.
pub(crate) struct Group<'a> {
    pub vehicles: Vec<(usize, &'a Vehicle)>,
}

impl Group<'_> {
    /// Whether a vehicle can join.
    pub fn takes(&self, vehicle: &Vehicle) -> bool {
        let same = |a: &ModelUse, b: &ModelUse| {
            std::ptr::eq(a.model.model, b.model.model) && a.values == b.values
        };
        self.vehicles.first().is_some_and(|(_, first)| {
            same(&first.dynamics, &vehicle.dynamics)
                && same(&first.friction, &vehicle.friction)
                && same(&first.controller, &vehicle.controller)
                && first.wheels.len() == vehicle.wheels.len()
        })
    }
}

/// What every vehicle of a group brings along.
struct Parts {
    wheels: Vec<WheelGeometry>,
    mass: MassProperties,
    outline: Vec<[f64; 2]>,
    /// Weight on each wheel on level ground, its own included, N.
    loads: Vec<f64>,
    weight: Weight,
    /// Of each wheel about its axle, kg·m².
    inertia: Vec<f64>,
}

/// Builds a table and its bodies.
pub(crate) fn build(
    group: &Group,
    settings: &Settings,
    ground: &Ground,
    physics: &mut Physics,
) -> Result<Table, BuildError> {
    let first = group.vehicles[0].1;
    let (count, wheels) = (group.vehicles.len(), first.wheels.len());
    let lengths = Lengths { lanes: count, wheels, rays: 0 };
    let shape = Shape { wheels, wheel_stride: count, rays: 0 };
    let mut layout = Layout::default();
    let mut part = |wanted: &ModelUse, lengths, shape, entities: &[String]| {
        Part::new(Made::new(wanted)?, wanted, lengths, shape, entities, &mut layout)
    };
    let (vehicles, wheel_entities) = entities(group);
    let dynamics = part(&first.dynamics, lengths, shape, &vehicles)?;
    // wheels are the lanes of friction
    let by_wheel = Lengths { lanes: count * wheels, wheels: 0, rays: 0 };
    let friction = part(&first.friction, by_wheel, Shape::default(), &wheel_entities)?;
    let controller = part(&first.controller, lengths, shape, &vehicles)?;
    let fallback = (settings.fallback_friction.as_ref())
        .map(|fallback| part(fallback, by_wheel, Shape::default(), &wheel_entities))
        .transpose()?;
    let parts: Vec<Parts> = group
        .vehicles
        .iter()
        .map(|(_, vehicle)| parts(vehicle, dynamics.made(), settings))
        .collect::<Result<_, _>>()?;
    let mut measurements = measured_by_host(group, &parts, settings, lengths, &mut layout);

    // measurements of the dynamics class, then the controller, then what it drives
    let (mut measured, mut commands, mut set_points) = (Names::new(), Names::new(), Names::new());
    let measure = dynamics.phase(&["measure"])?;
    let measure =
        dynamics.wire(measure, &[&measurements], &mut set_points, &mut measured, &mut layout);
    let control = controller.phase(&["control"])?;
    let mut actuators = Names::new();
    let sources = [&measured, &measurements];
    let control = controller.wire(control, &sources, &mut commands, &mut actuators, &mut layout);
    let driving_phase = dynamics.phase(&["drive", "wrench", "motion"])?;
    let (mut open, mut driven) = (Names::new(), Names::new());
    let sources = [&actuators, &measurements, &set_points];
    let drive = dynamics.wire(driving_phase, &sources, &mut open, &mut driven, &mut layout);
    set_points.extend(open);
    let driving = dynamics.driving(driving_phase, &driven)?;
    let missing = |name: &str| dynamics.incomplete(format!("its phase has no output `{name}`"));
    let torque = match driving {
        Driving::Wheels => *driven.get("torque").ok_or_else(|| missing("torque"))?,
        // nothing drives wheels that only show how the vehicle moves
        _ => layout.fill(count * wheels, 0.0),
    };
    let steer = *driven.get("steer").ok_or_else(|| missing("steer"))?;

    let imposed = imposed(&actuators, dynamics.made().model().flags, settings);
    let acts = !settings.profile.equal_wheel_loads
        && !matches!(driving, Driving::Motion(_))
        && imposed.is_none();
    let mut column = || layout.fill(count * wheels, 0.0);
    let brakes = acts.then(|| Brakes {
        limit: driven.get("brake_torque").copied(),
        torque: column(),
        slope_fy: column(),
        hold: [column(), column()],
    });
    let torque_told = brakes.map_or(torque, |brakes| brakes.torque);
    let mut contact =
        contact_columns(&parts, &measurements, settings, torque_told, by_wheel, &mut layout);
    if let Some(brakes) = brakes {
        contact.insert("slope_fy".to_owned(), brakes.slope_fy);
    }
    for (property, port) in GROUND_PROPERTIES {
        if ground.knows(property) {
            contact.insert(port.to_string(), layout.fill(by_wheel.lanes, -1.0));
        }
    }
    let force = friction.phase(&["force"])?;
    let mut forces = Names::new();
    let force = friction.wire(force, &[&contact], &mut Names::new(), &mut forces, &mut layout);
    let fallback = fallback.map(|part| fallback_force(&part, &contact, &mut layout)).transpose()?;
    contact.extend(forces);
    let rates = [
        (Phase::Control, controller.rates(&control, &mut layout)?),
        (Phase::Drive, dynamics.rates(&drive, &mut layout)?),
        (Phase::Friction, friction.rates(&force, &mut layout)?),
    ];
    let host = host_columns(&measurements, &contact, torque, steer, count, by_wheel, &mut layout);
    measurements.extend(measured);
    let extrapolation = (settings.integrator == Integrator::Extrapolated).then(|| {
        Extrapolation::new([[0.0; 2]; 2].map(|pair| pair.map(|none| layout.fill(count, none))))
    });

    let mut columns = layout.finish();
    fill_set_points(group, &commands, &set_points, &mut columns);
    let rates = rates.into_iter();
    let rates = rates.filter_map(|(after, rates)| Some((after, rates?.rates(&columns)))).collect();
    let mut table = Table {
        control: control.call(&columns),
        drive: drive.call(&columns),
        measure: measure.call(&columns),
        friction: force.call(&columns),
        rates,
        driving,
        policy: settings.faults,
        fallback: fallback.map(|(planned, outputs)| Fallback {
            call: planned.call(&columns),
            outputs: FORCES
                .iter()
                .filter_map(|name| Some((*outputs.get(*name)?, host.force(name))))
                .collect(),
        }),
        columns,
        host,
        lanes: Vec::with_capacity(count),
        wheels,
        wheel_names: wheel_names(first),
        mounting: vec![0.0; count * wheels],
        angle: vec![0.0; count * wheels],
        force: [vec![0.0; count * wheels], vec![0.0; count * wheels]],
        turned: vec![[1.0, 0.0]; count * wheels],
        imposed,
        odometry: ["odometry_vx", "odometry_vy", "odometry_omega"]
            .map(|name| measurements.get(name).copied()),
        commands,
        measurements,
        any_disabled: false,
        around: Around { gravity: settings.gravity, air_density: settings.air_density, acts },
        brakes,
        books: None,
        extrapolation: None,
    };
    for (lane, (number, vehicle)) in group.vehicles.iter().enumerate() {
        table.add_lane(lane, *number, vehicle, &parts[lane], settings, physics)?;
    }
    if let Some(extrapolation) = extrapolation {
        table.extrapolates(extrapolation, first.friction.span)?;
    }
    Ok(table)
}

/// Outputs of friction.
const FORCES: [&str; 3] = ["fx", "fy", "spin_torque"];

impl HostColumns {
    /// Where an output of friction is read.
    fn force(&self, name: &str) -> Column {
        match name {
            "fx" => self.force_x,
            "fy" => self.force_y,
            _ => self.spin_torque,
        }
    }
}

/// Wires the friction model that takes over where another faults; its outputs by name.
fn fallback_force(
    part: &Part,
    contact: &Names,
    layout: &mut Layout,
) -> Result<(Planned, Names), BuildError> {
    let mut forces = Names::new();
    let force = part.phase(&["force"])?;
    let planned = part.wire(force, &[contact], &mut Names::new(), &mut forces, layout);
    Ok((planned, forces))
}

/// Names of the vehicles, and of their wheels, as messages have them.
fn entities(group: &Group) -> (Vec<String>, Vec<String>) {
    let wheels = wheel_names(group.vehicles[0].1);
    let vehicles: Vec<String> =
        group.vehicles.iter().map(|(_, vehicle)| format!("vehicle '{}'", vehicle.name)).collect();
    let of_wheel = |wheel| vehicles.iter().map(move |vehicle| format!("{vehicle}, wheel {wheel}"));
    let wheels = wheels.iter().flat_map(of_wheel).collect();
    (vehicles, wheels)
}

/// What the world file sets of a controller, of a dynamics class and of its wheels.
fn fill_set_points(group: &Group, commands: &Names, inputs: &Names, columns: &mut Columns) {
    let count = group.vehicles.len();
    for (lane, (_, vehicle)) in group.vehicles.iter().enumerate() {
        let controller = vehicle.controller.set_points.iter().map(|set| (commands, set, lane));
        let dynamics = vehicle.dynamics.set_points.iter().map(|set| (inputs, set, lane));
        let wheels = vehicle.wheels.iter().enumerate();
        let wheels = wheels.flat_map(|(wheel, spec)| {
            spec.inputs.iter().map(move |set| (inputs, set, wheel * count + lane))
        });
        for (names, (port, value), index) in controller.chain(dynamics).chain(wheels) {
            if let Some(column) = names.get(port) {
                columns.get_mut(*column)[index] = *value;
            }
        }
    }
}

impl Table {
    fn add_lane(
        &mut self,
        lane: usize,
        number: usize,
        vehicle: &Vehicle,
        parts: &Parts,
        settings: &Settings,
        physics: &mut Physics,
    ) -> Result<(), BuildError> {
        let state = initial_state(vehicle, parts.mass.centre, settings);
        let spec = BodySpec {
            name: format!("vehicle '{}'", vehicle.name),
            mass: parts.mass,
            outline: &parts.outline,
            span: [vehicle.chassis.z_min, vehicle.chassis.z_max],
            // the chassis slides along what it touches
            surface: Surface { friction: 0.0, restitution: 0.01 },
        };
        let body = if vehicle.animation.is_some() {
            physics.add_driven(spec, &state, vehicle.pose.z)
        } else {
            physics.add_body(spec, &state, vehicle.pose.z)
        };
        let body =
            body.ok_or_else(|| no_area(&format!("vehicle '{}'", vehicle.name), vehicle.span))?;
        let profile = &settings.profile;
        let wheels: Vec<[f64; 2]> = parts.wheels.iter().map(|wheel| [wheel.x, wheel.y]).collect();
        let climb = parts.wheels.iter().map(|wheel| wheel.radius).fold(0.0, f64::max);
        let footing = Footing::new(&wheels, &parts.outline, climb, profile.two_wheels_lean);
        let chassis = &vehicle.chassis;
        let radii: Vec<f64> = parts.wheels.iter().map(|wheel| wheel.radius).collect();
        let border = match vehicle.animation {
            None => Border::new(&wheels, &radii, &parts.outline, chassis, profile),
            Some(_) => Border::default(),
        };
        self.lanes.push(Lane {
            vehicle: number,
            name: vehicle.name.clone(),
            body,
            mass: parts.mass.mass,
            inertia: parts.mass.inertia_about_centre(),
            centre: parts.mass.centre,
            damping: [
                chassis.linear_damping.unwrap_or(profile.default_linear_damping),
                chassis.angular_damping.unwrap_or(profile.default_angular_damping),
            ],
            turned: state.heading,
            velocity: state.velocity,
            disabled: false,
            falls_back: false,
            attitude: [vehicle.pose.z, 0.0, 0.0],
            tilt: Tilt::LEVEL,
            normal: [0.0, 0.0, 1.0],
            weight: parts.weight.clone(),
            pull: [0.0; 2],
            footing_radius: polygon::bounding_radius(&footing.points, [0.0, 0.0]) + 0.1,
            footing,
            border,
            odometry: [vehicle.pose.x, vehicle.pose.y, math::wrap_angle(vehicle.pose.yaw)],
            odometry_multipliers: vehicle.odometry_multipliers,
        });
        for (wheel, place) in parts.wheels.iter().enumerate() {
            let index = wheel * self.angle.len() / self.wheels + lane;
            self.mounting[index] = place.yaw;
            if !profile.velocity_in_world_frame {
                // a vehicle that moves at the start rolls
                let (sin, cos) = math::sin_cos(place.yaw);
                let [vx, vy, omega] = vehicle.velocity;
                let rolling = cos * (vx - omega * place.y) + sin * (vy + omega * place.x);
                self.columns.get_mut(self.host.spin)[index] = rolling / place.radius;
            }
        }
        Ok(())
    }
}

/// Wheels where the model places them, mass, outline and loads of a vehicle.
fn parts(
    vehicle: &Vehicle,
    dynamics: &Arc<Made>,
    settings: &Settings,
) -> Result<Parts, BuildError> {
    let mut wheels: Vec<WheelGeometry> = vehicle
        .wheels
        .iter()
        .map(|wheel| WheelGeometry {
            x: wheel.x,
            y: wheel.y,
            yaw: wheel.yaw,
            radius: 0.5 * wheel.diameter,
        })
        .collect();
    dynamics.arrange(&mut wheels).map_err(|text| BuildError::Refused {
        class: dynamics.class.full_name.to_string(),
        text,
        span: vehicle.dynamics.span,
    })?;
    let hull = polygon::convex_hull(&vehicle.chassis.polygon);
    let chassis = MassProperties::polygon(vehicle.chassis.mass, &hull);
    let mut mass = chassis;
    let mut corners = hull;
    for (wheel, place) in vehicle.wheels.iter().zip(&wheels) {
        let pose = Pose2 { x: place.x, y: place.y, yaw: place.yaw };
        mass = mass + MassProperties::rectangle(wheel.mass, wheel.diameter, wheel.width, pose);
        let (half_length, half_width) = (place.radius, 0.5 * wheel.width);
        for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
            corners.push(pose.transform([x * half_length, y * half_width]));
        }
    }
    let places: Vec<[f64; 2]> = wheels.iter().map(|wheel| [wheel.x, wheel.y]).collect();
    let weight = chassis.mass * settings.gravity;
    let mut share = vec![weight / wheels.len() as f64; wheels.len()];
    let support = Support::new(&places);
    if !settings.profile.equal_wheel_loads {
        support.share(weight, chassis.centre, |wheel, load| share[wheel] = load);
    }
    let own = vehicle.wheels.iter().map(|wheel| wheel.mass * settings.gravity);
    let loads = share.iter().zip(own).map(|(share, own)| share + own).collect();
    // a wheel that does not say is a solid cylinder
    let inertia = vehicle
        .wheels
        .iter()
        .map(|wheel| wheel.inertia.unwrap_or(0.125 * wheel.mass * wheel.diameter * wheel.diameter))
        .collect();
    let heights = vehicle.wheels.iter().zip(&wheels).map(|(wheel, at)| wheel.mass * at.radius);
    let weight = Weight {
        support,
        chassis: chassis.mass,
        wheels: vehicle.wheels.iter().map(|wheel| wheel.mass).collect(),
        centre: chassis.centre,
        moment: chassis.mass * vehicle.chassis.centre_height() + heights.sum::<f64>(),
        air: vehicle.aerodynamics,
        springs: springs(vehicle, chassis.centre, &places, settings)?,
    };
    Ok(Parts { wheels, weight, mass, outline: polygon::convex_hull(&corners), loads, inertia })
}

/// What the body rests on, where that is not stiff.
fn springs(
    vehicle: &Vehicle,
    centre: [f64; 2],
    wheels: &[[f64; 2]],
    settings: &Settings,
) -> Result<Option<Springs>, BuildError> {
    let Some(suspension) = &vehicle.suspension else { return Ok(None) };
    let springs = Springs::new(suspension, &vehicle.chassis, centre, wheels);
    if springs.topples(settings.gravity) {
        let text = format!(
            "vehicle '{}' topples over: its springs are too soft for the height of its centre of \
             mass, or its wheels stand in one line",
            vehicle.name
        );
        return Err(BuildError::Body { text, span: vehicle.span });
    }
    Ok(Some(springs))
}

/// A column by wheel: wheel after wheel, all lanes of each.
fn by_wheel(parts: &[Parts], value: impl Fn(&Parts, usize) -> f64) -> Vec<f64> {
    let wheels = parts.first().map_or(0, |first| first.wheels.len());
    (0..wheels)
        .flat_map(|wheel| parts.iter().map(move |part| (part, wheel)))
        .map(|(part, wheel)| value(part, wheel))
        .collect()
}

/// The quantities that every vehicle has.
fn measured_by_host(
    group: &Group,
    parts: &[Parts],
    settings: &Settings,
    lengths: Lengths,
    layout: &mut Layout,
) -> Names {
    host_port::MEASUREMENTS
        .iter()
        .map(|port| {
            let values = match port.name {
                "chassis_mass" => {
                    group.vehicles.iter().map(|(_, vehicle)| vehicle.chassis.mass).collect()
                }
                "mass" => parts.iter().map(|part| part.mass.mass).collect(),
                "yaw_inertia" => {
                    parts.iter().map(|part| part.mass.inertia_about_centre()).collect()
                }
                "centre_x" => parts.iter().map(|part| part.mass.centre[0]).collect(),
                "centre_y" => parts.iter().map(|part| part.mass.centre[1]).collect(),
                "gravity" => vec![settings.gravity; lengths.lanes],
                "radius" => by_wheel(parts, |part, wheel| part.wheels[wheel].radius),
                "wheel_x" => by_wheel(parts, |part, wheel| part.wheels[wheel].x),
                "wheel_y" => by_wheel(parts, |part, wheel| part.wheels[wheel].y),
                _ if port.scope == simhost_abi::Scope::Wheel => {
                    vec![0.0; lengths.lanes * lengths.wheels]
                }
                _ => vec![0.0; lengths.lanes],
            };
            (port.name.to_string(), layout.add(values))
        })
        .collect()
}

/// The inputs of friction that the host fills.
fn contact_columns(
    parts: &[Parts],
    measurements: &Names,
    settings: &Settings,
    torque: Column,
    lengths: Lengths,
    layout: &mut Layout,
) -> Names {
    let ports = host_port::WHEEL_INPUTS.iter();
    let columns = ports.filter_map(|port| {
        let column = match port.name {
            "spin" | "radius" => measurements[port.name],
            "torque" => torque,
            "normal_force" => layout.add(by_wheel(parts, |part, wheel| part.loads[wheel])),
            "gravity" => layout.fill(lengths.lanes, settings.gravity),
            "inertia" => layout.add(by_wheel(parts, |part, wheel| part.inertia[wheel])),
            // driven only where slopes push and where the ground has the property
            "slope_fy" | "mu_override" | "c_rr_override" => return None,
            _ => layout.fill(lengths.lanes, port.default),
        };
        Some((port.name.to_string(), column))
    });
    columns.collect()
}

fn host_columns(
    measured: &Names,
    contact: &Names,
    torque: Column,
    steer: Column,
    vehicles: usize,
    lengths: Lengths,
    layout: &mut Layout,
) -> HostColumns {
    let push = [0.0; 2].map(|none| layout.fill(vehicles, none));
    let sway = [[0.0; 2]; 2].map(|axis| axis.map(|none| layout.fill(vehicles, none)));
    // a friction model that does not give an output gives none of that force
    let mut output =
        |name: &str| contact.get(name).copied().unwrap_or_else(|| layout.fill(lengths.lanes, 0.0));
    HostColumns {
        x: measured["x"],
        y: measured["y"],
        yaw: measured["yaw"],
        attitude: ["z", "pitch", "roll"].map(|name| measured[name]),
        vx: measured["vx"],
        vy: measured["vy"],
        omega: measured["omega"],
        spin: measured["spin"],
        radius: measured["radius"],
        wheel_x: measured["wheel_x"],
        wheel_y: measured["wheel_y"],
        wheel_vx: measured["wheel_vx"],
        wheel_vy: measured["wheel_vy"],
        steer,
        told_steer: measured["wheel_steer"],
        torque,
        contact_vx: contact["vx"],
        contact_vy: contact["vy"],
        heading: contact["steer"],
        normal_force: contact["normal_force"],
        gravity: contact["gravity"],
        slope: ["slope_ax", "slope_ay"].map(|name| measured[name]),
        push,
        sway,
        inertia: contact["inertia"],
        force_x: output("fx"),
        force_y: output("fy"),
        spin_torque: output("spin_torque"),
        mu_override: contact.get("mu_override").copied(),
        c_rr_override: contact.get("c_rr_override").copied(),
    }
}

/// The twist that the controller imposes, if it does.
fn imposed(actuators: &Names, flags: u32, settings: &Settings) -> Option<Imposed> {
    let twist = ["twist_vx", "twist_vy", "twist_omega"].map(|name| actuators.get(name).copied());
    twist.iter().any(Option::is_some).then_some(Imposed {
        twist,
        after_step: settings.profile.ideal_twist_after_step,
        sideways: flags & model_flag::HOLONOMIC != 0,
    })
}

/// Pose and velocity at the start, in the frame that the profile says.
fn initial_state(vehicle: &Vehicle, centre: [f64; 2], settings: &Settings) -> BodyState {
    let (sin, cos) = math::sin_cos(vehicle.pose.yaw);
    let [vx, vy, omega] = vehicle.velocity;
    let velocity = if settings.profile.velocity_in_world_frame {
        [vx, vy]
    } else {
        let (vx, vy) = (vx - omega * centre[1], vy + omega * centre[0]);
        [cos * vx - sin * vy, sin * vx + cos * vy]
    };
    BodyState { position: [vehicle.pose.x, vehicle.pose.y], heading: [cos, sin], velocity, omega }
}

/// Tags without `_wheel`.
fn wheel_names(vehicle: &Vehicle) -> Vec<String> {
    let short = |tag: &String| tag.strip_suffix("_wheel").unwrap_or(tag).to_string();
    vehicle.wheels.iter().map(|wheel| short(&wheel.tag)).collect()
}
