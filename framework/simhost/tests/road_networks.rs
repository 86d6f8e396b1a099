//! Worlds with a road network: heights under vehicles in closed form, friction by lanes, quantities, and driving.

#![allow(clippy::unwrap_used)]

use simhost::{Error, Options, Session};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds");

/// A car that stands, unless its controller drives.
const CAR: &str = r#"
<vehicle:class name="car">
  <dynamics class="ackermann">
    <f_wheels_x>2.6</f_wheels_x> <f_wheels_d>1.5</f_wheels_d>
    <rl_wheel pos="0 0.75" mass="15" width="0.2" diameter="0.6"/>
    <rr_wheel pos="0 -0.75" mass="15" width="0.2" diameter="0.6"/>
    <fl_wheel mass="15" width="0.2" diameter="0.6"/>
    <fr_wheel mass="15" width="0.2" diameter="0.6"/>
    <chassis mass="1400" zmin="0.15" zmax="1.45" cg_height="0.55">
      <shape> <pt>-0.6 -0.85</pt> <pt>3.6 -0.85</pt> <pt>3.6 0.85</pt> <pt>-0.6 0.85</pt> </shape>
    </chassis>
    <controller class="CONTROLLER"/>
  </dynamics>
  <friction class="fiala"/>
</vehicle:class>
"#;

/// Opens a world with these elements besides the class `car`.
fn open(controller: &str, elements: &str) -> Result<Session, Error> {
    let class = CAR.replace("CONTROLLER", controller);
    let text = format!("<mvsim_world version=\"1.0\">{class}\n{elements}</mvsim_world>");
    Session::from_text(&text, format!("{FOLDER}/test.world.xml"), Options::default())
}

#[cfg(not(feature = "opendrive"))]
#[test]
fn a_road_network_needs_its_feature() {
    let text = "<element class=\"road_network\" file=\"assets/town.xodr\"/>";
    let error = open("raw", text).err().unwrap().to_string();
    assert!(error.contains("`opendrive`") && error.contains("--features opendrive"), "{error}");
}

#[cfg(feature = "opendrive")]
mod with_feature {
    use super::*;

    const TOWN: &str = "<element class=\"road_network\" file=\"assets/town.xodr\"/>";
    /// y of the straight part of the ring, m.
    const RING: f64 = 102.6514801742517;

    fn car(name: &str, pose: [f64; 4]) -> String {
        let [x, y, z, yaw] = pose;
        format!(
            "<vehicle name=\"{name}\" class=\"car\"><init_pose3d>{x} {y} {z} {yaw} 0 0</init_pose3d></vehicle>"
        )
    }

    fn read(session: &Session, name: &str) -> Vec<f64> {
        let mut values = Vec::new();
        session.quantities([name]).unwrap().read(session.simulation(), &mut values);
        values
    }

