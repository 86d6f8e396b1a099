//! A tag of ultra-wideband ranging.
//!
//! The tag measures its distance to each anchor, whose positions in the world are parameters. White noise is added to a
//! distance. Where something blocks the line of sight, the first path is late: an exponentially distributed
//! excess is added (Chen, "A non-line-of-sight error mitigation algorithm in location estimation", WCNC 1999), and
//! a range is missing more often.
//!
//! **Limit:** anchors do not move; clocks, multipath in the line of sight, and the directions of the antennas are
//! left out. Whatever blocks the line of sight delays it equally.

use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::carrier::{Carrier, stream_of};
use crate::mounting::Mount;

/// Largest number of anchors.
const MOST_ANCHORS: usize = 256;
/// Distance from an anchor at which its own mast does not block it any more, m.
const CLEARANCE: f64 = 0.05;

/// A tag of ultra-wideband ranging: distances to anchors.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Uwb {
    /// Pose on the vehicle.
    #[param(flatten)]
    mount: Mount,
    /// An anchor. Its readings have its position in the list.
    #[param(required)]
    anchor: Vec<Anchor>,
    /// Largest distance at which an anchor answers, and largest reading.
    #[param(default = 50.0, above = 0.0, unit = "m")]
    max_range: f64,
    /// Standard deviation of the white noise on a range.
    #[param(default = 0.05, range = 0.0.., unit = "m")]
    range_std_noise: f64,
    /// Mean of the excess of a range whose line of sight is blocked.
    #[param(default = 0.4, range = 0.0.., unit = "m")]
    nlos_bias: f64,
    /// Probability that an anchor does not answer.
    #[param(default = 0.0, range = 0.0..=1.0)]
    drop_out: f64,
    /// Probability that an anchor with a blocked line of sight does not answer.
    #[param(default = 0.2, range = 0.0..=1.0)]
    nlos_drop_out: f64,
}

/// Position of an anchor.
#[derive(Clone, Copy, Debug, Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Anchor {
    /// Position, world frame.
    #[param(required, unit = "m")]
    x: f64,
    /// Position, world frame.
    #[param(required, unit = "m")]
    y: f64,
    /// Height, world frame.
    #[param(required, unit = "m")]
    z: f64,
}

/// The anchors together.
#[derive(Debug, PartialEq, Ports)]
pub struct Answers {
    /// Number of anchors that have answered.
    #[port(unit = "1")]
    count: f64,
}

/// Readings of an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, RayPorts)]
pub enum Ranging {
    /// Distance to the anchor, 0 without an answer.
    #[port(unit = "m")]
    Range,
    /// 1 if the anchor has answered, 0 if not.
    #[port(unit = "1")]
    Valid,
    /// 1 if nothing is between tag and anchor, 0 otherwise.
    #[port(unit = "1")]
    LineOfSight,
}

#[model]
impl Sensor for Uwb {
    const PERCEIVES: bool = true;
    const SPATIAL: bool = true;

    fn prepare(&mut self) -> Result<(), String> {
        match self.anchor.len() {
            1..=MOST_ANCHORS => Ok(()),
            count => Err(format!("found {count} anchors, expected 1 to {MOST_ANCHORS}")),
        }
    }

    /// Returns the number of anchors. An anchor has a value of every reading.
    fn rays(&self) -> usize {
        self.anchor.len()
    }

    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        self.mount.mounting().aim_level(aim);
        // no ray is cast
        aim.max_range = 0.0;
        aim.angles.fill(0.0);
    }

    fn read(
        &self,
        at: &Carrier,
        rays: &mut RayReadings<Ranging>,
        random: &mut Random,
        step: &Step,
        _: &mut (),
    ) -> Answers {
        let tag = at.station(&self.mount.mounting());
        let key = random.bits();
        let mut count = 0;
        for (number, Anchor { x, y, z }) in self.anchor.iter().enumerate() {
            let anchor = Vec3::new(*x, *y, *z);
            let distance = (anchor - tag.position).length();
            let is_clear = !step.ray(&tag.ray_to(anchor, CLEARANCE)).is_hit();
            let mut random = stream_of(key, number as u64);
            let measured = self.measure(distance, is_clear, &mut random);
            count += i32::from(measured.is_some());
            rays.set(Ranging::Range, number, measured.unwrap_or(0.0));
            rays.set(Ranging::Valid, number, if measured.is_some() { 1.0 } else { 0.0 });
            rays.set(Ranging::LineOfSight, number, if is_clear { 1.0 } else { 0.0 });
        }
        Answers { count: f64::from(count) }
    }
}

impl Uwb {
    /// Returns the measured distance, m, or `None` if the anchor does not answer.
    fn measure(&self, distance: f64, is_clear: bool, random: &mut Random) -> Option<f64> {
        // all numbers are drawn, so that the errors do not depend on the line of sight
        let (noise, chance, excess) = (random.normal(), random.uniform(), random.uniform());
        let drop_out = if is_clear { self.drop_out } else { self.nlos_drop_out };
        if distance > self.max_range || chance < drop_out {
            return None;
        }
        let late = if is_clear { 0.0 } else { -self.nlos_bias * math::ln(1.0 - excess) };
        Some((distance + self.range_std_noise * noise + late).clamp(0.0, self.max_range))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_distributions() {
        let uwb = Uwb {
            mount: Mount::default(),
            anchor: vec![],
            max_range: 50.0,
            range_std_noise: 0.1,
            nlos_bias: 0.5,
            drop_out: 0.1,
            nlos_drop_out: 0.4,
        };
        for (is_clear, mean, variance, share) in [(true, 0.0, 0.01, 0.9), (false, 0.5, 0.26, 0.6)] {
            let measured: Vec<f64> = (0..40_000)
                .filter_map(|number| uwb.measure(20.0, is_clear, &mut stream_of(9, number)))
                .map(|range| range - 20.0)
                .collect();
            let count = measured.len() as f64;
            let found = measured.iter().sum::<f64>() / count;
            let spread = measured.iter().map(|one| (one - found).powi(2)).sum::<f64>() / count;
            assert!((count / 4e4 - share).abs() < 0.01, "{count}");
            assert!((found - mean).abs() < 0.01, "{found}");
            assert!((spread / variance - 1.0).abs() < 0.05, "{spread}");
        }
        assert_eq!(uwb.measure(50.1, true, &mut Random::new(1)), None);
    }
}
