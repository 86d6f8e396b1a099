//! The kinematic bicycle: a vehicle without slip.
//!
//! With the reference point on the rear axle ẋ = v cos ψ, ẏ = v sin ψ, ψ̇ = v tan(δ)/L (Rajamani,
//! *Vehicle Dynamics and Control*, 2012, §2.2). Speed and steering follow their setpoints at
//! bounded rates. Pose and velocity are integrated here, exactly for the mean speed and steering
//! angle of a step (circular arcs). The `<friction>` of the vehicle has no influence. **Limit:**
//! valid for lateral accelerations up to about 0.5 μg (Polack et al. 2017).

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::{Odometry, PlanarPose};
use simhost_sdk::{kinematics, prelude::*};

/// A vehicle that moves without slip in the direction of its wheels.
#[derive(Params)]
pub struct KinematicBicycle {
    /// Largest steering angle. A larger value allows the vehicle to turn in a smaller circle.
    #[param(default = 30.0, above = 0.0, below = 89.0, unit = "deg", scale = math::DEG,
            key = "max_steer_ang_deg", per_lane)]
    max_steer: f64,
    /// Largest steering rate. A smaller value makes the vehicle respond later.
    #[param(default = 60.0, above = 0.0, unit = "deg/s", scale = math::DEG, key = "max_steer_rate_deg", per_lane,
            scaling = Scaling::INVARIANT)]
    max_steer_rate: f64,
    /// Largest acceleration and deceleration. A smaller value makes the stopping distance longer.
    #[param(default = 3.0, above = 0.0, unit = "m/s²", per_lane, scaling = Scaling::INVARIANT)]
    max_acceleration: f64,
}

const REAR: usize = 0;
const FRONT: usize = 1;

/// Setpoints and motion of the vehicle.
#[derive(Ports)]
pub struct Inputs {
    /// Setpoint of the forward velocity.
    #[port(unit = "m/s")]
    speed: f64,
    /// Setpoint of the steering angle, positive counter-clockwise.
    #[port(unit = "rad")]
    steer: f64,
    /// Pose of the vehicle.
    #[port(flatten)]
    pose: PlanarPose,
    /// Forward velocity of the vehicle.
    #[port(unit = "m/s")]
    vx: f64,
}

#[model]
impl Dynamics for KinematicBicycle {
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::at("rear_wheel", 0.0, 0.0),
        WheelPlace::at("front_wheel", 2.6, 0.0).steered(),
    ];
    const CHASSIS: Chassis =
        Chassis::new(1200.0, [0.2, 1.4], &[-0.8, -0.9, 3.4, -0.9, 3.4, 0.9, -0.8, 0.9]);

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        let [rear, front] = wheels else { return Err("expected two wheels".into()) };
        kinematics::check_wheelbase([rear, front], [Self::WHEELS[0].tag(), Self::WHEELS[1].tag()])
    }

    fn drive(&self, inputs: &Inputs, wheels: &mut Wheels, step: &Step, _: &mut ()) -> Motion {
        let dt = step.dt;
        let change = math::limit(inputs.speed - inputs.vx, self.max_acceleration * dt);
        let speed = inputs.vx + change;
        let before = wheels.steer(FRONT);
        let wanted = math::limit(inputs.steer, self.max_steer);
        let steer = before + math::limit(wanted - before, self.max_steer_rate * dt);
        // an arc with the mean speed and curvature of the step; sin(a)/a handles straight lines
        let wheelbase = wheels.x(FRONT) - wheels.x(REAR);
        let distance = dt * (inputs.vx + 0.5 * change);
        let half = 0.5 * distance * math::tan(0.5 * (before + steer)) / wheelbase;
        let chord = distance
            * if half.abs() < 1e-4 { 1.0 - half * half / 6.0 } else { math::sin(half) / half };
        let (sin, cos) = math::sin_cos(inputs.pose.yaw + half);
        let omega = speed * math::tan(steer) / wheelbase;
        wheels.set_steer(FRONT, steer);
        wheels.set_spin(REAR, speed / wheels.radius(REAR));
        wheels.set_spin(FRONT, speed / (math::cos(steer) * wheels.radius(FRONT)));
        Motion {
            x: inputs.pose.x + chord * cos,
            y: inputs.pose.y + chord * sin,
            yaw: inputs.pose.yaw + 2.0 * half,
            vx: speed,
            vy: 0.0,
            omega,
        }
    }

    fn measure(&self, wheels: &WheelMotion) -> Odometry {
        let speed = wheels.rolling_speed(REAR);
        let wheelbase = wheels.x(FRONT) - wheels.x(REAR);
        Odometry {
            odometry_vx: speed,
            odometry_vy: 0.0,
            odometry_omega: speed * math::tan(wheels.steer(FRONT)) / wheelbase,
        }
    }
}
