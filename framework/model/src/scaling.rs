//! Parameters of a model for a vehicle of another size.
//!
//! A value is multiplied by s^e, with the factor s of the size and the exponent e that the model declares
//! for its parameter. Numbers without a dimension, angles and times need no declaration: their exponent
//! is 0. Numbers inside texts and files are not scaled.

mod values;

use simhost_abi::{
    ALIASES_ABILITY, AliasesTable, Model, ParamScaling, SCALING_ABILITY, ScalingTable, Str,
};

use crate::breadcrumb::{Function, Functions};
use crate::classes::ModelRef;
use crate::values::ParamValue;
use crate::view::View;
use values::{Scaler, items};

pub use values::{ScalingLaw, Size, Unscalable, UnscalableReason};

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
    let found = unsafe { find_ability(model, Functions::of(class), SCALING_ABILITY) }?;
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

/// Returns the table with this id, or `None` if the model does not have it.
///
/// # Errors
/// A description of the defect if the table is misaligned or too short.
///
/// # Safety
/// A model returns a static `T` for this id, and the first field of `T` is its size as a `u32`.
pub(super) unsafe fn find_ability<T: 'static>(
    model: &'static View<Model>,
    functions: &'static Functions,
    id: &str,
) -> Result<Option<&'static T>, String> {
    let Some(find) = model.ability else { return Ok(None) };
    // SAFETY: the id lives during the call.
    let found = functions.call(Function::Ability, || unsafe { find(Str::borrowed(id)) });
    if found.is_null() {
        return Ok(None);
    }
    if !found.cast::<T>().is_aligned() {
        return Err(format!("its table `{id}` is at the misaligned address {found:p}"));
    }
    // SAFETY: the size is the first field, as promised by the caller.
    let size = unsafe { found.cast::<u32>().read() } as usize;
    if size < size_of::<T>() {
        let expected = size_of::<T>();
        return Err(format!(
            "its table `{id}` has a `size` of {size} bytes, expected {expected} (sizeof the struct)"
        ));
    }
    // SAFETY: promised by the caller; the size was checked.
    Ok(Some(unsafe { &*found.cast::<T>() }))
}

/// Returns the further names of a class in world files, or none if its table of aliases is absent or
/// shorter than it should be.
pub fn aliases(class: &ModelRef) -> Vec<&'static str> {
    let model = class.model;
    // SAFETY: the id is that of this table, which begins with its size.
    let found = unsafe { find_ability(model, Functions::of(class), ALIASES_ABILITY) };
    let table: Option<&AliasesTable> = found.unwrap_or_default();
    table.map(|table| model.texts(table.names).collect()).unwrap_or_default()
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
