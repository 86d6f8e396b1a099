//! Ensembles: one world many times, with differences.

mod command_input;
mod event;
mod member;
mod options;
mod random_values;
mod selection;
mod sessions;
mod status;
mod steps;
mod variants;
mod verify;

use std::collections::BTreeMap;
use std::path::Path;

use simhost_engine::{Patterns, Quantities, Snapshot, Variants, WorldBatch};

use crate::error::{EnsembleError, Error};
use crate::session::{Session, SessionRecord, set_state};
use crate::variation::{Differences, DrawStream, VariedValue};
use command_input::Commands;
use status::MemberEnds;
use variants::Starts;

pub use event::MemberEvent;
pub use member::Member;
pub use options::EnsembleOptions;
pub use random_values::shared_random_values;
pub use selection::{Selected, TableView};
pub use status::MemberEnd;
pub use steps::Exchange;
pub(crate) use steps::last_step;
pub use verify::MemberDifference;

/// Memory of a member without vehicles, and of each vehicle and each ray of a sensor, bytes. Measured, and rounded up.
const MEMBER_MEMORY: u64 = 1024;
const VEHICLE_MEMORY: u64 = 8 * 1024;
const RAY_MEMORY: u64 = 64;
/// Number of the last step whose commands are recorded before an ensemble runs that observers end.
const MOST_RECORDED: u64 = 1 << 26;
/// Memory of a member that cannot share tables, bytes.
const OWN_MEMORY: u64 = 192 * 1024;

/// One world many times, with differences, stepped together.
///
/// Members are numbered from 0. Each is a complete run of the world: its results are bit-identical
/// to a [`Session`] with the same calls, for any number of members and threads. Members neither
/// touch nor see each other.
///
/// ```
/// use simhost::{Ensemble, EnsembleOptions};
///
/// # fn main() -> Result<(), simhost::Error> {
/// # let world = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");
/// let options = EnsembleOptions::members(8).vary("robot/friction/mu=uniform:0.3:1.0".parse()?);
/// let mut ensemble = Ensemble::open(world, options)?;
/// ensemble.step(100)?;
/// let poses = ensemble.select(["robot/pose"])?;
/// let mut matrix = vec![0.0; ensemble.members() * poses.width()];
/// ensemble.read(&poses, &mut matrix)?;
/// let mut session = ensemble.member(3)?.to_session()?;
/// assert_eq!(session.steps(), 100);
/// # Ok(())
/// # }
/// ```
pub struct Ensemble {
    /// The world without differences, before its first step or in the state from which the members start.
    session: Session,
    members: WorldBatch<Starts>,
    /// Members that are separate sessions, with sinks or observers.
    sessions: BTreeMap<usize, Session>,
    ends: MemberEnds,
    /// Number of the last step of the world.
    last: u64,
    /// Number of completed steps of each of these sessions before the last steps.
    befores: BTreeMap<usize, u64>,
    /// Commands that have been set.
    commands: Commands,
}

/// The state of all members.
#[derive(Clone)]
pub struct EnsembleSnapshot {
    members: Vec<(Snapshot, DrawStream, Option<MemberEnd>)>,
}

impl Ensemble {
    /// Opens a world file. All members are at their starts.
    ///
    /// # Errors
    /// [`Error`] as [`Session::open`], [`Error::Variation`] if a difference does not fit the world, and
    /// [`EnsembleError::Memory`] if the members need more memory than the options allow.
    pub fn open(path: impl AsRef<Path>, options: EnsembleOptions) -> Result<Self, Error> {
        let session = Session::open(path, options.session.clone())?;
        Self::from_session(session, options)
    }

