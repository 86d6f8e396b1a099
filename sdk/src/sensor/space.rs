//! Rays that leave the plane: their ports, their results, and the choice between plane and space.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::host_port::{HostPort, SPACE_AIM_OUTPUTS, SPACE_RAY_RESULTS};
use simhost_abi::{PortDesc, Scope, SpatialTable};

use super::{AIM_OUTPUTS, Sensor};
use crate::columns::{PortList, port};
use crate::fault;

/// A result of a ray in space in addition to its range; see [`Sensor::RAY_RESULTS`]. A ray without
/// a hit has the results 0, entity -1, and the light of the sky.
///
/// Light is linear radiance under the sun of `<lights>` and the sky, relative to a white diffuse
/// surface that faces a white sun. It is computed with shadows, and not for the pixels of images
/// without colour; see [`Sensor::images`]. Rates are not computed for sensors with images unless
/// one of the images is optical flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayResult {
    /// Cosine of the angle between the ray and the normal of the surface, from 0 to 1.
    CosIncidence,
    /// Diffuse reflectivity of the surface, from 0 to 1.
    Reflectivity,
    /// Red part of the colour of the surface, from 0 to 1.
    Red,
    /// Green part of the colour of the surface, from 0 to 1.
    Green,
    /// Blue part of the colour of the surface, from 0 to 1.
    Blue,
    /// Number of the entity, as in `instances.csv`.
    Entity,
    /// Number of the semantic class, as in `classes.csv`.
    Class,
    /// Red light along the ray.
    LightRed,
    /// Green light along the ray.
    LightGreen,
    /// Blue light along the ray.
    LightBlue,
    /// Rate at which what the ray meets moves to the left as the sensor sees it, along growing angle, in rad/s. A ray
    /// that meets nothing sees something infinitely far away.
    RateLeft,
    /// Rate at which it moves up, along growing elevation, in rad/s.
    RateUp,
}

impl RayResult {
    /// Returns the declaration of the input.
    const fn port(self) -> PortDesc {
        let HostPort { name, unit, doc, default, .. } = SPACE_RAY_RESULTS[self as usize];
        PortDesc { default, ..port(name, unit, Scope::Ray, doc) }
    }
}

/// Indices of the outputs of `aim` for rays in space, after the outputs for rays in the plane:
/// outputs with one value per sensor, elevation and time, and the offsets.
pub(super) const SINGLES: [usize; 4] = [0, 1, 2, 5];
pub(super) const PER_RAY: [usize; 2] = [3, 4];
pub(super) const OFFSETS: [usize; 3] = [6, 7, 8];

/// Returns the outputs of `aim`.
pub(super) const fn aim_outputs(is_spatial: bool, has_offsets: bool) -> PortList {
    let mut list = PortList::join(&AIM_OUTPUTS, &[]);
    let mut k = 0;
    let count = if has_offsets { SPACE_AIM_OUTPUTS.len() } else { OFFSETS[0] };
    while is_spatial && k < count {
        let HostPort { name, unit, scope, doc, .. } = SPACE_AIM_OUTPUTS[k];
        list = PortList::join(list.as_slice(), &[port(name, unit, scope, doc)]);
        k += 1;
    }
    list
}

/// Returns the inputs of `read` after `before`: the results that a sensor declares.
pub(super) const fn read_inputs(before: &[PortDesc], results: &[RayResult]) -> PortList {
    let mut list = PortList::join(before, &[]);
    let mut k = 0;
    while k < results.len() {
        list = PortList::join(list.as_slice(), &[results[k].port()]);
        k += 1;
    }
    list
}

/// The table with which a sensor chooses between plane and space.
pub(super) struct Choice<M>(PhantomData<M>);

impl<M: Sensor> Choice<M> {
    pub(super) const TABLE: SpatialTable = SpatialTable {
        size: size_of::<SpatialTable>() as u32,
        reserved: 0,
        is_spatial: Self::is_spatial,
    };

    unsafe extern "C" fn is_spatial(model: *const c_void) -> u32 {
        // SAFETY: `model` came from `create` of this type.
        let model = unsafe { &*model.cast::<M>() };
        fault::contain(|| u32::from(model.is_spatial())).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_have_the_ports_of_the_host() {
        let pairs = [
            (RayResult::CosIncidence, "cos_incidence"),
            (RayResult::Reflectivity, "reflectivity"),
            (RayResult::Red, "red"),
            (RayResult::Green, "green"),
            (RayResult::Blue, "blue"),
            (RayResult::Entity, "entity"),
            (RayResult::Class, "class"),
            (RayResult::LightRed, "light_red"),
            (RayResult::LightGreen, "light_green"),
            (RayResult::LightBlue, "light_blue"),
            (RayResult::RateLeft, "rate_left"),
            (RayResult::RateUp, "rate_up"),
        ];
        assert_eq!(pairs.len(), SPACE_RAY_RESULTS.len());
        for (result, name) in pairs {
            // SAFETY: declarations are static.
            assert_eq!(unsafe { result.port().name.as_str() }, name);
        }
    }
}
