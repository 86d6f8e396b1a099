//! The node around a planning model: modes, gears, engagement, initial poses and the slope.
//!
//! The controllers [`control`] and [`actuation`] choose between the commands of the autonomous stack
//! and manual ones, and drive the ports of any planning model ([`crate::ports`]). They share the
//! decisions in this file. Source: Autoware `simple_planning_simulator` 1.0.0, which does the same in
//! its node.
//!
//! **Simplification:** a commanded pose is in the frame of the world; the source adds the translation
//! of a transform to it, without its rotation.

pub mod actuation;
pub mod commands;
pub mod control;
pub mod outputs;
pub mod reports;
pub mod slope;
pub mod state;

#[cfg(test)]
mod tests;

use simhost_sdk::prelude::*;

use crate::params::Compat;
use commands::Common;
use state::Node;
pub use state::{AUTONOMOUS, MANUAL, NOTHING};

/// Number of the turn indicators' and the hazard lights' command `NO_COMMAND`.
const NO_COMMAND: f64 = 0.0;
/// Number of the report `DISABLE` of turn indicators and hazard lights.
const DISABLE: f64 = 1.0;

/// Where the first pose comes from.
#[derive(Choice, Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum InitializeSource {
    #[param(key = "ORIGIN")]
    Origin,
    #[param(key = "INITIAL_POSE_TOPIC")]
    InitialPoseTopic,
}

/// Parameters of the interface of a planning model.
#[derive(Clone, Params)]
pub struct Settings {
    /// Source of the first pose: `ORIGIN` starts at the pose of the world file;
    /// `INITIAL_POSE_TOPIC` waits for the command `initial_pose`, and reports only the mode until
    /// then.
    #[param(default = "INITIAL_POSE_TOPIC")]
    pub initialize_source: InitializeSource,
    /// Whether the vehicle is engaged before the first command `engage`.
    #[param(default = true)]
    pub initial_engage_state: bool,
    /// Whether the slope of the ground below accelerates the vehicle.
    #[param(default = false)]
    pub enable_road_slope_simulation: bool,
    /// Arithmetic: `none` for the corrected equations, `autoware-1.0` for the original ones.
    #[param(default = "none")]
    pub compat: Compat,
}

/// The decision of the node for a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decision {
    /// Whether the manual commands count.
    pub is_manual: bool,
    /// Number of the gear.
    pub gear: f64,
    /// Forward acceleration by the slope, m/s².
    pub slope: f64,
    /// Whether the model runs.
    pub is_engaged: bool,
    /// Report of the turn indicators, or [`NOTHING`].
    pub turn: f64,
    /// Report of the hazard lights, or [`NOTHING`].
    pub hazard: f64,
    /// Height that the odometry reports, m.
    pub height: f64,
}

impl Settings {
    /// Takes the commands of a step in, and decides which of them count.
    pub fn decide(&self, commands: &Common, step: &Step, node: &mut Node) -> Decision {
        node.set_mode(commands.mode_request);
        node.take_pose(commands);
        if self.initialize_source == InitializeSource::Origin {
            node.is_initialized = 1.0;
        }
        let is_manual = node.control_mode == MANUAL;
        let ground = slope::below(step, commands.position, commands.yaw);
        let gravity = if self.compat == Compat::Autoware { 9.81 } else { commands.gravity };
        let slope = match self.enable_road_slope_simulation {
            true => slope::acceleration(ground.pitch, gravity),
            false => 0.0,
        };
        let engage = match commands.engage {
            NOTHING => self.initial_engage_state,
            engage => engage != 0.0,
        };
        Decision {
            is_manual,
            gear: if is_manual { commands.manual_gear } else { commands.gear },
            slope,
            is_engaged: engage && node.is_initialized != 0.0,
            turn: reported(commands.turn),
            hazard: match self.compat == Compat::Autoware {
                true => commands.hazard,
                false => reported(commands.hazard),
            },
            height: node.height(ground.height),
        }
    }
}

/// Returns the report that follows a command of lights: `NO_COMMAND` disables them, and others are
/// repeated.
fn reported(command: f64) -> f64 {
    if command == NO_COMMAND { DISABLE } else { command }
}

/// Returns the acceleration that a model without gears and slope of its own follows: the commanded one
/// in the direction of the gear, with the slope, and 0 without a gear.
///
/// As in the source, `NEUTRAL` and `PARK` do not release a model without gears.
pub fn combined(acceleration: f64, decision: &Decision) -> f64 {
    use crate::gear::Gear;
    match Gear::of(decision.gear) {
        Gear::None => 0.0,
        Gear::Reverse => decision.slope - acceleration,
        _ => decision.slope + acceleration,
    }
}
