//! Presets: quantities with short names, most of them computed from what a run has recorded.

use std::sync::Arc;

use simhost_runs::{Run, RunError, Series, VehicleBody};
use simhost_world::World;

use crate::error::PictureError;
use crate::scene::{STANDARD_GRAVITY, Scene};

/// A quantity with a short name.
pub struct Preset {
    /// Name on the command line.
    pub name: &'static str,
    /// Label of its axis.
    pub label: &'static str,
    /// Patterns of the series that it is computed from. The first one gives the times and the names of the
    /// signals.
    pub patterns: &'static [&'static str],
    kind: Kind,
}

enum Kind {
    /// Value of a series of each vehicle.
    Value(usize),
    /// Angle among the values of a series of each vehicle.
    Angle(usize),
    /// Length of a vector of a series of each vehicle.
    Length,
    /// Quantity of the motion of the centre of mass: its values, its unit, and the name under which a run can have recorded
    /// it.
    Motion(fn(&Motion, usize) -> f64, &'static str, &'static str),
    /// Kinetic and potential energy of the body.
    Energy,
    /// Value of each wheel.
    Wheel,
    /// Force of the ground on each wheel.
    Force,
    /// Longitudinal slip of each wheel.
    Slip,
    /// Slip angle of each wheel.
    SlipAngle,
    /// Force of each wheel in relation to its load.
    Grip,
}

/// All presets besides `xy`.
pub const PRESETS: [Preset; 19] = [
    Preset { name: "x", label: "x", patterns: &["*/pose"], kind: Kind::Value(0) },
    Preset { name: "y", label: "y", patterns: &["*/pose"], kind: Kind::Value(1) },
    Preset { name: "yaw", label: "yaw", patterns: &["*/pose"], kind: Kind::Value(3) },
    Preset { name: "pitch", label: "pitch", patterns: &["*/pose"], kind: Kind::Angle(4) },
    Preset { name: "roll", label: "roll", patterns: &["*/pose"], kind: Kind::Angle(5) },
    Preset { name: "speed", label: "speed", patterns: &["*/twist"], kind: Kind::Length },
    Preset { name: "velocity", label: "speed", patterns: &["*/twist"], kind: Kind::Length },
    Preset { name: "yaw_rate", label: "yaw rate", patterns: &["*/twist"], kind: Kind::Value(2) },
    Preset {
        name: "acceleration",
        label: "longitudinal acceleration",
        patterns: &["*/twist", "*/longitudinal_acceleration"],
        kind: Kind::Motion(Motion::longitudinal_acceleration, "m/s²", "longitudinal_acceleration"),
    },
    Preset {
        name: "lateral_acceleration",
        label: "lateral acceleration",
        patterns: &["*/twist", "*/lateral_acceleration"],
        kind: Kind::Motion(Motion::lateral_acceleration, "m/s²", "lateral_acceleration"),
    },
    Preset {
        name: "sideslip",
        label: "sideslip angle",
        patterns: &["*/twist", "*/sideslip"],
        kind: Kind::Motion(Motion::sideslip, "°", "sideslip"),
    },
    Preset {
        name: "energy",
        label: "kinetic and potential energy",
        patterns: &["*/twist", "*/pose"],
        kind: Kind::Energy,
    },
    Preset {
        name: "torque",
        label: "motor torque",
        patterns: &["*/wheel/*/torque"],
        kind: Kind::Wheel,
    },
    Preset {
        name: "steer",
        label: "steering angle",
        patterns: &["*/wheel/*/steer"],
        kind: Kind::Wheel,
    },
    Preset {
        name: "load",
        label: "normal load",
        patterns: &["*/wheel/*/normal_force"],
        kind: Kind::Wheel,
    },
    Preset {
        name: "force",
        label: "force of the ground",
        patterns: &["*/wheel/*/fx", "*/wheel/*/fy"],
        kind: Kind::Force,
    },
    Preset {
        name: "slip",
        label: "slip ratio",
        patterns: &[
            "*/wheel/*/spin",
            "*/wheel/*/vx",
            "*/wheel/*/vy",
            "*/wheel/*/steer",
            "*/wheel/*/radius",
            "*/wheel/*/slip_ratio",
        ],
        kind: Kind::Slip,
    },
    Preset {
        name: "slip_angle",
        label: "slip angle",
        patterns: &["*/wheel/*/vx", "*/wheel/*/vy", "*/wheel/*/steer"],
        kind: Kind::SlipAngle,
    },
    Preset {
        name: "grip",
        label: "force / load",
        patterns: &["*/wheel/*/fx", "*/wheel/*/fy", "*/wheel/*/normal_force"],
        kind: Kind::Grip,
    },
];

