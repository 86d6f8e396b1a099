//! Integration by the classical Runge-Kutta method (Kutta 1901).

use crate::car::{CarState, Wheels4, each};
use crate::equations::{Acting, Equations, Found, Tyres};

impl<T: Tyres> Equations<'_, T> {
    /// Advances a state by a step of `dt` seconds, over which what acts changes linearly from the first
    /// to the last of `acting`. Returns what the equations found at its start.
    pub fn step(&self, state: &mut CarState, [first, last]: [&Acting; 2], dt: f64) -> Found {
        let middle = first.part(last, 0.5);
        let (k1, found) = self.rates(state, first);
        let (k2, _) = self.rates(&state.advanced(&k1, 0.5 * dt), &middle);
        let (k3, _) = self.rates(&state.advanced(&k2, 0.5 * dt), &middle);
        let (k4, _) = self.rates(&state.advanced(&k3, dt), last);
        let sixth = dt / 6.0;
        *state = state
            .advanced(&k1, sixth)
            .advanced(&k2, 2.0 * sixth)
            .advanced(&k3, 2.0 * sixth)
            .advanced(&k4, sixth);
        found
    }
}

impl Acting {
    /// Returns what acts at a part of the time from now to `end`: 0 for now, 1 for the end.
    pub fn part(&self, end: &Self, part: f64) -> Self {
        let mix = |one: Wheels4, other: Wheels4| each!(wheel => one[wheel] + part * (other[wheel] - one[wheel]));
        Self {
            steer: mix(self.steer, end.steer),
            torque: mix(self.torque, end.torque),
            brake: mix(self.brake, end.brake),
            ..*self
        }
    }
}
