//! A car of any planning model, driven by constant inputs.

#![allow(dead_code)] // each test uses a part

use std::path::Path;

use simhost_planning::learned::LearnedSteerVel;
use simhost_planning::models::{
    actuation_cmd::ActuationCmd, actuation_cmd_mechanical::ActuationCmdMechanical,
    actuation_cmd_steer_map::ActuationCmdSteerMap, actuation_cmd_vgr::ActuationCmdVgr,
    delay_steer_acc::DelaySteerAcc, delay_steer_acc::DelaySteerAccGeared,
    delay_steer_acc_geared_wo_fall_guard::DelaySteerAccGearedWoFallGuard,
    delay_steer_map_acc_geared::DelaySteerMapAccGeared, delay_steer_vel::DelaySteerVel,
    ideal_steer_acc::IdealSteerAcc, ideal_steer_acc::IdealSteerAccGeared,
    ideal_steer_vel::IdealSteerVel,
};
use simhost_sdk::Step;
use simhost_sdk::testing::Vehicle;

/// The models by their names in Autoware.
pub const MODELS: [&str; 13] = [
    "IDEAL_STEER_VEL",
    "IDEAL_STEER_ACC",
    "IDEAL_STEER_ACC_GEARED",
    "DELAY_STEER_VEL",
    "DELAY_STEER_ACC",
    "DELAY_STEER_ACC_GEARED",
    "DELAY_STEER_ACC_GEARED_WO_FALL_GUARD",
    "DELAY_STEER_MAP_ACC_GEARED",
    "LEARNED_STEER_VEL",
    "ACTUATION_CMD",
    "ACTUATION_CMD_STEER_MAP",
    "ACTUATION_CMD_VGR",
    "ACTUATION_CMD_MECHANICAL",
];

/// Returns a vehicle of a model with these parameters.
pub fn vehicle(model: &str, given: &[(&str, &str)]) -> Vehicle {
    match model {
        "IDEAL_STEER_VEL" => Vehicle::new::<IdealSteerVel>(given),
        "IDEAL_STEER_ACC" => Vehicle::new::<IdealSteerAcc>(given),
        "IDEAL_STEER_ACC_GEARED" => Vehicle::new::<IdealSteerAccGeared>(given),
        "DELAY_STEER_VEL" => Vehicle::new::<DelaySteerVel>(given),
        "DELAY_STEER_ACC" => Vehicle::new::<DelaySteerAcc>(given),
        "DELAY_STEER_ACC_GEARED" => Vehicle::new::<DelaySteerAccGeared>(given),
        "DELAY_STEER_ACC_GEARED_WO_FALL_GUARD" => {
            Vehicle::new::<DelaySteerAccGearedWoFallGuard>(given)
        }
        "DELAY_STEER_MAP_ACC_GEARED" => Vehicle::new::<DelaySteerMapAccGeared>(given),
        "LEARNED_STEER_VEL" => Vehicle::new::<LearnedSteerVel>(given),
        "ACTUATION_CMD" => Vehicle::new::<ActuationCmd>(given),
        "ACTUATION_CMD_STEER_MAP" => Vehicle::new::<ActuationCmdSteerMap>(given),
        "ACTUATION_CMD_VGR" => Vehicle::new::<ActuationCmdVgr>(given),
        "ACTUATION_CMD_MECHANICAL" => Vehicle::new::<ActuationCmdMechanical>(given),
        _ => panic!("unknown model {model}"),
    }
}

/// A car with a model.
pub struct Car {
    pub vehicle: Vehicle,
    time: f64,
    dt: f64,
}

impl Car {
    /// Creates a car whose model repeats Autoware 1.0.0 (`compat`), with a step of 25 ms.
    pub fn new(model: &str, compat: bool, given: &[(&str, &str)]) -> Self {
        let mut given = given.to_vec();
        if compat {
            given.push(("compat", "autoware-1.0"));
        }
        Self { vehicle: vehicle(model, &given), time: 0.0, dt: 0.025 }
    }

    /// Sets the step, s.
    pub fn every(mut self, dt: f64) -> Self {
        self.dt = dt;
        self
    }

    /// Sets the speed at the start, m/s.
    pub fn at(mut self, speed: f64) -> Self {
        self.vehicle.roll(speed, 0.0);
        self
    }

    /// Sets an input.
    pub fn with(mut self, input: &str, value: f64) -> Self {
        self.set(input, value);
        self
    }

    /// Sets an input.
    pub fn set(&mut self, input: &str, value: f64) {
        self.vehicle.inputs[input] = value;
    }

    /// Sets the inputs that this model has, in its order, without gear and slope.
    pub fn command(mut self, model: &str, values: [f64; 3]) -> Self {
        let names: &[&str] = if model.starts_with("ACTUATION") {
            &["accel_command", "brake_command", "steer_command"]
        } else if model.ends_with("_VEL") {
            &["velocity_command", "steer_command"]
        } else if model.ends_with("FALL_GUARD") {
            &["pedal_command", "steer_command"]
        } else {
            &["acceleration_command", "steer_command"]
        };
        for (name, value) in names.iter().zip(values) {
            self.set(name, value);
        }
        self
    }

    /// Runs some steps and returns the result, as [`Self::result`].
    pub fn go(&mut self, steps: u64) -> [f64; 6] {
        for _ in 0..steps {
            self.vehicle.go(&Step::new(self.time, self.dt));
            self.time += self.dt;
        }
        self.result()
    }

    /// Returns x, y, m; yaw, rad; vx, m/s; ax, m/s²; and the steering angle, rad.
    pub fn result(&mut self) -> [f64; 6] {
        let measured = self.vehicle.measure();
        let body = &self.vehicle.body;
        [
            body.x,
            body.y,
            body.yaw,
            measured["odometry_vx"],
            measured["longitudinal_acceleration"],
            measured["steer_angle"],
        ]
    }

    /// Returns a measurement.
    pub fn measured(&mut self, name: &str) -> f64 {
        self.vehicle.measure()[name]
    }
}

/// Returns the contents of a map of the crate.
pub fn map(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("maps").join(name);
    std::fs::read_to_string(path).expect("the map is committed")
}

/// Fails unless two results agree to a relative tolerance, or to 1e-12.
#[track_caller]
pub fn near(found: f64, expected: f64, relative: f64, what: &str) {
    let allowed = (relative * expected.abs()).max(1e-12);
    assert!((found - expected).abs() <= allowed, "{what}: {found}; expected {expected}");
}