/// Speed below which slip ratios are computed for this speed, and below which a motion has no
/// direction, m/s.
const SLOW: f64 = 0.1;

impl Preset {
    /// Returns the signals of the preset in a run.
    pub fn signals(&self, index: usize, named: &NamedRun) -> Result<Vec<Signal>, PictureError> {
        let recorded = &named.run;
        let firsts = recorded.select(self.patterns[0])?;
        let mut signals = Vec::new();
        let is_vehicle = |series: &Series| {
            let entity = series.name.split('/').next().unwrap_or_default();
            recorded.vehicles.is_empty()
                || recorded.vehicles.iter().any(|vehicle| vehicle == entity)
        };
        for (series, _) in firsts.into_iter().filter(|(series, _)| is_vehicle(series)) {
            let Some((values, unit)) = self.computed(series, named)? else { continue };
            let (entity, part, _) = parts(series);
            let (quantity, times) = (self.label.to_owned(), series.times.clone());
            let (run, is_joined) = (index, false);
            signals.push(Signal { run, entity, part, quantity, is_joined, unit, times, values });
        }
        let path = || recorded.path.clone();
        match (signals.is_empty(), &self.kind) {
            (false, _) => Ok(signals),
            (true, Kind::Slip) => Err(PictureError::Radius { run: path() }),
            (true, _) => Err(PictureError::Mass { run: path(), of: self.name }),
        }
    }

    /// Returns the values of a preset with their unit; `None` if something is missing for this series.
    fn computed(
        &self,
        series: &Series,
        named: &NamedRun,
    ) -> Result<Option<(Vec<f64>, String)>, RunError> {
        let run = &named.run;
        let base = series.name.rsplit_once('/').map_or("", |(base, _)| base);
        let other = |quantity: &str| -> Result<&[f64], RunError> {
            Ok(&run.find(&format!("{base}/{quantity}"))?.columns[0])
        };
        let unit = series.units.first().cloned().unwrap_or_default();
        let lengths = |x: &[f64], y: &[f64]| -> Vec<f64> {
            x.iter().zip(y).map(|(x, y)| x.hypot(*y)).collect()
        };
        Ok(match self.kind {
            Kind::Value(at) => {
                let unit = series.units.get(at).cloned().unwrap_or_default();
                series.columns.get(at).map(|column| (column.clone(), unit))
            }
            Kind::Angle(at) => series.columns.get(at).map(|column| {
                (column.iter().map(|angle| angle.to_degrees()).collect(), "°".to_owned())
            }),
            Kind::Length => match &*series.columns {
                [x, y, ..] => Some((lengths(x, y), unit)),
                _ => None,
            },
            Kind::Motion(value, unit, quantity) => {
                let recorded = run.get(&format!("{base}/{quantity}"));
                match recorded.filter(|recorded| recorded.times == series.times) {
                    Some(recorded) => {
                        let factor = if unit == "°" { 1f64.to_degrees() } else { 1.0 };
                        let values = recorded.columns[0].iter().map(|value| factor * value);
                        Some((values.collect(), unit.to_owned()))
                    }
                    None => Motion::of(series, run).map(|motion| {
                        let values = (0..series.len()).map(|at| value(&motion, at));
                        (values.collect(), unit.to_owned())
                    }),
                }
            }
            Kind::Energy => energy(series, named).map(|energy| (energy, "J".to_owned())),
            Kind::Wheel => Some((series.columns[0].clone(), unit)),
            Kind::Force => Some((lengths(&series.columns[0], other("fy")?), unit)),
            Kind::Grip => {
                let force = lengths(&series.columns[0], other("fy")?);
                let load = other("normal_force")?;
                let grip = force.iter().zip(load).map(|(force, load)| force / load.max(1e-9));
                Some((grip.collect(), "1".to_owned()))
            }
            Kind::Slip => match run.get(&format!("{base}/slip_ratio")) {
                Some(recorded) => Some((recorded.columns[0].clone(), "1".to_owned())),
                None => {
                    let Some(radius) = radius_of(base, named) else { return Ok(None) };
                    let (vx, vy, steer) = (other("vx")?, other("vy")?, other("steer")?);
                    let slip = series.columns[0].iter().enumerate().map(|(k, spin)| {
                        slip_ratio(radius * spin, turned([vx[k], vy[k]], steer[k])[0])
                    });
                    Some((slip.collect(), "1".to_owned()))
                }
            },
            Kind::SlipAngle => {
                let (vy, steer) = (other("vy")?, other("steer")?);
                let angles = series.columns[0]
                    .iter()
                    .enumerate()
                    .map(|(k, vx)| direction(turned([*vx, vy[k]], steer[k])));
                Some((angles.collect(), "°".to_owned()))
            }
        })
    }
}

