//! The data sheet of a vehicle: masses, ride and handling.
//!
//! Masses and springs come from the simulation of a world, tyre stiffnesses from the friction models on a
//! [flat track](simhost_model::FlatTrack), and the rest from closed forms of vehicle dynamics. Axes, signs
//! and names are as in ISO 8855.

mod axle;
mod handling;
mod mass;
mod ride;
mod tyres;

use simhost_engine::{Options, Simulation};
use simhost_world::{Vehicle, World};

use crate::Error;
use crate::inputs::vehicle_number;

use axle::SheetAxle;
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
    let axles = axle::axles(vehicle, &simulation);
    let gravity = world.settings.gravity;
    let input = SheetInput { vehicle, simulation: &simulation, number, gravity, axles, options };
    let tyres = tyres::tyres(&input);
    let mut rows = mass::rows(&input);
    rows.extend(ride::rows(&input));
    rows.extend(handling::rows(&input, &tyres));
    Ok(DataSheet {
        vehicle: name.to_owned(),
        class: vehicle.dynamics.model.full_name.to_string(),
        speed: options.speed,
        rows,
        handling: handling::diagram(&input, &tyres),
        tyres: tyres.into_iter().filter_map(|axle| axle.curves).collect(),
    })
}
