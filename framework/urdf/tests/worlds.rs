//! Worlds with robots as vehicle files.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::{Arc, Mutex};

use simhost::{Error, Options, Sample, Selection, Session, Sink, SinkError, Stream};
use simhost_urdf as _;
use simhost_world::LoadOptions;
use tempfile::TempDir;

const ROVER: &str = include_str!("rover.urdf");
/// A tetrahedron of 0.2 m.
const STL: &str = "solid s\n\
    facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 0.2 0\nvertex 0.2 0 0\nendloop\nendfacet\n\
    facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 0.2 0 0\nvertex 0 0 0.2\nendloop\nendfacet\n\
    facet normal -1 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 0.2\nvertex 0 0.2 0\nendloop\nendfacet\n\
    facet normal 1 1 1\nouter loop\nvertex 0.2 0 0\nvertex 0 0.2 0\nvertex 0 0 0.2\nendloop\nendfacet\n\
    endsolid s\n";

/// A world in which the robot in `robots/rover.urdf` drives with a speed.
const WORLD: &str = r#"<mvsim_world>
<simul_timestep>0.005</simul_timestep>
<vehicle name="a" file="robots/rover.urdf"> <init_pose>0 0 0</init_pose> </vehicle>
<vehicle name="b" file="robots/rover.urdf"> <init_pose>0 5 0</init_pose>
  <friction class="default"> <mu>0.3</mu> </friction> </vehicle>
</mvsim_world>"#;

/// Writes a robot with its package, and returns the folder of the world.
fn folder(robot: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let robots = folder.path().join("robots");
    std::fs::create_dir_all(robots.join("meshes")).unwrap();
    std::fs::write(robots.join("package.xml"), "<package><name>rover</name></package>").unwrap();
    std::fs::write(robots.join("meshes/base.stl"), STL).unwrap();
    std::fs::write(robots.join("rover.urdf"), robot).unwrap();
    folder
}

fn open(folder: &TempDir, world: &str) -> Result<Session, Error> {
    Session::from_text(world, folder.path().join("w.xml"), Options::default())
}

/// Returns the diagnostics of a world that cannot be used, as text.
fn refusal(robot: &str) -> String {
    let folder = folder(robot);
    let path = folder.path().join("w.xml");
    std::fs::write(&path, WORLD).unwrap();
    let Err(Error::Load(error)) = open(&folder, WORLD).map(|_| ()) else { panic!("it loads") };
    let shown: Vec<String> =
        error.diagnostics.iter().map(|one| one.render(&error.sources, false)).collect();
    shown.join("\n")
}

/// Returns the present value of a quantity.
fn value(session: &Session, name: &str) -> Vec<f64> {
    let mut values = Vec::new();
    session.quantities([name]).unwrap().read(session.simulation(), &mut values);
    values
}

#[test]
fn a_robot_is_the_class_of_its_vehicles() {
    let folder = folder(ROVER);
    let session = open(&folder, WORLD).unwrap();
    let world = session.world().description().unwrap();
    let [a, b] = world.vehicles.as_slice() else { panic!("two vehicles") };
    // the numbers of the file
    assert_eq!(a.wheels[0].diameter, 0.1);
    assert_eq!(a.wheels[0].mass, 0.25);
    assert!((a.chassis.mass - 4.4).abs() < 1e-12);
    let sensors: Vec<&str> = a.sensors.iter().map(|sensor| &*sensor.name).collect();
    assert_eq!(sensors, ["lidar", "eye"]);
    // the mesh in the folder of the package
    let mesh = folder.path().join("robots/meshes/base.stl");
    assert_eq!(
        a.visuals[0].model.as_ref().unwrap().canonicalize().unwrap(),
        mesh.canonicalize().unwrap()
    );
    // a vehicle overrides its file
    let mu = |vehicle: &simhost_world::Vehicle| vehicle.friction.value("mu").cloned().unwrap();
    assert_eq!(mu(a), simhost_model::ParamValue::Number(0.6));
    assert_eq!(mu(b), simhost_model::ParamValue::Number(0.3));
}

