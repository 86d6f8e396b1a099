//! Vehicles that tip over the line of their outer wheels.
//!
//! A force F of the ground on the wheels below a centre of mass of height h tips a vehicle at which the
//! distance from the centre of mass to the edge of the polygon of its wheels is d as soon as F h > N d, with
//! the load N of all wheels together: the static stability of T/2h in lateral acceleration for a track T.
//! About the edge, I s̈ = F (h cos s + d sin s) − N (d cos s − h sin s), with the angle s and the moment of
//! inertia I about the edge. Source: T. D. Gillespie, "Fundamentals of Vehicle Dynamics", 1992, chapter 9.
//!
//! Simplifications: a vehicle does not turn over its front or rear axle, where engine, brakes and drivers react
//! before it does; its axle carries everything, and the other one nothing. Rotation to the side has a load N that
//! does not change; the motion of the centre of mass as seen from above does not follow it. A wheel that reaches
//! the ground again does not bounce.

use std::f64::consts::FRAC_PI_2;

use simhost_scene::polygon;
use simhost_sdk::math;

use crate::springs::Sway;

/// Index of pitch among the two axes, about which a vehicle does not turn over.
pub(crate) const PITCH: usize = 0;
/// Index of roll, about which it does.
pub(crate) const ROLL: usize = 1;

/// Constants of the tipping of a vehicle.
#[derive(Clone, Debug)]
pub(crate) struct Tipping {
    /// Height of the centre of mass of chassis and wheels, m.
    height: f64,
    /// Distances from the centre of mass to the edges over which a positive and a negative moment tips the
    /// vehicle, m, for pitch and roll; infinite where something other than the wheels supports it.
    arms: [[f64; 2]; 2],
    /// Moments of inertia of the body for pitch and roll divided by its mass, m².
    pub gyration: [f64; 2],
}

impl Tipping {
    /// Creates the constants of a vehicle with its centre of mass at `centre` and at a height, m, over
    /// wheels at these positions, vehicle frame, m. `gyration` are the moments of inertia of the body for
    /// pitch and roll divided by its mass, m².
    pub fn new(wheels: &[[f64; 2]], [x, y]: [f64; 2], height: f64, gyration: [f64; 2]) -> Self {
        let hull = polygon::convex_hull(wheels);
        let carries = height > 0.0 && hull.len() > 2 && polygon::contains(&hull, [x, y]);
        let arm = |[along, across]: [f64; 2]| {
            // the edge that a ray from the centre of mass crosses
            let cross = |[ax, ay]: [f64; 2], [bx, by]: [f64; 2]| ax * by - ay * bx;
            let distance = |([ax, ay], [bx, by]): ([f64; 2], [f64; 2])| {
                let (from, edge) = ([ax - x, ay - y], [bx - ax, by - ay]);
                let across = cross([along, across], edge);
                (across > 0.0).then(|| cross(from, edge) / across)
            };
            let nearest = polygon::edges(&hull).filter_map(distance).fold(f64::INFINITY, f64::min);
            if carries && nearest > 0.0 { nearest } else { f64::INFINITY }
        };
        // a forward force tips a vehicle backwards, and a leftward one to the right
        let arms = [[arm([-1.0, 0.0]), arm([1.0, 0.0])], [arm([0.0, -1.0]), arm([0.0, 1.0])]];
        Self { height, arms, gyration }
    }

    /// Returns the least and the greatest moment about an axis, N·m, that the wheels of a vehicle with a
    /// load `load`, N, can balance.
    pub fn limits(&self, axis: usize, load: f64) -> [f64; 2] {
        // what the body supports as well needs no load
        let limit = |arm: f64| if arm.is_finite() { load * arm } else { arm };
        let [positive, negative] = self.arms[axis].map(limit);
        [-negative, positive]
    }

    /// Returns the distance from the centre of mass to the edge on a side, m.
    fn arm(&self, side: f64) -> f64 {
        self.arms[ROLL][usize::from(side < 0.0)]
    }

    /// Returns whether a vehicle with a roll, rad, has tipped over, so that it does not return to its wheels:
    /// its centre of mass is above the edge or beyond it.
    pub fn is_over(&self, roll: f64) -> bool {
        roll != 0.0 && roll.abs() >= math::atan(self.arm(roll) / self.height)
    }

