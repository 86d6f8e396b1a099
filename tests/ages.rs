//! Worlds that were written for other versions of MVSim, and warnings about parts without effect.

use crate::support::world::{World, differential, model};

const PROFILES: [&str; 2] = ["corrected", "mvsim-1.2"];

/// Returns what is said about a world in both profiles. Neither may have an error.
fn check(world: &World) -> [String; 2] {
    PROFILES.map(|profile| world.clone().profile(profile).warnings().join("\n"))
}

/// Checks that a world has these warnings in both profiles.
fn expect(world: &World, parts: &[&str]) {
    for said in check(world) {
        for part in parts {
            assert!(said.contains(part), "no `{part}` in\n{said}\n{}", world.text());
        }
    }
}

/// Checks that two runs have the same results.
fn agree(one: &World, other: &World) {
    let [one, other] = [one, other].map(|world| world.run(2.0));
    assert!(one.tables == other.tables);
}

/// Checks that an old spelling has the results of the present one, and a warning that shows it.
fn same(old: &World, present: &World, label: &str) {
    expect(old, &[label]);
    let clean = check(present);
    assert!(!clean[0].contains("is read as"), "{}", clean[0]);
    agree(old, present);
}

fn vehicle(dynamics: &str, rest: &str) -> World {
    World::new().xml(&format!(
        "<vehicle name=\"v\"><init_pose>1 2 30</init_pose>{dynamics}{rest}</vehicle>"
    ))
}

const DIFFERENTIAL: &str = "<dynamics class=\"differential\"/>";

/// Each was an error with exit code 12 in the corrected profile, except in <gui> and <lights> with
/// `--lenient`.
#[test]
fn names_of_other_versions_are_warnings_with_their_history() {
    let lidar = "<sensor class=\"lidar3d\"><fbo_nrows>64</fbo_nrows></sensor>";
    expect(&vehicle(DIFFERENTIAL, lidar), &["`fbo_nrows` has no effect", "MVSim 0.5 to 0.7.3"]);
    let rawlog = "<sensor class=\"laser\"><save_to_rawlog>a.rawlog</save_to_rawlog></sensor>";
    expect(&vehicle(DIFFERENTIAL, rawlog), &["one for the whole world"]);
    let world = "
        <gui><show_trajectories>true</show_trajectories><show_sensor_previews>false</show_sensor_previews><update_fps>20</update_fps>
        <enable_shadows>true</enable_shadows></gui>
        <lights><light_diffuse>0.8</light_diffuse><point_light><position>1 2 3</position>
        <color>#ffe2b8</color></point_light><spot_light/></lights>
        <block><init_pose>0 0 0</init_pose><light_group name=\"lamps\"><spot_light/></light_group>
        <visual light_group=\"lamps\"><cast_shadows>false</cast_shadows></visual></block>
        <element class=\"horizontal_plane\"><normal_map>a.png</normal_map></element>";
    let names = [
        "show_trajectories",
        "show_sensor_previews",
        "update_fps",
        "enable_shadows",
        "light_diffuse",
        "point_light",
        "spot_light",
        "light_group",
        "cast_shadows",
        "normal_map",
    ];
    let notes = names.map(|name| format!("`{name}` is a name of MVSim "));
    expect(&World::new().xml(world), &notes.each_ref().map(String::as_str));
}

#[test]
fn names_of_no_version_stay_errors() {
    let world = vehicle(DIFFERENTIAL, "<sensor class=\"lidar3d\"><fbo_rows>64</fbo_rows></sensor>");
    world.fails("fbo_rows", &["fbo_rows"]);
    // a name of another element is not a name of this one
    vehicle(DIFFERENTIAL, "<fbo_nrows>64</fbo_nrows>").fails("fbo_nrows", &["fbo_nrows"]);
}

/// The controller was ignored with a warning, so that the vehicle stood still.
#[test]
fn a_controller_beside_the_dynamics_is_read_as_theirs() {
    let controller = "<controller class=\"twist_pid\"><KP>50</KP><V>0.5</V></controller>";
    let present = format!("<dynamics class=\"differential\">{controller}</dynamics>");
    let old = format!("{DIFFERENTIAL}{controller}");
    same(&vehicle(&old, ""), &vehicle(&present, ""), "<controller class=\"twist_pid\">…");
    // a vehicle whose class has the dynamics, and the other way round
    let of_class = |class: &str, own: &str| {
        World::new().xml(&format!(
            "<vehicle:class name=\"c\">{class}</vehicle:class><vehicle name=\"v\" class=\"c\">\
             <init_pose>1 2 30</init_pose>{own}</vehicle>"
        ))
    };
    for (class, own) in [(DIFFERENTIAL, controller), (controller, DIFFERENTIAL), (old.as_str(), "")]
    {
        same(&of_class(class, own), &of_class(&present, ""), "write <dynamics …><controller");
    }
    // the inner one is used where there are two
    let both = vehicle(&present, "<controller class=\"raw\"/>");
    expect(&both, &["duplicate `controller`", "the controller in <dynamics> is used"]);
    agree(&both, &vehicle(&present, ""));
}

