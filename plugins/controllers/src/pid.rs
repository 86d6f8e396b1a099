//! The PID controller that the built-in controllers share.
//!
//! u = K_P e + I + D + feed-forward, limited to ±max_torque. Source: MVSim physics manual, "Motor
//! controllers". With N > 0 the D term is a low-pass filter of K_D e, as in MVSim, instead of a
//! derivative.
//!
//! The torque falls while the speed nears its setpoint within a step, by K_P per speed. An explicit
//! controller would keep it, and a wheel that slips, whose inertia is small, would pass its setpoint by
//! more in each step. The slope K_P R of the torque over the spin is an output; the vehicle solves the
//! torque at the end of the step with it.
//!
//! Anti-windup: while the output is limited, the integral tracks it (back-calculation; Åström and
//! Hägglund, *PID Controllers*, 2nd ed. 1995, §3.5). That leaves an integral as large as the limit
//! behind a vehicle that was blocked. When such a vehicle is free and passes its setpoint, the
//! integral loses the torque that accelerates the vehicle, and keeps that which the load takes.

mod options;
mod tuning;
mod windup;

use simhost_sdk::{Ports, State, math};

pub(crate) use options::{Options, pid_params};
pub(crate) use tuning::{Response, Tuning};

/// Gains and options of a PID controller.
#[derive(Clone, Copy, Debug)]
pub struct Pid {
    /// Proportional gain, N·m·s/m.
    pub kp: f64,
    /// Integral gain, N·m/m.
    pub ki: f64,
    /// Derivative gain, N·m·s²/m.
    pub kd: f64,
    /// Coefficient of the low-pass filter that replaces the derivative, 1/s; 0 for the derivative.
    pub n: f64,
    /// Largest output, N·m; 0 for no limit.
    pub max_torque: f64,
    /// Largest torque of the brake at standstill, N·m; 0 for no limit.
    pub brake: f64,
    /// Largest integral part of the output, N·m; 0 for no limit.
    pub i_max: f64,
    /// Whether the integral stops while the output is limited (anti-windup).
    pub antiwindup: bool,
    /// Whether a vehicle at standstill is let go, and a blocked one keeps its integral, as in MVSim.
    pub releases: bool,
    /// Whether the torque falls while the speed nears its setpoint within a step.
    pub yields: bool,
    /// Thresholds of standstill.
    pub standstill: Standstill,
    /// Filter of the setpoint.
    pub filter: Filter,
}

/// Filter of the setpoint.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Time constant, s; 0 for no filter.
    pub tau: f64,
    /// Order, 1 or 2.
    pub order: u32,
    /// Time constant of the speed without a load behind the filtered setpoint, s, with which the
    /// integral compares the measured speed; 0 for none. The filter then starts at the measured speed
    /// instead of at 0.
    pub lag: f64,
}

impl Filter {
    /// No filter.
    pub const NONE: Self = Self { tau: 0.0, order: 1, lag: 0.0 };
}

/// State of a PID controller.
#[derive(Clone, Copy, Debug, Default, State)]
pub struct Memory {
    /// Integral part of the output, N·m.
    #[state(unit = "N·m")]
    pub integral: f64,
    /// Error of the previous step, m/s.
    #[state(unit = "m/s")]
    pub error: f64,
    /// Derivative part of the output, N·m.
    #[state(unit = "N·m")]
    pub derivative: f64,
    /// Setpoint after the first filter, m/s.
    #[state(unit = "m/s")]
    pub filtered: f64,
    /// Setpoint after the second filter, m/s.
    #[state(unit = "m/s")]
    pub filtered_twice: f64,
    /// 1 after the first step; 2 after the integral has grown while the vehicle was blocked.
    #[state(discrete)]
    pub started: f64,
}

/// State of two PID controllers.
#[derive(Clone, Copy, Debug, Default, State)]
#[allow(missing_docs)]
pub struct PairMemory {
    #[state(unit = "N·m")]
    pub left_integral: f64,
    #[state(unit = "m/s")]
    pub left_error: f64,
    #[state(unit = "N·m")]
    pub left_derivative: f64,
    #[state(unit = "m/s")]
    pub left_filtered: f64,
    #[state(unit = "m/s")]
    pub left_filtered_twice: f64,
    #[state(discrete)]
    pub left_started: f64,
    #[state(unit = "N·m")]
    pub right_integral: f64,
    #[state(unit = "m/s")]
    pub right_error: f64,
    #[state(unit = "N·m")]
    pub right_derivative: f64,
    #[state(unit = "m/s")]
    pub right_filtered: f64,
    #[state(unit = "m/s")]
    pub right_filtered_twice: f64,
    #[state(discrete)]
    pub right_started: f64,
}

impl Memory {
    /// Returns this memory, or the initial memory of a controller.
    #[inline(always)]
    fn or_reset(self, reset: bool) -> Self {
        let select = |value: f64| if reset { 0.0 } else { value };
        Self {
            integral: select(self.integral),
            error: select(self.error),
            derivative: select(self.derivative),
            filtered: select(self.filtered),
            filtered_twice: select(self.filtered_twice),
            started: select(self.started),
        }
    }
}