/// Motion of the centre of mass of a vehicle, vehicle frame.
struct Motion {
    times: Arc<Vec<f64>>,
    /// Forward and leftward velocity, m/s.
    velocity: [Vec<f64>; 2],
    /// Yaw rate, rad/s.
    yaw_rate: Vec<f64>,
}

impl Motion {
    /// Returns the motion that follows from the twist of the reference point; `None` if the run does not know
    /// the centre of mass.
    fn of(twist: &Series, run: &Run) -> Option<Self> {
        let [vx, vy, yaw_rate] = twist.columns.as_slice() else { return None };
        let [x, y] = body(twist, run)?.centre_of_mass?;
        let shift = |velocity: &[f64], arm: f64| -> Vec<f64> {
            velocity.iter().zip(yaw_rate).map(|(velocity, rate)| velocity + rate * arm).collect()
        };
        let velocity = [shift(vx, -y), shift(vy, x)];
        Some(Self { times: twist.times.clone(), velocity, yaw_rate: yaw_rate.clone() })
    }

    /// Returns the change of a velocity per time, from the samples before and after one.
    fn rate(&self, axis: usize, at: usize) -> f64 {
        let (before, after) = (at.saturating_sub(1), (at + 1).min(self.times.len() - 1));
        let velocity = &self.velocity[axis];
        (velocity[after] - velocity[before]) / (self.times[after] - self.times[before])
    }

    fn longitudinal_acceleration(&self, at: usize) -> f64 {
        self.rate(0, at) - self.yaw_rate[at] * self.velocity[1][at]
    }

    fn lateral_acceleration(&self, at: usize) -> f64 {
        self.rate(1, at) + self.yaw_rate[at] * self.velocity[0][at]
    }

    /// Returns the sideslip angle, degrees.
    fn sideslip(&self, at: usize) -> f64 {
        direction([self.velocity[0][at], self.velocity[1][at]])
    }
}

fn body(series: &Series, run: &Run) -> Option<VehicleBody> {
    let vehicle = series.name.split('/').next()?;
    run.manifest.as_ref()?.body(vehicle)
}

/// Returns the kinetic energy of the body in the plane, and its potential energy, J.
fn energy(twist: &Series, named: &NamedRun) -> Option<Vec<f64>> {
    let run = &named.run;
    let body = body(twist, run)?;
    let (mass, inertia) = (body.mass?, body.yaw_inertia?);
    let motion = Motion::of(twist, run)?;
    let vehicle = twist.name.split('/').next()?;
    let height = run.get(&format!("{vehicle}/pose"))?.columns.get(2)?;
    let gravity = named.scene.as_ref().map_or(STANDARD_GRAVITY, |scene| scene.gravity);
    let energy = height.iter().enumerate().take(twist.len()).map(|(at, height)| {
        let [vx, vy] = [motion.velocity[0][at], motion.velocity[1][at]];
        let kinetic = mass * (vx * vx + vy * vy) + inertia * motion.yaw_rate[at].powi(2);
        0.5 * kinetic + mass * gravity * height
    });
    Some(energy.collect())
}

