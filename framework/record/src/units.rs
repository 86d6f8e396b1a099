//! Units in the names of csv columns.

use simhost_model::same_unit;

/// Units and their suffixes.
const SUFFIXES: &[(&str, &str)] = &[
    ("1", ""),
    ("m", "_m"),
    ("m/s", "_mps"),
    ("m/s²", "_mps2"),
    ("rad", "_rad"),
    ("rad/s", "_radps"),
    ("rad/s²", "_radps2"),
    ("N", "_n"),
    ("N·m", "_nm"),
    ("s", "_s"),
    ("kg", "_kg"),
    ("kg·m²", "_kgm2"),
    ("Pa", "_pa"),
    ("J", "_j"),
    ("W", "_w"),
    ("K", "_k"),
    ("V", "_v"),
    ("A", "_a"),
    ("T", "_t"),
    ("Hz", "_hz"),
    ("px", "_px"),
    ("deg", "_deg"),
    ("m²", "_m2"),
    ("Pa²", "_pa2"),
];

/// Returns the suffix of a unit in the names of csv columns, or `None` for a unit without one. A unit is
/// known in every spelling; those with and without an angle differ.
pub fn suffix(unit: &str) -> Option<&'static str> {
    let has_angle = |unit: &str| ["rad", "deg"].iter().any(|angle| unit.contains(angle));
    let is_same = |known: &str| has_angle(known) == has_angle(unit) && same_unit(known, unit);
    let exact = SUFFIXES.iter().find(|(known, _)| *known == unit);
    let found = exact.or_else(|| SUFFIXES.iter().find(|(known, _)| is_same(known)));
    found.map(|(_, suffix)| *suffix)
}

/// Returns the name of a csv column: the name of the quantity, its unit, and the index of the ray for a
/// quantity with one value per ray. A unit without a suffix is written in brackets, as in `quantities.csv`:
/// `range [furlong]` or `range[3] [furlong]`.
pub fn column_name(name: &str, unit: &str, ray: Option<usize>) -> String {
    match (suffix(unit), ray) {
        (Some(suffix), Some(ray)) => format!("{name}{suffix}_{ray}"),
        (Some(suffix), None) => format!("{name}{suffix}"),
        (None, Some(ray)) => format!("{name}[{ray}] [{unit}]"),
        (None, None) => format!("{name} [{unit}]"),
    }
}

/// Name of a csv column, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnName<'a> {
    /// The quantity.
    pub name: &'a str,
    /// Unit of its values.
    pub unit: &'a str,
    /// Index of the value in an array.
    pub index: Option<usize>,
}

/// Takes the name of a column apart that [`column_name`] has made, or one of `quantities.csv`. A name that ends
/// in the suffix of a unit by chance is taken to have that unit.
pub fn parse_column_name(column: &str) -> ColumnName<'_> {
    if let Some((name, unit)) = column.strip_suffix(']').and_then(|rest| rest.rsplit_once(" [")) {
        let array = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let array = array.and_then(|(name, index)| Some((name, index.parse().ok()?)));
        let (name, index) = array.map_or((name, None), |(name, index)| (name, Some(index)));
        return ColumnName { name, unit, index };
    }
    let index = column.rsplit_once('_').and_then(|(stem, digits)| {
        let is_index = digits.bytes().all(|byte| byte.is_ascii_digit());
        Some((stem, digits.parse().ok().filter(|_| is_index)?))
    });
    let (stem, index) = index.map_or((column, None), |(stem, index)| (stem, Some(index)));
    let units = SUFFIXES.iter().filter(|(_, suffix)| !suffix.is_empty());
    let found = units.filter_map(|(unit, suffix)| {
        let name = stem.strip_suffix(suffix).filter(|name| !name.is_empty())?;
        Some((name, *unit))
    });
    // the longest suffix: `_mps` rather than `_s`
    let (name, unit) = found.min_by_key(|(name, _)| name.len()).unwrap_or((stem, "1"));
    ColumnName { name, unit, index }
}

#[cfg(test)]
mod tests {
    use super::{ColumnName, SUFFIXES, column_name, parse_column_name, suffix};

    #[test]
    fn a_column_has_its_unit_in_its_name() {
        let name = |unit, ray| column_name("range", unit, ray);
        assert_eq!(name("m", Some(3)), "range_m_3");
        assert_eq!(name("1", None), "range");
        assert_eq!(["m2", "m^2", "m²", "m·m"].map(|unit| name(unit, None)), ["range_m2"; 4]);
        assert_eq!(
            ["Nm", "N*m", "rad", "rad/s"].map(suffix).map(Option::unwrap),
            ["_nm", "_nm", "_rad", "_radps"]
        );
        assert_eq!(name("1/s", None), "range [1/s]");
        assert_eq!(name("furlong", Some(2)), "range[2] [furlong]");
    }

    #[test]
    fn a_column_name_is_taken_apart_again() {
        let others = ["furlong", "lbf·ft", "kg/(m·s)", "1/s", "°C"];
        for unit in SUFFIXES.iter().map(|(unit, _)| *unit).chain(others) {
            for index in [None, Some(0), Some(42)] {
                let column = column_name("range", unit, index);
                assert_eq!(parse_column_name(&column), ColumnName { name: "range", unit, index });
            }
        }
        let plain = ColumnName { name: "a_b", unit: "1", index: None };
        assert_eq!(parse_column_name("a_b"), plain);
    }
}
