//! Between the ground and the wheels: height, pitch, roll, and what the ground is made of.

use simhost_scene::Pose3;

use super::Table;
use crate::ground::{Ground, attitude};
use crate::physics::Physics;

impl Table {
    /// Pose of a vehicle in space.
    pub fn pose3(&self, lane: usize) -> Pose3 {
        let at = |column| self.columns.get(column)[lane];
        let [z, pitch, roll] = self.lanes[lane].attitude;
        Pose3 { x: at(self.host.x), y: at(self.host.y), z, yaw: at(self.host.yaw), pitch, roll }
    }

    /// Sets every vehicle on the ground below it.
    pub fn follow_ground(&mut self, ground: &Ground, physics: &mut Physics) {
        let mut leans = false;
        for lane in 0..self.lanes.len() {
            let pose = self.pose3(lane);
            let owner = &self.lanes[lane];
            let patch = ground.near([pose.x, pose.y], owner.footing_radius);
            if patch.is_level() && owner.attitude == [0.0; 3] {
                continue;
            }
            let pose = attitude(&patch, &owner.footing, pose);
            physics.set_height(owner.body, pose.z);
            self.lanes[lane].attitude = [pose.z, pose.pitch, pose.roll];
            self.lean(lane, physics);
            leans = true;
        }
        if leans && self.around.acts {
            self.read_back(physics);
        }
    }

    /// Sets a vehicle on the ground before the first step: no ground above `ceiling` counts, m.
    pub fn place_on_ground(&mut self, lane: usize, ceiling: f64, ground: &Ground) {
        let pose = self.pose3(lane);
        let patch = ground.near([pose.x, pose.y], self.lanes[lane].footing_radius);
        self.lanes[lane].attitude[0] = patch.height(pose.x, pose.y, ceiling);
    }

    /// Tells every wheel the friction of the place it stands on; regions are asked at the wheel's
    /// height, or at 0.
    pub fn ask_regions(&mut self, ground: &Ground, at_zero: bool) {
        let overrides =
            [("friction_mu", self.host.mu_override), ("friction_C_rr", self.host.c_rr_override)];
        for (property, column) in overrides {
            let Some(column) = column else { continue };
            let count = self.lanes.len();
            for index in 0..count * self.wheels {
                let place =
                    [self.host.wheel_x, self.host.wheel_y].map(|c| self.columns.get(c)[index]);
                let [x, y, z] = self.pose3(index % count).transform([place[0], place[1], 0.0]);
                let height = if at_zero { 0.0 } else { z };
                let value = ground.property(property, [x, y, height]).unwrap_or(-1.0);
                self.columns.get_mut(column)[index] = value;
            }
        }
    }
}