    fn one(session: &Session, name: &str) -> f64 {
        read(session, name)[0]
    }

    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() < tolerance, "found {found}, expected {expected}");
    }

    /// Height of the ramp of the bridge, which is 6 m high, m.
    fn ramp(x: f64) -> f64 {
        let part = ((110.0 - x.abs()) / 90.0).clamp(0.0, 1.0);
        6.0 * part * part * (3.0 - 2.0 * part)
    }

    #[test]
    fn cars_stand_at_the_exact_height_of_a_ramp() {
        let at = [95.0, 65.0, 30.0, -48.5];
        let cars = at.map(|x| car(&format!("c{x}"), [x, RING + 1.75, ramp(x), 180.0])).concat();
        let session = open("raw", &format!("{TOWN}{cars}")).unwrap();
        for x in at {
            let pose = read(&session, &format!("c{x}/pose"));
            // the middle of the rear axle, and that of the front axle ahead of it
            near(pose[2], ramp(x), 1e-9);
            let front = x - 2.6 * pose[4].cos();
            near(-2.6 * pose[4].sin(), ramp(front) - ramp(x), 1e-9);
            near(pose[5], 0.0, 1e-9);
        }
    }

    #[test]
    fn a_banked_curve_tilts_a_car() {
        // the apex of the eastern curve, which is inclined by 0.05 rad to its inside
        let text = format!("{TOWN}{}", car("c", [221.6, 0.5 * RING, 0.0, 90.0]));
        let session = open("raw", &text).unwrap();
        // the left side is lower
        near(read(&session, "c/pose")[5], -0.05, 2e-3);
    }

    #[test]
    fn a_car_stays_below_the_bridge_or_on_it() {
        let below = car("below", [-1.75, RING - 3.0, 0.0, -90.0]);
        let above = car("above", [5.0, RING - 1.75, 6.0, 0.0]);
        let mut session = open("raw", &format!("{TOWN}{below}{above}")).unwrap();
        session.run_steps(50).unwrap();
        near(read(&session, "below/pose")[2], 0.0, 1e-9);
        near(read(&session, "above/pose")[2], 6.0, 1e-9);
        // the surface that is near counts
        near(one(&session, "below/road"), 2.0, 0.1);
        near(one(&session, "above/road"), 4.0, 0.1);
    }

    #[test]
    fn lanes_are_quantities() {
        let cars =
            car("c", [-140.0, -1.25, 0.0, 10.0]) + &car("ring", [65.0, RING + 1.75, 3.0, 180.0]);
        let session = open("raw", &format!("{TOWN}{cars}")).unwrap();
        for (name, expected) in [
            ("c/road", 0.0),
            ("c/lane", -1.0),
            ("c/lane_s", 10.0),
            ("c/lane_t", 0.5),
            ("c/lane_heading_error", 10.0_f64.to_radians()),
            ("c/curvature", 0.0),
            ("c/speed_limit", 50.0 / 3.6),
            ("c/grade", 0.0),
            ("ring/lane", -1.0),
            ("ring/lane_t", 0.0),
            // the steepest place of the ramp
            ("ring/grade", 1.5 * 6.0 / 90.0),
        ] {
            near(one(&session, name), expected, 1e-9);
        }
        let away = car("away", [60.0, 50.0, 0.0, 0.0]);
        let session = open("raw", &format!("{TOWN}{away}")).unwrap();
        assert!(one(&session, "away/lane").is_nan());
    }

    #[test]
    fn materials_of_lanes_set_the_friction() {
        let cars =
            car("cobbles", [1.75, -110.0, 0.0, 90.0]) + &car("asphalt", [-140.0, -1.75, 0.0, 0.0]);
        let text = format!("{TOWN}{cars}")
            .replace("</init_pose3d>", "</init_pose3d><init_vel>10 0 0</init_vel>");
        let mut session = open("lane_keeping", &text).unwrap();
        session.run_steps(3).unwrap();
        let own: Vec<f64> = read(&session, "cobbles/wheel/*/mu_override");
        assert_eq!(own, [0.55; 4]);
        assert_eq!(read(&session, "asphalt/wheel/*/mu_override"), [-1.0; 4]);
    }

    #[test]
    fn an_image_of_friction_overrides_the_materials() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("grip.pgm");
        // ice below the left wheels, and dry ground below the right ones
        std::fs::write(&file, "P2\n2 1\n255\n0 255\n").unwrap();
        let image = format!(
            "<element class=\"property_region\"><property_name>friction_mu</property_name>\
             <x_min>-1.75</x_min><x_max>5.25</x_max><y_min>-120</y_min><y_max>-60</y_max>\
             <value_image>{}</value_image><value_image_min>0.1</value_image_min>\
             <value_image_max>0.9</value_image_max></element>",
            file.display()
        );
        let car = car("c", [1.75, -110.0, 0.0, 90.0]);
        let mut session = open("raw", &format!("{TOWN}{image}{car}")).unwrap();
        session.run_steps(3).unwrap();
        let own: Vec<f64> = read(&session, "c/wheel/*/mu_override");
        let expected = [0.1, 0.9, 0.1, 0.9];
        assert!(own.iter().zip(expected).all(|(own, one)| (own - one).abs() < 1e-12), "{own:?}");
    }

    #[test]
    fn cars_keep_to_their_lanes() {
        let mut session =
            Session::open(format!("{FOLDER}/town.world.xml"), Options::default()).unwrap();
        let mut off = 0.0_f64;
        for _ in 0..120 {
            session.run_steps(100).unwrap();
            for name in ["east", "west", "ring"] {
                off = off.max(one(&session, &format!("{name}/lane_t")).abs());
            }
        }
        assert!(off < 0.5, "{off} m from the middle of a lane");
        // the southern street ends
        assert!(read(&session, "south/twist")[0].abs() < 0.1);
        assert!(read(&session, "south/pose")[1] < -110.0);
    }

    #[test]
    fn traffic_stops_behind_the_vehicle_ahead() {
        let cars = car("leader", [-1.75, -60.0, 0.0, -90.0])
            + &car("follower", [-1.75, -40.0, 0.0, -90.0]);
        let fleet = "<fleet class=\"lane_traffic\" vehicles=\"*\"/>";
        let mut session = open("twist_ideal", &format!("{TOWN}{cars}{fleet}")).unwrap();
        session.run_steps(6000).unwrap();
        for name in ["leader", "follower"] {
            assert!(read(&session, &format!("{name}/twist"))[0].abs() < 0.05, "{name} stands");
            near(one(&session, &format!("{name}/lane_t")), 0.0, 0.05);
        }
        // the street ends at y = −120
        let ends = ["leader", "follower"].map(|name| read(&session, &format!("{name}/pose"))[1]);
        assert!(ends[0] < -105.0 && ends[0] > -120.0, "{ends:?}");
        // the standstill gap is 2 m, behind 4.5 m of the leader
        near(ends[1] - ends[0], 6.5, 1.0);
    }

    /// A straight road of 3 km to the east with two lanes of 3.5 m in this direction and one in the other.
    const MOTORWAY: &str = r#"<OpenDRIVE><header revMajor="1" revMinor="7"/><road id="m" length="3000" junction="-1">
        <planView><geometry s="0" x="-100" y="0" hdg="0" length="3000"><line/></geometry></planView>
        <lanes><laneSection s="0">
          <left><lane id="1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></left>
          <center><lane id="0" type="none"/></center>
          <right><lane id="-1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane>
            <lane id="-2" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right>
        </laneSection></lanes></road></OpenDRIVE>"#;
    /// y of the right lane and of the left one, m.
    const LANES: [f64; 2] = [-5.25, -1.75];

    /// Opens a motorway with cars: x, y and speed of each, m and m/s. Their desired speeds are 22.4, 14.7, 27.1, … m/s.
    fn motorway(cars: &[[f64; 3]], settings: &str) -> Session {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("motorway.xodr");
        std::fs::write(&path, MOTORWAY).unwrap();
        let cars = cars.iter().enumerate().map(|(number, [x, y, speed])| {
            let car = car(&format!("c{number}"), [*x, *y, 0.0, 0.0]);
            let speed = format!("<init_vel>{speed} 0 0</init_vel></vehicle>");
            car.replace("</vehicle>", &speed)
        });
        let cars: String = cars.collect();
        let text = format!(
            "<element class=\"road_network\" file=\"{}\"/>{cars}<fleet class=\"lane_traffic\" vehicles=\"*\">\
             <speed>20</speed><speed_spread>0.5</speed_spread>{settings}</fleet>",
            path.display()
        );
        open("twist_ideal", &text).unwrap()
    }

    fn place(session: &Session, name: &str) -> [f64; 2] {
        let pose = read(session, &format!("{name}/pose"));
        [pose[0], pose[1]]
    }

    #[test]
    fn a_faster_vehicle_overtakes() {
        let cars = [[0.0, LANES[0], 20.0], [60.0, LANES[0], 14.7]];
        // a polite vehicle would make way
        let mut session = motorway(&cars, "<politeness>0</politeness>");
        let mut was_left = false;
        for _ in 0..600 {
            session.run_steps(10).unwrap();
            let [[x, y], [ahead, other]] = ["c0", "c1"].map(|name| place(&session, name));
            was_left |= (y - LANES[1]).abs() < 0.1;
            near(other, LANES[0], 0.05);
            // beside each other only in different lanes
            assert!((x - ahead).abs() > 4.5 || (y - other).abs() > 2.0, "{x} {y} {ahead}");
        }
        let [own, other] = ["c0", "c1"].map(|name| place(&session, name)[0]);
        assert!(was_left && own > other + 50.0, "{own} {other}");
        // without changes of lanes, it follows at the speed of the vehicle ahead
        let mut session = motorway(&cars, "<lane_change_time>0</lane_change_time>");
        session.run_steps(6000).unwrap();
        let [own, other] = ["c0", "c1"].map(|name| place(&session, name)[0]);
        assert!(own < other - 10.0, "{own} {other}");
        near(read(&session, "c0/twist")[0], 14.7, 0.2);
    }

    #[test]
    fn a_vehicle_waits_for_a_faster_one_in_the_next_lane() {
        let cars = [[0.0, LANES[0], 15.0], [35.0, LANES[0], 14.7], [-30.0, LANES[1], 27.0]];
        let mut session = motorway(&cars, "<politeness>0</politeness>");
        let mut passed = false;
        for _ in 0..300 {
            session.run_steps(10).unwrap();
            let [[x, y], [faster, _]] = ["c0", "c2"].map(|name| place(&session, name));
            passed |= faster > x;
            if y > LANES[0] + 0.5 {
                assert!(
                    passed,
                    "a change {} m ahead of a vehicle that is 12 m/s faster",
                    x - faster
                );
                return;
            }
        }
        panic!("no change of lanes");
    }

    #[test]
    fn dense_traffic_changes_lanes_without_contact() {
        let lane = |n: usize| LANES[usize::from(n % 3 == 2)];
        let cars: Vec<[f64; 3]> = (0..9).map(|n| [14.0 * n as f64 - 90.0, lane(n), 15.0]).collect();
        let settings = "<politeness>0</politeness><changing_threshold>0.1</changing_threshold>";
        let mut session = motorway(&cars, settings);
        let (mut changes, mut lanes) = (0, (0..cars.len()).map(lane).collect::<Vec<_>>());
        for _ in 0..400 {
            session.run_steps(10).unwrap();
            let at: Vec<[f64; 2]> =
                (0..cars.len()).map(|n| place(&session, &format!("c{n}"))).collect();
            for (n, one) in at.iter().enumerate() {
                let lane = if one[1] > -3.5 { LANES[1] } else { LANES[0] };
                changes += i32::from(lane != std::mem::replace(&mut lanes[n], lane));
                for other in &at[..n] {
                    let apart = (one[0] - other[0]).abs() > 4.2 || (one[1] - other[1]).abs() > 1.7;
                    assert!(apart, "{one:?} and {other:?} touch");
                }
            }
        }
        assert!(changes >= 3, "{changes} changes");
    }

    /// A straight road along x with a box across its right lane from x = 29.5 m to 30.5 m, and a barrier over the whole road
    /// 6 m above it at x = 20 m.
    const BOX: &str = r#"<OpenDRIVE><header revMajor="1" revMinor="7"/>
