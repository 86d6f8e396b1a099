//! Rows and columns of the files of a sequence.

use simhost_engine::{Quantities, SensorInfo, Simulation, Units};

/// The entities, sensors and quantities of the rows and columns of files.
#[derive(Default, PartialEq)]
pub(super) struct Layout {
    /// Names of the vehicles, blocks and actors.
    entities: Vec<String>,
    /// Names of the wheels, vehicle by vehicle.
    wheels: Vec<String>,
    sensors: Vec<SensorInfo>,
    /// Names, numbers of values and units.
    quantities: Vec<(String, Option<usize>, Units)>,
}

impl Layout {
    /// Returns the layout of the files of a simulation with quantities of `quantities.csv`.
    pub fn new(simulation: &Simulation, quantities: &Quantities) -> Self {
        let movers = simulation.movers().map(|(label, _)| label.to_owned());
        let infos = quantities.infos().iter();
        Self {
            entities: simulation.vehicle_names().iter().cloned().chain(movers).collect(),
            wheels: simulation.wheels().map(|wheel| wheel.wheel.to_owned()).collect(),
            sensors: simulation.sensors().to_vec(),
            quantities: infos.map(|info| (info.name.clone(), info.len, info.units)).collect(),
        }
    }
}
