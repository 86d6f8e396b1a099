//! Gravity that changes over time.

use super::step::Table;

impl Table {
    /// Prepares [`Self::set_gravity`]. `gravity`, m/s², is that of the world file.
    pub fn expect_gravity(&mut self, gravity: f64) {
        let vehicles = &self.vehicles;
        if vehicles.environment.dynamic_loads {
            return;
        }
        let (load, wheels) = (&vehicles.host.own.load, vehicles.wheels.count as f64);
        let normal_force = vehicles.columns.get(vehicles.host.contact.normal_force);
        let per_gravity = |(index, force): (usize, &f64)| {
            if gravity > 0.0 {
                return force / gravity;
            }
            let chassis = vehicles.value(load.chassis, index % vehicles.lanes.len());
            chassis / wheels + vehicles.value(load.wheel_mass, index)
        };
        self.level_loads = normal_force.iter().enumerate().map(per_gravity).collect();
    }

    /// Sets the gravity from this step on, m/s².
    pub fn set_gravity(&mut self, gravity: f64) {
        let vehicles = &mut self.vehicles;
        vehicles.environment.gravity = gravity;
        let (measured, own) = (&vehicles.host.measured, &vehicles.host.own);
        let (slope, pull, column) =
            ([measured.slope_ax, measured.slope_ay], own.slope_gravity, measured.gravity);
        // written in every run before it is read, although snapshots leave it out
        vehicles.columns.get_mut(column).fill(gravity);
        for lane in 0..vehicles.lanes.len() {
            vehicles.set_tilt(lane, vehicles.lanes[lane].tilt);
            if vehicles.environment.dynamic_loads {
                let [along, across, _] = vehicles.values(pull, lane);
                vehicles.set_values(slope, lane, [along, across]);
            }
        }
        let contact = &vehicles.host.contact;
        let (normal_force, normal_gravity) = (contact.normal_force, contact.gravity);
        if !vehicles.environment.dynamic_loads {
            vehicles.columns.get_mut(normal_gravity).fill(gravity);
            let forces = vehicles.columns.get_mut(normal_force).iter_mut();
            forces.zip(&self.level_loads).for_each(|(force, load)| *force = load * gravity);
        }
    }
}
