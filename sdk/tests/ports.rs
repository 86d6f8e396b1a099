//! Ports of models in Rust: published outputs, and inputs and outputs with one value per wheel.

#![allow(clippy::unwrap_used)]

#[path = "ports/models.rs"]
mod models;

use models::{Measured, Pair, Speeds, Spins, Standing, Traction};
use simhost_sdk::abi::host::{Binding, Circumstances, LaneShape, PhaseColumns};
use simhost_sdk::abi::host_port::{self, HostPort};
use simhost_sdk::abi::{Fault, Model, PortDesc, Scope, Slice, Value, port_flag};
use simhost_sdk::prelude::*;
use simhost_sdk::testing::{self, Pilot, Platform, Sampler};

mod exported {
    use super::models::{Pair, Standing, Traction, Warm};

    simhost_sdk::export_plugin! {
        vendor: "tests",
        friction: { "warm" => Warm },
        dynamics: { "pair" => Pair },
        controller: { "traction" => Traction },
        sensor: { "standing" => Standing },
    }
}

fn model(id: &str) -> &'static Model {
    let models = exported::PLUGIN.models;
    // SAFETY: descriptors are static.
    unsafe { models.as_slice().iter().map(|m| &**m).find(|m| m.id.as_str() == id).unwrap() }
}

fn ports(model: &Model, phase: usize) -> [&'static [PortDesc]; 2] {
    // SAFETY: descriptors are static.
    unsafe {
        let phase = &model.phases.as_slice()[phase];
        [phase.inputs.as_slice(), phase.outputs.as_slice()]
    }
}

