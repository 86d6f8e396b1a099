//! Bodies and lanes of the vehicles of a table.

use std::sync::Arc;

use simhost_scene::{Pose3, polygon};
use simhost_sdk::math;
use simhost_world::{Settings, Vehicle};

use super::group::entity_name;
use super::parts::VehicleParts;
use crate::animation::animated;
use crate::ground::{Fall, Footing, starts_above};
use crate::physics::{BodyError, BodySpec, BodyState, Physics, Surface, no_area};
use crate::plan;
use crate::table::border::Border;
use crate::table::kinematics::rolling_spin;
use crate::table::vehicle_blueprint::{Contacts, VehicleBlueprint};
use crate::table::vehicles::{Lane, Vehicles};
use crate::tilt::Tilt;

/// The contact points of the vehicle that was added last, which vehicles of the same geometry share.
#[derive(Default)]
pub(super) struct SharedContacts {
    last: Option<LastContacts>,
}

struct LastContacts {
    /// Constants of the vehicle, which vehicles that repeat each other share.
    parts: Arc<VehicleParts>,
    geometry: Geometry,
    contacts: Arc<Contacts>,
}

/// All that determines the contact points of a vehicle within a world.
#[derive(PartialEq)]
struct Geometry {
    /// Position and radius of each wheel, m.
    wheels: Vec<([f64; 2], f64)>,
    /// Outlines of vehicle and chassis, m.
    outlines: [Vec<[f64; 2]>; 2],
    /// Heights of the lowest and highest point of the chassis, m.
    span: [f64; 2],
    is_animated: bool,
}

impl SharedContacts {
    fn contacts(
        &mut self,
        vehicle: &Vehicle,
        parts: &Arc<VehicleParts>,
        settings: &Settings,
    ) -> Arc<Contacts> {
        let is_animated = vehicle.animation.is_some();
        if let Some(last) = &self.last
            && Arc::ptr_eq(&last.parts, parts)
            && last.geometry.is_animated == is_animated
        {
            return last.contacts.clone();
        }
        let chassis = &vehicle.chassis;
        let geometry = Geometry {
            wheels: parts.wheels.iter().map(|wheel| ([wheel.x, wheel.y], wheel.radius)).collect(),
            outlines: [parts.outline.clone(), chassis.polygon.clone()],
            span: [chassis.z_min, chassis.z_max],
            is_animated,
        };
        let equal = self.last.take().filter(|last| last.geometry == geometry);
        let contacts = match equal {
            Some(last) => last.contacts,
            None => Arc::new(new_contacts(vehicle, parts, settings)),
        };
        let parts = Arc::clone(parts);
        self.last = Some(LastContacts { parts, geometry, contacts: contacts.clone() });
        contacts
    }
}

fn new_contacts(vehicle: &Vehicle, parts: &VehicleParts, settings: &Settings) -> Contacts {
    let profile = &settings.profile;
    let wheels: Vec<[f64; 2]> = parts.wheels.iter().map(|wheel| [wheel.x, wheel.y]).collect();
    let radii: Vec<f64> = parts.wheels.iter().map(|wheel| wheel.radius).collect();
    let climb = radii.iter().copied().fold(0.0, f64::max);
    let footing = Footing::new(&wheels, &parts.outline, climb, profile.two_wheels_lean);
    let border = match vehicle.animation {
        None => Border::new(&wheels, &radii, &parts.outline, &vehicle.chassis, profile),
        Some(_) => Border::default(),
    };
    let footing_radius = polygon::bounding_radius(&footing.points, [0.0, 0.0]) + 0.1;
    let falls = profile.bodies_fall && vehicle.animation.is_none();
    Contacts { footing, falls, footing_radius, border }
}

