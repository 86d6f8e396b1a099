//! Robots that the project wrote, and files that are wrong.

#![allow(clippy::unwrap_used)]

use simhost_urdf::{Robot, RobotFile, VehicleDraft, VehicleText, no_meshes, read, read_world};

/// The file of the tests in comments.
const FILE: RobotFile<'_> = RobotFile { name: "rover.urdf", path: Some("rover.urdf") };
const ROVER: &str = include_str!("rover.urdf");
const CART: &str = include_str!("cart.sdf");

fn only(text: &str) -> Robot {
    let mut robots = read(text).unwrap();
    assert_eq!(robots.len(), 1);
    robots.remove(0)
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "found {found}, expected {expected}");
}

fn problem(text: &str) -> String {
    match read(text) {
        Err(error) => error.to_string(),
        Ok(robots) => VehicleDraft::of(&robots[0], &no_meshes).unwrap_err().to_string(),
    }
}

#[test]
fn sums_follow_from_the_links() {
    let total = only(ROVER).total();
    near(total.mass, 5.0);
    // Σ m x/Σ m of base, wheels, castor and arm, from the numbers in the file
    near(total.centre.x, (4.0 * 0.02 + 0.5 * 0.1 - 0.1 * 0.15) / 5.0);
    near(total.centre.z, (4.0 * 0.11 + 0.5 * 0.05 + 0.1 * 0.02 + 0.4 * 0.29) / 5.0);
    // a turn of the inertial frame about z keeps the sum of the moments
    let base = only(ROVER).sum(|link| link == 1);
    near(base.inertia.trace(), 0.03 + 0.04 + 0.05);
    near(base.inertia[(2, 2)], 0.05);
    let (sin, cos) = 0.3_f64.sin_cos();
    near(base.inertia[(0, 0)], 0.03 * cos * cos + 0.04 * sin * sin - 2.0 * 0.001 * sin * cos);
}

#[test]
fn a_robot_with_a_castor_drives_with_two_wheels() {
    let robot = only(ROVER);
    let draft = VehicleDraft::of(&robot, &no_meshes).unwrap();
    assert_eq!(draft.class, "differential_3_wheels");
    let [left, right, castor] = draft.wheels.as_slice() else { panic!("{:?}", draft.wheels) };
    assert_eq!(
        (left.element, right.element, castor.element),
        ("l_wheel", "r_wheel", "caster_wheel")
    );
    assert_eq!((left.place, right.place), ([0.1, 0.17], [0.1, -0.17]));
    near(left.diameter, 0.1);
    near(left.width, 0.03);
    near(left.inertia.unwrap(), 0.0003);
    near(castor.place[0], -0.15);
    near(castor.mass, 0.1);
    // the chassis is all but wheels and castor, on a ground at the height of the root
    near(draft.chassis.mass, 4.4);
    near(draft.origin.z, 0.0);
    assert_eq!((draft.torque, draft.friction), (Some(3.0), Some(0.6)));
    let wheels: f64 = draft.wheels.iter().map(|wheel| wheel.mass).sum();
    near(draft.chassis.mass + wheels, robot.total().mass);
}

/// A robot with two driven wheels and others, each given by its joints.
fn robot_with(more: &str) -> String {
    let wheel = |name: &str, y: f64| {
        format!(
            "<joint name=\"{name}_joint\" type=\"continuous\"><parent link=\"base\"/><child link=\"{name}\"/>
             <origin xyz=\"0 {y} 0\"/><axis xyz=\"0 1 0\"/></joint>{}",
            rolling(name, 0.1)
        )
    };
    let base = "<link name=\"base\"><inertial><mass value=\"9\"/><inertia ixx=\"0.1\" ixy=\"0\" ixz=\"0\" iyy=\"0.1\" \
                iyz=\"0\" izz=\"0.1\"/></inertial></link>";
    format!("<robot name=\"r\">{base}{}{}{more}</robot>", wheel("left", 0.2), wheel("right", -0.2))
}

