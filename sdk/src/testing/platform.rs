//! A vehicle for the tests of a dynamics class.

use crate::dynamics::DynamicsModel;
use crate::{Columns, Dynamics, Ports, Step};

use super::{About, Lane};

/// How a wheel stands and moves.
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
    /// Steering angle, rad, counter-clockwise.
    pub steer: f64,
}

/// What a dynamics class answered.
#[derive(Clone, Debug)]
pub struct Driven<O> {
    /// `()`, a wrench or a motion.
    pub answer: O,
    /// Torque of each wheel, N·m; spins, rad/s, of a class that answers with a wrench or a motion.
    pub wheels: Vec<f64>,
    /// Steering angle of each wheel, rad.
    pub steer: Vec<f64>,
    /// Largest torque of each brake, N·m; none of a class that answers with a wrench or a motion.
    pub brake: Vec<f64>,
}

/// One vehicle of a dynamics class, with what it remembers.
pub struct Platform<'m, M: Dynamics> {
    /// The wheels, in the order of [`Dynamics::WHEELS`].
    pub wheels: Vec<WheelPose>,
    model: &'m M,
    lane: Lane<M::State>,
}

impl<'m, M: Dynamics> Platform<'m, M> {
    /// A vehicle at rest, its wheels where the class puts them, of radius 0.2 m.
    pub fn new(model: &'m M) -> Self {
        let at = |x, y| WheelPose { spin: 0.0, radius: 0.2, x, y, velocity: [0.0; 2], steer: 0.0 };
        let wheels = M::WHEELS.iter().map(|place| at(place.x, place.y)).collect();
        Self { wheels, model, lane: Lane::new(model.memory()) }
    }

    /// Calls [`Dynamics::drive`]. Steering angles and spins that it sets are not taken over.
    pub fn drive(&mut self, actuators: &M::Actuators, step: &Step) -> Driven<M::Output> {
        let mut inputs = vec![vec![0.0]; M::Actuators::COUNT];
        actuators.store(|k, value| inputs[k][0] = value);
        inputs.extend(self.motion());
        let own = M::Output::COUNT;
        let mut sizes = vec![1; own];
        let outputs = DynamicsModel::<M>::PHASES[0].outputs.len;
        sizes.extend(vec![self.wheels.len(); outputs - own]);
        let mut columns = self.call(0, &inputs, &sizes, step);
        let answer = M::Output::load(|k| columns[k][0]);
        let mut of_wheels = columns.drain(own..);
        let mut next = || of_wheels.next().unwrap_or_default();
        Driven { answer, wheels: next(), steer: next(), brake: next() }
    }

    /// Calls [`Dynamics::measure`].
    pub fn measure(&mut self) -> M::Measurements {
        let sizes = vec![1; M::Measurements::PORTS.len()];
        let columns = self.call(1, &self.motion(), &sizes, &super::step());
        M::Measurements::load(|k| columns[k][0])
    }

    /// Turns every wheel as if all roll with the vehicle: `vx`, m/s, forwards and `omega`, rad/s.
    pub fn roll(&mut self, vx: f64, omega: f64) {
        for wheel in &mut self.wheels {
            wheel.velocity = [vx - omega * wheel.y, omega * wheel.x];
            let (sin, cos) = crate::math::sin_cos(wheel.steer);
            wheel.spin = (wheel.velocity[0] * cos + wheel.velocity[1] * sin) / wheel.radius;
        }
    }

    fn call(
        &mut self,
        phase: usize,
        inputs: &[Vec<f64>],
        sizes: &[usize],
        step: &Step,
    ) -> Vec<Vec<f64>> {
        let call = DynamicsModel::<M>::PHASES[phase].call;
        let key = step.key().unwrap_or_default();
        let about = About { wheels: self.wheels.len(), rays: 0, step, key };
        // SAFETY: the phase is that of `M`, and the columns follow its declaration.
        unsafe { self.lane.call(call, self.model, inputs, sizes, &about) }
    }

    /// The columns that tell how wheels move, then the inputs of wheels at their defaults.
    fn motion(&self) -> Vec<Vec<f64>> {
        let column = |get: fn(&WheelPose) -> f64| self.wheels.iter().map(get).collect();
        let mut columns: Vec<Vec<f64>> = vec![
            column(|wheel| wheel.spin),
            column(|wheel| wheel.radius),
            column(|wheel| wheel.x),
            column(|wheel| wheel.y),
            column(|wheel| wheel.velocity[0]),
            column(|wheel| wheel.velocity[1]),
            column(|wheel| wheel.steer),
        ];
        let defaults = M::WHEEL_INPUTS.iter().map(|port| vec![port.default; self.wheels.len()]);
        columns.extend(defaults);
        columns
    }
}
