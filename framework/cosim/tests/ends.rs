//! Processes of FMUs that end.

use std::time::Instant;

use simhost::Session;

use crate::fmu::{Fmu, Variant};
use crate::models::CONTROLLER;
use crate::worlds::{CONTROLLED, RUBBER, open, values};

/// Returns the first fault of a run of steps with a gain.
fn fault(gain: &str, steps: u64) -> Option<String> {
    let controlled = CONTROLLED.replace("<gain>0<", &format!("<gain>{gain}<"));
    let (mut session, _folder) = open(&Fmu::new(3, &CONTROLLER), &controlled, RUBBER)?.unwrap();
    Some(faults(&mut session, steps))
}

#[test]
fn a_crash_and_an_end_are_faults_with_the_function_and_the_time() {
    for (gain, expected) in [
        ("14", "the process of the FMU crashed (SIGABRT) in the step from 0 s"),
        ("15", "the process of the FMU ended with code 3 in the step from 0 s"),
    ] {
        let Some(text) = fault(gain, 1) else { return };
        assert!(text.contains("tested.fmu") && text.contains(expected), "{text}");
    }
}

/// Runs steps, and returns the error and the faults.
fn faults(session: &mut Session, steps: u64) -> String {
    let error = session.run_steps(steps).err().map(|error| error.to_string());
    let faults = session.simulation().faults().iter().map(|fault| format!("{fault:?}"));
    error.into_iter().chain(faults).collect::<Vec<_>>().join("\n").replace('\\', "")
}

#[test]
fn a_step_that_does_not_return_is_ended() {
    let began = Instant::now();
    let Some(text) = fault("16", 1) else { return };
    assert!(text.contains("was ended after 10 s in the step from 0 s"), "{text}");
    assert!(began.elapsed().as_secs() < 20);
}

#[test]
fn what_an_fmu_prints_is_no_message() {
    let Some(text) = fault("17", 3) else { return };
    assert_eq!(text, "");
}

#[test]
fn a_crash_while_an_fmu_is_loaded_is_an_error_of_the_world() {
    let fmu = Fmu { variant: Variant::Dies, ..Fmu::new(2, &CONTROLLER) };
    let Some(opened) = open(&fmu, CONTROLLED, RUBBER) else { return };
    let text = opened.err().unwrap().to_string();
    assert!(text.contains("crashed (SIGABRT) while its library was loaded"), "{text}");
}

#[test]
fn a_crash_in_a_variable_names_it_and_an_earlier_snapshot_can_be_restored() {
    let Some(opened) = open(&Fmu::new(3, &CONTROLLER), CONTROLLED, RUBBER) else { return };
    let (mut session, _folder) = opened.unwrap();
    session.run_steps(5).unwrap();
    let snapshot = session.snapshot().unwrap();
    session.run_steps(5).unwrap();
    let expected = values(&session, &["**"]);
    // more than 700 half metres per second, which the controller reads in the second step
    session.edit().set_velocity("r", [400.0, 0.0, 0.0]).unwrap();
    let text = faults(&mut session, 2);
    let named = "crashed (SIGABRT) while variable \"Speed\" was set at 0.1";
    assert!(text.contains(named), "{text}");
    session.restore(&snapshot).unwrap();
    session.run_steps(5).unwrap();
    assert_eq!(values(&session, &["**"]), expected);
}
