//! Odometry: pose and twist as the dynamics class estimates them from the wheels.

use simhost_sdk::math;

use super::host::HostColumns;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::model::PortMap;
use crate::tiles::{Kernel, TileView};

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
        let count = vehicles.lanes.len();
        let Vehicles { columns, host, .. } = vehicles;
        columns.run(count, &mut Advance { host, twist: self.twist, dt });
    }

    /// Returns the odometry twist of a vehicle.
    pub fn twist(&self, vehicles: &Vehicles, lane: usize) -> [f64; 3] {
        self.twist.map(|column| column.map_or(0.0, |column| vehicles.value(column, lane)))
    }
}

struct Advance<'a> {
    host: &'a HostColumns,
    twist: [Option<Column>; 3],
    /// Length of the step, s.
    dt: f64,
}

impl Kernel for Advance<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let (own, dt) = (&self.host.own, self.dt);
        let twist = self
            .twist
            .map(|column| column.map_or([0.0; N], |column| columns.load::<N>(column, lane)));
        let factors = own.odometry_multipliers.map(|column| columns.load::<N>(column, lane));
        let [mut x, mut y, mut yaw] = own.odometry.map(|column| columns.load::<N>(column, lane));
        for i in 0..N {
            let [dx, dy, turn] = [0, 1, 2].map(|k: usize| dt * twist[k][i] * factors[k][i]);
            let (sin, cos) = math::sin_cos(yaw[i] + 0.5 * turn);
            x[i] += cos * dx - sin * dy;
            y[i] += sin * dx + cos * dy;
            yaw[i] = math::wrap_angle(yaw[i] + turn);
        }
        for (column, tile) in own.odometry.into_iter().zip([x, y, yaw]) {
            columns.store(column, lane, tile);
        }
    }
}
