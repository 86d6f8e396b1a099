//! Requests for the evidence of calls.

use std::sync::Arc;

use simhost_model::nearest;

use super::Simulation;
use crate::model::Capture;
use crate::table::Table;

/// No model has a phase with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown call `{name}`")]
pub struct UnknownCall {
    /// Name that was asked for.
    pub name: String,
    /// Nearest name of a call.
    pub nearest: Option<String>,
}

impl Simulation {
    /// Keeps the evidence of a call: the first one at or after a time, s, of the phase with this name, such as
    /// `car/wheel/fl/force`, `car/controller/control`, `car/dynamics/drive`, `car/sensor/laser/read` or
    /// `car/actuator/lag/actuate`. A later request for another vehicle, wheel or sensor of the same model
    /// replaces the former one.
    ///
    /// # Errors
    /// [`UnknownCall`] if no model has this phase.
    pub fn capture(&mut self, name: &str, time: f64) -> Result<Arc<Capture>, UnknownCall> {
        let mut names = Vec::new();
        for table in &mut self.state.tables {
            if let Some(capture) = capture_in(table, name, time, &mut names) {
                return Ok(capture);
            }
        }
        let places = self.state.sensors.places().to_vec();
        for (number, (group, lane)) in places.into_iter().enumerate() {
            let info = &self.state.sensors.infos()[number];
            let prefix = format!("{}/sensor/{}/", info.vehicle, info.sensor);
            for call in self.state.sensors.phases(group, lane) {
                let full = format!("{prefix}{}", call.phase.id());
                if full == name {
                    let capture = Arc::new(Capture::new(lane, time));
                    call.set_capture(capture.clone());
                    return Ok(capture);
                }
                names.push(full);
            }
        }
        let nearest = nearest(name, names.iter().map(String::as_str)).map(str::to_owned);
        Err(UnknownCall { name: name.to_owned(), nearest })
    }
}

/// Asks for a call of the models of a table. Adds the names of all calls to `names`.
fn capture_in(
    table: &mut Table,
    name: &str,
    time: f64,
    names: &mut Vec<String>,
) -> Option<Arc<Capture>> {
    let (vehicles, wheels) = table.vehicles.names();
    for (phase, by_wheel, call) in table.phases() {
        for (lane, vehicle) in vehicles.iter().enumerate() {
            let parts: Vec<(usize, String)> = match by_wheel.clone() {
                None => vec![(lane, format!("{vehicle}/{phase}"))],
                Some(own) => own
                    .map(|wheel| {
                        let name = format!("{vehicle}/wheel/{}/{phase}", wheels[wheel]);
                        (wheel * vehicles.len() + lane, name)
                    })
                    .collect(),
            };
            for (lane, full) in parts {
                if full == name {
                    let capture = Arc::new(Capture::new(lane, time));
                    call.set_capture(capture.clone());
                    return Some(capture);
                }
                names.push(full);
            }
        }
    }
    None
}
