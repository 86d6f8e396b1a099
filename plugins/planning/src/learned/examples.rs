//! The example submodels of control_analysis_pipeline, branch `v0.1_autoware`.

use simhost_sdk::abi::Str;
use simhost_sdk::prelude::*;

use super::{Catalogue, Wanted};

/// Modules and classes of the examples.
const KNOWN: [(&str, &str); 3] = [
    ("control_analysis_pipeline.autoware_models.vehicle.kinematic", "KinematicModel"),
    ("control_analysis_pipeline.autoware_models.steering.steer_example", "SteerExample"),
    ("control_analysis_pipeline.autoware_models.drive.drive_example", "DriveExample"),
];

/// The built-in submodels.
pub struct Examples;

/// Returns all examples.
pub(super) fn all() -> Vec<Wanted> {
    let of = |(module, class): (&str, &str)| Wanted {
        module: module.to_owned(),
        class: class.to_owned(),
        params: None,
    };
    KNOWN.map(of).into()
}

impl Catalogue for Examples {
    const ALIASES: &'static [Str] = &[Str::new("LEARNED_STEER_VEL")];

    fn create(wanted: &Wanted) -> Result<Box<dyn Submodel>, String> {
        let Wanted { module, class, params } = wanted;
        let short = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        let is_known = |(known, name): &(&str, &str)| {
            name == class && (module.is_empty() || short(known) == short(module))
        };
        if !KNOWN.iter().any(|known| is_known(known)) {
            let names: Vec<String> =
                KNOWN.iter().map(|(module, class)| format!("{class} of {module}")).collect();
            let of = if module.is_empty() { String::new() } else { format!(" of {module}") };
            return Err(format!(
                "unknown submodel {class}{of}; expected one of: {}",
                names.join(", ")
            ));
        }
        let mut made: Box<dyn Submodel> = match class.as_str() {
            "KinematicModel" => Box::new(KinematicModel { wheel_base: 2.74 }),
            "SteerExample" => Box::new(SteerExample { time_constant: 0.05, rate: 3.0 }),
            _ => Box::new(DriveExample { time_constant: 0.1, rate: 1.0 }),
        };
        params.as_ref().map_or(Ok(()), |file| made.load_params(file))?;
        Ok(made)
    }
}

/// Sets parameters from lines `name: number`. Empty lines and comments with `#` are skipped.
fn load(file: &TextFile, known: &mut [(&str, &mut f64)]) -> Result<(), String> {
    for (line, text) in file.text.lines().enumerate() {
        let text = text.split('#').next().unwrap_or_default().trim();
        if text.is_empty() {
            continue;
        }
        let at = format!("{}:{}", file.path, line + 1);
        let (name, value) = text
            .split_once(':')
            .ok_or_else(|| format!("{at}: found `{text}`; expected name: number"))?;
        let (name, value) = (name.trim(), value.trim());
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let place = known.iter_mut().find(|(known, _)| *known == name).ok_or_else(|| {
            format!("{at}: unknown `{name}`; expected one of: {}", names.join(", "))
        })?;
        let number = value.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
        *place.1 = number
            .ok_or_else(|| format!("{at}: {name} is `{value}`; expected a number above 0"))?;
    }
    Ok(())
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// A car that rolls without slip, with the method of Euler.
struct KinematicModel {
    /// Distance between the axles, m.
    wheel_base: f64,
}

impl Submodel for KinematicModel {
    fn action_names(&self) -> Vec<String> {
        names(&["STEER", "VX"])
    }
    fn state_names(&self) -> Vec<String> {
        names(&["POS_X", "POS_Y", "YAW", "YAW_RATE"])
    }
    fn load_params(&mut self, file: &TextFile) -> Result<(), String> {
        load(file, &mut [("wheel_base", &mut self.wheel_base)])
    }
    fn forward(&self, dt: f64, action: &[f64], state: &[f64], _: &mut [f64], next: &mut [f64]) {
        let [steer, vx] = [action[0], action[1]];
        let (sin, cos) = math::sin_cos(state[2]);
        let yaw_rate = vx * math::tan(steer) / self.wheel_base;
        next[0] = state[0] + dt * vx * cos;
        next[1] = state[1] + dt * vx * sin;
        next[2] = state[2] + dt * yaw_rate;
        next[3] = yaw_rate;
    }
}

/// A steering with a lag and a limit of its rate.
struct SteerExample {
    /// Time constant, s.
    time_constant: f64,
    /// Largest rate, rad/s.
    rate: f64,
}

impl Submodel for SteerExample {
    fn action_names(&self) -> Vec<String> {
        names(&["STEER_DES"])
    }
    fn state_names(&self) -> Vec<String> {
        names(&["STEER"])
    }
    fn load_params(&mut self, file: &TextFile) -> Result<(), String> {
        let known = &mut [("time_constant", &mut self.time_constant), ("rate", &mut self.rate)];
        load(file, known)
    }
    fn forward(&self, dt: f64, action: &[f64], state: &[f64], _: &mut [f64], next: &mut [f64]) {
        next[0] =
            state[0] + dt * math::limit((action[0] - state[0]) / self.time_constant, self.rate);
    }
}

/// Number of steps by which the drive is late.
const DELAY: usize = 4;

/// A drive with a delay of four steps, a lag, and a limit of its acceleration. The delay line starts with
/// the first command.
struct DriveExample {
    /// Time constant, s.
    time_constant: f64,
    /// Largest acceleration, m/s².
    rate: f64,
}

impl Submodel for DriveExample {
    fn action_names(&self) -> Vec<String> {
        names(&["VX_DES"])
    }
    fn state_names(&self) -> Vec<String> {
        names(&["VX"])
    }
    fn load_params(&mut self, file: &TextFile) -> Result<(), String> {
        let known = &mut [("time_constant", &mut self.time_constant), ("rate", &mut self.rate)];
        load(file, known)
    }
    fn memory_len(&self) -> usize {
        // whether a command has arrived, and the line
        1 + DELAY
    }
    fn forward(
        &self,
        dt: f64,
        action: &[f64],
        state: &[f64],
        memory: &mut [f64],
        next: &mut [f64],
    ) {
        if memory[0] == 0.0 {
            memory.fill(action[0]);
            memory[0] = 1.0;
        }
        let line = &mut memory[1..];
        let wanted = line[0];
        line.rotate_left(1);
        line[DELAY - 1] = action[0];
        next[0] = state[0] + dt * math::limit((wanted - state[0]) / self.time_constant, self.rate);
    }
}