/// Each was an error.
#[test]
fn old_classes_are_read_as_the_present_ones() {
    same(
        &vehicle("<dynamics class=\"car_ackermann\"/>", ""),
        &vehicle("<dynamics class=\"ackermann\"/>", ""),
        "write class=\"ackermann\"",
    );
    same(
        &vehicle(DIFFERENTIAL, "<sensor type=\"laser\" name=\"scan\"><nrays>5</nrays></sensor>"),
        &vehicle(DIFFERENTIAL, "<sensor class=\"laser\" name=\"scan\"><nrays>5</nrays></sensor>"),
        "write class=\"laser\"",
    );
    let scan = |tag: &str, end: &str, range: &str| {
        format!("<{tag} name=\"scan\"><nrays>5</nrays><{range}>5</{range}></{end}>")
    };
    same(
        &vehicle(DIFFERENTIAL, &scan("sensor:laser", "sensor:laser", "maxRange")),
        &vehicle(DIFFERENTIAL, &scan("sensor class=\"laser\"", "sensor", "max_range")),
        "write <sensor class=\"laser\">",
    );
    let floor = "<x_max>3</x_max>";
    let old = format!("<world:horizontal_plane>{floor}</world:horizontal_plane>");
    let new = format!("<element class=\"horizontal_plane\">{floor}</element>");
    let world = vehicle(DIFFERENTIAL, "");
    let [old, new] = [old, new].map(|floor| world.clone().xml(&floor));
    same(&old, &new, "write <element class=\"horizontal_plane\">");
    same(&world.clone().root("mv2dsim_world"), &world, "write <mvsim_world>");
}

/// Each was an error.
#[test]
fn old_poses_are_read_as_the_present_ones() {
    let posed = |pose: &str| {
        World::new().xml(&format!("<vehicle name=\"v\">{pose}{DIFFERENTIAL}</vehicle>"))
    };
    for (old, present) in [
        ("<init_pose>[1 2 30]</init_pose>", "<init_pose>1 2 30</init_pose>"),
        ("<init_pose>1 2 0.1 30 0 0</init_pose>", "<init_pose3d>1 2 0.1 30 0 0</init_pose3d>"),
        ("<init_pose>[1 2 0.1 30 0 0]</init_pose>", "<init_pose3d>1 2 0.1 30 0 0</init_pose3d>"),
        (
            "<init_pose3d>[1, 2, 0.1, 30, 0, 0]</init_pose3d>",
            "<init_pose3d>1 2 0.1 30 0 0</init_pose3d>",
        ),
    ] {
        same(&posed(old), &posed(present), &format!("write {present}"));
    }
    let sensor =
        |pose: &str| vehicle(DIFFERENTIAL, &format!("<sensor class=\"laser\">{pose}</sensor>"));
    let present = "<pose_3d>0.5 0 0.2 90 0 0</pose_3d>";
    for old in ["<pose>0.5 0 0.2 90 0 0</pose>", "<pose>[0.5 0 0.2 90 0 0]</pose>"] {
        same(&sensor(old), &sensor(present), &format!("write {present}"));
    }
    same(
        &sensor("<pose>[0.5 0 90]</pose>"),
        &sensor("<pose>0.5 0 90</pose>"),
        "write <pose>0.5 0 90<",
    );
    let moving = |keys: &str| {
        vehicle(DIFFERENTIAL, &format!("<animation type=\"keyframes\">{keys}</animation>"))
    };
    same(
        &moving("<time_pose>0 0 0 0 0 0 0</time_pose><time_pose>9 4 0 0 0 0 0</time_pose>"),
        &moving("<time_pose3d>0 0 0 0 0 0 0</time_pose3d><time_pose3d>9 4 0 0 0 0 0</time_pose3d>"),
        "write <time_pose3d>9 4 0 0 0 0 0</time_pose3d>",
    );
    // a wheel has a place in the plane only
    let wheel = "<dynamics class=\"differential\"><l_wheel pos=\"0 0.5 0.1 0 0 0\"/></dynamics>";
    vehicle(wheel, "").fails("l_wheel", &["pos"]);
    // not a pose
    for wrong in ["[1 2 30", "1 2 30]", "[1 2]", "1 2 3 4", "[1 2 x]", "[]"] {
        posed(&format!("<init_pose>{wrong}</init_pose>")).fails("init_pose", &["init_pose"]);
    }
}