    /// Opens a world from the text of a world file, as [`Session::from_text`] does.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_text(
        text: &str,
        path: impl AsRef<Path>,
        options: EnsembleOptions,
    ) -> Result<Self, Error> {
        let session = Session::from_text(text, path, options.session.clone())?;
        Self::from_session(session, options)
    }

    /// Takes a session before its first step. All members are at the starts of their worlds, and
    /// have the commands and the edits of the session. The options of the session are not used; its
    /// output folder, if it has one, becomes the folder of [`Self::record`].
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_session(session: Session, options: EnsembleOptions) -> Result<Self, Error> {
        let EnsembleOptions { members, variations, max_memory, .. } = options;
        session.check_planned()?;
        check_memory(&session, members, max_memory)?;
        let seed = session.world().seed();
        let differences = Differences::new(variations, &session, members, seed)?;
        let starts = Starts::of(&session, differences)?;
        Self::new(session, starts)
    }

    fn new(session: Session, starts: Starts) -> Result<Self, Error> {
        let members = starts.differences.members();
        let threads = starts.options.threads;
        let clock = session.simulation().clock();
        let last = session.duration().map_or(u64::MAX, |end| clock.last_step(end).0);
        let members = WorldBatch::new(starts, members, threads)?;
        let ends = MemberEnds::none(members.count());
        let sessions = BTreeMap::new();
        let mut ensemble = Self {
            session,
            members,
            sessions,
            ends,
            last,
            befores: BTreeMap::new(),
            commands: Commands::default(),
        };
        if ensemble.session.has_observers() {
            for number in 0..ensemble.members() {
                ensemble.session_of(number)?;
            }
        }
        ensemble.ends.note(&ensemble.members, &ensemble.sessions, ensemble.last);
        if let Some(shared) = ensemble.shared_random_values() {
            tracing::warn!("members share the random values of the world file: {shared}");
        }
        Ok(ensemble)
    }

    /// Ends members after a number of steps in place of the duration of the world; `None` for never.
    pub fn end_after(&mut self, steps: Option<u64>) {
        self.last = steps.unwrap_or(u64::MAX);
        for member in 0..self.members() {
            if self.ends.all()[member] == Some(MemberEnd::Duration) {
                self.ends.set(member, None);
            }
        }
        self.ends.note(&self.members, &self.sessions, self.last);
    }

    /// Returns access to the record of the ensemble in the output folder of its session: the world and a manifest.
    /// A program announces the files that it writes to the folder, so that a later run removes them.
    pub fn record(&mut self) -> SessionRecord<'_> {
        self.session.record()
    }

    /// Starts the record, with the commands that all members get.
    ///
    /// # Errors
    /// [`Error::Output`] if a file cannot be written.
    pub fn start_record(&mut self) -> Result<(), Error> {
        self.session.record().start()?;
        self.session.record_commands(self.last.min(MOST_RECORDED))
    }

    /// Returns the session of the world without differences, before its first step or in the state from which the
    /// members start.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the number of members.
    pub fn members(&self) -> usize {
        self.members.count()
    }

    /// Returns the world without differences.
    pub fn world(&self) -> &crate::EditableWorld {
        self.session.world()
    }

    /// Returns access to a member.
    ///
    /// # Errors
    /// [`EnsembleError::Member`] if there is no such member.
    pub fn member(&mut self, number: usize) -> Result<Member<'_>, Error> {
        check_member(number, self.members())?;
        Ok(Member { ensemble: self, number })
    }

    /// Returns the names of the variations, in their order.
    pub fn variations(&self) -> impl ExactSizeIterator<Item = &str> {
        self.members.variants().differences.columns()
    }

    /// Returns the present value of each variation for a member.
    ///
    /// # Errors
    /// [`EnsembleError::Member`] if there is no such member.
    pub fn values(&self, member: usize) -> Result<Vec<VariedValue>, Error> {
        check_member(member, self.members())?;
        let Starts { differences, streams, .. } = self.members.variants();
        Ok(differences.values_in(streams[member], member))
    }

    /// Returns why the members cannot share tables and are stepped one by one; nothing if they share them. The
    /// results are the same.
    pub fn why_not_shared(&self) -> &[String] {
        self.members.why_not_shared()
    }

    /// Returns the number of members that have a simulation of their own at present, because something is near one of their
    /// vehicles, a model has faulted, or they cannot share tables.
    pub fn apart(&self) -> usize {
        self.members.detached()
    }

    /// Returns why each member stands still, if it does.
    pub fn ends(&self) -> &[Option<MemberEnd>] {
        self.ends.all()
    }

    /// Returns whether any member stands still.
    pub fn has_any_ended(&self) -> bool {
        self.ends.has_any()
    }

    /// Returns whether all members have ended.
    pub fn has_ended(&self) -> bool {
        self.ends.all().iter().all(Option::is_some)
    }

    /// Puts members back to their starts. `seeds` are their new seeds; without them, members keep theirs. Differences
    /// with random distributions are drawn anew.
    ///
    /// # Errors
    /// [`EnsembleError::Shape`] if the mask or the seeds do not have one value per member, and [`Error`] if a drawn
    /// value is not accepted.
    pub fn reset(&mut self, mask: &[bool], seeds: Option<&[u64]>) -> Result<(), Error> {
        check_length(self.members(), "the mask", mask.len(), 1)?;
        if let Some(seeds) = seeds {
            check_length(self.members(), "the list of seeds", seeds.len(), 1)?;
        }
        let own = self.members.variants_mut().seeds.iter_mut().zip(mask).enumerate();
        for (member, (own, _)) in own.filter(|(_, (_, reset))| **reset) {
            *own = seeds.map_or(*own, |seeds| Some(seeds[member]));
        }
        self.start_again(mask)
    }

    /// Lets the members for which `mask` is true draw from other streams from the next reset on, as the members with these
    /// numbers do in their resets: a member can repeat its draws, and members with one stream have the same.
    ///
    /// # Errors
    /// [`EnsembleError::Shape`] if the mask or the numbers do not have one value per member.
    pub fn set_streams(&mut self, mask: &[bool], numbers: &[u64]) -> Result<(), Error> {
        check_length(self.members(), "the mask", mask.len(), 1)?;
        check_length(self.members(), "the list of streams", numbers.len(), 1)?;
        let own = self.members.variants_mut().streams.iter_mut();
        for ((own, number), _) in own.zip(numbers).zip(mask).filter(|(_, is_set)| **is_set) {
            *own = DrawStream { number: *number, resets: 0 };
        }
        Ok(())
    }

    /// Puts members back to their starts, and draws random differences anew.
    fn start_again(&mut self, mask: &[bool]) -> Result<(), Error> {
        let have_changed = self.members.variants_mut().draw_again(mask)?;
        self.members.reset(&|member| mask[member], &|_| have_changed)?;
        let mut apart: Vec<usize> = self.sessions.keys().copied().collect();
        apart.retain(|member| mask[*member]);
        for member in apart {
            sessions::restart(self, member)?;
        }
        self.ends.resume(mask);
        self.ends.note(&self.members, &self.sessions, self.last);
        Ok(())
    }

    /// Takes a snapshot of all members.
    ///
    /// # Errors
    /// [`Error::Snapshot`] if a model fails to save its memory.
    pub fn snapshot(&mut self) -> Result<EnsembleSnapshot, Error> {
        let mut members = Vec::with_capacity(self.members());
        for number in 0..self.members() {
            let snapshot = self.member(number)?.snapshot()?;
            let stream = self.members.variants().streams[number];
            members.push((snapshot, stream, self.ends.all()[number].clone()));
        }
        Ok(EnsembleSnapshot { members })
    }

    /// Returns to a snapshot of this ensemble.
    ///
    /// # Errors
    /// [`EnsembleError::Shape`] if it has another number of members, and [`Error::Restore`] if it does not fit.
    pub fn restore(&mut self, snapshot: &EnsembleSnapshot) -> Result<(), Error> {
        check_length(self.members(), "the snapshot", snapshot.members.len(), 1)?;
        for (number, (state, stream, end)) in snapshot.members.iter().enumerate() {
            self.members.variants_mut().streams[number] = *stream;
            self.member(number)?.restore(state)?;
            self.ends.set(number, end.clone());
        }
        Ok(())
    }
}

