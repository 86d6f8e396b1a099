//! Builds the texts of worlds.
//!
//! ```ignore
//! let world = World::new()
//!     .step(0.005)
//!     .vehicle("r", differential().controller(model("twist_pid").set("V", 1)).pose(0, 1, 90));
//! ```
//!
//! Whatever has no method of its own is added as XML text.

use std::fmt::{Display, Write};
use std::path::{Path, PathBuf};

use simhost::TimedCommand;

use super::{Workspace, projects};

/// A world that is being built, and how it is run.
#[derive(Clone, Default)]
pub struct World {
    /// Name of the root element, unless it is the usual one.
    root: Option<&'static str>,
    inside: String,
    pub(super) plan: Plan,
}

/// How a world is run.
#[derive(Clone, Default)]
pub(super) struct Plan {
    /// Simulated time between rows, s. Without it, each step has one.
    pub every: Option<f64>,
    /// Name of the compatibility profile.
    pub profile: Option<&'static str>,
    pub commands: Vec<TimedCommand>,
    /// Whether the energy of the vehicles is recorded.
    pub energy: bool,
    pub threads: usize,
    /// Seed that replaces the seed of the world.
    pub seed: Option<u64>,
    /// Patterns of quantities.
    pub record: Vec<String>,
    /// Folders with plugins.
    pub plugins: Vec<PathBuf>,
    /// Folder at which relative paths in the text start.
    pub folder: PathBuf,
    /// File to load in place of the text.
    pub file: Option<PathBuf>,
}

impl World {
    /// Creates an empty world.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a world of `worlds/` with its commands. Only patterns of quantities can be added.
    pub fn shared(name: &str) -> Self {
        Self::of_file(&projects::root().join("worlds"), name)
    }

    /// Returns the world of an example of the book with its commands and its plugin, whose source is short.
    pub fn example(name: &str) -> Self {
        let project = format!("docs/examples/{name}");
        let folder = projects::root().join(&project);
        let source = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
        assert!(source.lines().count() < 80, "{name} is too long for an example");
        Self::of_file(&folder, name).plugins(&projects::project(&project, name))
    }

    /// Returns the world `NAME.world.xml` of a folder with its commands, if it has some.
    pub fn of_file(folder: &Path, name: &str) -> Self {
        let mut world = Self::of_path(&folder.join(format!("{name}.world.xml")));
        let commands = std::fs::read_to_string(folder.join(format!("{name}.commands.csv")));
        let commands = commands.unwrap_or_default();
        for row in commands.lines().filter(|line| !line.starts_with(['#', 't'])) {
            let mut cells = row.split(',').map(str::trim);
            let [time, vehicle, kind] = std::array::from_fn(|_| cells.next().unwrap());
            let values = cells.filter(|cell| !cell.is_empty()).map(|cell| cell.parse().unwrap());
            let values: Vec<f64> = values.collect();
            world = world.command(time.parse().unwrap(), vehicle, kind, &values);
        }
        world
    }

    /// Returns the world in a file, without commands.
    pub fn of_path(path: &Path) -> Self {
        let mut world = Self::new();
        world.plan.file = Some(path.to_owned());
        world
    }

    /// Renames the root element.
    pub fn root(mut self, name: &'static str) -> Self {
        self.root = Some(name);
        self
    }

    /// Sets the time step, s.
    pub fn step(self, seconds: f64) -> Self {
        self.set("simul_timestep", seconds)
    }

    /// Adds an element that has just a value, such as a setting.
    pub fn set(self, tag: &str, value: impl Display) -> Self {
        self.xml(&format!("<{tag}>{value}</{tag}>\n"))
    }

    /// Adds a vehicle.
    pub fn vehicle(self, name: &str, vehicle: impl Into<Vehicle>) -> Self {
        let text = vehicle.into().text(name);
        self.xml(&text)
    }

    /// Records the quantities that match a pattern.
    pub fn record(mut self, pattern: &str) -> Self {
        self.plan.record.push(pattern.to_owned());
        self
    }

