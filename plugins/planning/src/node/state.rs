//! The state of the node of a planning model.

use simhost_sdk::prelude::*;

use super::commands::Common;

/// Mode and initial pose.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Node {
    /// Mode: 1 `AUTONOMOUS`, 4 `MANUAL`.
    #[state(unit = "1", initial = 1.0, discrete)]
    pub control_mode: f64,
    /// Whether the last request of a mode has been accepted; −1 before the first.
    #[state(unit = "1", initial = -1.0, discrete)]
    pub control_mode_accepted: f64,
    /// Whether the vehicle has its first pose.
    #[state(unit = "1", discrete)]
    pub is_initialized: f64,
    /// Number of initial poses that have been commanded.
    #[state(unit = "1", counter)]
    pub poses: f64,
    /// Position of the last initial pose, world frame.
    #[state(unit = "m")]
    pub x: f64,
    /// Position of the last initial pose, world frame.
    #[state(unit = "m")]
    pub y: f64,
    /// Height of the last initial pose.
    #[state(unit = "m")]
    pub z: f64,
    /// Heading of the last initial pose.
    #[state(unit = "rad", angle)]
    pub yaw: f64,
    /// Speed at the last initial pose.
    #[state(unit = "m/s")]
    pub vx: f64,
    /// Stamp of the last initial pose; −1 before the first.
    #[state(unit = "s", initial = -1.0, discrete)]
    pub pose_stamp: f64,
    /// Speed of the last initial twist.
    #[state(unit = "m/s")]
    pub twist: f64,
    /// Stamp of the last initial twist; −1 before the first.
    #[state(unit = "s", initial = -1.0, discrete)]
    pub twist_stamp: f64,
    /// Whether the height comes from a trajectory.
    #[state(unit = "1", discrete)]
    pub follows_trajectory: f64,
    /// Height of the nearest point of the trajectory.
    #[state(unit = "m")]
    pub trajectory_z: f64,
}

impl Node {
    /// Changes the mode to a requested one, and keeps whether the request has been accepted. Only
    /// `AUTONOMOUS` and `MANUAL` are.
    pub fn set_mode(&mut self, request: f64) {
        if request == NOTHING {
            return;
        }
        let is_known = request == AUTONOMOUS || request == MANUAL;
        self.control_mode_accepted = f64::from(u8::from(is_known));
        if is_known {
            self.control_mode = request;
        }
    }

    /// Takes new initial poses, initial speeds and heights of trajectories in. A pose or a speed is new if
    /// it differs from the last one or has another stamp. A speed before the first pose is ignored.
    pub fn take_pose(&mut self, commands: &Common) {
        let stamp = commands.initial_pose[4];
        let last = [self.x, self.y, self.z, self.yaw, self.pose_stamp];
        if stamp != NOTHING && commands.initial_pose != last {
            [self.x, self.y, self.z, self.yaw, self.pose_stamp] = commands.initial_pose;
            self.vx = 0.0;
            self.poses += 1.0;
            self.is_initialized = 1.0;
            self.follows_trajectory = 0.0;
        }
        let [vx, stamp] = commands.initial_twist;
        let is_new = stamp != NOTHING && (stamp != self.twist_stamp || vx != self.twist);
        if is_new {
            (self.twist, self.twist_stamp) = (vx, stamp);
            if self.poses > 0.0 {
                self.vx = vx;
                self.poses += 1.0;
            }
        }
        let [z, stamp] = commands.trajectory;
        if stamp != NOTHING && stamp > self.pose_stamp {
            (self.trajectory_z, self.follows_trajectory) = (z, 1.0);
        }
    }

    /// Returns the height that odometry reports, m: the height of a trajectory later than the
    /// initial pose, or else of the initial pose, or else of the ground.
    pub fn height(&self, ground: f64) -> f64 {
        if self.follows_trajectory != 0.0 {
            self.trajectory_z
        } else if self.poses > 0.0 {
            self.z
        } else {
            ground
        }
    }
}

/// Number of the mode `AUTONOMOUS` in `autoware_vehicle_msgs`.
pub const AUTONOMOUS: f64 = 1.0;

/// Number of the mode `MANUAL` in `autoware_vehicle_msgs`.
pub const MANUAL: f64 = 4.0;

/// A report or a request before there is any.
pub const NOTHING: f64 = -1.0;
