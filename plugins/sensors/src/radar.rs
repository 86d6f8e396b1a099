//! A radar: range, azimuth, radial speed and cross-section of what reflects its waves.
//!
//! Rays fill the field of view. A ray of solid angle Ω that meets a surface at the range R and the
//! angle of incidence θ stands for the projected area R²Ω. A diffuse surface of reflectivity ρ has the
//! cross-section 4ρA cos²θ for the area A (Steinvall, "Effects of target shape and reflection on laser
//! radar cross sections", Applied Optics 39, 2000, equation 10), so that a ray contributes 4ρR²Ω cos θ. A
//! sphere of radius r has 8/3 ρπr² in total.
//!
//! The received power is proportional to σ/R⁴ (Skolnik, "Introduction to Radar Systems", radar
//! equation). Contributions that the radar cannot distinguish in range, azimuth and radial speed
//! are merged into one detection at their mean weighted by power. It is reported if its power
//! reaches the power of a cross-section of 10 m² at `detection_range`. With `fluctuation`,
//! cross-sections vary from sample to sample with an exponential distribution (Swerling,
//! "Probability of detection for fluctuating targets", IRE Transactions IT-6, 1960, case 1).
//!
//! The radial speed is the speed of the hit point relative to the antenna along the ray, positive
//! for receding. Wheels have the speed of their vehicle.
//!
//! **Limit:** no waves: no mirror-like or corner reflections, several paths, side lobes, ambiguous ranges and
//! speeds, or clutter of rain. The detections of a radar that looks all around are split straight behind it. A sample distinguishes at most
//! 1024 contributions.

mod cells;

use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::carrier::{Carrier, Station, stream_of};
use crate::mounting::Mount;
use crate::objects::velocity_at;
use cells::{Cells, Echo, MOST, Resolution};

/// Number of rays that are cast at once.
const PIECE: usize = 64;
/// Largest number of rays.
const MOST_RAYS: usize = 1 << 17;
/// Cross-section to which `detection_range` belongs, m².
const REFERENCE: f64 = 10.0;
/// Number of moving objects whose velocities are kept during a sample.
const KNOWN: usize = 64;

/// A radar, which returns a list of detections, the strongest first.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Radar {
    /// Pose on the vehicle.
    #[param(flatten)]
    mount: Mount,
    /// Horizontal field of view, half of it on either side of the heading.
    #[param(default = 90.0, above = 0.0, range = ..=360.0, unit = "deg", scale = math::DEG,
            key = "horz_fov_degrees")]
    horz_fov: f64,
    /// Vertical field of view, half of it above and half below the axis.
    #[param(default = 10.0, above = 0.0, range = ..=120.0, unit = "deg", scale = math::DEG,
            key = "vert_fov_degrees")]
    vert_fov: f64,
    /// Number of rays per row. A larger value finds smaller objects and gives more exact cross-sections.
    #[param(default = 180, range = 1..=4096)]
    horz_nrays: usize,
    /// Number of rows of rays. A larger value finds lower objects and gives more exact cross-sections.
    #[param(default = 10, range = 1..=512)]
    vert_nrays: usize,
    /// Smallest range. Nearer surfaces reflect nothing, and a range with noise is not less than
    /// this value.
    #[param(default = 0.5, range = 0.0.., unit = "m")]
    min_range: f64,
    /// Largest range. Farther surfaces reflect nothing, and a range with noise does not exceed this
    /// value.
    #[param(default = 100.0, above = 0.0, unit = "m")]
    max_range: f64,
    /// Range at which a cross-section of 10 m² is just detected. A larger value finds weaker objects.
    #[param(default = 150.0, above = 0.0, unit = "m")]
    detection_range: f64,
    /// Share of the power that surfaces reflect diffusely. A larger value makes everything stronger.
    #[param(default = 0.5, above = 0.0, range = ..=1.0)]
    reflectivity: f64,
    /// Whether cross-sections fluctuate from sample to sample.
    #[param(default = false)]
    fluctuation: bool,
    /// Whether the ground, terrain and horizontal planes reflect.
    #[param(default = false)]
    ground: bool,
    /// Largest number of detections.
    #[param(default = 32, range = 1..=256)]
    max_detections: usize,
    /// Smallest difference between two distinguishable ranges.
    #[param(default = 0.5, above = 0.0, unit = "m")]
    range_resolution: f64,
    /// Smallest difference between two distinguishable azimuths.
    #[param(default = 3.0, above = 0.0, range = ..=360.0, unit = "deg", scale = math::DEG,
            key = "azimuth_resolution_deg")]
    azimuth_resolution: f64,
    /// Smallest difference between two distinguishable radial speeds.
    #[param(default = 0.3, above = 0.0, unit = "m/s")]
    speed_resolution: f64,
    /// Standard deviation of the noise on a range.
    #[param(default = 0.1, range = 0.0.., unit = "m")]
    range_std_noise: f64,
    /// Standard deviation of the noise on an azimuth.
    #[param(default = 0.3, range = 0.0..=10.0, unit = "deg", scale = math::DEG,
            key = "azimuth_std_noise_deg")]
    azimuth_std_noise: f64,
    /// Standard deviation of the noise on a radial speed.
    #[param(default = 0.1, range = 0.0.., unit = "m/s")]
    speed_std_noise: f64,
    /// Probability that a detection is missing.
    #[param(default = 0.0, range = 0.0..=1.0)]
    drop_out: f64,
}

