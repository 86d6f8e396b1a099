//! Quantities of all members as matrices.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use simhost_engine::{ColumnView, MemberQuantities, Quantities, QuantityInfo};
use simhost_world::World;

use super::{Ensemble, check_length};
use crate::error::Error;
use crate::session::Session;

/// Quantities that are read from all members at once, by name. A value that a member does not have is NaN.
pub struct Selected {
    quantities: MemberQuantities,
    /// Quantities with their places in members that are sessions.
    of_sessions: Mutex<BTreeMap<usize, BoundSession>>,
}

/// Quantities with their places in the simulation of a session, whose world is known by its address.
struct BoundSession {
    // no other world has the address as long as this exists
    world: Weak<World>,
    quantities: Quantities,
}

impl Selected {
    /// Returns the quantities in the order of their values.
    pub fn infos(&self) -> &[QuantityInfo] {
        self.quantities.infos()
    }

    pub(super) fn quantities(&self) -> &MemberQuantities {
        &self.quantities
    }

    /// Returns the number of values of a member.
    pub fn width(&self) -> usize {
        self.quantities.width()
    }

    /// Reads the quantities of the members that are sessions.
    pub(super) fn read_sessions<T>(
        &self,
        sessions: &BTreeMap<usize, Session>,
        to: &mut [T],
        convert: impl Fn(f64) -> T,
    ) -> Result<(), Error> {
        let (mut row, width) = (Vec::new(), self.width());
        for (member, session) in sessions {
            row.clear();
            self.read_session(*member, session, &mut row)?;
            let own = &mut to[member * width..][..width];
            own.iter_mut().zip(&row).for_each(|(to, value)| *to = convert(*value));
        }
        Ok(())
    }

    /// Appends the present values of a member that is a session.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if its description was dropped before the first call.
    pub(super) fn read_session(
        &self,
        member: usize,
        session: &Session,
        to: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let mut known = self.of_sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let simulation = session.simulation();
        // without a description, the world does not change
        let is_bound = |bound: &BoundSession| {
            let present = session.world().description();
            present.is_none_or(|world| std::ptr::eq(bound.world.as_ptr(), Arc::as_ptr(world)))
        };
        if !known.get(&member).is_some_and(is_bound) {
            let world = &session.description()?.world;
            let quantities = self.quantities.bind(world, simulation);
            known.insert(member, BoundSession { world: Arc::downgrade(world), quantities });
        }
        known[&member].quantities.read(simulation, to);
        Ok(())
    }
}

/// A table with the vehicles of members that are all at the same step, see [`Ensemble::views`].
pub struct TableView<'e> {
    table: simhost_engine::WideView<'e>,
    sessions: &'e BTreeMap<usize, Session>,
}

impl<'e> TableView<'e> {
    /// Returns the slots of the table that have members, and the numbers of the members.
    pub fn members(&self) -> impl Iterator<Item = (usize, usize)> {
        self.table.members().filter(|(_, member)| !self.sessions.contains_key(member))
    }

    /// Returns the column of the selected quantity with an index in [`Selected::infos`]. `None` for one that is not a
    /// column: one that is computed when it is read, such as a pose, a reading of a sensor, or one with several values.
    /// The numbers of slots without a member have no meaning.
    ///
    /// # Panics
    /// Panics if there is no such quantity.
    pub fn column(&self, selected: &Selected, index: usize) -> Option<ColumnView<'e>> {
        self.table.column(&selected.quantities, index)
    }
}

impl Ensemble {
    /// Selects quantities by patterns, such as `robot/pose` or `*/sensor/scan/range`, in the order of the world. Parameters
    /// can change the length of an array, such as the number of rays of a sensor: it has the length of the longest of all
    /// members at present, and the others have NaN at its end.
    ///
    /// # Errors
    /// [`Error::Quantity`] with the nearest name if a pattern selects nothing.
    pub fn select<P: AsRef<str>>(
        &self,
        patterns: impl IntoIterator<Item = P>,
    ) -> Result<Selected, Error> {
        let of_members = self.members.present_variants();
        let quantities = self.session.select(patterns, of_members)?;
        Ok(Selected { quantities, of_sessions: Mutex::default() })
    }

    /// Reads selected quantities of all members into a matrix: members × [`Selected::width`] values, member by member.
    /// Readings are NaN before the first sample of their sensor.
    ///
    /// # Errors
    /// [`EnsembleError::Shape`](crate::EnsembleError::Shape) if the matrix has another size.
    pub fn read(&mut self, selected: &Selected, to: &mut [f64]) -> Result<(), Error> {
        self.read_as(selected, to, |value| value)
    }

    /// Reads selected quantities of all members as [`Self::read`] does, rounded to 32 bits.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_f32(&mut self, selected: &Selected, to: &mut [f32]) -> Result<(), Error> {
        self.read_as(selected, to, |value| value as f32)
    }

    /// Returns the tables that members share, for reading columns without copying them. Members
    /// outside tables, for example with sinks or observers, at a different step, or near an
    /// obstacle, are read by [`Member::read`](super::Member::read); [`Self::read`] reads all
    /// members.
    ///
    /// ```
    /// # fn main() -> Result<(), simhost::Error> {
    /// # let world = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/demo.world.xml");
    /// # let mut ensemble = simhost::Ensemble::open(world, simhost::EnsembleOptions::members(8))?;
    /// let speed = ensemble.select(["robot/wheel/l/spin"])?;
    /// for table in ensemble.views() {
    ///     let Some(column) = table.column(&speed, 0) else { continue };
    ///     for (slot, member) in table.members() {
    ///         println!("member {member}: {} rad/s", column.value(slot));
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn views(&self) -> impl Iterator<Item = TableView<'_>> {
        let of_members = self.members.views();
        of_members.map(|table| TableView { table, sessions: &self.sessions })
    }

    fn read_as<T: Copy + Send>(
        &mut self,
        selected: &Selected,
        to: &mut [T],
        convert: impl Fn(f64) -> T + Sync,
    ) -> Result<(), Error> {
        check_length(self.members(), "the matrix", to.len(), selected.width())?;
        if selected.width() == 0 {
            return Ok(());
        }
        self.members.read(&selected.quantities, to, &convert);
        selected.read_sessions(&self.sessions, to, convert)
    }
}
