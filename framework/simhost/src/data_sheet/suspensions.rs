//! Suspensions of the axles, measured at imposed wheel travel.
//!
//! As on a kinematics test rig, both wheels travel together while the rack stays in the middle and the ground exerts no forces.
//! Terms and signs are as in ISO 8855 and on the page *Suspensions* of the book.

use std::sync::Arc;

use simhost_model::{Instance, ModelRig, RigShape};
use simhost_world::AxleSuspension;

use super::{SheetAxle, SheetInput};

/// Largest travel in each direction, m: the default range of the built-in suspensions.
const WIDEST: f64 = 0.08;
/// Points of a curve on each side of zero.
const POINTS: i32 = 20;
/// Length of a step, s, which kinematics do not depend on.
const DT: f64 = 1e-3;

/// Measured kinematics of the suspension of an axle.
#[derive(Clone, Debug)]
pub struct SuspensionCurves {
    /// Name of the axle.
    pub axle: String,
    /// Class of the suspension.
    pub class: String,
    /// Camber and toe of the left wheel, change of the track, kinematic roll centre, and motion ratio of the left wheel.
    pub curves: Vec<SuspensionCurve>,
}

/// A quantity over the travel of both wheels.
#[derive(Clone, Debug)]
pub struct SuspensionCurve {
    /// Name, such as `track change`.
    pub name: &'static str,
    /// Unit of the values: `rad`, `m` or `1`.
    pub unit: &'static str,
    /// Travel in m, positive in compression, and value.
    pub points: Vec<[f64; 2]>,
}

/// Names and units of the curves, and the outputs whose sum they are.
const CURVES: [(&str, &str, &[&str]); 5] = [
    ("camber", "rad", &["camber_left"]),
    ("toe", "rad", &["toe_left"]),
    ("track change", "m", &["track_left", "track_right"]),
    ("roll centre height", "m", &["roll_centre_kinematic"]),
    ("motion ratio", "1", &["motion_ratio_left"]),
];

/// Measures the suspensions of all axles, from the front to the rear. An axle without a suspension, or with one that fails, has no
/// curves.
pub(super) fn suspensions(input: &SheetInput<'_>) -> Vec<SuspensionCurves> {
    let measure = |axle: &SheetAxle| {
        let mut suspensions = input.vehicle.suspensions.iter();
        let suspension = suspensions.find(|one| axle.wheels.contains(&one.wheels[0]))?;
        measured(input, axle, suspension)
    };
    input.axles.iter().filter_map(measure).collect()
}

fn measured(
    input: &SheetInput<'_>,
    axle: &SheetAxle,
    suspension: &AxleSuspension,
) -> Option<SuspensionCurves> {
    let travels: Vec<f64> =
        (-POINTS..=POINTS).map(|at| WIDEST * f64::from(at) / f64::from(POINTS)).collect();
    let radius = 0.5 * input.vehicle.wheels.get(suspension.wheels[0])?.diameter;
    let class = &suspension.model.model;
    let instance = Arc::new(Instance::new(class, Arc::clone(&suspension.model.values)).ok()?);
    let shape = RigShape { lanes: travels.len(), ..RigShape::default() };
    let mut rig = ModelRig::new(&instance, &ModelRig::labels(class), shape).ok()?;
    let phase = rig.phase("kinematics")?;
    for (name, value) in [("half_track", 0.5 * axle.track()), ("wheel_radius", radius)] {
        if let Some(column) = rig.phases[phase].input(name) {
            column.fill(value);
        }
    }
    for name in ["travel_left", "travel_right"] {
        if let Some(column) = rig.phases[phase].input(name) {
            column.copy_from_slice(&travels);
        }
    }
    rig.call(phase, 0..travels.len(), [0.0, DT]).ok()?;
    let curve = |(name, unit, outputs): (&'static str, &'static str, &[&str])| {
        let columns: Option<Vec<&[f64]>> =
            outputs.iter().map(|output| rig.phases[phase].output(output)).collect();
        let columns = columns?;
        let value = |lane: usize| columns.iter().map(|column| column[lane]).sum();
        let points = travels.iter().enumerate().map(|(lane, travel)| [*travel, value(lane)]);
        Some(SuspensionCurve { name, unit, points: points.collect() })
    };
    let curves = CURVES.into_iter().filter_map(curve).collect();
    Some(SuspensionCurves { axle: axle.name.clone(), class: class.full_name.to_string(), curves })
}
