//! Parameters that vehicles of one table share, and those that change the layout of rows: whatever reports a vehicle whose
//! parameter was changed reports what a world does in which the value is written.

mod program;

use std::collections::BTreeMap;
use std::path::Path;

use simhost::{
    Ensemble, EnsembleOptions, Options, Out, Quantities, Session, TableOptions, Variation,
};
use simhost_engine::Patterns;
use simhost_world::{LaneParameter, ParameterInfo, World};

use crate::support::OPTIMISED;
use crate::support::runs::catalogue;

/// Number of steps.
const STEPS: u64 = 12;
/// Parameters of each class that are changed, in addition to parameters of the layout.
const EACH: usize = if OPTIMISED { 40 } else { 1 };
/// Parameters that change the number of values of a sample.
const LAYOUT: &[&str] = &[
    "nrays",
    "vert_nrays",
    "horz_nrays",
    "ncols",
    "nrows",
    "depth_ncols",
    "rgb_nrows",
    "sectors",
    "rings",
];

/// Returns a world of three vehicles at a distance from each other, which have these elements.
fn three(vehicles: [&str; 3]) -> String {
    let vehicle = |(number, vehicle): (usize, &str)| {
        format!(
            "<vehicle name=\"v{number}\"><init_pose>0 {} 0</init_pose><init_vel>3 1 0</init_vel>{vehicle}</vehicle>\n",
            20 * number
        )
    };
    let vehicles: String = vehicles.into_iter().enumerate().map(vehicle).collect();
    format!(
        "<mvsim_world version=\"1.0\"><simul_timestep>0.01</simul_timestep>\n\
         <walls><wallHeight>4</wallHeight><shape><pt>30 -5</pt><pt>30 60</pt></shape></walls>\n{vehicles}</mvsim_world>\n"
    )
}

/// A vehicle with a class whose parameters are changed.
struct Tried {
    /// Start of the names of the parameters.
    role: &'static str,
    class: String,
    /// Elements of the vehicle.
    text: String,
}

impl Tried {
    /// Returns the world of three equal vehicles.
    fn world(&self) -> String {
        three([&self.text; 3])
    }

    /// Returns the world in which a parameter of the second vehicle has a value.
    fn written(&self, key: &str, value: &str) -> String {
        let class = format!("class=\"{}\"", self.class);
        let given = format!(" {key}=\"");
        let text = match self.text.split_once(&given) {
            Some((before, after)) => {
                format!("{before}{given}{value}{}", &after[after.find('"').unwrap()..])
            }
            None => self.text.replacen(&class, &format!("{class}{given}{value}\""), 1),
        };
        three([&self.text, &text, &self.text])
    }
}

fn open(text: &str, out: Option<&Path>) -> Result<Session, simhost::Error> {
    let out = out.map(|folder| {
        let record = vec!["**".to_owned()];
        let mut out = Out::new(folder);
        out.tables = Some(TableOptions { period: None, hash_period: None, record });
        out
    });
    let options =
        Options { out, catalogue: Some(catalogue()), seed: Some(3), ..Options::default() };
    Session::from_text(text, "world.xml", options)
}

