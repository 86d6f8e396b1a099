//! Gravity that changes over time.

use super::vehicles::Vehicles;

impl Vehicles {
    /// Prepares [`Self::set_gravity`]. `gravity`, m/s², is that of the world file.
    pub fn expect_gravity(&mut self, gravity: f64) {
        if self.environment.dynamic_loads {
            return;
        }
        let (load, wheels) = (&self.host.own.load, self.wheels.count as f64);
        let normal_force = self.columns.get(self.host.contact.normal_force);
        let per_gravity = |(index, force): (usize, &f64)| {
            if gravity > 0.0 {
                return force / gravity;
            }
            let chassis = self.value(load.chassis, index % self.lanes.len());
            chassis / wheels + self.value(load.wheel_mass, index)
        };
        self.level_loads = normal_force.iter().enumerate().map(per_gravity).collect();
    }

    /// Sets the gravity from this step on, m/s².
    pub fn set_gravity(&mut self, gravity: f64) {
        self.environment.gravity = gravity;
        let (measured, own) = (&self.host.measured, &self.host.own);
        let (slope, pull, column) =
            ([measured.slope_ax, measured.slope_ay], own.slope_gravity, measured.gravity);
        // written in every run before it is read, although snapshots leave it out
        self.columns.get_mut(column).fill(gravity);
        for lane in 0..self.lanes.len() {
            self.set_tilt(lane, self.lanes[lane].tilt);
            if self.environment.dynamic_loads {
                let [along, across, _] = self.values(pull, lane);
                self.set_values(slope, lane, [along, across]);
            }
        }
        let contact = &self.host.contact;
        let (normal_force, normal_gravity) = (contact.normal_force, contact.gravity);
        if !self.environment.dynamic_loads {
            self.columns.get_mut(normal_gravity).fill(gravity);
            let forces = self.columns.get_mut(normal_force).iter_mut();
            forces.zip(&*self.level_loads).for_each(|(force, load)| *force = load * gravity);
        }
    }
}
