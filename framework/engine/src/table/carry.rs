//! What a vehicle takes along into a table of other models.

use super::{HostColumns, Table};
use crate::take_over::{TakeOverError, carry_states};

impl Table {
    /// Takes over a vehicle of another table of the same world.
    ///
    /// # Errors
    /// What a model says against what its predecessor remembers.
    pub fn carry(&mut self, lane: usize, old: &Self, old_lane: usize) -> Result<(), TakeOverError> {
        if self.wheel_names != old.wheel_names {
            let text = format!("the wheels of {} are others", self.lanes[lane].name);
            return Err(TakeOverError::World(text));
        }
        let (to, from) = (&mut self.lanes[lane], &old.lanes[old_lane]);
        to.attitude = from.attitude;
        to.odometry = from.odometry;
        (to.tilt, to.normal) = (from.tilt, from.normal);
        let of_vehicle = |host: &HostColumns| {
            let [[nose, nose_rate], [side, side_rate]] = host.sway;
            let [push_x, push_y] = host.push;
            let [slope_x, slope_y] = host.slope;
            [push_x, push_y, slope_x, slope_y, nose, nose_rate, side, side_rate]
        };
        for (column, source) in of_vehicle(&self.host).into_iter().zip(of_vehicle(&old.host)) {
            self.columns.get_mut(column)[lane] = old.columns.get(source)[old_lane];
        }
        for (name, column) in &self.commands {
            let Some(source) = old.commands.get(name) else { continue };
            self.columns.get_mut(*column)[lane] = old.columns.get(*source)[old_lane];
        }
        for wheel in 0..self.wheels {
            let index = wheel * self.lanes.len() + lane;
            let source = wheel * old.lanes.len() + old_lane;
            self.angle[index] = old.angle[source];
            let held = self.brakes.iter().flat_map(|brakes| brakes.hold);
            let held = held.zip(old.brakes.iter().flat_map(|brakes| brakes.hold));
            let own = [
                (self.host.spin, old.host.spin),
                (self.host.steer, old.host.steer),
                (self.host.told_steer, old.host.told_steer),
            ];
            for (column, from) in own.into_iter().chain(held) {
                self.columns.get_mut(column)[index] = old.columns.get(from)[source];
            }
        }
        self.carry_models(lane, old, old_lane)
    }

    fn carry_models(
        &mut self,
        lane: usize,
        old: &Self,
        old_lane: usize,
    ) -> Result<(), TakeOverError> {
        let (columns, from) = (&mut self.columns, &old.columns);
        let one = || std::iter::once((lane, old_lane));
        carry_states(&self.control, columns, &old.control, from, one())?;
        carry_states(&self.drive, columns, &old.drive, from, one())?;
        let (count, old_count) = (self.lanes.len(), old.lanes.len());
        let wheels =
            (0..self.wheels).map(|wheel| (wheel * count + lane, wheel * old_count + old_lane));
        carry_states(&self.friction, columns, &old.friction, from, wheels)
    }
}
