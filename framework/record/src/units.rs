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

#[cfg(test)]
mod tests {
    use super::column_name;

    #[test]
    fn a_column_has_its_unit_in_its_name() {
        let name = |unit, ray| column_name("range", unit, ray).map_err(|error| error.to_string());
        assert_eq!(name("m", Some(3)), Ok("range_m_3".to_owned()));
        assert_eq!(name("1", None), Ok("range".to_owned()));
        let error = name("furlong", None).expect_err("an unknown unit");
        assert!(error.starts_with("unknown unit `furlong` of the reading `range`"), "{error}");
    }
}
