//! Which sensors an engine casts, and how.

use simhost_abi::NO_ENTITY;
use simhost_sensing::Tessellation;

use super::patterns::Patterns;
use crate::scan_engine::ScanPose;
use crate::sensors::spatial::Request;
use crate::surroundings::Surroundings;

/// Smallest number of rays from one pose that are cast by an engine, if there are several poses.
const RAYS_PER_POSE: usize = 8;

/// What casts the rays of a sensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Not known before its first sample.
    Unknown,
    /// The CPU, for this reason.
    Cpu(&'static str),
    /// The engine, with these patterns for the poses.
    Engine(Vec<usize>),
}

impl Use {
    /// Returns the reason why the CPU casts the rays, or `None` if the engine does.
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Unknown => Some("it has given no sample"),
            Self::Cpu(reason) => Some(reason),
            Self::Engine(_) => None,
        }
    }

    /// Decides what casts the rays of a sample with these directions.
    pub fn follow(&mut self, job: &Job, directions: &[[f64; 3]], patterns: &mut Patterns) {
        let Request { poses, group, see_own, see_bodies, own, is_new, .. } = &job.request;
        let count = job.request.all_poses().len();
        if let Self::Engine(known) = self {
            if !is_new && known.len() == count {
                return;
            }
            *self = Self::Cpu("its directions change from sample to sample");
        } else if !poses.is_empty() && *group < RAYS_PER_POSE {
            *self = Self::Cpu("few of its rays share a pose");
        } else if *see_own && !see_bodies && *own != NO_ENTITY {
            *self = Self::Cpu("it sees its own vehicle and no other bodies");
        } else {
            let group = directions.chunks((*group).max(1));
            *self = Self::Engine(group.map(|group| patterns.number_of(group)).collect());
        }
    }
}

/// The rays of one sensor.
pub(super) struct Job {
    /// Index of the group, and lane of the sensor in it.
    pub group: usize,
    pub lane: usize,
    pub request: Request,
}

impl Job {
    /// Returns the height above and below 0 up to which the rays reach, m.
    pub fn reach(&self) -> f64 {
        let poses = self.request.all_poses().iter();
        poses.map(|pose| pose.z.abs()).fold(0.0, f64::max) + self.request.max_range
    }

    /// Returns whether the rays meet the same in the scene of the engine.
    pub fn is_covered(&self, scene: &Tessellation, surroundings: &Surroundings) -> bool {
        let mut poses = self.request.all_poses().iter().map(|pose| pose.position());
        poses.all(|position| scene.covers(surroundings.space(), position, self.request.max_range))
    }

    /// Adds the sensors of the engine that cast the rays.
    pub fn add_to(&self, patterns: &[usize], list: &mut Vec<ScanPose>) {
        let Request { own, see_own, max_range, .. } = self.request;
        let ignored = (own != NO_ENTITY && !see_own).then_some(own);
        let poses = self.request.all_poses().iter().zip(patterns);
        list.extend(poses.map(|(pose, pattern)| ScanPose {
            pattern: *pattern,
            position: pose.position(),
            rotation: pose.rotation(),
            max_range,
            ignored,
        }));
    }
}
