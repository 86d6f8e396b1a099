//! The data sheet of a vehicle: masses, ride and handling.
//!
//! Masses and springs come from the simulation of a world, tyre stiffnesses from the friction models on a
//! [flat track](simhost_model::FlatTrack), and the rest from closed forms of vehicle dynamics. Axes, signs
//! and names are as in ISO 8855.

mod handling;
mod modes;
mod roll;
mod suspensions;
mod tyres;

use std::f64::consts::TAU;

use simhost_engine::{BodyProperties, Options, Simulation, SpringRates};
use simhost_world::{Vehicle, WheelTurning, World};

use crate::Error;
use crate::inputs::vehicle_number;

pub use suspensions::{SuspensionCurve, SuspensionCurves};
pub use tyres::{TyreCurve, TyreCurves};

/// Settings of a data sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SheetOptions {
    /// Speed at which tyres are measured and gains are computed, m/s.
    pub speed: f64,
    /// Angle of the steering wheel divided by the angle of the equivalent road wheel in the middle.
    pub steering_ratio: f64,
}

/// The data sheet of a vehicle.
#[derive(Clone, Debug)]
pub struct DataSheet {
    /// Name of the vehicle.
    pub vehicle: String,
    /// Dynamics class.
    pub class: String,
    /// Speed of the measurements, m/s.
    pub speed: f64,
    /// The values, in groups.
    pub rows: Vec<SheetRow>,
    /// Measured forces of the tyres of each axle.
    pub tyres: Vec<TyreCurves>,
    /// Measured kinematics of the suspension of each axle that has one.
    pub suspensions: Vec<SuspensionCurves>,
    /// Handling diagram: lateral acceleration in m/s², and the angle in rad by which the steering angle exceeds the
    /// Ackermann angle. Empty for a vehicle without an understeer gradient.
    pub handling: Vec<[f64; 2]>,
}

/// A value of a data sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetRow {
    /// Heading of the group.
    pub group: &'static str,
    /// Name, such as `roll gradient`.
    pub name: String,
    /// Unit; `1` for a pure number.
    pub unit: &'static str,
    /// The value, or the reason why the vehicle does not have it.
    pub value: Result<f64, String>,
}

impl SheetRow {
    /// Returns the name as a key: in lower case, with underscores.
    pub fn key(&self) -> String {
        self.name.replace([' ', '-'], "_").to_lowercase()
    }
}

/// What the values of a sheet are computed from.
struct SheetInput<'w> {
    vehicle: &'w Vehicle,
    simulation: &'w Simulation,
    /// Number of the vehicle.
    number: usize,
    /// Gravity of the world, m/s².
    gravity: f64,
    /// Axles from the front to the rear.
    axles: Vec<SheetAxle>,
    options: SheetOptions,
}

/// Rows of a group.
struct Rows(&'static str, Vec<SheetRow>);

impl Rows {
    fn add(&mut self, name: impl Into<String>, unit: &'static str, value: Result<f64, String>) {
        self.1.push(SheetRow { group: self.0, name: name.into(), unit, value });
    }
}

/// Returns the data sheet of a vehicle of a world.
///
/// # Errors
/// [`Error::Input`] with the nearest name if the world does not have the vehicle, and the errors of a simulation that is built.
pub fn data_sheet(world: &World, name: &str, options: SheetOptions) -> Result<DataSheet, Error> {
    let mut simulation = Simulation::new(world, Options { seed: 0, threads: 1 })?;
    let number = vehicle_number(simulation.vehicle_names(), name)?;
    let vehicle = &world.vehicles[number];
    simulation.start()?;
    modes::settle(&mut simulation, number, name)?;
    let axles = axles(vehicle, &simulation);
    let gravity = world.settings.gravity;
    let input = SheetInput { vehicle, simulation: &simulation, number, gravity, axles, options };
    let tyres = tyres::tyres(&input);
    let mut rows = mass_rows(&input);
    rows.extend(ride_rows(&input));
    rows.extend(handling::rows(&input, &tyres));
    Ok(DataSheet {
        vehicle: name.to_owned(),
        class: vehicle.dynamics.model.full_name.to_string(),
        speed: options.speed,
        rows,
        suspensions: suspensions::suspensions(&input),
        handling: handling::diagram(&input, &tyres),
        tyres: tyres.into_iter().filter_map(|axle| axle.curves).collect(),
    })
}

impl SheetInput<'_> {
    /// Returns the properties of the body.
    fn body(&self) -> Option<BodyProperties> {
        self.simulation.bodies().nth(self.number)
    }

    /// Returns the mass, kg.
    fn mass(&self) -> Result<f64, String> {
        let mass = self.body().and_then(|one| one.mass);
        mass.ok_or_else(|| "the dynamics class has no mass: it imposes the motion".to_owned())
    }

    /// Returns the centre of mass, vehicle frame, m.
    fn centre(&self) -> Result<[f64; 2], String> {
        let centre = self.body().and_then(|one| one.centre);
        centre.ok_or_else(|| "the dynamics class has no centre of mass".to_owned())
    }

    /// Returns the sum of mass times height above the ground of chassis and wheels, kg·m. The centre of mass of a wheel is
    /// at its axle.
    fn moment(&self) -> f64 {
        let chassis = &self.vehicle.chassis;
        let wheels = self.vehicle.wheels.iter().map(|wheel| wheel.mass * 0.5 * wheel.diameter);
        chassis.mass * chassis.centre_height() + wheels.sum::<f64>()
    }

    /// Returns whether a steering angle turns the wheels of an axle. A class whose suspension can turn all wheels publishes which
    /// axle it is.
    fn steers(&self, axle: &SheetAxle) -> bool {
        let steered = self.body().and_then(|one| one.steered_axle);
        let is_other = steered.is_some_and(|x| (x - axle.x).abs() > SAME);
        axle.turning == WheelTurning::Steered && !is_other
    }

    /// Returns the distance of the first axle from the last one, m.
    fn wheelbase(&self) -> Result<f64, String> {
        let (first, last) = (self.axles.first(), self.axles.last());
        let length = first.zip(last).map_or(0.0, |(first, last)| first.x - last.x);
        if length > 0.0 { Ok(length) } else { Err("all wheels are on one axle".to_owned()) }
    }
}

