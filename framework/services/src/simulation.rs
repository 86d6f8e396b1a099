//! Services of `simulation_interfaces` about the run as a whole: features, states, steps, reset and the world.

use serde_json::{Value, json};
use simhost_streams::Input;

use crate::desk::{FAILED, ServiceDesk, UNSUPPORTED};
use crate::service::Outcome;

/// Features of `simulation_interfaces/msg/SimulatorFeatures` that are supported, by number: spawning and deleting,
/// tags, categories and texts of entities; getting and setting their states, getting information, spawnables; resets
/// of everything and of spawned entities; getting and setting the state of the simulation, pauses, one and several
/// steps; information on the world; several entities at once.
const FEATURES: &[u8] = &[0, 1, 4, 8, 9, 10, 11, 12, 14, 20, 23, 24, 25, 26, 31, 32, 44, 50];

const STOPPED: u8 = 0;
const PLAYING: u8 = 1;
const PAUSED: u8 = 2;
const QUITTING: u8 = 3;

const ALREADY_THERE: u8 = 101;
const INCORRECT_TRANSITION: u8 = 103;

/// Scope of a reset: everything.
const EVERYTHING: u64 = 255;
/// Scope of a reset: entities that have been spawned.
const SPAWNED: u64 = 4;

pub fn features(_: &ServiceDesk, _: &Value) -> Value {
    let info = concat!("simhost ", env!("CARGO_PKG_VERSION"), "; simulation_interfaces 2.1.0");
    json!({"features": {
        "features": FEATURES, "spawn_formats": ["simhost world file"], "custom_info": info,
    }})
}

/// Returns the state of the simulation.
fn state(desk: &ServiceDesk) -> u8 {
    let progress = desk.control.progress();
    match (progress.is_paused, desk.state().stopped_at) {
        (false, _) => PLAYING,
        (true, Some(steps)) if steps == progress.steps => STOPPED,
        (true, _) => PAUSED,
    }
}

pub fn get_state(desk: &ServiceDesk, _: &Value) -> Outcome {
    Ok(json!({"state": {"state": state(desk)}}))
}

pub fn set_state(desk: &ServiceDesk, request: &Value) -> Outcome {
    let target = request["state"]["state"].as_u64().and_then(|state| u8::try_from(state).ok());
    let present = state(desk);
    match target {
        Some(target) if target == present => {
            Err((ALREADY_THERE, "the simulation is in this state already".to_owned()))
        }
        Some(STOPPED) => stop(desk),
        Some(target @ (PLAYING | PAUSED)) => {
            // a simulation that is stopped is at its start and does not run
            desk.state().stopped_at = None;
            desk.send(if target == PLAYING { Input::Resume } else { Input::Pause })?;
            Ok(json!({}))
        }
        Some(QUITTING) => desk.post(Input::Stop).map(|()| json!({})),
        _ => {
            let text =
                "unknown state; expected stopped (0), playing (1), paused (2) or quitting (3)";
            Err((INCORRECT_TRANSITION, text.to_owned()))
        }
    }
}

/// Pauses at the start.
fn stop(desk: &ServiceDesk) -> Outcome {
    let seed = desk.control.progress().seed;
    desk.send(Input::Pause)?;
    desk.send(Input::Reset { seed })?;
    let mut state = desk.state();
    state.stopped_at = Some(desk.control.progress().steps);
    state.spawned.clear();
    Ok(json!({}))
}

/// Makes steps during a pause, and waits until they are complete.
pub fn step(desk: &ServiceDesk, request: &Value) -> Outcome {
    let steps = request["steps"].as_u64().unwrap_or(1);
    let progress = desk.control.progress();
    if !progress.is_paused {
        return Err((FAILED, "the simulation is not paused; steps need a pause".to_owned()));
    }
    if steps == 0 {
        return Ok(json!({}));
    }
    desk.state().stopped_at = None;
    desk.post(Input::Step { steps })?;
    let last = progress.steps.saturating_add(steps);
    if !desk.wait(&|progress| progress.steps >= last) {
        return Err((FAILED, format!("the {steps} steps have not been completed")));
    }
    // samples of the last step are out when the session answers
    desk.settle();
    Ok(json!({}))
}

pub fn reset(desk: &ServiceDesk, request: &Value) -> Outcome {
    match request["scope"].as_u64().unwrap_or(0) {
        0 | EVERYTHING | 7 => {
            let progress = desk.control.progress();
            desk.send(Input::Reset { seed: progress.seed })?;
            desk.state().spawned.clear();
            Ok(json!({}))
        }
        SPAWNED => {
            let spawned = std::mem::take(&mut desk.state().spawned);
            for entity in spawned {
                desk.send(Input::Remove { entity })?;
            }
            Ok(json!({}))
        }
        other => {
            let text = format!(
                "the scope {other} is not supported; expected everything (0 or 255) or spawned entities (4)"
            );
            Err((UNSUPPORTED, text))
        }
    }
}

pub fn world(desk: &ServiceDesk, _: &Value) -> Outcome {
    let resource = json!({"uri": desk.path});
    Ok(json!({"world": {"name": desk.world, "world_resource": resource}}))
}
