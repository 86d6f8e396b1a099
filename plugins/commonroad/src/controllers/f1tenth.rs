//! The command layer of the F1TENTH gym: wanted speed and steering angle to steering rate and acceleration.
//!
//! The angle arrives two control steps late. The rate is the largest there is until the angle is nearer than 10⁻⁴ rad, so
//! that with the gym's step of 0.01 s and 3.2 rad/s the angle swings about what is wanted by up to 0.032 rad. The acceleration is
//! proportional to the missing speed: 10 a_max/v_max to go faster and 10 a_max/|v_min| to go slower, and a fifth of both at rest
//! and backwards.

use simhost_sdk::abi::Str;
use simhost_sdk::prelude::*;

/// The command layer of the F1TENTH gym.
#[derive(Params)]
pub struct F1tenth {
    /// Time between two control steps, of which the steering is two late.
    #[param(default = 0.01, range = 0.001..=1.0, unit = "s")]
    period: f64,
    /// Rate with which the angle is steered.
    #[param(default = 3.2, above = 0.0, below = 50.0, unit = "rad/s")]
    steer_rate: f64,
    /// Acceleration of the gains.
    #[param(default = 9.51, above = 0.0, below = 50.0, unit = "m/s²")]
    gain_acceleration: f64,
    /// Speed of the gain forwards; more of it and the car gets faster more slowly.
    #[param(default = 20.0, above = 0.0, below = 100.0, unit = "m/s")]
    max_speed: f64,
    /// Speed of the gain backwards; more of it and the car brakes more slowly.
    #[param(default = 5.0, above = 0.0, below = 100.0, unit = "m/s")]
    max_reverse_speed: f64,
}

/// Angle that counts as reached, rad.
const REACHED: f64 = 1e-4;

/// Commands, and how the car moves.
#[derive(Ports)]
pub struct Commanded {
    /// Forward velocity.
    #[port(unit = "m/s", command, key = "V")]
    command_speed: f64,
    /// Steering angle, counter-clockwise.
    #[port(unit = "rad", command, key = "STEER_ANG", key_unit = "deg", key_scale = math::DEG)]
    command_steer: f64,
    /// Steering angle that the car has.
    #[port(unit = "rad")]
    steer_angle: f64,
    /// Forward velocity that the car has.
    #[port(unit = "m/s")]
    vx: f64,
    /// Leftward velocity that the car has.
    #[port(unit = "m/s")]
    vy: f64,
}

pub use super::steering_rate_acceleration::Wanted;

/// Angles that are on their way, and what holds until the next control step.
#[derive(State)]
pub struct Late {
    /// Wanted one control step ago.
    #[state(unit = "rad", discrete)]
    one_ago: f64,
    /// Wanted two control steps ago.
    #[state(unit = "rad", discrete)]
    two_ago: f64,
    /// Time of the next control step.
    #[state(unit = "s", discrete)]
    next: f64,
    #[state(unit = "rad/s", discrete)]
    steer_rate: f64,
    #[state(unit = "m/s²", discrete)]
    acceleration: f64,
}

/// Rate that steers towards an angle, rad/s.
pub fn bang_bang(wanted: f64, angle: f64, rate: f64) -> f64 {
    let missing = wanted - angle;
    if missing.abs() > REACHED { rate.copysign(missing) } else { 0.0 }
}

/// Acceleration towards a speed, m/s².
pub fn proportional(wanted: f64, speed: f64, gain_acceleration: f64, [up, down]: [f64; 2]) -> f64 {
    let missing = wanted - speed;
    let gain = if speed > 0.0 { 10.0 } else { 2.0 };
    gain * gain_acceleration / if missing > 0.0 { up } else { down } * missing
}

#[model]
impl Controller for F1tenth {
    type Inputs = Commanded;
    type Outputs = Wanted;
    type State = Late;
    const COMMANDS: &'static [(&'static str, &'static [Str])] =
        &[("speed_steer", &[Str::new("command_speed"), Str::new("command_steer")])];

    fn control(&self, input: &Commanded, step: &Step, late: &mut Late) -> Wanted {
        // half a step early is nearer than half a step late
        if step.time + 0.5 * step.dt >= late.next {
            let arrived = late.two_ago;
            (late.two_ago, late.one_ago) = (late.one_ago, input.command_steer);
            late.next = late.next.max(step.time - 0.5 * self.period) + self.period;
            let speed = (input.vx * input.vx + input.vy * input.vy).sqrt().copysign(input.vx);
            late.steer_rate = bang_bang(arrived, input.steer_angle, self.steer_rate);
            let ends = [self.max_speed, self.max_reverse_speed];
            late.acceleration =
                proportional(input.command_speed, speed, self.gain_acceleration, ends);
        }
        Wanted { steer_rate: late.steer_rate, acceleration: late.acceleration }
    }
}
