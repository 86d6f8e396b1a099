//! The command layer of the F1TENTH gym: from speed and steering angle to steering rate and
//! acceleration.
//!
//! The steering angle is applied two control steps late. The steering rate is at its limit until
//! the error is below 10⁻⁴ rad, so with the gym's step of 0.01 s and 3.2 rad/s the angle oscillates
//! about its setpoint by up to 0.032 rad. The acceleration is proportional to the speed error, with
//! the factor 10 a_max/v_max when speeding up and 10 a_max/|v_min| when slowing down, and a fifth
//! of both at rest and in reverse.

use simhost_sdk::ports::SpeedSteerCommand;
use simhost_sdk::prelude::*;

/// The command layer of the F1TENTH gym: speed and steering angle.
#[derive(Params)]
pub struct F1tenth {
    /// Period of the control steps. Steering is applied two steps late, so a larger value makes the
    /// car respond later.
    #[param(default = 0.01, range = 0.001..=1.0, unit = "s")]
    period: f64,
    /// Steering rate. A larger value makes the car steer faster and oscillate more.
    #[param(default = 3.2, above = 0.0, below = 50.0, unit = "rad/s")]
    steer_rate: f64,
    /// Acceleration a_max in the gains. A larger value makes the speed follow faster.
    #[param(default = 9.51, above = 0.0, below = 50.0, unit = "m/s²")]
    gain_acceleration: f64,
    /// Speed v_max in the forward gain. A larger value makes the car speed up more slowly.
    #[param(default = 20.0, above = 0.0, below = 100.0, unit = "m/s")]
    max_speed: f64,
    /// Speed |v_min| in the reverse gain. A larger value makes the car slow down more slowly.
    #[param(default = 5.0, above = 0.0, below = 100.0, unit = "m/s")]
    max_reverse_speed: f64,
}

/// Steering error below which the angle counts as reached, rad.
const REACHED: f64 = 1e-4;

/// Commands and motion of the car.
#[derive(Ports)]
pub struct Commanded {
    /// Commands.
    #[port(flatten)]
    command: SpeedSteerCommand,
    /// Steering angle of the car.
    #[port(unit = "rad")]
    steer_angle: f64,
    /// Forward velocity of the car.
    #[port(unit = "m/s")]
    vx: f64,
    /// Leftward velocity of the car.
    #[port(unit = "m/s")]
    vy: f64,
}

pub use super::steering_rate_acceleration::Wanted;

/// Delayed steering angles, and outputs held until the next control step.
#[derive(State)]
pub struct Late {
    /// Steering angle requested one control step ago.
    #[state(unit = "rad", discrete)]
    one_ago: f64,
    /// Steering angle requested two control steps ago.
    #[state(unit = "rad", discrete)]
    two_ago: f64,
    /// Time of the next control step.
    #[state(unit = "s", discrete)]
    next: f64,
    /// Direction of travel: 1 forwards, −1 in reverse, 0 before the first control step.
    #[state(discrete)]
    direction: f64,
    #[state(unit = "rad/s", discrete)]
    steer_rate: f64,
    #[state(unit = "m/s²", discrete)]
    acceleration: f64,
}

/// Returns the rate that steers towards an angle, rad/s.
pub fn bang_bang(wanted: f64, angle: f64, rate: f64) -> f64 {
    let missing = wanted - angle;
    if missing.abs() > REACHED { rate.copysign(missing) } else { 0.0 }
}

/// Returns the direction of travel of a car, 1 forwards and −1 in reverse. A car that slides
/// sideways at more than 60° keeps its previous direction, because the speed of the gym is a signed
/// state: the sign of the forward velocity changes while a car spins, which would then be driven
/// instead of braked.
fn direction(before: f64, vx: f64, vy: f64) -> f64 {
    let slides = vy * vy > 3.0 * vx * vx;
    if slides && before != 0.0 { before } else { 1.0_f64.copysign(vx) }
}

/// Returns the acceleration towards a speed, m/s².
pub fn proportional(wanted: f64, speed: f64, gain_acceleration: f64, [up, down]: [f64; 2]) -> f64 {
    let missing = wanted - speed;
    let gain = if speed > 0.0 { 10.0 } else { 2.0 };
    gain * gain_acceleration / if missing > 0.0 { up } else { down } * missing
}

#[model]
impl Controller for F1tenth {
    const COMMANDS: CommandKinds = &[command!("speed_steer": "command_speed", "command_steer")];

    fn control(&self, input: &Commanded, step: &Step, late: &mut Late) -> Wanted {
        // half a step early is closer than half a step late
        if step.time + 0.5 * step.dt >= late.next {
            let arrived = late.two_ago;
            (late.two_ago, late.one_ago) = (late.one_ago, input.command.command_steer);
            late.next = late.next.max(step.time - 0.5 * self.period) + self.period;
            late.direction = direction(late.direction, input.vx, input.vy);
            let size = (input.vx * input.vx + input.vy * input.vy).sqrt();
            let speed = late.direction * size;
            late.steer_rate = bang_bang(arrived, input.steer_angle, self.steer_rate);
            let ends = [self.max_speed, self.max_reverse_speed];
            late.acceleration =
                proportional(input.command.command_speed, speed, self.gain_acceleration, ends);
        }
        Wanted { steer_rate: late.steer_rate, acceleration: late.acceleration }
    }
}
