//! Tyres of the axles, measured on a flat track.

use std::sync::Arc;

use simhost_model::{FlatTrack, TyreForce, TyreMotion};
use simhost_world::{ModelUse, Vehicle};

use super::{SheetAxle, SheetInput};

/// Slip angles of the differentiation at zero, rad. At the smallest ones, some tyres still have the slope of the
/// longitudinal slip with which they roll. A force that is proportional between no two of them has no stiffness.
const SMALL: [f64; 3] = [1e-6, 1e-4, 1e-3];
/// Difference of two stiffnesses at which the force does not count as proportional to the slip angle.
const LINEAR: f64 = 0.02;
/// Loads of the curves, in units of the load of the wheel at rest.
const LOADS: [f64; 4] = [0.5, 1.0, 1.5, 2.0];
/// Largest slip angle of the curves, rad, and largest slip ratio.
const WIDEST: [f64; 2] = [0.25, 0.5];
/// Points of a curve on each side of zero.
const POINTS: i32 = 25;

/// Measured forces of the tyres of an axle.
#[derive(Clone, Debug)]
pub struct TyreCurves {
    /// Name of the axle.
    pub axle: String,
    /// Class of the friction model.
    pub class: String,
    /// Lateral force over the slip angle: rad, N.
    pub lateral: Vec<TyreCurve>,
    /// Longitudinal force over the slip ratio: 1, N.
    pub longitudinal: Vec<TyreCurve>,
}

/// Forces at a load.
#[derive(Clone, Debug)]
pub struct TyreCurve {
    /// Normal load, N.
    pub load: f64,
    /// Slip and force.
    pub points: Vec<[f64; 2]>,
}

/// Tyres of an axle.
pub(super) struct AxleTyres {
    /// Cornering stiffness of all tyres of the axle at their loads at rest, N/rad, and the distance by which their lateral
    /// force acts behind the wheel centres at small slip angles, m.
    pub stiffness: Result<[f64; 2], String>,
    /// Forces over slips, if they can be measured.
    pub curves: Option<TyreCurves>,
    /// Bench with a tyre, and the load of each wheel at rest, N.
    pub bench: Option<FlatTrack>,
}

/// Returns the friction model of a wheel.
fn model_of(vehicle: &Vehicle, wheel: usize) -> &Arc<ModelUse> {
    let own = vehicle.wheel_friction.iter().find(|one| one.wheel == wheel);
    own.map_or(&vehicle.friction, |one| &one.model)
}

/// Measures the tyres of all axles.
pub(super) fn tyres(input: &SheetInput<'_>) -> Vec<AxleTyres> {
    let body = input.body();
    let is_driven = body.is_some_and(|one| one.is_driven_by_friction);
    let measure = |axle: &SheetAxle| match mount(input, axle) {
        Ok(bench) if is_driven => measured(input, axle, bench),
        Ok(_) => none("the motion of the vehicle is imposed, so friction does not move it".into()),
        Err(reason) => none(reason),
    };
    input.axles.iter().map(measure).collect()
}

fn none(reason: String) -> AxleTyres {
    AxleTyres { stiffness: Err(reason), curves: None, bench: None }
}

/// Mounts the first wheel of an axle on a bench.
fn mount(input: &SheetInput<'_>, axle: &SheetAxle) -> Result<FlatTrack, String> {
    let wheel = axle.wheels.first().copied().unwrap_or(0);
    let spec = input.vehicle.wheels.get(wheel);
    let spec = spec.ok_or_else(|| format!("the {} has no wheel", axle.name))?;
    let model = model_of(input.vehicle, wheel);
    FlatTrack::new(&model.model, Arc::clone(&model.values), 0.5 * spec.diameter)
        .map_err(|fault| fault.message())
}

fn measured(input: &SheetInput<'_>, axle: &SheetAxle, bench: FlatTrack) -> AxleTyres {
    let load = axle.load / axle.wheels.len().max(1) as f64;
    let speed = input.options.speed;
    let stiffness = stiffness(&bench, load, speed)
        .map(|[stiffness, trail]| [stiffness * axle.wheels.len() as f64, trail]);
    let class = model_of(input.vehicle, axle.wheels[0]).model.full_name.to_string();
    let curve = |widest: f64, is_lateral: bool| {
        LOADS.map(|share| curve(&bench, share * load, speed, widest, is_lateral))
    };
    let [widest_angle, widest_ratio] = WIDEST;
    let sides = curve(widest_angle, true).into_iter().collect::<Result<Vec<_>, _>>();
    let along = curve(widest_ratio, false).into_iter().collect::<Result<Vec<_>, _>>();
    let curves = sides.ok().zip(along.ok()).map(|(lateral, longitudinal)| TyreCurves {
        axle: axle.name.clone(),
        class,
        lateral,
        longitudinal,
    });
    AxleTyres { stiffness, curves, bench: Some(bench) }
}

/// Returns the cornering stiffness −∂F_y/∂α of a tyre at zero slip angle (ISO 8855), N/rad, and the pneumatic trail there,
/// m, by central differences.
fn stiffness(bench: &FlatTrack, load: f64, speed: f64) -> Result<[f64; 2], String> {
    let motion = |slip_angle: f64| TyreMotion { load, speed, slip_angle, slip_ratio: 0.0 };
    let motions = SMALL.map(|angle| [motion(-angle), motion(angle)]).concat();
    let forces = bench.measure(&motions).map_err(|fault| fault.message())?;
    let change = |side: usize, of: fn(&TyreForce) -> f64| {
        (of(&forces[2 * side]) - of(&forces[2 * side + 1])) / (2.0 * SMALL[side])
    };
    let slopes = [0, 1, 2].map(|side| change(side, |force| force.fy));
    let is_slope = |side: &usize| {
        slopes[*side] > 0.0 && (slopes[*side] / slopes[side + 1] - 1.0).abs() <= LINEAR
    };
    let side = [0, 1].into_iter().find(is_slope).ok_or_else(|| {
        "the lateral force is not proportional to small slip angles: the friction model has no cornering stiffness"
            .to_owned()
    })?;
    Ok([slopes[side], -change(side, |force| force.mz) / slopes[side]])
}

/// Measures a curve of forces over slips.
fn curve(
    bench: &FlatTrack,
    load: f64,
    speed: f64,
    widest: f64,
    is_lateral: bool,
) -> Result<TyreCurve, String> {
    let slips: Vec<f64> =
        (-POINTS..=POINTS).map(|at| widest * f64::from(at) / f64::from(POINTS)).collect();
    let motion = |slip: &f64| match is_lateral {
        true => TyreMotion { load, speed, slip_angle: *slip, slip_ratio: 0.0 },
        false => TyreMotion { load, speed, slip_angle: 0.0, slip_ratio: *slip },
    };
    let motions: Vec<_> = slips.iter().map(motion).collect();
    let forces = bench.measure(&motions).map_err(|fault| fault.message())?;
    let force = |force: &TyreForce| if is_lateral { force.fy } else { force.fx };
    let points = slips.iter().zip(&forces).map(|(slip, one)| [*slip, force(one)]).collect();
    Ok(TyreCurve { load, points })
}
