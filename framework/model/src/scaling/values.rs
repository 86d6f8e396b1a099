//! Values of parameters, scaled one by one.

use simhost_abi::{ParamDesc, ParamKind, ParamScaling, Scaling, Slice, param_flag};

use crate::unit::{is_invariant, same_unit};
use crate::values::ParamValue;
use crate::view::View;

/// Scales the values of a model one by one, and collects what cannot be scaled.
pub(super) struct Scaler<'a> {
    size: Size,
    /// Unit of the port on which an actuator acts.
    port: Option<&'a str>,
    /// Names of the groups around the current parameter.
    path: Vec<&'static str>,
    /// Parameters that cannot be scaled.
    pub faults: Vec<Unscalable>,
}

impl<'a> Scaler<'a> {
    pub fn new(size: Size, port: Option<&'a str>) -> Self {
        Self { size, port, path: Vec::new(), faults: Vec::new() }
    }

    /// Returns the scaled values of parameters with these exponents.
    pub fn all(
        &mut self,
        params: &'static [View<ParamDesc>],
        table: &'static [ParamScaling],
        values: &[ParamValue],
    ) -> Vec<ParamValue> {
        let declared = params.iter().enumerate().map(|(index, desc)| (desc, table.get(index)));
        declared.zip(values).map(|((desc, known), value)| self.one(desc, known, value)).collect()
    }

    fn one(
        &mut self,
        desc: &'static View<ParamDesc>,
        declared: Option<&'static ParamScaling>,
        value: &ParamValue,
    ) -> ParamValue {
        // SAFETY: the table of a model is static data.
        let children = declared.map_or(&[][..], |known| unsafe { items(known.children) });
        let kind = desc.kind();
        if !desc.children().is_empty() {
            let ParamValue::Items(inner) = value else { return value.clone() };
            self.path.push(desc.key());
            let inner = match kind {
                Some(ParamKind::Group) => self.all(desc.children(), children, inner),
                _ => inner.iter().map(|item| self.group(desc, children, item)).collect(),
            };
            self.path.pop();
            return ParamValue::Items(inner);
        }
        // SAFETY: as above.
        let exponents = declared.map_or(&[][..], |known| unsafe { items(known.exponents) });
        let is_number =
            matches!(kind, Some(ParamKind::Number | ParamKind::Integer | ParamKind::List));
        if exponents.is_empty() {
            if !is_invariant(desc.unit()) {
                self.fault(desc, UnscalableReason::Undeclared(desc.unit()));
            }
            return value.clone();
        }
        if is_number { self.number(desc, exponents, value) } else { value.clone() }
    }

    fn group(
        &mut self,
        desc: &'static View<ParamDesc>,
        children: &'static [ParamScaling],
        item: &ParamValue,
    ) -> ParamValue {
        let ParamValue::Items(inner) = item else { return item.clone() };
        ParamValue::Items(self.all(desc.children(), children, inner))
    }

    /// Scales a number or the numbers of a list.
    fn number(
        &mut self,
        desc: &'static View<ParamDesc>,
        exponents: &[Scaling],
        value: &ParamValue,
    ) -> ParamValue {
        let Some(factors) = self.factors(desc, exponents) else { return value.clone() };
        match value {
            ParamValue::Number(number) => {
                ParamValue::Number(self.in_range(desc, *number, factors[0]))
            }
            ParamValue::Items(inner) => {
                if factors.len() > 1 && factors.len() != inner.len() {
                    let (found, expected) = (factors.len(), inner.len());
                    let text = format!("{found} pairs of exponents, expected 1 or {expected}");
                    self.fault(desc, UnscalableReason::Invalid(text));
                    return value.clone();
                }
                let factors = factors.iter().cycle();
                let scaled = inner.iter().zip(factors).map(|(item, factor)| match item {
                    ParamValue::Number(number) => {
                        ParamValue::Number(self.in_range(desc, *number, *factor))
                    }
                    other => other.clone(),
                });
                ParamValue::Items(scaled.collect())
            }
            other => other.clone(),
        }
    }

    /// Returns the factor for each pair of exponents, or `None` after a fault.
    fn factors(
        &mut self,
        desc: &'static View<ParamDesc>,
        exponents: &[Scaling],
    ) -> Option<Vec<f64>> {
        let mut factors = Vec::with_capacity(exponents.len());
        for declared in exponents {
            let mut declared = *declared;
            if declared.constant_density.is_nan() && declared.constant_mass.is_nan() {
                let unit = self.port.unwrap_or_default().to_owned();
                match port_exponents(&unit) {
                    Some(known) if self.port.is_some() => declared = known,
                    _ => {
                        self.fault(desc, UnscalableReason::Port(unit));
                        return None;
                    }
                }
            }
            let exponent = self.size.exponent(declared);
            let valid = (2.0 * exponent).fract() == 0.0 && exponent.abs() <= MAX_EXPONENT;
            let is_whole = desc.kind() == Some(ParamKind::Integer) && exponent != 0.0;
            if !valid || is_whole {
                let text = match is_whole {
                    true => format!("the exponent {exponent} of a whole number, expected 0"),
                    false => format!(
                        "the exponent {exponent}, expected a multiple of 0.5 within ±{MAX_EXPONENT}"
                    ),
                };
                self.fault(desc, UnscalableReason::Invalid(text));
                return None;
            }
            factors.push(self.size.factor_of(declared));
        }
        Some(factors)
    }

