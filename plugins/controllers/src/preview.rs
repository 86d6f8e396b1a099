//! A driver that steers for the least deviation within a preview time, with a model of the vehicle: C. C. MacAdam's optimal
//! preview control.
//!
//! The driver knows the vehicle as a linear single track with the lateral position y and the yaw ψ in the present frame, the
//! lateral velocity w of the centre of mass, and the yaw rate r:
//!
//! m (dw/dt + v r) = F_f + F_r, I dr/dt = a F_f − b F_r, dy/dt = w + v ψ, dψ/dt = r,
//! F_f = C_f (δ − (w + a r) / v), F_r = −C_r (w − b r) / v.
//!
//! It holds the steering angle for the preview time T. With the response y₀(t) of the present motion without steering, the
//! response A(t) to a steering angle of 1 rad, and the path f(t) at the distance v t ahead, the angle that minimises
//! ∫ (f − y₀ − A δ)² dt over T is δ = ∫ (f − y₀) A dt / ∫ A² dt. Source: C. C. MacAdam, "An optimal preview control for
//! linear systems", Journal of Dynamic Systems, Measurement, and Control 102, 1980, eq. 10, and "Application of an optimal
//! preview control for simulation of closed-loop automobile driving", IEEE Transactions on Systems, Man, and Cybernetics 11,
//! 1981. The responses are integrated by the classical Runge-Kutta method.
//!
//! **Limit:** the model has linear tyres and no suspension, and the driver has no delay.

use simhost_sdk::prelude::*;

use crate::drive_cycle::DriverMemory;
use crate::driver::{Driven, DrivenEngine, DrivenFront, DriverTrack, PathPlace, drivers};

/// Number of points of the preview.
const POINTS: usize = 20;
/// Least speed of the model, m/s, because slip angles are not defined at rest.
const LEAST_SPEED: f64 = 3.0;
/// Longest step of the integration, s.
const LONGEST: f64 = 0.01;

/// Steers for the least deviation within a preview time, and keeps a speed.
#[derive(Params)]
pub struct PreviewDriver {
    /// Path and speed.
    #[param(flatten)]
    track: DriverTrack,
    /// Preview time. A larger value makes the vehicle steer earlier and cut corners.
    #[param(default = 1.0, unit = "s", above = 0.0)]
    preview: f64,
    /// Cornering stiffness of the front axle in the model of the driver, C_f. A larger value makes the driver expect more force,
    /// and steer less.
    #[param(default = 120e3, unit = "N/rad", above = 0.0)]
    front_stiffness: f64,
    /// Cornering stiffness of the rear axle in the model of the driver, C_r. A larger value makes the driver expect more
    /// understeer, and steer more.
    #[param(default = 120e3, unit = "N/rad", above = 0.0)]
    rear_stiffness: f64,
    /// Centre of mass ahead of the rear axle, b. By default, it is in the middle of the wheelbase.
    #[param(unit = "m", above = 0.0)]
    centre: Option<f64>,
    /// Moment of inertia about the vertical axis, I. By default, it is m a b.
    #[param(unit = "kg·m²", above = 0.0)]
    inertia: Option<f64>,
}

/// Pose and motion of the vehicle, its mass and its geometry.
#[derive(Ports)]
pub struct PreviewInputs {
    /// Pose, speed and geometry.
    #[port(flatten)]
    driven: Driven,
    /// Leftward velocity of the reference point.
    #[port(unit = "m/s")]
    vy: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    omega: f64,
    /// Position of the steered axle ahead of the reference point.
    #[port(unit = "m")]
    front_axle_x: f64,
}

impl AsRef<Driven> for PreviewInputs {
    fn as_ref(&self) -> &Driven {
        &self.driven
    }
}

/// The linear single track that the driver knows.
#[derive(Clone, Copy, Debug)]
struct KnownVehicle {
    speed: f64,
    mass: f64,
    inertia: f64,
    /// Distances of the axles from the centre of mass: a, b, m.
    axles: [f64; 2],
    /// Cornering stiffnesses of the axles: C_f, C_r, N/rad.
    stiffness: [f64; 2],
}

