//! Quantities of a session that stay selected when its world changes.

use simhost_engine::{Quantities, QuantityInfo};

use super::Session;
use crate::error::Error;

/// Quantities of a session that stay selected when its world changes.
///
/// Vehicles, blocks and sensors that are added or removed move the values of others. Each reading after such
/// a change looks the quantities up again.
#[derive(Default)]
pub struct LiveQuantities {
    quantities: Quantities,
    /// Revision of the world in which they were looked up.
    revision: u64,
}

impl LiveQuantities {
    /// Selects quantities by patterns.
    ///
    /// # Errors
    /// [`Error::Quantity`] with the nearest name if a pattern selects nothing.
    pub fn select<P: AsRef<str>>(
        session: &Session,
        patterns: impl IntoIterator<Item = P>,
    ) -> Result<Self, Error> {
        let (quantities, revision) = (session.quantities(patterns)?, session.world().revision());
        Ok(Self { quantities, revision })
    }

    /// Returns the quantities in the order of their values.
    pub fn infos(&self) -> &[QuantityInfo] {
        self.quantities.infos()
    }

    /// Appends the present values. Values of removed entities are NaN.
    pub fn read(&mut self, session: &Session, to: &mut Vec<f64>) {
        let revision = session.world().revision();
        if revision != self.revision
            && let Some(world) = session.world().description()
        {
            self.quantities.rebind(world, session.simulation());
            self.revision = revision;
        }
        self.quantities.read(session.simulation(), to);
    }
}
