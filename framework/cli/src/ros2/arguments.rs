//! Arguments as `ros2 run` takes them: remappings and parameters of the node.

use std::path::Path;

use simhost_assets::Limits;
use simhost_assets::ros_parameters::{self, RosParameter};
use simhost_ros2::{Remapping, Ros2Error, Ros2Settings};

use crate::process::{Code, Failure};

/// Remappings and parameters of a node.
#[derive(Debug, Default, PartialEq)]
pub struct RosArguments {
    /// Remappings in their order.
    pub remappings: Vec<Remapping>,
    /// Parameters in their order, with names such as `robot.controller.KP`.
    pub parameters: Vec<(String, String)>,
}

/// Parameters of the node itself, as MVSim's node has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeParameters {
    /// Simulated time per wall time.
    pub realtime_factor: f64,
    /// Simulated time between samples of state, s.
    pub period: f64,
    /// Age of a command at which a vehicle stops, s.
    pub command_timeout: Option<f64>,
}

impl Default for NodeParameters {
    fn default() -> Self {
        Self { realtime_factor: 1.0, period: 0.02, command_timeout: None }
    }
}

impl RosArguments {
    /// Reads the words behind `--ros-args`.
    ///
    /// # Errors
    /// Fails for unknown words, and files that cannot be read.
    pub fn read(words: &[String]) -> Result<Self, Failure> {
        let mut found = Self::default();
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| usage(&format!("{word} has no value")));
            match word {
                "-r" | "--remap" => {
                    let rule: Result<Remapping, Ros2Error> = value()?.parse();
                    found.remappings.push(rule.map_err(|error| usage(&error.to_string()))?);
                }
                "-p" | "--param" => {
                    let text = value()?;
                    let (name, value) = text.split_once(":=").ok_or_else(|| {
                        usage(&format!("the parameter is '{text}'; expected NAME:=VALUE"))
                    })?;
                    found
                        .parameters
                        .push((name.to_owned(), value.trim_matches(['"', '\'']).into()));
                }
                "--params-file" => {
                    let path = value()?;
                    let all = ros_parameters::read(Path::new(path), &Limits::default());
                    let all =
                        all.map_err(|error| Failure::new(Code::BadInput, error.to_string()))?;
                    let pair = |RosParameter { key, value, .. }: RosParameter| (key, value);
                    found.parameters.extend(all.into_iter().map(pair));
                }
                other => {
                    return Err(usage(&format!("unknown argument after --ros-args: '{other}'")));
                }
            }
        }
        Ok(found)
    }

    /// Removes the parameters of the node itself, and sets them; parameters of models remain.
    ///
    /// # Errors
    /// Fails for values of other types.
    pub fn take_own(&mut self, settings: &mut Ros2Settings) -> Result<NodeParameters, Failure> {
        let mut own = NodeParameters::default();
        let mut failed = None;
        self.parameters.retain(|(name, value)| {
            let done = match name.as_str() {
                "realtime_factor" => positive(name, value).map(|value| own.realtime_factor = value),
                "period_ms_publish_tf" => positive(name, value).map(|ms| own.period = ms / 1e3),
                "base_watchdog_timeout" => {
                    positive(name, value).map(|value| own.command_timeout = Some(value))
                }
                "do_fake_localization" => {
                    truth(name, value).map(|value| settings.has_localisation = value)
                }
                "force_publish_vehicle_namespace" => {
                    truth(name, value).map(|value| settings.is_prefix_forced = value)
                }
                "publisher_history_len" => {
                    positive(name, value).map(|value| settings.history = value.ceil() as u32)
                }
                // the time is simulated in any case, and MVSim's window and rate have no meaning here
                "use_sim_time" | "headless" | "gui_refresh_period" | "simul_rate"
                | "world_file" => Ok(()),
                _ => return true,
            };
            failed = failed.take().or(done.err());
            false
        });
        failed.map_or(Ok(own), Err)
    }
}

fn positive(name: &str, value: &str) -> Result<f64, Failure> {
    let number = value.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| {
        usage(&format!("the parameter {name} is '{value}'; expected a number greater than 0"))
    })
}

fn truth(name: &str, value: &str) -> Result<bool, Failure> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(usage(&format!("the parameter {name} is '{value}'; expected true or false"))),
    }
}

fn usage(text: &str) -> Failure {
    let help = "help: give -r FROM:=TO, -p NAME:=VALUE or --params-file FILE, and `--` behind the last one if \
                other options follow";
    Failure::new(Code::Usage, format!("{text}\n{help}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<RosArguments, Failure> {
        RosArguments::read(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn remappings_and_parameters_are_read_as_ros_has_them() {
        let mut found = read(
            "-r scan:=/amr1/scan -p realtime_factor:=2 --param do_fake_localization:=False -p \
             robot.controller.KP:=3 -p period_ms_publish_tf:=50",
        )
        .unwrap();
        let mut settings = Ros2Settings::default();
        let own = found.take_own(&mut settings).unwrap();
        assert_eq!((own.realtime_factor, own.period, own.command_timeout), (2.0, 0.05, None));
        assert!(!settings.has_localisation);
        assert_eq!(found.parameters, [("robot.controller.KP".to_owned(), "3".to_owned())]);
        assert_eq!(found.remappings[0].to, "/amr1/scan");
        for wrong in ["-r", "-r a", "-p a=1", "--params-file /nowhere.yaml", "-x"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let mut wrong = read("-p realtime_factor:=-1").unwrap();
        assert!(wrong.take_own(&mut settings).is_err());
    }
}
