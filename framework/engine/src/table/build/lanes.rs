//! Bodies and lanes of the vehicles of a table.

use simhost_scene::polygon;
use simhost_sdk::math;
use simhost_world::{Settings, Vehicle};

use super::parts::VehicleParts;
use crate::ground::Footing;
use crate::physics::{BodyError, BodySpec, BodyState, Physics, Surface, no_area};
use crate::table::ledges::Border;
use crate::table::vehicles::{Lane, Vehicles};
use crate::tilt::Tilt;

/// Adds a vehicle with its body.
///
/// # Errors
/// [`BodyError`] if the outline has no area.
pub(super) fn add_lane(
    vehicles: &mut Vehicles,
    number: usize,
    vehicle: &Vehicle,
    parts: &VehicleParts,
    settings: &Settings,
    physics: &mut Physics,
) -> Result<(), BodyError> {
    let state = initial_state(vehicle, parts.mass.centre, settings);
    let spec = BodySpec {
        name: format!("vehicle '{}'", vehicle.name),
        mass: parts.mass,
        outline: &parts.outline,
        span: [vehicle.chassis.z_min, vehicle.chassis.z_max],
        // the chassis slides along obstacles
        surface: Surface { friction: 0.0, restitution: 0.01 },
    };
    let body = if vehicle.animation.is_some() {
        physics.add_kinematic(spec, &state, vehicle.pose.z)
    } else {
        physics.add_body(spec, &state, vehicle.pose.z)
    };
    let body = body.ok_or_else(|| no_area(&format!("vehicle '{}'", vehicle.name), vehicle.span))?;
    let profile = &settings.profile;
    let wheels: Vec<[f64; 2]> = parts.wheels.iter().map(|wheel| [wheel.x, wheel.y]).collect();
    let radii: Vec<f64> = parts.wheels.iter().map(|wheel| wheel.radius).collect();
    let climb = radii.iter().copied().fold(0.0, f64::max);
    let footing = Footing::new(&wheels, &parts.outline, climb, profile.two_wheels_lean);
    let chassis = &vehicle.chassis;
    let border = match vehicle.animation {
        None => Border::new(&wheels, &radii, &parts.outline, chassis, profile),
        Some(_) => Border::default(),
    };
    let lane = vehicles.lanes.len();
    vehicles.lanes.push(Lane {
        vehicle: number,
        name: vehicle.name.clone(),
        body,
        mass: parts.mass.mass,
        inertia: parts.mass.inertia_about_centre(),
        centre: parts.mass.centre,
        damping: [
            chassis.linear_damping.unwrap_or(profile.default_linear_damping),
            chassis.angular_damping.unwrap_or(profile.default_angular_damping),
        ],
        heading: state.heading,
        velocity: state.velocity,
        disabled: false,
        uses_fallback: false,
        attitude: [vehicle.pose.z, 0.0, 0.0],
        tilt: Tilt::LEVEL,
        normal: [0.0, 0.0, 1.0],
        loading: parts.loading.clone(),
        pull: [0.0; 2],
        footing_radius: polygon::bounding_radius(&footing.points, [0.0, 0.0]) + 0.1,
        footing,
        border,
        odometry: [vehicle.pose.x, vehicle.pose.y, math::wrap_angle(vehicle.pose.yaw)],
        odometry_multipliers: vehicle.odometry_multipliers,
    });
    set_wheels(vehicles, lane, vehicle, parts, settings);
    Ok(())
}

/// Sets mounting yaws and initial spins.
fn set_wheels(
    vehicles: &mut Vehicles,
    lane: usize,
    vehicle: &Vehicle,
    parts: &VehicleParts,
    settings: &Settings,
) {
    let count = vehicles.wheels.angle.len() / vehicles.wheels.count.max(1);
    let spin = vehicles.host.measured.spin;
    for (wheel, place) in parts.wheels.iter().enumerate() {
        let index = wheel * count + lane;
        vehicles.wheels.mounting[index] = place.yaw;
        if !settings.profile.velocity_in_world_frame {
            // the wheels of a vehicle that moves at the start roll
            let (sin, cos) = math::sin_cos(place.yaw);
            let [vx, vy, omega] = vehicle.velocity;
            let rolling = cos * (vx - omega * place.y) + sin * (vy + omega * place.x);
            vehicles.columns.get_mut(spin)[index] = rolling / place.radius;
        }
    }
}

/// Returns pose and velocity at the start, with the velocity in the frame of the profile.
fn initial_state(vehicle: &Vehicle, centre: [f64; 2], settings: &Settings) -> BodyState {
    let (sin, cos) = math::sin_cos(vehicle.pose.yaw);
    let [vx, vy, omega] = vehicle.velocity;
    let velocity = if settings.profile.velocity_in_world_frame {
        [vx, vy]
    } else {
        let (vx, vy) = (vx - omega * centre[1], vy + omega * centre[0]);
        [cos * vx - sin * vy, sin * vx + cos * vy]
    };
    BodyState { position: [vehicle.pose.x, vehicle.pose.y], heading: [cos, sin], velocity, omega }
}
