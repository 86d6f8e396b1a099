//! Readings of a vehicle of a table.

use simhost_scene::Pose3;
use simhost_sdk::math;

use super::fields::{Read, RoadReading};
use super::step::Table;
use crate::columns::Column;
use crate::readings::{BodyProperties, VehicleSnapshot, WheelSnapshot};

/// Speed below which a motion has no direction, m/s.
const SLOW: f64 = 0.1;

/// Returns the angle from the x axis to a velocity, rad: positive to the left, also in reverse; 0 for a velocity below
/// [`SLOW`].
fn direction([x, y]: [f64; 2]) -> f64 {
    if x * x + y * y < SLOW * SLOW { 0.0 } else { math::atan2(y, x.abs()) }
}

/// Smallest speed by which a slip is divided, m/s.
const LEAST_SPEED: f64 = 1e-9;

/// A vehicle of a table, to be read.
#[derive(Clone, Copy)]
pub(crate) struct VehicleView<'t> {
    table: &'t Table,
    lane: usize,
}

impl<'t> VehicleView<'t> {
    /// Returns a quantity of the place of the reference point on the road network.
    fn on_road(&self, reading: RoadReading) -> f64 {
        let roads = self.table.blueprint.roads.as_ref();
        roads.map_or(f64::NAN, |roads| reading.of(&**roads, self.pose()))
    }