fn mass_rows(input: &SheetInput<'_>) -> Vec<SheetRow> {
    let mut rows = Rows("Mass and dimensions", Vec::new());
    let of_body = input.body();
    let missing = || "the dynamics class does not publish it".to_owned();
    rows.add("mass", "kg", input.mass());
    let yaw = of_body.and_then(|one| one.yaw_inertia).ok_or_else(missing);
    rows.add("yaw inertia", "kg·m²", yaw);
    let springs = input.springs();
    for (name, axis) in [("roll inertia of the body", 1), ("pitch inertia of the body", 0)] {
        // the springs turn the body about an axis on the ground (parallel axis theorem)
        let height = input.vehicle.chassis.centre_height();
        let own = springs.clone().map(|one| one.inertia[axis] - one.toppling * height);
        rows.add(name, "kg·m²", own);
    }
    let centre = input.centre();
    rows.add("centre of mass x", "m", centre.clone().map(|at| at[0]));
    rows.add("centre of mass y", "m", centre.map(|at| at[1]));
    let height = of_body.and_then(|one| one.centre_height);
    let height = input.mass().map(|mass| height.unwrap_or(input.moment() / mass));
    rows.add("centre of mass height", "m", height);
    rows.add("wheelbase", "m", input.wheelbase());
    for axle in &input.axles {
        let track = axle.track();
        let single = || Err(format!("the {} has one wheel", axle.name));
        rows.add(
            format!("track of the {}", axle.name),
            "m",
            if track > 0.0 { Ok(track) } else { single() },
        );
    }
    for axle in &input.axles {
        let none =
            || Err("the dynamics class imposes the motion, so wheels carry no load".to_owned());
        let load = if axle.load > 0.0 { Ok(axle.load) } else { none() };
        rows.add(format!("load of the {}", axle.name), "N", load.clone());
        let share = load.and_then(|load| Ok(load / (input.mass()? * input.gravity)));
        rows.add(format!("share of the {}", axle.name), "1", share);
    }
    rows.1
}

/// A motion of the body as an oscillator.
///
/// Each motion is a linear oscillator I s̈ + C ṡ + K s = 0 with ω = √(K/I) and ζ = C/(2 √(K I)). For pitch
/// and roll, K is the stiffness of the springs less m g h, because the body turns about an axis on the ground
/// and its weight topples it: R. N. Jazar, "Vehicle Dynamics", 3rd ed. 2017, chapter 11, without roll centres.
/// For heave, K is the sum of the spring rates and I the mass of the body: T. D. Gillespie, "Fundamentals of
/// Vehicle Dynamics", 1992, chapter 5, with rigid tyres.
///
/// Limit: the simulated body rolls and pitches but does not heave, so the heave values are design values.
type Motion<'m> = &'m dyn Fn(&SpringRates) -> Oscillator;

/// An oscillator: inertia, damping and stiffness.
#[derive(Clone, Copy, Debug)]
struct Oscillator {
    inertia: f64,
    damping: f64,
    stiffness: f64,
}

impl Oscillator {
    /// Returns the undamped natural frequency, Hz.
    fn frequency(self) -> f64 {
        (self.stiffness / self.inertia).sqrt() / TAU
    }

    /// Returns the damping relative to critical damping.
    fn damping_ratio(self) -> f64 {
        0.5 * self.damping / (self.stiffness * self.inertia).sqrt()
    }
}

