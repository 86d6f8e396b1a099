//! Rooms: members of a chunk with the same variant of the world, and what they share.

use std::sync::Arc;

use super::block::Block;
use super::member::{Home, Image, Member, SensorState, Start};
use super::{Variants, sharing};
use crate::clock::Clock;
use crate::encoding::{Reader, Writer};
use crate::simulation::Simulation;
use crate::table::{Read, Table};

/// Number of vehicles of one kind in a wide and in a narrow block.
const WIDE: usize = 128;
const NARROW: usize = 16;

/// Members with the same variant of the world, and what they share.
pub(super) struct Room {
    pub variant: usize,
    /// Simulation into which members are put for what they cannot do in a block.
    pub stage: Simulation,
    /// Why members cannot share tables.
    pub obstacles: Vec<String>,
    /// How the fields of the tables of a simulation of one member are read.
    pub reads: Vec<Vec<Read>>,
    pub blocks: Vec<Block>,
    /// Members that are parked.
    pub parked: Vec<usize>,
    /// State before the first measurement, which is the same for all members.
    base: Image,
    base_sensors: SensorState,
    /// The start of the members that start alike.
    start: Option<Arc<Start>>,
    /// Whether a model draws random numbers, so that the start can depend on the seed.
    draws: bool,
    /// Number of vehicles of a member in each table.
    lanes: Vec<usize>,
    /// Number of completed steps after which each planned command acts, ascending.
    commands: Vec<u64>,
    /// Simulations that members have left.
    spare: Vec<Box<Simulation>>,
    /// Numbers of vehicles that are not needed any more, for their memory.
    spare_images: Vec<Box<Image>>,
}

impl Room {
    /// Builds what the members of a variant share.
    pub fn new<V: Variants>(variants: &V, variant: usize) -> Result<Self, V::Error> {
        let stage = variants.build(variant, 0)?;
        let mut obstacles = sharing::obstacles(&stage);
        let lanes: Vec<usize> =
            stage.tables.iter().map(|table| table.vehicles.lanes.len()).collect();
        if obstacles.is_empty() {
            let tables = variants.build_tables(variant, 2)?.0;
            let pairs = stage.tables.iter().zip(&tables);
            if stage.tables.len() != tables.len() || !pairs.into_iter().all(|(a, b)| a.is_alike(b))
            {
                obstacles.push("the tables of several members differ from those of one".to_owned());
            }
        }
        let mut room = Self {
            variant,
            obstacles,
            reads: stage.tables.iter().map(Table::reads).collect(),
            blocks: Vec::new(),
            parked: Vec::new(),
            base: Image::default(),
            base_sensors: SensorState::default(),
            start: None,
            draws: stage.draws(),
            lanes,
            commands: stage.command_steps(),
            spare: Vec::new(),
            spare_images: Vec::new(),
            stage,
        };
        if room.obstacles.is_empty() {
            let Self { base, base_sensors, stage, .. } = &mut room;
            stage.save_vehicles(base);
            save_sensors(stage, base_sensors);
        }
        Ok(room)
    }

    pub fn forget_start(&mut self) {
        self.start = None;
    }

    /// Brings a member to its start, as numbers. `may_differ` is whether the start may differ from the last one. A
    /// member that cannot share tables at its start gets a simulation of its own, and there are no numbers.
    pub fn start<V: Variants>(
        &mut self,
        variants: &V,
        member: &mut Member,
        may_differ: bool,
    ) -> Result<Option<Arc<Start>>, V::Error> {
        let fits = |start: &&Arc<Start>| start.seed.is_none_or(|seed| seed == member.seed);
        if let Some(start) = member.start.as_ref().filter(fits).filter(|_| !may_differ) {
            return Ok(Some(Arc::clone(start)));
        }
        let alike = variants.starts_alike(member.number);
        if let Some(start) = self.start.as_ref().filter(fits).filter(|_| alike) {
            member.start = Some(Arc::clone(start));
            return Ok(Some(Arc::clone(start)));
        }
        let Self { stage, base, base_sensors, .. } = self;
        stage.load_vehicles(base);
        load_sensors(stage, base_sensors);
        stage.begin_visit(0, member.seed);
        let failure = variants.start(member.number, stage)?;
        if failure.is_some() || !stage.can_share() {
            member.start = None;
            self.move_out(variants, member)?;
            member.failure = failure;
            return Ok(None);
        }
        let (mut image, mut sensors) = (Image::default(), SensorState::default());
        stage.save_vehicles(&mut image);
        save_sensors(stage, &mut sensors);
        let due = next_due(stage);
        let seed = self.draws.then_some(member.seed);
        let steps = stage.clock.steps;
        let start = Arc::new(Start { image, sensors, steps, due, seed });
        if alike {
            self.start = Some(Arc::clone(&start));
        }
        member.start = Some(Arc::clone(&start));
        Ok(Some(start))
    }

