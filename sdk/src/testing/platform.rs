//! A vehicle for the tests of a dynamics class.

use simhost_abi::{WheelGeometry, wheel_flag};

use crate::dynamics::{Answer, DynamicsModel};
use crate::{Columns, Dynamics, PerWheel, Reading, State, Step, WheelPlace};

use super::{About, Lane};

/// Position and motion of a wheel.
#[derive(Clone, Copy, Debug)]
pub struct WheelPose {
    /// Spin, rad/s, positive when rolling forwards.
    pub spin: f64,
    /// Rolling radius, m.
    pub radius: f64,
    /// Position ahead of the reference point, m.
    pub x: f64,
    /// Position left of the reference point, m.
    pub y: f64,
    /// Velocity of the wheel centre in the vehicle frame, m/s.
    pub velocity: [f64; 2],
    /// Steering angle, rad, positive counter-clockwise.
    pub steer: f64,
}

/// Rolling radius of a wheel, m.
const RADIUS: f64 = 0.2;
/// Positions of a wheel whose element can be repeated, m.
const CORNERS: [[f64; 2]; 4] = [[0.5, 0.4], [0.5, -0.4], [-0.5, 0.4], [-0.5, -0.4]];

/// Returns wheels at rest where a class places them.
pub(super) fn arranged<M: Dynamics>(model: &M) -> Vec<WheelPose> {
    let places = |place: &WheelPlace| match place.flags & wheel_flag::REPEATED {
        0 => vec![[place.x, place.y]],
        _ => CORNERS.to_vec(),
    };
    let at = |[x, y]: [f64; 2]| WheelGeometry { x, y, yaw: 0.0, radius: RADIUS };
    let mut wheels: Vec<_> = M::WHEELS.iter().flat_map(places).map(at).collect();
    model.arrange(&mut wheels).unwrap_or_else(|text| panic!("{text}"));
    let standing = |wheel: &WheelGeometry| {
        let WheelGeometry { x, y, radius, .. } = *wheel;
        WheelPose { spin: 0.0, radius, x, y, velocity: [0.0; 2], steer: 0.0 }
    };
    wheels.iter().map(standing).collect()
}

/// The result of a call of `drive`.
#[derive(Clone, Debug, PartialEq)]
pub struct Driven<O> {
    /// Output of the class: `()`, a wrench or a motion.
    pub answer: O,
    /// Torque of each wheel, N·m, or spin, rad/s, of a class that returns a wrench or a motion.
    pub wheels: Vec<f64>,
    /// Steering angle of each wheel, rad.
    pub steer: Vec<f64>,
    /// Largest brake torque of each wheel, N·m; empty for a class that returns a wrench or a
    /// motion.
    pub brake: Vec<f64>,
    /// Camber of each wheel, rad, and its rate, rad/s; empty for a class that does not set them.
    pub camber: [Vec<f64>; 2],
    /// Inertia that the powertrain adds to each wheel, kg·m²; empty for a class that does not set it.
    pub drive_inertia: Vec<f64>,
}

/// One vehicle of a dynamics class with its state.
pub struct Platform<'m, M: Dynamics> {
    /// The wheels, in the order of [`Dynamics::WHEELS`].
    pub wheels: Vec<WheelPose>,
    /// Inputs of the wheels, in the order of [`Dynamics::WHEEL_INPUTS`], with one value per wheel.
    pub wheel_inputs: Vec<Vec<f64>>,
    model: &'m M,
    lane: Lane<M::State>,
}

impl<'m, M: Dynamics> Platform<'m, M> {
    /// Creates a vehicle at rest, with wheels of radius 0.2 m where the class places them. An
    /// element that can be repeated is given four times, at the corners of a rectangle.
    ///
    /// # Panics
    ///
    /// If the class rejects these positions.
    pub fn new(model: &'m M) -> Self {
        let wheels = arranged(model);
        let inputs = M::WHEEL_INPUTS.iter().map(|port| vec![port.default; wheels.len()]);
        let lane = Lane::new(model.memory(), super::default_states::<M>());
        Self { wheel_inputs: inputs.collect(), wheels, model, lane }
    }

    /// Returns a state slot. At first it has the value for the default of the parameter from which
    /// it starts, whatever parameters the model has.
    ///
    /// # Panics
    ///
    /// If the model has no slot of this name.
    pub fn state(&mut self, name: &str) -> &mut f64 {
        self.lane.slot(name)
    }