impl SheetInput<'_> {
    /// Returns the springs, or the reason why there are none.
    fn springs(&self) -> Result<SpringRates, String> {
        let found = self.body().and_then(|one| one.springs);
        found.ok_or_else(|| match self.simulation.ride(self.number) {
            Some(_) => {
                let class = &self.vehicle.dynamics.model.full_name;
                format!("{class} computes its springs")
            }
            None => "the body has no springs: the vehicle has no <suspension>".to_owned(),
        })
    }

    /// Returns the moment on the wheels per lateral acceleration, N·m/(m/s²): Σ m h, and the weight of the body that the roll
    /// displaces.
    fn roll_moment(&self) -> f64 {
        let lean = self.springs().map_or(0.0, |springs| roll_gradient(self, &springs));
        let weight = self.springs().map_or(0.0, |springs| springs.toppling * self.gravity);
        self.moment() + weight * lean
    }
}

/// Returns the roll per lateral acceleration, rad/(m/s²): Σ m h/(K − m g h).
fn roll_gradient(input: &SheetInput<'_>, springs: &SpringRates) -> f64 {
    input.moment() / (springs.stiffness[1] - springs.toppling * input.gravity)
}

/// Returns the oscillator of the body about an axis: 0 for pitch, 1 for roll.
fn about(springs: &SpringRates, gravity: f64, axis: usize) -> Oscillator {
    Oscillator {
        inertia: springs.inertia[axis],
        damping: springs.damping[axis],
        stiffness: springs.stiffness[axis] - springs.toppling * gravity,
    }
}

fn ride_rows(input: &SheetInput<'_>) -> Vec<SheetRow> {
    let mut rows = Rows("Ride", Vec::new());
    let springs = input.springs();
    let mass = input.vehicle.chassis.mass;
    let heave = |springs: &SpringRates| {
        let [stiffness, damping] = springs.heave;
        Oscillator { inertia: mass, damping, stiffness }
    };
    let sway = |axis: usize| move |springs: &SpringRates| about(springs, input.gravity, axis);
    let [pitch, roll] = [0, 1].map(sway);
    let motions: [(&str, Motion<'_>); 3] = [("heave", &heave), ("pitch", &pitch), ("roll", &roll)];
    let own = input.modes();
    for (place, (name, motion)) in motions.into_iter().enumerate() {
        // frequency and damping ratio
        let found = match &own {
            Some(modes) => modes.as_ref().map_err(Clone::clone).and_then(|modes| modes.of(place)),
            None => springs.as_ref().map_err(Clone::clone).map(|springs| {
                let motion = motion(springs);
                [motion.frequency(), motion.damping_ratio()]
            }),
        };
        rows.add(format!("{name} frequency"), "Hz", found.clone().map(|found| found[0]));
        rows.add(format!("{name} damping ratio"), "1", found.map(|found| found[1]));
    }
    rows.1.extend(roll_rows(input));
    rows.1
}

/// Returns the roll stiffnesses and the roll gradient.
fn roll_rows(input: &SheetInput<'_>) -> Vec<SheetRow> {
    let mut rows = Rows("Ride", Vec::new());
    let of_axles: Vec<_> = input.axles.iter().map(|axle| roll::stiffness(input, axle)).collect();
    let sum = of_axles.iter().cloned().sum::<Result<f64, String>>();
    rows.add("roll stiffness", "N·m/°", sum.map(f64::to_radians));
    for (axle, stiffness) in input.axles.iter().zip(of_axles) {
        rows.add(format!("roll stiffness of the {}", axle.name), "N·m/rad", stiffness);
    }
    let gradient = match input.simulation.ride(input.number).is_some() {
        true => roll::gradient_in_turn(input),
        false => input.springs().map(|springs| roll_gradient(input, &springs)),
    };
    rows.add("roll gradient", "°/(m/s²)", gradient.map(f64::to_degrees));
    rows.1
}

/// Difference of positions up to which wheels belong to one axle, m.
const SAME: f64 = 1e-3;

/// An axle.
#[derive(Clone, Debug)]
struct SheetAxle {
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
fn axles(vehicle: &Vehicle, simulation: &Simulation) -> Vec<SheetAxle> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,400 kg on four springs of 25 kN/m and dampers of 1.5 kN·s/m: by hand 1.3451 Hz and 0.2535.
    #[test]
    fn an_oscillator_has_the_frequency_and_damping_of_the_closed_form() {
        let body = Oscillator { inertia: 1400.0, damping: 6000.0, stiffness: 1e5 };
        assert!((body.frequency() - 1.345_09).abs() < 1e-4, "{}", body.frequency());
        assert!((body.damping_ratio() - 0.253_546).abs() < 1e-5, "{}", body.damping_ratio());
    }
}
