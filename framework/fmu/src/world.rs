//! A world in an FMU: a session with its commands and quantities.

use std::path::Path;

use simhost::{Catalogue, Ended, Options, Session};
use simhost_fmi::{CommandGroup, Interface, Role, StartValue, WORLD_FILE};
use simhost_world::LoadOptions;

use crate::logger::Status;
use crate::saved::{CommandState, SimulatorState};
use crate::simulator::{Failure, POINT_TOLERANCE, Simulator};
use crate::values::OutputRow;

/// Largest part of a time step by which a communication step may differ from a multiple of it.
const SIZE_TOLERANCE: f64 = 1e-6;

/// Place of a variable.
#[derive(Clone, Copy)]
enum Place {
    /// Index of the command and of its value.
    Input(usize, usize),
    /// Index of the quantity and of its value.
    Output(usize, usize),
    /// A parameter, or the time.
    None,
}

/// A session with its variables.
pub struct WorldSimulator {
    session: Session,
    groups: Vec<CommandGroup>,
    /// Names of the variables.
    names: Vec<String>,
    places: Vec<Place>,
    /// Commands at the start.
    initial: Vec<CommandState>,
    commands: Vec<CommandState>,
    outputs: OutputRow,
    dt: f64,
    /// Time of the importer at which the simulated time is 0, s.
    start: f64,
}

impl WorldSimulator {
    /// Opens the world of an FMU.
    pub fn new(
        groups: Vec<CommandGroup>,
        interface: &Interface,
        folder: &Path,
        catalogue: Catalogue,
    ) -> Result<Self, Failure> {
        let (options, path) = (LoadOptions::default(), folder.join(WORLD_FILE));
        let loaded = simhost_world::load(&path, &options, &catalogue)
            .map_err(|error| Failure::from(simhost::Error::from(error)))?;
        let session = Session::from_loaded(loaded, catalogue, Options::default())?;
        let outputs = OutputRow::new(&session, interface)?;
        let state =
            |group: &CommandGroup| CommandState { values: vec![0.0; group.width], is_new: false };
        let mut commands: Vec<CommandState> = groups.iter().map(state).collect();
        let places = interface.variables.iter().map(|variable| match &variable.role {
            Role::Input { command, index } => {
                if let StartValue::Number(Some(start)) = variable.start {
                    commands[*command].values[*index] = start;
                }
                Place::Input(*command, *index)
            }
            Role::Output { quantity, index } => {
                Place::Output(outputs.place(quantity).unwrap_or(usize::MAX), *index)
            }
            _ => Place::None,
        });
        let places = places.collect();
        let names = interface.variables.iter().map(|variable| variable.name.clone()).collect();
        let (dt, start, initial) = (interface.dt, 0.0, commands.clone());
        Ok(Self { session, groups, names, places, initial, commands, outputs, dt, start })
    }

    /// Sends the commands whose values the importer has set.
    fn send_inputs(&mut self) -> Result<(), Failure> {
        for (group, state) in self.groups.iter().zip(&mut self.commands) {
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
}

impl Simulator for WorldSimulator {
    fn time(&self) -> f64 {
        self.start + self.session.time().0
    }

    fn set_time(&mut self, time: f64) {
        self.start = time;
    }

    fn initialize(&mut self) -> Result<(), Failure> {
        self.session.run_steps(0)?;
        self.outputs.expire();
        Ok(())
    }

    fn number(&mut self, reference: usize) -> Result<f64, Failure> {
        Ok(match self.places[reference] {
            Place::Input(command, index) => self.commands[command].values[index],
            Place::Output(place, index) => self.outputs.value(&self.session, place, index),
            Place::None => f64::NAN,
        })
    }

    fn set_number(&mut self, reference: usize, value: f64) -> bool {
        let Place::Input(command, index) = self.places[reference] else { return false };
        let command = &mut self.commands[command];
        command.values[index] = value;
        command.is_new = true;
        true
    }

    fn set_parameter(&mut self, reference: usize, text: &str) -> Result<(), Failure> {
        self.session.edit().set_parameter(&self.names[reference], text)?;
        self.outputs.expire();
        Ok(())
    }

    fn step(&mut self, point: f64, size: f64) -> Result<bool, Failure> {
        let (dt, now) = (self.dt, self.time());
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
        Ok(matches!(self.session.run_steps(steps as u64)?, Ended::Observer(_)))
    }

    fn reset(&mut self) -> Result<(), Failure> {
        let seed = self.session.world().seed();
        self.session.edit().reset(seed)?;
        self.commands.clone_from(&self.initial);
        self.start = 0.0;
        self.outputs.expire();
        Ok(())
    }

    fn save(&mut self) -> Result<SimulatorState, Failure> {
        let (snapshot, commands) = (self.session.snapshot()?, self.commands.clone());
        Ok(SimulatorState::World { snapshot, commands, start: self.start })
    }

    fn restore(&mut self, state: &SimulatorState) -> Result<(), Failure> {
        let SimulatorState::World { snapshot, commands, start } = state else {
            return Err(Failure::error("the state is one of a model; expected one of a world"));
        };
        self.session.restore(snapshot)?;
        self.commands.clone_from(commands);
        self.start = *start;
        self.outputs.expire();
        Ok(())
    }
}
