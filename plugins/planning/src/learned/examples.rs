//! The submodels that Autoware ships as examples: kinematics, steering and drive.

use simhost_sdk::abi::Str;
use simhost_sdk::prelude::*;
use simhost_sdk::submodel::Submodel;

/// Name of the module of these submodels.
pub const MODULE: &str = "builtin";
/// Names of the submodels.
pub const CLASSES: [&str; 3] = ["KinematicModel", "SteerExample", "DriveExample"];

/// The submodels of this crate.
pub enum Examples {}

impl Catalogue for Examples {
    const DOC: &'static str = "Planning model `LEARNED_STEER_VEL` of Autoware: submodels that are connected by the names of \
         their signals.";
    const ALIASES: &'static [Str] = &[Str::new("LEARNED_STEER_VEL")];

    fn create(module: &str, class: &str) -> Result<Box<dyn Submodel>, String> {
        create(module, class)
    }
}

/// Returns a submodel of this crate.
///
/// # Errors
///
/// A message for the user with the names that exist, if there is no such module or class.
pub fn create(module: &str, class: &str) -> Result<Box<dyn Submodel>, String> {
    if module != MODULE {
        return Err(format!(
            "unknown module: `{module}`; expected `{MODULE}`; Python modules are not loaded"
        ));
    }
    Ok(match class {
        "KinematicModel" => Box::new(KinematicModel::default()),
        "SteerExample" => Box::new(SteerExample::default()),
        "DriveExample" => Box::new(DriveExample::default()),
        _ => {
            let names = CLASSES.join(", ");
            return Err(format!("unknown submodel: `{class}`; expected one of: {names}"));
        }
    })
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

/// The kinematic single-track model of the rear axle, integrated with the explicit method of Euler.
#[derive(Debug)]
pub struct KinematicModel {
    /// Distance between the axles, m.
    pub wheelbase: f64,
}

impl Default for KinematicModel {
    fn default() -> Self {
        Self { wheelbase: 2.74 }
    }
}

impl Submodel for KinematicModel {
    fn actions(&self) -> Vec<String> {
        names(&["STEER", "VX"])
    }

    fn states(&self) -> Vec<String> {
        names(&["POS_X", "POS_Y", "YAW", "YAW_RATE"])
    }

    fn load(&mut self, file: &BinaryFile) -> Result<(), String> {
        read_settings(file, &mut [("wheelbase", &mut self.wheelbase)])?;
        positive(file, "wheelbase", self.wheelbase)
    }

    fn forward(&self, actions: &[f64], states: &[f64], dt: f64, _: &mut [f64], next: &mut [f64]) {
        let (&[steer, vx], &[x, y, yaw, _]) = (actions, states) else { return };
        let rate = vx * math::tan(steer) / self.wheelbase;
        let (sin, cos) = math::sin_cos(yaw);
        next.copy_from_slice(&[x + dt * vx * cos, y + dt * vx * sin, yaw + dt * rate, rate]);
    }
}

/// A first-order lag of the steering angle with a limited rate.
#[derive(Debug)]
pub struct SteerExample {
    /// Time constant, s.
    pub time_constant: f64,
    /// Largest rate, rad/s.
    pub rate_limit: f64,
}

impl Default for SteerExample {
    fn default() -> Self {
        Self { time_constant: 0.05, rate_limit: 3.0 }
    }
}

impl Submodel for SteerExample {
    fn actions(&self) -> Vec<String> {
        names(&["STEER_DES"])
    }

    fn states(&self) -> Vec<String> {
        names(&["STEER"])
    }

    fn load(&mut self, file: &BinaryFile) -> Result<(), String> {
        let Self { time_constant, rate_limit } = self;
        let parameters =
            &mut [("time_constant", &mut *time_constant), ("rate_limit", &mut *rate_limit)];
        read_settings(file, parameters)?;
        positive(file, "time_constant", *time_constant)?;
        positive(file, "rate_limit", *rate_limit)
    }

    fn forward(&self, actions: &[f64], states: &[f64], dt: f64, _: &mut [f64], next: &mut [f64]) {
        let rate = (actions[0] - states[0]) / self.time_constant;
        next[0] = states[0] + dt * math::limit(rate, self.rate_limit);
    }
}

/// Number of steps by which [`DriveExample`] delays the command.
const DELAY: usize = 4;

/// A first-order lag of the speed with a limited acceleration. The command is delayed by four steps; until
/// then the first command counts as given before.
#[derive(Debug)]
pub struct DriveExample {
    /// Time constant, s.
    pub time_constant: f64,
    /// Largest acceleration, m/s².
    pub acceleration_limit: f64,
}

impl Default for DriveExample {
    fn default() -> Self {
        Self { time_constant: 0.1, acceleration_limit: 1.0 }
    }
}

impl Submodel for DriveExample {
    fn actions(&self) -> Vec<String> {
        names(&["VX_DES"])
    }

    fn states(&self) -> Vec<String> {
        names(&["VX"])
    }

    fn load(&mut self, file: &BinaryFile) -> Result<(), String> {
        let Self { time_constant, acceleration_limit } = self;
        let parameters = &mut [
            ("time_constant", &mut *time_constant),
            ("acceleration_limit", &mut *acceleration_limit),
        ];
        read_settings(file, parameters)?;
        positive(file, "time_constant", *time_constant)?;
        positive(file, "acceleration_limit", *acceleration_limit)
    }

    /// Returns the number of delayed commands and one that says whether there are any.
    fn memory_len(&self) -> usize {
        DELAY + 1
    }

    fn forward(
        &self,
        actions: &[f64],
        states: &[f64],
        dt: f64,
        memory: &mut [f64],
        next: &mut [f64],
    ) {
        let (queue, started) = memory.split_at_mut(DELAY);
        if started[0] == 0.0 {
            queue.fill(actions[0]);
            started[0] = 1.0;
        }
        let delayed = queue[0];
        queue.rotate_left(1);
        queue[DELAY - 1] = actions[0];
        let rate = (delayed - states[0]) / self.time_constant;
        next[0] = states[0] + dt * math::limit(rate, self.acceleration_limit);
    }
}

fn positive(file: &BinaryFile, name: &str, value: f64) -> Result<(), String> {
    if value > 0.0 {
        return Ok(());
    }
    Err(format!("{}: `{name}` is {value}, expected a number above 0", file.path))
}

/// Reads a file in which each line is `name = value`, empty, or a comment that starts with `#`, and sets
/// the parameters that it names.
///
/// # Errors
///
/// A message with file and line if a line has another form, a name is unknown or repeated, or a value is
/// not a finite number.
pub fn read_settings(file: &BinaryFile, parameters: &mut [(&str, &mut f64)]) -> Result<(), String> {
    let text = std::str::from_utf8(&file.bytes)
        .map_err(|error| format!("{}: byte {}: not UTF-8", file.path, error.valid_up_to()))?;
    let mut seen = vec![false; parameters.len()];
    for (number, line) in text.lines().enumerate() {
        let content = line.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let at = |what: String| format!("{}:{}: {what}", file.path, number + 1);
        let names = || parameters.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let (name, value) = content
            .split_once('=')
            .ok_or_else(|| at(format!("found `{content}`, expected `name = value`")))?;
        let (name, value) = (name.trim(), value.trim());
        let place = parameters.iter().position(|(known, _)| *known == name).ok_or_else(|| {
            at(format!("unknown parameter: `{name}`; expected one of: {}", names()))
        })?;
        if std::mem::replace(&mut seen[place], true) {
            return Err(at(format!("`{name}` is given twice")));
        }
        let number = value.parse().ok().filter(|value: &f64| value.is_finite());
        *parameters[place].1 =
            number.ok_or_else(|| at(format!("`{name}` is {value}, expected a finite number")))?;
    }
    Ok(())
}

/// Submodels that a world file can name.
pub trait Catalogue: Send + Sync + 'static {
    /// Description of the class.
    const DOC: &'static str;
    /// Further names of the class in world files.
    const ALIASES: &'static [Str] = &[];

    /// Returns a new submodel.
    ///
    /// # Errors
    ///
    /// A message for the user with the names that exist, if there is no such module or class.
    fn create(module: &str, class: &str) -> Result<Box<dyn Submodel>, String>;
}
