//! The parameters that every controller with a regulator has, declared once.

use simhost_sdk::math;

use super::Pid;

/// Declares a controller's parameters: the options of [`Pid`] with the defaults given, and then the
/// controller's own.
macro_rules! pid_params {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            default KP = $kp:literal, max_torque = $max_torque:literal;
            $($(#[$field_meta:meta])* $field:ident: $ty:ty,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(simhost_sdk::Params)]
        pub struct $name {
            /// Proportional gain; more of it and the speed follows faster, until it oscillates.
            #[param(default = $kp, range = 0.0.., unit = "N·m·s/m", key = "KP")]
            kp: f64,
            /// Integral gain; more of it and a lasting error goes sooner, with more overshoot.
            #[param(default = 0.0, range = 0.0.., unit = "N·m/m", key = "KI")]
            ki: f64,
            /// Derivative gain; more of it and the speed overshoots less.
            #[param(default = 0.0, range = 0.0.., unit = "N·m·s²/m", key = "KD")]
            kd: f64,
            /// Low pass of the error in place of its derivative; 0 for the derivative.
            #[param(default = 0.0, range = 0.0.., unit = "1/s", key = "N")]
            n: f64,
            /// Limit of the torque; 0 for none.
            #[param(default = $max_torque, range = 0.0.., unit = "N·m")]
            max_torque: f64,
            /// Whether the integral is held back while the torque is limited.
            #[param(default = false)]
            enable_antiwindup: bool,
            /// Whether the torque that holds the vehicle on its slope is added.
            #[param(default = false)]
            enable_feedforward: bool,
            /// Factor of that torque.
            #[param(default = 1.0)]
            feedforward_gain: f64,
            /// Whether that torque has the wrong sign, as in MVSim.
            #[param(default = false)]
            feedforward_inverted: bool,
            /// Whether the set-point is filtered.
            #[param(default = false)]
            enable_reference_filter: bool,
            /// Time constant of that filter; more of it and the set-point comes more gently.
            #[param(default = 0.1, above = 0.0, unit = "s")]
            reference_filter_tau: f64,
            /// Order of that filter.
            #[param(default = 1, range = 1..=2)]
            reference_filter_order: u32,
            $($(#[$field_meta])* $field: $ty,)*
        }

        impl $crate::pid::Options for $name {
            fn pid(&self) -> $crate::pid::Pid {
                $crate::pid::Pid {
                    kp: self.kp,
                    ki: self.ki,
                    kd: self.kd,
                    n: self.n,
                    max_torque: self.max_torque,
                    antiwindup: self.enable_antiwindup,
                    filter_tau: if self.enable_reference_filter {
                        self.reference_filter_tau
                    } else {
                        0.0
                    },
                    filter_order: self.reference_filter_order,
                }
            }

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

/// What the parameters of a controller with a regulator say.
pub trait Options {
    /// The regulator.
    fn pid(&self) -> Pid;
    /// Factor of the torque that holds the vehicle on its slope; 0 for none.
    fn feedforward_gain(&self) -> f64;

    /// Torque on each of `driven` wheels that holds the vehicle on its slope, N·m: m g sin(pitch) R
    /// / driven, forwards when the nose points up (negative `pitch`, rad).
    #[inline(always)]
    fn feedforward(&self, mass: f64, gravity: f64, pitch: f64, radius: f64, driven: f64) -> f64 {
        -self.feedforward_gain() * mass * gravity * math::sin(pitch) * radius / driven
    }
}

pub(crate) use pid_params;
