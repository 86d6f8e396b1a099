//! Units of variables as powers of base units.

/// Exponents of kg, m, s, A, K, rad, in the order of [`BASES`], with the factor to them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaseUnit {
    pub exponents: [i32; 6],
    pub factor: f64,
}

/// Names of the base units.
pub const BASES: [&str; 6] = ["kg", "m", "s", "A", "K", "rad"];

/// Units with names: exponents and factor.
const NAMED: &[(&str, [i32; 6], f64)] = &[
    ("1", [0, 0, 0, 0, 0, 0], 1.0),
    ("kg", [1, 0, 0, 0, 0, 0], 1.0),
    ("m", [0, 1, 0, 0, 0, 0], 1.0),
    ("mm", [0, 1, 0, 0, 0, 0], 1e-3),
    ("s", [0, 0, 1, 0, 0, 0], 1.0),
    ("ms", [0, 0, 1, 0, 0, 0], 1e-3),
    ("A", [0, 0, 0, 1, 0, 0], 1.0),
    ("K", [0, 0, 0, 0, 1, 0], 1.0),
    ("rad", [0, 0, 0, 0, 0, 1], 1.0),
    ("deg", [0, 0, 0, 0, 0, 1], std::f64::consts::PI / 180.0),
    ("°", [0, 0, 0, 0, 0, 1], std::f64::consts::PI / 180.0),
    ("N", [1, 1, -2, 0, 0, 0], 1.0),
    ("J", [1, 2, -2, 0, 0, 0], 1.0),
    ("W", [1, 2, -3, 0, 0, 0], 1.0),
    ("Pa", [1, -1, -2, 0, 0, 0], 1.0),
    ("Hz", [0, 0, -1, 0, 0, 0], 1.0),
    ("V", [1, 2, -3, -1, 0, 0], 1.0),
    ("T", [1, 0, -2, -1, 0, 0], 1.0),
    ("%", [0, 0, 0, 0, 0, 0], 0.01),
];

/// Returns a unit such as `kg·m²/s` as powers of base units; `None` for one with an unknown name.
pub fn base_unit(unit: &str) -> Option<BaseUnit> {
    let mut found = BaseUnit { exponents: [0; 6], factor: 1.0 };
    for (number, part) in unit.split('/').enumerate() {
        let sign = if number == 0 { 1 } else { -1 };
        let part = part.trim().trim_start_matches('(').trim_end_matches(')');
        for factor in part.split(['·', '*', ' ']) {
            multiply(&mut found, factor, sign)?;
        }
    }
    Some(found)
}

/// Multiplies a unit by a named one with an exponent, such as `m²` or `m^2`.
fn multiply(unit: &mut BaseUnit, factor: &str, sign: i32) -> Option<()> {
    let (name, power) = match (factor.split_once('^'), factor.strip_suffix(['²', '³', '⁴'])) {
        (Some((name, power)), _) => (name, power.parse().ok()?),
        (None, Some(name)) => {
            (name, 2 + "²³⁴".chars().position(|one| factor.ends_with(one))? as i32)
        }
        (None, None) => (factor, 1),
    };
    let (_, exponents, scale) = NAMED.iter().find(|(known, ..)| *known == name)?;
    for (to, exponent) in unit.exponents.iter_mut().zip(exponents) {
        *to += sign * power * exponent;
    }
    unit.factor *= scale.powi(sign * power);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{BaseUnit, base_unit};

    fn base(unit: &str) -> ([i32; 6], f64) {
        let BaseUnit { exponents, factor } = base_unit(unit).unwrap();
        (exponents, factor)
    }

    #[test]
    fn units_are_powers_of_base_units() {
        assert_eq!(base("m/s²"), ([0, 1, -2, 0, 0, 0], 1.0));
        assert_eq!(base("kg·m²"), ([1, 2, 0, 0, 0, 0], 1.0));
        // a joule second per radian
        assert_eq!(base("N·m·s/rad"), ([1, 2, -1, 0, 0, -1], 1.0));
        assert_eq!(base("deg/s"), ([0, 0, -1, 0, 0, 1], std::f64::consts::PI / 180.0));
        assert_eq!(base("1/s^2"), ([0, 0, -2, 0, 0, 0], 1.0));
        assert_eq!(base("1"), ([0; 6], 1.0));
        assert_eq!(base_unit("furlong"), None);
    }
}
