//! The ports of suspensions, whose lanes are vehicles: a call computes one axle of each.

use super::{HostPort, vehicle};

/// Calls a macro with the ports of suspensions: `inputs { … } outputs { … }`, each entry being
/// `name, unit, doc;`. A port per side ends in `_left` or `_right`.
#[macro_export]
macro_rules! suspension_ports {
    ($then:ident) => {
        $then! {
            inputs {
                travel_left, "m", "Travel of the left wheel centre against the body from its position at rest, positive in bump.";
                travel_right, "m", "Travel of the right wheel centre against the body from its position at rest, positive in bump.";
                travel_rate_left, "m/s", "Rate of change of the travel of the left wheel.";
                travel_rate_right, "m/s", "Rate of change of the travel of the right wheel.";
                rack, "m", "Travel of the steering rack from its position at rest, positive to the left; 0 for an axle without one.";
                fx_left, "N", "Forward force of the ground on the left wheel, body frame.";
                fx_right, "N", "Forward force of the ground on the right wheel, body frame.";
                fy_left, "N", "Leftward force of the ground on the left wheel, body frame.";
                fy_right, "N", "Leftward force of the ground on the right wheel, body frame.";
                fz_left, "N", "Upward force of the ground on the left wheel, body frame.";
                fz_right, "N", "Upward force of the ground on the right wheel, body frame.";
                mx_left, "N·m", "Overturning moment of the ground on the left wheel, about x of the body.";
                mx_right, "N·m", "Overturning moment of the ground on the right wheel, about x of the body.";
                mz_left, "N·m", "Aligning moment of the ground on the left wheel, about z of the body.";
                mz_right, "N·m", "Aligning moment of the ground on the right wheel, about z of the body.";
                shaft_torque_left, "N·m", "Torque of a drive shaft from the body on the left wheel, positive forwards; a brake or motor in the wheel has no part in it.";
                shaft_torque_right, "N·m", "Torque of a drive shaft from the body on the right wheel, positive forwards; a brake or motor in the wheel has no part in it.";
                half_track, "m", "Distance of the wheel centres at rest from the middle of the vehicle.";
                wheel_radius, "m", "Distance of the wheel centres at rest from the ground.";
            }
            outputs {
                camber_left, "rad", "Camber of the left wheel, positive with the top outboard.";
                camber_right, "rad", "Camber of the right wheel, positive with the top outboard.";
                toe_left, "rad", "Toe of the left wheel, positive with the front inboard, with the part that the rack turns.";
                toe_right, "rad", "Toe of the right wheel, positive with the front inboard, with the part that the rack turns.";
                track_left, "m", "Outboard displacement of the left contact point from its position at rest.";
                track_right, "m", "Outboard displacement of the right contact point from its position at rest.";
                longitudinal_left, "m", "Forward displacement of the left wheel centre from its position at rest.";
                longitudinal_right, "m", "Forward displacement of the right wheel centre from its position at rest.";
                caster_left, "rad", "Caster angle of the left wheel, positive with the top of the steering axis rearward.";
                caster_right, "rad", "Caster angle of the right wheel, positive with the top of the steering axis rearward.";
                spring_left, "m", "Compression of the left spring from its length at rest.";
                spring_right, "m", "Compression of the right spring from its length at rest.";
                motion_ratio_left, "1", "Compression of the left spring per travel of its wheel.";
                motion_ratio_right, "1", "Compression of the right spring per travel of its wheel.";
                jacking_left, "N", "Upward force on the body that the left links transmit from the forces of the ground, in addition to spring and damper.";
                jacking_right, "N", "Upward force on the body that the right links transmit from the forces of the ground, in addition to spring and damper.";
                roll_centre_kinematic, "m", "Height above the ground of the kinematic roll centre: the point about which the axle turns when both contact points move as the links prescribe.";
                roll_centre_constructed, "m", "Height above the ground of the constructed roll centre: where the lines from the contact points to the instant centres of the front view meet.";
            }
        }
    };
}

/// Declares the tables of suspensions.
macro_rules! tables {
    (
        inputs { $( $input:ident, $in_unit:literal, $in_doc:literal; )* }
        outputs { $( $output:ident, $out_unit:literal, $out_doc:literal; )* }
    ) => {
        /// Inputs of a suspension, for the axle of the vehicle in its lane.
        pub const AXLE_INPUTS: &[HostPort] =
            &[$( vehicle(stringify!($input), $in_unit, $in_doc) ),*];

        /// Outputs of a suspension.
        pub const AXLE_OUTPUTS: &[HostPort] =
            &[$( vehicle(stringify!($output), $out_unit, $out_doc) ),*];
    };
}

suspension_ports!(tables);
