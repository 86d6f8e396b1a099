//! A laser scanner with several rings.
//!
//! The readings are exact ranges along rays in space, with normally distributed noise on the range
//! and on the direction of each ray, and with missing returns. Intensity assumes a diffuse surface
//! (Lambert, "Photometria", 1760): reflectivity times the cosine of the angle of incidence,
//! calibrated for range like the intensity of calibrated scanners.
//!
//! All rays of a sweep are cast at the time of the sample, unless `spin` gives the rate of a mirror; then
//! the sensor moves on between the columns of the sweep.
//!
//! A beam is a line, unless `beam_divergence_deg` gives it a width; [`returns`] describes its returns.
//!
//! The parameters with the names of MVSim's `lidar3d` have its meaning; parameters of its depth
//! images have no effect, because rays are not sampled from images. **Limit:** within a sweep the
//! sensor moves with the velocity at its end, and the world stands still; a rosette is the same in
//! every sample.

mod pattern;
mod returns;

use simhost_sdk::prelude::*;

use pattern::{Pattern, Rosette};

/// A laser scanner with several rings, which measures points in its own frame.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
#[expect(dead_code, reason = "what only depth images need is declared, so that world files load")]
pub struct Lidar3d {
    /// Position and attitude on the vehicle.
    #[param(unit = "m m m deg deg deg", key = "pose_3d", default = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            scaling = &Scaling::POSE_3D)]
    pose_3d: [f64; 6],
    /// Standard deviation of the noise on a range.
    #[param(default = 0.01, range = 0.0.., unit = "m")]
    range_std_noise: f64,
    /// Standard deviation of the noise on the azimuth and on the elevation of a ray. Points are computed
    /// from the nominal direction.
    #[param(default = 0.0, range = 0.0..=10.0, unit = "deg", scale = math::DEG,
            key = "angle_std_noise_deg")]
    angle_std_noise: f64,
    /// Probability that a return is missing.
    #[param(default = 0.0, range = 0.0..=1.0)]
    dropout_probability: f64,
    /// Smallest range. Nearer objects give no return.
    #[param(default = 0.01, range = 0.0.., unit = "m")]
    min_range: f64,
    /// Largest range. Objects beyond it give no return.
    #[param(default = 80.0, above = 0.0, unit = "m")]
    max_range: f64,
    /// Vertical field of view, half of it above and half below the horizon.
    #[param(default = 30.0, above = 0.0, range = ..=180.0, unit = "deg", scale = math::DEG,
            key = "vert_fov_degrees")]
    vert_fov: f64,
    /// Angle of each ring above the horizon, instead of a field of view.
    #[param(unit = "deg", range = -90.0..=90.0)]
    vertical_ray_angles: Option<Vec<f64>>,
    /// Number of rings.
    #[param(default = 16, range = 2..=1024)]
    vert_nrays: usize,
    /// Horizontal field of view. The rays are evenly spaced from minus half of it to half of it,
    /// counter-clockwise; over a full turn, they begin at the rear.
    #[param(default = 360.0, above = 0.0, range = ..=360.0, unit = "deg", scale = math::DEG,
            key = "horz_fov_degrees")]
    horz_fov: f64,
    /// Azimuth of each column, counter-clockwise, instead of a field of view.
    #[param(unit = "deg", range = -360.0..=360.0)]
    horizontal_ray_angles: Option<Vec<f64>>,
    /// Azimuth of each ring relative to its column, from the lowest to the highest ring.
    #[param(unit = "deg", range = -180.0..=180.0)]
    ring_azimuth_offsets: Option<Vec<f64>>,
    /// Number of rays per ring.
    #[param(default = 180, range = 2..=100_000)]
    horz_nrays: usize,
    /// Turns of the mirror per second, negative for clockwise turns. The sweep ends at the time of
    /// the sample. With 0 all rays are cast at that time. A smaller value makes a moving sensor
    /// distort its points more.
    #[param(default = 0.0, unit = "Hz", range = -1000.0..=1000.0)]
    spin: f64,
    /// Rings and columns, or a rosette of `horz_nrays` points.
    #[param(default = "rings")]
    scan_pattern: ScanPattern,
    /// Full angle of the field of view of a rosette.
    #[param(default = 38.4, above = 0.0, range = ..=120.0, unit = "deg", scale = math::DEG,
            key = "rosette_fov_degrees")]
    rosette_fov: f64,
    /// Turns per second of the two prisms that draw a rosette, negative for clockwise turns.
    #[param(default = [121.567, -77.733], unit = "Hz")]
    rosette_rates: [f64; 2],
    /// Duration of a rosette. It ends at the time of the sample. A larger value draws more leaves.
    #[param(default = 0.1, above = 0.0, unit = "s")]
    rosette_duration: f64,
    /// Full angle of a beam. A beam with a width can hit several surfaces, and takes five rays.
    #[param(default = 0.0, range = 0.0..=5.0, unit = "deg", scale = math::DEG,
            key = "beam_divergence_deg")]
    beam_divergence: f64,
    /// Whether a beam has a second return: the last return or, if that is the strongest, the second
    /// strongest.
    #[param(default = false)]
    dual_return: bool,
    /// Smallest distance between two surfaces along a beam that gives two returns.
    #[param(default = 1.0, range = 0.0.., unit = "m")]
    return_separation: f64,
    /// Factor on the number of columns of MVSim's depth image; without effect.
    #[param(default = 1.0, above = 0.0)]
    horz_resolution_factor: f64,
    /// Factor on the number of rows of MVSim's depth image; without effect.
    #[param(default = 1.0, above = 0.0)]
    vert_resolution_factor: f64,
    /// Largest relative depth step between rows of MVSim's depth image across which ranges are
    /// interpolated; without effect.
    #[param(default = 0.3, range = 0.0..)]
    max_vert_relative_depth_to_interpolate: f64,
    /// Largest relative depth step between columns of MVSim's depth image across which ranges are
    /// interpolated; without effect.
    #[param(default = 0.1, range = 0.0..)]
    max_horz_relative_depth_to_interpolate: f64,
    /// Whether points carry the intensity of their surface; otherwise it is 1.
    #[param(default = true)]
    generate_intensity: bool,
    /// Whether the vehicle's own body and wheels are excluded.
    #[param(default = false)]
    ignore_parent_body: bool,
    /// Size of drawn points; without effect on the readings.
    #[param(default = 3.0, unit = "px", key = "viz_pointSize")]
    viz_point_size: f64,
    #[param(skip)]
    pattern: Pattern,
}

