//! Requests of clients that only the thread that steps the session can handle.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, mpsc};

use serde_json::{Map, Value, json};
use simhost::check::{describe_quantities, plain_text};
use simhost::{Error, Session, SinkId, Snapshot};
use simhost_engine::{ContactPoint, Quantities};
use simhost_scene::Pose3;
use simhost_services::ServiceDesk;
use simhost_streams::SessionRequest;
use simhost_web::{SessionQuestion, WorldLibrary};
use simhost_world::{WheelTurning, World};

const FORGOTTEN: &str = "the description of the world has been dropped";
/// Snapshots that are kept; the oldest ones are dropped.
const MOST: usize = 20;

/// Handles the requests of clients, and keeps their snapshots.
pub struct Desk {
    services: Arc<ServiceDesk>,
    questions: Receiver<SessionQuestion>,
    snapshots: VecDeque<(String, Snapshot)>,
    /// Number of snapshots so far.
    count: usize,
    /// Quantities that clients have read, for one revision of the world each.
    read: VecDeque<(Vec<String>, u64, Quantities)>,
    recorder: Option<DeskRecorder>,
    /// The recording that is being written.
    recording: Option<(SinkId, PathBuf)>,
}

/// Starts a recording in a file.
type Record = dyn Fn(&mut Session, &Path) -> Result<SinkId, Error> + Send;

/// Writer of recordings, which clients switch on and off.
pub struct DeskRecorder {
    /// Folder of the recordings.
    pub folder: PathBuf,
    /// Starts a recording in a file.
    pub record: Box<Record>,
}

/// Properties of a desk.
pub struct DeskOptions {
    /// Path of the world file.
    pub world: PathBuf,
    /// Folders with files that requests can name, in addition to the folder of the world.
    pub client_folders: Vec<PathBuf>,
    /// Writer of recordings; without one, clients cannot record.
    pub recorder: Option<DeskRecorder>,
    /// Lets the session answer, take its inputs and make the steps that are due, in programs with one thread. It is
    /// called instead of waiting for the thread of the session.
    pub turn: Option<Arc<dyn Fn() + Send + Sync>>,
}

impl Desk {
    /// Takes questions about a session from now on.
    ///
    /// # Errors
    /// [`Error::Forgotten`] if the session has no description from which its streams follow.
    pub fn new(session: &Session, options: DeskOptions) -> Result<Self, Error> {
        let DeskOptions { world, client_folders, recorder, turn } = options;
        let (asked, questions) = mpsc::channel();
        let (inputs, woken, taken) = (session.inputs(), session.inputs(), turn.clone());
        let wake = move || match &taken {
            Some(turn) => turn(),
            None => woken.wake(),
        };
        let library = WorldLibrary::new(move || inputs.world()).with_session(asked, wake);
        let mut services = ServiceDesk::new(Arc::new(session.client_inputs()?))
            .with_host(Arc::new(library))
            .with_world(world_name(&world), world.display().to_string())
            .with_folders(client_folders);
        if let Some(turn) = turn {
            services = services.with_turns(move || turn());
        }
        Ok(Self {
            services: Arc::new(services),
            questions,
            snapshots: VecDeque::new(),
            count: 0,
            read: VecDeque::new(),
            recorder,
            recording: None,
        })
    }

    /// Returns the access of services to the session.
    pub fn services(&self) -> &Arc<ServiceDesk> {
        &self.services
    }

    /// Handles the requests since the last call.
    pub fn attend(&mut self, session: &mut Session) {
        while let Ok(SessionQuestion { request, reply }) = self.questions.try_recv() {
            let answer = match request {
                SessionRequest::Snapshot => self.snapshot(session),
                SessionRequest::Restore(name) => self.restore(&name, session),
                SessionRequest::DescribeVehicle(name) => match session.world().description() {
                    Some(world) => describe_robot(&name, world, session),
                    None => Err(FORGOTTEN.to_owned()),
                },
                SessionRequest::ListClasses => {
                    let classes = session.world().classes().map_err(|error| text_of(&error));
                    classes.map(|classes| json!(classes).to_string())
                }
                SessionRequest::Record(is_on) => match is_on {
                    true => self.record(session),
                    false => self.end_recording(session),
                },
                SessionRequest::ListQuantities => list(session),
                SessionRequest::ReadContacts => Ok(contacts(session)),
                SessionRequest::ReadQuantities(names) => self.read(names, session),
                SessionRequest::SaveWorld(poses) => {
                    session.world().saved(&poses).map_err(|error| text_of(&error))
                }
            };
            // the client may be gone
            let _ = reply.send(answer);
        }
        self.services.wake();
    }

    /// Takes no more questions.
    pub fn end(self) {
        let Self { services, questions, .. } = self;
        // services that wait for an answer get none
        drop(questions);
        services.wake();
    }

    /// Keeps the present state. Returns its name, which begins with its time.
    fn snapshot(&mut self, session: &mut Session) -> Result<String, String> {
        let snapshot = session.snapshot().map_err(|error| text_of(&error))?;
        self.count += 1;
        let name = format!("{:.3} s, number {}", session.time().0, self.count);
        if self.snapshots.len() == MOST {
            self.snapshots.pop_front();
        }
        self.snapshots.push_back((name.clone(), snapshot));
        Ok(name)
    }

