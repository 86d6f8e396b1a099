//! Behaviour of the node. The cases come from Autoware `simple_planning_simulator` 1.0.0, or are
//! corrections of it.

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
    let settings = Settings { initialize_source: InitializeSource::InitialPoseTopic, ..settings() };
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
    assert_eq!((decision.is_manual, decision.gear, node.control_mode_accepted), (true, 22.0, 1.0));
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
    let along = |yaw: f64| slope::pitch_along([0.05, 0.0], yaw * math::DEG);
    near(along(0.0), -0.0499583957);
    near(along(180.0), 0.0499583957);
    near(along(90.0), 0.0);
    near(along(60.0), -0.0249947936);
    near(slope::acceleration(along(0.0), 9.81), -0.48988802222);
    near(slope::acceleration(along(180.0), 9.81), 0.48988802222);
    near(slope::acceleration(along(0.0), 1.62), -0.48988802222 * 1.62 / 9.81);
}
