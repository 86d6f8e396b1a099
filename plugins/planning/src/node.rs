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
pub mod state;

use simhost_sdk::prelude::*;
use simhost_sdk::{Step, math};

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
        let ground = below(step, commands.position, commands.yaw);
        let gravity = if self.compat == Compat::Autoware { 9.81 } else { commands.gravity };
        let slope = match self.enable_road_slope_simulation {
            true => acceleration(ground.pitch, gravity),
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

/// The ground below a vehicle.
///
/// With the slope dz/ds of the ground along the heading, the pitch is −atan dz/ds, positive with the
/// nose down, and the acceleration along the vehicle g sin(pitch). Source: Autoware
/// `simple_planning_simulator` 1.0.0, which reads the slope from the nearest lane of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ground {
    /// Height, m, world frame.
    pub height: f64,
    /// Pitch of a vehicle that stands on it, rad, positive with the nose down.
    pub pitch: f64,
}

/// Returns the ground at a position, m, below a vehicle with this heading, rad. A host without ground
/// has a plane at the height of the position.
pub fn below(step: &Step, position: [f64; 3], yaw: f64) -> Ground {
    match step.ground(position) {
        Some(point) => Ground { height: point.height, pitch: pitch_along(point.slope, yaw) },
        None => Ground { height: position[2], pitch: 0.0 },
    }
}

/// Returns the pitch, rad, of a vehicle with a heading, rad, on ground with a slope along x and y of the
/// world, m/m.
pub fn pitch_along([x, y]: [f64; 2], yaw: f64) -> f64 {
    let (sin, cos) = math::sin_cos(yaw);
    -math::atan(x * cos + y * sin)
}

