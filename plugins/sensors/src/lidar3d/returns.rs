//! Returns of beams with a width.
//!
//! Five rays of equal solid angle make a beam. Rays that meet surfaces less than `return_separation` apart
//! give one return: its range is their mean weighted by intensity, and its intensity the share of the beam. The
//! first return is the strongest one. With `dual_return`, the second one is the last or, if that is the
//! strongest, the second strongest, as data sheets of lidars define it.
//!
//! Of the rays of a beam, the first has the first return, and the second has the second one; the others are not
//! valid.

use simhost_sdk::prelude::*;

use super::{Lidar3d, Point};

/// Largest number of rays of a beam.
const PARTS: usize = 5;

/// A return of a beam.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Return {
    /// Distance, m.
    pub range: f64,
    /// Intensity, the share of the beam included.
    pub intensity: f64,
    /// Ray with the greatest intensity.
    ray: usize,
}

/// Returns the strongest return of a beam and the second one, given range, m, and intensity of its rays.
pub(super) fn returns(rays: &[[f64; 2]], separation: f64) -> [Option<Return>; 2] {
    let mut order: [usize; PARTS] = std::array::from_fn(|k| k);
    let order = &mut order[..rays.len()];
    order.sort_unstable_by(|a, b| rays[*a][0].total_cmp(&rays[*b][0]).then(a.cmp(b)));
    let mut found = [Return::default(); PARTS];
    let mut count = 0;
    let (mut last, mut weights) = (f64::NEG_INFINITY, 0.0);
    let mut strongest_ray = 0.0;
    for &ray in order.iter().filter(|ray| rays[**ray][0].is_finite()) {
        let [range, intensity] = rays[ray];
        if count == 0 || range - last >= separation {
            found[count] = Return { ray, ..Return::default() };
            (count, weights, strongest_ray) = (count + 1, 0.0, intensity);
        }
        let one = &mut found[count - 1];
        if intensity > strongest_ray {
            (one.ray, strongest_ray) = (ray, intensity);
        }
        // surfaces without intensity count, too
        let weight = intensity.max(1e-9);
        weights += weight;
        one.range += weight / weights * (range - one.range);
        one.intensity += intensity / rays.len() as f64;
        last = range;
    }
    let found = &found[..count];
    let strongest_of = |skipped: Option<usize>| {
        let places = (0..found.len()).filter(|place| Some(*place) != skipped);
        places.max_by(|a, b| found[*a].intensity.total_cmp(&found[*b].intensity).then(b.cmp(a)))
    };
    let Some(first) = strongest_of(None) else { return [None; 2] };
    let second = if first + 1 < count { Some(count - 1) } else { strongest_of(Some(first)) };
    [Some(found[first]), second.map(|place| found[place])]
}

impl Lidar3d {
    /// Turns all rays of a beam by the same random angles.
    pub(super) fn turn_beams(&self, aim: &mut Aim, random: &mut Random) {
        for beam in 0..self.pattern.beams() {
            let [aside, above] = [(); 2].map(|()| self.angle_std_noise * random.normal());
            for part in 0..self.pattern.parts() {
                let ray = self.pattern.ray(beam, part);
                aim.angles[ray] += aside;
                aim.elevations[ray] += above;
            }
        }
    }

    /// Sets the readings of beams with a width. Each beam draws the same random numbers.
    pub(super) fn read_beams(&self, rays: &mut RayReadings<Point>, random: &mut Random) {
        for reading in Point::ALL {
            rays.column(*reading).fill(if *reading == Point::Entity { -1.0 } else { 0.0 });
        }
        let ranges = rays.ranges;
        let reflectivities = rays.result(RayResult::Reflectivity);
        let cosines = rays.result(RayResult::CosIncidence);
        let (entities, classes) = (rays.result(RayResult::Entity), rays.result(RayResult::Class));
        let parts = self.pattern.parts();
        for beam in 0..self.pattern.beams() {
            let mut all = [[0.0; 2]; PARTS];
            for (part, one) in all[..parts].iter_mut().enumerate() {
                let ray = self.pattern.ray(beam, part);
                *one = [ranges[ray], reflectivities[ray] * cosines[ray]];
            }
            let found = returns(&all[..parts], self.return_separation);
            let count = if self.dual_return { 2 } else { 1 };
            for (slot, found) in found.into_iter().enumerate() {
                let (noise, chance) = (random.normal(), random.uniform());
                let Some(found) = found.filter(|_| slot < count) else { continue };
                let range = found.range + self.range_std_noise * noise;
                let is_lost = chance < self.dropout_probability;
                if is_lost || !(self.min_range..=self.max_range).contains(&range) {
                    continue;
                }
                let (ray, from) = (self.pattern.ray(beam, slot), self.pattern.ray(beam, found.ray));
                let [x, y, z] = self.pattern.direction(ray).map(|part| range * part);
                let intensity = if self.generate_intensity { found.intensity } else { 1.0 };
                let (entity, class) = (entities[from], classes[from]);
                rays.set_all(
                    ray,
                    [
                        (Point::X, x),
                        (Point::Y, y),
                        (Point::Z, z),
                        (Point::Range, range),
                        (Point::Intensity, intensity),
                        (Point::Entity, entity),
                        (Point::Class, class),
                        (Point::Valid, slot as f64 + 1.0),
                    ],
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_and_the_last_return_are_given() {
        let near = [10.0, 0.5];
        for (rays, expected) in [
            (vec![near; 5], [Some((10.0, 0.5)), None]),
            // three rays on the near surface, two on the far one
            (
                vec![near, [10.1, 0.5], near, [15.0, 0.5], [15.0, 0.5]],
                [Some((10.0 + 0.1 / 3.0, 0.3)), Some((15.0, 0.2))],
            ),
            // the last one is the strongest
            (
                vec![near, [30.0, 0.9], [30.0, 0.9], [20.0, 0.6], [30.0, 0.9]],
                [Some((30.0, 0.54)), Some((20.0, 0.12))],
            ),
            (vec![[f64::INFINITY, 0.0], near], [Some((10.0, 0.25)), None]),
            (vec![[f64::INFINITY, 0.0]; 5], [None, None]),
        ] {
            let found = returns(&rays, 1.0);
            for (found, expected) in found.iter().zip(expected) {
                let found = found.map(|one| (one.range, one.intensity));
                let is_near = match (found, expected) {
                    (Some(a), Some(b)) => (a.0 - b.0).abs() < 1e-9 && (a.1 - b.1).abs() < 1e-9,
                    (a, b) => a == b,
                };
                assert!(is_near, "{found:?}, expected {expected:?}");
            }
        }
    }
}
