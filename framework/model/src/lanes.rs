//! Parameters that can differ between the lanes of an instance.

use simhost_abi::{Model, ParamDesc, PortDesc, param_flag, port_flag};

use crate::values::ParamValue;
use crate::view::View;

/// Returns whether a parameter can differ between the lanes of an instance.
pub const fn is_per_lane(param: &ParamDesc) -> bool {
    param.flags & param_flag::PER_LANE != 0
}

/// Returns whether an input has the values of a parameter.
pub const fn is_parameter(port: &PortDesc) -> bool {
    port.flags & port_flag::PARAMETER != 0
}

/// Returns the parameters of a model that can differ between lanes, with their places among all
/// parameters.
pub fn per_lane(
    model: &'static View<Model>,
) -> impl Iterator<Item = (usize, &'static View<ParamDesc>)> {
    model.params().iter().enumerate().filter(|(_, param)| is_per_lane(param))
}

/// Returns whether lanes with these values of the parameters can share an instance of a model: all
/// parameters are equal except those that can differ between lanes.
pub fn can_share(model: &'static View<Model>, one: &[ParamValue], other: &[ParamValue]) -> bool {
    one.len() == other.len() && {
        let mut all = one.iter().zip(other).zip(model.params());
        all.all(|((one, other), param)| is_per_lane(param) || one == other)
    }
}
