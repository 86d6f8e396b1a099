//! Vehicles that follow a scenario: a dynamics class and its controller.

use simhost_sdk::ports::{Odometry, PlanarPose};
use simhost_sdk::prelude::*;

/// A vehicle that is moved to a pose in each step. Only contacts keep it from there: it then returns to its plan, faster than
/// planned by at most half of its speed and [`CATCHING_UP`], so that it does not throw what is in its way.
#[derive(Params)]
pub struct Scripted {}

/// Speed at which a vehicle that contacts have kept back returns to its plan, m/s.
const CATCHING_UP: f64 = 2.0;

/// Pose and velocity at the end of the step.
#[derive(Clone, Copy, Ports)]
pub struct ScriptedPose {
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    goal_x: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m")]
    goal_y: f64,
    /// Heading.
    #[port(unit = "rad")]
    goal_yaw: f64,
    /// Forward velocity.
    #[port(unit = "m/s")]
    goal_vx: f64,
    /// Whether there is a goal, 1 or 0. Without one, the vehicle stands still.
    #[port(unit = "1")]
    goal_known: f64,
}

/// The goal, and the pose of the vehicle.
#[derive(Ports)]
pub struct ScriptedInputs {
    /// The goal.
    #[port(flatten)]
    goal: ScriptedPose,
    /// Pose of the vehicle.
    #[port(flatten)]
    pose: PlanarPose,
}

#[model]
impl Dynamics for Scripted {
    const WHEELS: &'static [WheelPlace] = &[
        WheelPlace::at("rl_wheel", 0.0, 0.75),
        WheelPlace::at("rr_wheel", 0.0, -0.75),
        WheelPlace::at("fl_wheel", 2.7, 0.75),
        WheelPlace::at("fr_wheel", 2.7, -0.75),
    ];
    const CHASSIS: Chassis =
        Chassis::new(1400.0, [0.2, 1.4], &[-0.9, -0.9, 3.6, -0.9, 3.6, 0.9, -0.9, 0.9]);

    fn drive(
        &self,
        inputs: &ScriptedInputs,
        wheels: &mut Wheels,
        step: &Step,
        _: &mut (),
    ) -> Motion {
        let (goal, pose) = (&inputs.goal, &inputs.pose);
        if goal.goal_known == 0.0 {
            return Motion { x: pose.x, y: pose.y, yaw: pose.yaw, ..Motion::default() };
        }
        for wheel in 0..4 {
            wheels.set_spin(wheel, goal.goal_vx / wheels.radius(wheel));
        }
        let (dx, dy) = (goal.goal_x - pose.x, goal.goal_y - pose.y);
        let (distance, most) = ((dx * dx + dy * dy).sqrt(), reach(goal.goal_vx, step.dt));
        if distance <= most {
            let turn = math::wrap_angle(goal.goal_yaw - pose.yaw);
            let (x, y, yaw) = (goal.goal_x, goal.goal_y, pose.yaw + turn);
            return Motion { x, y, yaw, vx: goal.goal_vx, vy: 0.0, omega: turn / step.dt };
        }
        let part = most / distance;
        let turn = part * math::wrap_angle(goal.goal_yaw - pose.yaw);
        let (sin, cos) = math::sin_cos(pose.yaw);
        let speed = most / step.dt / distance;
        Motion {
            x: pose.x + part * dx,
            y: pose.y + part * dy,
            yaw: pose.yaw + turn,
            vx: speed * (cos * dx + sin * dy),
            vy: speed * (cos * dy - sin * dx),
            omega: turn / step.dt,
        }
    }

    fn measure(&self, wheels: &WheelMotion) -> Odometry {
        let speed = 0.5 * (wheels.rolling_speed(0) + wheels.rolling_speed(1));
        Odometry { odometry_vx: speed, odometry_vy: 0.0, odometry_omega: 0.0 }
    }
}

/// Returns the largest distance that a vehicle with a planned speed, m/s, moves in a step, s.
fn reach(speed: f64, dt: f64) -> f64 {
    (1.5 * speed.abs() + CATCHING_UP) * dt
}

/// Passes the poses of a scenario to the dynamics class `scripted`.
#[derive(Params)]
pub struct ScriptedControl {}

/// Commanded pose and velocity.
#[derive(Clone, Copy, Ports)]
pub struct ScriptedCommand {
    /// Position of the reference point, world frame.
    #[port(unit = "m", command)]
    command_x: f64,
    /// Position of the reference point, world frame.
    #[port(unit = "m", command)]
    command_y: f64,
    /// Heading.
    #[port(unit = "rad", command)]
    command_yaw: f64,
    /// Forward velocity.
    #[port(unit = "m/s", command)]
    command_vx: f64,
    /// Whether there is a command, 1 or 0.
    #[port(unit = "1", command)]
    command_known: f64,
}

#[model]
impl Controller for ScriptedControl {
    const COMMANDS: CommandKinds = &[command!("scripted": ScriptedCommand[..5])];

    fn control(&self, command: &ScriptedCommand, _: &Step, _: &mut ()) -> ScriptedPose {
        ScriptedPose {
            goal_x: command.command_x,
            goal_y: command.command_y,
            goal_yaw: command.command_yaw,
            goal_vx: command.command_vx,
            goal_known: command.command_known,
        }
    }
}

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    dynamics: { "scripted" => Scripted },
    controller: { "scripted_control" => ScriptedControl },
}