/// Returns a vehicle with each class of the built-in models.
fn vehicles() -> Vec<Tried> {
    use simhost_abi::Kind::{Actuator, Controller, Dynamics, Friction, Sensor};
    let catalogue = catalogue();
    let names = |kind: simhost_abi::Kind| {
        let own = catalogue.entries().iter().filter(|entry| entry.kind == kind);
        own.map(|entry| entry.full_name()).collect::<Vec<_>>()
    };
    let (dynamics, controllers) = (names(Dynamics), names(Controller));
    let platform = |class: &str, controller: &str| {
        format!("<dynamics class=\"{class}\"><controller class=\"{controller}\"/></dynamics>")
    };
    let robot = platform("differential", "raw");
    let mut found = Vec::new();
    let mut add = |role: &'static str, class: &str, texts: Vec<String>| {
        let text = texts.into_iter().find(|text| open(&three([text; 3]), None).is_ok());
        found.extend(text.map(|text| Tried { role, class: class.to_owned(), text }));
    };
    for class in names(Friction) {
        add("friction", &class, vec![format!("{robot}<friction class=\"{class}\"/>")]);
    }
    for class in names(Sensor) {
        let size = match &*class {
            "simhost/lidar3d" | "simhost/radar" => "vert_nrays=\"4\" horz_nrays=\"30\"",
            "simhost/camera" => "ncols=\"16\" nrows=\"12\" cx=\"8\" cy=\"6\"",
            "simhost/rgbd_camera" => {
                "depth_ncols=\"16\" depth_nrows=\"12\" rgb_ncols=\"20\" rgb_nrows=\"15\""
            }
            _ => "",
        };
        add(
            "sensor/s",
            &class,
            vec![format!("{robot}<sensor class=\"{class}\" {size} name=\"s\"/>")],
        );
    }
    for class in names(Actuator) {
        let actuator = format!("<actuator class=\"{class}\" name=\"a\" port=\"steer\"/>");
        add(
            "actuator/a",
            &class,
            vec![format!("<dynamics class=\"ackermann\">{actuator}</dynamics>")],
        );
    }
    for class in &dynamics {
        let texts = controllers.iter().map(|controller| platform(class, controller)).collect();
        add("dynamics", class, texts);
    }
    for class in &controllers {
        let texts = dynamics.iter().map(|dynamics| platform(dynamics, class)).collect();
        add("controller", class, texts);
    }
    found
}

/// Returns whether a parameter changes the number of values of a sample.
fn is_of_layout(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|key| LAYOUT.contains(&key))
}

/// Returns other values of a parameter.
fn another(info: &ParameterInfo, value: &str) -> Vec<String> {
    if let [_, _, ..] = &info.choices[..] {
        return info.choices.iter().filter(|one| **one != value).map(ToString::to_string).collect();
    }
    if let Ok(is) = value.parse::<bool>() {
        return vec![(!is).to_string()];
    }
    let Ok(number) = value.parse::<f64>() else { return Vec::new() };
    let [low, high] = info.range;
    let near =
        [number + 3.0, number - 3.0, number * 1.25, number * 0.75, low, high, 0.5 * (low + high)];
    let fitting = near.into_iter().filter(|one| *one != number && (low..=high).contains(one));
    fitting.map(|one| one.to_string()).collect()
}

/// A parameter of the second vehicle with another value, and the world in which this is written.
struct Change {
    name: String,
    value: String,
    written: String,
}

/// Returns changes of parameters that the world of a session accepts: parameters of the layout
/// first, then parameters that move the vehicle to a separate table.
fn changes(tried: &Tried, world: &World) -> Vec<Change> {
    let start = format!("v1/{}/", tried.role);
    let values: BTreeMap<String, String> = world.parameters().into_iter().collect();
    let mut own: Vec<ParameterInfo> = world.parameter_infos();
    own.retain(|info| info.name.starts_with(&start));
    own.sort_by_key(|info| {
        let is_shared = LaneParameter::find(world, &info.name).is_none();
        (!is_of_layout(&info.name), !is_shared)
    });
    let (mut found, mut others) = (Vec::new(), 0);
    for info in own {
        if others == EACH && !is_of_layout(&info.name) {
            break;
        }
        let Some(value) = values.get(&info.name) else { continue };
        let change = another(&info, value).into_iter().find_map(|value| {
            let written = tried.written(info.name.rsplit('/').next().unwrap(), &value);
            let is_accepted = open(&written, None).and_then(|mut one| one.run_steps(STEPS)).is_ok();
            is_accepted.then(|| Change { name: info.name.clone(), value, written })
        });
        others += usize::from(change.is_some() && !is_of_layout(&info.name));
        found.extend(change);
    }
    found
}

