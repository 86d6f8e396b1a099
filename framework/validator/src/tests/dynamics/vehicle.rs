//! A vehicle without a world, for tests of dynamics classes.

use simhost_abi::Scope;
use simhost_abi::host_port::{MEASUREMENTS, SPATIAL_OUTPUTS};
use simhost_sdk::Random;

use crate::case::Case;
use crate::draw;
use crate::draw::RADIUS;
use crate::instance::Outcome;
use crate::rig::{Rig, When, inputs, key};

/// Mass, kg, yaw inertia, kg·m², and inertia of a wheel about its axle, kg·m².
const MASS: f64 = 60.0;
const YAW_INERTIA: f64 = 8.0;
const WHEEL_INERTIA: f64 = 0.5;

/// The driving phases. A class has one of them.
const DRIVES: [&str; 3] = ["drive", "wrench", "motion"];

/// Measurements that show the outputs of a class that moves in space, in the order of
/// [`SPATIAL_OUTPUTS`].
const SPATIAL_MEASURED: [&str; 6] =
    ["z", "pitch", "roll", "body_velocity_z", "body_rate_y", "body_rate_x"];

/// A vehicle on level ground. If the class returns torques, only its wheels move.
pub(super) struct Vehicle {
    rig: Rig,
    phase: usize,
    /// Pose and velocity: x, y, yaw, vx, vy, omega.
    body: [f64; 6],
    /// Further motion of a class that sets it, in the order of `SPATIAL_OUTPUTS`.
    space: [f64; 6],
    spins: Vec<f64>,
    steers: Vec<f64>,
    when: When,
}

impl Vehicle {
    /// Creates a vehicle in motion, whose actuators have random values times `effort`.
    pub fn new(case: &Case, seed: u64, effort: f64) -> Outcome<Self> {
        let mut rig = case.rig(1)?;
        let phase = DRIVES.iter().find_map(|id| rig.phase(id)).unwrap_or(0);
        rig.seed = seed;
        let mut random = Random::new(key(seed, &[1]));
        let mut within = |reach: f64| reach * (2.0 * random.uniform() - 1.0);
        let body = [0.0, 0.0, 0.0, within(2.0), within(0.5), within(1.0)];
        // wheels at rest cannot transfer energy to the body
        let wheels = rig.wheels.len();
        let torques = rig.output(phase, "torque").is_some();
        let spins = (0..wheels).map(|_| if torques { within(8.0) } else { 0.0 }).collect();
        for (place, port) in inputs(rig.phases[phase].phase).iter().enumerate() {
            let host = MEASUREMENTS.iter().any(|known| known.name == port.name());
            if !host && Scope::from_u32(port.scope) == Scope::Instance {
                let mut random = Random::new(key(seed, &[2, place as u64]));
                rig.phases[phase].inputs[place].fill(effort * draw::input(port, &mut random));
            }
        }
        let when = When { step: 0, dt: 0.0 };
        let space = [0.0; 6];
        Ok(Self { rig, phase, body, space, spins, steers: vec![0.0; wheels], when })
    }

    /// Advances the vehicle by a step.
    pub fn step(&mut self, step: u64, dt: f64) -> Outcome {
        self.when = When { step, dt };
        self.rig.counted = dt;
        self.tell();
        let result = self.rig.call(self.phase, 0..1, self.when);
        result.or_else(|fault| self.rig.blame(&fault, self.when))?;
        self.integrate(dt);
        Ok(())
    }