#[test]
fn the_report_of_a_robot_is_one_warning_at_its_first_line() {
    let folder = folder(ROVER);
    let path = folder.path().join("w.xml");
    std::fs::write(&path, WORLD).unwrap();
    let session = open(&folder, WORLD).unwrap();
    let catalogue = session.world().catalogue();
    let loaded = simhost_world::load(&path, &LoadOptions::default(), catalogue).unwrap();
    let shown: Vec<String> =
        loaded.warnings.iter().map(|one| one.render(&loaded.sources, false)).collect();
    let reports: Vec<&String> = shown.iter().filter(|one| one.contains("no effect")).collect();
    let [report] = reports.as_slice() else { panic!("{shown:#?}") };
    assert!(report.contains("rover.urdf:44:3"), "{report}");
    for part in ["arm_joint", "<transmission>", "sonic"] {
        assert!(report.contains(part), "{part} is not in {report}");
    }
}

#[test]
fn errors_are_at_lines_of_the_robot() {
    for (right, wrong, message) in [
        ("<child link=\"left\"/>", "<child link=\"lft\"/>", "lft"),
        ("<mass value=\"4\"/>", "<mass value=\"-4\"/>", "mass"),
    ] {
        assert!(ROVER.contains(right), "{right}");
        let line = ROVER[..ROVER.find(right).unwrap()].matches('\n').count() + 1;
        let shown = refusal(&ROVER.replacen(right, wrong, 1));
        assert!(shown.contains(message), "{message} is not in {shown}");
        let near = [line, line - 1].map(|line| format!("rover.urdf:{line}:"));
        assert!(near.iter().any(|place| shown.contains(place)), "{near:?} in {shown}");
    }
    // only the friction model knows the range of its parameter, which counts for the wheel
    let shown = refusal(&ROVER.replace("<mu2>0.6", "<mu2>-0.6"));
    assert!(shown.contains("`mu` is out of range: -0.6"), "{shown}");
    let line = ROVER[..ROVER.find("<link name=\"left\">").unwrap()].matches('\n').count() + 1;
    assert!(shown.contains(&format!("rover.urdf:{line}:3")), "{line} in {shown}");
    let shown =
        refusal(
            &ROVER
                .replacen("<robot", "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\"", 1)
                .replacen("<link", "<xacro:include/><link", 1),
        );
    assert!(shown.contains("xacro FILE > robot.urdf"), "{shown}");
}

#[test]
fn a_flat_world_gives_the_same_motion_elsewhere() {
    let robots = folder(ROVER);
    let path = robots.path().join("w.xml");
    std::fs::write(&path, WORLD).unwrap();
    let flat = simhost_world::flatten(&path, &LoadOptions::default()).unwrap();
    assert!(!flat.contains("file=\"robots"), "{flat}");
    // the paths of the files are absolute
    let other = tempfile::tempdir().unwrap();
    let run = |text: &str, folder: &Path| {
        let mut session =
            Session::from_text(text, folder.join("w.xml"), Options::default()).unwrap();
        session.run_steps(200).unwrap();
        ["a", "b"].map(|name| value(&session, &format!("{name}/pose")))
    };
    assert_eq!(run(WORLD, robots.path()), run(&flat, other.path()));
}

/// Keeps the texts and the streams of a run.
#[derive(Default)]
struct Kept(Arc<Mutex<Samples>>);

/// Streams, and samples with the name of the stream, numbers and texts.
type Samples = (Vec<Arc<Stream>>, Vec<(String, Vec<f64>, Vec<String>)>);

impl Sink for Kept {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        self.0.lock().unwrap().0 = streams.to_vec();
        Ok(())
    }

    fn take(&mut self, index: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let (streams, samples) = &mut *self.0.lock().unwrap();
        samples.push((streams[index].name.clone(), sample.numbers.to_vec(), sample.texts.to_vec()));
        Ok(())
    }
}

