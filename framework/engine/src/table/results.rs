//! Items of the result hash for the vehicles of a table.

use super::step::Table;
use crate::result_hash::Items;

impl Table {
    /// Adds the items of one vehicle and its wheels.
    pub fn add_results(&self, lane: usize, items: &mut Items) {
        let (vehicles, models) = (&self.vehicles, &self.models);
        let columns = &vehicles.columns;
        let vehicle = self.vehicle(lane).snapshot();
        let label = format!("vehicle/{}", vehicle.name);
        items.add(format!("{label}/pose"), &vehicle.pose);
        items.add(format!("{label}/twist"), &vehicle.twist);
        items.add(format!("{label}/odometry_pose"), &vehicle.odometry_pose);
        items.add(format!("{label}/odometry_twist"), &vehicle.odometry_twist);
        items.add_states(&format!("{label}/controller"), &models.control, columns, lane);
        items.add_states(&format!("{label}/dynamics"), &models.drive, columns, lane);
        models.add_results_of_actuators(vehicles, lane, items);
        models.add_results_of_suspensions(vehicles, lane, items);
        self.blueprint.sensor_inputs.add_results(vehicles, lane, &label, items);
        for number in 0..vehicles.wheels.count {
            let wheel = self.vehicle(lane).wheel_snapshot(number);
            let label = format!("{label}/wheel/{}", wheel.wheel);
            items.add(format!("{label}/spin"), &[wheel.spin]);
            items.add(format!("{label}/angle"), &[wheel.angle]);
            items.add(format!("{label}/steer"), &[wheel.steer]);
            // the lanes of friction models are wheels
            let lane = number * vehicles.lanes.len() + lane;
            items.add_states(
                &format!("{label}/friction"),
                models.friction_of(number),
                columns,
                lane,
            );
            if let Some(fallback) = &models.fallback {
                items.add_states(&format!("{label}/fallback"), &fallback.call, columns, lane);
            }
        }
    }
}
