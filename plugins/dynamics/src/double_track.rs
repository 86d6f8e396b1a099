//! Four wheels with individual torques and steering of the front pair; any friction model computes
//! the forces.
//!
//! This is the double-track model of the textbooks (Rajamani, *Vehicle Dynamics and Control*, 2012,
//! §8.2.2) without its tyres, which come from the `<friction>` element of the vehicle. The host
//! computes the motion of the body and the normal loads. Steering is of the Ackermann type or
//! parallel, as in race cars. **Limit:** the body does not roll or pitch on its springs.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::ports::SteeredMotors;
use simhost_sdk::prelude::*;

use crate::ackermann::{self, FrontAxle, Measured};

/// Four wheels with individual torques and steering of the front pair.
#[derive(Params)]
pub struct DoubleTrack {
    /// Geometry of the steered axle.
    #[param(flatten, per_lane)]
    axle: FrontAxle,
    /// Geometry of the steering.
    #[param(default = "ackermann")]
    steering: Steering,
}

/// Geometry of the steering: both front wheels and the rear axle roll about one point, or the front
/// wheels stay parallel.
#[derive(Choice, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Steering {
    #[param(key = "ackermann")]
    Ackermann,
    #[param(key = "parallel")]
    Parallel,
}

#[model]
impl Dynamics for DoubleTrack {
    const WHEELS: &'static [WheelPlace] = ackermann::WHEELS;
    const CHASSIS: Chassis = ackermann::CHASSIS;

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        self.axle.arrange(wheels)
    }

    fn drive(&self, motors: &SteeredMotors, wheels: &mut Wheels, _: &Step, _: &mut ()) {
        match self.steering {
            Steering::Ackermann => self.axle.steer(wheels, motors.steer),
            Steering::Parallel => {
                let angle = math::limit(motors.steer, self.axle.max_steer);
                wheels.set_steer(2, angle);
                wheels.set_steer(3, angle);
            }
        }
        wheels.set_torque(0, motors.torques.torque_rear_left);
        wheels.set_torque(1, motors.torques.torque_rear_right);
        wheels.set_torque(2, motors.torques.torque_front_left);
        wheels.set_torque(3, motors.torques.torque_front_right);
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        let measured = self.axle.measured(wheels);
        match self.steering {
            Steering::Ackermann => measured,
            Steering::Parallel => {
                Measured { axle_steer: 0.5 * (wheels.steer(2) + wheels.steer(3)), ..measured }
            }
        }
    }
}
