//! Roll of the body in a steady turn, and the roll stiffnesses of the axles.
//!
//! An axle with the track t, whose wheels have springs of the stiffness k at the motion ratio i and a bar that pushes each
//! wheel with b per difference of the travels, has the roll stiffness t² (½ k i² + b): W. F. Milliken and D. L. Milliken,
//! "Race Car Vehicle Dynamics", 1995, chapter 16. Tyres and roll centres are not part of it.

use simhost_engine::TimedCommand;
use simhost_model::ParamValue;

use super::{SheetAxle, SheetInput, handling};

/// Steering angle of the turn, rad, and the time that the body is given to roll, s.
const STEER: f64 = 0.004;
const TIME: f64 = 5.0;
/// Least lateral acceleration of the turn, m/s².
const LEAST: f64 = 0.01;

/// Returns the roll stiffness of an axle, N·m/rad.
pub(super) fn stiffness(input: &SheetInput<'_>, axle: &SheetAxle) -> Result<f64, String> {
    if input.simulation.ride(input.number).is_none() {
        return input.springs().map(|_| handling::roll_stiffness(input, axle));
    }
    let name = if axle.name.starts_with("front") { "front" } else { "rear" };
    let value = |part: &str| number(input.vehicle.dynamics.value(&format!("{name}_{part}")));
    if input.vehicle.dynamics.value(&format!("{name}_spring")).is_some_and(is_given) {
        return Err(format!("the springs of the {} have a curve", axle.name));
    }
    let springs = value("stiffness").zip(value("anti_roll_bar"));
    let (spring, bar) = springs.ok_or("the dynamics class has no parameter for its springs")?;
    let ratio = motion_ratio(input, axle)?;
    Ok(axle.track().powi(2) * (0.5 * spring * ratio * ratio + bar))
}

fn number(value: Option<&ParamValue>) -> Option<f64> {
    if let Some(ParamValue::Number(number)) = value { Some(*number) } else { None }
}

fn is_given(value: &ParamValue) -> bool {
    !matches!(value, ParamValue::None)
}

/// Returns the compression of a spring per travel of its wheel in the design position, if a parameter gives it.
fn motion_ratio(input: &SheetInput<'_>, axle: &SheetAxle) -> Result<f64, String> {
    let mut all = input.vehicle.suspensions.iter();
    let Some(own) = all.find(|one| axle.wheels.contains(&one.wheels[0])) else { return Ok(1.0) };
    let ratio = number(own.model.value("motion_ratio"));
    ratio.filter(|_| !own.model.values.iter().any(has_spring_length)).ok_or_else(|| {
        format!(
            "the geometry of the suspension `{}` determines the motion ratio",
            own.model.model.id()
        )
    })
}

/// Returns whether a table has the length of the spring, which gives the motion ratio instead of the parameter.
fn has_spring_length(value: &ParamValue) -> bool {
    match value {
        ParamValue::Bytes(bytes) => String::from_utf8_lossy(bytes).contains("spring_length"),
        ParamValue::Items(items) => items.iter().any(has_spring_length),
        _ => false,
    }
}

/// Returns the roll per lateral acceleration, rad/(m/s²), of a body whose springs the dynamics class computes, in a wide turn at
/// the speed of the sheet.
pub(super) fn gradient_in_turn(input: &SheetInput<'_>) -> Result<f64, String> {
    let mut simulation = input.simulation.duplicate().map_err(|error| error.to_string())?;
    let name = input.vehicle.name.clone();
    let speed = [input.options.speed, 0.0, 0.0];
    simulation.set_velocity(&name, speed).map_err(|error| error.to_string())?;
    let kinds = simulation.command_kinds(input.number);
    let is_steer = |one: &Option<String>| one.as_deref() == Some("steer");
    let kind = kinds.into_iter().find(|kind| kind.values.iter().any(is_steer));
    let kind = kind.ok_or("the controller takes no command with a steering angle")?;
    let values = kind.values.iter().map(|one| if is_steer(one) { STEER } else { 0.0 }).collect();
    let command = TimedCommand { time: 0.0, vehicle: name, kind: kind.name, values };
    simulation.command(&command).map_err(|error| error.to_string())?;
    let steps = (TIME / simulation.clock().dt).ceil() as u64;
    simulation.run(steps).map_err(|error| error.to_string())?;
    let now = simulation.vehicles().nth(input.number).ok_or("the vehicle has gone")?;
    let lateral = now.twist[0] * now.twist[2];
    if lateral < LEAST {
        return Err("the vehicle does not turn with its steering angle".to_owned());
    }
    Ok(now.pose[5] / lateral)
}