<road id="1" length="200" junction="-1">
<planView><geometry s="0" x="0" y="0" hdg="0" length="200"><line/></geometry></planView>
<lanes><laneSection s="0"><center><lane id="0" type="none"/></center>
<right><lane id="-1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right></laneSection></lanes>
<objects><object id="7" type="obstacle" s="30" t="-1.75" length="1" width="3" height="1.5"/>
<object id="8" type="gantry" s="20" t="0" zOffset="6" length="0.4" width="12" height="1"/></objects></road></OpenDRIVE>"#;

    #[test]
    fn objects_of_roads_are_seen_and_stop_vehicles() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("box.xodr");
        std::fs::write(&file, BOX).unwrap();
        let scan = "<sensor class=\"laser\" name=\"scan\"><pose>1 0 0</pose><pose_3d>1 0 0.8 0 0 0</pose_3d>\
            <sensor_period>0.1</sensor_period><fov_degrees>2</fov_degrees><nrays>3</nrays><range_std_noise>0</range_std_noise>\
            <angle_std_noise_deg>0</angle_std_noise_deg></sensor>";
        let world = |more: &str| {
            let file = file.display();
            let car = "<vehicle name=\"c\" class=\"car\"><init_pose>0 -1.75 0</init_pose><init_vel>5 0 0</init_vel>";
            let roads = format!("<element class=\"road_network\" file=\"{file}\"{more}/>");
            open("raw", &format!("{roads}{car}{scan}</vehicle>")).unwrap()
        };
        let blocks = |session: &Session| {
            let world = session.world().description().unwrap();
            let names = world.blocks.iter().map(|one| format!("{} {:?}", one.name, one.semantic));
            names.collect::<Vec<_>>()
        };
        let mut session = world("");
        assert_eq!(
            blocks(&session),
            ["road_object_7 Some(\"obstacle\")", "road_object_8 Some(\"gantry\")"]
        );
        let mut seen = None;
        while seen.is_none() {
            session.run_steps(1).unwrap();
            let x = read(&session, "c/pose")[0];
            let samples = session.simulation().samples();
            seen = samples.readings().next().map(|(_, ranges)| (ranges[1], x));
        }
        let (range, x) = seen.unwrap();
        near(range, 29.5 - 1.0 - x, 0.02);
        session.run_steps(1500).unwrap();
        // the front of the car is 3.6 m ahead of its origin
        near(read(&session, "c/pose")[0] + 3.6, 29.5, 0.1);
        let mut free = world(" obstacles=\"false\"");
        assert!(blocks(&free).is_empty());
        free.run_steps(1500).unwrap();
        assert!(read(&free, "c/pose")[0] > 30.0);
    }

    #[test]
    fn the_network_places_the_world_on_earth() {
        let session = open("raw", TOWN).unwrap();
        let place = session.world().description().unwrap().scenery.georeference.unwrap();
        near(place.latitude.to_degrees(), 48.1, 1e-12);
        near(place.longitude.to_degrees(), 11.5, 1e-12);
        let own = "<georeference><latitude>1</latitude><longitude>2</longitude></georeference>";
        let session = open("raw", &format!("{TOWN}{own}")).unwrap();
        let place = session.world().description().unwrap().scenery.georeference.unwrap();
        near(place.latitude.to_degrees(), 1.0, 1e-12);
    }

    #[test]
    fn mistakes_name_file_line_and_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let element = format!("<element class=\"road_network\" file=\"{}\"/>", path.display());
            open("raw", &element).err().unwrap().to_string()
        };
        let empty = of("empty.xodr", "<OpenDRIVE>\n</OpenDRIVE>");
        assert!(empty.contains("empty.xodr:1: the network has no <road>"), "{empty}");
        let link = "<OpenDRIVE>\n<road id=\"1\" length=\"x\"/></OpenDRIVE>";
        assert!(of("length.xodr", link).contains("length.xodr:2: "));
        let fails = |text: &str, part: &str| {
            let error = open("raw", text).err().unwrap().to_string();
            assert!(error.contains(part), "{error}");
        };
        let missing = "<element class=\"road_network\" file=\"assets/none.xodr\"/>";
        fails(missing, "none.xodr: cannot be read");
        fails(missing, "help: name a file relative to the world file");
        fails("<element class=\"road_network\"/>", "`file`");
        fails(&TOWN.replace("/>", " colour=\"red\"/>"), "colour");
        fails(&format!("{TOWN}{TOWN}"), "a second road network");
    }
}
