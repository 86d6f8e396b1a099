//! Groups of vehicles that can share a table.

use simhost_world::{ModelUse, Vehicle};

/// Vehicles that share a table.
pub(crate) struct Group<'a> {
    /// Vehicles with their indices in the world file.
    pub vehicles: Vec<(usize, &'a Vehicle)>,
}

impl<'a> Group<'a> {
    /// Returns whether a vehicle can join: it has the same models with the same parameters, and the
    /// same number of wheels.
    pub fn accepts(&self, vehicle: &Vehicle) -> bool {
        let same = |a: &ModelUse, b: &ModelUse| {
            std::ptr::eq(a.model.model, b.model.model) && a.values == b.values
        };
        self.vehicles.first().is_some_and(|(_, first)| {
            same(&first.dynamics, &vehicle.dynamics)
                && same(&first.friction, &vehicle.friction)
                && same(&first.controller, &vehicle.controller)
                && first.wheels.len() == vehicle.wheels.len()
        })
    }

    /// Returns the first vehicle, whose models stand for those of all.
    pub(super) fn first(&self) -> &'a Vehicle {
        self.vehicles[0].1
    }

    /// Returns the names of the wheels: tags without `_wheel`.
    pub(super) fn wheel_names(&self) -> Vec<String> {
        let short = |tag: &String| tag.strip_suffix("_wheel").unwrap_or(tag).to_string();
        self.first().wheels.iter().map(|wheel| short(&wheel.tag)).collect()
    }

    /// Returns the names of the vehicles and of their wheels as messages show them.
    pub(super) fn entities(&self) -> (Vec<String>, Vec<String>) {
        let names = self.vehicles.iter().map(|(_, vehicle)| format!("vehicle '{}'", vehicle.name));
        let vehicles: Vec<String> = names.collect();
        let wheels = self.wheel_names();
        let of_wheel =
            |wheel| vehicles.iter().map(move |vehicle| format!("{vehicle}, wheel {wheel}"));
        let wheels = wheels.iter().flat_map(of_wheel).collect();
        (vehicles, wheels)
    }
}
