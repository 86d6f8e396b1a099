//! Rooms: members of a chunk with the same variant of the world, and what they share.

use std::sync::Arc;

use simhost_world::World;

use super::block::Block;
use super::member::{EnsembleMember, Home, Image, Start};
use super::sensors::{load, next_due, save};
use super::sharing;
use super::variants::Variants;
use crate::clock::Clock;
use crate::physics::Physics;
use crate::sensors::SensorState;
use crate::simulation::Simulation;
use crate::table::{Kept, Read, Table};

/// Members with the same variant of the world, and what they share.
pub(super) struct Room {
    pub variant: usize,
    /// World of the variant.
    pub world: Arc<World>,
    /// Simulation into which members are put for what they cannot do in a block.
    pub stage: Simulation,
    /// Why members cannot share tables.
    pub obstacles: Vec<String>,
    /// Whether members at different steps can be in one block.
    mixes_steps: bool,
    /// How the fields of the tables of a simulation of one member are read.
    pub reads: Vec<Vec<Read>>,
    pub blocks: Vec<Block>,
    /// Members that are parked.
    pub parked: Vec<usize>,
    /// For each table what of a vehicle a sample needs; `None` if it needs all.
    sampled_parts: Option<Vec<Vec<usize>>>,
    /// State before the first measurement, which is the same for all members.
    base: Image,
    base_sensors: SensorState,
    /// The start of the members that start alike.
    start: Option<Arc<Start>>,
    /// Whether a model draws random numbers, so that the start can depend on the seed.
    draws: bool,
    /// Number of vehicles of a member in each table.
    pub lanes: Vec<usize>,
    /// Number of completed steps after which each planned command acts, ascending.
    pub commands: Vec<u64>,
    /// The state of each table of the last block that has taken steps, before these. One for all blocks stays in the caches.
    pub kept: Vec<Kept>,
    /// Simulations that members have left.
    pub spare: Vec<Box<Simulation>>,
    /// Worlds of rapier without encounters.
    pub spare_physics: Vec<Box<Physics>>,
    /// Numbers of vehicles that are not needed any more, for their memory.
    #[expect(clippy::vec_box, reason = "members that park take them as they are")]
    pub spare_images: Vec<Box<Image>>,
}

impl Room {
    /// Builds what the members of a variant share.
    pub fn new<V: Variants>(variants: &V, variant: usize) -> Result<Self, V::Error> {
        let stage = variants.build(variant, 0)?;
        let lanes = stage.tables.iter().map(|table| table.vehicles.lanes.len()).collect();
        let obstacles = obstacles(variants, variant, &stage)?;
        let mut room = Self {
            variant,
            world: Arc::clone(variants.world(variant)),
            obstacles,
            mixes_steps: sharing::are_time_invariant(&stage),
            reads: stage.tables.iter().map(Table::reads).collect(),
            blocks: Vec::new(),
            parked: Vec::new(),
            sampled_parts: stage.sampled_parts(),
            base: Image::default(),
            base_sensors: SensorState::default(),
            start: None,
            draws: stage.draws(),
            lanes,
            commands: stage.command_steps(),
            kept: Vec::new(),
            spare: Vec::new(),
            spare_physics: Vec::new(),
            spare_images: Vec::new(),
            stage,
        };
        if room.obstacles.is_empty() {
            let Self { base, base_sensors, stage, .. } = &mut room;
            stage.save_vehicles(base);
            save(stage, base_sensors);
        }
        Ok(room)
    }

    /// Returns whether members at different steps can be in one block.
    pub fn mixes_steps(&self) -> bool {
        self.mixes_steps
    }

    /// Returns a number that is the same for members that can be in one block if they are to take as many steps, given the
    /// number of completed steps of one.
    pub fn steps_key(&self, steps: u64) -> u64 {
        if self.mixes_steps { 0 } else { steps }
    }

    pub fn forget_start(&mut self) {
        self.start = None;
    }

    /// Brings a member to its start, as numbers. `may_differ` is whether the start may differ from the last one. A
    /// member that cannot share tables at its start gets a simulation of its own, and there are no numbers.
    pub fn start<V: Variants>(
        &mut self,
        variants: &V,
        member: &mut EnsembleMember,
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
        load(stage, base_sensors, None);
        stage.begin_visit(0, member.seed);
        let failure = variants.start(member.number, stage)?;
        if failure.is_some() || !stage.can_share() {
            member.start = None;
            self.move_out(variants, member)?;
            member.failure = failure;
            return Ok(None);
        }
        let start = Arc::new(self.as_start(member.seed));
        if alike {
            self.start = Some(Arc::clone(&start));
        }
        member.start = Some(Arc::clone(&start));
        Ok(Some(start))
    }

    /// Returns the state on the stage as a start.
    fn as_start(&self, seed: u64) -> Start {
        let stage = &self.stage;
        let (mut image, mut sensors) = (Image::default(), SensorState::default());
        stage.save_vehicles(&mut image);
        save(stage, &mut sensors);
        let (steps, due) = (stage.clock.steps, next_due(stage));
        Start { image, sensors, steps, due, seed: self.draws.then_some(seed) }
    }

    /// Calls `look` with a member, as it is, on the stage.
    pub fn show<R>(
        &mut self,
        member: &mut EnsembleMember,
        look: impl FnOnce(&Simulation) -> R,
    ) -> R {
        self.put_on_stage(member, false);
        let found = look(&self.stage);
        if let Some(own) = &mut member.encounter {
            std::mem::swap(&mut self.stage.physics, own);
        }
        found
    }

    /// Puts a member, as it is, on the stage.
    pub fn enter(&mut self, member: &mut EnsembleMember) {
        self.enter_for(member, false);
    }

