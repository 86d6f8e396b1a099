//! The vehicles of a table: their quantities, bodies and wheels.

use std::ops::Range;

use simhost_scene::{Pose2, Pose3};

use super::host::HostColumns;
use super::ledges::Border;
use super::loading::Loading;
use crate::columns::{Column, Columns};
use crate::ground::Footing;
use crate::physics::Body;
use crate::tilt::Tilt;

/// Constants that all vehicles of a table share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Environment {
    /// Gravity, m/s².
    pub gravity: f64,
    /// Density of the air, kg/m³.
    pub air_density: f64,
    /// Whether wheel loads follow the ground and the forces, and slopes pull. If false, the loads of
    /// the level vehicle at rest apply.
    pub dynamic_loads: bool,
}

/// Constants and state of one vehicle.
pub(crate) struct Lane {
    /// Index of the vehicle in the world file.
    pub vehicle: usize,
    /// Name of the vehicle.
    pub name: String,
    /// Body of the vehicle.
    pub body: Body,
    /// Mass of chassis and wheels, kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass, kg·m².
    pub inertia: f64,
    /// Centre of mass in the vehicle frame, m.
    pub centre: [f64; 2],
    /// Linear and angular damping, 1/s.
    pub damping: [f64; 2],
    /// Cosine and sine of the heading.
    pub heading: [f64; 2],
    /// Velocity of the centre of mass, world frame, m/s.
    pub velocity: [f64; 2],
    /// Whether a model of this vehicle has faulted, so that none is called any more.
    pub disabled: bool,
    /// Whether the friction model has faulted and the fallback has replaced it.
    pub uses_fallback: bool,
    /// Height, m, pitch and roll, rad.
    pub attitude: [f64; 3],
    /// Inclination of the vehicle's plane.
    pub tilt: Tilt,
    /// Normal of that plane, world frame.
    pub normal: [f64; 3],
    /// Masses and geometry that determine the wheel loads.
    pub loading: Loading,
    /// Gravity along the ground and drag in this step, vehicle frame, N.
    pub pull: [f64; 2],
    /// Contact points with the ground.
    pub footing: Footing,
    /// Radius of a circle about the reference point that contains the footing, m.
    pub footing_radius: f64,
    /// Points that ledges stop.
    pub border: Border,
    /// Odometry pose: x, y, m; yaw, rad.
    pub odometry: [f64; 3],
    /// Factors on the increments of the odometry pose.
    pub odometry_multipliers: [f64; 3],
}

impl Lane {
    /// Returns the name of the vehicle as messages show it.
    pub fn entity(&self) -> String {
        format!("vehicle '{}'", self.name)
    }
}

/// The wheels of a table. A list has one value per wheel and vehicle: all vehicles of the first wheel,
/// then all of the second.
pub(crate) struct Wheels {
    /// Number of wheels of a vehicle.
    pub count: usize,
    /// Names: tags without `_wheel`.
    pub names: Vec<String>,
    /// Mounting yaw, rad.
    pub mounting: Vec<f64>,
    /// Rotation about the axle, rad, not wrapped.
    pub angle: Vec<f64>,
    /// Force of the ground, vehicle frame, N, by axis.
    pub force: [Vec<f64>; 2],
    /// Cosine and sine of the heading in the vehicle frame.
    pub heading: Vec<[f64; 2]>,
}

/// The vehicles of a table.
pub(crate) struct Vehicles {
    /// All quantities, including those that only models use.
    pub columns: Columns,
    /// Columns that the host uses.
    pub host: HostColumns,
    /// One entry per vehicle.
    pub lanes: Vec<Lane>,
    /// Numbers of their bodies, in the order of the lanes.
    pub bodies: Range<usize>,
    /// The wheels.
    pub wheels: Wheels,
    /// Whether a vehicle is disabled or uses the fallback.
    pub any_disabled: bool,
    /// Shared constants.
    pub environment: Environment,
}

impl Vehicles {
    /// Returns one value of a column.
    pub fn value(&self, column: Column, index: usize) -> f64 {
        self.columns.get(column)[index]
    }

    /// Returns the pose of a vehicle in the plane.
    pub fn pose(&self, lane: usize) -> Pose2 {
        let at = |column: Column| self.value(column, lane);
        let measured = &self.host.measured;
        Pose2 { x: at(measured.x), y: at(measured.y), yaw: at(measured.yaw) }
    }

    /// Returns the pose of a vehicle in space.
    pub fn pose3(&self, lane: usize) -> Pose3 {
        let Pose2 { x, y, yaw } = self.pose(lane);
        let [z, pitch, roll] = self.lanes[lane].attitude;
        Pose3 { x, y, z, yaw, pitch, roll }
    }

    /// Returns pitch and roll of a body relative to the ground, rad, positive nose down and right side
    /// down.
    pub fn body_attitude(&self, lane: usize) -> [f64; 2] {
        let [along, across] = self.host.sway.map(|[angle, _]| self.value(angle, lane));
        [-along, across]
    }
}
