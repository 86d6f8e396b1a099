//! A bumper: contact switches around the vehicle.
//!
//! The contacts come from the solver in the last step: a sector is pressed if a point of contact
//! lies in it, seen from the mounting pose; only x, y and yaw of the pose have an effect. Its force
//! is the sum of the normal forces of its points. The force comes from the solver: the mean over
//! the step of the simulation in which the contact acted.
//!
//! **Limit:** a contact that begins and ends between two samples is missed, so that a short period is
//! needed to see every collision. Contacts of wheels with steps in the ground, and the ropes and
//! bars of trailers, press nothing. A vehicle whose velocity is imposed, as with `twist_ideal`, touches
//! without a force.

use std::f64::consts::TAU;

use simhost_sdk::ports::PlanarPose;
use simhost_sdk::prelude::*;
use simhost_sdk::vectors::Vec3;

use crate::mounting::{Mount, Mounting};

/// Largest number of points of contact of a sample.
const POINTS: usize = 64;

/// A bumper: which sides of the vehicle touch something, and the forces.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
pub struct Bumper {
    /// Pose of the centre of the sectors on the vehicle.
    #[param(flatten)]
    mount: Mount,
    /// Number of sectors of equal angles, from right to left. A larger value locates contacts more
    /// exactly.
    #[param(default = 8, range = 1..=360)]
    sectors: usize,
    /// Angle that the sectors cover, half of it on either side of the heading. Contacts elsewhere
    /// press no sector.
    #[param(default = 360.0, above = 0.0, range = ..=360.0, unit = "deg", scale = math::DEG,
            key = "fov_degrees")]
    fov: f64,
    /// Smallest normal force that presses a sector. With 0, any contact presses it.
    #[param(default = 0.0, range = 0.0.., unit = "N", scaling = Scaling::FORCE)]
    threshold: f64,
}

/// All sectors together.
#[derive(Debug, PartialEq, Ports)]
pub struct Whole {
    /// 1 if a sector is pressed, 0 if none is.
    #[port(unit = "1")]
    any: f64,
    /// Number of points of contact in the sectors.
    #[port(unit = "1")]
    contacts: f64,
}

impl Bumper {
    /// Returns the sector of a direction from the centre in the frame of the sensor.
    fn sector(&self, [x, y]: [f64; 2]) -> Option<usize> {
        let part = (math::atan2(y, x) + 0.5 * self.fov) / self.fov;
        let is_round = self.fov >= TAU * (1.0 - 1e-12);
        let part = if is_round { part.rem_euclid(1.0) } else { part };
        let count = self.sectors as f64;
        (0.0..=1.0).contains(&part).then(|| ((part * count) as usize).min(self.sectors - 1))
    }
}

/// Readings of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, RayPorts)]
pub enum Sector {
    /// 1 if something touches the vehicle in the sector, 0 if nothing.
    #[port(unit = "1")]
    Pressed,
    /// Sum of the normal forces in the sector.
    #[port(unit = "N")]
    Force,
}

#[model]
impl Sensor for Bumper {
    const PERCEIVES: bool = true;
    const SPATIAL: bool = true;

    /// Returns the number of sectors. A sector has a value of every reading.
    fn rays(&self) -> usize {
        self.sectors
    }

    fn aim(&self, aim: &mut Aim, _: &mut Random) {
        self.mount.mounting().aim_level(aim);
        // no ray is cast
        aim.max_range = 0.0;
        let middle = 0.5 * (self.sectors as f64 - 1.0);
        for (sector, angle) in aim.angles.iter_mut().enumerate() {
            *angle = self.fov * (sector as f64 - middle) / self.sectors as f64;
        }
    }

    fn read(
        &self,
        at: &PlanarPose,
        rays: &mut RayReadings<Sector>,
        _: &mut Random,
        step: &Step,
        _: &mut (),
    ) -> Whole {
        let Mounting { position: Vec3 { x, y, .. }, yaw, .. } = self.mount.mounting();
        let (sin, cos) = math::sin_cos(at.yaw);
        let centre = [at.x + cos * x - sin * y, at.y + sin * x + cos * y];
        let (sin, cos) = math::sin_cos(at.yaw + yaw);
        rays.column(Sector::Pressed).fill(0.0);
        rays.column(Sector::Force).fill(0.0);
        let mut count = 0;
        for contact in step.contacts(&mut [Contact::NONE; POINTS]) {
            let [x, y] = [0, 1].map(|axis| contact.point[axis] - centre[axis]);
            let Some(sector) = self.sector([cos * x + sin * y, cos * y - sin * x]) else {
                continue;
            };
            rays.column(Sector::Pressed)[sector] = 1.0;
            rays.column(Sector::Force)[sector] += contact.force;
            count += 1;
        }
        let mut any = 0.0f64;
        for sector in 0..self.sectors {
            if rays.column(Sector::Force)[sector] < self.threshold {
                rays.column(Sector::Pressed)[sector] = 0.0;
            }
            any = any.max(rays.column(Sector::Pressed)[sector]);
        }
        Whole { any, contacts: f64::from(count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bumper(sectors: usize, fov: f64) -> Bumper {
        let fov = fov * math::DEG;
        Bumper { mount: Mount::default(), sectors, fov, threshold: 0.0 }
    }

    #[test]
    fn sectors_run_from_right_to_left() {
        let round = bumper(4, 360.0);
        let at = |degrees: f64| {
            let (sin, cos) = math::sin_cos(degrees * math::DEG);
            [cos, sin]
        };
        assert_eq!(
            [-135.0, -45.0, 45.0, 135.0].map(|angle| round.sector(at(angle))),
            [0, 1, 2, 3].map(Some)
        );
        let front = bumper(3, 90.0);
        assert_eq!(
            [-50.0, -40.0, 0.0, 40.0, 50.0, 180.0].map(|angle| front.sector(at(angle))),
            [None, Some(0), Some(1), Some(2), None, None]
        );
        assert_eq!(round.sector([-1.0, 0.0]), Some(0), "the angle π is that of −π");
    }
}
