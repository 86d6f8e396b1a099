//! Names, units, ranges and descriptions of quantities, as Python gets them.

use simhost::{QuantityRange, quantity_range};
use simhost_engine::{QuantityInfo, Units};
use simhost_world::World;

/// Name, unit and description of a value.
pub type Column = (String, String, String);

/// Returns the columns of the values of quantities: the name with the index in an array, the unit and the description.
pub fn columns(infos: &[QuantityInfo]) -> Vec<Column> {
    let of = |info: &QuantityInfo| {
        let info = info.clone();
        (0..info.count()).map(move |index| {
            (info.name_of(index), info.units.of(index).to_owned(), info.doc.clone())
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