impl KnownVehicle {
    /// Returns the derivatives of lateral position, yaw, lateral velocity and yaw rate for a steering angle, rad.
    fn rates(&self, [_, yaw, drift, rate]: [f64; 4], steer: f64) -> [f64; 4] {
        let ([a, b], [front, rear]) = (self.axles, self.stiffness);
        let front = front * (steer - (drift + a * rate) / self.speed);
        let rear = -rear * (drift - b * rate) / self.speed;
        [
            drift + self.speed * yaw,
            rate,
            (front + rear) / self.mass - self.speed * rate,
            (a * front - b * rear) / self.inertia,
        ]
    }

    /// Returns the state after a time, s.
    fn after(&self, mut state: [f64; 4], steer: f64, time: f64) -> [f64; 4] {
        let steps = (time / LONGEST).ceil().max(1.0);
        let dt = time / steps;
        let add = |state: [f64; 4], rates: [f64; 4], dt: f64| {
            let mut next = state;
            next.iter_mut().zip(rates).for_each(|(next, rate)| *next += dt * rate);
            next
        };
        for _ in 0..steps as usize {
            let first = self.rates(state, steer);
            let second = self.rates(add(state, first, 0.5 * dt), steer);
            let third = self.rates(add(state, second, 0.5 * dt), steer);
            let fourth = self.rates(add(state, third, dt), steer);
            for (rates, weight) in [(first, 1.0), (second, 2.0), (third, 2.0), (fourth, 1.0)] {
                state = add(state, rates, dt * weight / 6.0);
            }
        }
        state
    }
}

impl PreviewDriver {
    /// Returns what the driver knows of the vehicle; `None` for a vehicle without mass or without a distance between its axles.
    fn known(&self, vehicle: &PreviewInputs) -> Option<KnownVehicle> {
        let wheelbase = vehicle.driven.wheelbase;
        let b = self.centre.unwrap_or(0.5 * wheelbase).min(0.95 * wheelbase);
        let (a, mass) = (wheelbase - b, vehicle.driven.mass);
        let inertia = self.inertia.unwrap_or(mass * a * b);
        let speed = vehicle.driven.odometry_vx.max(LEAST_SPEED);
        let stiffness = [self.front_stiffness, self.rear_stiffness];
        let known = KnownVehicle { speed, mass, inertia, axles: [a, b], stiffness };
        (mass > 0.0 && wheelbase > 0.0).then_some(known)
    }

    /// Returns the steering angle, rad, and the place of the path that is nearest to the vehicle.
    fn steer(&self, vehicle: &PreviewInputs) -> (f64, PathPlace) {
        let pose = &vehicle.driven.pose;
        let nearest = self.track.nearest(vehicle.driven.position());
        let Some(known) = self.known(vehicle) else { return (0.0, nearest) };
        // the centre of mass follows the path
        let centre = vehicle.front_axle_x - known.axles[0];
        let (sin, cos) = math::sin_cos(pose.yaw);
        let place = self.track.nearest([pose.x + cos * centre, pose.y + sin * centre]);
        let (mut free, mut forced) =
            ([0.0, 0.0, vehicle.vy + centre * vehicle.omega, vehicle.omega], [0.0; 4]);
        let (mut error, mut square) = (0.0, 0.0);
        let dt = self.preview / POINTS as f64;
        for point in 1..=POINTS {
            (free, forced) = (known.after(free, 0.0, dt), known.after(forced, 1.0, dt));
            let ahead = self.track.ahead(place, known.speed * dt * point as f64);
            let aside = pose.in_vehicle_frame(ahead)[1];
            error += (aside - free[0]) * forced[0];
            square += forced[0] * forced[0];
        }
        let steer = if square > 0.0 { error / square } else { 0.0 };
        (if steer.is_finite() { steer } else { 0.0 }, nearest)
    }
}

drivers! {
    /// Steers for the least deviation within a preview time, and keeps a speed, with an engine.
    EnginePreviewDriver, PreviewDriver, PreviewInputs
}

#[cfg(test)]
mod tests {
    use simhost_sdk::ports::PlanarPose;

    use super::*;

