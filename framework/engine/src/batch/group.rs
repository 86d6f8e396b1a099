//! Members of a chunk with the same variant of the world, and what they share.

use std::sync::Arc;

use simhost_world::World;

use super::block::Block;
use super::image::{Image, Start, next_due, save_sensors};
use super::member::{BatchMember, MemberPlace};
use super::sharing;
use super::variants::Variants;
use crate::simulation::Simulation;
use crate::step;
use crate::table::{Kept, Read, Table};

/// Members of a chunk with the same variant of the world, and what they share.
pub(super) struct VariantGroup {
    /// Number of the variant.
    pub variant: usize,
    /// World of the variant.
    pub world: Arc<World>,
    /// Simulation that takes the state of one member after the other, for what they cannot do in a block.
    pub proxy: Simulation,
    /// Why members cannot share tables.
    pub obstacles: Vec<String>,
    /// Whether members at different steps can be in one block.
    pub mixes_steps: bool,
    /// How the fields of the tables of a simulation of one member are read.
    pub reads: Vec<Vec<Read>>,
    /// Tables that members share.
    pub blocks: Vec<Block>,
    /// Number of vehicles of a member in each table.
    pub lanes: Vec<usize>,
    /// The state of each table of the last block that has taken steps, before these. One for all blocks stays in the caches.
    pub kept: Vec<Kept>,
    /// Number of completed steps after which each planned command acts, ascending.
    commands: Vec<u64>,
    /// For each table what of a vehicle a sample needs; `None` if it needs all.
    sampled_parts: Option<Vec<Vec<usize>>>,
    /// State before the first measurement, which is the same for all members.
    origin: Arc<Start>,
    /// The start of the members that start alike.
    start: Option<Arc<Start>>,
    /// Whether a model draws random numbers, so that the start can depend on the seed.
    draws: bool,
    /// Simulations of members that are not detached any more.
    vacant: Vec<Box<Simulation>>,
    /// Buffer for a member on its way between blocks.
    moving: Image,
}

impl VariantGroup {
    /// Builds what the members of a variant share.
    pub fn new<V: Variants>(variants: &V, variant: usize) -> Result<Self, V::Error> {
        let proxy = variants.build(variant, 0)?;
        let obstacles = obstacles(variants, variant, &proxy)?;
        let origin = match obstacles.is_empty() {
            true => Start::of(&proxy.state, false),
            false => Arc::default(),
        };
        Ok(Self {
            variant,
            world: Arc::clone(variants.world(variant)),
            obstacles,
            mixes_steps: sharing::are_time_invariant(&proxy.state),
            reads: proxy.state.tables.iter().map(Table::reads).collect(),
            blocks: Vec::new(),
            lanes: proxy.state.tables.iter().map(|table| table.vehicles.lanes.len()).collect(),
            kept: Vec::new(),
            commands: sharing::command_steps(&proxy.state),
            sampled_parts: sharing::sampled_parts(&proxy.state),
            origin,
            start: None,
            draws: sharing::draws(&proxy.state),
            vacant: Vec::new(),
            moving: Image::default(),
            proxy,
        })
    }

    /// Returns a number that is the same for members that can be in one block if they are to take as many steps, given the
    /// number of completed steps of one.
    pub fn steps_key(&self, steps: u64) -> u64 {
        if self.mixes_steps { 0 } else { steps }
    }

    /// Returns the number of steps after `steps` completed ones until a planned command acts.
    pub fn steps_to_command(&self, steps: u64) -> u64 {
        let next = self.commands.partition_point(|step| *step < steps);
        self.commands.get(next).map_or(u64::MAX, |step| step - steps)
    }

    /// Lets the planned commands act that are due at the present step of a block.
    pub fn act_on_commands(&mut self, block: usize) {
        let Self { proxy, blocks, commands, .. } = self;
        let block = &mut blocks[block];
        let (now, due) = (block.steps, commands.iter().zip(&proxy.state.commands.resolved));
        for (_, command) in due.filter(|(step, _)| **step == now) {
            let of = &proxy.state.tables[command.table];
            for (column, value) in &command.values {
                block.set_all(of, command.table, command.lane, *column, *value);
            }
        }
    }

    /// Forgets the start of the members that start alike.
    pub fn forget_start(&mut self) {
        self.start = None;
    }

    /// Brings a member to its start. `may_differ` is whether the start may differ from the last one. A member that cannot
    /// share tables at its start is detached.
    pub fn begin<V: Variants>(
        &mut self,
        variants: &V,
        member: &mut BatchMember,
        may_differ: bool,
    ) -> Result<(), V::Error> {
        let fits = |start: &&Arc<Start>| start.seed.is_none_or(|seed| seed == member.seed);
        let own = member.start.as_ref().filter(fits).filter(|_| !may_differ);
        let alike = variants.starts_alike(member.number);
        let shared = || self.start.as_ref().filter(fits).filter(|_| alike);
        let start = match own.or_else(shared) {
            Some(start) => Arc::clone(start),
            None => {
                self.proxy.state.become_start(&self.origin, member.seed);
                let failure = variants.start(member.number, &mut self.proxy)?;
                if failure.is_some() || !self.proxy.state.can_share() {
                    let mut own = self.vacant_simulation(variants, member.seed)?;
                    std::mem::swap(&mut *own, &mut self.proxy);
                    (member.steps, member.start, member.failure) =
                        (own.state.clock.steps, None, failure);
                    member.place = MemberPlace::Detached(own);
                    return Ok(());
                }
                Start::of(&self.proxy.state, self.draws)
            }
        };
        if alike {
            self.start = Some(Arc::clone(&start));
        }
        member.sensors.copy_from(&start.sensors);
        (member.steps, member.due) = (start.steps, start.due);
        (member.start, member.place) = (Some(start), MemberPlace::Start);
        Ok(())
    }

