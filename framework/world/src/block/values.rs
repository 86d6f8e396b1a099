//! Scalar values of a block.

use crate::reader::ElementReader;
use crate::vocabulary::{Entry, Value, child, fraction, non_negative, number, positive};

pub(super) const ENTRIES: &[Entry] = &[
    child("mass", positive("kg"), "Mass.").or("30"),
    child("zmin", number("m"), "Lowest point. Parts of visuals below it are ignored.")
        .or_else("0, or that of the visuals"),
    child("zmax", number("m"), "Highest point. Parts of visuals above it are ignored.")
        .or_else("1, or that of the visuals"),
    child("ground_friction", non_negative("1"), "Coulomb coefficient between block and ground.")
        .or("0.5"),
    child("lateral_friction", non_negative("1"), "Friction coefficient of the sides.").or("0.5"),
    child(
        "restitution",
        fraction(),
        "Coefficient of restitution: 0 does not bounce, 1 keeps all speed. Bodies with joints do not bounce.",
    )
    .or("0.01"),
    child("linear_damping", non_negative("1/s"), "Damping of the velocity.")
        .or_else("0; 0.1 in mvsim-1.2"),
    child("angular_damping", non_negative("1/s"), "Damping of the yaw rate.")
        .or_else("0; 0.1 in mvsim-1.2"),
    child("color", Value::Color, "Colour of a block without visuals.").or("#8d99ae"),
    child("static", Value::Bool, "Keeps the block from moving.").or("false"),
    child("intangible", Value::Bool, "Disables contacts. Wheels still roll on the block.")
        .or("false"),
    child("visual_scale", positive("1"), "Replaces the `model_scale` of every visual."),
];

/// Values for which the class takes precedence in the profile `mvsim-1.2`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BlockValues {
    pub mass: Option<f64>,
    pub z_min: Option<f64>,
    pub z_max: Option<f64>,
    pub ground_friction: Option<f64>,
    pub lateral_friction: Option<f64>,
    pub restitution: Option<f64>,
    pub linear_damping: Option<f64>,
    pub angular_damping: Option<f64>,
    pub visual_scale: Option<f64>,
    pub is_static: Option<bool>,
    pub intangible: Option<bool>,
    pub color: Option<[u8; 4]>,
}

impl BlockValues {
    pub(super) fn read(reader: &mut ElementReader<'_, '_, '_>) -> Self {
        Self {
            mass: reader.given_number("mass"),
            z_min: reader.given_number("zmin"),
            z_max: reader.given_number("zmax"),
            ground_friction: reader.given_number("ground_friction"),
            lateral_friction: reader.given_number("lateral_friction"),
            restitution: reader.given_number("restitution"),
            linear_damping: reader.given_number("linear_damping"),
            angular_damping: reader.given_number("angular_damping"),
            visual_scale: reader.given_number("visual_scale"),
            is_static: reader.given_flag("static"),
            intangible: reader.given_flag("intangible"),
            color: reader.given_color("color"),
        }
    }

    /// Returns these values, completed by those of `other`.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            mass: self.mass.or(other.mass),
            z_min: self.z_min.or(other.z_min),
            z_max: self.z_max.or(other.z_max),
            ground_friction: self.ground_friction.or(other.ground_friction),
            lateral_friction: self.lateral_friction.or(other.lateral_friction),
            restitution: self.restitution.or(other.restitution),
            linear_damping: self.linear_damping.or(other.linear_damping),
            angular_damping: self.angular_damping.or(other.angular_damping),
            visual_scale: self.visual_scale.or(other.visual_scale),
            is_static: self.is_static.or(other.is_static),
            intangible: self.intangible.or(other.intangible),
            color: self.color.or(other.color),
        }
    }

    /// Returns whether nothing is given that the outline of visuals depends on.
    pub(super) fn keep_shape_of_class(&self) -> bool {
        self.z_min.is_none() && self.z_max.is_none() && self.visual_scale.is_none()
    }
}
