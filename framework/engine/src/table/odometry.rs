//! Odometry: pose and twist as the dynamics class estimates them from the wheels.

use simhost_sdk::math;

use super::host::HostColumns;
use super::vehicles::Vehicles;
use crate::columns::Column;
use crate::model::PortMap;
use crate::tiles::{Kernel, TileView};

/// Columns of the odometry twist: vx, vy, m/s, and yaw rate, rad/s, vehicle frame. A component that
/// the dynamics class does not measure is zero.
#[derive(Clone)]
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
        columns.run(count, &mut OdometryStep { host, twist: self.twist, dt });
    }

    /// Returns the odometry twist of a vehicle.
    pub fn twist(&self, vehicles: &Vehicles, lane: usize) -> [f64; 3] {
        self.twist.map(|column| column.map_or(0.0, |column| vehicles.value(column, lane)))
    }
}

struct OdometryStep<'a> {
    host: &'a HostColumns,
    twist: [Option<Column>; 3],
    /// Length of the step, s.
    dt: f64,
}

impl Kernel for OdometryStep<'_> {
    #[inline(always)]
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
        let (own, dt) = (&self.host.own, self.dt);
        let mut twist = [[0.0; N]; 3];
        for (twist, column) in twist.iter_mut().zip(&self.twist) {
            if let Some(column) = column {
                *twist = columns.load(*column, lane);
            }
        }
        let factors = columns.load_all::<_, N>(own.odometry_multipliers, lane);
        let [mut x, mut y, mut yaw] = columns.load_all::<_, N>(own.odometry, lane);
        for i in 0..N {
            let (dx, dy) = (dt * twist[0][i] * factors[0][i], dt * twist[1][i] * factors[1][i]);
            let turn = dt * twist[2][i] * factors[2][i];
            let (sin, cos) = math::sin_cos(yaw[i] + 0.5 * turn);
            x[i] += cos * dx - sin * dy;
            y[i] += sin * dx + cos * dy;
            yaw[i] = math::wrap_angle(yaw[i] + turn);
        }
        columns.store(own.odometry[0], lane, x);
        columns.store(own.odometry[1], lane, y);
        columns.store(own.odometry[2], lane, yaw);
    }
}
