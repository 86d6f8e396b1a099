//! A car in a world: from the motion of its reference point to its state and back.
//!
//! The reference point lies on the ground below the centre of mass of the body at rest, fixed to the body.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::{MassProperties, Odometry, SteeredMeasurements, SteeringGeometry};
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::car::{Car, CarState, Rest, SIDE};
use crate::equations::{Acting, Attitude, Equations, Found, Plane, Touch, TyreForce, Tyres};
use crate::params::CarParams;
use crate::ports::{Inputs, Kept, Measured};
use crate::tmeasy::TMeasyTyres;

/// Density of the air, kg/m³.
const AIR_DENSITY: f64 = 1.225;
/// Inputs of wheels: forces of the ground along and across the heading of the vehicle.
pub(crate) const FORCES: [simhost_sdk::abi::PortDesc; 2] = [
    wheel_input("wheel_fx", "N", 0.0, "", "forward force of the ground, vehicle frame"),
    wheel_input("wheel_fy", "N", 0.0, "", "leftward force of the ground, vehicle frame"),
];

/// A car and its derived constants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) car: Car,
    rest: Rest,
}

/// Tyres whose forces the friction models have computed for the step.
struct HeldForces([[f64; 2]; 4]);

impl Tyres for HeldForces {
    #[inline(always)]
    fn force(&self, wheel: usize, touch: &Touch, _: &Acting, _: f64) -> TyreForce {
        let [fx, fy] = self.0[wheel];
        let grounded = touch.load > 0.0;
        let [fx, fy] = if grounded { [fx, fy] } else { [0.0; 2] };
        TyreForce { fx, fy, spin_torque: 0.0 }
    }

    #[inline(always)]
    fn spin_rate(&self, _: usize, _: f64, _: &Acting, _: f64) -> f64 {
        0.0
    }
}

impl Model {
    /// Creates the model, or returns what is wrong with the parameters.
    pub fn new(params: &CarParams, planar: bool) -> Result<Self, String> {
        let car = params.car(planar)?;
        params.check(&car)?;
        let rest = car.rest();
        Ok(Self { car, rest })
    }

    /// Places the wheels, whose radii are those at rest.
    pub fn arrange(&self, wheels: &mut [WheelGeometry]) {
        for (index, wheel) in wheels.iter_mut().enumerate() {
            (wheel.x, wheel.y) = (self.car.x[index], self.car.y[index]);
            wheel.radius = self.car.radius[index] - self.rest.deflection[index];
        }
    }

    /// Returns the state at the start of a step, and its attitude.
    fn state(&self, inputs: &Inputs, wheels: &WheelMotion, kept: &Kept) -> (CarState, Attitude) {
        // a velocity that is not known yet is 0
        let known = |value: f64| if value.is_finite() { value } else { 0.0 };
        let [yaw, pitch, roll] = inputs.attitude.angles();
        let angles = [roll, pitch, yaw];
        let rate = Vec3::new(inputs.body_rate_x, inputs.body_rate_y, inputs.velocity.omega);
        let rate = rate.map(known);
        let at = Vec3::new(inputs.velocity.vx, inputs.velocity.vy, known(inputs.body_velocity_z));
        let arm = Vec3::new(0.0, 0.0, self.car.height);
        let attitude = Attitude::of(angles);
        let [_, _, up] = attitude.axes();
        let spin = std::array::from_fn(|wheel| wheels.spin(wheel));
        let (travel, mut rise) = (kept.travel(), kept.rise());
        if kept.has_started == 0.0 {
            // wheels that move with the body
            let velocity = at + rate.cross(arm);
            rise = std::array::from_fn(|i| {
                velocity.z + self.car.y[i] * rate.x - self.car.x[i] * rate.y
            });
        }
        let state = CarState {
            position: Vec3::new(inputs.x, inputs.y, inputs.z) + self.car.height * up,
            angles,
            velocity: at + rate.cross(arm),
            rate,
            travel,
            rise,
            spin,
        };
        (state, attitude)
    }

    /// Returns the motion of the reference point in a state with this attitude.
    fn motion(&self, state: &CarState, attitude: &Attitude) -> SpatialMotion {
        let [roll, pitch, yaw] = state.angles;
        let [_, _, up] = attitude.axes();
        let [x, y, z] = (state.position - self.car.height * up).to_array();
        let arm = Vec3::new(0.0, 0.0, -self.car.height);
        let [vx, vy, vz] = (state.velocity + state.rate.cross(arm)).to_array();
        let [roll_rate, pitch_rate, omega] = state.rate.to_array();
        let planar = Motion { x, y, yaw, vx, vy, omega };
        SpatialMotion { planar, z, pitch, roll, vz, pitch_rate, roll_rate }
    }

