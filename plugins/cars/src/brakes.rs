//! Brakes of single wheels: what electronics add to the brake torque of the driver, or take from it.

use simhost_sdk::prelude::*;

use crate::car::Wheels4;

/// Declares the ports of the brakes of four wheels.
macro_rules! wheel_brakes {
    ($($released:ident, $added:ident, $wheel:literal;)*) => {
        /// Brakes of single wheels.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
        pub struct WheelBrakes {
            $(
                #[doc = concat!("Share of the brake torque that is released at the ", $wheel, " wheel, 0 to 1.")]
                #[port(unit = "1", optional)]
                pub $released: f64,
                #[doc = concat!("Torque that the brake of the ", $wheel, " wheel adds.")]
                #[port(unit = "N·m", optional)]
                pub $added: f64,
            )*
        }

        /// Commands to the brakes of single wheels, as in [`WheelBrakes`]. A class without these brakes refuses them.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
        pub struct BrakeCommands {
            $(
                #[doc = concat!("Share of the brake torque that is released at the ", $wheel, " wheel, 0 to 1.")]
                #[port(unit = "1")]
                pub $released: f64,
                #[doc = concat!("Torque that the brake of the ", $wheel, " wheel adds.")]
                #[port(unit = "N·m")]
                pub $added: f64,
            )*
        }

        impl BrakeCommands {
            /// Creates commands from the released shares and the added torques, N·m, of the wheels.
            pub fn new(released: Wheels4, added: Wheels4) -> Self {
                let [$($released),*] = released;
                let [$($added),*] = added;
                Self { $($released, $added),* }
            }
        }

        impl From<BrakeCommands> for WheelBrakes {
            fn from(commands: BrakeCommands) -> Self {
                let BrakeCommands { $($released, $added),* } = commands;
                Self { $($released, $added),* }
            }
        }

        impl WheelBrakes {
            /// Returns the torque at each wheel for the shares of a torque of all brakes together, N·m.
            #[inline(always)]
            pub fn torques(&self, shares: Wheels4, torque: f64) -> Wheels4 {
                let released = [$(self.$released),*];
                let added = [$(self.$added),*];
                [0, 1, 2, 3].map(|wheel: usize| {
                    let kept = 1.0 - released[wheel].clamp(0.0, 1.0);
                    kept * (shares[wheel] * torque) + added[wheel].max(0.0)
                })
            }
        }
    };
}

wheel_brakes! {
    brake_release_rl, brake_added_rl, "left rear";
    brake_release_rr, brake_added_rr, "right rear";
    brake_release_fl, brake_added_fl, "left front";
    brake_release_fr, brake_added_fr, "right front";
}
