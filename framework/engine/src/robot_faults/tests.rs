//! Onsets and effects, snapshots, threads, and the pieces of several steps.

use simhost_world::{FaultSeverity, World};

use crate::build::Options;
use crate::commands::TimedCommand;
use crate::robot_faults::FaultEntry;
use crate::simulation::Simulation;
use crate::snapshot::Fit;
use crate::tests::{read, started};

/// Returns a car with raw torques and these faults, at the step `dt`, s.
fn world(dt: f64, vehicle: &str) -> World {
    let text = format!(
        "<mvsim_world><simul_timestep>{dt}</simul_timestep><vehicle name=\"car\"><dynamics \
         class=\"ackermann\"><controller class=\"raw\"/></dynamics><sensor class=\"laser\" \
         name=\"scan\"><sensor_period>0.1</sensor_period></sensor><init_pose>0 0 0</init_pose>\
         <init_vel>5 0 0</init_vel>{vehicle}</vehicle></mvsim_world>"
    );
    read(&text)
}

fn steer(simulation: &mut Simulation, angle: f64) {
    let steers = |value: &Option<String>| value.as_ref().is_some_and(|name| name.contains("steer"));
    let kinds = simulation.command_kinds(0);
    let kind = kinds.iter().find(|kind| kind.values.iter().any(steers)).expect("it steers");
    let values = kind.values.iter().map(|value| if steers(value) { angle } else { 0.0 }).collect();
    let (vehicle, kind) = ("car".to_owned(), kind.name.clone());
    let command = TimedCommand { time: 0.0, vehicle, kind, values };
    simulation.command(&command).expect("the controller steers");
}

/// Returns the steering angle of a front wheel, rad.
fn angle(simulation: &Simulation) -> f64 {
    let wheel = |name: &str| simulation.wheels().find(|wheel| wheel.wheel == name);
    wheel("fl").expect("it has the wheel").steer
}

const MEMORY: &str = "<fault sensor=\"oil\" severity=\"critical\" code=\"3\" rate=\"2\"/>";

#[test]
fn random_onsets_do_not_depend_on_the_step() {
    let times = |dt: f64, seed: u64| -> Vec<f64> {
        let mut simulation = started(&world(dt, MEMORY), seed);
        simulation.run((20.0 / dt).round() as u64).expect("nothing faults");
        simulation.fault_memories().of(0).entries().map(|entry| entry.time).collect()
    };
    let fine = times(0.002, 1);
    assert!((20..=60).contains(&fine.len()), "{}", fine.len());
    assert_eq!(fine, times(0.01, 1));
    assert_ne!(fine, times(0.01, 2));
}

#[test]
fn a_stuck_steering_stays_and_returns() {
    let fault = "<fault sensor=\"steering\" severity=\"failure\" at=\"0.1\" until=\"0.2\" \
                 target=\"steer\" effect=\"stuck\"/>";
    let mut simulation = started(&world(0.01, fault), 1);
    steer(&mut simulation, 0.2);
    simulation.run(10).expect("nothing faults");
    let before = angle(&simulation);
    steer(&mut simulation, -0.1);
    simulation.run(10).expect("nothing faults");
    assert_eq!(angle(&simulation), before);
    assert_eq!(simulation.fault_memories().present(0).count(), 0, "it has just ended");
    simulation.run(1).expect("nothing faults");
    assert!((angle(&simulation) - before).abs() > 0.1, "{}", angle(&simulation));
}

#[test]
fn effects_on_one_port_follow_each_other_and_end_in_any_order() {
    let faults = "<fault sensor=\"steering\" severity=\"damaged\" at=\"0.1\" until=\"0.3\" \
                  target=\"steer\" effect=\"scale\" value=\"0.5\"/>\
                  <fault sensor=\"steering\" severity=\"damaged\" at=\"0.2\" until=\"0.4\" \
                  target=\"steer\" effect=\"offset\" value=\"0.03\"/>";
    let mut simulation = started(&world(0.01, faults), 1);
    let mut without = started(&world(0.01, ""), 1);
    let expect = |simulation: &Simulation, without: &mut Simulation, input: f64| {
        steer(without, input);
        without.run(1).expect("nothing faults");
        assert!((angle(simulation) - angle(without)).abs() < 1e-12, "{input}");
    };
    steer(&mut simulation, 0.2);
    for (steps, input) in [(10, 0.2), (10, 0.1), (10, 0.13), (10, 0.23), (10, 0.2)] {
        simulation.run(steps).expect("nothing faults");
        expect(&simulation, &mut without, input);
    }
}

