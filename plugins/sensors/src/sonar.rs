//! A sonar, or another sensor of the nearest distance in a cone.
//!
//! Rays on concentric rings fill the cone, and the shortest range is the reading. A surface that is smaller
//! than the distance between two rings can be missed.
//!
//! **Limit:** no beam pattern, no echoes over several surfaces, no dependence on the angle of incidence.

use simhost_sdk::kinematics::angles;
use simhost_sdk::prelude::*;

use crate::mounting::Mount;

/// A sonar: the distance of the nearest object in a cone.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Sonar {
    /// Pose on the vehicle.
    #[param(flatten)]
    mount: Mount,
    /// Full angle of the cone.
    #[param(default = 30.0, above = 0.0, range = ..=180.0, unit = "deg", scale = math::DEG,
            key = "fov_degrees")]
    fov: f64,
    /// Number of rings of rays about the axis. A larger value finds smaller objects.
    #[param(default = 4, range = 0..=50)]
    rings: usize,
    /// Smallest range. Nearer objects are reported at this range.
    #[param(default = 0.02, range = 0.0.., unit = "m")]
    min_range: f64,
    /// Largest range. It is the reading where nothing is in the cone.
    #[param(default = 4.0, above = 0.0, unit = "m")]
    max_range: f64,
    /// Standard deviation of the noise on the range.
    #[param(default = 0.01, range = 0.0.., unit = "m")]
    range_std_noise: f64,
    /// Probability that a sample misses everything.
    #[param(default = 0.0, range = 0.0..=1.0, unit = "1")]
    drop_out: f64,
}

/// The reading.
#[derive(Ports)]
pub struct Distance {
    /// Distance of the nearest object; the largest range if there is none.
    #[port(unit = "m")]
    range: f64,
    /// 1 if something is in the cone, 0 if nothing is.
    #[port(unit = "1")]
    valid: f64,
}

impl Sonar {
    /// Returns the direction of a ray of a ring.
    fn direction(&self, ring: usize, place: usize) -> [f64; 3] {
        let off = 0.5 * self.fov * ring as f64 / self.rings.max(1) as f64;
        let about = std::f64::consts::TAU * place as f64 / (6 * ring.max(1)) as f64;
        let ((sin, cos), (up, left)) = (math::sin_cos(off), math::sin_cos(about));
        [cos, sin * left, sin * up]
    }
}

#[model]
impl Sensor for Sonar {
    const SPATIAL: bool = true;

    fn prepare(&mut self) -> Result<(), String> {
        let (nearest, reach) = (self.min_range, self.max_range);
        match nearest < reach {
            true => Ok(()),
            false => {
                Err(format!("min_range is {nearest} m, expected less than max_range, {reach} m"))
            }
        }
    }

    fn rays(&self) -> usize {
        1 + 3 * self.rings * (self.rings + 1)
    }

    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        let mounting = self.mount.mounting();
        let [yaw, pitch, roll] = angles(&mounting.rotation);
        [aim.x, aim.y, aim.z] = mounting.position.to_array();
        (aim.yaw, aim.pitch, aim.roll, aim.max_range) = (yaw, pitch, roll, self.max_range);
        let rings = (0..=self.rings)
            .flat_map(|ring| (0..(6 * ring).max(1)).map(move |place| self.direction(ring, place)));
        for ((angle, elevation), [x, y, z]) in
            aim.angles.iter_mut().zip(aim.elevations.iter_mut()).zip(rings)
        {
            *angle = math::atan2(y, x);
            *elevation = math::atan2(z, (x * x + y * y).sqrt());
        }
    }

    fn read(
        &self,
        _: &(),
        rays: &mut RayReadings,
        random: &mut Random,
        _: &Step,
        _: &mut (),
    ) -> Distance {
        let (noise, chance) = (random.normal(), random.uniform());
        let nearest = rays.ranges.iter().copied().fold(f64::INFINITY, f64::min);
        if !nearest.is_finite() || chance < self.drop_out {
            return Distance { range: self.max_range, valid: 0.0 };
        }
        let range = nearest + self.range_std_noise * noise;
        Distance { range: range.clamp(self.min_range, self.max_range), valid: 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rays_fill_the_cone() {
        let sonar = Sonar {
            mount: Mount::default(),
            fov: 40.0 * math::DEG,
            rings: 3,
            min_range: 0.1,
            max_range: 5.0,
            range_std_noise: 0.0,
            drop_out: 0.0,
        };
        let rays: Vec<[f64; 3]> = (0..=3)
            .flat_map(|ring| (0..(6 * ring).max(1)).map(move |place| (ring, place)))
            .map(|(ring, place)| sonar.direction(ring, place))
            .collect();
        assert_eq!(rays.len(), sonar.rays());
        let edge = (20.0 * math::DEG).cos();
        assert!(rays.iter().all(|[x, ..]| *x >= edge - 1e-12));
        assert_eq!(rays.iter().filter(|[x, ..]| (*x - edge).abs() < 1e-12).count(), 18);
        assert_eq!(rays[0], [1.0, 0.0, 0.0]);
    }
}