/// A link with a cylinder that rolls about y.
fn rolling(name: &str, radius: f64) -> String {
    format!(
        "<link name=\"{name}\"><inertial><mass value=\"0.5\"/><inertia ixx=\"0.001\" ixy=\"0\" ixz=\"0\" iyy=\"0.001\" \
         iyz=\"0\" izz=\"0.001\"/></inertial><collision><origin rpy=\"1.5707963 0 0\"/><geometry>\
         <cylinder radius=\"{radius}\" length=\"0.04\"/></geometry></collision></link>"
    )
}

#[test]
fn wheels_that_swivel_or_roll_in_the_middle_support_the_robot() {
    let in_the_middle =
        "<joint name=\"c\" type=\"continuous\"><parent link=\"base\"/><child link=\"castor\"/>
        <origin xyz=\"-0.25 0 -0.06\"/><axis xyz=\"0 1 0\"/></joint>";
    let swivel = "<link name=\"fork\"/><joint name=\"s\" type=\"continuous\"><parent link=\"base\"/><child link=\"fork\"/>
        <origin xyz=\"-0.2 0 0\"/><axis xyz=\"0 0 1\"/></joint>
        <joint name=\"c\" type=\"continuous\"><parent link=\"fork\"/><child link=\"castor\"/>
        <origin xyz=\"-0.05 0 -0.06\"/><axis xyz=\"0 1 0\"/></joint>";
    for support in [in_the_middle, swivel] {
        let robot = only(&robot_with(&format!("{support}{}", rolling("castor", 0.04))));
        let draft = VehicleDraft::of(&robot, &no_meshes).unwrap();
        assert_eq!(draft.class, "differential_3_wheels");
        assert_eq!(draft.wheels.len(), 3);
        let castor = &draft.wheels[2];
        assert_eq!(castor.element, "caster_wheel");
        assert_eq!(robot.links[castor.link].name, "castor");
        near(castor.place[0], -0.25);
        near(castor.diameter, 0.08);
        near(castor.mass, 0.5);
    }
}

#[test]
fn two_swivels_beside_the_middle_become_one_support() {
    let swivel = |name: &str, y: f64| {
        format!(
            "<link name=\"fork_{name}\"/><joint name=\"s_{name}\" type=\"continuous\"><parent link=\"base\"/>
             <child link=\"fork_{name}\"/><origin xyz=\"-0.3 {y} -0.06\"/><axis xyz=\"0 0 1\"/></joint>
             <joint name=\"c_{name}\" type=\"continuous\"><parent link=\"fork_{name}\"/><child link=\"{name}\"/>
             <axis xyz=\"0 1 0\"/></joint>{}",
            rolling(name, 0.04)
        )
    };
    let robot = only(&robot_with(&(swivel("a", 0.15) + &swivel("b", -0.15))));
    let draft = VehicleDraft::of(&robot, &no_meshes).unwrap();
    assert_eq!(draft.class, "differential_3_wheels");
    near(draft.wheels[2].mass, 1.0);
    near(draft.wheels[2].place[1], 0.0);
    assert!(draft.notes.iter().any(|note| note.text.contains("one support in the middle")));
}

#[test]
fn a_steered_cart_is_a_car() {
    let robot = only(CART);
    let draft = VehicleDraft::of(&robot, &no_meshes).unwrap();
    assert_eq!(draft.class, "ackermann");
    let places: Vec<_> = draft.wheels.iter().map(|wheel| (wheel.element, wheel.place)).collect();
    for (found, (element, [x, y])) in places.iter().zip([
        ("rl_wheel", [0.0, 0.45]),
        ("rr_wheel", [0.0, -0.45]),
        ("fl_wheel", [1.1, 0.45]),
        ("fr_wheel", [1.1, -0.45]),
    ]) {
        assert_eq!(found.0, element);
        near(found.1[0], x);
        near(found.1[1], y);
    }
    // cot of the middle wheel = cot of the inner one + d/(2 L)
    let expected = 1.0 / (1.0 / 0.6_f64.tan() + 0.9 / 2.2);
    near(draft.max_steer.unwrap().tan(), expected);
    // links without <inertial> have 1 kg
    near(robot.total().mass, 26.0);
}

