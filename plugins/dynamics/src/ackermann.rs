//! Four wheels with Ackermann steering of the front pair and a motor on each side of the driven axles.
//!
//! Source: MVSim physics manual, "Ackermann steering dynamics". The manual describes a rear-wheel drive,
//! and the program drives the front wheels, which is the default here. **Limit:** `max_steer_ang_deg`
//! limits the equivalent central angle, so the inner wheel turns further.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::{FrontMotors, Odometry, SteeredMeasurements, SteeringGeometry};
use simhost_sdk::{kinematics, prelude::*};

use crate::motor;
use crate::steering::{Steered, Steering};

/// Default position of the front axle, and distance between its wheels, m.
const DEFAULT_X: f64 = 1.3;
const DEFAULT_TRACK: f64 = 2.0;

/// Geometry of the front axle of a vehicle with Ackermann steering.
#[derive(Clone, Copy, Params)]
pub struct FrontAxle {
    /// Position of the front axle ahead of the reference point, unless the elements of the front wheels
    /// have a `pos`.
    #[param(default = DEFAULT_X, unit = "m", per_lane, scaling = Scaling::LENGTH)]
    pub(crate) f_wheels_x: f64,
    /// Distance between the front wheels, unless their elements have a `pos`.
    #[param(default = DEFAULT_TRACK, above = 0.0, unit = "m", per_lane, scaling = Scaling::LENGTH)]
    pub(crate) f_wheels_d: f64,
    /// Largest steering angle of an equivalent wheel in the middle of the axle. A larger value
    /// allows the vehicle to turn in a smaller circle.
    #[param(default = 30.0, above = 0.0, below = 89.4, unit = "deg", scale = math::DEG,
            key = "max_steer_ang_deg", per_lane)]
    pub(crate) max_steer: f64,
}

/// Four wheels with Ackermann steering of the front pair and a motor on each side of the driven axles.
#[derive(Params)]
pub struct Ackermann {
    /// Geometry of the steered axle.
    #[param(flatten, per_lane)]
    axle: FrontAxle,
    /// Rate limit and lag of the steering actuator.
    steering: Steering,
    /// Share of the brake torque that acts on the front axle. A larger value makes the front wheels
    /// lock first.
    #[param(default = 0.6, range = 0.0..=1.0, per_lane)]
    brake_bias: f64,
    /// Axles whose wheels the motors drive. With `all`, each motor drives the two wheels of its side,
    /// half of its torque on each.
    #[param(default = "front")]
    driven: Axles,
    /// Shares of the torque of a motor that its rear and its front wheel get.
    #[param(skip)]
    shares: [f64; 2],
}

/// Driven axles.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Axles {
    #[param(key = "front")]
    Front,
    #[param(key = "rear")]
    Rear,
    #[param(key = "all")]
    All,
}

/// Torques of the motors, steering angle and brake torque.
#[derive(Ports)]
pub struct BrakedMotors {
    /// Torques and steering angle.
    #[port(flatten)]
    motors: FrontMotors,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m", optional)]
    brake_torque: f64,
    /// Decrease of the torque of the left motor per gain of the spin of its wheel within the step.
    #[port(unit = "N·m·s/rad", optional)]
    slope_front_left: f64,
    /// Decrease of the torque of the right motor per gain of the spin of its wheel within the step.
    #[port(unit = "N·m·s/rad", optional)]
    slope_front_right: f64,
}

/// Measurements of a vehicle with a steered front axle.
#[derive(Ports)]
pub struct Measured {
    /// Odometry and geometry.
    #[port(flatten)]
    pub vehicle: SteeredMeasurements,
    /// Steering angle of an equivalent wheel in the middle of the front axle, positive counter-clockwise.
    #[port(unit = "rad")]
    pub axle_steer: f64,
}

/// Default chassis of an Ackermann vehicle.
pub(crate) const CHASSIS: Chassis = Chassis::new(
    500.0,
    [0.2, 1.4],
    &[-0.8, -1.0, 1.5, -0.9, 1.8, -0.8, 1.8, 0.8, 1.5, 0.9, -0.8, 1.0],
);

/// Wheels of an Ackermann vehicle: rear pair, then front pair.
pub(crate) const WHEELS: &[WheelPlace] = &[
    WheelPlace::at("rl_wheel", 0.0, 0.9),
    WheelPlace::at("rr_wheel", 0.0, -0.9),
    WheelPlace::placed("fl_wheel").steered(),
    WheelPlace::placed("fr_wheel").steered(),
];