/// The detections as a whole.
#[derive(Debug, PartialEq, Ports)]
pub struct Scan {
    /// Number of detections.
    #[port(unit = "1")]
    count: f64,
}

/// Readings of a detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, RayPorts)]
pub enum Detection {
    /// Distance, 0 where there is no detection.
    #[port(unit = "m")]
    Range,
    /// Azimuth, counter-clockwise from the heading of the sensor.
    #[port(unit = "rad")]
    Azimuth,
    /// Speed along the line of sight, positive for receding.
    #[port(unit = "m/s")]
    RadialSpeed,
    /// Radar cross-section.
    #[port(unit = "m²")]
    CrossSection,
    /// Number of the entity with most of the power, -1 for none.
    #[port(unit = "1")]
    Entity,
    /// 1 for a detection, 0 for none.
    #[port(unit = "1")]
    Valid,
}

#[model]
impl Sensor for Radar {
    const PERCEIVES: bool = true;
    const SPATIAL: bool = true;

    fn prepare(&mut self) -> Result<(), String> {
        let (nearest, reach) = (self.min_range, self.max_range);
        if nearest >= reach {
            return Err(format!(
                "min_range is {nearest} m, expected less than max_range, {reach} m"
            ));
        }
        let rays = self.horz_nrays * self.vert_nrays;
        match rays > MOST_RAYS {
            true => Err(format!(
                "horz_nrays {} and vert_nrays {} make {rays} rays, expected at most {MOST_RAYS}",
                self.horz_nrays, self.vert_nrays
            )),
            false => Ok(()),
        }
    }

    /// Returns the largest number of detections. A detection has a value of every reading.
    fn rays(&self) -> usize {
        self.max_detections
    }

    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        // the rays of the field of view are cast in `read`
        self.mount.mounting().aim_without_rays(aim);
    }

    fn read(
        &self,
        at: &Carrier,
        rays: &mut RayReadings<Detection>,
        random: &mut Random,
        step: &Step,
        _: &mut (),
    ) -> Scan {
        let station = at.station(&self.mount.mounting());
        let mut cells = Cells::new(Resolution {
            range: self.range_resolution,
            azimuth: self.azimuth_resolution,
            speed: self.speed_resolution,
        });
        self.illuminate(&station, step, &mut cells);
        let mut echoes = [Echo::NONE; MOST];
        let found = cells.detect(&mut echoes);
        for reading in Detection::ALL {
            let is_entity = *reading == Detection::Entity;
            rays.column(*reading).fill(if is_entity { -1.0 } else { 0.0 });
        }
        let (key, mut count) = (random.bits(), 0);
        for (number, echo) in found.iter().enumerate() {
            if count == self.max_detections {
                break;
            }
            let Some(detection) = self.measure(echo, &mut stream_of(key, number as u64)) else {
                continue;
            };
            rays.set_all(count, detection);
            count += 1;
        }
        Scan { count: count as f64 }
    }
}

