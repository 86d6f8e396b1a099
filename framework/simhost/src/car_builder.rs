//! Cars of the driving lab that are built in code and stored as vehicle files.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::vehicle_file::{
    Actuator, ActuatorProperties, Brake, Dynamics, Road, Shape, VERSION, VehicleFileError,
    WHEEL_MASS, WheelProperties, nearest_in, no_pose,
};

/// A car of the driving lab: four wheel masses with a motor, four brakes and a steering. Every property
/// has a default, and [`Self::to_json`] stores the car as a vehicle file, which a world reads with
/// `<vehicle file="car.json">`.
///
/// ```
/// use simhost::{ActuatorProperties, Brake, CarBuilder, Options, Session, seconds};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut car = CarBuilder::new();
/// car.set_masses(1000.0, 900.0).set_brake(Brake::RearLeft, ActuatorProperties::new(0.0, 8.0, 10.0));
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("car.json");
/// car.store(&path)?;
/// assert_eq!(CarBuilder::load(&path)?, car);
///
/// let world = "<mvsim_world><vehicle name=\"car\" file=\"car.json\"/></mvsim_world>";
/// let mut sim = Session::from_text(world, path.with_file_name("world.xml"), Options::default())?;
/// sim.run_until(seconds(1.0))?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarBuilder {
    /// Address of the JSON Schema, for editors.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    schema: Option<String>,
    /// Version of the format of vehicle files.
    version: u32,
    #[serde(default = "no_pose")]
    init_pose3d: [f64; 6],
    #[serde(default)]
    dynamics: Dynamics,
}

impl Default for CarBuilder {
    fn default() -> Self {
        Self {
            schema: None,
            version: VERSION,
            init_pose3d: no_pose(),
            dynamics: Dynamics::default(),
        }
    }
}

impl CarBuilder {
    /// Returns the car of the driving lab.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns to the defaults of all properties.
    pub fn reset(&mut self) -> &mut Self {
        *self = Self::default();
        self
    }

    /// Sets length, width and height of the body, m. The area that the air hits is width times height.
    pub fn set_dimensions(&mut self, length: f64, width: f64, height: f64) -> &mut Self {
        let dynamics = &mut self.dynamics;
        dynamics.chassis.shape = Shape::rectangle(length, width);
        dynamics.chassis.zmax = height;
        dynamics.frontal_area = width * height;
        self
    }

    /// Sets the position of the reference point at the start, m, world frame.
    pub fn set_position(&mut self, position: [f64; 3]) -> &mut Self {
        self.init_pose3d[..3].copy_from_slice(&position);
        self
    }

    /// Sets yaw, pitch and roll at the start, degrees.
    pub fn set_rotation(&mut self, angles_deg: [f64; 3]) -> &mut Self {
        self.init_pose3d[3..].copy_from_slice(&angles_deg);
        self
    }

    /// Sets the masses of both front and of both rear wheels, kg. Their sum is the mass of the car.
    pub fn set_masses(&mut self, front: f64, rear: f64) -> &mut Self {
        (self.dynamics.front_mass, self.dynamics.rear_mass) = (front, rear);
        self.dynamics.chassis.mass = front + rear - 4.0 * WHEEL_MASS;
        self
    }

    /// Sets the radius of the wheels, m, the distance between the axles, m, and that between left and
    /// right wheels, m.
    pub fn set_wheels(&mut self, radius: f64, wheelbase: f64, track: f64) -> &mut Self {
        let dynamics = &mut self.dynamics;
        (dynamics.wheel_radius, dynamics.wheelbase, dynamics.track) = (radius, wheelbase, track);
        let wheel = WheelProperties { diameter: 2.0 * radius, ..WheelProperties::default() };
        for one in [
            &mut dynamics.rl_wheel,
            &mut dynamics.rr_wheel,
            &mut dynamics.fl_wheel,
            &mut dynamics.fr_wheel,
        ] {
            *one = wheel;
        }
        self
    }