#[test]
fn the_vehicle_file_names_what_it_came_from_and_what_it_left_out() {
    let robot = only(ROVER);
    let draft = VehicleDraft::of(&robot, &no_meshes).unwrap();
    let VehicleText { text, notes, .. } =
        draft.to_xml("rover", FILE, &|uri| Err(format!("no {uri}")));
    for part in [
        "<vehicle:class name=\"rover\">",
        "<l_wheel pos=\"0.1 0.17\" mass=\"0.25\" width=\"0.03\" diameter=\"0.1\" inertia=\"0.0003\"/>",
        "<sensor class=\"laser\" name=\"lidar\">",
        "<pose_3d>0.1 0 0.25 180 0 0</pose_3d>",
        "<range_std_noise>0.02</range_std_noise>",
        // the optical axis of a camera that looks backwards
        "<pose_3d>0.1 0 0.25 90 0 -90</pose_3d>",
        "<fx>320</fx>",
        "<max_torque>3</max_torque>",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let notes: Vec<String> =
        notes.iter().map(|note| format!("{}: {}", note.line, note.text)).collect();
    for part in ["transmission", "joint_state_publisher", "sonic", "arm_joint", "base.stl"] {
        assert!(notes.iter().any(|note| note.contains(part)), "{part} is not in {notes:#?}");
    }
    assert!(notes.is_sorted_by_key(|note| note.split(':').next().unwrap().parse::<u32>().unwrap()));
}

#[test]
fn meshes_are_placed_with_z_up() {
    let text = ROVER.replace("base.stl", "base.dae");
    let robot = only(&text);
    let draft = VehicleDraft::of(&robot, &no_meshes).unwrap();
    let text = draft.to_xml("rover", FILE, &|uri| Ok(uri.replace("package://", ""))).text;
    assert!(text.contains("<model_uri>rover/meshes/base.dae</model_uri>"), "{text}");
    assert!(text.contains("<model_roll>90</model_roll>"), "{text}");
}

/// The world around the cart: a box that is turned, a barrel that can be pushed, the ground, the sun.
const YARD: &str = r#"
    <gravity>0 0 -3.71</gravity>
    <spherical_coordinates> <latitude_deg>47.5</latitude_deg> <longitude_deg>8.5</longitude_deg> <elevation>400</elevation> </spherical_coordinates>
    <light name="sun" type="directional"> <direction>-0.5 0 -0.5</direction> </light>
    <scene/>
    <model name="ground"> <static>true</static> <link name="l"> <collision name="c"> <geometry> <plane/> </geometry> </collision> </link> </model>
    <model name="box"> <static>true</static> <pose>5 2 0.5 0 0 1.5707963267948966</pose>
      <link name="l"> <collision name="c"> <geometry> <box> <size>2 1 1</size> </box> </geometry> </collision>
        <visual name="v"> <geometry> <box> <size>2 1 1</size> </box> </geometry> <material> <diffuse>1 0.5 0 1</diffuse> </material> </visual> </link> </model>
    <model name="barrel"> <pose>-3 0 0.4 0 0 0</pose>
      <link name="l"> <inertial> <mass>12</mass> </inertial>
        <collision name="c"> <geometry> <cylinder> <radius>0.3</radius> <length>0.8</length> </cylinder> </geometry> </collision> </link> </model>
    <model name="cart"> <pose>1 2 0 0 0 0.5</pose>"#;

#[test]
fn a_world_keeps_its_obstacles_and_robots() {
    let text = CART.replacen("<model name=\"cart\">", YARD, 1);
    let scenery = read_world(&text).unwrap();
    assert_eq!((scenery.props.len(), scenery.robots.len()), (2, 1));
    let missing = |uri: &str| Err(format!("no {uri}"));
    let (world, notes) = scenery.to_xml("yard.sdf", &no_meshes, &missing).unwrap();
    for part in [
        "<gravity>3.71</gravity>",
        "<latitude>47.5</latitude> <longitude>8.5</longitude> <height>400</height>",
        "<light_azimuth_deg>0</light_azimuth_deg> <light_elevation_deg>45</light_elevation_deg>",
        "<block name=\"box\">",
        // a quarter turn of 2 m by 1 m
        "<init_pose>5 2 0</init_pose> <static>true</static> <color>#ff8000</color>",
        "<shape> <pt>-0.5 -1</pt> <pt>0.5 -1</pt> <pt>0.5 1</pt> <pt>-0.5 1</pt> </shape>",
        "<mass>12</mass>",
        "<zmin>0</zmin> <zmax>0.8</zmax>",
        "<vehicle:class name=\"cart\">",
    ] {
        assert!(world.contains(part), "{part} is not in\n{world}");
    }
    // the rear axle of the cart is 0.1 m ahead of its model
    let pose = "<init_pose>1.08775825619 2.04794255386 28.6478897565<";
    assert!(world.contains(pose), "{pose} is not in\n{world}");
    let notes: Vec<&str> = notes.iter().map(|note| note.text.as_str()).collect();
    assert!(notes.iter().any(|note| note.contains("<scene>")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("ground")), "{notes:?}");
}

/// Each wrong file with words of its message.
#[test]
fn wrong_files_are_refused_with_their_lines() {
    let with = |from: &str, to: &str| {
        assert!(ROVER.contains(from), "{from}");
        ROVER.replacen(from, to, 1)
    };
    let cycle = "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/>
        <joint name=\"ab\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint>
        <joint name=\"ba\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint></robot>";
    let bomb = "<!DOCTYPE x [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><robot name=\"&b;\"/>";
    for (text, words) in [
        (with("<mass value=\"4\"/>", "<mass value=\"nan\"/>"), "line 11: `value` of <mass> is \"nan\""),
        (with("<mass value=\"4\"/>", "<mass value=\"-4\"/>"), "a mass of -4 kg"),
        (with("izz=\"0.0003\"", "izz=\"0\""), "inertia of 0 kg·m² about its axle"),
        (with("<parent link=\"base_link\"/> <child link=\"left\"/>", "<parent link=\"base_lnk\"/> <child link=\"left\"/>"), "did you mean 'base_link'?"),
        (with("<child link=\"right\"/>", "<child link=\"left\"/>"), "is the child of the joints"),
        (with("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 0\"/>"), "expected an axis"),
        (with("radius=\"0.05\"", "radius=\"-1\""), "expected a length above 0"),
        (with("type=\"continuous\"", "type=\"cont\""), "types are fixed, continuous"),
        (with("<origin xyz=\"0 0 0.05\"/>", "<origin xyz=\"0 0\"/>"), "expected 3 numbers"),
        (ROVER.replace("type=\"continuous\"", "type=\"fixed\""), "has no wheels"),
        (cycle.to_owned(), "cycle"),
        (bomb.to_owned(), "document type"),
        ("<world/>".to_owned(), "expected <robot> of URDF"),
        ("<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><xacro:include filename=\"a\"/></robot>".to_owned(), "xacro FILE"),
        ("<robot name=\"r\" xmlns:xacro=\"http://ros.org/wiki/xacro\"><xacro:property name=\"a\" value=\"1\"/></robot>".to_owned(), "xacro FILE"),
        ("<sdf><model name=\"m\"><static>1</static></model></sdf>".to_owned(), "no <model> with joints"),
        (CART.replace("<child>knuckle_l", "<child>knucle_l"), "did you mean 'knuckle_l'?"),
        (CART.replace("attached_to=\"frame\"", "attached_to=\"knuckle_l\""), "relative to itself"),
    ] {
        let found = problem(&text);
        assert!(found.contains(words), "{words:?} is not in {found:?}");
    }
}

/// Files with cut or repeated parts return an error or a robot, and do not panic.
#[test]
fn damaged_files_do_not_panic() {
    for text in [ROVER, CART] {
        let mut seed = 1_u64;
        for _ in 0..400 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let place = |shift: u32| {
                let at = (seed >> shift) as usize % text.len();
                (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap()
            };
            let (from, to) = (place(20), place(40));
            let (from, to) = (from.min(to), from.max(to));
            for damaged in [
                format!("{}{}", &text[..from], &text[to..]),
                format!("{}{}", &text[..to], &text[from..]),
                text.replacen(
                    char::is_numeric,
                    ["-", "9e99", "0"][seed as usize % 3],
                    1 + seed as usize % 40,
                ),
            ] {
                for robot in read(&damaged).unwrap_or_default() {
                    if let Ok(draft) = VehicleDraft::of(&robot, &no_meshes) {
                        draft.to_xml("r", FILE, &|_| Ok("a".to_owned()));
                    }
                }
            }
        }
    }
}