fn named(ports: &'static [PortDesc], name: &str) -> &'static PortDesc {
    // SAFETY: descriptors are static.
    ports.iter().find(|port| unsafe { port.name.as_str() } == name).unwrap()
}

#[test]
fn published_outputs_follow_those_that_drive_and_carry_the_flag() {
    let [_, outputs] = ports(model("warm"), 0);
    let flags: Vec<u32> = outputs.iter().map(|port| port.flags).collect();
    assert_eq!(flags, [0, 0, 0, port_flag::OPTIONAL, port_flag::OPTIONAL]);
    let [inputs, outputs] = ports(model("traction"), 0);
    assert_eq!(named(inputs, "spin").flags, port_flag::REQUIRED);
    assert_eq!(named(inputs, "spin").scope, Scope::Wheel as u32);
    assert_eq!(named(inputs, "speed").flags, port_flag::COMMAND);
    assert_eq!(named(outputs, "torque").flags, 0);
    assert_eq!(named(outputs, "slowest").flags, port_flag::OPTIONAL);
    let [_, outputs] = ports(model("pair"), 1);
    assert!(outputs.iter().all(|port| port.flags == port_flag::OPTIONAL));
    assert_eq!(named(outputs, "rolling").scope, Scope::Wheel as u32);
    let [_, outputs] = ports(model("standing"), 1);
    assert_eq!(outputs[0].flags, port_flag::OPTIONAL);
}

/// Calls `force` for 40 wheels in one batch. Every other wheel slides sideways from wheel 20 on.
#[test]
fn both_forms_of_a_friction_model_publish() {
    const LANES: usize = 40;
    let slides = |lane: usize| lane >= 20 && lane.is_multiple_of(2);
    let model = model("warm");
    let (mut handle, mut fault) = (std::ptr::null_mut(), Fault::NONE);
    let values = [Value::number(0.8)];
    // SAFETY: the values live during the call, and the handle is used with this model only.
    let code = unsafe { (model.create)(Slice::borrowed(&values), &raw mut handle, &raw mut fault) };
    assert_eq!(code, 0);
    let inputs = ports(model, 0)[0].iter().map(|port| {
        // SAFETY: descriptors are static.
        let value = |lane: usize| match unsafe { port.name.as_str() } {
            "vy" if slides(lane) => 0.5,
            "normal_force" => 60.0,
            "radius" | "inertia" => 0.2,
            "gravity" => 9.81,
            _ => 0.0,
        };
        (0..LANES).map(value).collect::<Vec<f64>>()
    });
    let inputs: Vec<Vec<f64>> = inputs.collect();
    let mut outputs = vec![vec![f64::NAN; LANES]; 5];
    let mut states = [vec![0.0; LANES]];
    let columns = PhaseColumns::of(&inputs, &mut outputs, &mut states);
    // SAFETY: the columns are those that the phase declares and hold all lanes.
    let code = unsafe {
        let force = &model.phases.as_slice()[0];
        let binding = Binding::new(force, handle, LaneShape::default(), columns);
        binding.call(&(0..LANES), &Circumstances::of_step(0.0, 0.005), &raw mut fault)
    };
    assert_eq!(code, 0);
    assert_eq!(outputs[3], vec![291.0; LANES]);
    for (lane, loss) in outputs[4].iter().enumerate() {
        let expected = if slides(lane) { 0.5 * 0.8 * 60.0 } else { 0.0 };
        assert!((loss - expected).abs() < 1e-9, "{lane}: {loss}");
    }
    // SAFETY: the handle came from `create` of this model.
    unsafe { (model.destroy)(handle) };
}

#[test]
fn a_controller_reads_the_spin_of_every_wheel() {
    let mut pilot = Pilot::new::<Traction>(&[]);
    pilot.inputs["speed"] = 10.0;
    assert_eq!(pilot.wheel_inputs[0].0, "spin");
    pilot.wheel_inputs[0].1 = vec![3.0, 7.0, 5.0];
    let made = pilot.control(&testing::step());
    assert_eq!((made["torque"], made["slowest"]), (3.0, 3.0));
    let direct: Traction = testing::controller(&[]);
    let inputs = Speeds { speed: 2.0, spin: PerWheel::of(&[1.0, 4.0]) };
    assert_eq!(direct.control(&inputs, &testing::step(), &mut ()).torque, -2.0);
}

#[test]
fn a_dynamics_class_measures_every_wheel() {
    let class: Pair = testing::dynamics(&[]);
    let mut platform = Platform::new(&class);
    platform.wheels[0].spin = 10.0;
    platform.wheels[1].spin = 20.0;
    let Measured { mean, rolling } = platform.measure();
    assert_eq!((mean, rolling), (3.0, [2.0, 4.0]));
    let mut vehicle = testing::Vehicle::new::<Pair>(&[]);
    vehicle.wheels[0].spin = 10.0;
    assert_eq!(vehicle.measure().names(), ["mean"]);
    assert_eq!(vehicle.measure()["mean"], 1.0);
}

#[test]
fn a_sensor_reads_the_spin_of_every_wheel() {
    let sensor: Standing = testing::sensor(&[]);
    let mut sampler = Sampler::new(&sensor);
    let inputs = Spins { spin: PerWheel::of(&[0.0, 3.0, 0.0]) };
    let sample = sampler.read(&inputs, &[], 1, &testing::step());
    assert_eq!(sample.readings.standing, 2.0);
}

/// Three vehicles with two wheels each: wheel `w` of lane `i` is at `3 * w + i`.
#[test]
fn wheels_of_a_batch_are_a_stride_apart() {
    let model = model("traction");
    let (mut handle, mut fault) = (std::ptr::null_mut(), Fault::NONE);
    let values = [Value::number(1.0)];
    // SAFETY: the values live during the call, and the handle is used with this model only.
    let code = unsafe { (model.create)(Slice::borrowed(&values), &raw mut handle, &raw mut fault) };
    assert_eq!(code, 0);
    let inputs = [vec![10.0; 3], vec![1.0, 2.0, 3.0, 6.0, 5.0, 4.0]];
    let mut outputs = [vec![0.0; 3], vec![0.0; 3]];
    let columns = PhaseColumns::of(&inputs, &mut outputs, &mut []);
    // SAFETY: the columns are those that the phase declares and hold all lanes.
    let code = unsafe {
        let control = &model.phases.as_slice()[0];
        let shape = LaneShape { wheels: 2, wheel_stride: 3, rays: 0 };
        let binding = Binding::new(control, handle, shape, columns);
        binding.call(&(0..3), &Circumstances::of_step(0.0, 0.005), &raw mut fault)
    };
    assert_eq!(code, 0);
    assert_eq!(outputs, [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]);
    // SAFETY: the handle came from `create` of this model.
    unsafe { (model.destroy)(handle) };
}

/// The host resolves the ports of models by the tables of `host_port`, and the SDK declares them
/// itself.
#[test]
fn the_sdk_declares_the_ports_of_the_tables() {
    let declared = |ports: &'static [PortDesc], count: usize| -> Vec<_> {
        // SAFETY: descriptors are static.
        let text =
            |port: &PortDesc| unsafe { (port.name.as_str(), port.unit.as_str(), port.scope) };
        ports.iter().take(count).map(text).collect()
    };
    let table = |ports: &'static [HostPort]| -> Vec<_> {
        ports.iter().map(|port| (port.name, port.unit, port.scope as u32)).collect()
    };
    let [inputs, outputs] = ports(model("warm"), 0);
    assert_eq!(declared(inputs, inputs.len()), table(host_port::WHEEL_INPUTS));
    assert_eq!(declared(outputs, 3), table(host_port::WHEEL_OUTPUTS));
    let [_, outputs] = ports(model("pair"), 0);
    // the SDK does not set the others
    assert_eq!(declared(outputs, outputs.len()), table(&host_port::DRIVE_OUTPUTS[..3]));
    let [_, outputs] = ports(model("standing"), 0);
    assert_eq!(declared(outputs, outputs.len()), table(host_port::AIM_OUTPUTS));
    let [inputs, _] = ports(model("standing"), 1);
    assert_eq!(declared(&inputs[1..], 1), table(host_port::RAY_RESULTS));
    let known = table(host_port::MEASUREMENTS);
    let [inputs, _] = ports(model("pair"), 1);
    assert!(declared(inputs, inputs.len()).iter().all(|port| known.contains(port)));
}
