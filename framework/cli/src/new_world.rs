//! `simhost new` and `simhost demo`: write a world to start from.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use simhost_assets::Limits;
use simhost_assets::grid::{self, GridOptions};

use crate::arguments::{Run, View};
use crate::process::{Code, Failure};
use crate::{run, terminal};

#[cfg(not(feature = "live"))]
use crate::live as view;
#[cfg(feature = "live")]
use crate::view;

/// Arguments of `simhost new`.
#[derive(Args, Clone, Debug)]
pub struct NewWorld {
    /// World file to write, such as `my.world.xml`; with --car a vehicle file, such as `my.vehicle.xml`.
    pub world: PathBuf,

    /// Write a documented car as a vehicle file, and a world that includes it.
    #[arg(long, conflicts_with_all = ["robot", "map"])]
    pub car: bool,

    /// With --car: the wheels travel on springs, and tables give camber and toe.
    #[arg(long, requires = "car")]
    pub wheel_travel: bool,

    /// Drive of the robot.
    #[arg(long, value_name = "DRIVE", default_value = "differential")]
    pub robot: Robot,

    /// Occupancy map, a YAML file of ROS [default: four walls].
    #[arg(long, value_name = "FILE")]
    pub map: Option<PathBuf>,

    /// Replace an existing file.
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `simhost demo`.
#[derive(Args, Clone, Debug)]
pub struct Demo {
    /// Folder for the world, its commands and the output files, which is created.
    #[arg(value_name = "DIR", default_value = "simhost-demo")]
    pub folder: PathBuf,

    /// Show the demo in a browser until it is stopped.
    #[arg(long)]
    pub view: bool,
}

/// Drive of a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Robot {
    /// Two driven wheels and casters.
    Differential,
    /// Four driven wheels that do not steer.
    #[value(name = "skid-steer")]
    SkidSteer,
    /// A car with front steering.
    Ackermann,
}

/// World of `simhost demo` and its commands.
pub const DEMO: [(&str, &str); 2] = [
    ("demo.world.xml", include_str!("../../../worlds/demo.world.xml")),
    ("demo.commands.csv", include_str!("../../../worlds/demo.commands.csv")),
];

/// World of `simhost new` with two marks: for the scenery, and for the dynamics of the robot.
const NEW: &str = include_str!("new_world/world.xml");
const SCENERY: &str = "<!-- scenery -->\n";
const DYNAMICS: &str = "<!-- dynamics -->\n";
const POSE: &str = "<init_pose>0 0 0</init_pose>";
/// Placement of an image without further elements.
const PLACEMENT: GridOptions = GridOptions { resolution: 0.1, center_pixel: [-1.0; 2] };

/// Car of `simhost new --car`, and a world with a mark for the name of its file.
const CAR: &str = include_str!("new_world/car.xml");
const CAR_WORLD: &str = include_str!("new_world/car_world.xml");
const FILE: &str = "<!-- file -->";
/// Car with wheel travel, with marks for the names of its tables, and these.
const CAR_WITH_TRAVEL: &str = include_str!("new_world/car_with_travel.xml");
const TABLES: [(&str, &str, &str); 2] = [
    ("<!-- front -->", "front", include_str!("new_world/front_axle.csv")),
    ("<!-- rear -->", "rear", include_str!("new_world/rear_axle.csv")),
];

/// Writes a world, or a car and its world.
pub fn write(arguments: &NewWorld) -> Result<Code, Failure> {
    if arguments.car {
        return write_car(arguments);
    }
    let world = &arguments.world;
    check_new(world, arguments.force)?;
    let start = match &arguments.map {
        Some(map) => start_in(map)?,
        None => [0.0; 2],
    };
    let scenery = match &arguments.map {
        Some(map) => format!(
            "  <element class=\"occupancy_grid\"> <file>{}</file> </element>\n",
            quick_xml::escape::escape(relative_to(world, map)?.to_string_lossy())
        ),
        None => include_str!("new_world/walls.xml").to_owned(),
    };
    let dynamics = match arguments.robot {
        Robot::Differential => include_str!("new_world/differential.xml"),
        Robot::SkidSteer => include_str!("new_world/skid_steer.xml"),
        Robot::Ackermann => include_str!("new_world/ackermann.xml"),
    };
    let pose = format!("<init_pose>{} {} 0</init_pose>", rounded(start[0]), rounded(start[1]));
    let text = NEW.replace(SCENERY, &scenery).replace(DYNAMICS, dynamics).replace(POSE, &pose);
    write_file(world, &text)?;
    let world = world.display();
    terminal::result(&format!("wrote {world}\nnext: simhost {world} --out out"))?;
    Ok(Code::Done)
}

