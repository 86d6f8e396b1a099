//! Ports of sensors whose rays leave the plane.

use super::HostPort;
use crate::Scope;

const fn port(name: &'static str, unit: &'static str, doc: &'static str) -> HostPort {
    HostPort { name, unit, scope: Scope::Instance, default: 0.0, doc }
}

const fn per_ray(name: &'static str, unit: &'static str, doc: &'static str) -> HostPort {
    HostPort { scope: Scope::Ray, ..port(name, unit, doc) }
}

/// Optional outputs of the phase `aim` of a sensor in space, in addition to
/// [`AIM_OUTPUTS`](super::AIM_OUTPUTS). A sensor with the output `elevation` casts its rays in
/// space: ray k has the direction (cos e cos a, cos e sin a, sin e) in the frame of the sensor,
/// where a is `angle` and e is `elevation`.
pub const SPACE_AIM_OUTPUTS: &[HostPort] = &[
    port("origin_pitch", "rad", "pitch of the sensor in the vehicle frame, positive nose down"),
    port("origin_roll", "rad", "roll of the sensor in the vehicle frame, positive left side up"),
    port("see_own", "1", "1 when the vehicle of the sensor is seen, or else 0"),
    per_ray("elevation", "rad", "angle above the x-y plane of the sensor"),
    per_ray("time", "s", "time at which the ray is cast, relative to the time of the sample"),
    port("min_range", "m", "distance from its origin at which a ray begins"),
    per_ray("offset_x", "m", "x of the origin of the ray, sensor frame"),
    per_ray("offset_y", "m", "y of the origin of the ray, sensor frame"),
    per_ray("offset_z", "m", "z of the origin of the ray, sensor frame"),
];

/// Inputs of the phase `read` of a sensor: results of its rays in space, in addition to
/// [`RAY_RESULTS`](super::RAY_RESULTS). The host computes those that a model has. Rays in the plane leave
/// the defaults.
pub const SPACE_RAY_RESULTS: &[HostPort] = &[
    per_ray("cos_incidence", "1", "cosine of the angle between ray and surface normal, 0 for none"),
    per_ray("reflectivity", "1", "diffuse reflectivity of the surface from 0 to 1, 0 for none"),
    per_ray("red", "1", "red of the surface from 0 to 1, 0 for none"),
    per_ray("green", "1", "green of the surface from 0 to 1, 0 for none"),
    per_ray("blue", "1", "blue of the surface from 0 to 1, 0 for none"),
    HostPort { default: -1.0, ..per_ray("entity", "1", "number of the entity, -1 for none") },
    per_ray("class", "1", "number of the semantic class, 0 for none"),
    per_ray("light_red", "1", "red light along the ray, 1 for a white surface that faces the sun"),
    per_ray("light_green", "1", "green light along the ray, as `light_red`"),
    per_ray("light_blue", "1", "blue light along the ray, as `light_red`"),
    per_ray("rate_left", "rad/s", "rate at which what is met moves left, along growing `angle`"),
    per_ray("rate_up", "rad/s", "rate at which what is met moves up, along growing `elevation`"),
];