/// Adds a vehicle with its body.
///
/// # Errors
/// [`BodyError`] if the outline has no area.
pub(super) fn add_lane(
    vehicles: &mut Vehicles,
    number: usize,
    vehicle: &Vehicle,
    parts: &Arc<VehicleParts>,
    settings: &Settings,
    physics: &mut Physics,
    shared: &mut SharedContacts,
) -> Result<(), BodyError> {
    let state = initial_state(vehicle, parts.mass.centre, settings);
    let spec = BodySpec {
        name: entity_name(vehicle),
        mass: parts.mass,
        outline: &parts.outline,
        span: [vehicle.chassis.z_min, vehicle.chassis.z_max],
        // the chassis slides along obstacles
        surface: Surface { friction: 0.0, restitution: 0.01 },
    };
    let body = if vehicle.animation.is_some() {
        physics.add_kinematic(spec, &state, start_pose(vehicle).z)
    } else {
        physics.add_body(spec, &state, vehicle.pose.z)
    };
    let body = body.ok_or_else(|| no_area(&entity_name(vehicle), vehicle.span))?;
    let loading = &parts.loading;
    vehicles.lanes.push(Lane {
        vehicle: number,
        fixed: Arc::new(VehicleBlueprint {
            name: vehicle.name.clone(),
            keeps_pose: match vehicles.host.spatial {
                true => vehicle.skip_elevation_adjust,
                false => starts_above(vehicle, settings.profile.bodies_fall),
            },
            springs: loading.springs.clone(),
            tipping: Arc::clone(&loading.tipping),
            trails: Arc::clone(&loading.trails),
            contacts: shared.contacts(vehicle, parts, settings),
        }),
        run: None,
        body,
        disabled: false,
        uses_fallback: false,
        tilt: Tilt::LEVEL,
        normal: [0.0, 0.0, 1.0],
        fall: Fall::default(),
        keeps_velocity: false,
        ride: None,
        tipped: None,
    });
    vehicles.any_springs |= loading.springs.is_some();
    Ok(())
}

/// Sets the columns of a vehicle that [`add_lane`] has added.
pub(super) fn fill_columns(
    vehicles: &mut Vehicles,
    lane: usize,
    vehicle: &Vehicle,
    parts: &VehicleParts,
    settings: &Settings,
) {
    let (chassis, profile, pose) = (&vehicle.chassis, &settings.profile, start_pose(vehicle));
    let state = initial_state(vehicle, parts.mass.centre, settings);
    let damping = [
        chassis.linear_damping.unwrap_or(profile.default_linear_damping),
        chassis.angular_damping.unwrap_or(profile.default_angular_damping),
    ];
    let own = &vehicles.host.own;
    let motion = (own.heading, own.velocity, own.damping);
    let attitude = (own.attitude, own.odometry, own.odometry_multipliers);
    vehicles.set_values(motion.0, lane, state.heading);
    vehicles.set_values(motion.1, lane, state.velocity);
    vehicles.set_values(motion.2, lane, damping);
    let keeps_pose = vehicles.lanes[lane].fixed.keeps_pose;
    let inclination = if keeps_pose { [pose.pitch, pose.roll] } else { [0.0; 2] };
    vehicles.set_values(attitude.0, lane, [pose.z, inclination[0], inclination[1]]);
    vehicles.set_values(attitude.1, lane, [pose.x, pose.y, math::wrap_angle(pose.yaw)]);
    vehicles.set_values(attitude.2, lane, vehicle.odometry_multipliers);
    vehicles.set_tilt(lane, Tilt::LEVEL);
    vehicles.set_loading(lane, &parts.loading);
    set_wheels(vehicles, lane, vehicle, parts, settings);
}

/// Sets mounting yaws and initial spins.
fn set_wheels(
    vehicles: &mut Vehicles,
    lane: usize,
    vehicle: &Vehicle,
    parts: &VehicleParts,
    settings: &Settings,
) {
    let count = vehicles.lanes.len();
    let (spin, own) = (vehicles.host.measured.spin, &vehicles.host.own);
    let (mounting, heading) = (own.mounting, own.wheel_heading[0]);
    let camber = vehicles.host.fixed_camber;
    for (wheel, place) in parts.wheels.iter().enumerate() {
        let index = wheel * count + lane;
        vehicles.set_values([mounting, heading], index, [place.yaw, 1.0]);
        if let Some(camber) = camber {
            vehicles.set_values([camber], index, [vehicle.wheels[wheel].camber]);
        }
        if !settings.profile.velocity_in_world_frame {
            // the wheels of a vehicle that moves at the start roll
            vehicles.columns.get_mut(spin)[index] =
                rolling_spin(vehicle.velocity, [place.x, place.y, place.radius], place.yaw);
        }
    }
}

/// Returns the pose at the start in space.
fn start_pose(vehicle: &Vehicle) -> Pose3 {
    animated(&vehicle.pose, vehicle.animation.as_deref(), 0.0)
}

/// Returns pose and velocity at the start, with the velocity in the frame of the profile.
fn initial_state(vehicle: &Vehicle, centre: [f64; 2], settings: &Settings) -> BodyState {
    if let Some(animation) = &vehicle.animation {
        return plan::start_of(&vehicle.pose, Some(animation)).1;
    }
    let (sin, cos) = math::sin_cos(vehicle.pose.yaw);
    let position = [vehicle.pose.x, vehicle.pose.y];
    let mut state = BodyState { position, heading: [cos, sin], ..BodyState::default() };
    state.set_motion(vehicle.velocity, centre, settings.profile.velocity_in_world_frame);
    state
}
