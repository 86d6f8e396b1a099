//! Quantities of all members as matrices.

use simhost_engine::{Quantities, QuantityInfo};

use super::Ensemble;
use crate::error::Error;

/// Quantities that are read from all members at once.
pub struct Selected {
    quantities: Quantities,
    width: usize,
}

impl Selected {
    /// Returns the quantities in the order of their values.
    pub fn infos(&self) -> &[QuantityInfo] {
        self.quantities.infos()
    }

    pub(super) fn quantities(&self) -> &Quantities {
        &self.quantities
    }

    /// Returns the number of values of a member.
    pub fn width(&self) -> usize {
        self.width
    }
}

impl Ensemble {
    /// Selects quantities by patterns, such as `robot/pose` or `*/sensor/scan/range`, in the order of the world.
    ///
    /// # Errors
    /// [`Error::Quantity`] with the nearest name if a pattern selects nothing.
    pub fn select<P: AsRef<str>>(
        &self,
        patterns: impl IntoIterator<Item = P>,
    ) -> Result<Selected, Error> {
        let quantities = self.session.quantities(patterns)?;
        let width = quantities.infos().iter().map(QuantityInfo::count).sum();
        Ok(Selected { quantities, width })
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

    fn read_as<T: Send>(
        &mut self,
        selected: &Selected,
        to: &mut [T],
        convert: impl Fn(f64) -> T + Sync,
    ) -> Result<(), Error> {
        self.check_length("the matrix", to.len(), selected.width)?;
        if selected.width == 0 {
            return Ok(());
        }
        self.members.read(&selected.quantities, selected.width, to, &convert);
        let mut row = Vec::new();
        for (member, session) in &self.sessions {
            row.clear();
            selected.quantities.read(session.simulation(), &mut row);
            let own = &mut to[member * selected.width..][..selected.width];
            own.iter_mut().zip(&row).for_each(|(to, value)| *to = convert(*value));
        }
        Ok(())
    }
}
