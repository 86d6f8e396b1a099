//! Logs of vehicles, which sinks write while recording is on.

use std::collections::HashSet;

use simhost_streams::RecordingAction;

use super::Session;
use super::tap::Tap;

impl Session {
    /// Passes the settings of logs in the world on to the sinks that do not know them.
    pub(super) fn announce_logs(&mut self) {
        let Some(description) = &self.description else { return };
        let logged = || {
            let vehicles = description.world.vehicles.iter();
            vehicles.filter_map(|vehicle| Some((&vehicle.name, vehicle.log.as_ref()?)))
        };
        let names: HashSet<&String> = logged().map(|(name, _)| name).collect();
        for Tap { sink, logs, .. } in &mut self.taps {
            // a vehicle that takes the name of an earlier one has a log of its own
            logs.retain(|known| names.contains(known));
            for (name, log) in logged() {
                if !logs.insert(name.clone()) {
                    continue;
                }
                if !log.path.is_empty() {
                    sink.set_log_path(name, &log.path);
                }
                if log.starts {
                    sink.switch_recording(name, RecordingAction::On);
                }
            }
        }
    }

    /// Switches the recording of a vehicle, or of all vehicles if the name is empty.
    pub(super) fn switch_recording(&mut self, vehicle: &str, action: RecordingAction) {
        self.taps.iter_mut().for_each(|tap| tap.sink.switch_recording(vehicle, action));
    }
}
