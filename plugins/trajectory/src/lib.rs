//! Follows a path according to a timetable.
//!
//! Each waypoint has a position and a time; between two waypoints the speed is their distance
//! divided by the difference of their times. The vehicle heads for the point of the path that lies
//! a distance L ahead of its scheduled position. Pure pursuit (Coulter 1992, eq. 4): curvature κ =
//! 2 y / d², with that point at (x, y) in the vehicle frame and d² = x² + y². If the yaw rate
//! exceeds its limit, speed and yaw rate are reduced by the same factor. Source: MVSim, controller
//! `trajectory`.
//!
//! **Limit:** the twist is imposed as by `twist_ideal`, and the speed does not depend on the
//! distance of the vehicle from its scheduled position.

mod path;

use simhost_sdk::ports::{ImposedTwist, PlanarPose};
use simhost_sdk::prelude::*;

use path::{Path, Waypoint};

/// Follows a path according to a timetable.
#[derive(Params)]
pub struct Trajectory {
    /// Positions and times of the path, with rising times; at least two.
    #[param(required)]
    waypoint: Vec<Waypoint>,
    /// Whether the path starts again at its end.
    #[param(default = true, key = "loop")]
    repeats: bool,
    /// Preview distance along the path to the target point. A larger value makes it cut corners
    /// wider.
    #[param(default = 0.5, above = 0.0, unit = "m", scaling = Scaling::LENGTH)]
    lookahead_distance: f64,
    /// Largest yaw rate. A smaller value makes the vehicle slow down in corners.
    #[param(default = 2.0, above = 0.0, unit = "rad/s", scaling = Scaling::WHEEL_SPEED)]
    max_angular_speed: f64,
    /// The path with the distances along it.
    #[param(skip)]
    path: Path,
}

impl Trajectory {
    /// Returns forward velocity, m/s, and yaw rate, rad/s.
    fn twist(&self, at: [f64; 3], time: f64) -> (f64, f64) {
        let (speed, length) = self.path.schedule(time, self.repeats);
        let target = self.path.point(length + self.lookahead_distance, self.repeats);
        let (dx, dy) = (target[0] - at[0], target[1] - at[1]);
        let (sin, cos) = (math::sin(at[2]), math::cos(at[2]));
        let (x, y) = (cos * dx + sin * dy, cos * dy - sin * dx);
        let squared = x * x + y * y;
        if squared < 1e-12 {
            return (speed, 0.0);
        }
        let omega = speed * 2.0 * y / squared;
        let factor = (self.max_angular_speed / omega.abs().max(1e-300)).min(1.0);
        (speed * factor, omega * factor)
    }

    fn plan(&mut self) -> Result<(), String> {
        self.path = Path::through(&self.waypoint)?;
        Ok(())
    }
}

#[model]
impl Controller for Trajectory {
    fn prepare(&mut self) -> Result<(), String> {
        self.plan()
    }

    fn control(&self, place: &PlanarPose, step: &Step, _: &mut ()) -> ImposedTwist {
        let (vx, omega) = self.twist([place.x, place.y, place.yaw], step.time);
        ImposedTwist { twist_vx: vx, twist_vy: 0.0, twist_omega: omega }
    }
}

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    controller: { "trajectory" => Trajectory },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
