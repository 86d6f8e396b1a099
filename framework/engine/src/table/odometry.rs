//! Odometry: pose and twist as the dynamics class estimates them from the wheels.

use simhost_sdk::math;

use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::model::PortMap;

/// Columns of the odometry twist: vx, vy, m/s, and yaw rate, rad/s, vehicle frame. A component that
/// the dynamics class does not measure is zero.
pub(super) struct Odometry {
    twist: [Option<Column>; 3],
}

impl Odometry {
    /// Finds the columns among the measurements of a dynamics class.
    pub fn new(measurements: &PortMap) -> Self {
        let names = ["odometry_vx", "odometry_vy", "odometry_omega"];
        Self { twist: names.map(|name| measurements.get(name)) }
    }

    /// Advances the odometry poses by a step of `dt` seconds, with the heading in its middle.
    pub fn advance(&self, vehicles: &mut Vehicles, dt: f64) {
        let Vehicles { columns, lanes, .. } = vehicles;
        let twist = self.twist.map(|column| column.map(|column| columns.get(column)));
        for (i, lane) in lanes.iter_mut().enumerate() {
            let twist = twist.map(|column| column.map_or(0.0, |column| column[i]));
            let [fx, fy, fyaw] = lane.odometry_multipliers;
            let (dx, dy, turn) = (dt * twist[0] * fx, dt * twist[1] * fy, dt * twist[2] * fyaw);
            let (sin, cos) = math::sin_cos(lane.odometry[2] + 0.5 * turn);
            lane.odometry[0] += cos * dx - sin * dy;
            lane.odometry[1] += sin * dx + cos * dy;
            lane.odometry[2] = math::wrap_angle(lane.odometry[2] + turn);
        }
    }

    /// Returns the odometry twist of a vehicle.
    pub fn twist(&self, vehicles: &Vehicles, lane: usize) -> [f64; 3] {
        self.twist.map(|column| column.map_or(0.0, |column| vehicles.value(column, lane)))
    }
}
