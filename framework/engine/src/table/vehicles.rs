//! The vehicles of a table: their quantities, bodies and wheels.

use std::ops::Range;
use std::sync::Arc;

use simhost_scene::{Pose2, Pose3};

use super::host::HostColumns;
use super::vehicle_blueprint::VehicleBlueprint;
use crate::columns::{Column, Columns};
use crate::ground::Fall;
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

/// A run of which a vehicle is in a table with those of other runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnRun {
    /// Seed of the random numbers.
    pub seed: u64,
    /// Number of completed steps by which it is behind the table, modulo 2⁶⁴.
    pub behind: u64,
}

/// Rarely used state of one vehicle. Everything that each step uses is in columns.
#[derive(Clone)]
pub(crate) struct Lane {
    /// Index of the vehicle in the world file.
    pub vehicle: usize,
    /// Properties that no step changes.
    pub fixed: Arc<VehicleBlueprint>,
    /// The run that it is in, if this is another one than that of the table.
    pub run: Option<OwnRun>,
    /// Body of the vehicle.
    pub body: Body,
    /// Whether a model of this vehicle has faulted, so that none is called any more.
    pub disabled: bool,
    /// Whether the friction model has faulted and the fallback has replaced it.
    pub uses_fallback: bool,
    /// Inclination of the vehicle's plane.
    pub tilt: Tilt,
    /// Normal of that plane, world frame.
    pub normal: [f64; 3],
    /// Vertical motion.
    pub fall: Fall,
    /// Whether the vehicle was in the air in this step, where a change of its inclination does not
    /// change its horizontal velocity.
    pub keeps_velocity: bool,
    /// Motion that follows the curvature of the ground in this step; `None` where there is none.
    pub ride: Option<Ride>,
    /// Time at which the vehicle has tipped over in this run, s.
    pub tipped: Option<f64>,
}

/// Motion of a vehicle that follows the curvature of the ground.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ride {
    /// Rates of pitch and roll of its plane in its present heading, rad/s.
    pub turning: [f64; 2],
    /// Acceleration of the reference point along the normal of the plane, m/s².
    pub lift: f64,
    /// Acceleration of the centre of mass along the normal, m/s².
    pub centre_lift: f64,
    /// Vertical velocity of the centre of mass, m/s.
    pub rising: f64,
}

impl Lane {
    /// Returns the name of the vehicle as messages show it.
    pub fn entity(&self) -> String {
        format!("vehicle '{}'", self.fixed.name)
    }
}

/// The wheels of a table. Columns of wheels hold all vehicles of the first wheel, then all of the
/// second.
pub(crate) struct Wheels {
    /// Number of wheels of a vehicle.
    pub count: usize,
    /// Names: tags without `_wheel`.
    pub names: Vec<String>,
}

/// The vehicles of a table.
#[derive(Clone)]
pub(crate) struct Vehicles {
    /// All quantities, including those that only models use.
    pub columns: Columns,
    /// Columns that the host uses.
    pub host: Arc<HostColumns>,
    /// One entry per vehicle.
    pub lanes: Vec<Lane>,
    /// Numbers of their bodies, in the order of the lanes.
    pub bodies: Range<usize>,
    /// The wheels.
    pub wheels: Arc<Wheels>,
    /// Whether a vehicle is disabled or uses the fallback.
    pub any_disabled: bool,
    /// Whether a vehicle has a suspension that is not rigid.
    pub any_springs: bool,
    /// Whether the wheels of a vehicle may be lifted on one side.
    pub is_tipping: bool,
    /// Load of each wheel for a gravity of 1 m/s², N, if gravity can change and the loads are those of
    /// the level vehicle at rest.
    pub level_loads: Arc<[f64]>,
    /// Shared constants.
    pub environment: Environment,
}

/// Gravity normal to the ground on a vehicle in the air, m/s². It is not 0, so that friction models can
/// divide by wheel loads.
pub(super) const WEIGHTLESS: f64 = 1e-6;

impl Vehicles {
    /// Returns one value of a column.
    #[inline]
    pub fn value(&self, column: Column, index: usize) -> f64 {
        self.columns.get(column)[index]
    }

    /// Returns one value of each of several columns.
    #[inline]
    pub fn values<const N: usize>(&self, columns: [Column; N], index: usize) -> [f64; N] {
        // `map` of arrays stays a call
        std::array::from_fn(|number| self.value(columns[number], index))
    }

    /// Replaces one value of each of several columns.
    pub fn set_values<const N: usize>(
        &mut self,
        columns: [Column; N],
        index: usize,
        values: [f64; N],
    ) {
        for (column, value) in columns.into_iter().zip(values) {
            self.columns.get_mut(column)[index] = value;
        }
    }

