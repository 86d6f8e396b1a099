//! Units in the names of csv columns.

use crate::RecordError;

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

/// Returns the name of a csv column: the name of the quantity, its unit, and the index of the ray for a
/// quantity with one value per ray.
///
/// # Errors
/// [`RecordError::UnknownUnit`] if the unit has no suffix.
pub fn column_name(name: &str, unit: &str, ray: Option<usize>) -> Result<String, RecordError> {
    let known = SUFFIXES.iter().find(|(known, _)| *known == unit);
    let (_, suffix) = known.ok_or_else(|| RecordError::UnknownUnit {
        quantity: name.to_owned(),
        unit: unit.to_owned(),
        known: SUFFIXES.iter().map(|(unit, _)| *unit).collect::<Vec<_>>().join(", "),
    })?;
    Ok(match ray {
        Some(ray) => format!("{name}{suffix}_{ray}"),
        None => format!("{name}{suffix}"),
    })
}

/// Name of a csv column, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnName<'a> {
    /// The quantity.
    pub name: &'a str,
    /// Unit of its values.
    pub unit: &'static str,
    /// Index of the value in an array.
    pub index: Option<usize>,
}

/// Takes the name of a column apart that [`column_name`] has made. A name that ends in the suffix of a
/// unit by chance is taken to have that unit.
pub fn parse_column_name(column: &str) -> ColumnName<'_> {
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
    use super::{ColumnName, SUFFIXES, column_name, parse_column_name};

    #[test]
    fn a_column_has_its_unit_in_its_name() {
        let name = |unit, ray| column_name("range", unit, ray).map_err(|error| error.to_string());
        assert_eq!(name("m", Some(3)), Ok("range_m_3".to_owned()));
        assert_eq!(name("1", None), Ok("range".to_owned()));
        let error = name("furlong", None).expect_err("an unknown unit");
        assert!(error.starts_with("unknown unit `furlong` of the reading `range`"), "{error}");
    }

    #[test]
    fn a_column_name_is_taken_apart_again() {
        for (unit, _) in SUFFIXES {
            for index in [None, Some(0), Some(42)] {
                let column = column_name("range", unit, index).unwrap();
                assert_eq!(parse_column_name(&column), ColumnName { name: "range", unit, index });
            }
        }
        let plain = ColumnName { name: "a_b", unit: "1", index: None };
        assert_eq!(parse_column_name("a_b"), plain);
    }
}