impl FrontAxle {
    /// Places the front pair: by the parameters, or else where the elements of the wheels have them.
    pub(crate) fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        let Self { f_wheels_x, f_wheels_d, .. } = *self;
        let [rear, rear_right, left, right] = wheels else {
            return Err("expected four wheels".into());
        };
        kinematics::check_track([rear, rear_right], [WHEELS[0].tag(), WHEELS[1].tag()])?;
        // the host leaves a wheel without a position at the reference point
        let is_placed = |wheel: &WheelGeometry| wheel.x != 0.0 || wheel.y != 0.0;
        let places = [&*left, &*right].map(|wheel| is_placed(wheel).then_some([wheel.x, wheel.y]));
        let mirrored = |[x, y]: [f64; 2]| [x, -y];
        let is_default = (f_wheels_x, f_wheels_d) == (DEFAULT_X, DEFAULT_TRACK);
        let (at_left, at_right) = match places {
            [Some(at_left), at_right] if is_default => {
                (at_left, at_right.unwrap_or(mirrored(at_left)))
            }
            [None, Some(at_right)] if is_default => (mirrored(at_right), at_right),
            _ => ([f_wheels_x, 0.5 * f_wheels_d], [f_wheels_x, -0.5 * f_wheels_d]),
        };
        ([left.x, left.y], [right.x, right.y]) = (at_left, at_right);
        if left.y <= right.y {
            return Err(format!(
                "`fl_wheel` is at y = {} m and `fr_wheel` at y = {} m, expected the first to the left",
                left.y, right.y
            ));
        }
        let front = left.x.min(right.x);
        if front - rear.x.max(rear_right.x) <= 0.0 {
            let text = format!(
                "the front axle is at x = {front} m, expected it ahead of the rear wheels at {} m; move it \
                 with f_wheels_x, or with <fl_wheel pos=\"X Y\"/> and <fr_wheel pos=\"X Y\"/>",
                rear.x
            );
            return Err(text);
        }
        Ok(())
    }

    /// Sets the steering angles of the front pair.
    #[inline(always)]
    pub(crate) fn steer(&self, wheels: &mut Wheels, angle: f64) {
        let wheelbase = wheels.x(2) - wheels.x(0);
        let track = wheels.y(2) - wheels.y(3);
        let (left, right) = kinematics::ackermann_angles(angle, wheelbase, track, self.max_steer);
        wheels.set_steer(2, left);
        wheels.set_steer(3, right);
    }

    /// Returns the measurements of an Ackermann vehicle.
    #[inline(always)]
    pub(crate) fn measured(&self, wheels: &WheelMotion) -> Measured {
        let vehicle = self.odometry(wheels);
        // the inverse of `kinematics::ackermann_angles` for the wheel at the inside: cot c = cot i + t/2L
        let [left, right] = [wheels.steer(2), wheels.steer(3)];
        let (inner, side) = if left + right >= 0.0 { (left, 1.0) } else { (-right, -1.0) };
        let inner = math::tan(inner);
        let half = 0.5 * vehicle.geometry.front_track / vehicle.geometry.wheelbase;
        let axle_steer = side * math::atan(inner / (1.0 + half * inner));
        Measured { vehicle, axle_steer }
    }

    /// Returns the odometry and the geometry of an Ackermann vehicle.
    #[inline(always)]
    fn odometry(&self, wheels: &WheelMotion) -> SteeredMeasurements {
        let (odometry_vx, odometry_omega) = wheels.axle_twist(0, 1);
        SteeredMeasurements {
            odometry: Odometry { odometry_vx, odometry_vy: 0.0, odometry_omega },
            geometry: SteeringGeometry {
                wheelbase: wheels.x(2) - wheels.x(0),
                front_axle_x: wheels.x(2),
                front_track: wheels.y(2) - wheels.y(3),
                max_steer: self.max_steer,
            },
            wheel_radius: 0.25 * (0..4).map(|wheel| wheels.radius(wheel)).sum::<f64>(),
        }
    }
}

/// Distributes the brake torque: `bias` of it acts on the front axle, and each wheel of an axle
/// takes half.
#[inline(always)]
pub(crate) fn brake(wheels: &mut Wheels, torque: f64, bias: f64) {
    let torque = torque.max(0.0);
    for wheel in 0..4 {
        let share = if wheel < 2 { 1.0 - bias } else { bias };
        wheels.set_brake(wheel, 0.5 * share * torque);
    }
}

#[model]
impl Dynamics for Ackermann {
    const TIME_INVARIANT: bool = true;
    const WHEELS: &'static [WheelPlace] = WHEELS;
    const CHASSIS: Chassis = CHASSIS;
    const SETS_DRIVE_INERTIA: bool = true;

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        self.axle.arrange(wheels)
    }

    fn prepare(&mut self) -> Result<(), String> {
        self.shares = match self.driven {
            Axles::Front => [0.0, 1.0],
            Axles::Rear => [1.0, 0.0],
            Axles::All => [0.5, 0.5],
        };
        Ok(())
    }

    fn drive(&self, inputs: &BrakedMotors, wheels: &mut Wheels, step: &Step, state: &mut Steered) {
        let motors = &inputs.motors;
        let angle = self.steering.follow(motors.steer, self.axle.max_steer, step, state);
        self.axle.steer(wheels, angle);
        brake(wheels, inputs.brake_torque, self.brake_bias);
        let [left, right] = [motors.torque_front_left, motors.torque_front_right];
        // the same instructions for all axles, so that the loop over vehicles stays a vector loop
        let [rear, front] = self.shares;
        let part = |share: f64, torque: f64| if share > 0.0 { share * torque } else { 0.0 };
        let [left_slope, right_slope] = [inputs.slope_front_left, inputs.slope_front_right];
        motor::drive(wheels, 0, part(rear, left), rear * left_slope, step.dt);
        motor::drive(wheels, 1, part(rear, right), rear * right_slope, step.dt);
        motor::drive(wheels, 2, part(front, left), front * left_slope, step.dt);
        motor::drive(wheels, 3, part(front, right), front * right_slope, step.dt);
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        self.axle.measured(wheels)
    }
}
