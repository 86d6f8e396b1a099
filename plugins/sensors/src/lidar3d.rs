//! A laser scanner with several rings.
//!
//! The parameters are those of `lidar3d` in MVSim. **Limit:** it does not produce points yet.

use simhost_sdk::prelude::*;

/// A laser scanner with several rings. It does not produce points yet.
#[derive(Params)]
#[expect(dead_code, reason = "declared, so that world files are checked")]
pub struct Lidar3d {
    /// Position and attitude on the vehicle.
    #[param(unit = "m m m deg deg deg", key = "pose_3d", default = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0])]
    pose_3d: [f64; 6],
    /// Standard deviation of the noise on a range.
    #[param(default = 0.01, range = 0.0.., unit = "m")]
    range_std_noise: f64,
    /// Smallest range. Nearer objects give no return.
    #[param(default = 0.01, range = 0.0.., unit = "m")]
    min_range: f64,
    /// Largest range. Objects beyond it give no return.
    #[param(default = 80.0, above = 0.0, unit = "m")]
    max_range: f64,
    /// Vertical field of view, half of it above and half below the horizon.
    #[param(default = 30.0, above = 0.0, range = ..=180.0, unit = "deg")]
    vert_fov_degrees: f64,
    /// Angle of each ring above the horizon, instead of a field of view.
    #[param(unit = "deg", range = -90.0..=90.0)]
    vertical_ray_angles: Option<Vec<f64>>,
    /// Number of rings.
    #[param(default = 16, range = 2..=1024)]
    vert_nrays: u32,
    /// Number of rays per ring.
    #[param(default = 180, range = 2..=100_000)]
    horz_nrays: u32,
    /// Factor on the number of columns of the depth image.
    #[param(default = 1.0, above = 0.0)]
    horz_resolution_factor: f64,
    /// Factor on the number of rows of the depth image.
    #[param(default = 1.0, above = 0.0)]
    vert_resolution_factor: f64,
    /// Largest relative depth step between rows across which ranges are interpolated.
    #[param(default = 0.3, range = 0.0..)]
    max_vert_relative_depth_to_interpolate: f64,
    /// Largest relative depth step between columns across which ranges are interpolated.
    #[param(default = 0.1, range = 0.0..)]
    max_horz_relative_depth_to_interpolate: f64,
    /// Whether points carry an intensity.
    #[param(default = true)]
    generate_intensity: bool,
    /// Whether the vehicle's own body is excluded.
    #[param(default = false)]
    ignore_parent_body: bool,
    /// Size of drawn points; without effect on the readings.
    #[param(default = 3.0, unit = "px", key = "viz_pointSize")]
    viz_point_size: f64,
}

#[model]
impl Sensor for Lidar3d {
    type Readings = ();

    fn prepare(&mut self) -> Result<(), String> {
        let Some(angles) = &self.vertical_ray_angles else { return Ok(()) };
        let (given, rings) = (angles.len(), self.vert_nrays);
        let distinct = angles.iter().enumerate().all(|(at, angle)| !angles[..at].contains(angle));
        match given == rings as usize && distinct {
            true => Ok(()),
            false => Err(format!(
                "vertical_ray_angles has {given} different angles, expected vert_nrays = {rings}"
            )),
        }
    }

    fn read(&self, _: &(), _: &mut RayReadings, _: &mut Random, _: &Step, _: &mut ()) {}
}