    /// Sets the pressure of the tyres, bar.
    pub fn set_tyre_pressure(&mut self, pressure: f64) -> &mut Self {
        self.dynamics.tyre_pressure = pressure;
        self
    }

    /// Sets the drag coefficient.
    pub fn set_drag_coefficient(&mut self, coefficient: f64) -> &mut Self {
        self.dynamics.drag_coefficient = coefficient;
        self
    }

    /// Sets the state of the road.
    pub fn set_road(&mut self, road: Road) -> &mut Self {
        self.dynamics.road = road;
        self
    }

    /// Sets the properties of the motor, m/s².
    pub fn set_motor(&mut self, properties: ActuatorProperties) -> &mut Self {
        self.set_actuator("motor", "motor", properties)
    }

    /// Sets the properties of the steering, rad.
    pub fn set_steering(&mut self, properties: ActuatorProperties) -> &mut Self {
        self.set_actuator("steer", "steering", properties)
    }

    /// Sets the properties of a brake, m/s².
    pub fn set_brake(&mut self, brake: Brake, properties: ActuatorProperties) -> &mut Self {
        self.set_actuator(brake.name(), brake.name(), properties)
    }

    fn set_actuator(
        &mut self,
        port: &str,
        name: &str,
        properties: ActuatorProperties,
    ) -> &mut Self {
        let actuator = Actuator::new(port, name, properties);
        let known = &mut self.dynamics.actuator;
        match known.iter_mut().find(|known| known.port == port) {
            Some(known) => *known = actuator,
            None => known.push(actuator),
        }
        self
    }

    /// Returns the mass of the car, kg, which is the mass of its wheels.
    pub fn mass(&self) -> f64 {
        self.dynamics.front_mass + self.dynamics.rear_mass
    }

    /// Returns the text of a vehicle file. [`Self::from_json`] returns the same car, bit for bit.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("all keys are texts");
        text.push('\n');
        text
    }

    /// Reads the text of a vehicle file that describes a car of the driving lab. Properties that are
    /// missing have their defaults.
    ///
    /// # Errors
    /// [`VehicleFileError`] with line and column for a text that is not JSON, for an unknown key, with
    /// the nearest one, for a value of another type, and for another version.
    pub fn from_json(text: &str) -> Result<Self, VehicleFileError> {
        Self::read(text, "vehicle")
    }

    fn read(text: &str, path: &str) -> Result<Self, VehicleFileError> {
        let path = path.to_owned();
        match serde_json::from_str::<Self>(text) {
            Ok(Self { version, .. }) if version != VERSION => {
                Err(VehicleFileError::Version { path, found: version })
            }
            Ok(car) => Ok(car),
            Err(error) => {
                let full = error.to_string();
                let place = format!(" at line {} column {}", error.line(), error.column());
                let message = full.strip_suffix(&place).unwrap_or(&full).to_owned();
                let (line, column, nearest) = (error.line(), error.column(), nearest_in(&message));
                Err(VehicleFileError::Content { path, line, column, message, nearest })
            }
        }
    }

    /// Writes a vehicle file.
    ///
    /// # Errors
    /// [`VehicleFileError::Io`] if the file cannot be written.
    pub fn store(&self, path: impl AsRef<Path>) -> Result<(), VehicleFileError> {
        let shown = path.as_ref().display().to_string();
        std::fs::write(path, self.to_json())
            .map_err(|source| VehicleFileError::Io { path: shown, source })
    }

    /// Reads a vehicle file, as [`Self::from_json`] reads its text.
    ///
    /// # Errors
    /// As [`Self::from_json`], and [`VehicleFileError::Io`] if the file cannot be read.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, VehicleFileError> {
        let shown = path.as_ref().display().to_string();
        match simhost_files::read_text(path.as_ref(), simhost_files::MAX_BYTES) {
            Ok(text) => Self::read(&text, &shown),
            Err(source) => Err(VehicleFileError::Io { path: shown, source }),
        }
    }
}