    /// Adds a wall from a point to another one, with this height, m.
    pub fn wall(self, [x0, y0]: [f64; 2], [x1, y1]: [f64; 2], height: f64) -> Self {
        self.xml(&format!(
            "<element class=\"vertical_plane\"><x0>{x0}</x0><y0>{y0}</y0><x1>{x1}</x1><y1>{y1}</y1>\
             <height>{height}</height></element>\n"
        ))
    }

    /// Adds terrain: a matrix of heights, m, whose rows follow x, with the distance of its points and the
    /// place of its first point, m.
    pub fn terrain(self, heights: &[Vec<f64>], resolution: f64, [x, y]: [f64; 2]) -> Self {
        let row = |row: &Vec<f64>| row.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let rows = heights.iter().map(row).collect::<Vec<_>>().join("; ");
        self.xml(&format!(
            "<element class=\"elevation_map\"><elevation_data_matrix>[{rows}]</elevation_data_matrix>\
             <resolution>{resolution}</resolution><corner_min_x>{x}</corner_min_x>\
             <corner_min_y>{y}</corner_min_y></element>\n"
        ))
    }

    /// Adds terrain of 200 m by 200 m that rises along x at an angle.
    pub fn slope(self, degrees: f64) -> Self {
        let rise = 10.0 * degrees.to_radians().tan();
        let rows: Vec<_> = (0..21).map(|x| vec![f64::from(x) * rise; 21]).collect();
        self.terrain(&rows, 10.0, [-100.0, -100.0])
    }

    /// Adds elements as they are written in a file.
    pub fn xml(mut self, text: &str) -> Self {
        self.inside += text;
        self
    }

    /// Writes rows at these times only, s, in place of each step.
    pub fn every(mut self, seconds: f64) -> Self {
        self.plan.every = Some(seconds);
        self
    }

    /// Runs the world under a compatibility profile.
    pub fn profile(mut self, name: &'static str) -> Self {
        self.plan.profile = Some(name);
        self
    }

    /// Sends a command at a time, s.
    pub fn command(mut self, time: f64, vehicle: &str, kind: &str, values: &[f64]) -> Self {
        let (vehicle, kind, values) = (vehicle.to_owned(), kind.to_owned(), values.to_vec());
        self.plan.commands.push(TimedCommand { time, vehicle, kind, values });
        self
    }

    /// Records the energy of the vehicles.
    pub fn energy(mut self) -> Self {
        self.plan.energy = true;
        self
    }

    /// Runs the world on some number of threads.
    pub fn threads(mut self, count: usize) -> Self {
        self.plan.threads = count;
        self
    }

    /// Runs the world with a seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.plan.seed = Some(seed);
        self
    }

    /// Uses the plugins in a folder, which must not crash.
    pub fn plugins(mut self, folder: &Path) -> Self {
        self.plan.plugins = vec![folder.to_owned()];
        self
    }

    /// Uses the plugins in one more folder.
    pub fn more_plugins(mut self, folder: &Path) -> Self {
        self.plan.plugins.push(folder.to_owned());
        self
    }

    /// Reads the files that the world names in a folder.
    pub fn folder(mut self, folder: &Path) -> Self {
        folder.clone_into(&mut self.plan.folder);
        self
    }

    /// Returns the text of the world file.
    pub fn text(&self) -> String {
        let root = self.root.unwrap_or("mvsim_world");
        let record = |pattern: &String| format!("<record>{pattern}</record>\n");
        let records: String = self.plan.record.iter().map(record).collect();
        format!("<{root} version=\"1.0\">\n{}{records}</{root}>\n", self.inside)
    }

    /// Returns the text of a file with the commands.
    pub fn commands_text(&self) -> String {
        let row = |command: &TimedCommand| {
            let values: String = command.values.iter().map(|value| format!(",{value}")).collect();
            format!("{},{},{}{values}\n", command.time, command.vehicle, command.kind)
        };
        let mut commands = self.plan.commands.clone();
        commands.sort_by(|one, other| one.time.total_cmp(&other.time));
        let rows: String = commands.iter().map(row).collect();
        format!("time_s,vehicle,kind,v1,v2,v3\n{rows}")
    }

    /// Returns the elements within the root element.
    pub fn content(&self) -> String {
        self.inside.clone()
    }

    /// Returns the number of the first line with a text.
    pub fn line_with(&self, part: &str) -> usize {
        1 + self.text().lines().position(|line| line.contains(part)).unwrap()
    }

    /// Returns a folder with the world as `world.xml`, for tests of the program.
    pub fn workspace(&self) -> Workspace {
        Workspace::new(&self.text())
    }
}