    /// Returns a simulation of the variant, in any state.
    fn vacant_simulation<V: Variants>(
        &mut self,
        variants: &V,
        seed: u64,
    ) -> Result<Box<Simulation>, V::Error> {
        match self.vacant.pop() {
            Some(vacant) => Ok(vacant),
            None => Ok(Box::new(variants.build(self.variant, seed)?)),
        }
    }

    /// Gives a member a simulation of its own, in its present state, or, with `before`, in that before the last steps of its
    /// block.
    pub fn detach<V: Variants>(
        &mut self,
        variants: &V,
        member: &mut BatchMember,
        before: bool,
    ) -> Result<(), V::Error> {
        if member.is_detached() {
            return Ok(());
        }
        let mut own = self.vacant_simulation(variants, member.seed)?;
        variants.set_parameters(member.number, &mut own)?;
        match (&member.place, &member.start) {
            (MemberPlace::Lanes { block, slot }, _) => {
                let (block, slot) = (&mut self.blocks[*block], *slot);
                match before {
                    true => own.state.become_member_before(member, block, slot, &self.kept),
                    false => own.state.become_member(member, block, slot, false),
                }
                block.clear(slot);
            }
            (_, Some(start)) => own.state.become_start(start, member.seed),
            _ => {}
        }
        member.place = MemberPlace::Detached(own);
        Ok(())
    }

    /// Puts a member, wherever it is, into a vacant slot of a block.
    pub fn attach(&mut self, block: usize, slot: usize, index: usize, member: &mut BatchMember) {
        let was = std::mem::replace(&mut member.place, MemberPlace::Lanes { block, slot });
        let moving = &mut self.moving;
        moving.clear();
        match was {
            MemberPlace::Lanes { block, slot } => {
                self.blocks[block].save(slot, moving);
                self.blocks[block].clear(slot);
            }
            MemberPlace::Detached(own) => {
                own.state.save_vehicles(moving);
                save_sensors(&own.state, &mut member.sensors);
                (member.steps, member.due) = (own.state.clock.steps, next_due(&own.state));
                self.vacant.push(own);
            }
            MemberPlace::Start => {}
        }
        let image = match (&member.start, moving.bodies.is_empty()) {
            (Some(start), true) => &start.image,
            _ => moving,
        };
        self.blocks[block].put(slot, index, member.seed, member.steps, image);
        member.last = Some((block, slot));
    }

    /// Takes a member, which starts again or leaves, from its place.
    pub fn take_out(&mut self, member: &mut BatchMember) {
        match std::mem::replace(&mut member.place, MemberPlace::Start) {
            MemberPlace::Lanes { block, slot } => self.blocks[block].clear(slot),
            MemberPlace::Detached(own) if self.obstacles.is_empty() => self.vacant.push(own),
            MemberPlace::Detached(_) | MemberPlace::Start => {}
        }
    }

    /// Calls `look` with a simulation in the state of a member.
    pub fn look<R>(&mut self, member: &BatchMember, look: impl FnOnce(&Simulation) -> R) -> R {
        match &member.place {
            MemberPlace::Detached(own) => return look(own),
            MemberPlace::Lanes { block, slot } => {
                self.proxy.state.become_member(member, &self.blocks[*block], *slot, false);
            }
            MemberPlace::Start => {}
        }
        look(&self.proxy)
    }

    /// Samples the sensors of a member in a block. Returns false, and leaves the member as it is, if a model faults.
    pub fn sample(&mut self, member: &mut BatchMember) -> bool {
        let MemberPlace::Lanes { block, slot } = member.place else { return true };
        let Self { proxy, blocks, sampled_parts, .. } = self;
        match sampled_parts {
            Some(parts) => proxy.state.read_sampled(member, &blocks[block], slot, parts),
            None => proxy.state.become_member(member, &blocks[block], slot, true),
        }
        if step::sample(&mut proxy.state, &proxy.blueprint, &proxy.workers).is_err()
            || !proxy.state.faults.is_empty()
        {
            return false;
        }
        if proxy.state.sensors.deliver_to_vehicles() {
            blocks[block].take(slot, proxy, member.seed);
        }
        save_sensors(&proxy.state, &mut member.sensors);
        member.due = next_due(&proxy.state);
        true
    }
}

/// Returns why the members of a variant cannot share tables.
fn obstacles<V: Variants>(
    variants: &V,
    variant: usize,
    proxy: &Simulation,
) -> Result<Vec<String>, V::Error> {
    let mut obstacles = sharing::obstacles(&proxy.state);
    if obstacles.is_empty() {
        let tables = variants.build_tables(variant, 2)?.0;
        let mut pairs = proxy.state.tables.iter().zip(&tables);
        if proxy.state.tables.len() != tables.len() || !pairs.all(|(one, two)| one.is_alike(two)) {
            obstacles.push("the tables of several members differ from those of one".to_owned());
        }
    }
    Ok(obstacles)
}
