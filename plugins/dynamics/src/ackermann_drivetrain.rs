//! Ackermann steering with one engine that drives the wheels through differentials.
//!
//! Open differential: fixed shares. Torsen: the faster shaft receives less, according to the bias
//! ratio. Source: MVSim physics manual, "Ackermann with drivetrain", after Chocholek, "The
//! development of a differential for the improvement of traction control", IMechE 1988.
//!
//! **Limit:** the differentials distribute torque but do not couple the speeds of the wheels.

use simhost_sdk::abi::WheelGeometry;
use simhost_sdk::prelude::*;

use crate::ackermann::{self, FrontAxle, Measured};
use crate::motor;
use crate::steering::{Steered, Steering};

/// Ackermann steering with one engine and open or Torsen differentials.
#[derive(Params)]
pub struct AckermannDrivetrain {
    /// Geometry of the steered axle.
    #[param(flatten, per_lane)]
    axle: FrontAxle,
    /// Distribution of the engine torque to the wheels.
    drivetrain: Drivetrain,
    /// Rate limit and lag of the steering actuator.
    steering: Steering,
    /// Share of the brake torque that acts on the front axle. A larger value makes the front wheels
    /// lock first.
    #[param(default = 0.6, range = 0.0..=1.0, per_lane)]
    brake_bias: f64,
}

/// Distribution of the engine torque to the wheels.
#[derive(Clone, Copy, Params)]
pub struct Drivetrain {
    /// Driven axles, and the type of all differentials without their own type.
    #[param(default = "torsen_4wd", key = "type")]
    layout: Layout,
    /// Share of the torque that goes to the front axle.
    #[param(default = 0.5, range = 0.0..=1.0)]
    front_rear_split: f64,
    /// Share of the front axle's torque that goes to the left wheel.
    #[param(default = 0.5, range = 0.0..=1.0)]
    front_left_right_split: f64,
    /// Share of the rear axle's torque that goes to the left wheel.
    #[param(default = 0.5, range = 0.0..=1.0)]
    rear_left_right_split: f64,
    /// Type of the differential between the axles; by default the type in `type`.
    #[param()]
    front_rear_type: Option<Kind>,
    /// Type of the differential between the front wheels; by default the type in `type`.
    #[param()]
    front_left_right_type: Option<Kind>,
    /// Type of the differential between the rear wheels; by default the type in `type`.
    #[param()]
    rear_left_right_type: Option<Kind>,
    /// Ratio of the axle speeds up to which the Torsen differential stays open. A smaller value
    /// makes it lock sooner.
    #[param(default = 1.5, range = 1.0..)]
    front_rear_bias: f64,
    /// Ratio of the front wheel speeds up to which the Torsen differential stays open. A smaller
    /// value makes it lock sooner.
    #[param(default = 1.5, range = 1.0..)]
    front_left_right_bias: f64,
    /// Ratio of the rear wheel speeds up to which the Torsen differential stays open. A smaller
    /// value makes it lock sooner.
    #[param(default = 1.5, range = 1.0..)]
    rear_left_right_bias: f64,
}

/// Driven axles and type of the differentials.
#[derive(Choice, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Layout {
    #[param(key = "torsen_4wd")]
    Torsen4wd,
    #[param(key = "torsen_front")]
    TorsenFront,
    #[param(key = "torsen_rear")]
    TorsenRear,
    #[param(key = "open_4wd")]
    Open4wd,
    #[param(key = "open_front")]
    OpenFront,
    #[param(key = "open_rear")]
    OpenRear,
}

/// Type of a differential.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    #[param(key = "open")]
    Open,
    #[param(key = "torsen")]
    Torsen,
}

/// Engine torque, steering angle and brake torque.
#[derive(Ports)]
pub struct Engine {
    /// Engine torque at the wheels, positive forwards.
    #[port(unit = "N·m")]
    torque_engine: f64,
    /// Steering angle of an equivalent wheel in the middle of the front axle, positive
    /// counter-clockwise.
    #[port(unit = "rad")]
    steer: f64,
    /// Largest torque of all brakes together.
    #[port(unit = "N·m", optional)]
    brake_torque: f64,
    /// Decrease of the torque of the engine per gain of the spin of the wheels within the step.
    #[port(unit = "N·m·s/rad", optional)]
    slope_engine: f64,
}

/// Returns the torque shares of the two shafts of a Torsen differential that turn at `spin` rad/s.
/// They add up to 1.
#[inline(always)]
fn torsen_shares(spin: [f64; 2], bias: f64, split: f64) -> [f64; 2] {
    let [one, two] = [spin[0].abs(), spin[1].abs()];
    if one == 0.0 || two == 0.0 {
        return [split, 1.0 - split];
    }
    let fast = one.max(two);
    let lock = ((fast - bias * one.min(two)) / fast).max(0.0);
    let lock = if one > two { lock } else { -lock };
    let shares = [split * (1.0 - lock), (1.0 - split) * (1.0 + lock)];
    let sum = shares[0] + shares[1];
    [shares[0] / sum, shares[1] / sum]
}