/// Order in which a lidar scans.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ScanPattern {
    #[param(key = "rings")]
    Rings,
    #[param(key = "rosette")]
    Rosette,
}

/// Largest number of rays of a sweep.
const MOST_RAYS: usize = 1 << 21;
/// Number of rays whose random numbers are drawn at once.
const PIECE: usize = 64;

/// Readings of a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, RayPorts)]
pub enum Point {
    /// Point, sensor frame; 0 where there is no return.
    #[port(unit = "m")]
    X,
    /// Point, sensor frame; 0 where there is no return.
    #[port(unit = "m")]
    Y,
    /// Point, sensor frame; 0 where there is no return.
    #[port(unit = "m")]
    Z,
    /// Distance; 0 where there is no return.
    #[port(unit = "m")]
    Range,
    /// Reflectivity times cosine of incidence, 0 to 1.
    #[port(unit = "1")]
    Intensity,
    /// Number of the ring, 0 for the lowest.
    #[port(unit = "1")]
    Ring,
    /// Time of the ray relative to the sample.
    #[port(unit = "s")]
    Time,
    /// Number of the entity, -1 where there is no return.
    #[port(unit = "1")]
    Entity,
    /// Number of the semantic class, 0 where there is no return.
    #[port(unit = "1")]
    Class,
    /// Number of the return of its beam: 1 for the strongest one, 2 for the second one, 0 for none.
    #[port(unit = "1")]
    Valid,
}

#[model]
impl Sensor for Lidar3d {
    const SPATIAL: bool = true;
    const RAY_RESULTS: &'static [RayResult] =
        &[RayResult::CosIncidence, RayResult::Reflectivity, RayResult::Entity, RayResult::Class];

    fn prepare(&mut self) -> Result<(), String> {
        let (nearest, reach) = (self.min_range, self.max_range);
        if nearest >= reach {
            return Err(format!(
                "min_range is {nearest} m, expected less than max_range, {reach} m"
            ));
        }
        if self.dual_return && self.beam_divergence == 0.0 {
            return Err(
                "dual_return needs a width of the beams: found beam_divergence_deg 0, expected \
                        more"
                    .into(),
            );
        }
        let per_beam = if self.beam_divergence > 0.0 { 5 } else { 1 };
        let rings = if self.scan_pattern == ScanPattern::Rings { self.vert_nrays } else { 1 };
        let rays = per_beam * rings * self.horz_nrays;
        if rays > MOST_RAYS {
            let columns = self.horz_nrays;
            return Err(format!(
                "vert_nrays {rings} and horz_nrays {columns} make {rays} rays, expected at most \
                 {MOST_RAYS}"
            ));
        }
        self.pattern = Pattern::new(&pattern::Form {
            rings: (self.vert_nrays, self.vert_fov, self.vertical_ray_angles.as_deref()),
            columns: (self.horz_nrays, self.horz_fov, self.horizontal_ray_angles.as_deref()),
            offsets: self.ring_azimuth_offsets.as_deref(),
            spin: self.spin,
            divergence: self.beam_divergence,
            rosette: (self.scan_pattern == ScanPattern::Rosette).then_some(Rosette {
                fov: self.rosette_fov,
                rates: self.rosette_rates,
                duration: self.rosette_duration,
            }),
        })?;
        Ok(())
    }

