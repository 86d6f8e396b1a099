//! Looking at the members of a chunk, and changing them.

use super::chunk::Chunk;
use super::member::Home;
use super::selection::MemberQuantities;
use super::variants::Variants;
use crate::columns::Column;
use crate::quantity_list::Source;
use crate::simulation::Simulation;
use crate::table::Table;

impl Chunk {
    /// Calls `look` with a simulation in the state of a member.
    pub fn look<R>(&mut self, index: usize, look: impl FnOnce(&Simulation) -> R) -> R {
        let Self { members, rooms, .. } = self;
        let member = &mut members[index];
        match &member.home {
            Home::Own(simulation) => look(simulation),
            _ => rooms[member.room].show(member, look),
        }
    }

    /// Calls `look` with a simulation in the state of a member, if the member has one of its own or something is near it.
    pub fn look_apart<R>(
        &mut self,
        index: usize,
        look: impl FnOnce(&Simulation) -> R,
    ) -> Option<R> {
        let member = &self.members[index];
        let is_apart = member.encounter.is_some() || matches!(member.home, Home::Own(_));
        is_apart.then(|| self.look(index, look))
    }

    /// Reads quantities of all members.
    pub fn read<T: Copy>(
        &mut self,
        quantities: &MemberQuantities,
        rows: &mut [T],
        convert: &impl Fn(f64) -> T,
    ) {
        let width = quantities.width();
        let (mut row, mut plan) =
            (std::mem::take(&mut self.row), std::mem::take(&mut self.read_plan));
        let mut are_all_read = self.are_all_in_blocks();
        for room in &self.rooms {
            let taken = || room.blocks.iter().filter(|block| block.slots.taken() > 0);
            if taken().next().is_none() {
                continue;
            }
            let bound = quantities.of(&room.world, &room.stage);
            if !bound.are_of_members() {
                are_all_read = false;
                continue;
            }
            let mut planned = 0;
            for block in taken() {
                // the tables of blocks of one width have the same columns
                if planned != block.slots.width() {
                    plan.fill(room, block, &bound);
                    planned = block.slots.width();
                }
                let place = (room, block, &self.members[..]);
                plan.read(place, &bound, (rows, width, convert), &mut row);
            }
        }
        (self.row, self.read_plan) = (row, plan);
        if !are_all_read {
            self.read_others(quantities, rows, convert);
        }
    }

    /// Reads quantities of the members that are in no block, and of those in a block whose quantities are not all in tables
    /// and members.
    fn read_others<T: Copy>(
        &mut self,
        quantities: &MemberQuantities,
        rows: &mut [T],
        convert: &impl Fn(f64) -> T,
    ) {
        let mut row = std::mem::take(&mut self.row);
        for (index, to) in rows.chunks_exact_mut(quantities.width().max(1)).enumerate() {
            let member = &self.members[index];
            let room = &self.rooms[member.room];
            let is_in_block = matches!(member.home, Home::Lanes { .. });
            if is_in_block && quantities.of(&room.world, &room.stage).are_of_members() {
                continue;
            }
            row.clear();
            self.read_one(index, quantities, &mut row);
            to.iter_mut().zip(&row).for_each(|(to, value)| *to = convert(*value));
        }
        self.row = row;
    }

    /// Reads quantities of a member.
    pub fn read_one(&mut self, index: usize, quantities: &MemberQuantities, to: &mut Vec<f64>) {
        let Self { members, rooms, .. } = self;
        let member = &mut members[index];
        let room = &mut rooms[member.room];
        let quantities = quantities.of(&room.world, &room.stage);
        if let Home::Own(simulation) = &member.home {
            let tables = (&simulation.tables[..], &room.reads[..]);
            return quantities.read_member(tables, 0, simulation, to);
        }
        if let (Home::Lanes { block, slot }, true) = (&member.home, quantities.are_of_members()) {
            let block = &room.blocks[*block];
            let tables = (&block.tables[..], &block.reads[..]);
            for number in 0..quantities.infos().len() {
                match quantities.source(number) {
                    Source::Sensor(place) => {
                        let place = room.stage.sensors.kept_place(place);
                        let first = to.len();
                        to.resize(first + quantities.infos()[number].count(), f64::NAN);
                        member.sensors.copy(&place, &mut to[first..], &|value| value);
                    }
                    _ => quantities.read_of_member(number, tables, *slot, &room.stage, to),
                }
            }
            return;
        }
        let reads = std::mem::take(&mut room.reads);
        room.show(member, |stage| {
            quantities.read_member((&stage.tables, &reads), 0, stage, to);
        });
        room.reads = reads;
    }