impl Drivetrain {
    /// Returns the share of the engine torque on each wheel: rear left, rear right, front left,
    /// front right.
    #[inline(always)]
    fn shares(&self, spin: [f64; 4]) -> [f64; 4] {
        use Layout::{Open4wd, OpenFront, OpenRear, Torsen4wd, TorsenFront, TorsenRear};
        let common = match self.layout {
            Torsen4wd | TorsenFront | TorsenRear => Kind::Torsen,
            Open4wd | OpenFront | OpenRear => Kind::Open,
        };
        let divide = |kind: Option<Kind>, spin: [f64; 2], bias: f64, split: f64| match kind
            .unwrap_or(common)
        {
            Kind::Torsen => torsen_shares(spin, bias, split),
            Kind::Open => [split, 1.0 - split],
        };
        let [front, rear] = match self.layout {
            TorsenFront | OpenFront => [1.0, 0.0],
            TorsenRear | OpenRear => [0.0, 1.0],
            Torsen4wd | Open4wd => {
                let axles = [spin[2] + spin[3], spin[0] + spin[1]];
                divide(self.front_rear_type, axles, self.front_rear_bias, self.front_rear_split)
            }
        };
        let [rear_left, rear_right] = divide(
            self.rear_left_right_type,
            [spin[0], spin[1]],
            self.rear_left_right_bias,
            self.rear_left_right_split,
        );
        let [front_left, front_right] = divide(
            self.front_left_right_type,
            [spin[2], spin[3]],
            self.front_left_right_bias,
            self.front_left_right_split,
        );
        [rear * rear_left, rear * rear_right, front * front_left, front * front_right]
    }
}

#[model]
impl Dynamics for AckermannDrivetrain {
    const TIME_INVARIANT: bool = true;
    const WHEELS: &'static [WheelPlace] = ackermann::WHEELS;
    const CHASSIS: Chassis = ackermann::CHASSIS;
    const SETS_DRIVE_INERTIA: bool = true;

    fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), String> {
        self.axle.arrange(wheels)
    }

    fn drive(&self, engine: &Engine, wheels: &mut Wheels, step: &Step, state: &mut Steered) {
        let angle = self.steering.follow(engine.steer, self.axle.max_steer, step, state);
        self.axle.steer(wheels, angle);
        ackermann::brake(wheels, engine.brake_torque, self.brake_bias);
        let spin = std::array::from_fn(|wheel| wheels.spin(wheel));
        for (wheel, share) in self.drivetrain.shares(spin).into_iter().enumerate() {
            let (torque, slope) = (share * engine.torque_engine, share * engine.slope_engine);
            motor::drive(wheels, wheel, torque, slope, step.dt);
        }
    }

    fn measure(&self, wheels: &WheelMotion) -> Measured {
        self.axle.measured(wheels)
    }
}

#[cfg(test)]
mod tests {
    use super::{Drivetrain, Kind, Layout, torsen_shares};

    /// A differential with its own type uses it, and the others use the type of the layout.
    #[test]
    fn each_differential_has_a_type_of_its_own() {
        let spin = [10.0, 30.0, 10.0, 50.0];
        let shares = |layout, [axles, front, rear]: [Option<Kind>; 3]| {
            let drivetrain = Drivetrain {
                layout,
                front_rear_split: 0.5,
                front_left_right_split: 0.5,
                rear_left_right_split: 0.5,
                front_rear_type: axles,
                front_left_right_type: front,
                rear_left_right_type: rear,
                front_rear_bias: 1.0,
                front_left_right_bias: 1.5,
                rear_left_right_bias: 1.5,
            };
            drivetrain.shares(spin)
        };
        let open = shares(Layout::Open4wd, [None; 3]);
        assert_eq!(open, [0.25; 4]);
        let [rl, rr, fl, fr] = shares(Layout::Open4wd, [None, None, Some(Kind::Torsen)]);
        assert_eq!([fl, fr], [0.25; 2]);
        // lock = (30 − 15)/30
        assert_eq!([rl, rr], [0.375, 0.125]);
        let [rl, rr, fl, fr] = shares(Layout::Open4wd, [None, Some(Kind::Torsen), None]);
        assert_eq!([rl, rr], [0.25; 2]);
        // lock = (50 − 15)/50
        assert!((fl - 0.5 * 0.85).abs() < 1e-12 && (fr - 0.5 * 0.15).abs() < 1e-12);
        let [rl, rr, fl, fr] = shares(Layout::Open4wd, [Some(Kind::Torsen), None, None]);
        // lock = (60 − 40)/60
        assert!((fl + fr - 1.0 / 3.0).abs() < 1e-12 && (rl + rr - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(shares(Layout::Torsen4wd, [Some(Kind::Open); 3]), open);
    }

    #[test]
    fn torsen_gives_less_to_the_faster_shaft() {
        let [fast, slow] = torsen_shares([30.0, 10.0], 1.5, 0.5);
        // lock = (30 - 15)/30 = 0.5
        assert_eq!([fast, slow], [0.25, 0.75]);
        assert_eq!(torsen_shares([10.0, 30.0], 1.5, 0.5), [0.75, 0.25]);
        assert_eq!(torsen_shares([10.0, 12.0], 1.5, 0.4), [0.4, 0.6]);
        assert_eq!(torsen_shares([0.0, 12.0], 1.5, 0.4), [0.4, 0.6]);
    }
}
