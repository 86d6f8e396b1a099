//! Cases measured on MVSim: a world, commands, and the resulting trajectory.

use std::path::PathBuf;

/// A case and the folder that holds it.
pub struct Case {
    pub name: String,
    pub folder: PathBuf,
    pub world: String,
    text: String,
}

impl Case {
    /// Reads `world.xml` and `case.json`.
    pub fn read(folder: PathBuf) -> Self {
        let name = folder.file_name().unwrap().to_str().unwrap().to_string();
        let world = std::fs::read_to_string(folder.join("world.xml")).unwrap();
        let text = std::fs::read_to_string(folder.join("case.json")).unwrap();
        Self { name, folder, world, text }
    }

    /// Returns the class of an element.
    pub fn class(&self, tag: &str) -> &str {
        let start = format!("<{tag} class=\"");
        self.world.split(&start).nth(1).unwrap().split('"').next().unwrap()
    }

    /// Returns a value of `case.json`, which has one key per line.
    fn value(&self, key: &str) -> &str {
        let start = format!("\"{key}\": ");
        let rest = self.text.split(&start).nth(1).unwrap();
        rest.lines().next().unwrap().trim_end_matches(',').trim_matches('"')
    }

    /// Returns the kind of the commands.
    pub fn mode(&self) -> &str {
        self.value("command_mode")
    }

    /// Returns the duration, s.
    pub fn duration(&self) -> f64 {
        self.value("duration_s").parse().unwrap()
    }

    /// Returns the rows of the command file.
    pub fn commands(&self) -> String {
        let phases = self.value("command_phases");
        let mut text = String::new();
        for (k, phase) in phases.split(';').enumerate() {
            let time = k as f64 * self.duration() / 2.0;
            let v: Vec<f64> = phase.split(',').map(|value| value.parse().unwrap()).collect();
            let command = match (self.mode(), self.class("dynamics")) {
                ("twist", _) => format!("twist,{},0,{}", v[0], v[1]),
                ("steer", _) => format!("speed_steer,{},{}", v[0], v[1]),
                // negative torques drive forward in MVSim
                ("raw", "ackermann") => format!("torque,{},{},{}", -v[0], -v[1], v[2]),
                ("raw", "ackermann_drivetrain") => format!("torque,{},0,{}", -v[0], v[2]),
                ("raw", _) => format!("torque,{},{}", -v[0], -v[1]),
                (mode, _) => panic!("{mode}"),
            };
            text += &format!("{time},r1,{command}\n");
        }
        text
    }

    /// Returns the names of the wheels in the order of MVSim.
    pub fn wheels(&self) -> &'static [&'static str] {
        match self.class("dynamics") {
            "differential" => &["l", "r"],
            "differential_3_wheels" => &["l", "r", "caster"],
            "differential_4_wheels" => &["lr", "rr", "lf", "rf"],
            _ => &["rl", "rr", "fl", "fr"],
        }
    }
}