/// Checks the number of a member.
fn check_member(found: usize, members: usize) -> Result<(), Error> {
    match found < members {
        true => Ok(()),
        false => Err(EnsembleError::Member { found, members }.into()),
    }
}

/// Checks that a list has `width` values per member.
pub(crate) fn check_length(
    members: usize,
    what: impl std::fmt::Display,
    found: usize,
    width: usize,
) -> Result<(), Error> {
    let expected = members * width;
    if found == expected {
        return Ok(());
    }
    let shape = match width {
        1 => format!("one for each of {members} members"),
        _ => format!("{members} members × {width} values"),
    };
    Err(EnsembleError::Shape { what: what.to_string(), found, expected, shape }.into())
}

/// Checks that the members do not need more memory than is allowed.
fn check_memory(session: &Session, members: usize, most: u64) -> Result<(), Error> {
    let simulation = session.simulation();
    let rays: usize = simulation.samples().ray_count();
    let each = MEMBER_MEMORY
        + VEHICLE_MEMORY * simulation.vehicle_names().len() as u64
        + RAY_MEMORY * rays as u64;
    let each = if simulation.why_not_shared().is_empty() { each } else { each + OWN_MEMORY };
    let needed = each.saturating_mul(members as u64);
    if needed > most {
        return Err(EnsembleError::Memory { members, needed, most }.into());
    }
    Ok(())
}

impl Session {
    /// Returns an ensemble whose members start from the present state of this session, with its
    /// seed. Members also have the planned commands. Of the options of sessions, only the number of
    /// threads is used.
    ///
    /// # Errors
    /// As [`Ensemble::open`], and [`Error::Snapshot`] if the state cannot be copied.
    pub fn ensemble(&mut self, options: EnsembleOptions) -> Result<Ensemble, Error> {
        let EnsembleOptions { members, variations, max_memory, session } = options;
        self.check_planned()?;
        check_memory(self, members, max_memory)?;
        let snapshot = self.snapshot()?;
        let (fork, seed) = (self.fork()?, self.world().seed());
        let differences = Differences::new(variations, &fork, members, seed)?;
        let mut starts = Starts::of(&fork, differences)?;
        starts.options.threads = session.threads;
        starts.seeds = vec![Some(seed); members];
        starts.snapshot = Some(snapshot);
        Ensemble::new(fork, starts)
    }
}

