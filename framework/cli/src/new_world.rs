//! `simhost new` and `simhost demo`: write a world to start from.

use std::path::{Path, PathBuf};

use crate::arguments::{Demo, NewWorld, Robot, Run};
use crate::exit::{Code, Failure};
use crate::{run, terminal};

/// World of `simhost demo` and its commands.
const DEMO: [(&str, &str); 2] = [
    ("demo.world.xml", include_str!("../../../worlds/demo.world.xml")),
    ("demo.commands.csv", include_str!("../../../worlds/demo.commands.csv")),
];

const DIFFERENTIAL: &str = "\
    <dynamics class=\"differential\">
      <l_wheel pos=\"0 0.2\" mass=\"1\" width=\"0.05\" diameter=\"0.2\"/>
      <r_wheel pos=\"0 -0.2\" mass=\"1\" width=\"0.05\" diameter=\"0.2\"/>
      <chassis mass=\"20\" zmin=\"0.05\" zmax=\"0.5\">
        <shape> <pt>-0.25 -0.18</pt> <pt>0.25 -0.18</pt> <pt>0.25 0.18</pt> <pt>-0.25 0.18</pt> </shape>
      </chassis>
      <!-- V in m/s and W in °/s are the start values; commands replace them -->
      <controller class=\"twist_pid\"> <KP>30</KP> <KI>10</KI> <max_torque>6</max_torque> <V>0.5</V> <W>15</W> </controller>
    </dynamics>
";
const SKID_STEER: &str = "\
    <dynamics class=\"differential_4_wheels\">
      <lf_wheel pos=\"0.25 0.3\" mass=\"2\" width=\"0.1\" diameter=\"0.3\"/>
      <rf_wheel pos=\"0.25 -0.3\" mass=\"2\" width=\"0.1\" diameter=\"0.3\"/>
      <lr_wheel pos=\"-0.25 0.3\" mass=\"2\" width=\"0.1\" diameter=\"0.3\"/>
      <rr_wheel pos=\"-0.25 -0.3\" mass=\"2\" width=\"0.1\" diameter=\"0.3\"/>
      <chassis mass=\"40\" zmin=\"0.1\" zmax=\"0.5\">
        <shape> <pt>-0.4 -0.25</pt> <pt>0.4 -0.25</pt> <pt>0.4 0.25</pt> <pt>-0.4 0.25</pt> </shape>
      </chassis>
      <!-- V in m/s and W in °/s are the start values; commands replace them -->
      <controller class=\"twist_pid\"> <KP>60</KP> <KI>20</KI> <max_torque>40</max_torque> <V>0.5</V> <W>90</W> </controller>
    </dynamics>
";
const ACKERMANN: &str = "\
    <dynamics class=\"ackermann\">
      <rl_wheel pos=\"0 0.3\" mass=\"3\" width=\"0.1\" diameter=\"0.3\"/>
      <rr_wheel pos=\"0 -0.3\" mass=\"3\" width=\"0.1\" diameter=\"0.3\"/>
      <f_wheels_x>0.8</f_wheels_x> <f_wheels_d>0.6</f_wheels_d>
      <fl_wheel mass=\"3\" width=\"0.1\" diameter=\"0.3\"/>
      <fr_wheel mass=\"3\" width=\"0.1\" diameter=\"0.3\"/>
      <max_steer_ang_deg>35</max_steer_ang_deg>
      <chassis mass=\"80\" zmin=\"0.1\" zmax=\"0.8\">
        <shape> <pt>-0.2 -0.3</pt> <pt>1 -0.3</pt> <pt>1 0.3</pt> <pt>-0.2 0.3</pt> </shape>
      </chassis>
      <!-- V in m/s and STEER_ANG in ° are the start values; commands replace them -->
      <controller class=\"front_steer_pid\"> <KP>100</KP> <KI>20</KI> <max_torque>80</max_torque> <V>1</V> <STEER_ANG>25</STEER_ANG> </controller>
    </dynamics>
";
const WALLS: &str = "\
  <!-- four walls around a room of 12 m × 10 m; `simhost new --map FILE.yaml` takes a map instead -->
  <walls>
    <wallThickness>0.1</wallThickness> <wallHeight>1.5</wallHeight>
    <shape>
      <pt>-6 -5</pt> <pt>6 -5</pt>
      <pt>6 -5</pt> <pt>6 5</pt>
      <pt>6 5</pt> <pt>-6 5</pt>
      <pt>-6 5</pt> <pt>-6 -5</pt>
    </shape>
  </walls>
";

/// Writes a world.
pub fn write(arguments: &NewWorld) -> Result<Code, Failure> {
    let world = &arguments.world;
    if world.exists() && !arguments.force {
        let text = format!(
            "{} already exists; no file was changed\nhelp: choose another name, or add --force to replace it",
            world.display()
        );
        return Err(Failure::new(Code::Output, text));
    }
    let scenery = match &arguments.map {
        Some(map) => format!(
            "  <element class=\"occupancy_grid\"> <file>{}</file> </element>\n",
            quick_xml::escape::escape(beside(world, map)?.to_string_lossy())
        ),
        None => WALLS.to_owned(),
    };
    let dynamics = match arguments.robot {
        Robot::Differential => DIFFERENTIAL,
        Robot::SkidSteer => SKID_STEER,
        Robot::Ackermann => ACKERMANN,
    };
    let text = format!(
        "<!-- A robot that drives in a circle, with a laser scanner and an IMU. -->\n\
         <mvsim_world version=\"1.0\">\n  <duration>20</duration>\n  <simul_timestep>0.005</simul_timestep>\n\n\
         {scenery}\n  <vehicle name=\"robot\">\n    <!-- x and y in m, heading in ° -->\n    \
         <init_pose>0 0 0</init_pose>\n{dynamics}    \
         <friction class=\"default\"> <mu>0.8</mu> </friction>\n    \
         <sensor class=\"laser\" name=\"scan\">\n      <pose_3d>0.2 0 0.3 0 0 0</pose_3d>\n      \
         <fov_degrees>270</fov_degrees> <nrays>181</nrays> <max_range>12</max_range>\n      \
         <sensor_period>0.1</sensor_period>\n    </sensor>\n    \
         <sensor class=\"imu\" name=\"imu\"> <sensor_period>0.01</sensor_period> </sensor>\n  </vehicle>\n\
         </mvsim_world>\n"
    );
    if let Some(folder) = world.parent() {
        std::fs::create_dir_all(folder).map_err(|error| unwritten(world, &error))?;
    }
    std::fs::write(world, text).map_err(|error| unwritten(world, &error))?;
    let world = world.display();
    terminal::result(&format!("wrote {world}\nnext: simhost {world} --out out"))?;
    Ok(Code::Done)
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
    run::run(&Run::parse(words).map_err(|error| Failure::new(Code::Usage, error))?)
}

/// Returns the path of a map relative to the folder of a world, or an absolute one.
///
/// # Errors
/// Fails if the map is not a file whose name ends in `.yaml` or `.yml`.
fn beside(world: &Path, map: &Path) -> Result<PathBuf, Failure> {
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