    /// Returns what acts on the car in a step.
    fn acting(
        &self,
        params: &CarParams,
        inputs: &Inputs,
        state: &CarState,
        attitude: &Attitude,
        steer: [f64; 4],
        step: &Step,
    ) -> Acting {
        let [drive, brake] = params.shares();
        let centre = state.position;
        let [ahead, left, up] = attitude.axes();
        let ground = |i: usize| {
            let length = self.rest.length[i] - state.travel[i];
            let at = centre + self.car.x[i] * ahead + self.car.y[i] * left - length * up;
            plane_below(step, at)
        };
        let speed = state.velocity.length();
        let drag = 0.5 * AIR_DENSITY * params.drag_area() * speed;
        Acting {
            ground: std::array::from_fn(ground),
            steer,
            torque: drive.map(|share| share * inputs.torque_engine),
            brake: inputs.brakes.torques(brake, inputs.brake_torque.max(0.0)),
            gravity: inputs.gravity,
            links: inputs.links(state.travel),
            air: -drag * state.velocity,
        }
    }

    /// Returns the steering angles of the wheels for the angle of an equivalent wheel, rad.
    #[inline(always)]
    fn steering(&self, params: &CarParams, inputs: &Inputs, angle: f64) -> [f64; 4] {
        let [_, toe] = inputs.angles();
        // a suspension with a rack turns the wheels by its toe
        let by_rack = params.has_rack() && inputs.front_motion_ratio_left != 0.0;
        let [left, right] = if by_rack { [0.0; 2] } else { params.steer(angle) };
        let base = [0.0, 0.0, left, right];
        // toe turns the front inboard, which is to the right for a left wheel
        [0, 1, 2, 3].map(|wheel: usize| base[wheel] - SIDE[wheel] * toe[wheel])
    }

    /// Sets torques, steering, camber and contacts of the wheels for a step.
    pub fn drive(
        &self,
        params: &CarParams,
        inputs: &Inputs,
        wheels: &mut Wheels,
        step: &Step,
        kept: &mut Kept,
    ) {
        let [camber, _] = inputs.angles();
        let steer = self.steering(params, inputs, inputs.steer);
        let (state, attitude) = self.state(inputs, wheels, kept);
        kept.set_spin(state.spin);
        let acting = self.acting(params, inputs, &state, &attitude, steer, step);
        let equations = Equations { car: &self.car, rest: &self.rest, tyres: &HeldForces::NONE };
        for (i, touch) in equations.touches(&state, &attitude, &acting).into_iter().enumerate() {
            let Touch { load, radius, velocity: [vx, vy] } = touch;
            let radius = if load > 0.0 { radius } else { self.car.radius[i] };
            wheels.set_contact(i, &WheelContact { load, vx, vy, radius });
            wheels.set_torque(i, acting.torque[i]);
            wheels.set_brake(i, acting.brake[i]);
            wheels.set_camber(i, -SIDE[i] * camber[i], 0.0);
            wheels.set_steer(i, steer[i]);
        }
        kept.drive_torque = inputs.torque_engine;
        kept.rack = params.rack(inputs.steer);
    }

    /// Moves the car by a step.
    pub fn advance(
        &self,
        params: &CarParams,
        inputs: &Inputs,
        wheels: &mut Wheels,
        step: &Step,
        kept: &mut Kept,
    ) -> SpatialMotion {
        let (mut state, attitude) = self.state(inputs, wheels, kept);
        let steer = std::array::from_fn(|i| wheels.steer(i));
        let acting = self.acting(params, inputs, &state, &attitude, steer, step);
        let found = match params.tyres() {
            Some(tyre) => {
                // the host has integrated the spins with the forces of the friction class
                state.spin = kept.spin();
                if kept.has_started == 0.0 {
                    for i in 0..4 {
                        let load = self.car.tyre_stiffness[i] * self.rest.deflection[i];
                        let loaded = self.car.radius[i] - self.rest.deflection[i];
                        state.spin[i] = state.velocity.x / tyre.effective_radius(load, loaded);
                    }
                }
                let now = [inputs.steer, inputs.torque_engine, inputs.brake_torque];
                let [turned, driven, braked] = kept.extrapolated(now);
                let later = Inputs { torque_engine: driven, brake_torque: braked, ..*inputs };
                let end = self.steering(params, inputs, turned);
                let end = self.acting(params, &later, &state, &attitude, end, step);
                let tyres = TMeasyTyres([tyre; 4]);
                let found = self.integrate(params, &tyres, &mut state, [&acting, &end], step.dt);
                state.spin.into_iter().enumerate().for_each(|(i, spin)| wheels.set_spin(i, spin));
                found
            }
            None => {
                let forces = std::array::from_fn(|i| [wheels.input(0, i), wheels.input(1, i)]);
                let tyres = HeldForces(forces);
                self.integrate_held(params, &tyres, &mut state, &acting, step.dt)
            }
        };
        if !state.is_finite() {
            // springs and dampers that are too stiff for the step
            step.refuse(0.0);
        }
        kept.set_load(found.touch.map(|touch| touch.load));
        let equations = Equations { car: &self.car, rest: &self.rest, tyres: &HeldForces::NONE };
        let attitude = Attitude::of(state.angles);
        let touches = equations.touches(&state, &attitude, &acting);
        kept.heave = (0..4)
            .map(|i| {
                let deflection = touches[i].load / self.car.tyre_stiffness[i];
                self.rest.deflection[i] - deflection - state.travel[i]
            })
            .sum::<f64>()
            / 4.0;
        let rate = equations.travel_rates(&state);
        kept.set(state.travel, state.rise, rate);
        kept.has_started = 1.0;
        self.motion(&state, &attitude)
    }

