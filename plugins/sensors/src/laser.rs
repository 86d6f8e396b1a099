//! A planar laser scanner.
//!
//! The readings are exact ranges along a fan of rays with normally distributed noise on the range
//! and on the direction of each ray. The parameters have the names of `laser` in MVSim.
//!
//! **Limit:** all rays of a scan are taken at the same instant; without `raytrace_3d` walls and bodies are
//! vertical.

use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Fan;

/// A planar laser scanner.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
#[expect(dead_code, reason = "what only a picture shows is declared, so that world files load")]
pub struct Laser {
    /// Position and heading on the vehicle: ahead, to the left, and counter-clockwise.
    #[param(unit = "m m deg", scaling = &Scaling::POSE)]
    pose: Option<[f64; 3]>,
    /// Position and attitude on the vehicle; pitch and roll have no effect without `raytrace_3d`.
    #[param(unit = "m m m deg deg deg", key = "pose_3d", scaling = &Scaling::POSE_3D)]
    pose_3d: Option<[f64; 6]>,
    /// Height above the ground.
    #[param(unit = "m", scaling = Scaling::LENGTH)]
    height: Option<f64>,
    /// Field of view. The first ray points to minus half of it, and the last ray to half of it, or
    /// over a full turn to one spacing before the first ray.
    #[param(default = 180.0, above = 0.0, range = ..=360.0, unit = "deg", scale = math::DEG,
            key = "fov_degrees", per_lane)]
    fov: f64,
    /// Number of rays, counter-clockwise.
    #[param(default = 181, range = 2..=100_000)]
    nrays: usize,
    /// Largest range. Objects beyond it give no return.
    #[param(default = 80.0, above = 0.0, unit = "m", per_lane)]
    max_range: f64,
    /// Standard deviation of the noise on a range.
    #[param(default = 0.01, range = 0.0.., unit = "m", per_lane)]
    range_std_noise: f64,
    /// Standard deviation of the noise on the direction of a ray.
    #[param(default = 0.01, range = 0.0.., unit = "deg", scale = math::DEG,
            key = "angle_std_noise_deg", per_lane)]
    angle_std_noise: f64,
    /// Whether the rays hit vehicles and movable blocks.
    #[param(default = true)]
    bodies_visible: bool,
    /// Whether the rays are cast in three dimensions, in the plane of the sensor, which pitch and
    /// roll tilt. Otherwise the scan is level, and sees all objects that reach the height of the
    /// sensor.
    #[param(default = false)]
    raytrace_3d: bool,
    /// Whether the vehicle's own body is excluded. By default it is excluded from a level scan, and
    /// included with `raytrace_3d`.
    #[param()]
    ignore_parent_body: Option<bool>,
    /// Size of drawn points; without effect on the readings.
    #[param(default = 3.0, unit = "px", key = "viz_pointSize")]
    viz_point_size: f64,
    /// Whether the scanned plane is drawn; without effect on the readings.
    #[param(default = false, key = "viz_visiblePlane")]
    viz_visible_plane: bool,
    /// Whether rays are drawn; without effect on the readings.
    #[param(default = true, key = "viz_visibleLines")]
    viz_visible_lines: bool,
    /// Whether points are drawn; without effect on the readings.
    #[param(default = false, key = "viz_visiblePoints")]
    viz_visible_points: bool,
    /// Colour of drawn points; without effect on the readings.
    #[param(default = "#ff000080", key = "viz_pointsColor")]
    viz_points_color: String,
    /// Colour of the drawn plane; without effect on the readings.
    #[param(default = "#0000ff10", key = "viz_planeColor")]
    viz_plane_color: String,
}

/// Default height above the ground, m.
const HEIGHT: f64 = 0.05;

/// Readings of a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, RayPorts)]
pub enum Beam {
    /// Distance, the reach where there is no return.
    #[port(unit = "m")]
    Range,
    /// 1 for a return, 0 for none.
    #[port(unit = "1")]
    Valid,
}

#[model]
impl Sensor for Laser {
    const SPATIAL: bool = true;

    fn rays(&self) -> usize {
        self.nrays
    }

    fn is_spatial(&self) -> bool {
        self.raytrace_3d
    }

    fn aim(&self, aim: &mut Aim, random: &mut Random) {
        let pose = self.pose_3d.unwrap_or([0.0, 0.0, HEIGHT, 0.0, 0.0, 0.0]);
        let [x, y, z, yaw, pitch, roll] = pose;
        (aim.x, aim.y, aim.z, aim.yaw) = (x, y, z, yaw * math::DEG);
        (aim.pitch, aim.roll) = (pitch * math::DEG, roll * math::DEG);
        aim.see_own = !self.ignore_parent_body.unwrap_or(!self.raytrace_3d);
        if let Some([x, y, yaw]) = self.pose {
            (aim.x, aim.y, aim.yaw) = (x, y, yaw * math::DEG);
        }
        aim.z = self.height.unwrap_or(aim.z);
        aim.max_range = self.max_range;
        aim.see_bodies = self.bodies_visible;
        let (fan, deviation) = (Fan::new(self.fov, self.nrays), self.angle_std_noise);
        if deviation > 0.0 {
            random.fill_normal(aim.angles);
            for (ray, angle) in aim.angles.iter_mut().enumerate() {
                *angle = fan.direction(ray) + deviation * *angle;
            }
        } else {
            aim.angles.iter_mut().enumerate().for_each(|(ray, angle)| *angle = fan.direction(ray));
        }
    }

    fn read(
        &self,
        _: &(),
        rays: &mut RayReadings<Beam>,
        random: &mut Random,
        _: &Step,
        _: &mut (),
    ) {
        let (ranges, most, deviation) = (rays.ranges, self.max_range, self.range_std_noise);
        let column = rays.column(Beam::Range);
        let reading = |range: f64, noise: f64| {
            let noisy = (range + noise).max(0.0).min(most);
            if range.is_finite() { noisy } else { most }
        };
        if deviation > 0.0 {
            // one random number per ray, so that a missing return does not change the other readings
            random.fill_normal(column);
            for (out, range) in column.iter_mut().zip(ranges) {
                *out = reading(*range, deviation * *out);
            }
        } else {
            for (out, range) in column.iter_mut().zip(ranges) {
                *out = reading(*range, 0.0);
            }
        }
        for (valid, range) in rays.column(Beam::Valid).iter_mut().zip(ranges) {
            *valid = if range.is_finite() { 1.0 } else { 0.0 };
        }
    }
}
