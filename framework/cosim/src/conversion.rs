//! Conversion between values of variables and of ports.

use simhost_model::unit_factor;

use crate::description::Unit;

/// A linear function from the value of a variable to the value of a port. Without a conversion, values keep their bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Conversion {
    factor: f64,
    offset: f64,
}

impl Conversion {
    /// Returns the conversion from a unit to the unit of a port, followed by a factor; `None` for a unit of another quantity.
    pub fn between(unit: Option<&Unit>, port: &str, scale: f64) -> Option<Self> {
        let (factor, offset) = match unit {
            None => (1.0, 0.0),
            Some(Unit { name, base: None }) => (unit_factor(name, port)?, 0.0),
            Some(Unit { base: Some((powers, factor, offset)), .. }) => {
                let rest = unit_factor(powers, port)?;
                (factor * rest, offset * rest)
            }
        };
        let (factor, offset) = (factor * scale, offset * scale);
        (factor.is_finite() && factor != 0.0 && offset.is_finite())
            .then_some(Self { factor, offset })
    }

    fn is_identity(self) -> bool {
        self == Self { factor: 1.0, offset: 0.0 }
    }

    /// Returns the value of the port.
    pub fn to_port(self, value: f64) -> f64 {
        if self.is_identity() { value } else { self.factor * value + self.offset }
    }

    /// Returns the value of the variable.
    pub fn to_variable(self, value: f64) -> f64 {
        if self.is_identity() { value } else { (value - self.offset) / self.factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(name: &str, base: Option<(&str, f64, f64)>, port: &str) -> Option<Conversion> {
        let base = base.map(|(powers, factor, offset)| (powers.to_owned(), factor, offset));
        Conversion::between(Some(&Unit { name: name.to_owned(), base }), port, 1.0)
    }

    #[test]
    fn units_are_converted_by_their_definition_or_name() {
        assert_eq!(between("km/h", Some(("m^1·s^-1", 0.5, 0.0)), "m/s").unwrap().to_port(3.0), 1.5);
        assert_eq!(between("deg", None, "rad").unwrap().to_port(180.0), std::f64::consts::PI);
        let celsius = between("degC", Some(("K^1", 1.0, 273.15)), "K").unwrap();
        assert_eq!((celsius.to_port(1.0), celsius.to_variable(274.15)), (274.15, 1.0));
        assert_eq!(between("N", Some(("kg^1·m^1·s^-2", 1.0, 0.0)), "N·m"), None);
        assert_eq!(between("furlong", None, "m"), None);
    }

    #[test]
    fn a_value_in_the_unit_of_the_port_keeps_its_bits() {
        let same = between("N.m", Some(("kg^1·m^2·s^-2", 1.0, 0.0)), "N·m").unwrap();
        assert!(same.is_identity());
        assert!(same.to_port(-0.0).is_sign_negative());
    }
}