impl Radar {
    /// Casts all rays, and adds what they contribute.
    fn illuminate(&self, station: &Station, step: &Step, cells: &mut Cells) {
        let mask = if self.ground { entity::ALL } else { entity::ALL & !entity::GROUND };
        let mut known = Velocities { found: [(0, Neighbour::NONE); KNOWN], count: 0 };
        let [wide, high] =
            [self.horz_fov / self.horz_nrays as f64, self.vert_fov / self.vert_nrays as f64];
        let total = self.horz_nrays * self.vert_nrays;
        let mut rays = [Ray::new([0.0; 3], [0.0; 3]); PIECE];
        let mut hits = [RayHit::NOTHING; PIECE];
        let mut angles = [[0.0; 2]; PIECE];
        for first in (0..total).step_by(PIECE) {
            let count = PIECE.min(total - first);
            for (k, (ray, angles)) in rays[..count].iter_mut().zip(&mut angles).enumerate() {
                let (row, column) = ((first + k) / self.horz_nrays, (first + k) % self.horz_nrays);
                let azimuth = wide * (column as f64 + 0.5) - 0.5 * self.horz_fov;
                let elevation = high * (row as f64 + 0.5) - 0.5 * self.vert_fov;
                let ((sin, cos), (up, level)) = (math::sin_cos(azimuth), math::sin_cos(elevation));
                let direction = station.rotation.apply(Vec3::new(level * cos, level * sin, up));
                *ray = Ray::new(station.position.into(), direction.into())
                    .up_to(self.max_range)
                    .of(mask);
                *angles = [azimuth, level * wide * high];
            }
            step.rays(&rays[..count], &mut hits[..count]);
            for ((ray, hit), [azimuth, solid]) in rays.iter().zip(&hits[..count]).zip(angles) {
                if hit.is_hit() && hit.range >= self.min_range {
                    let moving = known.of(hit, step);
                    cells.add(self.echo(station, ray, hit, azimuth, solid, moving));
                }
            }
        }
    }

    /// Returns the contribution of a ray of a solid angle, sr, that has met something which moves.
    fn echo(
        &self,
        station: &Station,
        ray: &Ray,
        hit: &RayHit,
        azimuth: f64,
        solid: f64,
        [vx, vy]: [f64; 2],
    ) -> Echo {
        let along = |v: [f64; 3]| (0..3).map(|axis| v[axis] * ray.direction[axis]).sum::<f64>();
        let speed = along([vx, vy, 0.0]) - along(station.velocity.into());
        let cos = (-along(hit.normal)).clamp(0.0, 1.0);
        let cross_section = 4.0 * self.reflectivity * hit.range * hit.range * solid * cos;
        Echo { range: hit.range, azimuth, speed, cross_section, entity: hit.entity }
    }

    /// Returns the readings of a detection with its errors, or `None` if it is too weak or missing.
    fn measure(&self, echo: &Echo, random: &mut Random) -> Option<[(Detection, f64); 6]> {
        let [range, azimuth, speed] = [(); 3].map(|()| random.normal());
        let (chance, strength) = (random.uniform(), random.uniform());
        let factor = if self.fluctuation { -math::ln(1.0 - strength) } else { 1.0 };
        let cross_section = echo.cross_section * factor;
        let power = cross_section * (self.detection_range / echo.range).powi(4);
        let measured = echo.range + self.range_std_noise * range;
        (power >= REFERENCE && chance >= self.drop_out).then(|| {
            [
                (Detection::Range, measured.clamp(self.min_range, self.max_range)),
                (Detection::Azimuth, echo.azimuth + self.azimuth_std_noise * azimuth),
                (Detection::RadialSpeed, echo.speed + self.speed_std_noise * speed),
                (Detection::CrossSection, cross_section),
                (Detection::Entity, f64::from(echo.entity)),
                (Detection::Valid, 1.0),
            ]
        })
    }
}

/// Velocities of the objects of a sample.
struct Velocities {
    found: [(u32, Neighbour); KNOWN],
    count: usize,
}

impl Velocities {
    /// Returns the level velocity of the point that a ray has met, m/s, world frame.
    fn of(&mut self, hit: &RayHit, step: &Step) -> [f64; 2] {
        if hit.kind & (entity::VEHICLE | entity::BLOCK | entity::ACTOR) == 0 {
            return [0.0; 2];
        }
        let known = self.found[..self.count].iter().find(|(number, _)| *number == hit.entity);
        let object = known.map(|(_, object)| *object).unwrap_or_else(|| {
            let object = look_up(hit, step);
            if self.count < KNOWN {
                self.found[self.count] = (hit.entity, object);
                self.count += 1;
            }
            object
        });
        velocity_at(&object, hit.point)
    }
}

/// Returns the object that a ray has met: it is among the nearest ones of the point.
fn look_up(hit: &RayHit, step: &Step) -> Neighbour {
    let mut buffer = [Neighbour::NONE; 32];
    let query = NeighbourQuery::new([hit.point[0], hit.point[1]], 100.0).of(hit.kind);
    let found = step.neighbours(&query, &mut buffer);
    let object = found.nearest.iter().find(|one| one.entity == hit.entity);
    object.copied().unwrap_or(Neighbour::NONE)
}