/// There was no warning.
#[test]
fn parts_without_effect_are_reported() {
    let terrain = |texture: &str| {
        World::new().xml(&format!(
            "<element class=\"elevation_map\"><elevation_data_matrix>[0 1; 1 2]\
             </elevation_data_matrix><mesh_color>#808080</mesh_color>{texture}</element>"
        ))
    };
    let image = include_bytes!("../worlds/assets/grass.png");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.png"), image).unwrap();
    let textured = terrain("<texture_image>a.png</texture_image>").folder(folder.path());
    expect(&textured, &["`mesh_color` has no effect with `texture_image`"]);
    assert_eq!(check(&terrain(""))[0], "");

    let region = |friction: &str| {
        World::new().xml(&format!(
            "<element class=\"property_region\"><property_name>friction_mu</property_name>\
             <value_double>0.1</value_double></element><vehicle><init_pose>0 0 0</init_pose>\
             {DIFFERENTIAL}<friction class=\"{friction}\"/></vehicle>"
        ))
    };
    expect(
        &region("ellipse"),
        &["`friction_mu` has no effect on 1 vehicle with friction `ellipse`"],
    );
    assert_eq!(check(&region("default"))[0], "");
}

/// A trailer on its hitch was reported as overlapping, and other overlaps were not counted: the summary
/// said "no warnings".
#[test]
fn joined_bodies_do_not_overlap_and_overlaps_are_counted() {
    let world = |of_b: &str, joint: &str| {
        World::new().xml(&format!(
            "<block name=\"a\"><init_pose>0 0 0</init_pose></block><block name=\"b\">{of_b}\
             <init_pose>0.8 0 0</init_pose></block>{joint}"
        ))
    };
    let outcome = world("", "").workspace().run(&["world.xml", "--duration", "0.1"]);
    assert!(outcome.stderr.contains("overlap at the start"), "{}", outcome.stderr);
    assert!(outcome.stdout.ends_with("1 warning\n"), "{}", outcome.stdout);
    let overlaps = |world: &World| {
        let (mut session, warnings) = world.open();
        session.run_steps(1).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        session.simulation().overlaps().count
    };
    let fixed = "<static>true</static>";
    assert_eq!(overlaps(&world(fixed, "")), 1);
    for joint in [
        "<joint type=\"pin\" body_a=\"a\" body_b=\"b\" anchor_a=\"0.4 0\" anchor_b=\"-0.4 0\"/>",
        "<joint type=\"rope\" body_a=\"b\" body_b=\"a\" max_length=\"1\"/>",
    ] {
        assert_eq!([overlaps(&world("", joint)), overlaps(&world(fixed, joint))], [0, 0]);
    }
}

/// Printed a line per vehicle, and up to 1000 warnings.
#[test]
fn long_lists_are_summarised() {
    let vehicles = World::new().xml(&format!(
        "<for var=\"i\" from=\"1\" to=\"3000\"><vehicle><init_pose>0 $f{{3*i}} 0</init_pose>{DIFFERENTIAL}<log_path>log${{i}}</log_path>\
         </vehicle></for>"
    ));
    let outcome = vehicles.workspace().run(&["world.xml", "--duration", "0.01"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let lines = outcome.stdout.lines().count();
    assert!(lines < 30, "{lines} lines");
    assert!(outcome.stdout.contains("and 2980 more vehicles"), "{}", outcome.stdout);
    assert!(outcome.stderr.lines().count() < 30, "{}", outcome.stderr);
    // 3000 different messages
    let unknown: String = (0..3000).map(|i| format!("<zzz{i}/>")).collect();
    let workspace = World::new().xml(&unknown).workspace();
    let outcome = workspace.run(&["check", "world.xml", "--lenient"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let lines = outcome.stderr.lines().count();
    assert!(lines < 200, "{lines} lines");
    assert!(outcome.stderr.contains("more warnings of other kinds"), "{}", outcome.stderr);
}

/// A vehicle that a pin holds at a post inside of its outline turned by 0.1° instead of 89°, because
/// it touched the post.
#[test]
fn a_joint_to_a_static_block_or_a_wall_turns_contacts_off() {
    for (body, post) in [
        ("post", "<block name=\"post\"><static>true</static><init_pose>0 0 0</init_pose></block>"),
        ("wall_0001", "<walls><shape><pt>0 -1</pt><pt>0 1</pt></shape></walls>"),
    ] {
        let robot = differential().controller(model("twist_pid").set("KP", 100).set("W", 45));
        let joint = format!("<joint type=\"pin\" body_a=\"v\" body_b=\"{body}\"/>");
        let world = World::new().xml(post).vehicle("v", robot.pose(0, 0, 0)).xml(&joint);
        let run = world.run(2.0);
        assert!(run.warnings.is_empty(), "{:?}", run.warnings);
        let yaw = run.last("v", "yaw_rad");
        assert!((1.4..1.6).contains(&yaw), "{body}: it turned by {}°", yaw.to_degrees());
    }
}