    /// Sets a command of all members.
    pub fn command<V: Variants>(
        &mut self,
        variants: &V,
        vehicle: usize,
        kind: &str,
        values: &[f64],
    ) -> Result<(), V::Error> {
        let width = values.len() / self.members.len().max(1);
        let row = |index: usize| &values[index * width..(index + 1) * width];
        let mut columns = std::mem::take(&mut self.columns);
        for room in &mut self.rooms {
            let Some(&(table, lane)) = room.stage.places.get(vehicle) else { continue };
            let count = room.stage.tables[table].vehicles.lanes.len();
            for block in room.blocks.iter_mut().filter(|block| block.slots.taken() > 0) {
                let table = &mut block.tables[table];
                columns.clear();
                columns.extend(table.command_columns(kind).into_iter().flatten());
                for (number, column) in columns.iter().take(width).enumerate() {
                    let Some(column) = column else { continue };
                    let to = table.vehicles.columns.get_mut(*column);
                    match block.slots.range() {
                        Some(range) => {
                            let rows = &values[range.start * width..range.end * width];
                            let lanes = to.iter_mut().skip(lane).step_by(count);
                            let rows = rows.chunks_exact(width);
                            lanes.zip(rows).for_each(|(to, row)| *to = row[number]);
                        }
                        None => block.slots.members().for_each(|(slot, index)| {
                            to[slot * count + lane] = values[index * width + number];
                        }),
                    }
                }
            }
        }
        self.columns = columns;
        if self.are_all_in_blocks() {
            return Ok(());
        }
        self.command_apart(variants, (vehicle, kind), row)
    }

    /// Sets a command of the members that are in no block, to the values that `row` returns for their indices.
    fn command_apart<'v, V: Variants>(
        &mut self,
        variants: &V,
        (vehicle, kind): (usize, &str),
        row: impl Fn(usize) -> &'v [f64],
    ) -> Result<(), V::Error> {
        let mut columns = std::mem::take(&mut self.columns);
        for index in 0..self.members.len() {
            let Some(&(table, lane)) =
                self.rooms[self.members[index].room].stage.places.get(vehicle)
            else {
                continue;
            };
            let mut act = |simulation: &mut Simulation| {
                let table = &mut simulation.tables[table];
                columns.clear();
                columns.extend(table.command_columns(kind).into_iter().flatten());
                set(table, lane, &columns, row(index));
            };
            match &mut self.members[index].home {
                Home::Own(simulation) => act(simulation),
                Home::Parked(_) => self.edit(variants, index, act)?,
                Home::Lanes { .. } | Home::None => {}
            }
        }
        self.columns = columns;
        Ok(())
    }

    /// Calls `edit` with a simulation in the state of a member, which then is the state of the member.
    pub fn edit<V: Variants, R>(
        &mut self,
        variants: &V,
        index: usize,
        edit: impl FnOnce(&mut Simulation) -> R,
    ) -> Result<R, V::Error> {
        let Self { members, rooms, .. } = self;
        let member = &mut members[index];
        if let Home::Own(simulation) = &mut member.home {
            let result = edit(simulation);
            member.steps = simulation.clock.steps;
            return Ok(result);
        }
        let room = &mut rooms[member.room];
        variants.set_parameters(member.number, &mut room.stage)?;
        room.enter(member);
        let result = edit(&mut room.stage);
        let was = member.steps;
        let is_parked = matches!(member.home, Home::Parked(_));
        if !room.leave(member, true) {
            room.move_out(variants, member)?;
            room.parked.retain(|parked| *parked != index);
        } else if member.steps != was && !is_parked {
            room.park(index, member);
        }
        Ok(result)
    }
}

/// Sets columns of a lane.
fn set(table: &mut Table, lane: usize, columns: &[Option<Column>], values: &[f64]) {
    for (column, value) in columns.iter().zip(values) {
        if let Some(column) = column {
            table.vehicles.columns.get_mut(*column)[lane] = *value;
        }
    }
}
