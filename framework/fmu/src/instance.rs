//! An instance of an FMU: a session with its variables.

use std::path::Path;

use simhost::{Ended, Options, Session};
use simhost_fmi::{INTERFACE_FILE, Interface, WORLD_FILE};

use crate::failure::Failure;
use crate::location;
use crate::logger::{Logger, Status};
use crate::values::{CommandState, OutputRow, ParameterValue, Slot, slots};

/// Largest part of a time step by which a communication step may differ from a multiple of it.
const SIZE_TOLERANCE: f64 = 1e-6;
/// Largest part of a time step by which a communication point may differ: importers add up step sizes, with errors that grow.
const POINT_TOLERANCE: f64 = 1e-2;

/// An instance of an FMU.
pub struct Instance {
    pub interface: Interface,
    pub session: Session,
    pub logger: Logger,
    pub slots: Vec<Slot>,
    pub commands: Vec<CommandState>,
    pub parameters: Vec<ParameterValue>,
    pub outputs: OutputRow,
    /// Time of the importer at which the simulated time is 0, s.
    pub start: f64,
    /// Whether an observer of the world has ended the run.
    pub is_ended: bool,
}

impl Instance {
    /// Opens the world of an FMU.
    pub fn new(token: &str, location: &str, logger: Logger) -> Result<Self, (Logger, Failure)> {
        match open(token, &location::folder(location)) {
            Ok((interface, session, outputs)) => {
                let (slots, commands, parameters) = slots(&interface, &outputs);
                let (start, is_ended) = (0.0, false);
                Ok(Self {
                    interface,
                    session,
                    logger,
                    slots,
                    commands,
                    parameters,
                    outputs,
                    start,
                    is_ended,
                })
            }
            Err(failure) => Err((logger, failure)),
        }
    }

    /// Time of the importer, s.
    pub fn time(&self) -> f64 {
        self.start + self.session.time().0
    }

    /// Measures before the first step.
    pub fn initialize(&mut self) -> Result<(), Failure> {
        self.session.run_steps(0)?;
        self.outputs.expire();
        Ok(())
    }

    /// Takes the steps between two communication points. Returns whether an observer has ended the run.
    pub fn step(&mut self, point: f64, size: f64) -> Result<bool, Failure> {
        let dt = self.interface.dt;
        let now = self.time();
        if (point - now).abs() > POINT_TOLERANCE * dt {
            let text = format!("the communication point is {point} s; expected {now} s");
            return Err(Failure::error(text));
        }
        let steps = (size / dt).round();
        // also refuses what is not finite
        let fits = (size - steps * dt).abs() <= SIZE_TOLERANCE * dt && (1.0..9e15).contains(&steps);
        if !fits {
            let text = format!(
                "the communication step is {size} s; expected a multiple of the time step of the world, {dt} s"
            );
            return Err(Failure { status: Status::Discard, text });
        }
        self.send_inputs()?;
        self.outputs.expire();
        self.is_ended = matches!(self.session.run_steps(steps as u64)?, Ended::Observer(_));
        Ok(self.is_ended)
    }

    /// Sends the commands whose values the importer has set.
    fn send_inputs(&mut self) -> Result<(), Failure> {
        for (group, state) in self.interface.commands.iter().zip(&mut self.commands) {
            if std::mem::take(&mut state.is_new) {
                let (vehicle, kind) = (group.vehicle.clone(), group.kind.clone());
                let values = state.values.clone();
                let sent =
                    self.session.inputs().send(simhost::Input::Command { vehicle, kind, values });
                sent?;
            }
        }
        Ok(())
    }

    /// Returns to the state after instantiation.
    pub fn reset(&mut self) -> Result<(), Failure> {
        let seed = self.session.world().seed();
        self.session.edit().reset(seed)?;
        (self.slots, self.commands, self.parameters) = slots(&self.interface, &self.outputs);
        self.start = 0.0;
        self.is_ended = false;
        self.outputs.expire();
        Ok(())
    }
}

/// Reads the interface and opens the world.
fn open(token: &str, folder: &Path) -> Result<(Interface, Session, OutputRow), Failure> {
    let path = folder.join(INTERFACE_FILE);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Failure::error(format!("failed to read {}: {error}", path.display())))?;
    let interface: Interface = serde_json::from_str(&text)
        .map_err(|error| Failure::error(format!("{}: {error}", path.display())))?;
    if token != interface.token {
        let expected = &interface.token;
        return Err(Failure::error(format!("the token is '{token}'; expected '{expected}'")));
    }
    let session = Session::open(folder.join(WORLD_FILE), Options::default())?;
    let outputs = OutputRow::new(&session, &interface)?;
    Ok((interface, session, outputs))
}