    /// Puts a member, as it is, on the stage. If it is there to sample its sensors, readings that are about to be replaced
    /// are left out.
    pub fn enter_for(&mut self, member: &mut EnsembleMember, sampling: bool) {
        self.put_on_stage(member, sampling);
        if let Home::Lanes { block, slot } = member.home {
            self.blocks[block].part(slot);
        }
        self.spare_physics.extend(member.encounter.take());
    }

    /// Puts a member, as it is, on the stage. If it has a world of rapier, the stage and the member exchange theirs.
    fn put_on_stage(&mut self, member: &mut EnsembleMember, sampling: bool) {
        let stage = &mut self.stage;
        let meets = member.encounter.is_some();
        if let Some(own) = &mut member.encounter {
            std::mem::swap(&mut stage.physics, own);
        }
        match &member.home {
            Home::Lanes { block, slot } => {
                let block = &self.blocks[*block];
                let places = block.lanes(*slot).map(|[table, lane, own]| {
                    stage.tables[table].put_vehicle(lane, &block.tables[table], own);
                    block.bodies[table][own]
                });
                stage.physics.load(places, meets);
            }
            Home::Parked(image) => {
                stage.load_tables(image);
                stage.physics.load(image.bodies.iter().copied(), meets);
            }
            Home::Own(_) | Home::None => {}
        }
        let now = Clock { steps: member.steps, ..stage.clock };
        load(stage, &member.sensors, sampling.then_some(&now));
        stage.begin_visit(member.steps, member.seed);
    }

    /// Samples the sensors of a member in a block, of whose vehicles only what they read is put on the stage. Returns
    /// false, and leaves the member as it is, if the whole member has to be put there: where a sample needs more, and
    /// after a fault.
    pub fn sample_in_block(&mut self, member: &mut EnsembleMember) -> bool {
        let Self { stage, blocks, .. } = self;
        let (Some(parts), Home::Lanes { block, slot }) = (&self.sampled_parts, &member.home) else {
            return false;
        };
        let block = &blocks[*block];
        for [table, lane, own] in block.lanes(*slot) {
            stage.tables[table].put_parts(lane, (&block.tables[table], &parts[table]), own);
        }
        let now = Clock { steps: member.steps, ..stage.clock };
        load(stage, &member.sensors, Some(&now));
        stage.begin_visit(member.steps, member.seed);
        if stage.sample().is_err() || !stage.faults.is_empty() {
            return false;
        }
        save(stage, &mut member.sensors);
        member.due = next_due(stage);
        true
    }

    /// Puts a member, as it was before the last run of its block, on the stage.
    pub fn enter_kept(&mut self, member: &mut EnsembleMember, block: usize, slot: usize) {
        let Self { stage, blocks, kept, spare_physics, .. } = self;
        let block = &mut blocks[block];
        spare_physics.extend(member.encounter.take());
        // no sample is due before the run
        load(stage, &member.sensors, None);
        match block.take_past(slot) {
            Some(past) => past.repeat(stage, member.steps, member.seed),
            None => {
                let places = block.lanes(slot).map(|[table, lane, own]| {
                    let from = (&block.tables[table], &kept[table]);
                    stage.tables[table].put_kept_vehicle(lane, from, own)
                });
                stage.physics.load_free(places);
            }
        }
        for table in &mut stage.tables {
            table.vehicles.read_bodies(stage.physics.bodies(&table.vehicles.bodies));
        }
        load(stage, &member.sensors, None);
        stage.begin_visit(member.steps, member.seed);
    }

    /// Takes the state of a member from the stage, to where it was, and returns whether it can remain there. If only its
    /// sensors have sampled, `has_changed` is false.
    pub fn leave(&mut self, member: &mut EnsembleMember, has_changed: bool) -> bool {
        let Self { stage, blocks, spare_physics, .. } = self;
        if !stage.can_meet() {
            return false;
        }
        match &mut member.home {
            Home::Lanes { .. } if !has_changed && !stage.sensors.deliver_any() => {}
            Home::Lanes { block, slot } => blocks[*block].take(*slot, stage, member.seed),
            Home::Parked(image) => {
                image.clear();
                stage.save_vehicles(image);
            }
            Home::Own(_) | Home::None => {}
        }
        save(stage, &mut member.sensors);
        member.steps = stage.clock.steps;
        member.due = next_due(stage);
        member.encounter = take_encounter(&mut stage.physics, spare_physics);
        if let (Home::Lanes { block, slot }, Some(_)) = (&member.home, &member.encounter) {
            blocks[*block].join(*slot);
        }
        true
    }
}

/// Takes rapier's world, if something is near, and leaves one without an encounter.
pub(super) fn take_encounter(
    from: &mut Physics,
    spare: &mut Vec<Box<Physics>>,
) -> Option<Box<Physics>> {
    from.has_solved().then(|| {
        let mut other = spare.pop().unwrap_or_else(|| Box::new(from.without_encounter()));
        std::mem::swap(from, &mut other);
        other
    })
}

/// Returns why the members of a variant cannot share tables.
fn obstacles<V: Variants>(
    variants: &V,
    variant: usize,
    stage: &Simulation,
) -> Result<Vec<String>, V::Error> {
    let mut obstacles = sharing::obstacles(stage);
    if obstacles.is_empty() {
        let tables = variants.build_tables(variant, 2)?.0;
        let mut pairs = stage.tables.iter().zip(&tables);
        if stage.tables.len() != tables.len() || !pairs.all(|(one, two)| one.is_alike(two)) {
            obstacles.push("the tables of several members differ from those of one".to_owned());
        }
    }
    Ok(obstacles)
}
