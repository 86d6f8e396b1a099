//! Parameters of a model for a vehicle of another size.
//!
//! A value is multiplied by s^e, with the factor s of the size and the exponent e that the model declares
//! for its parameter. Numbers without a dimension, angles and times need no declaration: their exponent
//! is 0. Numbers inside texts and files are not scaled.

mod size;
mod values;

use simhost_abi::{ParamScaling, SCALING_ABILITY, ScalingTable};

pub use size::{ScalingLaw, Size};
use values::{Scaler, items};
pub use values::{Unscalable, UnscalableReason};

use crate::ability;
use crate::breadcrumb::Functions;
use crate::classes::ModelRef;
use crate::values::ParamValue;

/// Returns the values of a model's parameters for a vehicle of another size. `port` is the unit of the
/// port on which an actuator acts.
///
/// # Errors
/// All parameters that cannot be scaled.
pub fn scale_values(
    class: &ModelRef,
    values: &[ParamValue],
    size: Size,
    port: Option<&str>,
) -> Result<Vec<ParamValue>, Vec<Unscalable>> {
    let table = match declared(class) {
        Ok(table) => table,
        Err(defect) => {
            let reason = UnscalableReason::Invalid(defect);
            return Err(vec![Unscalable { name: "parameters".to_owned(), reason }]);
        }
    };
    let mut scaler = Scaler::new(size, port);
    let values = scaler.all(class.model.params(), table, values);
    if scaler.faults.is_empty() { Ok(values) } else { Err(scaler.faults) }
}

/// Returns the exponents that a model declares, one item per parameter, or none if it declares none.
///
/// # Errors
/// A description of the defect if the table is not valid.
fn declared(class: &ModelRef) -> Result<&'static [ParamScaling], String> {
    let model = class.model;
    // SAFETY: the id is that of this table, which begins with its size.
    let found = unsafe { ability::find(model, Functions::of(class), SCALING_ABILITY) }?;
    let table: &ScalingTable = match found {
        Some(table) => table,
        None => return Ok(&[]),
    };
    // SAFETY: a part of the table is static data.
    let params = unsafe { items(table.params) };
    let (count, expected) = (params.len(), model.params().len());
    if count != expected {
        return Err(format!(
            "its table `{SCALING_ABILITY}` has {count} items, expected {expected} parameters"
        ));
    }
    Ok(params)
}

#[cfg(test)]
mod tests {
    use simhost_abi::Scaling;

    use super::*;

    #[test]
    fn factors_are_powers_of_the_size() {
        let by = |factor, law, exponents| Size { factor, law }.factor_of(exponents);
        let density = |factor, exponents| by(factor, ScalingLaw::ConstantDensity, exponents);
        assert_eq!(density(2.0, Scaling::INERTIA), 32.0);
        assert_eq!(density(0.5, Scaling::MASS), 0.125);
        assert_eq!(density(4.0, Scaling::DAMPING), 32.0);
        assert_eq!(density(4.0, Scaling::PER_LENGTH), 0.25);
        assert_eq!(density(3.0, Scaling::INVARIANT), 1.0);
        let mass = |factor, exponents| by(factor, ScalingLaw::ConstantMass, exponents);
        assert_eq!(mass(2.0, Scaling::MASS), 1.0);
        assert_eq!(mass(4.0, Scaling::DAMPING), 0.5);
        assert_eq!(mass(2.0, Scaling::INERTIA), 4.0);
    }
}
