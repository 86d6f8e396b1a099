//! Simulations into which the members of an ensemble are put.

use super::member::Image;
use crate::clock::Clock;
use crate::columns::Column;
use crate::commands;
use crate::model::Call;
use crate::simulation::Simulation;
use crate::table::Table;

impl Simulation {
    /// Appends all vehicles to an image.
    pub(super) fn save_vehicles(&self, to: &mut Image) {
        for table in &self.tables {
            for lane in 0..table.vehicles.lanes.len() {
                table.save_vehicle(lane, &mut to.numbers);
                to.tipped.push(table.vehicles.lanes[lane].tipped);
            }
        }
        to.bodies.extend_from_slice(self.physics.bodies(&(0..self.physics.body_count())));
    }

    /// Replaces all vehicles by those of an image, which touch nothing.
    pub(super) fn load_vehicles(&mut self, from: &Image) {
        self.load_tables(from);
        self.physics.load_free(from.bodies.iter().copied());
    }

    /// Replaces all vehicles but their bodies by those of an image.
    pub(super) fn load_tables(&mut self, from: &Image) {
        let (mut numbers, mut tipped) = (&from.numbers[..], from.tipped.iter());
        for table in &mut self.tables {
            for lane in 0..table.vehicles.lanes.len() {
                numbers = table.load_vehicle(lane, numbers);
                table.vehicles.lanes[lane].tipped = tipped.next().copied().flatten();
            }
        }
    }

    /// Prepares for another member, whose vehicles and sensors have been put here.
    pub(super) fn begin_visit(&mut self, steps: u64, seed: u64) {
        self.clock.steps = steps;
        self.seed = seed;
        self.faults.clear();
        for table in &mut self.tables {
            table.vehicles.lanes.iter_mut().for_each(|lane| lane.run = None);
            table.forget_faults();
        }
        self.skip_commands();
    }

    /// Returns whether the member that is here can share tables, and touches nothing.
    pub(super) fn can_share(&self) -> bool {
        self.can_meet() && !self.physics.has_solved()
    }

    /// Returns whether the member that is here can share tables, even if it touches something.
    pub(super) fn can_meet(&self) -> bool {
        self.faults.is_empty()
            && self.tables.iter().all(Table::can_return)
            && !self.robot_faults.is_used()
            && self.collisions.is_none()
    }

    /// Returns for each table the numbers of the columns that sensors read when they sample. `None` if a sample needs
    /// more of the vehicles: models read the sensors, or rays are cast in space.
    pub(super) fn sampled_parts(&self) -> Option<Vec<Vec<usize>>> {
        let needs_more = self.sensors.deliver_any() || self.perception.is_some();
        let parts = self.tables.iter().enumerate().map(|(number, table)| {
            let sources = self.sensors.sources_in(number);
            let columns: Vec<Column> = sources.chain(table.vehicles.pose_columns()).collect();
            table.parts_of(&columns)
        });
        (!needs_more).then(|| parts.collect())
    }

    /// Returns whether a model draws random numbers.
    pub(super) fn draws(&self) -> bool {
        let vehicles = self.tables.iter().flat_map(Table::calls);
        vehicles.chain(self.sensors.calls()).any(Call::is_random)
    }

    /// Returns the number of completed steps after which each planned command acts.
    pub(super) fn command_steps(&self) -> Vec<u64> {
        let of_command = |time: f64| {
            let (step, _) = self.clock.last_step(time.max(0.0));
            let acts =
                |steps: &u64| commands::acts(time, Clock { steps: *steps, ..self.clock }.time());
            (step.saturating_sub(1)..).find(acts).unwrap_or(step)
        };
        self.commands.resolved.iter().map(|command| of_command(command.time)).collect()
    }
}