#[test]
fn a_sensor_that_drops_out_gives_no_samples() {
    let fault = "<fault sensor=\"scan\" severity=\"failure\" at=\"0.3\" until=\"0.6\" \
                 target=\"scan\" effect=\"dropout\"/>";
    let mut simulation = started(&world(0.01, fault), 1);
    let mut times = Vec::new();
    for _ in 0..100 {
        simulation.step().expect("nothing faults");
        if simulation.samples().readings().next().is_some() {
            times.push((simulation.clock().time() * 10.0).round() as u32);
        }
    }
    // the fault acts on steps that start at its onset or later
    assert_eq!(times, [1, 2, 3, 7, 8, 9, 10]);
}

#[test]
fn readings_are_replaced() {
    let range = |effect: &str| {
        let fault = format!(
            "<fault sensor=\"scan\" severity=\"damaged\" at=\"0\" target=\"scan/range\" {effect}/>"
        );
        let mut simulation = started(&world(0.01, &fault), 1);
        simulation.run(10).expect("nothing faults");
        let (_, reading) = simulation.samples().readings().next().expect("a sample");
        reading[0]
    };
    let own = range("effect=\"offset\" value=\"0\"");
    assert_eq!(range("effect=\"off\""), 0.0);
    assert_eq!(range("effect=\"scale\" value=\"0.5\""), 0.5 * own);
    assert_eq!(range("effect=\"offset\" value=\"2\""), own + 2.0);
}

const ALL: &str = "<fault sensor=\"steering\" severity=\"failure\" at=\"0.1\" target=\"steer\" \
                   effect=\"stuck\"/>\
                   <fault sensor=\"scan\" severity=\"damaged\" rate=\"3\" duration=\"0.15\" \
                   target=\"scan\" effect=\"stuck\"/>\
                   <fault sensor=\"wheel\" severity=\"damaged\" rate=\"4\" duration=\"0.05\" \
                   target=\"wheel/rl/torque\" effect=\"scale\" value=\"0.2\" text=\"slips\"/>\
                   <fault sensor=\"brake\" severity=\"ok\" rate=\"5\"/>";

/// Returns the world with all faults, and its simulation after some steps to the left.
fn steered(steps: u64) -> (World, Simulation) {
    let world = world(0.01, ALL);
    let mut simulation = started(&world, 3);
    steer(&mut simulation, 0.2);
    simulation.run(steps).expect("nothing faults");
    (world, simulation)
}

#[test]
fn snapshots_continue_bit_for_bit() {
    let (world, mut simulation) = steered(37);
    let snapshot = simulation.snapshot().expect("no memory");
    simulation.run(100).expect("nothing faults");
    let mut other =
        Simulation::new(&world, Options { seed: 3, threads: 2 }).expect("the world is right");
    other.restore(&snapshot, Fit::Exact).expect("it fits");
    for _ in 0..100 {
        other.step().expect("nothing faults");
    }
    assert!(simulation.fault_memories().of(0).len() > 5);
    assert_eq!(simulation.fault_memories().of(0), other.fault_memories().of(0));
    assert_eq!(simulation.result_hash(), other.result_hash());
    assert_eq!(simulation.state_hash().expect("no memory"), other.state_hash().expect("no memory"));
}

#[test]
fn another_simulation_of_the_world_takes_over() {
    let (world, simulation) = steered(50);
    let mut next = started(&world, 3);
    next.take_over(&simulation).expect("the worlds are the same");
    assert_eq!(next.fault_memories().of(0), simulation.fault_memories().of(0));
    assert_eq!(
        next.fault_memories().present(0).collect::<Vec<_>>(),
        simulation.fault_memories().present(0).collect::<Vec<_>>()
    );
    let held = angle(&simulation);
    steer(&mut next, -0.2);
    next.run(20).expect("nothing faults");
    assert_eq!(angle(&next), held);
}

#[test]
fn memories_are_read_by_sensor_and_severity_and_cleared() {
    let mut simulation = started(&world(0.01, ""), 1);
    let without = simulation.state_hash().expect("no memory");
    assert!(!simulation.fault_memories().is_used());
    let mut add = |sensor: &str, severity: FaultSeverity| {
        let (sensor, text) = (sensor.to_owned(), String::new());
        simulation.add_fault_entry(0, FaultEntry { sensor, severity, code: 7, time: 0.0, text });
    };
    add("brake", FaultSeverity::ServiceRequired);
    add("engine", FaultSeverity::Failure);
    add("brake", FaultSeverity::Critical);
    let memory = simulation.fault_memories().of(0);
    assert_eq!((memory.len(), memory.of_sensor("brake").count()), (3, 2));
    assert_eq!(memory.at_least(FaultSeverity::Critical).count(), 2);
    assert_eq!(memory.at_least(FaultSeverity::Ok).count(), 3);
    assert_eq!(memory.worst(), Some(FaultSeverity::Failure));
    assert_ne!(simulation.state_hash().expect("no memory"), without);
    assert_eq!(simulation.fault_memories().entries_from(1).count(), 2);
    simulation.clear_fault_memory(0);
    assert!(simulation.fault_memories().of(0).is_empty());
    assert_eq!(simulation.fault_memories().entry_count(), 3);
}
