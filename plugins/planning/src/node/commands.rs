//! Commands of the interface, as ports.
//!
//! Numbers of gears, modes and lights follow `autoware_vehicle_msgs`.

use simhost_sdk::abi::CommandDesc;
use simhost_sdk::command;

/// Commands and measurements that both interfaces share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Common {
    /// Number of the gear in the mode `AUTONOMOUS`.
    pub gear: f64,
    /// Number of the gear in the mode `MANUAL`.
    pub manual_gear: f64,
    /// Requested mode, or −1.
    pub mode_request: f64,
    /// Whether the vehicle is engaged, or −1 before the first command.
    pub engage: f64,
    /// Command of the turn indicators, or −1 before the first.
    pub turn: f64,
    /// Command of the hazard lights, or −1 before the first.
    pub hazard: f64,
    /// Initial pose: x, y, z, m; heading, rad; stamp, s, or −1 before the first.
    pub initial_pose: [f64; 5],
    /// Initial speed, m/s, and its stamp, s, or −1 before the first.
    pub initial_twist: [f64; 2],
    /// Height of the nearest point of a trajectory, m, and its stamp, s, or −1 before the first.
    pub trajectory: [f64; 2],
    /// Position of the reference point, m, world frame.
    pub position: [f64; 3],
    /// Heading, rad.
    pub yaw: f64,
    /// Gravity of the world, m/s².
    pub gravity: f64,
}

/// Declares the inputs of an interface: its specific inputs, with the kinds of commands that set
/// them, then the inputs that all interfaces share.
macro_rules! commands {
    (
        $(#[$about:meta])* $name:ident, $kinds:ident
        { $($(#[$port:meta])* $field:ident,)* }
        [ $($kind:ident: $($value:ident),*;)* ]
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, simhost_sdk::Ports)]
        pub struct $name {
            $($(#[$port])* pub(crate) $field: f64,)*
            /// Number of the gear in the mode `AUTONOMOUS`: 0 NONE, 1 NEUTRAL, 2 DRIVE, 20 REVERSE,
            /// 22 PARK.
            #[port(unit = "1", command, key = "gear")]
            pub(crate) gear_command: f64,
            /// Number of the gear in the mode `MANUAL`.
            #[port(unit = "1", default = 22.0, command, key = "manual_gear")]
            pub(crate) manual_gear_command: f64,
            /// Requested mode: 1 AUTONOMOUS, 4 MANUAL; −1 before the first request.
            #[port(unit = "1", default = -1.0, command)]
            pub(crate) control_mode_request: f64,
            /// Whether the vehicle is engaged; −1 before the first command.
            #[port(unit = "1", default = -1.0, command)]
            pub(crate) engage_command: f64,
            /// Command of the turn indicators: 0 NO_COMMAND, 1 DISABLE, 2 ENABLE_LEFT, 3 ENABLE_RIGHT;
            /// −1 before the first.
            #[port(unit = "1", default = -1.0, command)]
            pub(crate) turn_indicators_command: f64,
            /// Command of the hazard lights: 0 NO_COMMAND, 1 DISABLE, 2 ENABLE; −1 before the first.
            #[port(unit = "1", default = -1.0, command)]
            pub(crate) hazard_lights_command: f64,
            /// Position of the initial pose along x of the world.
            #[port(unit = "m", command)]
            pub(crate) initial_pose_x: f64,
            /// Position of the initial pose along y of the world.
            #[port(unit = "m", command)]
            pub(crate) initial_pose_y: f64,
            /// Height of the initial pose, which odometry reports.
            #[port(unit = "m", command)]
            pub(crate) initial_pose_z: f64,
            /// Heading of the initial pose, counter-clockwise from the world x axis.
            #[port(unit = "rad", command)]
            pub(crate) initial_pose_yaw: f64,
            /// Stamp of the initial pose; −1 before the first. The same pose with another stamp sets it
            /// again.
            #[port(unit = "s", default = -1.0, command)]
            pub(crate) initial_pose_stamp: f64,
            /// Speed with which the last initial pose is set again.
            #[port(unit = "m/s", command)]
            pub(crate) initial_twist_vx: f64,
            /// Stamp of the initial speed; −1 before the first.
            #[port(unit = "s", default = -1.0, command)]
            pub(crate) initial_twist_stamp: f64,
            /// Height of the nearest point of a trajectory, which odometry reports if its stamp is
            /// later than the stamp of the initial pose.
            #[port(unit = "m", command)]
            pub(crate) trajectory_z: f64,
            /// Stamp of the trajectory; −1 before the first.
            #[port(unit = "s", default = -1.0, command)]
            pub(crate) trajectory_stamp: f64,
            /// Position of the reference point, world frame.
            #[port(unit = "m")]
            pub(crate) x: f64,
            /// Position of the reference point, world frame.
            #[port(unit = "m")]
            pub(crate) y: f64,
            /// Height of the ground below the reference point, world frame.
            #[port(unit = "m")]
            pub(crate) z: f64,
            /// Heading, counter-clockwise from the world x axis.
            #[port(unit = "rad")]
            pub(crate) yaw: f64,
            /// Gravity of the world.
            #[port(unit = "m/s²")]
            pub(crate) gravity: f64,
        }

        impl $name {
            /// Returns the commands and measurements that all interfaces share.
            #[inline(always)]
            pub(crate) fn common(&self) -> $crate::node::commands::Common {
                $crate::node::commands::Common {
                    gear: self.gear_command,
                    manual_gear: self.manual_gear_command,
                    mode_request: self.control_mode_request,
                    engage: self.engage_command,
                    turn: self.turn_indicators_command,
                    hazard: self.hazard_lights_command,
                    initial_pose: [
                        self.initial_pose_x,
                        self.initial_pose_y,
                        self.initial_pose_z,
                        self.initial_pose_yaw,
                        self.initial_pose_stamp,
                    ],
                    initial_twist: [self.initial_twist_vx, self.initial_twist_stamp],
                    trajectory: [self.trajectory_z, self.trajectory_stamp],
                    position: [self.x, self.y, self.z],
                    yaw: self.yaw,
                    gravity: self.gravity,
                }
            }
        }

        /// Kinds of commands with the inputs that their values set.
        pub const $kinds: simhost_sdk::CommandKinds = &[
            $(simhost_sdk::abi::CommandDesc::new(
                stringify!($kind),
                const { &[$(simhost_sdk::abi::Str::new(stringify!($value))),*] },
            ),)*
            $crate::node::commands::KINDS[0],
            $crate::node::commands::KINDS[1],
            $crate::node::commands::KINDS[2],
            $crate::node::commands::KINDS[3],
            $crate::node::commands::KINDS[4],
            $crate::node::commands::KINDS[5],
            $crate::node::commands::KINDS[6],
            $crate::node::commands::KINDS[7],
            $crate::node::commands::KINDS[8],
        ];
    };
}
pub(crate) use commands;

/// Kinds of commands that all interfaces accept.
pub const KINDS: [CommandDesc; 9] = [
    command!("gear": "gear_command"),
    command!("manual_gear": "manual_gear_command"),
    command!("control_mode_request": "control_mode_request"),
    command!("engage": "engage_command"),
    command!("turn_indicators": "turn_indicators_command"),
    command!("hazard_lights": "hazard_lights_command"),
    command!(
        "initial_pose":
        "initial_pose_x",
        "initial_pose_y",
        "initial_pose_z",
        "initial_pose_yaw",
        "initial_pose_stamp",
    ),
    command!("initial_twist": "initial_twist_vx", "initial_twist_stamp"),
    command!("trajectory_z": "trajectory_z", "trajectory_stamp"),
];
