//! Batches: many members of one world, with differences, that are stepped together.
//!
//! A member is a complete run of the world: what it computes is what a [`Simulation`] of its own computes, bit for
//! bit. Members are divided into *chunks*, each of which one thread steps at a time. A chunk has a group for each
//! [variant](Variants) of the world that its members have. A member of a group is in one of two places:
//!
//! | Place | Holds | Steps |
//! |---|---|---|
//! | lanes of a *block* | its vehicles, in tables as wide as the block | with all others of the block |
//! | *detached* | everything, in a simulation of its own, which shares what never changes with the others | by itself |
//!
//! A member is detached while something is near one of its vehicles, after a model has faulted, and where no block is worth
//! its memory. In a world whose members [cannot share tables](WorldBatch::why_not_shared), all are detached.
//!
//! The members of a block take the same number of steps. They are at the same step, unless all models are time-invariant:
//! then members whose episodes have begun at different times are together.
//!
//! What concerns more than tables – samples of sensors, the start, reading what tables do not have – is done in the
//! *proxy* of the group, a simulation that takes the state of one member after the other.

mod access;
mod block;
mod chunk;
mod group;
mod image;
mod member;
mod places;
mod reading;
mod selection;
mod sharing;
mod slots;
mod steps;
mod variants;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use simhost_world::World;

use crate::build::BuildError;
use crate::simulation::Simulation;
use crate::step::StepError;
use crate::workers::Workers;

pub use access::WideView;
use chunk::Chunk;
use group::VariantGroup;
pub use member::BatchProgress;
pub use reading::ColumnView;
pub use selection::MemberQuantities;
pub use steps::StepGoals;
pub use variants::{Variants, WideTables};

/// Largest number of members of a chunk. Where members at different steps are in different blocks, these have more members in
/// large chunks.
const MEMBERS_PER_CHUNK: usize = 4096;
/// Number of chunks for each of several threads, so that one that is late has less to do.
const CHUNKS_PER_THREAD: usize = 4;
/// Smallest number of members of a variant in a chunk, as long as there is a chunk for each thread.
const LEAST_PER_CHUNK: usize = 64;

/// Members that are put back to their starts.
#[derive(Clone, Copy)]
pub struct ResetMask<'m> {
    /// Whether each member is.
    pub members: &'m [bool],
    /// Whether the start of a member may differ from the last one.
    pub have_changed: bool,
}

/// Many members of one world.
pub struct WorldBatch<V: Variants> {
    variants: V,
    chunks: Vec<Chunk>,
    /// Number of members of all chunks but the last.
    chunk_size: usize,
    count: usize,
    workers: Workers,
}

/// One turn with all members; see [`WorldBatch::exchange`].
pub struct BatchExchange<'e, T, F> {
    /// Index of the vehicle that gets the command.
    pub vehicle: usize,
    /// Kind of the command.
    pub kind: &'e str,
    /// Numbers of the command, for one member after the other.
    pub values: &'e [f64],
    /// Numbers of steps.
    pub steps: StepGoals<'e>,
    /// Members that are put back to their starts after the steps.
    pub reset: Option<ResetMask<'e>>,
    /// What is read afterwards.
    pub quantities: &'e MemberQuantities,
    /// Gets a row for each member.
    pub to: &'e mut [T],
    /// Turns a value into an entry of `to`.
    pub convert: &'e F,
}

impl<V: Variants> WorldBatch<V> {
    /// Creates `count` members at their starts. Their results depend neither on `count` nor on the number of threads.
    ///
    /// # Errors
    /// The first error of [`Variants`].
    pub fn new(variants: V, count: usize, threads: usize) -> Result<Self, V::Error> {
        // more threads than members would only wait
        let threads = threads.min(count).max(1);
        let started = Workers::new(threads);
        let workers =
            started.map_err(|source| V::Error::from(BuildError::Threads { threads, source }))?;
        let chunk_size = chunk_size(&variants, count, threads);
        let mut chunks: Vec<Chunk> = (0..count)
            .step_by(chunk_size)
            .map(|first| Chunk::new(first..count.min(first + chunk_size)))
            .collect();
        for_each(&workers, chunks.iter_mut(), |chunk| chunk.open(&variants))?;
        Ok(Self { variants, chunks, chunk_size, count, workers })
    }

    /// Returns the number of members.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the variants.
    pub fn variants(&self) -> &V {
        &self.variants
    }

    /// Returns the variants, to change the start of members before [`Self::reset`].
    pub fn variants_mut(&mut self) -> &mut V {
        &mut self.variants
    }

    /// Returns the number of completed steps of a member.
    ///
    /// # Panics
    /// Panics if there is no such member.
    pub fn steps(&self, member: usize) -> u64 {
        let (chunk, index) = self.place(member);
        self.chunks[chunk].members[index].steps
    }