impl PairMemory {
    #[inline(always)]
    fn split(&self) -> [Memory; 2] {
        [
            Memory {
                integral: self.left_integral,
                error: self.left_error,
                derivative: self.left_derivative,
                filtered: self.left_filtered,
                filtered_twice: self.left_filtered_twice,
                started: self.left_started,
            },
            Memory {
                integral: self.right_integral,
                error: self.right_error,
                derivative: self.right_derivative,
                filtered: self.right_filtered,
                filtered_twice: self.right_filtered_twice,
                started: self.right_started,
            },
        ]
    }

    #[inline(always)]
    fn join([left, right]: [Memory; 2]) -> Self {
        Self {
            left_integral: left.integral,
            left_error: left.error,
            left_derivative: left.derivative,
            left_filtered: left.filtered,
            left_filtered_twice: left.filtered_twice,
            left_started: left.started,
            right_integral: right.integral,
            right_error: right.error,
            right_derivative: right.derivative,
            right_filtered: right.filtered,
            right_filtered_twice: right.filtered_twice,
            right_started: right.started,
        }
    }
}

/// Thresholds below which a vehicle counts as standing still.
#[derive(Clone, Copy, Debug)]
pub struct Standstill {
    /// Setpoints below this value count as zero, m/s.
    pub zero: f64,
    /// Measured speeds below this value count as standstill, m/s.
    pub stop: f64,
}

/// Weight of a vehicle on a slope, and the lever arm of its motors.
#[derive(Clone, Copy, Debug, Ports)]
pub struct Weight {
    /// Rolling radius.
    #[port(unit = "m")]
    pub wheel_radius: f64,
    /// Mass without the wheels.
    #[port(unit = "kg")]
    pub chassis_mass: f64,
    /// Mass with the wheels.
    #[port(unit = "kg")]
    pub mass: f64,
    /// Gravity.
    #[port(unit = "m/s²")]
    pub gravity: f64,
    /// Pitch, positive nose down.
    #[port(unit = "rad")]
    pub pitch: f64,
}

/// Torque that a vehicle needs.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Torque that holds the vehicle on a slope, added to the output, N·m.
    pub feedforward: f64,
    /// Torque per acceleration of the vehicle, N·m·s²/m.
    pub inertia: f64,
    /// Torque for an acceleration of g, N·m.
    pub weight: f64,
    /// Rolling radius of the wheels, m.
    pub radius: f64,
}

/// Answer of controllers that stop together.
#[derive(Clone, Copy, Debug)]
pub struct Answer<const N: usize> {
    /// Torques, N·m.
    pub torques: [f64; N],
    /// Decrease of each torque per gain of the spin within the step, N·m·s/rad.
    pub slopes: [f64; N],
    /// Largest torque with which each motor brakes a vehicle at standstill, N·m, else 0.
    pub brake: f64,
}

/// Returns the answer of a pair of controllers, left and right, that stop together, for a step; see
/// [`single`].
#[inline(always)]
pub fn pair(
    pid: &Pid,
    load: Load,
    set_point: [f64; 2],
    measured: [f64; 2],
    dt: f64,
    memory: &mut PairMemory,
) -> Answer<2> {
    let [mut left, mut right] = memory.split();
    let rest =
        Rest::of(pid, set_point[0], measured[0]).and(Rest::of(pid, set_point[1], measured[1]));
    // without a loop over the sides, because a loop over vehicles with a loop in it does not vectorise
    let (left_torque, left_slope) =
        regulate(pid, load, [set_point[0], measured[0]], dt, rest, &mut left);
    let (right_torque, right_slope) =
        regulate(pid, load, [set_point[1], measured[1]], dt, rest, &mut right);
    *memory = PairMemory::join([left, right]);
    Answer {
        torques: [left_torque, right_torque],
        slopes: [left_slope, right_slope],
        brake: rest.brake(pid),
    }
}

/// Returns the answer of one controller for a step. If the setpoint is zero, the torque only opposes
/// the motion, and at standstill the motor brakes.
#[inline(always)]
pub fn single(
    pid: &Pid,
    load: Load,
    set_point: f64,
    measured: f64,
    dt: f64,
    memory: &mut Memory,
) -> Answer<1> {
    let rest = Rest::of(pid, set_point, measured);
    let (torque, slope) = regulate(pid, load, [set_point, measured], dt, rest, memory);
    Answer { torques: [torque], slopes: [slope], brake: rest.brake(pid) }
}

/// Progress of a vehicle towards standstill.
#[derive(Clone, Copy)]
struct Rest {
    /// Whether the setpoint is zero.
    stopping: bool,
    /// Whether the setpoint is zero and the vehicle stands.
    standing: bool,
}

impl Rest {
    #[inline(always)]
    fn of(pid: &Pid, set_point: f64, measured: f64) -> Self {
        let stopping = set_point.abs() < pid.standstill.zero;
        Self { stopping, standing: stopping & (measured.abs() < pid.standstill.stop) }
    }

