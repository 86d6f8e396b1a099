use simhost_sdk::ports::ImposedTwist;
use simhost_sdk::prelude::*;

/// Follows the wall to the right of a differential drive, by a laser scan.
///
/// The ray to the right and the one 45° ahead of it give the distance and the direction of the wall. The
/// yaw rate is proportional to the errors of both. A wall ahead makes the robot slow down and turn left.
#[derive(Params)]
pub struct WallFollower {
    /// Distance to the wall. A larger value keeps the robot farther away.
    #[param(default = 0.8, above = 0.0, unit = "m")]
    distance: f64,
    /// Velocity along the wall. A larger value makes the robot cut corners.
    #[param(default = 0.6, above = 0.0, unit = "m/s")]
    speed: f64,
    /// Yaw rate per metre of error. A larger value corrects faster, and oscillates.
    #[param(default = 1.5, range = 0.0..=20.0, unit = "rad/s/m")]
    gain: f64,
    /// Field of view of the laser, which points ahead.
    #[param(default = 180.0, above = 90.0, range = ..=360.0, unit = "deg", scale = math::DEG)]
    fov: f64,
}

/// Inputs of the controller.
#[derive(Ports)]
pub struct Scan {
    /// Ranges of the laser, from right to left.
    #[port(unit = "m")]
    range: Reading,
}

impl WallFollower {
    /// Returns the range in a direction, rad, counter-clockwise from ahead.
    fn at(&self, scan: &Reading, direction: f64) -> f64 {
        let place = (direction / self.fov + 0.5) * (scan.len() - 1) as f64;
        scan[place.round().clamp(0.0, (scan.len() - 1) as f64) as usize]
    }
}

#[model]
impl Controller for WallFollower {
    fn control(&self, inputs: &Scan, _: &Step, _: &mut ()) -> ImposedTwist {
        let scan = &inputs.range;
        if scan.is_empty() || scan.age() > 0.5 {
            // a robot that sees nothing stands still
            return ImposedTwist { twist_vx: 0.0, twist_vy: 0.0, twist_omega: 0.0 };
        }
        let ahead = [-0.3, -0.15, 0.0, 0.15, 0.3].map(|angle| self.at(scan, angle));
        let ahead = ahead.into_iter().fold(f64::INFINITY, f64::min);
        let [right, front] = [-90.0, -45.0].map(|angle| self.at(scan, angle * math::DEG).min(3.0));
        // angle by which the robot points away from the wall, from the triangle of both rays
        let (sin, cos) = math::sin_cos(45.0 * math::DEG);
        let away = math::atan2(front * cos - right, front * sin);
        let error = self.distance - right * math::cos(away);
        let room = ((ahead - self.distance) / self.distance).clamp(0.0, 1.0);
        let turn = self.gain * (error - away) + 2.0 * (1.0 - room);
        ImposedTwist {
            twist_vx: self.speed * (0.1 + 0.9 * room),
            twist_vy: 0.0,
            twist_omega: math::limit(turn, 1.5),
        }
    }
}

export_plugin! { vendor: "example", controller: { "wall_follower" => WallFollower } }
