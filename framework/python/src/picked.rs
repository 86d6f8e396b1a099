//! Quantities of a session that stay selected when its world changes.

use simhost::{Error, QuantityRange, Session, quantity_range};
use simhost_engine::{Quantities, QuantityInfo, Units};
use simhost_world::World;

/// Quantities of a session that stay selected when its world changes.
pub struct Picked {
    quantities: Quantities,
    revision: u64,
}

/// Name, unit and description of a value.
pub type Column = (String, String, String);

impl Picked {
    /// Selects quantities by patterns.
    ///
    /// # Errors
    /// [`Error::Quantity`] with the nearest name if a pattern selects nothing.
    pub fn new(session: &Session, patterns: &[String]) -> Result<Self, Error> {
        let (quantities, revision) = (session.quantities(patterns)?, session.world().revision());
        Ok(Self { quantities, revision })
    }

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

    /// Returns the columns of the values.
    pub fn columns(&self) -> Vec<Column> {
        columns(self.infos())
    }
}

/// Returns the columns of the values of quantities: the name with the index in an array, the unit and the description.
pub fn columns(infos: &[QuantityInfo]) -> Vec<Column> {
    let of = |info: &QuantityInfo| {
        let info = info.clone();
        (0..info.count()).map(move |index| {
            let name = match info.len {
                Some(_) => format!("{}[{index}]", info.name),
                None => info.name.clone(),
            };
            (name, info.units.of(index).to_owned(), info.doc.clone())
        })
    };
    infos.iter().flat_map(of).collect()
}

/// Returns the ranges of the values of quantities, in the order of [`columns`].
pub fn ranges(world: Option<&World>, infos: &[QuantityInfo]) -> Vec<QuantityRange> {
    let of = |info: &QuantityInfo| match info.units {
        // many rays have one
        Units::All(_) => vec![quantity_range(world, info, 0); info.count()],
        _ => (0..info.count()).map(|index| quantity_range(world, info, index)).collect(),
    };
    infos.iter().flat_map(of).collect()
}

/// A quantity: name, units of its values with their ranges (one if all have the same), their number (`None` if it is not an
/// array), source and description.
pub type Described = (String, Vec<(String, QuantityRange)>, Option<usize>, String, String);

/// Returns the descriptions of quantities.
pub fn described(world: Option<&World>, infos: &[QuantityInfo]) -> Vec<Described> {
    let of = |info: &QuantityInfo| {
        let count = if matches!(info.units, Units::All(_)) { 1 } else { info.count() };
        let unit = |index| (info.units.of(index).to_owned(), quantity_range(world, info, index));
        let units = (0..count).map(unit).collect();
        (info.name.clone(), units, info.len, info.source.clone(), info.doc.clone())
    };
    infos.iter().map(of).collect()
}