/// Returns the tables, clouds and images of a folder by their names.
fn files(root: &Path, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.strip_prefix(root).unwrap().display().to_string();
        if path.is_dir() {
            found.extend(files(root, &path));
        } else if !["manifest.json", "inputs.jsonl", "world.flat.xml"].contains(&&*name) {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

/// Runs a session with output. Returns the names and contents of its files, and the result hash.
fn run(text: &str, change: Option<&Change>) -> (BTreeMap<String, Vec<u8>>, u128) {
    let folder = tempfile::tempdir().unwrap();
    let mut session = open(text, Some(folder.path())).unwrap();
    if let Some(Change { name, value, .. }) = change {
        session.edit().set_parameter(name, value).unwrap();
    }
    // as the program does, which frees the memory
    session.record().begin().unwrap();
    session.edit().forget_description();
    session.run_steps(STEPS).unwrap();
    let hash = session.simulation().result_hash();
    session.finish().unwrap();
    (files(folder.path(), folder.path()), hash)
}

/// Returns the values of all quantities of a world after its run, by name.
fn quantities(text: &str) -> BTreeMap<String, Vec<f64>> {
    let mut session = open(text, None).unwrap();
    session.run_steps(STEPS).unwrap();
    let world = session.world().description().unwrap();
    let all = Quantities::select(world, session.simulation(), &Patterns::new(["**"])).unwrap();
    let value = |(index, info): (usize, &simhost::QuantityInfo)| {
        let mut values = Vec::new();
        all.read_one(index, session.simulation(), &mut values);
        (info.name.clone(), values)
    };
    all.infos().iter().enumerate().map(value).collect()
}

/// Compares the quantities of two members with runs. The second member has the change.
fn compare_members(text: &str, change: &Change) {
    let Change { name, value, written } = change;
    let session = open(text, None).unwrap();
    let values = session.world().description().unwrap().parameters();
    let before = values.into_iter().find(|(known, _)| known == name).unwrap().1;
    let options = EnsembleOptions::members(2)
        .vary(Variation::texts(name.clone(), vec![before, value.clone()]))
        .vary(Variation::column("seed".to_owned(), vec![3.0; 2]));
    let mut ensemble = Ensemble::from_session(session, options).unwrap();
    let all = ensemble.select(["**"]).unwrap();
    ensemble.step(STEPS).unwrap();
    let mut matrix = vec![0.0; 2 * all.width()];
    ensemble.read(&all, &mut matrix).unwrap();
    for (member, text) in [text, written].into_iter().enumerate() {
        let mut expected = quantities(text);
        let mut row = &matrix[member * all.width()..][..all.width()];
        let mut alone = Vec::new();
        ensemble.member(member).unwrap().read(&all, &mut alone).unwrap();
        let bits = |values: &[f64]| values.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&alone), bits(row), "{name}={value}, member {member}");
        for info in all.infos() {
            let (own, rest) = row.split_at(info.count());
            row = rest;
            let mut values = expected.remove(&info.name).unwrap_or_default();
            values.resize(own.len(), f64::NAN);
            let what = format!("{name}={value}, member {member}: {}", info.name);
            // numbers that are not numbers have no sign
            let same = |(one, two): (&f64, &f64)| {
                one.to_bits() == two.to_bits() || (one.is_nan() && two.is_nan())
            };
            assert!(own.iter().zip(&values).all(same), "{what}: {own:?} is not {values:?}");
        }
        assert!(expected.is_empty(), "{name}={value}: {expected:?}");
    }
}

/// For every class of vehicles, parameters of one of three equal vehicles give the same files and the same values of members
/// as in a world in which they are written.
#[test]
fn a_changed_vehicle_is_reported_as_in_a_world_with_the_value() {
    let (mut classes, mut apart, mut layouts) = (0, 0, 0);
    for tried in vehicles() {
        let text = tried.world();
        let session = open(&text, None).unwrap();
        let world = session.world().description().unwrap();
        let changes = changes(&tried, world);
        classes += usize::from(!changes.is_empty());
        for change in changes {
            let Change { name, value, written } = &change;
            apart += usize::from(LaneParameter::find(world, name).is_none());
            layouts += usize::from(is_of_layout(name));
            let (found, hash) = run(&text, Some(&change));
            let (expected, written_hash) = run(written, None);
            assert_eq!(hash, written_hash, "{name}={value}");
            let names =
                |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(&found), names(&expected), "{name}={value}");
            for (file, content) in &expected {
                assert!(found[file] == *content, "{name}={value}: {file} differs");
            }
            compare_members(&text, &change);
        }
    }
    assert!(classes >= 50 && apart >= 40 && layouts >= 9, "{classes} {apart} {layouts}");
}