    /// Puts a member, as it is, on the stage.
    pub fn enter(&mut self, member: &Member) {
        let stage = &mut self.stage;
        match &member.home {
            Home::Lanes { block, slot } => {
                let block = &self.blocks[*block];
                let places = block.lanes(*slot).map(|[table, lane, own]| {
                    stage.tables[table].put_vehicle(lane, &block.tables[table], own);
                    block.bodies[table][own]
                });
                stage.physics.load_free(places);
            }
            Home::Parked(image) => stage.load_vehicles(image),
            Home::Own(_) | Home::None => {}
        }
        load_sensors(stage, &member.sensors);
        stage.begin_visit(member.steps, member.seed);
    }

    /// Puts a member, as it was before the last run of its block, on the stage.
    pub fn enter_kept(&mut self, member: &Member, block: usize, slot: usize) {
        let (stage, block) = (&mut self.stage, &self.blocks[block]);
        let places = block.lanes(slot).map(|[table, lane, own]| {
            stage.tables[table].put_kept_vehicle(lane, &block.tables[table], own)
        });
        stage.physics.load_free(places);
        for table in &mut stage.tables {
            table.vehicles.read_bodies(stage.physics.bodies(&table.vehicles.bodies));
        }
        load_sensors(stage, &member.sensors);
        stage.begin_visit(member.steps, member.seed);
    }

    /// Takes the state of a member from the stage, to where it was, and returns whether it can remain there. If only its
    /// sensors have sampled, `has_changed` is false.
    pub fn leave(&mut self, member: &mut Member, has_changed: bool) -> bool {
        let stage = &self.stage;
        if !stage.can_share() {
            return false;
        }
        match &mut member.home {
            Home::Lanes { .. } if !has_changed && !stage.sensors.deliver_any() => {}
            Home::Lanes { block, slot } => {
                let block = &mut self.blocks[*block];
                let range = &self.lanes;
                let mut bodies = stage.physics.bodies(&(0..stage.physics.body_count())).iter();
                for (table, count) in range.iter().enumerate() {
                    for lane in 0..*count {
                        let own = *slot * count + lane;
                        block.tables[table].put_vehicle(own, &stage.tables[table], lane);
                        block.tables[table].vehicles.lanes[own].seed = Some(member.seed);
                        if let Some(body) = bodies.next() {
                            block.bodies[table][own] = *body;
                        }
                    }
                }
            }
            Home::Parked(image) => {
                image.clear();
                stage.save_vehicles(image);
            }
            Home::Own(_) | Home::None => {}
        }
        save_sensors(stage, &mut member.sensors);
        member.steps = stage.clock.steps;
        member.due = next_due(stage);
        true
    }

    /// Gives the member that is on the stage a simulation of its own.
    pub fn move_out<V: Variants>(
        &mut self,
        variants: &V,
        member: &mut Member,
    ) -> Result<(), V::Error> {
        let next = match self.spare.pop() {
            Some(spare) => spare,
            None => Box::new(variants.build(self.variant, member.seed)?),
        };
        let mut own = next;
        std::mem::swap(&mut *own, &mut self.stage);
        self.vacate(member);
        member.steps = own.clock.steps;
        member.home = Home::Own(own);
        Ok(())
    }

    /// Takes a member from its slot, or its simulation from it.
    pub fn vacate(&mut self, member: &mut Member) {
        match std::mem::replace(&mut member.home, Home::None) {
            Home::Lanes { block, slot } => self.blocks[block].clear(slot),
            Home::Own(simulation) if self.obstacles.is_empty() => self.spare.push(simulation),
            Home::Parked(image) => self.spare_images.push(image),
            Home::Own(_) | Home::None => {}
        }
    }

    /// Takes a member out, which starts again.
    pub fn take_out(&mut self, index: usize, member: &mut Member) {
        if matches!(member.home, Home::Parked(_)) {
            self.parked.retain(|parked| *parked != index);
        }
        self.vacate(member);
    }

    /// Makes numbers of the vehicles of a member in a block.
    pub fn park(&mut self, index: usize, member: &mut Member) {
        if let Home::Lanes { block, slot } = member.home {
            let mut image = self.spare_images.pop().unwrap_or_default();
            image.clear();
            self.blocks[block].save(slot, &mut image);
            self.blocks[block].clear(slot);
            member.home = Home::Parked(image);
            self.parked.push(index);
        }
    }