    /// Sets the measurements of the host.
    fn tell(&mut self) {
        let [x, y, yaw, vx, vy, omega] = self.body;
        let body = [
            ("x", x),
            ("y", y),
            ("yaw", yaw),
            ("vx", vx),
            ("vy", vy),
            ("omega", omega),
            ("chassis_mass", 0.8 * MASS),
            ("mass", MASS),
            ("yaw_inertia", YAW_INERTIA),
            ("centre_x", 0.0),
            ("centre_y", 0.0),
            ("slope_ax", 0.0),
            ("slope_ay", 0.0),
            ("gravity", 9.81),
            ("radius", RADIUS),
        ];
        let space = SPATIAL_MEASURED.into_iter().zip(self.space);
        for (name, value) in body.into_iter().chain(space) {
            self.rig.set(self.phase, name, value);
        }
        let bound = &mut self.rig.model.phases[self.phase];
        for (port, column) in inputs(bound.phase).iter().zip(&mut bound.inputs) {
            for (wheel, value) in column.iter_mut().enumerate() {
                let Some(place) = self.rig.wheels.get(wheel) else { continue };
                match port.name() {
                    "spin" => *value = self.spins[wheel],
                    "wheel_steer" => *value = self.steers[wheel],
                    "wheel_x" => *value = place.x,
                    "wheel_y" => *value = place.y,
                    "wheel_vx" => *value = vx - omega * place.y,
                    "wheel_vy" => *value = vy + omega * place.x,
                    _ => {}
                }
            }
        }
    }

    fn integrate(&mut self, dt: f64) {
        let column = |name: &str| self.rig.output(self.phase, name);
        let torques = column("torque").map(<[f64]>::to_vec);
        let wrench = ["force_x", "force_y", "moment"].map(|name| column(name).map(|c| c[0]));
        let motion = ["x", "y", "yaw", "vx", "vy", "omega"].map(|name| column(name).map(|c| c[0]));
        if let Some(spins) = column("spin") {
            self.spins = spins.to_vec();
        }
        if let Some(steers) = column("steer") {
            self.steers = steers.to_vec();
        }
        for (spin, torque) in self.spins.iter_mut().zip(torques.into_iter().flatten()) {
            *spin += dt * torque / WHEEL_INERTIA;
        }
        if let [Some(x), Some(y), Some(yaw), Some(vx), Some(vy), Some(omega)] = motion {
            let value = |place: usize| column(SPATIAL_OUTPUTS[place].name).map_or(0.0, |c| c[0]);
            let space = std::array::from_fn(value);
            self.body = [x, y, yaw, vx, vy, omega];
            self.space = space;
        } else if let [Some(force_x), Some(force_y), Some(moment)] = wrench {
            self.push([force_x, force_y], moment, dt);
        }
    }

    fn push(&mut self, force: [f64; 2], moment: f64, dt: f64) {
        let [x, y, yaw, vx, vy, omega] = self.body;
        let (vx, vy) = (vx + dt * force[0] / MASS, vy + dt * force[1] / MASS);
        let omega = omega + dt * moment / YAW_INERTIA;
        // the velocity in the world is constant while the frame turns
        let (sin, cos) = (omega * dt).sin_cos();
        let (east, north) = (vx * yaw.cos() - vy * yaw.sin(), vx * yaw.sin() + vy * yaw.cos());
        self.body = [
            x + dt * east,
            y + dt * north,
            yaw + dt * omega,
            vx * cos + vy * sin,
            vy * cos - vx * sin,
            omega,
        ];
    }

    /// Returns the kinetic energy of the body, J, or of the wheels if only they move.
    pub fn energy(&self) -> f64 {
        if self.rig.output(self.phase, "torque").is_some() {
            return self.spins.iter().map(|spin| 0.5 * WHEEL_INERTIA * spin * spin).sum();
        }
        let [.., vx, vy, omega] = self.body;
        0.5 * MASS * (vx * vx + vy * vy) + 0.5 * YAW_INERTIA * omega * omega
    }

    /// Returns the velocities of the body and the spins of the wheels.
    pub fn motion(&self) -> Vec<f64> {
        self.body[3..].iter().chain(&self.spins).copied().collect()
    }

    /// Describes the last input of the class.
    pub fn given(&self) -> String {
        self.rig.inputs_of(0, self.when)
    }
}