/// Returns a vector of the vehicle frame in a frame that is turned by an angle.
fn turned([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [x * cos + y * sin, y * cos - x * sin]
}

/// Returns the angle from the axis of a body or a wheel to its velocity, degrees: positive to the left, also
/// in reverse; not a number for one that hardly moves.
fn direction([x, y]: [f64; 2]) -> f64 {
    match x.hypot(y) < SLOW {
        true => f64::NAN,
        false => y.atan2(x.abs()).to_degrees(),
    }
}

/// Returns the slip ratio of a wheel from its circumferential velocity and the velocity of its centre
/// along its heading: (ωr − v) / max(|ωr|, |v|), 1 for a spinning and −1 for a locked wheel.
fn slip_ratio(rolling: f64, velocity: f64) -> f64 {
    (rolling - velocity) / rolling.abs().max(velocity.abs()).max(SLOW)
}

/// Returns the radius of a wheel `VEHICLE/wheel/NAME`.
fn radius_of(base: &str, named: &NamedRun) -> Option<f64> {
    if let Some(recorded) = named.run.get(&format!("{base}/radius")) {
        return recorded.columns[0].first().copied();
    }
    let (vehicle, wheel) = base.split_once("/wheel/")?;
    let vehicle = named.scene.as_ref()?.vehicle(vehicle)?;
    Some(vehicle.wheels.iter().find(|known| known.name == wheel)?.radius)
}

/// A run with its name in pictures.
#[derive(Clone, Debug)]
pub struct NamedRun {
    /// Name, distinct from the names of the other runs.
    pub name: String,
    /// The run.
    pub run: Run,
    /// World of the run, if its file is known.
    pub world: Option<World>,
    /// The parts of the world that pictures show, if it is known.
    pub scene: Option<Scene>,
}

impl NamedRun {
    /// Returns the value of a parameter of a model, as in a world file: that at the start of the run.
    ///
    /// # Errors
    /// [`PictureError::Parameter`] if the world is not known, or has no such parameter.
    pub fn parameter(&self, name: &str) -> Result<String, PictureError> {
        if let Some(value) = self.run.first_parameter(name) {
            return Ok(value);
        }
        let parameters = self.world.as_ref().map(World::parameters).unwrap_or_default();
        if let Some((_, value)) = parameters.iter().find(|(known, _)| known == name) {
            return Ok(value.clone());
        }
        let names = parameters.iter().map(|(known, _)| known.as_str());
        let nearest = simhost_model::nearest(name, names).map(str::to_owned);
        let (run, is_known) = (self.run.path.clone(), self.world.is_some());
        Err(PictureError::Parameter { run, name: name.to_owned(), is_known, nearest })
    }
}

/// A number of a run over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Index of the run.
    pub run: usize,
    /// Vehicle or other entity.
    pub entity: String,
    /// Wheel, or another part that distinguishes signals of an entity; can be empty.
    pub part: String,
    /// Quantity, such as `speed`.
    pub quantity: String,
    /// Whether it is drawn with signals of other quantities, from which its name distinguishes it.
    pub is_joined: bool,
    /// Unit of the values.
    pub unit: String,
    /// Times, s.
    pub times: Arc<Vec<f64>>,
    /// Values.
    pub values: Vec<f64>,
}

impl Signal {
    /// Returns the name within the entity: the part, and the quantity if it is drawn with other ones.
    pub fn local_name(&self) -> String {
        if self.is_joined { joined(&self.part, &self.quantity) } else { self.part.clone() }
    }

    /// Returns the value at a time, between samples by linear interpolation.
    pub fn at(&self, time: f64) -> Option<f64> {
        let before = self.times.partition_point(|sample| *sample <= time + 1e-9).checked_sub(1)?;
        let (start, from) = (self.times[before], self.values[before]);
        match (self.times.get(before + 1), self.values.get(before + 1)) {
            (Some(&end), Some(&to)) if end > start => {
                Some(from + ((time - start) / (end - start)).clamp(0.0, 1.0) * (to - from))
            }
            _ => (time <= start + 1e-9).then_some(from),
        }
    }
}

/// Returns the name of an item of something, such as a wheel of a vehicle. Either can be empty.
pub(crate) fn joined(owner: &str, item: &str) -> String {
    let space = if owner.is_empty() || item.is_empty() { "" } else { " " };
    format!("{owner}{space}{item}")
}

/// Returns entity, part and quantity of a series: `car`, `fl` and `spin` of `car/wheel/fl/spin`.
pub(super) fn parts(series: &Series) -> (String, String, String) {
    let (entity, rest) = series.name.split_once('/').unwrap_or(("", &series.name));
    let (role, quantity) = rest.rsplit_once('/').unwrap_or(("", rest));
    let part = role.strip_prefix("wheel/").unwrap_or(role);
    (entity.to_owned(), part.to_owned(), quantity.to_owned())
}
