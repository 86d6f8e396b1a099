//! Brakes of single wheels: what electronics add to the brake torque of the driver, or take from it.

use simhost_sdk::prelude::*;

use crate::car::{Wheels4, each};

/// Brakes of single wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct WheelBrakes {
    /// Share of the brake torque that is released at the left rear wheel, 0 to 1.
    #[port(unit = "1", optional)]
    pub brake_release_rear_left: f64,
    /// Torque that the brake of the left rear wheel adds.
    #[port(unit = "N·m", optional)]
    pub brake_added_rear_left: f64,
    /// Share of the brake torque that is released at the right rear wheel, 0 to 1.
    #[port(unit = "1", optional)]
    pub brake_release_rear_right: f64,
    /// Torque that the brake of the right rear wheel adds.
    #[port(unit = "N·m", optional)]
    pub brake_added_rear_right: f64,
    /// Share of the brake torque that is released at the left front wheel, 0 to 1.
    #[port(unit = "1", optional)]
    pub brake_release_front_left: f64,
    /// Torque that the brake of the left front wheel adds.
    #[port(unit = "N·m", optional)]
    pub brake_added_front_left: f64,
    /// Share of the brake torque that is released at the right front wheel, 0 to 1.
    #[port(unit = "1", optional)]
    pub brake_release_front_right: f64,
    /// Torque that the brake of the right front wheel adds.
    #[port(unit = "N·m", optional)]
    pub brake_added_front_right: f64,
}

/// Commands to the brakes of single wheels, as in [`WheelBrakes`]. A class without these brakes refuses them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Ports)]
pub struct BrakeCommands {
    /// Share of the brake torque that is released at the left rear wheel, 0 to 1.
    #[port(unit = "1")]
    pub brake_release_rear_left: f64,
    /// Torque that the brake of the left rear wheel adds.
    #[port(unit = "N·m")]
    pub brake_added_rear_left: f64,
    /// Share of the brake torque that is released at the right rear wheel, 0 to 1.
    #[port(unit = "1")]
    pub brake_release_rear_right: f64,
    /// Torque that the brake of the right rear wheel adds.
    #[port(unit = "N·m")]
    pub brake_added_rear_right: f64,
    /// Share of the brake torque that is released at the left front wheel, 0 to 1.
    #[port(unit = "1")]
    pub brake_release_front_left: f64,
    /// Torque that the brake of the left front wheel adds.
    #[port(unit = "N·m")]
    pub brake_added_front_left: f64,
    /// Share of the brake torque that is released at the right front wheel, 0 to 1.
    #[port(unit = "1")]
    pub brake_release_front_right: f64,
    /// Torque that the brake of the right front wheel adds.
    #[port(unit = "N·m")]
    pub brake_added_front_right: f64,
}

impl BrakeCommands {
    /// Creates commands from the released shares and the added torques, N·m, of the wheels.
    pub fn new(released: Wheels4, added: Wheels4) -> Self {
        let [
            brake_release_rear_left,
            brake_release_rear_right,
            brake_release_front_left,
            brake_release_front_right,
        ] = released;
        let [
            brake_added_rear_left,
            brake_added_rear_right,
            brake_added_front_left,
            brake_added_front_right,
        ] = added;
        Self {
            brake_release_rear_left,
            brake_added_rear_left,
            brake_release_rear_right,
            brake_added_rear_right,
            brake_release_front_left,
            brake_added_front_left,
            brake_release_front_right,
            brake_added_front_right,
        }
    }
}

impl From<BrakeCommands> for WheelBrakes {
    fn from(commands: BrakeCommands) -> Self {
        Self {
            brake_release_rear_left: commands.brake_release_rear_left,
            brake_added_rear_left: commands.brake_added_rear_left,
            brake_release_rear_right: commands.brake_release_rear_right,
            brake_added_rear_right: commands.brake_added_rear_right,
            brake_release_front_left: commands.brake_release_front_left,
            brake_added_front_left: commands.brake_added_front_left,
            brake_release_front_right: commands.brake_release_front_right,
            brake_added_front_right: commands.brake_added_front_right,
        }
    }
}

impl WheelBrakes {
    /// Returns the torque at each wheel for the shares of a torque of all brakes together, N·m.
    #[inline(always)]
    pub fn torques(&self, shares: Wheels4, torque: f64) -> Wheels4 {
        let released = [
            self.brake_release_rear_left,
            self.brake_release_rear_right,
            self.brake_release_front_left,
            self.brake_release_front_right,
        ];
        let added = [
            self.brake_added_rear_left,
            self.brake_added_rear_right,
            self.brake_added_front_left,
            self.brake_added_front_right,
        ];
        each!(wheel => {
            let kept = 1.0 - released[wheel].clamp(0.0, 1.0);
            kept * (shares[wheel] * torque) + added[wheel].max(0.0)
        })
    }
}
