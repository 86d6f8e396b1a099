//! The parameters that all PID controllers share.

use simhost_sdk::math;

use super::{Load, Pid, Weight};

/// Declares the parameters of a controller: the options of [`Pid`] with the given defaults, then
/// the parameters of the controller itself.
macro_rules! pid_params {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            as_in_mvsim KP = $kp:literal, max_torque = $max_torque:literal;
            follows with $usual:expr;
            $($(#[$field_meta:meta])* $field:ident: $ty:ty,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(simhost_sdk::Params)]
        pub struct $name {
            /// Proportional gain. A larger value makes the speed follow faster. With a negative value, both gains
            /// follow from mass and wheels of the vehicle, and the setpoint is filtered.
            #[param(default = -1.0, unit = "N·m·s/m", key = "KP", per_lane,
                    scaling = Scaling::WHEEL_TORQUE)]
            kp: f64,
            /// Integral gain. A larger value removes a lasting error sooner, with more overshoot.
            /// With a negative value, it is 0 if `KP` is set.
            #[param(default = -1.0, unit = "N·m/m", key = "KI", per_lane,
                    scaling = Scaling::WHEEL_TORQUE)]
            ki: f64,
            /// Derivative gain. A larger value reduces the overshoot of the speed.
            #[param(default = 0.0, range = 0.0.., unit = "N·m·s²/m", key = "KD", per_lane,
                    scaling = Scaling::WHEEL_TORQUE)]
            kd: f64,
            /// Time constant of a low-pass filter of the error that replaces its derivative; 0 for
            /// the derivative.
            #[param(default = 0.0, range = 0.0.., unit = "1/s", key = "N", per_lane,
                    scaling = Scaling::INVARIANT)]
            n: f64,
            /// Largest torque; 0 for no limit. A smaller value makes the vehicle accelerate more
            /// slowly. With a negative value, the limit follows from mass and wheels of the vehicle.
            #[param(default = -1.0, unit = "N·m", per_lane,
                    scaling = Scaling::WHEEL_TORQUE)]
            max_torque: f64,
            /// Largest integral part of the torque; 0 for no separate limit. A smaller value
            /// reduces the overshoot after the vehicle was blocked.
            #[param(default = 0.0, range = 0.0.., unit = "N·m", key = "I_MAX", per_lane,
                    scaling = Scaling::WHEEL_TORQUE)]
            i_max: f64,
            /// Whether the integral stops while the torque is limited (anti-windup), and is reduced
            /// when a blocked vehicle is free again. Without it, such a vehicle overshoots.
            #[param(default = true)]
            enable_antiwindup: bool,
            /// Speed setpoints below this value count as zero.
            #[param(default = 0.001, range = 0.0.., unit = "m/s", per_lane,
                    scaling = Scaling::INVARIANT)]
            zero_threshold: f64,
            /// Measured speeds below this value count as standstill, in which the motors brake with
            /// up to `max_torque`. A larger value stops the vehicle more abruptly.
            #[param(default = 0.05, range = 0.0.., unit = "m/s", per_lane,
                    scaling = Scaling::INVARIANT)]
            stop_threshold: f64,
            /// Whether a vehicle at standstill is released instead of braked, and a blocked vehicle
            /// keeps its integral, as in MVSim.
            #[param(default = false)]
            release_at_standstill: bool,
            /// Whether the torque is constant within a step instead of decreasing as the speed
            /// approaches its setpoint, default gains are the same for all vehicles, and wheels
            /// follow a yaw rate beyond the steering lock, as in MVSim. Light wheels can then
            /// oscillate.
            #[param(default = false)]
            constant_torque: bool,
            /// Whether the torque that holds the vehicle on a slope is added.
            #[param(default = false)]
            enable_feedforward: bool,
            /// Factor on the slope torque. Values above 1 overcompensate the slope.
            #[param(default = 1.0, per_lane)]
            feedforward_gain: f64,
            /// Whether the slope torque has the wrong sign, as in MVSim.
            #[param(default = false)]
            feedforward_inverted: bool,
            /// Whether the setpoint is filtered.
            #[param(default = false)]
            enable_reference_filter: bool,
            /// Time constant of the setpoint filter. A larger value makes the setpoint change more
            /// gently.
            #[param(default = 0.1, above = 0.0, unit = "s", per_lane)]
            reference_filter_tau: f64,
            /// Order of the setpoint filter. Order 2 also smooths the start of a change.
            #[param(default = 1, range = 1..=2)]
            reference_filter_order: u32,
            $($(#[$field_meta])* $field: $ty,)*
        }

        impl $crate::pid::Options for $name {
            #[inline(always)]
            fn pid(&self, load: &$crate::pid::Load) -> $crate::pid::Pid {
                let usual = if self.constant_torque {
                    $crate::pid::Tuning::proportional($kp, $max_torque)
                } else {
                    $crate::pid::Tuning::of(load, $usual)
                };
                let usual = if self.kp < 0.0 { usual } else { usual.with_gain(self.kp) };
                let given = |value: f64, usual: f64| if value < 0.0 { usual } else { value };
                $crate::pid::Pid {
                    kp: usual.kp,
                    ki: given(self.ki, usual.ki),
                    kd: self.kd,
                    n: self.n,
                    max_torque: given(self.max_torque, usual.max_torque),
                    i_max: self.i_max,
                    antiwindup: self.enable_antiwindup,
                    releases: self.release_at_standstill,
                    yields: !self.constant_torque,
                    standstill: $crate::pid::Standstill {
                        zero: self.zero_threshold,
                        stop: self.stop_threshold,
                    },
                    brake: given(self.max_torque, usual.brake),
                    filter: if self.enable_reference_filter {
                        $crate::pid::Filter {
                            tau: self.reference_filter_tau,
                            order: self.reference_filter_order,
                            lag: 0.0,
                        }
                    } else {
                        usual.filter
                    },
                }
            }

            #[inline(always)]
            fn torque_is_constant(&self) -> bool {
                self.constant_torque
            }

            #[inline(always)]
            fn feedforward_gain(&self) -> f64 {
                match (self.enable_feedforward, self.feedforward_inverted) {
                    (false, _) => 0.0,
                    (true, false) => self.feedforward_gain,
                    (true, true) => -self.feedforward_gain,
                }
            }
        }
    };
}

/// Options of a PID controller and of its slope compensation.
pub trait Options {
    /// Returns the PID controller for a load.
    fn pid(&self, load: &Load) -> Pid;
    /// Factor on the torque that holds the vehicle on a slope; 0 for none.
    fn feedforward_gain(&self) -> f64;
    /// Whether the controller acts as in MVSim.
    fn torque_is_constant(&self) -> bool;

    /// Returns the load on each of `driven` wheels: the torque that holds the vehicle on a slope, m g
    /// sin(pitch) R / driven, forwards when the nose points up (negative `pitch`, rad), with the mass
    /// of the chassis as in MVSim, and m R / driven.
    #[inline(always)]
    fn load(&self, weight: &Weight, driven: f64) -> Load {
        let Weight { wheel_radius: radius, chassis_mass, mass, gravity, pitch } = *weight;
        let feedforward =
            -self.feedforward_gain() * chassis_mass * gravity * math::sin(pitch) * radius / driven;
        let inertia = mass * radius / driven;
        Load { feedforward, inertia, weight: gravity * inertia, radius }
    }
}

pub(crate) use pid_params;
