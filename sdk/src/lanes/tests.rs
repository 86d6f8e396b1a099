//! Lanes with separate parameters, on a model with data on the heap.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use simhost_abi::host::{Binding, Circumstances, LaneShape, PhaseColumns};
use simhost_abi::{Fault, Model, Slice, Str, Value, fault_code, port_flag};

use super::{port_of, unit_of_model};
use crate::prelude::*;

/// Number of lanes, more than fit into a tile.
const LANES: usize = 37;

/// A tyre for tests.
#[derive(Params)]
struct Tread {
    /// A name.
    #[param(default = "four")]
    name: String,
    /// A table.
    #[param(default = [1.0, 2.0])]
    table: Vec<f64>,
    /// A number that differs between lanes.
    #[param(default = 0.5, per_lane)]
    mu: f64,
    /// A number that does not.
    #[param(default = 3.0)]
    fixed: f64,
    /// An angle that differs between lanes.
    #[param(default = 90.0, unit = "deg", scale = math::DEG, per_lane)]
    angle: f64,
    #[param(skip)]
    calls: Arc<AtomicU64>,
}

#[model]
impl Friction for Tread {
    fn force(&self, wheel: &Wheel, _: &Step, _: &mut ()) -> Force {
        self.calls.fetch_add(1, Ordering::Relaxed);
        assert!(wheel.vx < 9.0, "too fast with mu = {}", self.mu);
        let fx = self.mu * wheel.vx + self.name.len() as f64 + self.table.iter().sum::<f64>();
        Force { fx, fy: self.angle, spin_torque: self.fixed }
    }
}

const MODEL: Model = crate::FrictionModel::<Tread>::model("tread", "0.1.0");

/// Calls the phase for all lanes. Returns the outputs and the code and lane of a fault.
fn call(vx: &[f64], lanes: Option<[&[f64]; 2]>) -> (Vec<[f64; 3]>, (u32, u64)) {
    let items = [1.0, 2.0].map(Value::number);
    let values = [
        Value::text(Str::new("four")),
        Value::items(Slice::borrowed(&items)),
        Value::number(0.5),
        Value::number(3.0),
        Value::number(1.0),
    ];
    let (mut handle, mut fault) = (std::ptr::null_mut(), Fault::NONE);
    // SAFETY: the values live during the call; the descriptor is static.
    let (code, phase) = unsafe {
        let code = (MODEL.create)(Slice::borrowed(&values), &raw mut handle, &raw mut fault);
        (code, &MODEL.phases.as_slice()[0])
    };
    assert_eq!(code, fault_code::NONE);
    // SAFETY: descriptors are static.
    let ports = unsafe { phase.inputs.as_slice() };
    let mut own = lanes.into_iter().flatten();
    let inputs: Vec<Vec<f64>> = ports
        .iter()
        // SAFETY: as above.
        .map(|port| match unsafe { port.name.as_str() } {
            _ if port.flags & port_flag::PARAMETER != 0 => {
                own.next().map_or_else(Vec::new, |column| column.to_vec())
            }
            "vx" => vx.to_vec(),
            _ => vec![0.0; LANES],
        })
        .collect();
    let mut outputs = vec![vec![0.0; LANES]; 3];
    let columns = PhaseColumns::of(&inputs, &mut outputs, &mut []);
    let binding = Binding::new(phase, handle, LaneShape::default(), columns);
    // SAFETY: the columns belong to the phase and contain all lanes; the handle came from `create`.
    let code = unsafe {
        let at = Circumstances::of_step(0.0, 0.01);
        let code = binding.call(&(0..LANES), &at, &raw mut fault);
        let model = &*handle.cast::<Tread>();
        assert_eq!(Arc::strong_count(&model.calls), 1, "the copies own nothing");
        assert!(
            model.calls.load(Ordering::Relaxed) > 0,
            "the copies share what is behind pointers"
        );
        (MODEL.destroy)(handle);
        code
    };
    let of_lane = |lane: usize| [0, 1, 2].map(|column| outputs[column][lane]);
    ((0..LANES).map(of_lane).collect(), (code, fault.lane))
}

#[test]
fn each_lane_has_its_parameters() {
    let vx: Vec<f64> = (0..LANES).map(|lane| 0.1 * lane as f64).collect();
    let mu: Vec<f64> = (0..LANES).map(|lane| lane as f64).collect();
    let angle: Vec<f64> = (0..LANES).map(|lane| -(lane as f64)).collect();
    let (equal, _) = call(&vx, None);
    let (varied, _) = call(&vx, Some([&mu, &angle]));
    for lane in 0..LANES {
        assert_eq!(equal[lane], [0.5 * vx[lane] + 4.0 + 3.0, 1.0, 3.0]);
        assert_eq!(varied[lane], [mu[lane] * vx[lane] + 4.0 + 3.0, angle[lane], 3.0]);
    }
}

#[test]
fn a_panic_names_its_lane() {
    let mut vx = vec![1.0; LANES];
    vx[21] = 10.0;
    let mu = vec![2.0; LANES];
    let (outputs, (code, lane)) = call(&vx, Some([&mu, &mu]));
    assert_eq!((code, lane), (fault_code::PANIC, 21));
    assert_eq!(outputs[20][0], 9.0, "the lanes before it are complete");
}

#[test]
fn ports_of_parameters_are_in_the_unit_of_the_model() {
    // SAFETY: descriptors are static.
    let units: Vec<&str> = Tread::PARAMS
        .iter()
        .filter(|param| super::is_per_lane(param))
        .map(|param| unsafe { port_of(param).unit.as_str() })
        .collect();
    assert_eq!(units, ["1", "rad"]);
    assert_eq!(unit_of_model("km/h", 1.0 / 3.6), "m/s");
}

#[test]
#[should_panic(expected = "expected SI units")]
fn other_factors_are_refused() {
    unit_of_model("furlong", 201.168);
}
