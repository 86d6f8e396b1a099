//! A car in a world: from the motion of its reference point to its state and back.
//!
//! The reference point lies on the ground below the centre of mass of the body at rest, fixed to the body.

use simhost_sdk::GroundPoint;
use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::{MassProperties, Odometry, SteeredMeasurements, SteeringGeometry};
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::aero::{AIR_DENSITY, AeroTable, AirForce};
use crate::car::{Car, CarState, Rest, SIDE, Wheels4, each, sum};
use crate::equations::{Acting, Attitude, Equations, Found, Touch, TyreForce, Tyres};
use crate::params::CarParams;
use crate::plane::Plane;
use crate::ports::{Inputs, Kept, Measured};
use crate::steering_axis::GroundForce;
use crate::tmeasy::{TMeasyTyre, TMeasyTyres};

/// Inputs of wheels: forces of the ground along and across the heading of the vehicle, and the aligning moment.
pub(crate) const FORCES: [simhost_sdk::abi::PortDesc; 3] = [
    wheel_input("wheel_fx", "N", 0.0, "", "forward force of the ground, vehicle frame"),
    wheel_input("wheel_fy", "N", 0.0, "", "leftward force of the ground, vehicle frame"),
    wheel_input("wheel_aligning_moment", "N·m", 0.0, "", "aligning moment of the tyre"),
];

/// A car and its derived constants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) car: Car,
    rest: Rest,
    pub(crate) aero: Option<AeroTable>,
}

/// Tyres whose forces the friction models have computed for the step.
pub(crate) struct HeldForces(pub [[f64; 3]; 4]);

impl Tyres for HeldForces {
    #[inline(always)]
    fn force(&self, wheel: usize, touch: &Touch, _: &Acting, _: f64) -> TyreForce {
        let [fx, fy, aligning] = self.0[wheel];
        let grounded = touch.load > 0.0;
        let [fx, fy, aligning] = if grounded { [fx, fy, aligning] } else { [0.0; 3] };
        TyreForce { fx, fy, aligning, spin_torque: 0.0 }
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
        Ok(Self { car, rest, aero: params.aero()? })
    }

    /// Places the wheels, whose radii are those at rest.
    pub fn arrange(&self, wheels: &mut [WheelGeometry]) {
        for (index, wheel) in wheels.iter_mut().enumerate() {
            (wheel.x, wheel.y) = (self.car.x[index], self.car.y[index]);
            wheel.radius = self.car.radius[index] - self.rest.deflection[index];
        }
    }

    /// Returns the state at the start of a step, and its attitude.
    #[inline(always)]
    pub(crate) fn state(
        &self,
        inputs: &Inputs,
        wheels: &WheelMotion,
        kept: &Kept,
    ) -> (CarState, Attitude) {
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
        let velocity = at + rate.cross(arm);
        // before the first step, wheels move with the body
        let has_started = kept.has_started != 0.0;
        let rise = each!(i => {
            let carried = velocity.z + self.car.y[i] * rate.x - self.car.x[i] * rate.y;
            if has_started { kept.rise()[i] } else { carried }
        });
        let state = CarState {
            position: Vec3::new(inputs.x, inputs.y, inputs.z) + self.car.height * up,
            angles,
            velocity,
            rate,
            travel: kept.travel(),
            rise,
            spin: each!(wheel => wheels.spin(wheel)),
        };
        (state, attitude)
    }

    /// Returns the motion of the reference point in a state with this attitude.
    #[inline(always)]
    pub(crate) fn motion(&self, state: &CarState, attitude: &Attitude) -> SpatialMotion {
        let [roll, pitch, yaw] = state.angles;
        let [_, _, up] = attitude.axes();
        let [x, y, z] = (state.position - self.car.height * up).to_array();
        let arm = Vec3::new(0.0, 0.0, -self.car.height);
        let [vx, vy, vz] = (state.velocity + state.rate.cross(arm)).to_array();
        let [roll_rate, pitch_rate, omega] = state.rate.to_array();
        let planar = Motion { x, y, yaw, vx, vy, omega };
        SpatialMotion { planar, z, pitch, roll, vz, pitch_rate, roll_rate }
    }

    /// Returns the point at which a wheel touches the ground below it, world frame, m.
    #[inline(always)]
    fn foot(&self, wheel: usize, state: &CarState, [ahead, left, up]: [Vec3; 3]) -> Vec3 {
        let length = self.rest.length[wheel] - state.travel[wheel];
        state.position + self.car.x[wheel] * ahead + self.car.y[wheel] * left - length * up
    }

    /// Sets the points below which the ground of the wheels lies.
    #[inline(always)]
    pub fn stand(
        &self,
        inputs: &Inputs,
        wheels: &WheelMotion,
        kept: &Kept,
        footprint: &mut Footprint,
    ) {
        let (state, attitude) = self.state(inputs, wheels, kept);
        let axes = attitude.axes();
        let _: [(); 4] =
            each!(wheel => footprint.set(wheel, self.foot(wheel, &state, axes).to_array()));
    }