impl Ensemble {
    /// Lets all members start from the present state of a session, as in [`Session::ensemble`],
    /// without rebuilding anything. Differences with random distributions are drawn anew. The
    /// planned commands are the commands with which the ensemble was opened.
    ///
    /// # Errors
    /// [`EnsembleError::Edited`] if the world of the session has other edits, [`Error::Restore`] if it is another
    /// world, [`Error::Snapshot`] if the state cannot be copied, and [`Error`] if a drawn value is not accepted.
    pub fn restart(&mut self, session: &mut Session) -> Result<(), Error> {
        let snapshot = session.snapshot()?;
        if snapshot.edits() != self.session.simulation().edits() {
            return Err(EnsembleError::Edited.into());
        }
        self.session.restore(&snapshot)?;
        let starts = self.members.variants_mut();
        starts.seeds.fill(Some(session.world().seed()));
        starts.snapshot = Some(snapshot);
        self.members.forget_starts();
        self.start_again(&vec![true; self.members()])
    }

    /// Sets a command of all members, which acts from the next step on. `input` is an input stream such as
    /// `robot/cmd_vel`; `values` has one row per member, with the values of the command in its order and units.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such command; [`EnsembleError::Shape`] with the expected
    /// shape, and [`EnsembleError::NotFinite`] with member and index. Nothing then changes.
    pub fn set(&mut self, input: &str, values: &[f64]) -> Result<(), Error> {
        let command = self.checked_command(input, values)?;
        let command = &self.commands.found[command];
        self.members.command(command.number, &command.kind, values);
        command.send(&self.sessions, values)
    }

    /// Returns the index of a command among those that have been found, and checks its values.
    fn checked_command(&mut self, input: &str, values: &[f64]) -> Result<usize, Error> {
        let place = self.commands.find(&self.session, input)?;
        let width = &self.commands.found[place].width;
        check_length(self.members(), format_args!("'{input}'"), values.len(), *width)?;
        // without a branch per number
        let is_finite = values.iter().fold(true, |all, value| all & value.is_finite());
        if !is_finite && let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let (member, index) = (at / width, at % width);
            let what = format!("'{input}'");
            return Err(EnsembleError::NotFinite { what, member, index, found: values[at] }.into());
        }
        Ok(place)
    }

    /// Sets a state slot of a model or the spin of a wheel of all members, by the name of its quantity, as
    /// [`Edits::set_state`](crate::Edits::set_state) does. `values` has one number per member.
    ///
    /// # Errors
    /// [`Error::Quantity`] if there is no such quantity, [`EnsembleError::Shape`] with the expected shape, and
    /// [`Error::Input`] if it is not a state that can be set, or a value is not finite.
    pub fn set_state(&mut self, name: &str, values: &[f64]) -> Result<(), Error> {
        check_length(self.members(), format_args!("'{name}'"), values.len(), 1)?;
        let (world, pattern) = (self.session.description()?.world.clone(), Patterns::new([name]));
        let mut of_variant: Option<(usize, Quantities)> = None;
        for (member, value) in values.iter().enumerate() {
            if let Some(session) = self.sessions.get_mut(&member) {
                session.edit().set_state(name, *value)?;
                continue;
            }
            // the columns of a member are those of its variant
            let variant = self.members.variants().variant_of(member);
            let quantities = match of_variant.take().filter(|(known, _)| *known == variant) {
                Some((_, quantities)) => quantities,
                None => self.members.look(member, |simulation| {
                    Quantities::new(&world, simulation, |known| pattern.select(known))
                }),
            };
            if quantities.infos().is_empty() {
                self.session.quantities([name])?;
            }
            let set = |simulation: &mut _| set_state(&quantities, simulation, name, *value);
            self.members.edit(member, set)??;
            of_variant = Some((variant, quantities));
        }
        Ok(())
    }

    /// Returns the number of values that [`Self::set`] expects of each member.
    ///
    /// # Errors
    /// [`Error::Input`] with the nearest name if there is no such command.
    pub fn command_width(&mut self, input: &str) -> Result<usize, Error> {
        let place = self.commands.find(&self.session, input)?;
        Ok(self.commands.found[place].width)
    }
}