    /// Returns the progress of controllers that stop together.
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self { stopping: self.stopping & other.stopping, standing: self.standing & other.standing }
    }

    /// Returns the largest torque with which each motor brakes, N·m.
    #[inline(always)]
    fn brake(self, pid: &Pid) -> f64 {
        let most = if pid.brake > 0.0 { pid.brake } else { NO_LIMIT };
        if self.standing & !pid.releases { most } else { 0.0 }
    }
}

/// Returns the torque, N·m, of one controller for a step, and its slope, N·m·s/rad.
#[inline(always)]
fn regulate(
    pid: &Pid,
    load: Load,
    [set_point, measured]: [f64; 2],
    dt: f64,
    rest: Rest,
    memory: &mut Memory,
) -> (f64, f64) {
    // every case is computed and selected, so that a loop over vehicles vectorises
    let integral = memory.integral;
    // only the integral of a vehicle that stops grows without K_I
    let kept = if pid.ki > 0.0 { integral } else { 0.0 };
    let pressed = windup::press(pid, measured, dt, integral);
    let stops = if rest.stopping { pressed } else { kept };
    memory.integral = if pid.releases { integral } else { stops };
    let (torque, part) = step(pid, load, [set_point, measured], dt, memory);
    let opposing = if measured > 0.0 { torque.min(0.0) } else { torque.max(0.0) };
    let torque = if rest.stopping { opposing } else { torque };
    *memory = memory.or_reset(rest.standing);
    let slope = if pid.yields & (torque != 0.0) { part * pid.kp * load.radius } else { 0.0 };
    if rest.standing { (0.0, 0.0) } else { (torque, slope) }
}

/// Returns the filtered setpoint, m/s, and the speed that the integral compares with that measured.
#[inline(always)]
fn filter(
    filter: Filter,
    [set_point, measured]: [f64; 2],
    dt: f64,
    memory: &mut Memory,
) -> (f64, f64) {
    if filter.tau <= 0.0 {
        return (set_point, set_point);
    }
    let follow = |from: f64, to: f64, tau: f64| {
        let a = math::exp(-dt / tau);
        a * from + (1.0 - a) * to
    };
    let is_fitted = filter.lag > 0.0;
    let starts = is_fitted & (memory.started == 0.0);
    let before = [memory.filtered, memory.filtered_twice];
    let [once, twice] = if starts { [measured; 2] } else { before };
    memory.filtered = follow(once, set_point, filter.tau);
    let second = if is_fitted { filter.lag } else { filter.tau };
    if is_fitted | (filter.order == 2) {
        memory.filtered_twice = follow(twice, memory.filtered, second);
    }
    let reference = if filter.order == 2 { memory.filtered_twice } else { memory.filtered };
    (reference, if is_fitted { memory.filtered_twice } else { reference })
}

/// Shortest step over which errors are differentiated, s. A step of length 0 would give 0/0.
const LEAST_STEP: f64 = 1e-9;
/// Brake torque of a controller without a limit, N·m.
const NO_LIMIT: f64 = 1e9;

/// Returns the torque, N·m, of one controller for a step, for a setpoint and a measured speed, m/s, and
/// its part of what it would be without a limit.
#[inline(always)]
fn step(
    pid: &Pid,
    load: Load,
    [set_point, measured]: [f64; 2],
    dt: f64,
    memory: &mut Memory,
) -> (f64, f64) {
    let (reference, expected) = filter(pid.filter, [set_point, measured], dt, memory);
    let error = reference - measured;

    // integral and derivative
    let limit = if pid.max_torque > 0.0 { pid.max_torque } else { f64::INFINITY };
    let unwinds = pid.antiwindup & !pid.releases & (pid.ki > 0.0);
    let mut unwound = *memory;
    windup::unwind(pid, load, [reference, error], dt.max(LEAST_STEP), &mut unwound);
    let integral = math::limit(unwound.integral, limit);
    memory.integral = if unwinds { integral } else { memory.integral };
    memory.started = if unwinds { unwound.started } else { memory.started };
    memory.integral += pid.ki * (expected - measured) * dt;
    let most = if pid.i_max > 0.0 { pid.i_max } else { f64::INFINITY };
    memory.integral = math::limit(memory.integral, most);
    if pid.n > 0.0 {
        memory.derivative += dt * pid.n * (pid.kd * error - memory.derivative);
    } else {
        let before = if memory.started == 0.0 { error } else { memory.error };
        memory.derivative = pid.kd * (error - before) / dt.max(LEAST_STEP);
    }
    memory.error = error;
    memory.started = memory.started.max(1.0);

    // limited output; the integral stops while the output is limited
    let rest = pid.kp * error + memory.derivative + load.feedforward;
    let output = rest + memory.integral;
    let limited = math::limit(output, limit);
    let part = limited.abs() / output.abs().max(f64::MIN_POSITIVE);
    if pid.antiwindup && pid.kp > 1e-12 && pid.max_torque > 0.0 {
        memory.integral += pid.ki / pid.kp * (limited - output) * dt;
        (math::limit(rest + memory.integral, limit), part)
    } else {
        (limited, part)
    }
}
