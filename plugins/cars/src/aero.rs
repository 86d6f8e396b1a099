//! Forces of the air on a car by tables over the angle of the flow and the ride height.
//!
//! F = ½ ρ v² a with the density ρ = 1.225 kg/m³, the speed v through still air, and an area a from the table; a moment has
//! an area times a length. The angle of the flow is β = atan2(v, u) for the velocity (u, v) of the centre of mass,
//! positive when the car moves to its left. Drag and side force act on the centre of mass of the body, lift on the axles.
//! Source: W.-H. Hucho, *Aerodynamics of Road Vehicles*, 4th ed. 1998, section 5.2.
//!
//! A table whose angles are all at least 0 holds for both sides: the side force and the yaw moment change their signs.
//! Beyond its limits, the value at the limit holds.
//!
//! **Limit:** the flow is steady, and wind does not act.

use simhost_sdk::math;
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;
use simhost_suspension::grid_file::{GridAxis, GridFormat};
use simhost_suspension::interpolation::Interpolation;
use simhost_suspension::surface::Surface;

/// Density of the air, kg/m³.
pub const AIR_DENSITY: f64 = 1.225;

/// Number of the quantities of a table.
const QUANTITIES: usize = 5;

/// Columns of a table: areas, m², and for the yaw moment an area times a length, m³.
const FORMAT: GridFormat = GridFormat {
    first: GridAxis { columns: &[("yaw_deg", math::DEG), ("yaw", 1.0)], only: None },
    second: GridAxis { columns: &[("ride_height", 1.0), ("ride_height_mm", 1e-3)], only: None },
    quantities: &[
        ("drag", 0, 1.0),
        ("side", 1, 1.0),
        ("lift_front", 2, 1.0),
        ("lift_rear", 3, 1.0),
        ("yaw_moment", 4, 1.0),
    ],
};

/// Areas over the angle of the flow, rad, and the change of the ride height from rest, m.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AeroTable {
    surface: Surface<QUANTITIES>,
    /// Whether the angles of the table are at least 0.
    is_mirrored: bool,
}

/// Force on the centre of mass of the body, N, and moment about it, N·m, frame of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AirForce {
    /// Force, N.
    pub force: Vec3,
    /// Moment, N·m.
    pub moment: Vec3,
}

impl AirForce {
    /// No force.
    pub const NONE: Self = Self { force: Vec3::ZERO, moment: Vec3::ZERO };
}

impl AeroTable {
    /// Reads a table.
    ///
    /// # Errors
    ///
    /// A file that is not a table, with its name and a remedy.
    pub fn read(file: &TextFile) -> Result<Self, String> {
        let points = FORMAT.parse(&file.text);
        let points = points.map_err(|error| format!("aero_table {}: {error}", file.path))?;
        let is_mirrored = points.first[0] >= 0.0;
        Ok(Self { surface: Surface::new(points, Interpolation::Monotone), is_mirrored })
    }

    /// Returns the force on a car with this velocity in its frame, m/s, this rise of the body from rest, m, and the
    /// positions of its rear and front axles ahead of the centre of mass, m.
    pub fn force(&self, velocity: Vec3, ride_height: f64, [rear, front]: [f64; 2]) -> AirForce {
        let yaw = math::atan2(velocity.y, velocity.x);
        let side = if self.is_mirrored && yaw < 0.0 { -1.0 } else { 1.0 };
        let [angles, heights] = self.surface.limits();
        let within = |value: f64, [least, most]: [f64; 2]| value.max(least).min(most);
        let at = self.surface.at(within(side * yaw, angles), within(ride_height, heights));
        let pressure = 0.5 * AIR_DENSITY * velocity.dot(velocity);
        let [drag, lateral, lift_front, lift_rear, turning] = at.map(|dual| pressure * dual.value);
        AirForce {
            force: Vec3::new(-drag, side * lateral, lift_front + lift_rear),
            moment: Vec3::new(0.0, -lift_front * front - lift_rear * rear, side * turning),
        }
    }
}
