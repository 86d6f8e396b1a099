//! `--capture`: evidence of calls without a fault.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use simhost::Session;
use simhost_engine::Capture;

use crate::process::{Code, Failure};
use crate::{evidence, terminal};

/// A call: `NAME@TIME`, or `NAME` for the first one.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    name: String,
    time: f64,
}

impl FromStr for Request {
    type Err = String;

    /// Reads a request.
    ///
    /// # Errors
    /// If the time is not a number of at least 0.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, time) = text.rsplit_once('@').unwrap_or((text, "0"));
        match time.trim_end_matches('s').trim().parse::<f64>() {
            Ok(time) if time.is_finite() && time >= 0.0 && !name.is_empty() => {
                Ok(Self { name: name.to_owned(), time })
            }
            _ => Err("expected NAME@TIME, such as car/wheel/fl/force@3.2".to_owned()),
        }
    }
}

/// The calls that a run captures.
pub struct Captures(Vec<(Request, Arc<Capture>)>);

impl Captures {
    /// Asks a session for the evidence of calls.
    ///
    /// # Errors
    /// Fails if there is no such call.
    pub fn begin(requests: &[Request], session: &mut Session) -> Result<Self, Failure> {
        let begin = |request: &Request| match session.capture(&request.name, request.time) {
            Ok(capture) => Ok((request.clone(), capture)),
            Err(error) => {
                let nearest = error.nearest.as_ref();
                let help = nearest.map(|nearest| format!("did you mean `{nearest}`?"));
                let help = help.unwrap_or_else(|| {
                    "write a vehicle, wheel, sensor or actuator and a phase, such as car/wheel/fl/force, \
                     car/dynamics/drive or car/sensor/gps/read"
                        .to_owned()
                });
                Err(Failure::new(Code::Usage, format!("--capture: {error}\nhelp: {help}")))
            }
        };
        requests.iter().map(begin).collect::<Result<_, _>>().map(Self)
    }

    /// Writes an evidence file for each call into a directory, or into the working directory.
    ///
    /// # Errors
    /// Fails if a file cannot be written.
    pub fn write(&self, directory: Option<&Path>) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for (Request { name, time }, capture) in &self.0 {
            match capture.evidence() {
                None => {
                    terminal::warning(&format!("there was no call of {name} at {time} s or later"))
                }
                Some(text) => {
                    let path =
                        evidence::write_text(&text, directory.unwrap_or(Path::new(".")), "call")?;
                    terminal::remark(&format!(
                        "wrote the call of {name}: repeat it with `simhost plugin replay {}`",
                        path.display()
                    ));
                    files.push(path);
                }
            }
        }
        Ok(files)
    }
}