    /// Returns the number of vehicles times that of their wheels.
    pub fn wheel_count(&self) -> usize {
        self.lanes.len() * self.wheels.count
    }

    /// Returns the centre of a wheel in the vehicle frame, m.
    pub fn wheel_centre(&self, lane: usize, wheel: usize) -> [f64; 3] {
        let measured = &self.host.measured;
        let index = wheel * self.lanes.len() + lane;
        self.values([measured.wheel_x, measured.wheel_y, measured.radius], index)
    }

    /// Returns the measured velocity of the reference point of a vehicle, m/s, and its yaw rate, rad/s, vehicle frame.
    pub fn twist(&self, lane: usize) -> [f64; 3] {
        let measured = &self.host.measured;
        self.values([measured.vx, measured.vy, measured.omega], lane)
    }

    /// Returns the centre of mass of a vehicle in the vehicle frame, m.
    pub fn centre(&self, lane: usize) -> [f64; 2] {
        self.values([self.host.measured.centre_x, self.host.measured.centre_y], lane)
    }

    /// Returns the centre of mass of a vehicle at its height above the plane of the vehicle, vehicle frame, m.
    pub fn centre_in_space(&self, lane: usize) -> [f64; 3] {
        let [x, y] = self.centre(lane);
        [x, y, self.value(self.host.own.load.lever, lane)]
    }

    /// Returns mass, kg, and moment of inertia about the centre of mass, kg·m².
    pub fn mass(&self, lane: usize) -> [f64; 2] {
        self.values([self.host.measured.mass, self.host.measured.yaw_inertia], lane)
    }

    /// Sets the inclination of a vehicle.
    pub fn set_tilt(&mut self, lane: usize, tilt: Tilt) {
        self.lanes[lane].tilt = tilt;
        let own = &self.host.own;
        let (numbers, gravity) = (own.tilt, own.slope_gravity);
        let (fall, whole) = (&self.lanes[lane].fall, self.environment.gravity);
        let pull = if fall.is_free() {
            [0.0, 0.0, WEIGHTLESS]
        } else if fall.is_lifted() {
            // the ground below the wheels that stand, not the body, is the slope
            [0.0, 0.0, (fall.carried * whole).max(WEIGHTLESS)]
        } else {
            tilt.gravity(whole)
        };
        self.set_values(numbers, lane, tilt.numbers());
        self.set_values(gravity, lane, pull);
    }

    /// Returns the height of a vehicle's reference point, m.
    pub fn height(&self, lane: usize) -> f64 {
        self.value(self.host.own.attitude[0], lane)
    }

    /// Returns the columns from which [`Self::pose`] and [`Self::height`] are read.
    pub fn pose_columns(&self) -> [Column; 4] {
        let measured = &self.host.measured;
        [measured.x, measured.y, measured.yaw, self.host.own.attitude[0]]
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
        let [z, pitch, roll] = self.values(self.host.own.attitude, lane);
        Pose3 { x, y, z, yaw, pitch, roll }
    }

    /// Prepares [`Self::set_gravity`]. `gravity`, m/s², is that of the world file.
    pub fn expect_gravity(&mut self, gravity: f64) {
        if self.environment.dynamic_loads {
            return;
        }
        let (load, wheels) = (&self.host.own.load, self.wheels.count as f64);
        let normal_force = self.columns.get(self.host.contact.normal_force);
        let per_gravity = |(index, force): (usize, &f64)| {
            if gravity > 0.0 {
                return force / gravity;
            }
            let chassis = self.value(load.chassis, index % self.lanes.len());
            chassis / wheels + self.value(load.wheel_mass, index)
        };
        self.level_loads = normal_force.iter().enumerate().map(per_gravity).collect();
    }

    /// Sets the gravity from this step on, m/s².
    pub fn set_gravity(&mut self, gravity: f64) {
        self.environment.gravity = gravity;
        let (measured, own) = (&self.host.measured, &self.host.own);
        let (slope, pull, column) =
            ([measured.slope_ax, measured.slope_ay], own.slope_gravity, measured.gravity);
        // written in every run before it is read, although snapshots leave it out
        self.columns.get_mut(column).fill(gravity);
        for lane in 0..self.lanes.len() {
            self.set_tilt(lane, self.lanes[lane].tilt);
            if self.environment.dynamic_loads {
                let [along, across, _] = self.values(pull, lane);
                self.set_values(slope, lane, [along, across]);
            }
        }
        let contact = &self.host.contact;
        let (normal_force, normal_gravity) = (contact.normal_force, contact.gravity);
        if !self.environment.dynamic_loads {
            self.columns.get_mut(normal_gravity).fill(gravity);
            let forces = self.columns.get_mut(normal_force).iter_mut();
            forces.zip(&*self.level_loads).for_each(|(force, load)| *force = load * gravity);
        }
    }
}