    /// Returns the tangent plane of the ground below each wheel.
    #[inline(always)]
    pub(crate) fn ground(
        &self,
        wheels: &WheelMotion,
        state: &CarState,
        attitude: &Attitude,
    ) -> [Plane; 4] {
        let axes = attitude.axes();
        each!(wheel => {
            let GroundPoint { height, slope } = wheels.ground(wheel);
            let at = self.foot(wheel, state, axes);
            Plane::new(height - slope[0] * at.x - slope[1] * at.y, slope)
        })
    }

    /// Returns what acts on the car in a step that begins in this state, without the steering angles.
    #[inline(always)]
    pub(crate) fn acting(
        &self,
        params: &CarParams,
        inputs: &Inputs,
        state: &CarState,
        ground: [Plane; 4],
    ) -> Acting {
        let [drive, brake] = params.shares();
        let speed = state.velocity.length();
        let drag = 0.5 * AIR_DENSITY * params.drag_area() * speed;
        Acting {
            ground,
            steer: [0.0; 4],
            torque: each!(wheel => drive[wheel] * inputs.torque_engine),
            brake: inputs.brakes.torques(brake, inputs.brake_torque.max(0.0)),
            gravity: inputs.gravity,
            links: inputs.links(state.travel),
            air: -drag * state.velocity,
            air_moment: Vec3::ZERO,
        }
    }

    /// Adds the forces of the table of the air, if there is one.
    #[inline(always)]
    pub(crate) fn blown(&self, acting: Acting, state: &CarState, heave: f64) -> Acting {
        let Some(table) = &self.aero else { return acting };
        let AirForce { force, moment } =
            table.force(state.velocity, heave, [self.car.x[0], self.car.x[2]]);
        Acting { air: acting.air + force, air_moment: moment, ..acting }
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
        each!(wheel => base[wheel] - SIDE[wheel] * toe[wheel])
    }

    /// Sets torques, steering, camber and contacts of the wheels for a step.
    #[inline(always)]
    pub fn drive(&self, params: &CarParams, inputs: &Inputs, wheels: &mut Wheels, kept: &mut Kept) {
        let [camber, _] = inputs.angles();
        let steer = self.steering(params, inputs, inputs.steer);
        let (state, attitude) = self.state(inputs, wheels, kept);
        kept.set_spin(state.spin);
        let ground = self.ground(wheels, &state, &attitude);
        let acting = self.acting(params, inputs, &state, ground);
        let touches = self.equations(&HeldForces::NONE).touches(&state, &attitude, &ground);
        let _: [(); 4] = each!(i => {
            let Touch { load, radius, velocity: [vx, vy], .. } = touches[i];
            let radius = if load > 0.0 { radius } else { self.car.radius[i] };
            wheels.set_contact(i, &WheelContact { load, vx, vy, radius });
            wheels.set_torque(i, acting.torque[i]);
            wheels.set_brake(i, acting.brake[i]);
            wheels.set_camber(i, -SIDE[i] * camber[i], 0.0);
            wheels.set_steer(i, steer[i]);
        });
        kept.drive_torque = inputs.torque_engine;
        kept.rack = params.rack(inputs.steer);
        (kept.caster_left, kept.caster_right) =
            (inputs.front_caster_left, inputs.front_caster_right);
    }

    /// Returns the equations with these tyres.
    #[inline(always)]
    pub(crate) fn equations<'a, T>(&'a self, tyres: &'a T) -> Equations<'a, T> {
        Equations { car: &self.car, rest: &self.rest, tyres }
    }

    /// Moves a car with tyres within the equations by a step.
    pub fn advance_on_tyres(
        &self,
        params: &CarParams,
        tyre: TMeasyTyre,
        inputs: &Inputs,
        wheels: &mut Wheels,
        step: &Step,
        kept: &mut Kept,
    ) -> SpatialMotion {
        let (mut state, attitude) = self.state(inputs, wheels, kept);
        // the host has integrated the spins with the forces of the friction class
        state.spin = kept.spin();
        if kept.has_started == 0.0 {
            state.spin = each!(i => {
                let load = self.car.tyre_stiffness[i] * self.rest.deflection[i];
                let loaded = self.car.radius[i] - self.rest.deflection[i];
                state.velocity.x / tyre.effective_radius(load, loaded)
            });
        }
        let ground = self.ground(wheels, &state, &attitude);
        let acting = self.acting(params, inputs, &state, ground);
        let acting = Acting { steer: each!(i => wheels.steer(i)), ..acting };
        let acting = self.blown(acting, &state, kept.heave);
        let now = [inputs.steer, inputs.torque_engine, inputs.brake_torque];
        let [turned, driven, braked] = kept.extrapolated(now);
        let later = Inputs { torque_engine: driven, brake_torque: braked, ..*inputs };
        let end = self.acting(params, &later, &state, ground);
        let end = Acting { steer: self.steering(params, inputs, turned), ..end };
        let end = self.blown(end, &state, kept.heave);
        let found =
            self.integrate(params, &TMeasyTyres([tyre; 4]), &mut state, [&acting, &end], step.dt);
        state.spin.into_iter().enumerate().for_each(|(i, spin)| wheels.set_spin(i, spin));
        if !state.is_finite() {
            // springs and dampers that are too stiff for the step
            step.refuse(0.0);
        }
        self.finish(&state, &ground, each!(i => found.touch[i].load), kept)
    }