    /// Integrates the equations with tyres in parts of at most `integration_step`. What acts changes from the
    /// first to the last.
    fn integrate(
        &self,
        params: &CarParams,
        tyres: &TMeasyTyres,
        state: &mut CarState,
        [first, last]: [&Acting; 2],
        dt: f64,
    ) -> Found {
        let equations = Equations { car: &self.car, rest: &self.rest, tyres };
        let (parts, h) = parts(params, dt);
        let mut found = None;
        for part in 0..parts {
            let at = |number: u64| first.part(last, number as f64 / parts as f64);
            let now = equations.step(state, [&at(part), &at(part + 1)], h);
            found.get_or_insert(now);
        }
        found.unwrap_or_default()
    }

    /// Integrates the equations with the forces of the friction models, as [`Self::integrate`].
    fn integrate_held(
        &self,
        params: &CarParams,
        tyres: &HeldForces,
        state: &mut CarState,
        acting: &Acting,
        dt: f64,
    ) -> Found {
        let equations = Equations { car: &self.car, rest: &self.rest, tyres };
        let (parts, h) = parts(params, dt);
        let mut found = None;
        for _ in 0..parts {
            let now = equations.midpoint_step(state, acting, h);
            found.get_or_insert(now);
        }
        found.unwrap_or_default()
    }

    /// Returns the measurements.
    pub fn measure(&self, params: &CarParams, wheels: &WheelMotion, kept: &Kept) -> Measured {
        let (vx, omega) = wheels.axle_twist(0, 1);
        let [drive, _] = params.shares();
        let car = &self.car;
        let unsprung: f64 = car.unsprung.iter().sum();
        let centre = |i: usize| car.unsprung[i] * (car.radius[i] - self.rest.deflection[i]);
        let heights: f64 = (0..4).map(centre).sum();
        let load = kept.load();
        Measured {
            vehicle: SteeredMeasurements {
                odometry: Odometry {
                    odometry_vx: vx,
                    odometry_vy: -car.x[0] * omega,
                    odometry_omega: omega,
                },
                geometry: SteeringGeometry {
                    wheelbase: car.x[2] - car.x[0],
                    front_axle_x: car.x[2],
                    front_track: car.y[2] - car.y[3],
                    max_steer: params.max_steer(),
                },
                wheel_radius: params.wheel_radius(),
            },
            body: MassProperties {
                mass: car.mass + unsprung,
                yaw_inertia: car.inertia[2]
                    + (0..4)
                        .map(|i| car.unsprung[i] * (car.x[i] * car.x[i] + car.y[i] * car.y[i]))
                        .sum::<f64>(),
                centre_x: 0.0,
                centre_y: 0.0,
                centre_z: (car.mass * car.height + heights) / (car.mass + unsprung),
            },
            heave: kept.heave,
            front_rack: kept.rack,
            travel: kept.travel(),
            travel_rate: kept.rate(),
            ground_fx: std::array::from_fn(|i| wheels.input(0, i)),
            ground_fy: std::array::from_fn(|i| wheels.input(1, i)),
            ground_fz: load,
            shaft_torque: drive.map(|share| share * kept.drive_torque),
        }
    }
}

impl HeldForces {
    const NONE: Self = Self([[0.0; 2]; 4]);
}

/// Returns the number and the length of the parts of a step, s.
#[inline(always)]
fn parts(params: &CarParams, dt: f64) -> (u64, f64) {
    let count = (dt / params.integration_step() - 1e-9).ceil().max(1.0);
    (count as u64, dt / count)
}

/// Returns the tangent plane of the ground below a point, or level ground at height 0 without a world.
fn plane_below(step: &Step, at: Vec3) -> Plane {
    let Some(ground) = step.ground(at.to_array()) else { return Plane::LEVEL };
    let [along, across] = ground.slope;
    Plane { height: ground.height - along * at.x - across * at.y, slope: ground.slope }
}
