//! Two wheels in line: the front wheel is steered and the rear wheel is driven.
//!
//! The torque acts on the rear wheel, friction and half of the brake torque on each. The frame does
//! not lean, as if it were held upright. Odometry follows the kinematic bicycle, ω = v tan(δ)/L
//! with the rolling speed of the rear wheel (Rajamani, *Vehicle Dynamics and Control*, 2012, §2.2).
//! **Limit:** no lean, no caster effect.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::{Odometry, SteeredMeasurements, SteeringGeometry};
use simhost_sdk::{kinematics, prelude::*};

use crate::steered::Commanded;

/// Two wheels in line: the front wheel is steered and the rear wheel is driven.
#[derive(Params)]
pub struct Bicycle {
    /// Largest steering angle. A larger value allows the bicycle to turn in a smaller circle.
    #[param(default = 45.0, above = 0.0, below = 89.0, unit = "deg", scale = math::DEG,
            key = "max_steer_ang_deg", per_lane)]
    max_steer: f64,
}

const REAR: usize = 0;
const FRONT: usize = 1;

#[model]
impl Dynamics for Bicycle {
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::at("rear_wheel", 0.0, 0.0),
        WheelPlace::at("front_wheel", 1.1, 0.0).steered(),
    ];
    const CHASSIS: Chassis =
        Chassis::new(80.0, [0.3, 1.7], &[-0.2, -0.15, 1.2, -0.15, 1.2, 0.15, -0.2, 0.15]);

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        let [rear, front] = wheels else { return Err("expected two wheels".into()) };
        kinematics::check_wheelbase([rear, front], [Self::WHEELS[0].tag(), Self::WHEELS[1].tag()])
    }

    fn drive(&self, inputs: &Commanded, wheels: &mut Wheels, _: &Step, _: &mut ()) {
        wheels.set_steer(FRONT, math::limit(inputs.steer, self.max_steer));
        wheels.set_torque(REAR, inputs.torque_engine);
        for wheel in [REAR, FRONT] {
            wheels.set_brake(wheel, 0.5 * inputs.brake_torque.max(0.0));
        }
    }

    fn measure(&self, wheels: &WheelMotion) -> SteeredMeasurements {
        let rear = wheels.rolling_speed(REAR);
        let wheelbase = wheels.x(FRONT) - wheels.x(REAR);
        SteeredMeasurements {
            odometry: Odometry {
                odometry_vx: rear,
                odometry_vy: 0.0,
                odometry_omega: rear * math::tan(wheels.steer(FRONT)) / wheelbase,
            },
            geometry: SteeringGeometry {
                wheelbase,
                front_axle_x: wheels.x(FRONT),
                front_track: 0.0,
                max_steer: self.max_steer,
            },
            wheel_radius: 0.5 * (wheels.radius(REAR) + wheels.radius(FRONT)),
        }
    }
}
