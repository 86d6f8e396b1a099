//! `manifest.json` of a run.

use std::path::Path;

use serde_json::Value;
use simhost_record::MANIFEST_FILE;

use crate::error::RunError;

/// Mass properties of a vehicle with its wheels, where a manifest has them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VehicleBody {
    /// Mass, kg.
    pub mass: Option<f64>,
    /// Moment of inertia about the vertical axis through the centre of mass, kg·m².
    pub yaw_inertia: Option<f64>,
    /// Centre of mass in the vehicle frame, m.
    pub centre_of_mass: Option<[f64; 2]>,
}

/// Content of `manifest.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest(pub Value);

impl Manifest {
    /// Reads the manifest of an output folder, if there is one.
    ///
    /// # Errors
    /// [`RunError`] if the file cannot be read or is not JSON.
    pub fn read(folder: &Path) -> Result<Option<Self>, RunError> {
        let path = folder.join(MANIFEST_FILE);
        let text = match simhost_files::read_text(&path, simhost_files::MAX_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(RunError::Read { path, source }),
        };
        match serde_json::from_str(&text) {
            Ok(value) => Ok(Some(Self(value))),
            Err(error) => {
                let text = format!("column {}: the manifest is not valid JSON", error.column());
                Err(RunError::Line { path, line: error.line() as u64, text })
            }
        }
    }

    /// Reads the content of a manifest; `None` if it is not one.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok().map(Self)
    }

    /// Returns whether simhost has written the file.
    pub fn is_of_simhost(&self) -> bool {
        self.0.get("simhost").is_some_and(Value::is_string)
    }

    /// Returns the names of the vehicles in the order of the world.
    pub fn vehicles(&self) -> Vec<String> {
        let list = self.0.get("vehicles").and_then(Value::as_array).into_iter().flatten();
        list.filter_map(|vehicle| Some(vehicle.get("name")?.as_str()?.to_owned())).collect()
    }

    /// Returns the position of a wheel in the frame of its vehicle, m.
    pub fn wheel_position(&self, vehicle: &str, wheel: &str) -> Option<[f64; 2]> {
        let vehicle = named(&self.0["vehicles"], vehicle)?;
        pair(&named(&vehicle["wheels"], wheel)?["position_m"])
    }

    /// Returns the mass properties of a vehicle, if the manifest has the vehicle.
    pub fn body(&self, vehicle: &str) -> Option<VehicleBody> {
        let vehicle = named(&self.0["vehicles"], vehicle)?;
        Some(VehicleBody {
            mass: vehicle["mass_kg"].as_f64(),
            yaw_inertia: vehicle["yaw_inertia_kgm2"].as_f64(),
            centre_of_mass: pair(&vehicle["centre_of_mass_m"]),
        })
    }

    /// Returns the positions of the wheels of a vehicle by their names, in the vehicle frame, m.
    pub fn wheel_positions(&self, vehicle: &str) -> Vec<(String, [f64; 2])> {
        let vehicle = named(&self.0["vehicles"], vehicle);
        let wheels = vehicle.and_then(|vehicle| vehicle["wheels"].as_array()).into_iter().flatten();
        let entry =
            |wheel: &Value| Some((wheel["name"].as_str()?.to_owned(), pair(&wheel["position_m"])?));
        wheels.filter_map(entry).collect()
    }

    /// Returns the blocks and actors that can move, in the order of the world: their names, `block/NAME` or `actor/NAME`,
    /// and where they were at the end of the run, x and y, m, and yaw, rad.
    pub fn movers(&self) -> Vec<(&str, [f64; 3])> {
        let entry = |mover: &'_ Value| -> Option<[f64; 3]> {
            let [x, y] = pair(&mover["position_m"])?;
            Some([x, y, mover["yaw_rad"].as_f64()?])
        };
        let list = self.0["end"]["movers"].as_array().into_iter().flatten();
        list.filter_map(|mover| Some((mover["name"].as_str()?, entry(mover)?))).collect()
    }

    /// Returns whether the run came to its end, rather than being killed.
    pub fn has_ended(&self) -> bool {
        self.0.get("end").is_some_and(Value::is_object)
    }
}

/// Returns the object of a list that has this name.
fn named<'a>(list: &'a Value, name: &str) -> Option<&'a Value> {
    list.as_array()?.iter().find(|one| one["name"].as_str() == Some(name))
}

fn pair(value: &Value) -> Option<[f64; 2]> {
    Some([value[0].as_f64()?, value[1].as_f64()?])
}
