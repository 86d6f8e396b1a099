//! A sonar, or another sensor of the nearest distance in a cone.
//!
//! Rays on concentric rings fill the cone, and the shortest range is the reading. Neighbouring rays are up to
//! 1.5 times the angle between two rings apart: at the distance d, a disc across the beam with a diameter of
//! 1.5 d fov/(2 rings) is always met, and a smaller one can be missed.
//!
//! A surface that a ray meets at a flat angle reflects the sound away, as the ground in front of a sonar that looks
//! ahead does.
//!
//! **Limit:** no beam pattern, no echoes over several surfaces.

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
    /// Largest range, which is the reading for an empty cone.
    #[param(default = 4.0, above = 0.0, unit = "m")]
    max_range: f64,
    /// Largest angle between a ray and the normal of a surface that returns its echo. A larger value makes the ground and
    /// oblique walls visible.
    #[param(default = 50.0, range = 0.0..=90.0, unit = "deg", scale = math::DEG,
            key = "max_incidence_degrees")]
    max_incidence: f64,
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
    const RAY_RESULTS: &'static [RayResult] = &[RayResult::CosIncidence];

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
        // at a right angle the sine and the cosine are rounded
        let least = math::sin_cos(self.max_incidence).1 - 1e-12;
        let echoes = rays.ranges.iter().zip(rays.result(RayResult::CosIncidence));
        let echoes = echoes.filter(|(_, cos)| **cos >= least).map(|(range, _)| *range);
        let nearest = echoes.fold(f64::INFINITY, f64::min);
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

    /// Width of the largest gap between rays, as a multiple of the angle between two rings.
    const GAP: f64 = 1.5;

    fn sonar(fov: f64, rings: usize) -> Sonar {
        let (mount, max_incidence) = (Mount::default(), std::f64::consts::FRAC_PI_2);
        let [min_range, max_range, range_std_noise, drop_out] = [0.1, 5.0, 0.0, 0.0];
        Sonar { mount, fov, rings, min_range, max_range, max_incidence, range_std_noise, drop_out }
    }

    fn directions(sonar: &Sonar) -> Vec<[f64; 3]> {
        (0..=sonar.rings)
            .flat_map(|ring| (0..(6 * ring).max(1)).map(move |place| (ring, place)))
            .map(|(ring, place)| sonar.direction(ring, place))
            .collect()
    }

    /// The diameter of the largest empty circle in the cone is twice the distance of the farthest direction from its
    /// nearest ray.
    #[test]
    fn gaps_are_as_wide_as_documented() {
        for (fov_deg, rings) in [(10.0, 1), (30.0, 4), (40.0, 7), (60.0, 10)] {
            let sonar = sonar(fov_deg * math::DEG, rings);
            let (rays, between) = (directions(&sonar), 0.5 * sonar.fov / rings as f64);
            let mut farthest: f64 = 0.0;
            for off in 0..=40 {
                for about in 0..360 {
                    let off = 0.5 * sonar.fov * f64::from(off) / 40.0;
                    let about = f64::from(about) * math::DEG;
                    let ((sin, cos), (up, left)) = (math::sin_cos(off), math::sin_cos(about));
                    let at = [cos, sin * left, sin * up];
                    let distance = |ray: &[f64; 3]| {
                        let squares = (0..3).map(|k| (ray[k] - at[k]) * (ray[k] - at[k]));
                        squares.sum::<f64>().sqrt()
                    };
                    farthest = farthest.max(rays.iter().map(distance).fold(9.0, f64::min));
                }
            }
            let gap = 2.0 * farthest / between;
            assert!((1.1..=GAP).contains(&gap), "{fov_deg}° {rings} rings: {gap}");
        }
    }

    #[test]
    fn rays_fill_the_cone() {
        let sonar = sonar(40.0 * math::DEG, 3);
        let rays = directions(&sonar);
        assert_eq!(rays.len(), sonar.rays());
        let edge = (20.0 * math::DEG).cos();
        assert!(rays.iter().all(|[x, ..]| *x >= edge - 1e-12));
        assert_eq!(rays.iter().filter(|[x, ..]| (*x - edge).abs() < 1e-12).count(), 18);
        assert_eq!(rays[0], [1.0, 0.0, 0.0]);
    }
}