    /// Returns the present state of a vehicle.
    pub fn snapshot(&self) -> VehicleSnapshot<'t> {
        VehicleSnapshot {
            name: &self.table.vehicles.lanes[self.lane].fixed.name,
            pose: self.pose(),
            twist: self.twist(),
            odometry_pose: self.odometry_pose(),
            odometry_twist: self.table.blueprint.odometry.twist(&self.table.vehicles, self.lane),
        }
    }

    /// Returns the pose of the reference point of a vehicle: x, y, z, m; yaw, pitch, roll, rad; world
    /// frame.
    #[inline]
    pub(super) fn pose(&self) -> [f64; 6] {
        self.table.vehicles.host.pose_parts().map(|part| self.table.vehicles.part(part, self.lane))
    }

    /// Returns the twist of the reference point: vx, vy, m/s; yaw rate, rad/s; vehicle frame.
    #[inline]
    pub(super) fn twist(&self) -> [f64; 3] {
        self.table.vehicles.twist(self.lane)
    }

    /// Returns the pose by odometry, as [`Self::pose`].
    #[inline]
    pub(super) fn odometry_pose(&self) -> [f64; 6] {
        self.table
            .vehicles
            .host
            .odometry_parts()
            .map(|part| self.table.vehicles.part(part, self.lane))
    }

    /// Returns the position of the centre of mass of chassis and wheels, m, world frame. It stands above the
    /// plane of the vehicle as the body does that tilts with it.
    pub(super) fn centre_of_mass(&self) -> [f64; 3] {
        let [x, y] = self.table.vehicles.centre(self.lane);
        let z = self.table.vehicles.value(self.table.vehicles.host.own.load.lever, self.lane);
        self.place().transform([x, y, z])
    }

    /// Returns the velocity of the centre of mass along x and y, m/s, world frame.
    pub(super) fn centre_velocity(&self) -> [f64; 2] {
        self.table.vehicles.values(self.table.vehicles.host.own.velocity, self.lane)
    }

    /// Returns the position of a point whose place in the vehicle frame is in columns, m, world frame.
    pub(super) fn point(&self, at: [Column; 3]) -> [f64; 3] {
        self.place().transform(self.table.vehicles.values(at, self.lane))
    }

    /// Returns the velocity of a point of the vehicle along x and y, m/s, world frame.
    pub(super) fn point_velocity(&self, at: [Column; 2]) -> [f64; 2] {
        let ([x, y], [vx, vy, omega]) = (self.table.vehicles.values(at, self.lane), self.twist());
        let [cos, sin] =
            self.table.vehicles.values(self.table.vehicles.host.own.heading, self.lane);
        let (vx, vy) = (vx - omega * y, vy + omega * x);
        [cos * vx - sin * vy, sin * vx + cos * vy]
    }

    /// Returns mass properties, springs and drive of a vehicle. Masses that its class measures are known from the
    /// start on.
    pub fn body(&self) -> BodyProperties {
        let springs = self.table.vehicles.lanes[self.lane].fixed.springs.as_ref();
        let own = |name| Some(self.table.vehicles.value(self.table.body_column(name)?, self.lane));
        let mass = own("mass").filter(|mass| *mass > 0.0);
        let centre = own("centre_x").zip(own("centre_y")).map(|(x, y)| [x, y]);
        let yaw_inertia = own("yaw_inertia").filter(|_| mass.is_some());
        BodyProperties {
            mass,
            yaw_inertia,
            centre: centre.filter(|_| mass.is_some()),
            centre_height: own("centre_z"),
            steered_axle: own("front_axle_x").filter(|x| x.is_finite()),
            springs: springs.map(|springs| springs.rates),
            is_driven_by_friction: self.table.blueprint.is_driven_by_friction(),
        }
    }

    /// Returns the position of the centre of a wheel, m, world frame.
    pub(super) fn wheel_position(&self, wheel: usize) -> [f64; 3] {
        // the wheels stand on the ground while the body sways
        self.table
            .vehicles
            .pose3(self.lane)
            .transform(self.table.vehicles.wheel_centre(self.lane, wheel))
    }

    /// Returns the pose of a vehicle with the sway of its body.
    fn place(&self) -> Pose3 {
        let [x, y, z, yaw, pitch, roll] = self.pose();
        Pose3 { x, y, z, yaw, pitch, roll }
    }

    /// Returns the present state of a wheel.
    pub fn wheel_snapshot(&self, wheel: usize) -> WheelSnapshot<'t> {
        let vehicles = &self.table.vehicles;
        let index = wheel * vehicles.lanes.len() + self.lane;
        let at = |column: Column| vehicles.value(column, index);
        let (host, measured) = (&vehicles.host, &vehicles.host.measured);
        let wheels = &vehicles.wheels;
        WheelSnapshot {
            vehicle: &vehicles.lanes[self.lane].fixed.name,
            wheel: &wheels.names[wheel],
            position: [at(measured.wheel_x), at(measured.wheel_y)],
            spin: at(measured.spin),
            angle: at(host.own.angle),
            steer: at(host.steer),
            torque: at(host.torque),
            normal_force: at(host.contact.normal_force),
            velocity: [at(measured.wheel_vx), at(measured.wheel_vy)],
            force: host.own.force.map(at),
        }
    }

    /// Returns the forward and leftward acceleration of a point of a vehicle in the last step, m/s², vehicle frame; of the
    /// reference point without columns of another one.
    fn acceleration_at(&self, at: Option<[Column; 2]>) -> [f64; 2] {
        let vehicles = &self.table.vehicles;
        let [x, y] = self.place_of(at);
        let [ax, ay, turning] = vehicles.values(vehicles.host.own.acceleration, self.lane);
        let [_, _, omega] = self.twist();
        [ax - turning * y - omega * omega * x, ay + turning * x - omega * omega * y]
    }

    /// Returns the angle from the longitudinal axis of a vehicle to the velocity of such a point, rad.
    fn sideslip_at(&self, at: Option<[Column; 2]>) -> f64 {
        let [x, y] = self.place_of(at);
        let [vx, vy, omega] = self.twist();
        direction([vx - omega * y, vy + omega * x])
    }

    /// Returns the angle from the heading of a wheel to its velocity in the last step, rad.
    fn slip_angle(&self, wheel: usize) -> f64 {
        let vehicles = &self.table.vehicles;
        let (host, index) = (&vehicles.host, wheel * vehicles.lanes.len() + self.lane);
        let [steer, mounting] = vehicles.values([host.steer, host.own.mounting], index);
        let [vx, vy] = vehicles.values([host.measured.wheel_vx, host.measured.wheel_vy], index);
        let (sin, cos) = math::sin_cos(steer + mounting);
        direction([cos * vx + sin * vy, cos * vy - sin * vx])
    }

    /// Returns a point of a vehicle whose coordinates are in columns, m; the reference point without columns.
    fn place_of(&self, columns: Option<[Column; 2]>) -> [f64; 2] {
        let vehicles = &self.table.vehicles;
        columns.map_or([0.0; 2], |columns| vehicles.values(columns, self.lane))
    }

    /// Returns the torque of the ground about the steering axes of the steered wheels, N·m: the aligning moment
    /// of the tyres, and their lateral force behind the axis.
    fn steering_torque(&self) -> f64 {
        let vehicles = &self.table.vehicles;
        let trails = vehicles.lanes[self.lane].fixed.trails.iter().enumerate();
        let steered = trails.filter(|(_, trail)| !trail.is_nan());
        let torque = steered.map(|(wheel, trail)| {
            let index = wheel * vehicles.lanes.len() + self.lane;
            let aligning =
                vehicles.host.aligning_moment.map_or(0.0, |column| vehicles.value(column, index));
            aligning - trail * vehicles.value(vehicles.host.forces.fy, index)
        });
        torque.sum()
    }

    /// Returns the torque on a wheel that its longitudinal force does not explain, N·m: that of rolling resistance
    /// and bearings.
    fn rolling_resistance(&self, wheel: usize) -> f64 {
        let vehicles = &self.table.vehicles;
        let (host, index) = (&vehicles.host, wheel * vehicles.lanes.len() + self.lane);
        let [force, torque] = vehicles.values([host.forces.fx, host.forces.spin_torque], index);
        torque + force * vehicles.value(host.measured.radius, index)
    }

    /// Returns the slip of a wheel, of a friction model that does not determine it from a curve: its slip
    /// ratio, and the tangent of its slip angle to the right.
    fn slip(&self, wheel: usize) -> [f64; 2] {
        let vehicles = &self.table.vehicles;
        let (host, index) = (&vehicles.host, wheel * vehicles.lanes.len() + self.lane);
        let [vx, vy] = vehicles.values([host.contact.vx, host.contact.vy], index);
        let [spin, radius] = vehicles.values([host.measured.spin, host.measured.radius], index);
        let speed = vx.abs().max(LEAST_SPEED);
        [(spin * radius - vx) / speed, -vy / speed]
    }

    /// Returns the moment that the wheels balance about an axis as a part of the greatest one that they can
    /// balance in its direction.
    fn load_transfer(&self, axis: usize) -> f64 {
        let vehicles = &self.table.vehicles;
        let [least, most] =
            vehicles.lanes[self.lane].fixed.tipping.limits(axis, vehicles.load(self.lane));
        let moment = vehicles.value(vehicles.host.own.load.moment[axis], self.lane);
        let limit = if moment < 0.0 { -least } else { most };
        if limit > 0.0 { moment / limit } else { 0.0 }
    }

    /// Appends the values of a quantity of a vehicle, or of one of its wheels.
    #[inline]
    pub fn read(&self, read: Read, wheel: usize, to: &mut Vec<f64>) {
        match read {
            Read::Column(column) => {
                let index = wheel * self.table.vehicles.lanes.len() + self.lane;
                to.push(self.table.vehicles.value(column, index));
            }
            Read::Pose => to.extend_from_slice(&self.pose()),
            Read::Twist => to.extend_from_slice(&self.twist()),
            Read::OdometryPose => to.extend_from_slice(&self.odometry_pose()),
            Read::OdometryTwist => to.extend_from_slice(
                &self.table.blueprint.odometry.twist(&self.table.vehicles, self.lane),
            ),
            Read::CentreOfMass => to.extend_from_slice(&self.centre_of_mass()),
            Read::CentreVelocity => to.extend_from_slice(&self.centre_velocity()),
            Read::Point(at) => to.extend_from_slice(&self.point(at)),
            Read::PointVelocity(at) => to.extend_from_slice(&self.point_velocity(at)),
            Read::Acceleration(axis, at) => to.push(self.acceleration_at(at)[axis]),
            Read::Sideslip(at) => to.push(self.sideslip_at(at)),
            Read::SlipAngle => to.push(self.slip_angle(wheel)),
            Read::WheelPosition => to.extend_from_slice(&self.wheel_position(wheel)),
            Read::SlipRatio => to.push(self.slip(wheel)[0]),
            Read::LateralSlip => to.push(self.slip(wheel)[1]),
            Read::RollingResistance => to.push(self.rolling_resistance(wheel)),
            Read::SteeringTorque => to.push(self.steering_torque()),
            Read::Road(reading) => to.push(self.on_road(reading)),
            Read::LoadTransfer(axis) => to.push(self.load_transfer(axis)),
        }
    }
}

impl Table {
    /// Returns the vehicle of a lane.
    #[inline]
    pub fn vehicle(&self, lane: usize) -> VehicleView<'_> {
        VehicleView { table: self, lane }
    }
}

#[cfg(test)]
mod tests {
    use super::direction;

    #[test]
    fn directions_are_to_the_left_also_in_reverse() {
        assert!((direction([3.0, 3.0]) - 0.25 * std::f64::consts::PI).abs() < 1e-12);
        assert_eq!(direction([3.0, -1.0]), -direction([-3.0, 1.0]));
        assert_eq!(direction([0.05, 0.05]), 0.0);
    }
}
