//! Axles of a vehicle: wheels at the same distance ahead of the reference point.

use simhost_engine::Simulation;
use simhost_world::{Vehicle, WheelTurning};

/// Difference of positions up to which wheels belong to one axle, m.
const SAME: f64 = 1e-3;

/// An axle.
#[derive(Clone, Debug)]
pub(super) struct SheetAxle {
    /// Name, such as `front axle`.
    pub name: String,
    /// Position ahead of the reference point, m.
    pub x: f64,
    /// Indices of the wheels.
    pub wheels: Vec<usize>,
    /// Positions of the wheels to the left of the reference point, m.
    pub y: Vec<f64>,
    /// Normal load at rest on level ground, N.
    pub load: f64,
    /// Cause of a turn of its wheels about the vertical axis.
    pub turning: WheelTurning,
}

impl SheetAxle {
    /// Returns the distance between its outer wheels, m; 0 for a single wheel.
    pub fn track(&self) -> f64 {
        let high = self.y.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        high - self.y.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Returns the axles of a vehicle of a simulation that has started, from the front to the rear.
pub(super) fn axles(vehicle: &Vehicle, simulation: &Simulation) -> Vec<SheetAxle> {
    let wheels = simulation.wheels().filter(|wheel| wheel.vehicle == vehicle.name);
    let mut axles: Vec<SheetAxle> = Vec::new();
    for (index, wheel) in wheels.enumerate() {
        let [x, y] = wheel.position;
        let known = axles.iter_mut().find(|axle| (axle.x - x).abs() < SAME);
        if let Some(axle) = known {
            axle.wheels.push(index);
            axle.y.push(y);
            axle.load += wheel.normal_force;
            continue;
        }
        let turning = vehicle.wheels.get(index).map_or(WheelTurning::Fixed, |one| one.turning);
        let (name, wheels, load) = (String::new(), vec![index], wheel.normal_force);
        axles.push(SheetAxle { name, x, wheels, y: vec![y], load, turning });
    }
    axles.sort_by(|one, other| other.x.total_cmp(&one.x));
    let count = axles.len();
    for (number, axle) in axles.iter_mut().enumerate() {
        axle.name = match (count, number) {
            (2, 0) => "front axle".to_owned(),
            (2, _) => "rear axle".to_owned(),
            _ => format!("axle {}", number + 1),
        };
    }
    axles
}
