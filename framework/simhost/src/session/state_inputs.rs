//! Inputs that change the state of a simulation, and nothing else.

use simhost_engine::{FaultEntry, PlaceError, Quantities, Simulation, TimedCommand};
use simhost_streams::{Input, InputError};
use simhost_world::FaultSeverity;

use crate::error::Error;

/// Sets all of some quantities to a value between two steps.
///
/// # Errors
/// [`Error::Input`] with the name if one is not a state that can be set, or the value is not finite.
pub fn set_state(
    quantities: &Quantities,
    simulation: &mut Simulation,
    name: &str,
    value: f64,
) -> Result<(), Error> {
    let refused = |found: String, expected: &str| {
        let (name, expected) = (format!("the state '{name}'"), expected.to_owned());
        Err(Error::Input(InputError::Value { name, found, expected }))
    };
    if !value.is_finite() {
        return refused(value.to_string(), "a finite number");
    }
    let mut indices = 0..quantities.infos().len();
    match indices.all(|index| quantities.set_state(index, simulation, value)) {
        true => Ok(()),
        false => refused(
            "computed in each step".to_owned(),
            "a state slot of a model, or the spin of a wheel",
        ),
    }
}

/// Applies an input that changes the state of a simulation.
pub fn carry_out(simulation: &mut Simulation, input: &Input) -> Result<(), InputError> {
    let time = simulation.clock().time();
    let number =
        |simulation: &Simulation, vehicle: &str| simulation.vehicle_names().number(vehicle);
    match input {
        Input::Command { vehicle, kind, values } => {
            let (vehicle, kind, values) = (vehicle.clone(), kind.clone(), values.clone());
            // a vehicle can have been removed, and a recorded command can have been edited
            let _ = simulation.command(&TimedCommand { time, vehicle, kind, values });
            Ok(())
        }
        Input::Pose { entity, pose } => {
            simulation.set_pose(entity, *pose).map_err(|error| not_placeable(&error))
        }
        Input::Velocity { entity, velocity } => {
            simulation.set_velocity(entity, *velocity).map_err(|error| not_placeable(&error))
        }
        Input::AddFault { vehicle, sensor, severity, code, text } => {
            let known = FaultSeverity::from_name(severity).zip(number(simulation, vehicle));
            if let Some((severity, number)) = known {
                let (sensor, text) = (sensor.clone(), text.clone());
                let entry = FaultEntry { sensor, severity, code: *code, time, text };
                simulation.add_fault_entry(number, entry);
            }
            Ok(())
        }
        Input::ClearFaults { vehicle } => {
            if let Some(number) = number(simulation, vehicle) {
                simulation.clear_fault_memory(number);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn not_placeable(error: &PlaceError) -> InputError {
    InputError::Value {
        name: "the entity of a pose or a velocity".to_owned(),
        found: error.to_string(),
        expected: "a vehicle or a block that moves".to_owned(),
    }
}

/// Returns whether an input leaves nothing of the effect of an earlier one.
pub fn replaces(input: &Input, before: &Input) -> bool {
    match (input, before) {
        (
            Input::Command { vehicle, kind, .. },
            Input::Command { vehicle: earlier, kind: own, .. },
        ) => (vehicle, kind) == (earlier, own),
        (
            Input::Pose { entity, .. },
            Input::Pose { entity: earlier, .. } | Input::Velocity { entity: earlier, .. },
        )
        | (Input::Velocity { entity, .. }, Input::Velocity { entity: earlier, .. }) => {
            entity == earlier
        }
        _ => false,
    }
}
