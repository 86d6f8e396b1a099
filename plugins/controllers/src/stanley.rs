//! A driver that steers by the heading and the deviation of the front axle: the controller of the vehicle *Stanley*.
//!
//! δ = ψ_e − atan(k e / (k_s + v)) − k_d (r − r_s), where ψ_e is the direction of the path minus the yaw of the vehicle at the
//! place nearest to the front axle, e is the distance of the front axle to the left of the path, v the speed, r the yaw rate,
//! and r_s = v tan(δ') / l the yaw rate that the wheelbase l gives for the angle δ' of the first two terms. Source: G. M.
//! Hoffmann, C. J. Tomlin, M. Montemerlo and S. Thrun, "Autonomous automobile trajectory tracking for off-road driving:
//! controller design, experimental validation and racing", American Control Conference 2007, eqs. 5 and 9 to 11; there, r_s is
//! the yaw rate of the path.
//!
//! Without tyre slip, the deviation falls as de/dt = −k e / √(1 + (k e / v)²), whatever the speed is.
//!
//! **Limit:** the driver looks at the nearest place only, so it steers into a curve when the front axle has reached it.

use simhost_sdk::prelude::*;

use crate::drive_cycle::DriverMemory;
use crate::driver::{Driven, DrivenEngine, DrivenFront, DriverTrack, PathPlace, drivers};

/// Steers by the heading and the deviation of the front axle, and keeps a speed.
#[derive(Params)]
pub struct Stanley {
    /// Path and speed.
    #[param(flatten)]
    track: DriverTrack,
    /// Rate at which a small deviation falls, k. A larger value returns to the path sooner, and oscillates if the tyres or the
    /// steering are slow.
    #[param(default = 1.5, unit = "1/s", range = 0.0..)]
    gain: f64,
    /// Speed that is added to the speed of the vehicle, k_s. A larger value steers less at low speeds.
    #[param(default = 1.0, unit = "m/s", range = 0.0..)]
    softening: f64,
    /// Steering angle for an error of the yaw rate of 1 rad/s, k_d. A larger value damps the yaw of a fast vehicle.
    #[param(default = 0.0, unit = "s", range = 0.0..)]
    yaw_damping: f64,
}

/// Pose and motion of the vehicle, and its geometry.
#[derive(Ports)]
pub struct StanleyInputs {
    /// Pose, speed and geometry.
    #[port(flatten)]
    driven: Driven,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    omega: f64,
    /// Position of the steered axle ahead of the reference point.
    #[port(unit = "m")]
    front_axle_x: f64,
}

impl AsRef<Driven> for StanleyInputs {
    fn as_ref(&self) -> &Driven {
        &self.driven
    }
}

impl Stanley {
    /// Returns the steering angle, rad, and the place of the path that is nearest to the vehicle.
    fn steer(&self, vehicle: &StanleyInputs) -> (f64, PathPlace) {
        let Driven { pose, odometry_vx, wheelbase, .. } = &vehicle.driven;
        let (sin, cos) = math::sin_cos(pose.yaw);
        let [dx, dy] = [cos, sin].map(|part| part * vehicle.front_axle_x);
        let place = self.track.nearest([pose.x + dx, pose.y + dy]);
        let heading = math::wrap_angle(self.track.direction(place) - pose.yaw);
        let speed = odometry_vx.max(0.0);
        let back = math::atan2(self.gain * place.deviation, self.softening + speed);
        let steer = heading - back;
        let expected = speed * math::tan(steer.clamp(-1.5, 1.5)) / wheelbase.max(1e-6);
        let damping = self.yaw_damping * (vehicle.omega - expected);
        (steer - damping, self.track.nearest(vehicle.driven.position()))
    }
}

drivers! {
    /// Steers by the heading and the deviation of the front axle, and keeps a speed, with an engine.
    EngineStanley, Stanley, StanleyInputs
}

#[cfg(test)]
mod tests {
    use simhost_sdk::ports::PlanarPose;

    use super::*;

    fn driver(corners: &[[f64; 2]]) -> Stanley {
        let track = DriverTrack::through(corners);
        Stanley { track, gain: 1.5, softening: 0.0, yaw_damping: 0.0 }
    }

    fn inputs(x: f64, y: f64, yaw: f64) -> StanleyInputs {
        let driven = Driven { max_steer: 0.9, ..Driven::moving(PlanarPose { x, y, yaw }, 8.0) };
        StanleyInputs { driven, omega: 0.0, front_axle_x: 2.5 }
    }

    /// The front wheel of a single track that rolls without slip moves along its heading, so that its deviation falls as the
    /// source says (eq. 6).
    #[test]
    fn the_deviation_falls_at_its_rate() {
        let driver = driver(&[[0.0, 0.0], [100.0, 0.0]]);
        let (mut x, mut y, mut yaw) = (0.0, 2.0, 0.1);
        let (dt, speed) = (1e-4, 8.0);
        let mut front = y + 2.5 * f64::sin(yaw);
        for _ in 0..20_000 {
            let (steer, _) = driver.steer(&inputs(x, y, yaw));
            let rolling = speed * f64::cos(yaw + steer) / f64::cos(steer);
            assert!(rolling > 0.0);
            x += dt * speed * yaw.cos();
            y += dt * speed * yaw.sin();
            yaw += dt * speed * steer.tan() / 2.5;
            // the front wheel is as fast as the vehicle divided by cos δ
            let expected = -speed / steer.cos() * f64::sin((1.5 * front / 8.0).atan());
            let next = y + 2.5 * f64::sin(yaw);
            assert!(
                ((next - front) / dt - expected).abs() < 5e-3,
                "{}",
                (next - front) / dt - expected
            );
            front = next;
        }
        // e⁻³ of a deviation that was a little greater
        assert!((0.05..0.2).contains(&front), "{front}");
    }

    #[test]
    fn signs_and_limits_are_right() {
        let driver = driver(&[[0.0, 0.0], [0.0, 100.0]]);
        // to the left of a path along y, with its heading
        let (steer, place) = driver.steer(&inputs(-1.0, 10.0, std::f64::consts::FRAC_PI_2));
        assert!(
            (steer + (1.5_f64 / 8.0).atan()).abs() < 1e-12 && (place.deviation - 1.0).abs() < 1e-12
        );
        let damped = Stanley { yaw_damping: 0.2, ..self::driver(&[[0.0, 0.0], [100.0, 0.0]]) };
        let turning = StanleyInputs { omega: 0.3, ..inputs(0.0, 0.0, 0.0) };
        assert!((damped.steer(&turning).0 + 0.06).abs() < 1e-12);
        // headings are compared the short way round
        let behind = self::driver(&[[0.0, 0.0], [-100.0, -1e-9]]);
        let (steer, _) = behind.steer(&inputs(-10.0, 0.0, 3.0));
        assert!(steer.abs() < 0.3, "{steer}");
    }
}
