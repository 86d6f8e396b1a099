//! A driver that keeps a speed and steers along a path.
//!
//! The driver looks at the point of the path that the vehicle reaches after a preview time, and steers the arc that leads
//! there: pure pursuit, κ = 2 y / d², with that point at (x, y) in the vehicle frame and d² = x² + y² (R. C. Coulter,
//! CMU-RI-TR-92-01, 1992, eq. 4). The steering angle is atan(l κ) for the wheelbase l, times a gain that makes up for
//! understeer. Motors and brakes act in proportion to the error of the speed.
//!
//! **Limit:** the driver neither delays nor tires.

use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;

use crate::drive_cycle::DriverMemory;
use crate::driver::{Driven, DrivenEngine, DrivenFront, DriverTrack, PathPlace, drivers};

/// Keeps a speed and steers along a path.
#[derive(Params)]
pub struct PathDriver {
    /// Path and speed.
    #[param(flatten)]
    track: DriverTrack,
    /// Preview time of the driver. A larger value makes the vehicle steer earlier and cut corners.
    #[param(default = 0.8, unit = "s", above = 0.0)]
    preview: f64,
    /// Factor of the steering angle. A larger value compensates more understeer, and steers more
    /// abruptly.
    #[param(default = 1.0, unit = "1", range = 0.0..)]
    gain: f64,
}

/// Returns the curvature of the arc that leads from a pose to a point, 1/m, positive to the left.
pub(crate) fn pursuit(pose: &PlanarPose, point: [f64; 2]) -> f64 {
    let [x, y] = pose.in_vehicle_frame(point);
    2.0 * y / (x * x + y * y).max(1e-6)
}

impl PathDriver {
    /// Returns the steering angle, rad, and the place of the path that is nearest to the vehicle.
    fn steer(&self, vehicle: &Driven) -> (f64, PathPlace) {
        let place = self.track.nearest(vehicle.position());
        let ahead = (vehicle.odometry_vx * self.preview).max(1.0);
        let curvature = pursuit(&vehicle.pose, self.track.ahead(place, ahead));
        (self.gain * math::atan(vehicle.wheelbase * curvature), place)
    }
}

drivers! {
    /// Keeps a speed and steers along a path, with an engine.
    EnginePathDriver, PathDriver, Driven
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vehicle on a circle through the point ahead, with the tangent of its heading, steers this circle.
    #[test]
    fn the_arc_leads_to_the_point() {
        let track = DriverTrack::through(&[[0.0, 6.0], [100.0, 6.0]]);
        let driver = PathDriver { track, preview: 1.0, gain: 1.0 };
        let pose = PlanarPose::default();
        let vehicle = Driven { max_steer: 0.9, ..Driven::moving(pose, 8.0) };
        // the point is (8, 6), on a circle of radius (8² + 6²) / (2 · 6)
        let DrivenFront { actuators, deviation } =
            driver.control(&vehicle, &Step::new(0.0, 0.01), &mut DriverMemory::default());
        assert!((actuators.steer - (2.5_f64 / (100.0 / 12.0)).atan()).abs() < 1e-12);
        assert_eq!((actuators.torque_front_left, actuators.brake_torque), (500.0, 0.0));
        assert_eq!(deviation, -6.0);
    }
}
