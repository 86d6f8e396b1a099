//! Vehicles on the ground: height, pitch, roll, and the friction of the place of each wheel.

use super::vehicles::Vehicles;
use crate::ground::{Ground, attitude};
use crate::physics::Physics;

impl Vehicles {
    /// Places every vehicle on the ground below it.
    pub fn follow_ground(&mut self, ground: &Ground, physics: &mut Physics) {
        let mut tilts = false;
        for lane in 0..self.lanes.len() {
            let pose = self.pose3(lane);
            let (owner, attitude_columns) = (&self.lanes[lane], self.host.own.attitude);
            let patch = ground.near([pose.x, pose.y], owner.contacts.footing_radius);
            if patch.is_level() && self.values(attitude_columns, lane) == [0.0; 3] {
                continue;
            }
            let pose = attitude(&patch, &owner.contacts.footing, pose);
            physics.set_height(owner.body, pose.z);
            self.set_values(attitude_columns, lane, [pose.z, pose.pitch, pose.roll]);
            self.tilt_with_ground(lane, physics);
            tilts = true;
        }
        if tilts && self.environment.dynamic_loads {
            self.read_bodies(physics.bodies(&self.bodies));
        }
    }

    /// Places a vehicle on the highest ground below `ceiling`, m, before the first step.
    pub fn place_on_ground(&mut self, lane: usize, ceiling: f64, ground: &Ground) {
        let pose = self.pose3(lane);
        let patch = ground.near([pose.x, pose.y], self.lanes[lane].contacts.footing_radius);
        let height = patch.height(pose.x, pose.y, ceiling);
        self.columns.get_mut(self.host.own.attitude[0])[lane] = height;
    }

    /// Sets friction and rolling resistance of the ground for every wheel, −1 outside all regions.
    /// Regions are queried at the height of the wheel, or at 0 if `at_zero` is true.
    pub fn update_ground_properties(&mut self, ground: &Ground, at_zero: bool) {
        let contact = &self.host.contact;
        let inputs =
            [("friction_mu", contact.mu_override), ("friction_C_rr", contact.c_rr_override)];
        for (property, column) in inputs {
            if !ground.has_property(property) {
                continue;
            }
            let count = self.lanes.len();
            let measured = &self.host.measured;
            for index in 0..count * self.wheels.count {
                let at = [measured.wheel_x, measured.wheel_y].map(|c| self.value(c, index));
                let [x, y, z] = self.pose3(index % count).transform([at[0], at[1], 0.0]);
                let height = if at_zero { 0.0 } else { z };
                let value = ground.property(property, [x, y, height]).unwrap_or(-1.0);
                self.columns.get_mut(column)[index] = value;
            }
        }
    }
}
