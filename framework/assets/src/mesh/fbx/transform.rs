//! Transformations of FBX models, which rotate and scale about pivots.

use super::super::placement::Placement;
use super::record::Record;

/// Returns the three numbers of a property, or a default.
fn vector(record: &Record, name: &str, default: f64) -> [f64; 3] {
    let property = find(record, name);
    std::array::from_fn(|axis| property.and_then(|p| p.float(4 + axis)).unwrap_or(default))
}

fn integer(record: &Record, name: &str, default: i64) -> i64 {
    find(record, name).and_then(|property| property.integer(4)).unwrap_or(default)
}

/// Returns a property of an object.
pub(super) fn find<'r, 'a>(record: &'r Record<'a>, name: &str) -> Option<&'r Record<'a>> {
    record.child("Properties70")?.children("P").find(|property| property.text(0) == Some(name))
}

/// Returns a rotation about the fixed axes x, y and z in the order given by the FBX enumeration.
fn rotation(angles_deg: [f64; 3], order: i64) -> Placement {
    let about = |axis: usize| {
        let mut direction = [0.0; 3];
        direction[axis] = 1.0;
        Placement::rotation(direction, angles_deg[axis].to_radians())
    };
    let [first, second, third] = match order {
        1 => [0, 2, 1],
        2 => [1, 2, 0],
        3 => [1, 0, 2],
        4 => [2, 0, 1],
        5 => [2, 1, 0],
        _ => [0, 1, 2],
    };
    about(third).after(&about(second)).after(&about(first))
}

/// Returns the transformation of a model relative to its parent.
pub(super) fn local(model: &Record) -> Placement {
    let translation = |name: &str| Placement::translation(vector(model, name, 0.0));
    let inverse_translation =
        |name: &str| Placement::translation(vector(model, name, 0.0).map(|value| -value));
    let own_rotation =
        rotation(vector(model, "Lcl Rotation", 0.0), integer(model, "RotationOrder", 0));
    [
        translation("RotationOffset"),
        translation("RotationPivot"),
        rotation(vector(model, "PreRotation", 0.0), 0),
        own_rotation,
        rotation(vector(model, "PostRotation", 0.0), 0).inverse_rotation(),
        inverse_translation("RotationPivot"),
        translation("ScalingOffset"),
        translation("ScalingPivot"),
        Placement::scale(vector(model, "Lcl Scaling", 1.0)),
        inverse_translation("ScalingPivot"),
    ]
    .iter()
    .fold(translation("Lcl Translation"), |place, step| place.after(step))
}

/// Returns the transformation of a geometry relative to its model. Child models do not inherit it.
pub(super) fn geometric(model: &Record) -> Placement {
    Placement::translation(vector(model, "GeometricTranslation", 0.0))
        .after(&rotation(vector(model, "GeometricRotation", 0.0), 0))
        .after(&Placement::scale(vector(model, "GeometricScaling", 1.0)))
}

/// Returns the transformation from the axes and units of the file to centimetres with y up.
pub(super) fn upright(settings: &Record) -> Placement {
    let unit = find(settings, "UnitScaleFactor").and_then(|property| property.float(4));
    let unit = unit.filter(|unit| unit.is_finite() && *unit > 0.0).unwrap_or(1.0);
    let row = |name: &str, default: i64| {
        let axis = integer(settings, &format!("{name}Axis"), default).clamp(0, 2);
        let sign = integer(settings, &format!("{name}AxisSign"), 1).signum() as f64;
        let mut row = [0.0; 4];
        row[axis as usize] = sign * unit;
        row
    };
    Placement::rows([row("Coord", 0), row("Up", 1), row("Front", 2)])
}