    /// Records the session from now on. Returns the path of the file.
    fn record(&mut self, session: &mut Session) -> Result<String, String> {
        if let Some((_, file)) = &self.recording {
            return Ok(file.display().to_string());
        }
        let Some(DeskRecorder { folder, record }) = &self.recorder else {
            return Err("the run has no output folder; expected the option --out DIR".to_owned());
        };
        let names = (1..).map(|number| match number {
            1 => "recording.mcap".to_owned(),
            _ => format!("recording-{number}.mcap"),
        });
        let mut files = names.map(|name| folder.join(name));
        let file = files.find(|file| !file.exists()).unwrap_or_default();
        let id = record(session, &file).map_err(|error| text_of(&error))?;
        let shown = file.display().to_string();
        self.recording = Some((id, file));
        Ok(shown)
    }

    /// Completes the recording. Returns the path of its file.
    fn end_recording(&mut self, session: &mut Session) -> Result<String, String> {
        let Some((id, file)) = self.recording.take() else {
            return Err("the run is not being recorded".to_owned());
        };
        session.outputs_mut().detach(id).map_err(|error| text_of(&error))?;
        Ok(file.display().to_string())
    }

    /// Returns the present values of quantities in JSON.
    fn read(&mut self, names: Vec<String>, session: &Session) -> Result<String, String> {
        let revision = session.world().revision();
        self.read.retain(|(_, known, _)| *known == revision);
        let simulation = session.simulation();
        if !self.read.iter().any(|(known, ..)| *known == names) {
            let world = session.world().description().ok_or(FORGOTTEN)?;
            let found =
                Quantities::new(world, simulation, |name| names.iter().any(|one| one == name));
            if self.read.len() == MOST {
                self.read.pop_front();
            }
            self.read.push_back((names.clone(), revision, found));
        }
        let found = self.read.iter().find(|(known, ..)| *known == names);
        let Some((_, _, quantities)) = found else { return Err(FORGOTTEN.to_owned()) };
        let mut values = Vec::new();
        quantities.read(simulation, &mut values);
        let mut rest = &values[..];
        let all = quantities.infos().iter().map(|info| {
            let (own, after) = rest.split_at(info.count());
            rest = after;
            (info.name.clone(), json!(own))
        });
        let all: Map<String, Value> = all.collect();
        Ok(json!({"time_s": session.time().0, "values": all}).to_string())
    }

    fn restore(&self, name: &str, session: &mut Session) -> Result<String, String> {
        let found = self.snapshots.iter().find(|(known, _)| known == name);
        let Some((_, snapshot)) = found else {
            let known: Vec<&str> = self.snapshots.iter().map(|(name, _)| name.as_str()).collect();
            let expected = if known.is_empty() {
                "one, but none is kept".to_owned()
            } else {
                known.join("; ")
            };
            return Err(format!("unknown snapshot: '{name}'; expected {expected}"));
        };
        session.restore(snapshot).map_err(|error| text_of(&error))?;
        Ok(String::new())
    }
}

/// Returns the name of a world: the name of its file without extensions.
pub fn world_name(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    name.trim_end_matches(".xml").trim_end_matches(".world").to_owned()
}

/// Returns all quantities in JSON.
fn list(session: &Session) -> Result<String, String> {
    let world = session.world().description().ok_or(FORGOTTEN)?;
    let all = Quantities::new(world, session.simulation(), |_| true);
    Ok(describe_quantities(all.infos()).to_string())
}

/// Returns the points at which bodies touch, in JSON.
fn contacts(session: &Session) -> String {
    let found = session.simulation().touches().points();
    let found = found.iter().map(|contact| {
        let ContactPoint { entity, point, normal, force } = contact;
        json!({"entity": entity, "point": point, "normal": normal, "force": force})
    });
    json!({"time_s": session.time().0, "contacts": found.collect::<Vec<_>>()}).to_string()
}

fn text_of(error: &Error) -> String {
    plain_text(error)
}

/// Returns the parts of a vehicle in JSON, in its frame: lengths in m, angles in rad, masses in kg.
///
/// # Errors
/// There is no such vehicle.
fn describe_robot(name: &str, world: &World, session: &Session) -> Result<String, String> {
    let found = world.vehicles.iter().find(|vehicle| vehicle.name == name);
    let vehicle = found.ok_or_else(|| format!("unknown vehicle: '{name}'"))?;
    let wheels = vehicle.wheels.iter().map(|wheel| {
        json!({
            "name": wheel.name(), "x": wheel.x, "y": wheel.y, "yaw": wheel.yaw,
            "turns": !matches!(wheel.turning, WheelTurning::Fixed),
            "mass": wheel.mass, "width": wheel.width, "diameter": wheel.diameter,
        })
    });
    let chassis = &vehicle.chassis;
    Ok(json!({
        "name": name,
        "chassis": {
            "outline": chassis.polygon, "z_min": chassis.z_min, "z_max": chassis.z_max,
            "mass": chassis.mass,
        },
        "wheels": wheels.collect::<Vec<_>>(),
        "sensors": sensors(name, session),
    })
    .to_string())
}

/// Returns the sensors of a vehicle with their poses.
fn sensors(vehicle: &str, session: &Session) -> Vec<Value> {
    let simulation = session.simulation();
    let all = simulation.sensors().iter().enumerate();
    let own = all.filter(|(_, info)| info.vehicle == vehicle);
    let described = own.map(|(index, info)| {
        let Pose3 { x, y, z, yaw, pitch, roll } = simulation.samples().origin(index);
        json!({"name": info.sensor, "pose": [x, y, z, yaw, pitch, roll]})
    });
    described.collect()
}
