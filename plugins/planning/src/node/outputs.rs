//! Outputs of the interface: ports of the planning models, and reports.

use super::Decision;
use super::state::Node;

/// Outputs that all interfaces share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    /// The decision of the node.
    pub decision: Decision,
    /// Mode and initial pose.
    pub node: Node,
}

/// Declares the outputs of an interface: its specific outputs, then the outputs that all interfaces
/// share.
macro_rules! outputs {
    ($(#[$about:meta])* $name:ident { $($(#[$port:meta])* $field:ident,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, simhost_sdk::Ports)]
        pub struct $name {
            $($(#[$port])* pub(crate) $field: f64,)*
            /// Number of the gear as in `autoware_vehicle_msgs/GearCommand`.
            #[port(unit = "1", optional)]
            pub(crate) gear: f64,
            /// Forward acceleration due to the slope.
            #[port(unit = "m/s²", optional)]
            pub(crate) slope_acceleration: f64,
            /// Whether the model runs (1) or stands still in time (0).
            #[port(unit = "1", optional)]
            pub(crate) engaged: f64,
            /// Number of initial poses that have been commanded.
            #[port(unit = "1", optional)]
            pub(crate) initial_pose_number: f64,
            /// Position of the last initial pose, world frame.
            #[port(unit = "m", optional)]
            pub(crate) initial_x: f64,
            /// Position of the last initial pose, world frame.
            #[port(unit = "m", optional)]
            pub(crate) initial_y: f64,
            /// Heading of the last initial pose.
            #[port(unit = "rad", optional)]
            pub(crate) initial_yaw: f64,
            /// Speed at the last initial pose.
            #[port(unit = "m/s", optional)]
            pub(crate) initial_vx: f64,
            /// Number of the gear; −1 before the first pose.
            #[port(unit = "1", publish)]
            pub(crate) gear_report: f64,
            /// State of the turn indicators: 1 DISABLE, 2 ENABLE_LEFT, 3 ENABLE_RIGHT; −1 before the
            /// first command and the first pose.
            #[port(unit = "1", publish)]
            pub(crate) turn_indicators_report: f64,
            /// State of the hazard lights: 1 DISABLE, 2 ENABLE; −1 before the first command and the
            /// first pose.
            #[port(unit = "1", publish)]
            pub(crate) hazard_lights_report: f64,
            /// Whether the vehicle has its first pose, so that its state is reported.
            #[port(unit = "1", publish)]
            pub(crate) initialized: f64,
            /// Height that odometry reports.
            #[port(unit = "m", publish)]
            pub(crate) reported_z: f64,
        }

        impl $name {
            /// Returns the outputs that all interfaces share; the specific outputs are 0.
            #[inline(always)]
            pub(crate) fn shared(shared: &$crate::node::outputs::Shared) -> Self {
                let $crate::node::outputs::Shared { decision, node } = shared;
                let begun = |report: f64| match node.is_initialized != 0.0 {
                    true => report,
                    false => $crate::node::NOTHING,
                };
                Self {
                    $($field: 0.0,)*
                    gear: decision.gear,
                    slope_acceleration: decision.slope,
                    engaged: f64::from(u8::from(decision.is_engaged)),
                    initial_pose_number: node.poses,
                    initial_x: node.x,
                    initial_y: node.y,
                    initial_yaw: node.yaw,
                    initial_vx: node.vx,
                    gear_report: begun(decision.gear),
                    turn_indicators_report: begun(decision.turn),
                    hazard_lights_report: begun(decision.hazard),
                    initialized: node.is_initialized,
                    reported_z: decision.height,
                }
            }
        }
    };
}
pub(crate) use outputs;