/// Writes a car as a vehicle file, its tables, and a world next to it: `my.vehicle.xml` and `my.world.xml`.
fn write_car(arguments: &NewWorld) -> Result<Code, Failure> {
    let car = &arguments.world;
    let name = car.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(".xml").filter(|stem| !stem.ends_with(".world"));
    let Some(stem) = stem else {
        let text = format!(
            "{} is not a name of a vehicle file; expected a name such as my.vehicle.xml",
            car.display()
        );
        return Err(Failure::new(Code::Usage, text));
    };
    let stem = stem.strip_suffix(".vehicle").unwrap_or(stem);
    let world = car.with_file_name(format!("{stem}.world.xml"));
    let mut tables = Vec::new();
    let mut text = if arguments.wheel_travel { CAR_WITH_TRAVEL } else { CAR }.to_owned();
    for (mark, axle, table) in TABLES.into_iter().filter(|_| arguments.wheel_travel) {
        let file = format!("{stem}.{axle}.csv");
        text = text.replace(mark, &quick_xml::escape::escape(&file));
        tables.push((car.with_file_name(file), table.to_owned()));
    }
    let of_world = CAR_WORLD.replace(FILE, &quick_xml::escape::escape(&*name));
    let files = [(car.clone(), text), (world.clone(), of_world)].into_iter().chain(tables);
    let files: Vec<_> = files.collect();
    for (file, _) in &files {
        check_new(file, arguments.force)?;
    }
    for (file, text) in &files {
        write_file(file, text)?;
    }
    let wrote: String =
        files.iter().map(|(file, _)| format!("wrote {}\n", file.display())).collect();
    let (car, world) = (car.display(), world.display());
    terminal::result(&format!(
        "{wrote}next: simhost vehicle {car}\n      simhost manoeuvre ISO-4138 --vehicle {car}\n      \
         simhost {world} --out out"
    ))?;
    Ok(Code::Done)
}

/// Checks that a file does not exist, unless it is to be replaced.
fn check_new(file: &Path, force: bool) -> Result<(), Failure> {
    if !file.exists() || force {
        return Ok(());
    }
    let text = format!(
        "{} already exists; no file was changed\nhelp: choose another name, or add --force to replace it",
        file.display()
    );
    Err(Failure::new(Code::Output, text))
}

/// Writes a file in a folder that is created.
fn write_file(file: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| unwritten(file, &error))?;
    }
    std::fs::write(file, text).map_err(|error| unwritten(file, &error))
}

/// Returns the position with the most free space for a robot in a map, m.
fn start_in(map: &Path) -> Result<[f64; 2], Failure> {
    let grid = grid::read(map, &PLACEMENT, &Limits::default())
        .map_err(|error| Failure::new(Code::BadInput, error))?;
    grid.roomiest().ok_or_else(|| {
        let text = format!("{} has no free cell; expected a map with free space", map.display());
        Failure::new(Code::BadInput, text)
    })
}

/// Returns a length rounded to millimetres, m.
fn rounded(length: f64) -> f64 {
    (1e3 * length).round() / 1e3
}

/// Writes the world of the demo and runs it. Files that are there already are kept, so that the world can be changed
/// and run again.
pub fn demo(arguments: &Demo) -> Result<Code, Failure> {
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    for (name, text) in DEMO {
        let path = folder.join(name);
        if !path.exists() {
            std::fs::write(&path, text).map_err(|error| unwritten(&path, &error))?;
        }
    }
    let [world, commands] = DEMO.map(|(name, _)| folder.join(name));
    let out = folder.join("out");
    let command = format!(
        "simhost {} --commands {} --out {}",
        world.display(),
        commands.display(),
        out.display()
    );
    terminal::remark(&format!(
        "three vehicles in a yard; change the world and run it again:\n  {command}"
    ));
    let words =
        ["simhost".into(), "run".into(), world.into(), "--commands".into(), commands.into()];
    let words = words.into_iter().chain(["--out".into(), out.into_os_string()]).collect();
    let run = Run::parse(words).map_err(|error| Failure::new(Code::Usage, error))?;
    match arguments.view {
        true => view::view(&View { no_open: false, run }),
        false => run::run(&run),
    }
}

/// Returns the path of a map relative to the folder of a world, or an absolute one.
///
/// # Errors
/// Fails if the map is not a file whose name ends in `.yaml` or `.yml`.
fn relative_to(world: &Path, map: &Path) -> Result<PathBuf, Failure> {
    let is_yaml = map.extension().is_some_and(|end| end == "yaml" || end == "yml");
    if !is_yaml {
        let text = format!(
            "{} is not a map; expected a YAML file of ROS, such as map.yaml",
            map.display()
        );
        return Err(Failure::new(Code::BadInput, text));
    }
    let unread =
        |error| Failure::new(Code::BadInput, format!("cannot read {}: {error}", map.display()));
    let absolute = map.canonicalize().map_err(unread)?;
    let folder = world.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    let inside =
        folder.ok().and_then(|folder| absolute.strip_prefix(folder).ok().map(Path::to_owned));
    Ok(inside.unwrap_or(absolute))
}

fn unwritten(world: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Code::Output, format!("cannot write {}: {error}", world.display()))
}
