//! Samples and mounting positions of single sensors.

use simhost_scene::Pose3;

use super::Sensors;
use super::group::SensorGroup;

/// Returns group and lane of each of `count` sensors.
pub(super) fn places(groups: &[SensorGroup], count: usize) -> Vec<(usize, usize)> {
    let mut places = vec![(0, 0); count];
    for (number, group) in groups.iter().enumerate() {
        for (lane, member) in group.members.iter().enumerate() {
            places[member.sensor] = (number, lane);
        }
    }
    places
}

impl Sensors {
    /// Returns whether a sensor has given a sample in the last step.
    pub fn is_fresh(&self, sensor: usize) -> bool {
        self.places.get(sensor).is_some_and(|&(group, lane)| {
            let group = &self.groups[group];
            group.is_fresh() && group.has_sample(lane)
        })
    }

    /// Returns the pose of a sensor at its last sample; zeros before the first one.
    pub fn origin(&self, sensor: usize) -> Pose3 {
        let Some(&(group, lane)) = self.places.get(sensor) else { return Pose3::default() };
        self.groups[group].origin(lane)
    }
}
