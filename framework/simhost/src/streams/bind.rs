//! Streams that follow from the sources of their types.

use std::collections::HashMap;
use std::sync::Arc;

use simhost_engine::{FaultEntry, FaultMemory, Simulation};
use simhost_model::ParamValue;
use simhost_streams::source::{Frame, Labels, Owner, Rates, Settings, Source};
use simhost_streams::{Count, Stream, StreamType, Trigger, types};
use simhost_world::{FaultSeverity, ModelUse, WheelTurning, World};

use super::draft::{Draft, Fill, Gate};
use super::{MeanRates, Touch};

/// The types of streams, and the owners that a simulation has.
pub(super) struct Owners {
    /// The types, shared by their streams.
    kinds: Vec<Arc<StreamType>>,
    /// Names of the wheels of each vehicle.
    tags: HashMap<String, Vec<String>>,
    /// Whether each wheel of a vehicle turns about its vertical axis.
    turns: HashMap<String, Vec<bool>>,
}

/// The owner of a stream.
pub(super) struct SourcePlace<'a> {
    /// Name of the vehicle, or `world`.
    pub vehicle: &'a str,
    /// Start of the names of streams, and frame of a sensor.
    pub name: String,
    /// Start of the names of values.
    pub values: String,
    /// Names of the wheels of the vehicle.
    pub tags: &'a [String],
    /// Whether each of them turns about its vertical axis.
    pub turns: &'a [bool],
    /// Model with the parameters.
    pub model: Option<&'a ModelUse>,
    /// Simulated time between samples of a sensor, s.
    pub period: f64,
}

impl Owners {
    /// Finds the wheels of all vehicles.
    pub fn new(world: &World, simulation: &Simulation) -> Self {
        let mut tags: HashMap<String, Vec<String>> = HashMap::new();
        for wheel in simulation.wheels() {
            let own = tags.entry(wheel.vehicle.to_owned()).or_default();
            own.push(unique(own, wheel.wheel));
        }
        let turns = world.vehicles.iter().map(|vehicle| {
            let turns = vehicle.wheels.iter().map(|wheel| wheel.turning != WheelTurning::Fixed);
            (vehicle.name.clone(), turns.collect())
        });
        let turns = turns.collect();
        Self { kinds: types::ALL.iter().cloned().map(Arc::new).collect(), tags, turns }
    }

    /// Returns the names of the wheels of a vehicle, each once.
    pub fn tags(&self, vehicle: &str) -> &[String] {
        self.tags.get(vehicle).map_or(&[], Vec::as_slice)
    }

    /// Returns whether each wheel of a vehicle turns about its vertical axis.
    pub fn turns(&self, vehicle: &str) -> &[bool] {
        self.turns.get(vehicle).map_or(&[], Vec::as_slice)
    }

    /// Returns the streams of the sources whose owner `is_owner` accepts, each at its place.
    pub fn bind<'a>(
        &'a self,
        is_owner: impl Fn(Owner) -> bool + 'a,
        place: &'a SourcePlace<'_>,
    ) -> impl Iterator<Item = Draft> + 'a {
        let sources =
            self.kinds.iter().flat_map(|kind| kind.sources().iter().map(move |one| (kind, one)));
        let own = sources.filter(move |(_, source)| is_owner(source.owner));
        own.map(|(kind, source)| place.draft(kind, source))
    }

    /// Adds the streams of all vehicles, and of their parts.
    pub fn add_vehicles(&self, world: &World, simulation: &Simulation, drafts: &mut Vec<Draft>) {
        for (number, vehicle) in simulation.vehicle_names().iter().enumerate() {
            let tags = self.tags(vehicle);
            let turns = self.turns(vehicle);
            let place = SourcePlace { turns, ..SourcePlace::of_vehicle(vehicle, tags) };
            let has_wheels = !tags.is_empty();
            let is_owner = |owner| owner == Owner::Vehicle || owner == Owner::Wheels && has_wheels;
            drafts.extend(self.bind(is_owner, &place));
            drafts.push(collision(vehicle, Touch::new(number, world.settings.collision_threshold)));
            drafts.push(stream(vehicle, number));
        }
        // those of the simulation are in the order of the world
        for (vehicle, described) in simulation.vehicle_names().iter().zip(&world.vehicles) {
            let (controller, dynamics) = (&described.controller.model, &described.dynamics.model);
            let is_one = |known: &[&str]| known.contains(&&*controller.full_name);
            let part = |role: &str, model| SourcePlace {
                values: format!("{}/{role}/", entity(vehicle)),
                model: Some(model),
                ..SourcePlace::of_vehicle(vehicle, &[])
            };
            let reports = |owner| matches!(owner, Owner::Controller(classes) if is_one(classes));
            drafts.extend(self.bind(reports, &part("controller", &described.controller)));
            let states = |owner| match owner {
                Owner::Dynamics { class, controllers } => {
                    is_one(controllers) && dynamics.full_name.starts_with(class)
                }
                _ => false,
            };
            drafts.extend(self.bind(states, &part("dynamics", &described.dynamics)));
        }
    }
}