#[test]
fn a_run_gives_the_file_back_and_frames_to_its_links() {
    let folder = folder(ROVER);
    let mut session = open(&folder, WORLD).unwrap();
    let kept = Kept::default();
    let found = Arc::clone(&kept.0);
    let patterns =
        ["tf", "tf_static", "a/robot_description", "a/odometry"].map(str::to_owned).to_vec();
    let selection = Selection { patterns, ..Selection::default() };
    session.attach(Box::new(kept), &selection).unwrap();
    session.run_steps(30).unwrap();
    let (streams, samples) = &*found.lock().unwrap();
    let texts: Vec<_> = samples.iter().filter(|one| one.0 == "a/robot_description").collect();
    let [(_, _, text)] = texts.as_slice() else { panic!("one sample") };
    assert_eq!(text, &[ROVER.to_owned()]);
    let stream = |name: &str| streams.iter().find(|one| one.name == name).unwrap();
    // the root of the robot is on the ground, at the reference point
    assert_eq!(stream("a/odometry").child_frame, "a/base_footprint");
    assert!(stream("tf").labels.contains(&"a/base_footprint".to_owned()));
    let fixed = stream("tf_static");
    let sample = samples.iter().rfind(|one| one.0 == "tf_static").unwrap();
    for (child, parent, place) in [
        ("a/base_link", "a/base_footprint", [0.0, 0.0, 0.05]),
        ("a/castor", "a/base_footprint", [-0.15, 0.0, 0.02]),
        ("a/scan", "a/base_footprint", [0.1, 0.0, 0.25]),
        ("a/left", "a/wheel/l", [0.0, 0.0, 0.0]),
        ("a/lidar", "a/base_footprint", [0.1, 0.0, 0.25]),
    ] {
        let at = fixed.labels.iter().position(|label| label == child);
        let at = at.unwrap_or_else(|| panic!("{child} is not in {:?}", fixed.labels));
        assert_eq!(fixed.label_frames[at], parent, "{child}");
        for (found, expected) in sample.1[3 * at..][..3].iter().zip(place) {
            assert!((found - expected).abs() < 1e-9, "{child}: {found}, expected {expected}");
        }
    }
}

#[test]
fn a_sensor_with_the_name_of_a_link_has_another_frame() {
    let folder = folder(&ROVER.replace("name=\"lidar\"", "name=\"scan\""));
    let session = open(&folder, WORLD).unwrap();
    let streams = session.world().streams().unwrap();
    let scan = streams.iter().find(|one| one.name.starts_with("a/scan")).unwrap();
    assert_eq!(scan.frame, "a/scan_sensor");
}

#[test]
fn names_with_a_dollar_are_not_evaluated() {
    let folder = folder(&ROVER.replace("\"lidar\"", "\"li$f{1+1}dar\""));
    let session = open(&folder, WORLD).unwrap();
    let world = session.world().description().unwrap();
    assert_eq!(&*world.vehicles[0].sensors[0].name, "li_f_1_1_dar");
}

#[test]
fn several_models_are_a_choice_to_make() {
    let cart = include_str!("cart.sdf");
    let folder = tempfile::tempdir().unwrap();
    let second = cart.replacen("<model name=\"cart\"", "<model name=\"other\"", 1);
    let inner = |text: &str| {
        let (start, end) = (text.find("<model").unwrap(), text.rfind("</model>").unwrap());
        text[start..end + 8].to_owned()
    };
    let both = format!("<sdf version=\"1.9\">{}{}</sdf>", inner(cart), inner(&second));
    std::fs::write(folder.path().join("yard.sdf"), both).unwrap();
    let world = r#"<mvsim_world><vehicle name="a" file="yard.sdf"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>"#;
    let Err(Error::Load(error)) = open(&folder, world).map(|_| ()) else { panic!("it loads") };
    let shown: Vec<String> =
        error.diagnostics.iter().map(|one| one.render(&error.sources, false)).collect();
    let shown = shown.join("\n");
    assert!(shown.contains("several models: cart, other"), "{shown}");
    assert!(shown.contains("simhost import yard.sdf --model cart"), "{shown}");
}