    /// Calls [`Dynamics::drive`]. The wheels keep the steering angles and spins that they had.
    pub fn drive(&mut self, actuators: &M::Actuators, step: &Step) -> Driven<M::Output> {
        let mut inputs = vec![vec![0.0]; M::Actuators::COUNT];
        let mut ages = vec![0.0; M::Actuators::COUNT];
        actuators.store(|k, value| inputs[k][0] = value);
        actuators.visit_readings(|k, reading| {
            inputs[k] = reading.values().to_vec();
            ages[k] = reading.age();
        });
        let motion = motion(&self.wheels, &self.wheel_inputs);
        let driven = self.lane.drive(self.model, inputs, &ages, motion, step);
        let Driven { answer, wheels, steer, brake, camber, drive_inertia } = driven;
        let answer = M::Output::load(|k| answer[k]);
        Driven { answer, wheels, steer, brake, camber, drive_inertia }
    }

    /// Calls [`Dynamics::measure_state`].
    pub fn measure(&mut self) -> M::Measurements {
        let motion = motion(&self.wheels, &self.wheel_inputs);
        let measured = self.lane.measure(self.model, &motion);
        M::Measurements::load_with(
            |k| measured[k][0],
            // test code may keep the result for as long as it likes
            |k| PerWheel::of(measured[k].clone().leak()),
            |_| Reading::default(),
        )
    }

    /// Sets the spins of wheels that roll with the vehicle: `vx`, m/s, forwards and `omega`, rad/s.
    pub fn roll(&mut self, vx: f64, omega: f64) {
        roll(&mut self.wheels, vx, omega);
    }
}

/// Sets the spins of wheels that roll with the vehicle.
pub(super) fn roll(wheels: &mut [WheelPose], vx: f64, omega: f64) {
    for wheel in wheels {
        wheel.velocity = [vx - omega * wheel.y, omega * wheel.x];
        let (sin, cos) = crate::math::sin_cos(wheel.steer);
        wheel.spin = (wheel.velocity[0] * cos + wheel.velocity[1] * sin) / wheel.radius;
    }
}

/// Returns the input columns of the wheels: their motion, then [`Dynamics::WHEEL_INPUTS`].
pub(super) fn motion(wheels: &[WheelPose], inputs: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let column = |get: fn(&WheelPose) -> f64| wheels.iter().map(get).collect();
    let mut columns: Vec<Vec<f64>> = vec![
        column(|wheel| wheel.spin),
        column(|wheel| wheel.radius),
        column(|wheel| wheel.x),
        column(|wheel| wheel.y),
        column(|wheel| wheel.velocity[0]),
        column(|wheel| wheel.velocity[1]),
        column(|wheel| wheel.steer),
    ];
    columns.extend(inputs.iter().cloned());
    columns
}

impl<S: State> Lane<S> {
    /// Calls [`Dynamics::drive`] with actuators, the ages of readings among them, and the columns of
    /// [`motion`].
    pub(super) fn drive<M: Dynamics<State = S>>(
        &mut self,
        model: &M,
        mut inputs: Vec<Vec<f64>>,
        ages: &[f64],
        motion: Vec<Vec<f64>>,
        step: &Step,
    ) -> Driven<Vec<f64>> {
        let (own, wheels) = (M::Output::COUNT, motion[0].len());
        let phase = &DynamicsModel::<M>::PHASES[0];
        inputs.extend(motion);
        let mut sizes = vec![1; own];
        sizes.extend(vec![wheels; phase.outputs.len - own]);
        let about = About { wheels, ages, ..About::at(step) };
        // SAFETY: the phase belongs to `M`, and the columns follow its declaration.
        let mut columns = unsafe { self.call(phase, model, &inputs, &sizes, &about) };
        let mut of_wheels = columns.split_off(own).into_iter();
        let mut next = || of_wheels.next().unwrap_or_default();
        let (turning, steer) = (next(), next());
        let brake = if <M::Output as Answer>::TORQUES { next() } else { Vec::new() };
        let camber = if M::SETS_CAMBER { [next(), next()] } else { Default::default() };
        let drive_inertia = next();
        let answer = columns.into_iter().flatten().collect();
        Driven { answer, wheels: turning, steer, brake, camber, drive_inertia }
    }

    /// Calls [`Dynamics::measure_state`] with the columns of [`motion`].
    pub(super) fn measure<M: Dynamics<State = S>>(
        &mut self,
        model: &M,
        motion: &[Vec<f64>],
    ) -> Vec<Vec<f64>> {
        let wheels = motion[0].len();
        let is_per_wheel = |k: usize| M::Measurements::PER_WHEEL >> k & 1 == 1;
        let size = |k| if is_per_wheel(k) { wheels } else { 1 };
        let sizes: Vec<usize> = (0..M::Measurements::COUNT).map(size).collect();
        let step = super::step();
        let about = About { wheels, ..About::at(&step) };
        let phase = &DynamicsModel::<M>::PHASES[1];
        // SAFETY: the phase belongs to `M`, and the columns follow its declaration.
        unsafe { self.call(phase, model, motion, &sizes, &about) }
    }
}