/// The class of a model and its parameters.
#[derive(Clone)]
pub struct Model {
    class: String,
    inside: String,
}

/// Returns a model of a class with the default values of its parameters.
pub fn model(class: &str) -> Model {
    Model { class: class.to_owned(), inside: String::new() }
}

impl Model {
    /// Sets a parameter.
    pub fn set(mut self, name: &str, value: impl Display) -> Self {
        write!(self.inside, "<{name}>{value}</{name}>").unwrap();
        self
    }

    /// Adds elements as they are written in a file.
    pub fn xml(mut self, text: &str) -> Self {
        self.inside += text;
        self
    }

    /// Returns the name of the class.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// Returns the element `tag` of this model.
    fn element(&self, tag: &str, attributes: &str) -> String {
        let Self { class, inside } = self;
        format!("<{tag} class=\"{class}\"{attributes}>{inside}</{tag}>\n")
    }
}

impl From<&str> for Model {
    fn from(class: &str) -> Self {
        model(class)
    }
}

/// A vehicle that is being built.
#[derive(Clone)]
pub struct Vehicle {
    dynamics: Model,
    more: String,
}

/// Returns a vehicle with dynamics of a class, for example `vehicle("ackermann")`.
pub fn vehicle(dynamics: impl Into<Model>) -> Vehicle {
    Vehicle { dynamics: dynamics.into(), more: String::new() }
}

/// Returns a robot with two driven wheels.
pub fn differential() -> Vehicle {
    vehicle("differential")
}

/// Returns a car that steers its front wheels.
pub fn ackermann() -> Vehicle {
    vehicle("ackermann")
}

impl Vehicle {
    /// Sets the controller.
    pub fn controller(mut self, controller: impl Into<Model>) -> Self {
        self.dynamics.inside += &controller.into().element("controller", "");
        self
    }

    /// Sets the friction of the wheels.
    pub fn friction(self, friction: impl Into<Model>) -> Self {
        let text = friction.into().element("friction", "");
        self.xml(&text)
    }

    /// Sets the initial pose: x and y, m, and the yaw, degrees.
    pub fn pose(self, x: impl Display, y: impl Display, yaw_deg: impl Display) -> Self {
        self.xml(&format!("<init_pose>{x} {y} {yaw_deg}</init_pose>\n"))
    }

    /// Sets the initial velocity in the frame of the vehicle, m/s, and the yaw rate, degrees/s.
    pub fn velocity(self, vx: impl Display, vy: impl Display, yaw_rate_deg: impl Display) -> Self {
        self.xml(&format!("<init_vel>{vx} {vy} {yaw_rate_deg}</init_vel>\n"))
    }

    /// Adds elements to the vehicle as they are written in a file.
    pub fn xml(mut self, text: &str) -> Self {
        self.more += text;
        self
    }

    /// Returns the element of the vehicle with this name.
    fn text(&self, name: &str) -> String {
        let Self { dynamics, more } = self;
        format!("<vehicle name=\"{name}\">\n{}{more}</vehicle>\n", dynamics.element("dynamics", ""))
    }
}

/// Classes of vehicles with the models of CommonRoad.
pub const COMMONROAD: [&str; 6] = [
    "kinematic_single_track",
    "kinematic_single_track_trailer",
    "single_track",
    "single_track_drift",
    "multi_body",
    "f1tenth_single_track",
];