    /// Returns the number of completed steps of a member before the last call of [`Self::step`].
    ///
    /// # Panics
    /// Panics if there is no such member.
    pub fn steps_before(&self, member: usize) -> u64 {
        let (chunk, index) = self.place(member);
        let chunk = &self.chunks[chunk];
        chunk.befores[index].min(chunk.members[index].steps)
    }

    /// Returns the error with which a step of a member has failed. Such a member stands still until it is reset.
    ///
    /// # Panics
    /// Panics if there is no such member.
    pub fn failure(&self, member: usize) -> Option<&StepError> {
        let (chunk, index) = self.place(member);
        self.chunks[chunk].members[index].failure.as_ref()
    }

    /// Returns why the members cannot share tables; nothing if they do.
    pub fn why_not_shared(&self) -> &[String] {
        self.chunks.first().map_or(&[], Chunk::why_not_shared)
    }

    /// Returns the number of members that are detached at present.
    pub fn detached(&self) -> usize {
        self.chunks.iter().map(Chunk::detached).sum()
    }

    /// Takes steps. Members whose step fails stand still from then on.
    ///
    /// # Errors
    /// The first error of [`Variants`].
    pub fn step(&mut self, steps: StepGoals<'_>) -> Result<BatchProgress, V::Error> {
        let Self { variants, chunks, workers, .. } = self;
        let variants = &*variants;
        for_each(workers, chunks.iter_mut(), |chunk| chunk.step(variants, steps))?;
        Ok(self.progress())
    }

    /// Sets a command of all members, takes steps, puts those of a mask back to their starts, and reads quantities:
    /// [`Self::command`], [`Self::step`], [`Self::reset`] and [`Self::read`] in one, for which threads meet once. The variants
    /// may be those after the reset already.
    ///
    /// `look` gets the numbers of the members of a chunk before that, and returns a function that the thread which has read
    /// their rows calls with these.
    ///
    /// # Errors
    /// The first error of [`Variants`]. Other members can have taken their steps then.
    ///
    /// # Panics
    /// Panics if the matrix has another size than a row of [`MemberQuantities::width`] numbers, at least 1, for each member.
    pub fn exchange<T: Copy + Send, L: FnOnce(&[T]) + Send>(
        &mut self,
        of: BatchExchange<'_, T, impl Fn(f64) -> T + Sync>,
        look: impl FnMut(Range<usize>) -> L,
    ) -> Result<BatchProgress, V::Error> {
        let BatchExchange { vehicle, kind, values, steps, reset, quantities, to, convert } = of;
        let width = quantities.width();
        assert_eq!(to.len(), width * self.count, "a row for each member");
        let Self { variants, chunks, chunk_size, count, workers } = self;
        let (variants, of_member) = (&*variants, values.len() / (*count).max(1));
        let rows = to.chunks_mut(width * *chunk_size);
        let looks: Vec<L> = chunks.iter().map(|chunk| chunk.range.clone()).map(look).collect();
        let parts = chunks.iter_mut().zip(rows).zip(looks);
        for_each(workers, parts, |((chunk, rows), look)| {
            let own = &values[chunk.range.start * of_member..chunk.range.end * of_member];
            chunk.command(vehicle, kind, own);
            chunk.step(variants, steps)?;
            if let Some(ResetMask { members, have_changed }) = reset {
                chunk.reset(variants, &|member| members[member], &|_| have_changed)?;
            }
            chunk.read(quantities, rows, convert);
            look(rows);
            Ok::<(), V::Error>(())
        })?;
        Ok(self.progress())
    }

    /// Returns how far the members are.
    fn progress(&self) -> BatchProgress {
        self.chunks.iter().fold(BatchProgress::default(), |all, chunk| BatchProgress {
            most_steps: all.most_steps.max(chunk.progress.most_steps),
            has_failures: all.has_failures | chunk.progress.has_failures,
        })
    }

    /// Puts the members for which `is_reset` returns true back to their starts. `has_changed` returns whether the
    /// start of a member may differ from the last one.
    ///
    /// # Errors
    /// The first error of [`Variants`].
    pub fn reset(
        &mut self,
        is_reset: &(impl Fn(usize) -> bool + Sync),
        has_changed: &(impl Fn(usize) -> bool + Sync),
    ) -> Result<(), V::Error> {
        let Self { variants, chunks, workers, .. } = self;
        let variants = &*variants;
        for_each(workers, chunks.iter_mut(), |chunk| chunk.reset(variants, is_reset, has_changed))
    }

    /// Forgets the starts of all members, because what they depend on has changed. The members stay where they are
    /// until the next [`Self::reset`].
    pub fn forget_starts(&mut self) {
        self.chunks.iter_mut().for_each(Chunk::forget_starts);
    }

    /// Returns the variants that members have, in ascending order, each with its world and a simulation of it.
    pub fn present_variants(&self) -> impl Iterator<Item = (&World, &Simulation)> {
        let groups = self.chunks.iter().flat_map(|chunk| &chunk.groups);
        let by_number: BTreeMap<usize, &VariantGroup> =
            groups.map(|group| (group.variant, group)).collect();
        by_number.into_values().map(|group| (&*group.world, &group.proxy))
    }

