//! Models whose lanes depend on each other, many commands, and defaults of traits.

#![allow(clippy::unwrap_used)]

use simhost_sdk::abi::host::{Binding, Circumstances, LaneShape, PhaseColumns};
use simhost_sdk::abi::{Fault, Model, Slice, fault_code, model_flag};
use simhost_sdk::prelude::*;
use simhost_sdk::testing::{self, Platform};
use simhost_sdk::{ControllerModel, FrictionModel};

/// Friction whose grip is shared among all wheels.
#[derive(Params)]
pub struct Shared {}

/// Number of wheels that share the grip.
#[derive(Ports)]
pub struct Count {
    /// Number of wheels.
    #[port(unit = "1")]
    wheels: f64,
}

/// Number of calls.
#[derive(State)]
pub struct Calls {
    /// Calls.
    #[state(counter)]
    calls: f64,
}

#[model]
impl Friction for Shared {
    type Published = Count;
    const WHOLE_BATCH: bool = true;

    fn forces(&self, wheels: &mut Group<Wheel, Force, Calls>) {
        let count = wheels.len();
        let load: f64 = (0..count).map(|lane| wheels.inputs(lane).normal_force).sum();
        assert!(load >= 0.0, "a negative load");
        for lane in 0..count {
            let calls = Calls { calls: wheels.state(lane).calls + 1.0 };
            let force = Force { fx: load / count as f64, ..Force::default() };
            wheels.set(lane, &force, &calls);
        }
    }

    fn force(&self, wheel: &Wheel, _: &Step, _: &mut Calls) -> Force {
        Force { fx: wheel.normal_force, ..Force::default() }
    }

    fn publish(&self, _: &Wheel, _: &Force, _: &Step, state: &Calls) -> Count {
        Count { wheels: state.calls }
    }
}

/// Calls the first phase of a model for `LANES` lanes with these loads from lane 1 on.
fn call(model: &Model, loads: [f64; 3]) -> (u32, Fault, Vec<Vec<f64>>) {
    // SAFETY: the descriptor is static.
    let phase = unsafe { model.phases.as_slice() }[0];
    let inputs: Vec<Vec<f64>> = (0..phase.inputs.len)
        .map(|k| if k == 4 { [&[0.0], &loads[..]].concat() } else { vec![0.0; 4] })
        .collect();
    let mut outputs = vec![vec![0.0; 4]; phase.outputs.len];
    let mut states = vec![vec![0.0; 4]; model.states.len];
    let columns = PhaseColumns::of(&inputs, &mut outputs, &mut states);
    let (mut handle, mut fault) = (std::ptr::null_mut(), Fault::NONE);
    // SAFETY: the columns belong to the phase, and the handle to the model.
    let code = unsafe {
        (model.create)(Slice::new(&[]), &raw mut handle, &raw mut fault);
        let binding = Binding::new(&phase, handle, LaneShape::default(), columns);
        let code = binding.call(&(1..4), &Circumstances::of_step(0.0, 0.01), &raw mut fault);
        (model.destroy)(handle);
        code
    };
    outputs.extend(states);
    (code, fault, outputs)
}

#[test]
fn a_model_with_a_whole_batch_sees_all_lanes_in_one_call() {
    let model = FrictionModel::<Shared>::model("shared", "1.0.0");
    assert_eq!(model.flags, model_flag::WHOLE_BATCH);
    let (code, _, columns) = call(&model, [1.0, 2.0, 6.0]);
    assert_eq!(code, fault_code::NONE);
    assert_eq!(columns[0], [0.0, 3.0, 3.0, 3.0]);
    // published, and the state
    assert_eq!(columns[3], [0.0, 1.0, 1.0, 1.0]);
    assert_eq!(columns[4], [0.0, 1.0, 1.0, 1.0]);
}

#[test]
fn the_lanes_of_a_whole_batch_fault_together() {
    let model = FrictionModel::<Shared>::model("shared", "1.0.0");
    let (code, fault, columns) = call(&model, [1.0, -2.0, 0.0]);
    assert_eq!((code, fault.lane), (fault_code::PANIC, 1));
    assert!(fault.message().contains("a negative load"), "{}", fault.message());
    assert_eq!(columns[0], [0.0; 4]);
}

/// A controller with 70 commands, and one without any.
#[derive(Params)]
pub struct Busy {}

#[model]
impl Controller for Busy {
    const COMMANDS: CommandKinds = &[command!("again":); 70];
    fn control(&self, _: &(), _: &Step, _: &mut ()) {}
}

/// A controller without commands.
#[derive(Params)]
pub struct Idle {}

#[model]
impl Controller for Idle {
    fn control(&self, _: &(), _: &Step, _: &mut ()) {}
}

#[test]
fn a_controller_has_any_number_of_commands() {
    let busy = ControllerModel::<Busy>::model("busy", "1.0.0");
    assert_eq!(busy.commands.len, 70);
    // SAFETY: descriptors are static.
    let kind = unsafe { busy.commands.as_slice()[69].kind.as_str() };
    assert_eq!(kind, "again");
    assert_eq!(ControllerModel::<Idle>::model("idle", "1.0.0").commands.len, 0);
}

/// Two wheels that lean, without measurements.
#[derive(Params)]
pub struct Leaning {}

#[model]
impl Dynamics for Leaning {
    const WHEELS: &'static [WheelPlace] =
        &[WheelPlace::at("l", 0.0, 0.3), WheelPlace::at("r", 0.0, -0.3)];
    const CHASSIS: Chassis =
        Chassis { mass: 9.0, z_min: 0.0, z_max: 1.0, polygon: &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0] };
    const SETS_CAMBER: bool = true;
    fn drive(&self, _: &(), wheels: &mut Wheels, _: &Step, _: &mut ()) {
        wheels.set_camber(1, 0.2, -0.1);
    }
}

#[test]
fn a_dynamics_class_sets_the_camber_of_its_wheels() {
    let model: Leaning = testing::dynamics(&[]);
    let driven = Platform::new(&model).drive(&(), &testing::step());
    assert_eq!(driven.camber, [vec![0.0, 0.2], vec![0.0, -0.1]]);
    assert_eq!((driven.wheels, driven.brake), (vec![0.0; 2], vec![0.0; 2]));
}