    fn rays(&self) -> usize {
        self.pattern.len()
    }

    fn aim(&self, aim: &mut Aim, random: &mut Random) {
        let [x, y, z, yaw, pitch, roll] = self.pose_3d;
        (aim.x, aim.y, aim.z) = (x, y, z);
        [aim.yaw, aim.pitch, aim.roll] = [yaw, pitch, roll].map(|angle| angle * math::DEG);
        (aim.max_range, aim.see_own) = (self.max_range, !self.ignore_parent_body);
        self.pattern.aim(aim);
        if self.angle_std_noise > 0.0 && self.pattern.parts() > 1 {
            self.turn_beams(aim, random);
        } else if self.angle_std_noise > 0.0 {
            let angles = aim.angles.iter_mut().chain(aim.elevations.iter_mut());
            for_each_normal(angles, random, |angle, noise| *angle += self.angle_std_noise * noise);
        }
    }

    fn read(
        &self,
        _: &(),
        rays: &mut RayReadings<Point>,
        random: &mut Random,
        _: &Step,
        _: &mut (),
    ) {
        if self.pattern.parts() > 1 {
            self.read_beams(rays, random);
        } else {
            self.read_ranges(rays, random);
            self.read_returns(rays);
        }
        for (ray, time) in rays.column(Point::Time).iter_mut().enumerate() {
            *time = self.pattern.time(ray);
        }
        for (ray, ring) in rays.column(Point::Ring).iter_mut().enumerate() {
            *ring = (ray % self.pattern.rings()) as f64;
        }
    }
}

impl Lidar3d {
    /// Sets range and validity. Each ray draws the same random numbers, so that a missing return does not
    /// change the others.
    fn read_ranges(&self, rays: &mut RayReadings<Point>, random: &mut Random) {
        let exact = rays.ranges;
        rays.column(Point::Range).copy_from_slice(exact);
        if self.range_std_noise > 0.0 {
            let ranges = rays.column(Point::Range).iter_mut();
            for_each_normal(ranges, random, |range, noise| *range += self.range_std_noise * noise);
        }
        let dropout = self.dropout_probability;
        for ray in 0..exact.len() {
            let range = rays.column(Point::Range)[ray];
            let is_lost = dropout > 0.0 && random.uniform() < dropout;
            let is_valid = !is_lost && (self.min_range..=self.max_range).contains(&range);
            rays.column(Point::Valid)[ray] = if is_valid { 1.0 } else { 0.0 };
            if !is_valid {
                rays.column(Point::Range)[ray] = 0.0;
            }
        }
    }

    /// Sets point, intensity, entity and class.
    fn read_returns(&self, rays: &mut RayReadings<Point>) {
        let reflectivities = rays.result(RayResult::Reflectivity);
        let cosines = rays.result(RayResult::CosIncidence);
        let (entities, classes) = (rays.result(RayResult::Entity), rays.result(RayResult::Class));
        for ray in 0..rays.ranges.len() {
            let is_valid = rays.column(Point::Valid)[ray] != 0.0;
            let range = rays.column(Point::Range)[ray];
            let [x, y, z] = self.pattern.direction(ray).map(|part| range * part);
            let intensity = match (is_valid, self.generate_intensity) {
                (false, _) => 0.0,
                (true, false) => 1.0,
                (true, true) => reflectivities[ray] * cosines[ray],
            };
            let [entity, class] =
                if is_valid { [entities[ray], classes[ray]] } else { [-1.0, 0.0] };
            rays.set_all(
                ray,
                [
                    (Point::X, x),
                    (Point::Y, y),
                    (Point::Z, z),
                    (Point::Intensity, intensity),
                    (Point::Entity, entity),
                    (Point::Class, class),
                ],
            );
        }
    }
}

/// Calls `apply` with each item and a normally distributed number.
fn for_each_normal<'a>(
    items: impl Iterator<Item = &'a mut f64>,
    random: &mut Random,
    mut apply: impl FnMut(&mut f64, f64),
) {
    let (mut noise, mut next) = ([0.0; PIECE], PIECE);
    for item in items {
        if next == PIECE {
            random.fill_normal(&mut noise);
            next = 0;
        }
        apply(item, noise[next]);
        next += 1;
    }
}

#[cfg(test)]
mod tests;