    /// Multiplies a value by a factor. Reports a result out of the range of the parameter.
    fn in_range(&mut self, desc: &'static View<ParamDesc>, value: f64, factor: f64) -> f64 {
        let scaled = value * factor;
        let written = scaled / desc.scale;
        let above = desc.flags & param_flag::ABOVE_MIN != 0 && written <= desc.min;
        let below = desc.flags & param_flag::BELOW_MAX != 0 && written >= desc.max;
        let inside = (desc.min..=desc.max).contains(&written) && !above && !below;
        // a value that does not change was checked when it was read
        if factor != 1.0 && !inside {
            self.fault(desc, UnscalableReason::OutOfRange(written));
        }
        scaled
    }

    fn fault(&mut self, desc: &'static View<ParamDesc>, reason: UnscalableReason) {
        let mut names = self.path.clone();
        names.push(desc.key());
        let name = names.join("/");
        self.faults.push(Unscalable { name, reason });
    }
}

/// Largest magnitude of an exponent.
const MAX_EXPONENT: f64 = 20.0;

/// Returns the exponents of the values of a port by its unit, or `None` where the unit does not
/// determine them: a speed in rad/s can belong to an engine or to a wheel.
fn port_exponents(unit: &str) -> Option<Scaling> {
    const UNITS: [(&str, Scaling); 4] = [
        ("N·m", Scaling::WHEEL_TORQUE),
        ("N", Scaling::FORCE),
        ("m/s", Scaling::INVARIANT),
        ("m/s²", Scaling::INVARIANT),
    ];
    if is_invariant(unit) {
        return Some(Scaling::INVARIANT);
    }
    UNITS.iter().find(|(known, _)| same_unit(known, unit)).map(|(_, exponents)| *exponents)
}

/// A parameter that cannot be scaled.
#[derive(Clone, Debug, PartialEq)]
pub struct Unscalable {
    /// Names of the groups and of the parameter, with slashes between them.
    pub name: String,
    /// The reason.
    pub reason: UnscalableReason,
}

/// The reason why a parameter cannot be scaled.
#[derive(Clone, Debug, PartialEq)]
pub enum UnscalableReason {
    /// The model does not declare exponents of the parameter, which has this unit.
    Undeclared(&'static str),
    /// The exponents come from the port of an actuator, and this unit of a port has none.
    Port(String),
    /// The declaration is not valid.
    Invalid(String),
    /// The scaled value, in the unit of the world file, is out of the declared range.
    OutOfRange(f64),
}

/// # Safety
/// The slice is a part of a descriptor: static data.
pub(super) unsafe fn items<T>(slice: Slice<T>) -> &'static [T] {
    // SAFETY: promised by the caller.
    unsafe { slice.as_slice() }
}

/// The law by which the size of a vehicle changes and its performance does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalingLaw {
    /// The mass grows with the third power of the size.
    ConstantDensity,
    /// The mass stays the same.
    ConstantMass,
}

/// The size of a vehicle relative to that which is described.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Factor on all lengths, greater than 0.
    pub factor: f64,
    /// The law.
    pub law: ScalingLaw,
}

impl Size {
    /// Returns the factor on a quantity with these exponents, which are multiples of 1/2.
    ///
    /// The result has the same bits on all platforms: it consists of multiplications, one division and
    /// one square root.
    pub fn factor_of(&self, exponents: Scaling) -> f64 {
        let halves = 2.0 * self.exponent(exponents);
        let whole = (halves.abs() / 2.0).floor() as u32;
        let root = if halves.abs() % 2.0 == 0.0 { 1.0 } else { self.factor.sqrt() };
        let power = (0..whole).fold(root, |power, _| power * self.factor);
        if halves < 0.0 { 1.0 / power } else { power }
    }

    /// Returns the exponent under the law.
    pub(super) const fn exponent(&self, exponents: Scaling) -> f64 {
        match self.law {
            ScalingLaw::ConstantDensity => exponents.constant_density,
            ScalingLaw::ConstantMass => exponents.constant_mass,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_a_port_determines_its_exponents_where_it_can() {
        assert_eq!(port_exponents("rad"), Some(Scaling::INVARIANT));
        assert_eq!(port_exponents("N*m"), Some(Scaling::WHEEL_TORQUE));
        assert_eq!(port_exponents("m/s"), Some(Scaling::INVARIANT));
        assert_eq!(port_exponents("rad/s"), None);
    }
}