impl<'a> SourcePlace<'a> {
    fn of_vehicle(vehicle: &'a str, tags: &'a [String]) -> Self {
        let (name, values) = (vehicle.to_owned(), format!("{}/", entity(vehicle)));
        Self { vehicle, name, values, tags, turns: &[], model: None, period: 0.0 }
    }

    /// Returns the stream of a source.
    fn draft(&self, kind: &Arc<StreamType>, source: &Source) -> Draft {
        let settings = Settings {
            number: &|key| self.number(key),
            rays: self.model.map_or(0, |model| model.rays),
            period: self.period,
        };
        let mut stream = Stream {
            frame: self.frame(source.frame),
            child_frame: self.frame(source.child_frame),
            doc: source.doc.into(),
            constants: (source.constants)(&settings),
            ..Stream::new(format!("{}/{}", self.name, source.name), kind.clone())
        };
        (stream.labels, stream.label_frames) = self.labels(source.labels, &stream);
        if let Some(model) = self.model {
            stream.source = model.model.full_name.to_string();
        }
        let values: Vec<Vec<String>> =
            source.values.iter().flat_map(|name| self.values(source, name)).collect();
        let has_bulk = kind.fields.iter().any(|field| field.count == Count::Rest);
        let fill = match source.rates {
            _ if has_bulk => Fill::Ranges,
            Rates::None => Fill::VALUES,
            Rates::Mean(name) => {
                let before = source.values.iter().take_while(|value| **value != name).count();
                let count = self.tags.len();
                // angles and rates of wheels that do not turn
                let fixed = (0..count).filter(|wheel| self.turns.get(*wheel) == Some(&false));
                let rates = source.values.len();
                let places = [before, rates].map(|block| block * count);
                let skipped =
                    places.iter().flat_map(|first| fixed.clone().map(move |at| first + at));
                let rates = Some(MeanRates::new(before * count, count));
                Fill::Values { rates, skipped: skipped.collect() }
            }
        };
        let condition = source.condition.map(|(name, above)| (self.of_controller(name), above));
        Draft { values, condition, ..Draft::new(stream, fill) }
    }

    /// Returns the names of the quantities of a value.
    fn values(&self, source: &Source, name: &str) -> Vec<Vec<String>> {
        if source.owner == Owner::Wheels {
            let named = |tag: &String| vec![format!("{}wheel/{tag}/{name}", self.values)];
            return self.tags.iter().map(named).collect();
        }
        let replaced = source.replaced.filter(|(value, _)| *value == name);
        let own = replaced.map(|(_, own)| self.of_controller(own));
        vec![own.into_iter().chain([format!("{}{name}", self.values)]).collect()]
    }

    fn of_controller(&self, name: &str) -> String {
        format!("{}/controller/{name}", entity(self.vehicle))
    }

    fn frame(&self, frame: Frame) -> String {
        match frame {
            Frame::None => String::new(),
            Frame::Map => MAP.to_owned(),
            Frame::Odometry => odom(self.vehicle),
            Frame::Vehicle => base_link(self.vehicle),
            Frame::Sensor => self.name.clone(),
            Frame::Parameter(key) => match self.model.and_then(|model| parameter(model, key)) {
                Some(ParamValue::Text(text)) => text.clone(),
                _ => String::new(),
            },
        }
    }

    /// Returns the labels and their frames.
    fn labels(&self, labels: Labels, stream: &Stream) -> (Vec<String>, Vec<String>) {
        match labels {
            Labels::None => (Vec::new(), Vec::new()),
            Labels::Wheels => (self.tags.to_vec(), Vec::new()),
            Labels::Joints => {
                let named = |joint: &str, tag: &String| format!("{}/{tag}/{joint}", self.vehicle);
                let spins = self.tags.iter().map(|tag| named("spin", tag));
                let turning = |wheel: &usize| self.turns.get(*wheel) != Some(&false);
                let turning = (0..self.tags.len()).filter(turning);
                let steers = turning.map(|wheel| named("steer", &self.tags[wheel]));
                (spins.chain(steers).collect(), Vec::new())
            }
            Labels::ChildFrame => (vec![stream.child_frame.clone()], vec![stream.frame.clone()]),
        }
    }