    /// Calls `look` with a simulation in the state of a member.
    ///
    /// # Panics
    /// Panics if there is no such member.
    pub fn look<R>(&mut self, member: usize, look: impl FnOnce(&Simulation) -> R) -> R {
        let (chunk, index) = self.place(member);
        self.chunks[chunk].look(index, look)
    }

    /// Calls `edit` with a simulation in the state of a member, which then is the state of the member.
    ///
    /// # Errors
    /// The error of [`Variants`], if the parameters of the member cannot be set.
    ///
    /// # Panics
    /// Panics if there is no such member.
    pub fn edit<R>(
        &mut self,
        member: usize,
        edit: impl FnOnce(&mut Simulation) -> R,
    ) -> Result<R, V::Error> {
        let (chunk, index) = self.place(member);
        let Self { variants, chunks, .. } = self;
        chunks[chunk].edit(variants, index, edit)
    }

    /// Reads quantities of all members into a matrix with [`MemberQuantities::width`] numbers for each, which `convert`
    /// gives their type.
    ///
    /// # Panics
    /// Panics if the matrix has another size.
    pub fn read<T: Copy + Send>(
        &mut self,
        quantities: &MemberQuantities,
        to: &mut [T],
        convert: &(impl Fn(f64) -> T + Sync),
    ) {
        let width = quantities.width();
        assert_eq!(to.len(), width * self.count, "a row for each member");
        let crew = self.workers.crew(self.chunks.len() > 1);
        let rows = to.chunks_mut(width.max(1) * self.chunk_size);
        crew.for_each(self.chunks.iter_mut().zip(rows), |(chunk, rows)| {
            chunk.read(quantities, rows, convert);
        });
    }

    /// Reads quantities of a member.
    ///
    /// # Panics
    /// Panics if there is no such member.
    pub fn read_one(&mut self, member: usize, quantities: &MemberQuantities, to: &mut Vec<f64>) {
        let (chunk, index) = self.place(member);
        self.chunks[chunk].read_one(index, quantities, to);
    }

    /// Sets a command of all members, which acts from the next step on: kind and vehicle, which is indexed as in
    /// [`Simulation::vehicle_names`], and the values of one member after the other. Unknown kinds are ignored.
    pub fn command(&mut self, vehicle: usize, kind: &str, values: &[f64]) {
        let Self { chunks, workers, count, .. } = self;
        let width = values.len() / (*count).max(1);
        let crew = workers.crew(chunks.len() > 1);
        crew.for_each(chunks.iter_mut(), |chunk| {
            let own = &values[chunk.range.start * width..chunk.range.end * width];
            chunk.command(vehicle, kind, own);
        });
    }

    /// Returns the tables that members share. Detached members are in none.
    pub fn views(&self) -> impl Iterator<Item = WideView<'_>> {
        self.chunks.iter().flat_map(Chunk::views)
    }

    /// Returns the simulation of a member, if it is detached.
    ///
    /// # Panics
    /// Panics if there is no such member.
    pub fn simulation_of(&self, member: usize) -> Option<&Simulation> {
        let (chunk, index) = self.place(member);
        self.chunks[chunk].simulation_of(index)
    }

    fn place(&self, member: usize) -> (usize, usize) {
        assert!(member < self.count, "member {member} of {}", self.count);
        (member / self.chunk_size, member % self.chunk_size)
    }
}

/// Returns the number of members of each chunk but the last.
fn chunk_size(variants: &impl Variants, count: usize, threads: usize) -> usize {
    let of_thread = count.div_ceil(threads);
    let of_chunk = match threads {
        1 => of_thread,
        _ => {
            let kinds: BTreeSet<_> = (0..count).map(|member| variants.variant_of(member)).collect();
            let least = LEAST_PER_CHUNK.saturating_mul(kinds.len());
            of_thread.div_ceil(CHUNKS_PER_THREAD).max(least).min(of_thread)
        }
    };
    of_chunk.clamp(1, MEMBERS_PER_CHUNK)
}

/// Calls `work` for each chunk, or what concerns it, on all threads.
///
/// # Errors
/// That of the first chunk that has one.
fn for_each<T: Send, E: Send>(
    workers: &Workers,
    chunks: impl ExactSizeIterator<Item = T> + Send,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let first = Mutex::new(None::<(usize, E)>);
    let crew = workers.crew(chunks.len() > 1);
    crew.for_each(chunks.enumerate(), |(number, chunk)| {
        if let Err(error) = work(chunk) {
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            if first.as_ref().is_none_or(|(known, _)| number < *known) {
                *first = Some((number, error));
            }
        }
    });
    let first = first.into_inner().unwrap_or_else(PoisonError::into_inner);
    first.map_or(Ok(()), |(_, error)| Err(error))
}

#[cfg(test)]
mod tests;