    /// Keeps what the next step needs of a state at the end of a step, and returns the motion. `load` are the loads of
    /// the wheels at its start, N.
    #[inline(always)]
    pub(crate) fn finish(
        &self,
        state: &CarState,
        ground: &[Plane; 4],
        load: Wheels4,
        kept: &mut Kept,
    ) -> SpatialMotion {
        kept.set_load(load);
        let equations = self.equations(&HeldForces::NONE);
        let attitude = Attitude::of(state.angles);
        let touches = equations.touches(state, &attitude, ground);
        kept.heave = sum(each!(i => {
            let deflection = touches[i].load / self.car.tyre_stiffness[i];
            self.rest.deflection[i] - deflection - state.travel[i]
        })) / 4.0;
        kept.set(state.travel, state.rise, equations.travel_rates(state));
        kept.has_started = 1.0;
        self.motion(state, &attitude)
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
        let equations = self.equations(tyres);
        let (parts, h) = parts(params, dt);
        let mut found = None;
        for part in 0..parts {
            let at = |number: u64| first.part(last, number as f64 / parts as f64);
            let now = equations.step(state, [&at(part), &at(part + 1)], h);
            found.get_or_insert(now);
        }
        found.unwrap_or_default()
    }

    /// Returns the energies and the powers that change them, which are not known with tyres within the equations: the host
    /// does not know their work on the spins.
    pub fn energies(
        &self,
        params: &CarParams,
        inputs: &Inputs,
        wheels: &WheelMotion,
        kept: &Kept,
    ) -> Energies {
        if params.tyres().is_some() {
            return Energies { kinetic_energy: -1.0, ..Energies::default() };
        }
        let (state, attitude) = self.state(inputs, wheels, kept);
        let ground = self.ground(wheels, &state, &attitude);
        let acting = self.acting(params, inputs, &state, ground);
        let acting = self.blown(acting, &state, kept.heave);
        let held = HeldForces::of(wheels);
        self.equations(&held).energies(&state, &attitude, &acting)
    }

    /// Returns the measurements.
    #[inline(always)]
    pub fn measure(&self, params: &CarParams, wheels: &WheelMotion, kept: &Kept) -> Measured {
        let (vx, omega) = wheels.axle_twist(0, 1);
        let [drive, _] = params.shares();
        let car = &self.car;
        let unsprung = sum(car.unsprung);
        let heights = sum(each!(i => car.unsprung[i] * (car.radius[i] - self.rest.deflection[i])));
        let load = kept.load();
        let kingpin = |wheel: usize, caster: f64| {
            let force = [wheels.input(0, wheel), wheels.input(1, wheel), load[wheel]];
            let at = [SIDE[wheel], caster, wheels.radius(wheel), wheels.steer(wheel)];
            params.kingpin().moment(&GroundForce { force, aligning: wheels.input(2, wheel) }, at)
        };
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
                    + sum(each!(i => {
                        car.unsprung[i] * (car.x[i] * car.x[i] + car.y[i] * car.y[i])
                    })),
                centre_x: 0.0,
                centre_y: 0.0,
                centre_z: (car.mass * car.height + heights) / (car.mass + unsprung),
            },
            heave: kept.heave,
            front_rack: kept.rack,
            travel: kept.travel(),
            travel_rate: kept.rate(),
            ground_fx: each!(i => wheels.input(0, i)),
            ground_fy: each!(i => wheels.input(1, i)),
            ground_fz: load,
            kingpin_moment: [0.0, 0.0, kingpin(2, kept.caster_left), kingpin(3, kept.caster_right)],
            shaft_torque: each!(i => drive[i] * kept.drive_torque),
        }
    }
}

impl HeldForces {
    pub(crate) const NONE: Self = Self([[0.0; 3]; 4]);

    /// Returns the forces that the friction models have computed.
    #[inline(always)]
    pub(crate) fn of(wheels: &WheelMotion) -> Self {
        Self(each!(i => [wheels.input(0, i), wheels.input(1, i), wheels.input(2, i)]))
    }
}

/// Returns the number and the length of the parts of a step, s.
#[inline(always)]
pub(crate) fn parts(params: &CarParams, dt: f64) -> (u64, f64) {
    let count = (dt / params.integration_step() - 1e-9).ceil().max(1.0);
    (count as u64, dt / count)
}
