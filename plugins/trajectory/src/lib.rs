//! Follows a path by a timetable.
//!
//! Waypoints give times and places; between two of them the vehicle has to be as fast as they are far
//! apart in space over time. It heads for the point of the path that lies a distance L ahead of where it
//! should be now. Pure pursuit (Coulter 1992, eq. 4): curvature κ = 2 y / d², with the point's place
//! (x, y) in the vehicle frame and d² = x² + y². Above the limit of the yaw rate speed and yaw rate
//! are reduced together. Source: MVSim, controller `trajectory`.
//!
//! **Limit:** the twist is imposed as by `twist_ideal`, and speed does not depend on how far the vehicle is
//! from its place on the path.

mod path;

use simhost_sdk::abi::Str;
use simhost_sdk::prelude::*;

use path::{Path, Waypoint};

/// Follows a path by a timetable.
#[derive(Params)]
pub struct Trajectory {
    /// Places and when to be there, in rising order; two or more.
    #[param(required)]
    waypoint: Vec<Waypoint>,
    /// Whether it begins again at its end.
    #[param(default = true, key = "loop")]
    repeats: bool,
    /// Distance along the path to the point it heads for; more of it and corners are cut wider.
    #[param(default = 0.5, above = 0.0, unit = "m")]
    lookahead_distance: f64,
    /// Largest yaw rate; less of it and it slows down in corners.
    #[param(default = 2.0, above = 0.0, unit = "rad/s")]
    max_angular_speed: f64,
    /// The path with its lengths.
    #[param(skip)]
    path: Path,
}

impl Trajectory {
    /// Forward velocity, m/s, and yaw rate, rad/s.
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

/// Where the vehicle is.
#[derive(Ports)]
pub struct Place {
    /// Reference point.
    #[port(unit = "m")]
    x: f64,
    /// Reference point.
    #[port(unit = "m")]
    y: f64,
    /// Heading.
    #[port(unit = "rad")]
    yaw: f64,
}

/// The twist that the host imposes.
#[derive(Ports)]
pub struct Imposed {
    /// Forward velocity.
    #[port(unit = "m/s")]
    twist_vx: f64,
    /// Leftward velocity.
    #[port(unit = "m/s")]
    twist_vy: f64,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    twist_omega: f64,
}

/// Takes no commands: the timetable is all.
const COMMANDS: &[(&str, &[Str])] = &[];

#[model]
impl Controller for Trajectory {
    type Inputs = Place;
    type Outputs = Imposed;
    const COMMANDS: &'static [(&'static str, &'static [Str])] = COMMANDS;

    fn prepare(&mut self) -> Result<(), String> {
        self.plan()
    }

    fn control(&self, place: &Place, step: &Step, _: &mut ()) -> Imposed {
        let (vx, omega) = self.twist([place.x, place.y, place.yaw], step.time);
        Imposed { twist_vx: vx, twist_vy: 0.0, twist_omega: omega }
    }
}

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    controller: { "trajectory" => Trajectory },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
