//! Columns of the host, generated from the port tables of `simhost-abi`.

use simhost_abi::host_port::{HostPort, MEASUREMENTS, WHEEL_INPUTS, WHEEL_OUTPUTS};

use crate::columns::{Column, Layout};

/// Returns the index of a port in a table. Evaluated at compile time, so that an unknown name does not
/// compile.
const fn position(ports: &[HostPort], name: &str) -> usize {
    let mut index = 0;
    while index < ports.len() {
        if is_same(ports[index].name.as_bytes(), name.as_bytes()) {
            return index;
        }
        index += 1;
    }
    panic!("the table does not have this port");
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

/// Declares a struct with the columns of the ports of a table that the host uses itself. Fields have
/// the names of the ports.
macro_rules! port_columns {
    ($(#[$doc:meta])* $name:ident from $table:ident { $($field:ident)* }) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub(crate) struct $name {
            $(#[doc = concat!("Column of the port `", stringify!($field), "`.")] pub $field: Column,)*
        }

        impl $name {
            /// Selects the fields from the columns of the whole table, in its order.
            pub fn new(columns: &[Column]) -> Self {
                Self { $($field: columns[const { position($table, stringify!($field)) }],)* }
            }
        }
    };
}

port_columns! {
    /// Measurements of the vehicles and their wheels.
    Measured from MEASUREMENTS {
        x y z yaw vx vy omega pitch roll slope_ax slope_ay mass yaw_inertia centre_x centre_y
        gravity
        spin wheel_steer radius wheel_x wheel_y wheel_vx wheel_vy
    }
}

port_columns! {
    /// Inputs of friction models, one value per wheel.
    Contact from WHEEL_INPUTS {
        vx vy torque normal_force gravity inertia steer slope_fy mu_override c_rr_override coupling
    }
}

port_columns! {
    /// Outputs of friction models, one value per wheel. Without an output that the model does not
    /// have, the column stays zero.
    Forces from WHEEL_OUTPUTS { fx fy spin_torque }
}

/// Columns that the host reads and writes.
#[derive(Clone)]
pub(crate) struct HostColumns {
    /// Measurements that models can read.
    pub measured: Measured,
    /// Inputs of friction models.
    pub contact: Contact,
    /// Outputs of friction models.
    pub forces: Forces,
    /// Steering angle that the dynamics class returns, rad.
    pub steer: Column,
    /// Motor torque that the dynamics class returns, N·m.
    pub torque: Column,
    /// Total force of all wheels in the last step, vehicle frame, N; one value per vehicle.
    pub wheel_force: [Column; 2],
    /// Outputs of the dynamics class for camber and its rate, and the columns that models read.
    pub camber: Vec<(Column, Column)>,
    /// Column of the camber that models read, if the dynamics class does not set it.
    pub fixed_camber: Option<Column>,
    /// Output of the friction model for the aligning moment of each wheel, N·m.
    pub aligning_moment: Option<Column>,
    /// Output of the friction model for the effective rolling radius of each wheel, and the column that models read
    /// as the radius, m.
    pub rolling_radius: Option<[Column; 2]>,
    /// Output of the dynamics class for the inertia that the powertrain adds to each wheel, and the
    /// inertia of the wheels alone, kg·m²; `None` for a class without that output.
    pub drive_inertia: Option<[Column; 2]>,
    /// Normal of the ground at each wheel, world frame, if a model reads it.
    pub normal: Option<[Column; 3]>,
    /// Property `surface` of the ground at each wheel, if a model reads it.
    pub surface: Option<Column>,
    /// Motion of the bodies in space, if a model reads it.
    pub motion: Option<MotionColumns>,
    /// Whether the dynamics class sets the motion in space, and vehicles do not follow the ground.
    pub spatial: bool,
    /// Wind and side force, if there is any.
    pub air: Option<AirColumns>,
    /// Quantities that only the host uses.
    pub own: OwnColumns,
    /// Sway of bodies on springs along x and along y: angle, rad, and rate, rad/s; one value per
    /// vehicle.
    pub sway: [[Column; 2]; 2],
}

/// Quantities of vehicles and wheels that only the host uses. One value per vehicle, unless noted.
#[derive(Clone)]
pub(crate) struct OwnColumns {
    /// Cosine and sine of the heading.
    pub heading: [Column; 2],
    /// Velocity of the centre of mass, world frame, m/s.
    pub velocity: [Column; 2],
    /// Linear and angular damping, 1/s.
    pub damping: [Column; 2],
    /// Inclination of the vehicle's plane: the numbers of [`Tilt::numbers`](crate::tilt::Tilt::numbers).
    pub tilt: [Column; 4],
    /// Gravity along x and y of the vehicle's plane and normal to it, m/s².
    pub slope_gravity: [Column; 3],
    /// Gravity along the ground and drag in this step, vehicle frame, N.
    pub pull: [Column; 2],
    /// Height, m, pitch and roll of the vehicle's plane, rad.
    pub attitude: [Column; 3],
    /// Odometry pose: x, y, m; yaw, rad.
    pub odometry: [Column; 3],
    /// Factors on the increments of the odometry pose.
    pub odometry_multipliers: [Column; 3],
    /// Constants of the wheel loads.
    pub load: LoadColumns,
    /// Mounting yaw of each wheel, rad.
    pub mounting: Column,
    /// Cosine and sine of the heading of each wheel in the vehicle frame.
    pub wheel_heading: [Column; 2],
    /// Rotation of each wheel about its axle, rad, not wrapped.
    pub angle: Column,
    /// Force of the ground on each wheel, vehicle frame, N.
    pub force: [Column; 2],
    /// Aligning moment of each wheel in the last step, N·m, if a model reads it.
    pub aligning_moment: Option<Column>,
    /// Forward and leftward acceleration of the reference point in the last step, m/s², and its yaw acceleration,
    /// rad/s²; vehicle frame. Within a step, the twist at its start.
    pub acceleration: [Column; 3],
}

/// Constants that determine the wheel loads, and intermediate results.
#[derive(Clone)]
pub(crate) struct LoadColumns {
    /// Mass of the chassis, kg.
    pub chassis: Column,
    /// Mean height of the mass of chassis and wheels above the ground, m.
    pub lever: Column,
    /// Drag area and lift area, m².
    pub air: [Column; 2],
    /// Centre of mass of the chassis, vehicle frame, m.
    pub centre: [Column; 2],
    /// Row of the load distribution of each wheel; see [`Support`](crate::loads::Support).
    pub rows: [Column; 3],
    /// Mass of each wheel, kg.
    pub wheel_mass: Column,
    /// Force on the ground in this step, N.
    pub press: Column,
    /// Moments of the wheel forces about the ground in this step, along x and y, N·m.
    pub moment: [Column; 2],
}

impl OwnColumns {
    /// Adds the columns of `lanes` vehicles with `wheels` wheels in all, except those that models read.
    pub fn new(lanes: usize, wheels: usize, read: &OnDemand, layout: &mut Layout) -> Self {
        fn constants<const N: usize>(layout: &mut Layout, len: usize) -> [Column; N] {
            [(); N].map(|()| layout.add_constant(vec![0.0; len]))
        }
        fn states<const N: usize>(layout: &mut Layout, len: usize) -> [Column; N] {
            [(); N].map(|()| layout.fill(len, 0.0))
        }
        // from bodies, the ground, or quantities of the same step
        fn passing<const N: usize>(layout: &mut Layout, len: usize) -> [Column; N] {
            [(); N].map(|()| layout.fill_passing(len, 0.0))
        }
        // with a class that moves in space, the attitude does not follow from the ground
        let attitude = if read.spatial { states } else { passing };
        let [lever, chassis] = constants(layout, lanes);
        let [mounting, wheel_mass] = constants(layout, wheels);
        let [press] = passing(layout, lanes);
        let load = LoadColumns {
            chassis,
            lever,
            air: constants(layout, lanes),
            centre: constants(layout, lanes),
            rows: constants(layout, wheels),
            wheel_mass,
            press,
            moment: passing(layout, lanes),
        };
        let angle = read.angle.unwrap_or_else(|| layout.fill(wheels, 0.0));
        Self {
            heading: passing(layout, lanes),
            velocity: passing(layout, lanes),
            damping: constants(layout, lanes),
            tilt: passing(layout, lanes),
            slope_gravity: passing(layout, lanes),
            pull: passing(layout, lanes),
            attitude: attitude(layout, lanes),
            odometry: states(layout, lanes),
            odometry_multipliers: constants(layout, lanes),
            load,
            mounting,
            wheel_heading: passing(layout, wheels),
            angle,
            force: read.force.unwrap_or_else(|| passing(layout, wheels)),
            aligning_moment: read.aligning_moment,
            acceleration: passing(layout, lanes),
        }
    }
}

/// Columns of the air, one value per vehicle. A table has them if wind can blow on one of its vehicles,
/// or if one has a side area or a centre of pressure of its own.
#[derive(Clone)]
pub(crate) struct AirColumns {
    /// Velocity of the air at the centre of pressure, world frame, m/s.
    pub wind: [Column; 3],
    /// Whether the world has an environment with wind.
    pub blows: bool,
    /// Part of the vertical velocity of the air along x and y of the vehicle's plane, m/s.
    pub updraft: [Column; 2],
    /// Side force coefficient times side area, m².
    pub side_area: Column,
    /// Centre of pressure: ahead and left of the reference point, above the ground, m.
    pub point: [Column; 3],
    /// Moment of the air about the centre of mass in this step, N·m.
    pub moment: Column,
}

/// Columns of the quantities of [`MOTION`] and [`ON_DEMAND`] that a model of the table reads.
#[derive(Clone, Default)]
pub(crate) struct OnDemand {
    /// Whether the dynamics class sets the motion in space.
    pub spatial: bool,
    /// Motion of the body in space.
    pub motion: Option<MotionColumns>,
    /// Rotation of each wheel about its axle.
    pub angle: Option<Column>,
    /// Force of the ground on each wheel, vehicle frame.
    pub force: Option<[Column; 2]>,
    /// Aligning moment of each wheel, which is copied from an output of the friction model.
    pub aligning_moment: Option<Column>,
    /// Camber and its rate, which are copied from outputs of the dynamics class.
    pub camber: Option<[Column; 2]>,
    /// Normal of the ground, world frame.
    pub normal: Option<[Column; 3]>,
    /// Property `surface` of the ground.
    pub surface: Option<Column>,
}

/// Columns of the motion in space, in the frame of the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MotionColumns {
    /// Specific force of the reference point, m/s².
    pub force: [Column; 3],
    /// Angular velocity, rad/s.
    pub rate: [Column; 3],
    /// Angular acceleration, rad/s².
    pub acceleration: [Column; 3],
    /// Velocity of the reference point, m/s; NaN if the step before is unknown.
    pub velocity: [Column; 3],
    /// Normal of the plane of the vehicle, world frame.
    pub normal: [Column; 3],
}

impl MotionColumns {
    /// Adds the columns of `lanes` vehicles.
    pub fn new(lanes: usize, layout: &mut Layout) -> Self {
        let passing = |layout: &mut Layout| [(); 3].map(|()| layout.fill_passing(lanes, 0.0));
        let (force, acceleration) = (passing(layout), passing(layout));
        let mut kept = |value: f64| [(); 3].map(|()| layout.fill(lanes, value));
        Self { force, rate: kept(0.0), acceleration, velocity: kept(f64::NAN), normal: kept(0.0) }
    }

    /// Returns the columns that models read, in the order of their ports.
    pub fn measured(&self) -> [Column; 12] {
        let [vx, vy, vz] = self.velocity;
        let [fx, fy, fz] = self.force;
        let [wx, wy, wz] = self.rate;
        let [ax, ay, az] = self.acceleration;
        [vx, vy, vz, fx, fy, fz, wx, wy, wz, ax, ay, az]
    }

    /// Returns the columns of the velocity and the angular velocity.
    pub fn state(&self) -> [Column; 6] {
        let ([vx, vy, vz], [wx, wy, wz]) = (self.velocity, self.rate);
        [vx, vy, vz, wx, wy, wz]
    }

    /// Returns the columns of the velocities along x and y, m/s, and about z of the body, rad/s.
    pub fn twist(&self) -> [Column; 3] {
        [self.velocity[0], self.velocity[1], self.rate[2]]
    }
}