    const KNOWN: KnownVehicle = KnownVehicle {
        speed: 20.0,
        mass: 1500.0,
        inertia: 2400.0,
        axles: [1.2, 1.4],
        stiffness: [100e3, 110e3],
    };

    fn driver(corners: &[[f64; 2]]) -> PreviewDriver {
        PreviewDriver {
            track: DriverTrack::through(corners),
            preview: 1.0,
            front_stiffness: 100e3,
            rear_stiffness: 110e3,
            centre: Some(1.4),
            inertia: Some(2400.0),
        }
    }

    fn inputs(y: f64, yaw: f64, motion: [f64; 2], speed: f64) -> PreviewInputs {
        let pose = PlanarPose { x: 0.0, y, yaw };
        let driven = Driven { wheelbase: 2.6, max_steer: 0.9, ..Driven::moving(pose, speed) };
        let [vy, omega] = motion;
        PreviewInputs { driven, vy, omega, front_axle_x: 2.6 }
    }

    /// The yaw rate that a steering angle settles to: v / (l + K v²) with K = m / l (b / C_f − a / C_r).
    #[test]
    fn the_known_vehicle_settles_to_the_single_track_in_closed_form() {
        let state = KNOWN.after([0.0; 4], 0.01, 10.0);
        let understeer = 1500.0 / 2.6 * (1.4 / 100e3 - 1.2 / 110e3);
        let expected = 0.01 * 20.0 / (2.6 + understeer * 400.0);
        assert!((state[3] / expected - 1.0).abs() < 1e-9, "{} {expected}", state[3]);
        // halving the steps changes nothing that matters
        let parts = (0..40).fold([0.0; 4], |state, _| KNOWN.after(state, 0.01, 0.025));
        let whole = KNOWN.after([0.0; 4], 0.01, 1.0);
        assert!((parts[0] - whole[0]).abs() < 1e-7, "{} {}", parts[0], whole[0]);
    }

    /// A vehicle that circles in steady state, on the circle that is the path, keeps its steering angle. The circle is so large
    /// that angles are small.
    #[test]
    fn a_vehicle_on_its_circle_keeps_its_angle() {
        let steer = 1e-3;
        let state = KNOWN.after([0.0; 4], steer, 10.0);
        let (drift, rate) = (state[2], state[3]);
        let radius = 20.0 / rate;
        // the centre of mass moves along the circle, whose tangent is ahead of the yaw by the sideslip
        let slip = drift / 20.0;
        let at = [1.4, 0.0];
        let centre = [at[0] - radius * slip.sin(), at[1] + radius * slip.cos()];
        let corners: Vec<[f64; 2]> = (0..4000)
            .map(|number| slip - 0.01 + 2e-5 * f64::from(number))
            .map(|angle| [centre[0] + radius * angle.sin(), centre[1] - radius * angle.cos()])
            .collect();
        let driver = driver(&corners);
        let inputs = inputs(0.0, 0.0, [drift - 1.4 * rate, rate], 20.0);
        let (found, _) = driver.steer(&inputs);
        assert!((found / steer - 1.0).abs() < 5e-3, "{found}");
    }

    #[test]
    fn signs_are_right_and_there_is_always_an_angle() {
        let driver = driver(&[[0.0, 0.0], [100.0, 0.0]]);
        let steer = |y, yaw, speed| driver.steer(&inputs(y, yaw, [0.0; 2], speed)).0;
        assert!(steer(1.0, 0.0, 20.0) < 0.0 && steer(-1.0, 0.0, 20.0) > 0.0);
        assert!(steer(0.0, 0.1, 20.0) < 0.0);
        assert_eq!(steer(0.0, 0.0, 20.0), 0.0);
        for speed in [0.0, -5.0, 0.1, 80.0] {
            assert!(steer(1.0, 0.2, speed).is_finite());
        }
        for (mass, wheelbase) in [(0.0, 2.6), (1500.0, 0.0)] {
            let mut vehicle = inputs(1.0, 0.0, [0.0; 2], 20.0);
            (vehicle.driven.mass, vehicle.driven.wheelbase) = (mass, wheelbase);
            let (steer, place) = driver.steer(&vehicle);
            assert_eq!((steer, place.deviation), (0.0, 1.0));
        }
    }
}
