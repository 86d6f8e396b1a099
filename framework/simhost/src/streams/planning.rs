//! Streams of planning models: the messages of Autoware's vehicle interface.
//!
//! The state comes from the sensor `planning_reports`, and the reports from the controllers
//! `planning_interface` and `command_converter`. Nothing but the mode is reported before the first pose.

use simhost_engine::{SensorInfo, Simulation};
use simhost_model::ParamValue;
use simhost_streams::{Stream, StreamType, types};
use simhost_world::{ModelUse, World};

use super::draft::{Condition, Draft, Source};
use super::standard::ODOMETRY;
use super::vehicles::entity;

/// Class of the sensor of the state.
const REPORTS: &str = "simhost/planning_reports";
/// Classes of the controllers that report.
const INTERFACES: [&str; 2] = ["simhost/planning_interface", "simhost/command_converter"];
/// Output of the controllers: whether the vehicle has its first pose.
const INITIALIZED: &str = "initialized";
/// Start of the names of dynamics classes with pedals.
const ACTUATED: &str = "simhost/actuation_cmd";

/// Readings of the streams of the state, in the order of the fields of their types.
const POSE: &[&str] = ODOMETRY.split_at(6).0;
const TWIST: &[&str] = ODOMETRY.split_at(6).1;
const VARIANCE: [&str; 2] = ["variance_x", "variance_y"];
const ACCELERATION: [&str; 3] = ["acceleration_x", "acceleration_y", "acceleration_z"];
/// Variance of each component of the acceleration in the messages of Autoware, m²/s⁴.
const ACCELERATION_VARIANCE: f64 = 0.001;
const STEERING: [&str; 1] = ["steering_tire_angle"];

/// Report of an interface.
struct Report {
    /// Name of the stream.
    name: &'static str,
    kind: StreamType,
    /// Quantity of the controller with the report.
    quantity: &'static str,
    /// Quantity of the controller, and the number above which it is while there are reports.
    condition: Option<(&'static str, f64)>,
}

fn reports() -> [Report; 5] {
    let report = |name, kind, quantity, condition| Report { name, kind, quantity, condition };
    let lights = |name, kind| report(name, kind, name, Some((name, 0.5)));
    let accepted = "control_mode_accepted";
    [
        report("control_mode_report", types::CONTROL_MODE_REPORT, "control_mode", None),
        report(accepted, types::BOOL, accepted, Some((accepted, -0.5))),
        report("gear_report", types::GEAR_REPORT, "gear_report", Some((INITIALIZED, 0.5))),
        lights("turn_indicators_report", types::TURN_INDICATORS_REPORT),
        lights("hazard_lights_report", types::HAZARD_LIGHTS_REPORT),
    ]
}

/// Returns whether a vehicle has a controller that reports.
fn has_interface(world: &World, vehicle: &str) -> bool {
    let vehicle = world.vehicles.iter().find(|one| one.name == vehicle);
    vehicle.is_some_and(|one| INTERFACES.contains(&&*one.controller.model.full_name))
}

/// Returns the condition that a vehicle has its first pose.
fn initialized(vehicle: &str) -> Condition {
    Condition { quantity: format!("{}/controller/{INITIALIZED}", entity(vehicle)), above: 0.5 }
}

/// Adds the reports of the controllers of all vehicles.
pub(super) fn add(world: &World, simulation: &Simulation, drafts: &mut Vec<Draft>) {
    for vehicle in simulation.vehicle_names() {
        let described = world.vehicles.iter().find(|one| one.name == *vehicle);
        let Some(described) = described.filter(|_| has_interface(world, vehicle)) else { continue };
        let source = described.controller.model.full_name.to_string();
        let of_controller = |name: &str| format!("{}/controller/{name}", entity(vehicle));
        for Report { name, kind, quantity, condition } in reports() {
            let stream = Stream {
                source: source.clone(),
                ..Stream::new(format!("{vehicle}/{name}"), kind.into())
            };
            let condition =
                condition.map(|(name, above)| Condition { quantity: of_controller(name), above });
            let draft = Draft::of_quantities(stream, [of_controller(quantity)]);
            drafts.push(Draft { condition, ..draft });
        }
        if described.dynamics.model.full_name.starts_with(ACTUATED) {
            drafts.push(actuation_status(vehicle, &described.dynamics.model.full_name));
        }
    }
}

fn actuation_status(vehicle: &str, source: &str) -> Draft {
    let stream = Stream {
        frame: format!("{vehicle}/base_link"),
        source: source.to_owned(),
        ..Stream::new(format!("{vehicle}/actuation_status"), types::ACTUATION_STATUS.into())
    };
    let quantities = ["accel_status", "brake_status", "steer_status"];
    let quantities = quantities.map(|name| format!("{}/dynamics/{name}", entity(vehicle)));
    let condition = Some(initialized(vehicle));
    Draft { condition, ..Draft::of_quantities(stream, quantities) }
}

/// Returns the streams of a sensor, if it is that of the state.
pub(super) fn drafts(
    world: &World,
    info: &SensorInfo,
    model: &ModelUse,
    quantity: impl Fn(&str) -> String,
) -> Option<Vec<Draft>> {
    if *model.model.full_name != *REPORTS {
        return None;
    }
    let text = |key: &str| text(model, key).unwrap_or_default();
    let (origin, base) = (text("origin_frame_id"), text("simulated_frame_id"));
    let has_interface = has_interface(world, &info.vehicle);
    let condition = has_interface.then(|| initialized(&info.vehicle));
    let stream = |name: &str, kind: StreamType, frame: &str| Stream {
        frame: frame.to_owned(),
        ..Stream::new(format!("{}/{}/{name}", info.vehicle, info.sensor), kind.into())
    };
    // the interface knows the height of a commanded pose
    let height = format!("{}/controller/reported_z", entity(&info.vehicle));
    let named = |name: &&str| match *name == "position_z" && has_interface {
        true => Some(height.clone()),
        false => Some(quantity(name)),
    };
    let of = |stream: Stream, names: &[&[&str]]| {
        let names = names.iter().copied().flatten().map(named).collect();
        Draft { condition: condition.clone(), ..Draft::new(stream, Source::Quantities(names)) }
    };
    let odometry = Stream {
        child_frame: base.clone(),
        ..stream("odometry", types::VEHICLE_ODOMETRY, &origin)
    };
    let transforms = Stream {
        labels: vec![base.clone()],
        label_frames: vec![origin.clone()],
        ..stream("tf", types::TRANSFORMS, "")
    };
    let acceleration = Stream {
        constants: vec![("variance".into(), ACCELERATION_VARIANCE)],
        ..stream("acceleration", types::ACCELERATION, &base)
    };
    Some(vec![
        of(odometry, &[POSE, TWIST, &VARIANCE]),
        of(transforms, &[POSE]),
        of(stream("velocity_report", types::VELOCITY_REPORT, &base), &[TWIST]),
        of(acceleration, &[&ACCELERATION]),
        of(stream("steering", types::STEERING_REPORT, ""), &[&STEERING]),
    ])
}

/// Returns a parameter that is a text.
fn text(model: &ModelUse, key: &str) -> Option<String> {
    let place = model.model.model.params().iter().position(|param| param.is_named(key))?;
    match model.values.get(place)? {
        ParamValue::Text(text) => Some(text.clone()),
        _ => None,
    }
}