    /// Puts members that are parked, or at their starts, which have completed `steps` steps and are to take `goal`
    /// more, into blocks. Those for which no block is worth its memory are parked.
    pub fn settle<V: Variants>(
        &mut self,
        variants: &V,
        members: &mut [Member],
        indices: &[usize],
        (steps, goal): (u64, u64),
    ) -> Result<(), V::Error> {
        let mut left = indices;
        while let Some((&index, rest)) = left.split_first() {
            let Some(block) = self.vacant_block(variants, (steps, goal), left.len())? else {
                left.iter().for_each(|index| self.keep_parked(*index, &mut members[*index]));
                break;
            };
            let slots = &self.blocks[block].slots;
            let Some(slot) = slots.iter().position(Option::is_none) else { break };
            let member = &mut members[index];
            match &member.home {
                Home::Parked(image) => self.blocks[block].put(slot, index, member, image),
                _ => {
                    let Some(start) = member.start.clone() else { break };
                    self.blocks[block].put(slot, index, member, &start.image);
                }
            }
            let home = std::mem::replace(&mut member.home, Home::Lanes { block, slot });
            if let Home::Parked(image) = home {
                self.spare_images.push(image);
            }
            left = rest;
        }
        Ok(())
    }

    fn keep_parked(&mut self, index: usize, member: &mut Member) {
        if let (Home::None, Some(start)) = (&member.home, &member.start) {
            let mut image = self.spare_images.pop().unwrap_or_default();
            image.copy_from(&start.image);
            member.home = Home::Parked(image);
        }
        if matches!(member.home, Home::Parked(_)) {
            self.parked.push(index);
        }
    }

    /// Returns a block with a vacant slot at a step and with a number of steps to take, for `wanted` members.
    fn vacant_block<V: Variants>(
        &mut self,
        variants: &V,
        (steps, goal): (u64, u64),
        wanted: usize,
    ) -> Result<Option<usize>, V::Error> {
        let most = self.lanes.iter().copied().max().unwrap_or(1).max(1);
        let [narrow, wide] = [NARROW, WIDE].map(|lanes| (lanes / most).max(2));
        let fits = |block: &Block| (block.steps, block.goal) == (steps, goal) && block.taken > 0;
        let with_room = |block: &Block| block.taken < block.width();
        if let Some(found) = self.blocks.iter().position(|block| fits(block) && with_room(block)) {
            return Ok(Some(found));
        }
        if wanted < 2 {
            return Ok(None);
        }
        let width = if wanted > narrow { wide } else { narrow };
        let is_empty = |block: &Block| block.taken == 0 && block.width() == width;
        let found = match self.blocks.iter().position(is_empty) {
            Some(found) => found,
            None => {
                let tables = variants.build_tables(self.variant, width)?.0;
                self.blocks.push(Block::new(tables, self.lanes.clone(), width));
                self.blocks.len() - 1
            }
        };
        (self.blocks[found].steps, self.blocks[found].goal) = (steps, goal);
        Ok(Some(found))
    }

    /// Returns the number of steps that the members of a block, or one that is parked, can take at once.
    pub fn steps_to_command(&self, steps: u64) -> u64 {
        let next = self.commands.partition_point(|step| *step < steps);
        self.commands.get(next).map_or(u64::MAX, |step| step - steps)
    }
}

/// Keeps state and readings of the sensors of the member on the stage.
fn save_sensors(stage: &Simulation, to: &mut SensorState) {
    if stage.sensors.is_empty() {
        return;
    }
    to.numbers.clear();
    let mut writer = Writer { bytes: std::mem::take(&mut to.bytes) };
    writer.bytes.clear();
    let saved = stage.sensors.save(&mut to.numbers, &mut writer);
    saved.expect("sensors of members have no memory that cannot be saved");
    to.bytes = writer.bytes;
}

fn load_sensors(stage: &mut Simulation, from: &SensorState) {
    if stage.sensors.is_empty() {
        return;
    }
    let loaded = stage.sensors.load(&from.numbers, &mut Reader::new(&from.bytes));
    loaded.expect("what the same sensors have saved");
}

/// Returns the first step after which a sensor of the simulation is due or a sample arrives.
fn next_due(stage: &Simulation) -> u64 {
    let now = stage.clock.steps;
    if stage.sensors.is_empty() {
        return u64::MAX;
    }
    let is_due = |steps: u64| stage.sensors.is_any_due(&Clock { steps, ..stage.clock });
    // what is due stays due
    let mut reach = 1;
    while !is_due(now + reach) {
        if reach > 1 << 40 {
            return u64::MAX;
        }
        reach *= 2;
    }
    let (mut before, mut due) = (now + reach / 2, now + reach);
    while due - before > 1 {
        let middle = before + (due - before) / 2;
        if is_due(middle) { due = middle } else { before = middle }
    }
    due
}
