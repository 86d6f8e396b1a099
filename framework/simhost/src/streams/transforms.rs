//! Transforms between frames.

use std::f64::consts::{PI, TAU};

use simhost_engine::{Quantities, Simulation};
use simhost_scene::{Pose2, Pose3};

/// Frames and the places from which their poses are read.
pub(super) struct Transforms {
    pub frames: Vec<Place>,
}

/// Place from which the pose of a frame is read. Quantities are given by index: in a draft, among its values.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// Origin of the odometry of a vehicle in the world: the truth is where odometry says the vehicle is.
    Odometry { truth: usize, odometry: usize },
    /// A quantity.
    Pose(usize),
    /// Origin of the rays of a sensor.
    Sensor(usize),
    /// A pose that does not change: x, y, z, m; yaw, pitch, roll, rad.
    Fixed([f64; 6]),
    /// A wheel at a pose, turned by the quantities of its steering and of its rotation about the axle. Without the latter,
    /// what steers it.
    Wheel { at: [f64; 4], steer: usize, angle: Option<usize> },
    /// There is no such quantity.
    Unknown,
}

impl Transforms {
    /// Returns the transforms with the indices of quantities instead of indices of `values`.
    pub fn found(self, values: &[Option<usize>]) -> Self {
        let found = |place: Place| match place {
            Place::Odometry { truth, odometry } => values[truth]
                .zip(values[odometry])
                .map(|(truth, odometry)| Place::Odometry { truth, odometry }),
            Place::Pose(index) => values[index].map(Place::Pose),
            Place::Wheel { at, steer, angle } => match angle {
                Some(angle) => values[steer].zip(values[angle].map(Some)),
                None => values[steer].map(|steer| (steer, None)),
            }
            .map(|(steer, angle)| Place::Wheel { at, steer, angle }),
            other => Some(other),
        };
        let frames = self.frames.into_iter().map(|place| found(place).unwrap_or(Place::Unknown));
        Self { frames: frames.collect() }
    }

    /// Appends the translations of all frames, and then their rotations.
    pub fn read(&self, quantities: &Quantities, simulation: &Simulation, to: &mut Vec<f64>) {
        let start = to.len();
        let half = 3 * self.frames.len();
        to.resize(start + 2 * half, 0.0);
        // the frame of a vehicle follows that of its odometry and is the same pose
        let mut last = None;
        for (index, frame) in self.frames.iter().enumerate() {
            let pose = frame.read(quantities, simulation, to, &mut last);
            to[start + 3 * index..][..3].copy_from_slice(&pose[..3]);
            to[start + half + 3 * index..][..3].copy_from_slice(&pose[3..]);
        }
    }
}

impl Place {
    /// Returns the pose of a frame that does not change once it is known.
    pub fn mounted(self, simulation: &Simulation) -> Option<[f64; 6]> {
        match self {
            Self::Sensor(sensor) => {
                let Pose3 { x, y, z, yaw, pitch, roll } = simulation.samples().origin(sensor);
                Some([x, y, z, yaw, pitch, roll])
            }
            Self::Fixed(pose) => Some(pose),
            _ => None,
        }
    }

    /// Returns x, y, z, yaw, pitch, roll. The space behind `space` is used and left as it was. `last` is the
    /// quantity that was read last, with its value.
    fn read(
        &self,
        quantities: &Quantities,
        simulation: &Simulation,
        space: &mut Vec<f64>,
        last: &mut Option<(usize, [f64; 6])>,
    ) -> [f64; 6] {
        let mut pose = |index: usize| {
            if let Some((_, pose)) = last.filter(|(known, _)| *known == index) {
                return pose;
            }
            let start = space.len();
            quantities.read_one(index, simulation, space);
            let pose = space[start..].first_chunk().copied().unwrap_or([f64::NAN; 6]);
            space.truncate(start);
            *last = Some((index, pose));
            pose
        };
        match *self {
            Self::Odometry { truth, odometry } => {
                let truth = pose(truth);
                origin(truth, pose(odometry))
            }
            Self::Pose(index) => pose(index),
            Self::Wheel { at: [x, y, z, yaw], steer, angle } => {
                let mut angle_of = |index: usize| {
                    quantities.read_one(index, simulation, space);
                    space.pop().unwrap_or(f64::NAN)
                };
                [x, y, z, yaw + angle_of(steer), angle.map_or(0.0, angle_of), 0.0]
            }
            Self::Sensor(_) | Self::Fixed(_) | Self::Unknown => {
                self.mounted(simulation).unwrap_or([f64::NAN; 6])
            }
        }
    }
}

/// Returns the pose of the frame in which `odometry` is the pose of a vehicle that is at `truth`.
fn origin(truth: [f64; 6], odometry: [f64; 6]) -> [f64; 6] {
    if truth == odometry {
        return [0.0; 6];
    }
    if [truth[4], truth[5], odometry[4], odometry[5]] == [0.0; 4] {
        return level_origin(truth, odometry);
    }
    let pose = |[x, y, z, yaw, pitch, roll]: [f64; 6]| Pose3 { x, y, z, yaw, pitch, roll };
    let Pose3 { x, y, z, yaw, pitch, roll } = pose(truth).compose(pose(odometry).inverse());
    [x, y, z, yaw, pitch, roll]
}

/// Does the same as [`origin`] for poses without pitch and roll.
fn level_origin(truth: [f64; 6], odometry: [f64; 6]) -> [f64; 6] {
    let difference = truth[3] - odometry[3];
    let yaw = match difference {
        _ if difference > PI => difference - TAU,
        _ if difference <= -PI => difference + TAU,
        _ => difference,
    };
    let turned = Pose2 { x: 0.0, y: 0.0, yaw }.transform([odometry[0], odometry[1]]);
    [truth[0] - turned[0], truth[1] - turned[1], truth[2] - odometry[2], yaw, 0.0, 0.0]
}

#[cfg(test)]
mod tests {
    use super::origin;
    use simhost_scene::Pose3;

    #[test]
    fn odometry_in_its_frame_is_the_truth() {
        let truth = [3.0, -2.0, 0.5, 2.5, 0.1, -0.2];
        let odometry = [1.0, 4.0, 0.2, -1.0, 0.05, 0.1];
        let pose = |[x, y, z, yaw, pitch, roll]: [f64; 6]| Pose3 { x, y, z, yaw, pitch, roll };
        let found = pose(origin(truth, odometry)).compose(pose(odometry));
        let found = [found.x, found.y, found.z, found.yaw, found.pitch, found.roll];
        for (found, expected) in found.iter().zip(truth) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(origin(truth, truth), [0.0; 6]);
        // without pitch and roll
        let truth = [3.0, -2.0, 0.5, 2.5, 0.0, 0.0];
        let odometry = [1.0, 4.0, 0.2, -1.0, 0.0, 0.0];
        let found = pose(origin(truth, odometry)).compose(pose(odometry));
        let found = [found.x, found.y, found.z, found.yaw, found.pitch, found.roll];
        for (found, expected) in found.iter().zip(truth) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(origin(truth, odometry)[3], 3.5 - 2.0 * std::f64::consts::PI);
    }
}