    /// Advances the roll of a rigid vehicle by a step of `dt` seconds under the moment `moment` of the wheel
    /// forces, N·m, and the weight `load`, N, of a mass `mass`, kg. Returns the moment that the wheels
    /// transmit, N·m.
    pub fn advance(&self, moment: f64, [load, mass]: [f64; 2], dt: f64, sway: &mut Sway) -> f64 {
        let [least, most] = self.limits(ROLL, load);
        let [angle, rate] = *sway;
        if angle == 0.0 && least <= moment && moment <= most {
            return moment;
        }
        let side = if angle == 0.0 { moment.signum() } else { angle.signum() };
        let (h, d) = (self.height, self.arm(side));
        let (sin, cos) = math::sin_cos(angle.abs());
        let push = side * moment / h;
        let overturning = push * (h * cos + d * sin) - load * (d * cos - h * sin);
        let inertia = mass * (self.gyration[ROLL] + h * h + d * d);
        let rate = side * rate + dt * overturning / inertia;
        let angle = angle.abs() + dt * rate;
        *sway = if angle <= 0.0 {
            [0.0; 2]
        } else if angle >= FRAC_PI_2 {
            [side * FRAC_PI_2, 0.0]
        } else {
            [side * angle, side * rate]
        };
        if side > 0.0 { most } else { least }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHEELS: [[f64; 2]; 4] = [[0.0, 0.75], [0.0, -0.75], [2.6, 0.75], [2.6, -0.75]];

    fn tipping() -> Tipping {
        Tipping::new(&WHEELS, [1.3, 0.0], 1.0, [0.5; 2])
    }

    #[test]
    fn arms_reach_to_the_edges_of_the_wheels() {
        assert_eq!(tipping().arms, [[1.3, 1.3], [0.75, 0.75]]);
        let tricycle =
            Tipping::new(&[[0.0, 0.5], [0.0, -0.5], [1.0, 0.0]], [0.5, 0.0], 0.4, [0.1; 2]);
        assert_eq!(tricycle.arms, [[0.5, 0.5], [0.25, 0.25]]);
        // the body supports what an axle does not
        let axle = Tipping::new(&[[0.0, 0.5], [0.0, -0.5]], [0.1, 0.0], 0.4, [0.1; 2]);
        assert_eq!(axle.arms, [[f64::INFINITY; 2]; 2]);
    }

    #[test]
    fn wheels_without_load_balance_nothing() {
        let axle = Tipping::new(&[[0.0, 0.5], [0.0, -0.5]], [0.1, 0.0], 0.4, [0.1; 2]);
        for axis in [PITCH, ROLL] {
            assert_eq!(tipping().limits(axis, 0.0), [0.0; 2]);
            assert_eq!(axle.limits(axis, 0.0), [f64::NEG_INFINITY, f64::INFINITY]);
        }
        for moment in [0.0, 3.0, -3.0] {
            let mut sway = [0.0; 2];
            assert_eq!(axle.advance(moment, [0.0, 100.0], 1e-3, &mut sway), moment);
            assert_eq!(sway, [0.0; 2]);
            assert_eq!(tipping().advance(moment, [0.0, 100.0], 1e-3, &mut sway), 0.0);
            assert!(sway.iter().all(|part| part.is_finite()));
        }
    }

    #[test]
    fn wheels_lift_above_the_static_limit_and_return_below_it() {
        let (tipping, mut sway) = (tipping(), [0.0; 2]);
        let (mass, load) = (1000.0, 9810.0);
        let push = |share: f64, sway: &mut Sway| {
            tipping.advance(share * load * 0.75, [load, mass], 1e-3, sway)
        };
        assert_eq!(push(0.99, &mut sway), 0.99 * load * 0.75);
        assert_eq!(sway, [0.0; 2]);
        for _ in 0..100 {
            assert_eq!(push(1.2, &mut sway), load * 0.75);
        }
        // s = ½ s̈ t² with s̈ = 0.2 N d/I
        let rate = 0.2 * load * 0.75 / (mass * (0.5 + 1.0 + 0.5625));
        assert!((sway[0] - 0.5 * rate * 0.01).abs() < 0.02 * sway[0], "{sway:?}");
        assert!(!tipping.is_over(sway[0]));
        for _ in 0..1000 {
            push(0.5, &mut sway);
        }
        assert_eq!(sway, [0.0; 2]);
    }

    #[test]
    fn a_vehicle_beyond_the_edge_falls_on_its_side() {
        let (tipping, mut sway) = (tipping(), [-0.7, 0.0]);
        assert!(tipping.is_over(sway[0]) && !tipping.is_over(-0.6));
        for _ in 0..3000 {
            tipping.advance(0.0, [9810.0, 1000.0], 1e-3, &mut sway);
        }
        assert_eq!(sway, [-FRAC_PI_2, 0.0]);
    }
}