    fn number(&self, key: &str) -> Option<f64> {
        match parameter(self.model?, key)? {
            ParamValue::Number(number) => Some(*number),
            _ => None,
        }
    }
}

/// Returns the stream of the touches of a vehicle.
fn collision(vehicle: &str, touch: Touch) -> Draft {
    let stream = Stream {
        doc: "True if the vehicle has touched something since the sample before, or something is nearer than \
              `collision_threshold`."
            .into(),
        ..Stream::new(format!("{vehicle}/collision"), types::Bool::TYPE.into())
    };
    Draft::new(stream, Fill::Collision(touch))
}

/// Returns a parameter of a model, in its unit.
fn parameter<'m>(model: &'m ModelUse, key: &str) -> Option<&'m ParamValue> {
    let place = model.model.model.params().iter().position(|param| param.is_named(key))?;
    model.values.get(place)
}

/// Returns a name, with a number if it is among the earlier ones, as in the names of quantities.
fn unique(earlier: &[String], name: &str) -> String {
    unused(name, "#", |name| earlier.iter().all(|one| one != name))
}

/// Frame of the world.
pub(super) const MAP: &str = "map";

/// Returns the frame of a vehicle.
pub(super) fn base_link(vehicle: &str) -> String {
    format!("{vehicle}/base_link")
}

/// Returns the frame of a wheel: x in the direction in which it points, y along the axle, z upwards before it
/// rolls.
pub(super) fn wheel_frame(vehicle: &str, tag: &str) -> String {
    format!("{vehicle}/wheel/{tag}")
}

/// Returns the frame of the odometry of a vehicle.
pub(super) fn odom(vehicle: &str) -> String {
    format!("{vehicle}/odom")
}

/// Returns the name of a vehicle in the names of its quantities.
pub(super) fn entity(vehicle: &str) -> &str {
    // the world has claimed its name before
    if vehicle == "world" { "world#2" } else { vehicle }
}

/// Returns the first free one of `name`, and `name` with the separator and 2, 3 and so on.
pub(super) fn unused(name: &str, separator: &str, mut is_free: impl FnMut(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}{separator}{number}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| is_free(name)).unwrap_or_default()
}

/// Largest number of entries of a sample.
const MOST: usize = 100;

/// Returns the stream of the fault memory of a vehicle.
fn stream(vehicle: &str, number: usize) -> Draft {
    let labels = ["severity", "level", "code", "time"].map(str::to_owned).to_vec();
    let name = format!("{vehicle}/robot_faults");
    let stream = Stream {
        labels,
        trigger: Trigger::Event,
        ..Stream::new(name, types::Diagnostics::TYPE.into())
    };
    let gate = Gate::Memory { vehicle: number, passed: None };
    Draft { gate, ..Draft::new(stream, Fill::FaultMemory(number)) }
}

/// Returns the level of `DiagnosticStatus` for a severity: 0 normal, 1 warning, 2 error.
const fn level(severity: FaultSeverity) -> f64 {
    match severity {
        FaultSeverity::Ok => 0.0,
        FaultSeverity::ServiceRequired | FaultSeverity::Damaged => 1.0,
        FaultSeverity::Critical | FaultSeverity::Failure => 2.0,
    }
}

/// Appends the last entries of a memory: a level and seven texts each.
pub(super) fn read_robot_faults(
    vehicle: &str,
    memory: &FaultMemory,
    numbers: &mut Vec<f64>,
    texts: &mut Vec<String>,
) {
    for entry in memory.entries().skip(memory.len().saturating_sub(MOST)) {
        let FaultEntry { sensor, severity, code, time, text } = entry;
        numbers.push(level(*severity));
        let name = severity.name();
        texts.extend([
            format!("{vehicle}/{sensor}"),
            if text.is_empty() { name.to_owned() } else { text.clone() },
            vehicle.to_owned(),
            name.to_owned(),
            severity.level().to_string(),
            code.to_string(),
            time.to_string(),
        ]);
    }
}