/// Returns the forward acceleration, m/s², at a pitch, rad, with this gravity, m/s².
pub fn acceleration(pitch: f64, gravity: f64) -> f64 {
    gravity * math::sin(pitch)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings {
            initialize_source: InitializeSource::Origin,
            initial_engage_state: true,
            enable_road_slope_simulation: false,
            compat: Compat::None,
        }
    }

    fn commands() -> Common {
        Common {
            manual_gear: 22.0,
            mode_request: NOTHING,
            engage: NOTHING,
            turn: NOTHING,
            hazard: NOTHING,
            initial_pose: [0.0, 0.0, 0.0, 0.0, NOTHING],
            initial_twist: [0.0, NOTHING],
            trajectory: [0.0, NOTHING],
            gravity: 9.81,
            ..Common::default()
        }
    }

    fn node() -> Node {
        simhost_sdk::testing::initial()
    }

    fn decide(settings: &Settings, commands: &Common, node: &mut Node) -> Decision {
        settings.decide(commands, &Step::new(0.0, 0.025), node)
    }

    #[test]
    fn without_a_first_pose_nothing_runs() {
        let settings =
            Settings { initialize_source: InitializeSource::InitialPoseTopic, ..settings() };
        let (mut node, mut commands) = (node(), commands());
        // D4: a speed before the pose is ignored
        commands.initial_twist = [3.0, 1.0];
        assert!(!decide(&settings, &commands, &mut node).is_engaged);
        assert_eq!((node.poses, node.is_initialized), (0.0, 0.0));
        commands.initial_pose = [1.0, 2.0, 0.5, 0.1, 0.0];
        let decision = decide(&settings, &commands, &mut node);
        assert!(decision.is_engaged);
        assert_eq!((node.x, node.y, node.yaw, node.vx), (1.0, 2.0, 0.1, 0.0));
        assert_eq!((node.poses, decision.height), (1.0, 0.5));
        // the same command is not a new one
        decide(&settings, &commands, &mut node);
        assert_eq!(node.poses, 1.0);
        commands.initial_pose[4] = 4.0;
        decide(&settings, &commands, &mut node);
        assert_eq!(node.poses, 2.0);
    }

    #[test]
    fn a_speed_sets_the_last_pose_again() {
        let (mut node, mut commands) = (node(), commands());
        commands.initial_pose = [1.0, 2.0, 0.0, 0.1, 0.0];
        decide(&settings(), &commands, &mut node);
        commands.initial_twist = [3.0, 1.0];
        decide(&settings(), &commands, &mut node);
        assert_eq!((node.x, node.vx, node.poses), (1.0, 3.0, 2.0));
        decide(&settings(), &commands, &mut node);
        assert_eq!(node.poses, 2.0);
    }

    #[test]
    fn only_autonomous_and_manual_are_modes() {
        // D3
        let (mut node, mut commands) = (node(), commands());
        commands.gear = 2.0;
        let decision = decide(&settings(), &commands, &mut node);
        assert_eq!(
            (decision.is_manual, decision.gear, node.control_mode_accepted),
            (false, 2.0, NOTHING)
        );
        commands.mode_request = MANUAL;
        let decision = decide(&settings(), &commands, &mut node);
        assert_eq!(
            (decision.is_manual, decision.gear, node.control_mode_accepted),
            (true, 22.0, 1.0)
        );
        for refused in [0.0, 2.0, 3.0, 5.0, 6.0, 1.5, 255.0] {
            commands.mode_request = refused;
            let decision = decide(&settings(), &commands, &mut node);
            assert_eq!(
                (decision.is_manual, node.control_mode, node.control_mode_accepted),
                (true, MANUAL, 0.0)
            );
        }
        commands.mode_request = AUTONOMOUS;
        assert!(!decide(&settings(), &commands, &mut node).is_manual);
        assert_eq!(node.control_mode_accepted, 1.0);
    }

    #[test]
    fn commands_engage_and_disengage() {
        // D4
        let (mut node, mut commands) = (node(), commands());
        let disengaged = Settings { initial_engage_state: false, ..settings() };
        assert!(!decide(&disengaged, &commands, &mut node).is_engaged);
        commands.engage = 1.0;
        assert!(decide(&disengaged, &commands, &mut node).is_engaged);
        commands.engage = 0.0;
        assert!(!decide(&settings(), &commands, &mut node).is_engaged);
    }

    #[test]
    fn lights_are_reported_from_the_first_command_on() {
        // D8
        let (mut node, mut commands) = (node(), commands());
        let decision = decide(&settings(), &commands, &mut node);
        assert_eq!((decision.turn, decision.hazard), (NOTHING, NOTHING));
        (commands.turn, commands.hazard) = (0.0, 0.0);
        let decision = decide(&settings(), &commands, &mut node);
        assert_eq!((decision.turn, decision.hazard), (1.0, 1.0));
        let compat = Settings { compat: Compat::Autoware, ..settings() };
        assert_eq!(decide(&compat, &commands, &mut node).hazard, 0.0, "the source repeats it");
        (commands.turn, commands.hazard) = (3.0, 2.0);
        let decision = decide(&settings(), &commands, &mut node);
        assert_eq!((decision.turn, decision.hazard), (3.0, 2.0));
    }

    #[test]
    fn the_height_is_that_of_the_pose_until_a_later_trajectory_comes() {
        // D9
        let (mut node, mut commands) = (node(), commands());
        commands.position[2] = 7.0;
        assert_eq!(decide(&settings(), &commands, &mut node).height, 7.0, "the ground");
        commands.trajectory = [3.0, 1.0];
        commands.initial_pose = [0.0, 0.0, 5.0, 0.0, 2.0];
        assert_eq!(decide(&settings(), &commands, &mut node).height, 5.0, "an older trajectory");
        commands.trajectory = [4.0, 3.0];
        assert_eq!(decide(&settings(), &commands, &mut node).height, 4.0);
        commands.initial_pose[4] = 4.0;
        assert_eq!(decide(&settings(), &commands, &mut node).height, 5.0, "a new pose");
    }

    #[test]
    fn the_gear_gives_the_sign_of_the_acceleration() {
        // D2
        let (mut node, mut commands) = (node(), commands());
        let mut of = |gear: f64| {
            commands.gear = gear;
            let decision = decide(&settings(), &commands, &mut node);
            combined(2.0, &Decision { slope: -0.5, ..decision })
        };
        assert_eq!([0.0, 2.0, 20.0, 21.0, 23.0].map(&mut of), [0.0, 1.5, -2.5, -2.5, 1.5]);
        assert_eq!([1.0, 22.0].map(&mut of), [1.5, 1.5]);
    }

    #[test]
    fn slopes_have_the_figures_of_the_source() {
        // C21
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-10, "{found}");
        let along = |yaw: f64| super::pitch_along([0.05, 0.0], yaw * math::DEG);
        near(along(0.0), -0.0499583957);
        near(along(180.0), 0.0499583957);
        near(along(90.0), 0.0);
        near(along(60.0), -0.0249947936);
        near(super::acceleration(along(0.0), 9.81), -0.48988802222);
        near(super::acceleration(along(180.0), 9.81), 0.48988802222);
        near(super::acceleration(along(0.0), 1.62), -0.48988802222 * 1.62 / 9.81);
    }
}
