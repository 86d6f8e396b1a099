//! Vehicles, blocks and walls.

use simhost_world::{AxleSprings, FaultAction};

use crate::{compat, errors, vehicle, world, world_with};

#[test]
fn a_vehicle_combines_its_includes_its_elements_and_its_class() {
    let files = [("extra.xml", "<friction class=\"wardiagnemma\"/><sensor class=\"laser\"/>")];
    let text = "<mvsim_world><vehicle:class name=\"c\"><dynamics class=\"differential\">\
        <l_wheel pos=\"0.1 0.2 90\" mass=\"3\" inertia=\"-1\"/></dynamics><friction class=\"default\"/>\
        <sensor class=\"laser\"><sensor_period>0.5</sensor_period><viz_x>1</viz_x></sensor>\
        <odometry x_multiplier=\"1.5\"/></vehicle:class>\
        <vehicle class=\"c\"><include file=\"extra.xml\"/><friction class=\"ellipse\"/>\
        <sensor class=\"laser\"/><init_pose>1 2 180</init_pose><init_vel>1 2 90</init_vel></vehicle>\
        <vehicle class=\"c\"><init_pose3d>1 2 3 0 90 180</init_pose3d></vehicle></mvsim_world>";
    let loaded = world_with(text, &files, &Default::default()).unwrap();
    let [first, second] = loaded.world.vehicles.as_slice() else { panic!() };
    assert_eq!((first.name.as_str(), second.name.as_str()), ("veh1", "veh2"));
    assert_eq!(&*first.friction.model.full_name, "simhost/wardiagnemma");
    assert_eq!(&*second.friction.model.full_name, "simhost/default");
    assert_eq!(&*first.controller.model.full_name, "simhost/raw");
    let names: Vec<_> = first.sensors.iter().map(|s| (s.name.as_str(), s.period)).collect();
    assert_eq!(names, [("laser1", 0.1), ("laser2", 0.1), ("laser3", 0.5)]);
    assert_eq!(first.pose.yaw, std::f64::consts::PI);
    assert_eq!(first.velocity, [1.0, 2.0, std::f64::consts::FRAC_PI_2]);
    assert_eq!((second.pose.z, second.pose.roll), (3.0, std::f64::consts::PI));
    assert_eq!(first.odometry_multipliers, [1.5, 1.0, 1.0]);
    let wheel = &first.wheels[0];
    assert_eq!((wheel.x, wheel.y, wheel.yaw), (0.1, 0.2, std::f64::consts::FRAC_PI_2));
    assert_eq!((wheel.mass, wheel.inertia), (3.0, None));
    assert_eq!((first.chassis.mass, first.chassis.polygon.len()), (15.0, 5));
}

#[test]
fn the_first_controller_variant_that_fits_is_used() {
    for (class, outputs) in [("differential", 2), ("ackermann", 3), ("ackermann_drivetrain", 2)] {
        let loaded = vehicle(&format!("<dynamics class=\"{class}\"/>")).unwrap();
        let model = loaded.world.vehicles[0].controller.model.model;
        assert_eq!(model.phases()[0].outputs.len, outputs, "{class}");
    }
}

#[test]
fn vehicles_need_required_elements_and_unique_names() {
    let text = errors(world("<mvsim_world><vehicle/></mvsim_world>"));
    assert!(text.contains("has no pose") && text.contains("has no dynamics"), "{text}");
    let twice = "<vehicle name=\"a\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/></vehicle>";
    let text = errors(world(&format!("<mvsim_world>{twice}\n{twice}</mvsim_world>")));
    assert!(text.contains("duplicate vehicle name: `a`"), "{text}");
    let text = errors(vehicle(
        "<dynamics class=\"differential\"/><sensor class=\"laser\" name=\"s\"/>\
         <sensor class=\"laser\" name=\"s\"><sensor_period>0</sensor_period></sensor>",
    ));
    assert!(text.contains("duplicate sensor name in vehicle `r`: `s`"), "{text}");
    assert!(text.contains("`sensor_period` is out of range"), "{text}");
    let text = errors(world("<mvsim_world><vehicle class=\"none\"/></mvsim_world>"));
    assert!(text.contains("no <vehicle:class name=\"none\">"), "{text}");
}

#[test]
fn precedence_of_blocks_and_their_classes_depends_on_the_profile() {
    let text = "<mvsim_world><block:class name=\"b\"><mass>2</mass><zmax>0.5</zmax><static>true</static>\
        <shape><pt>0 0</pt><pt>1 0</pt><pt>0 1</pt></shape></block:class>\
        <block class=\"b\"><init_pose>1 1 0</init_pose><mass>5</mass><color>#ff00ff80</color></block>\
        <plugin_faults action=\"disable\"/></mvsim_world>";
    let corrected = world_with(text, &[], &Default::default()).unwrap().world;
    let block = &corrected.blocks[0];
    assert_eq!((block.mass, block.z_max, block.is_static), (5.0, 0.5, true));
    assert_eq!((block.name.as_str(), block.polygon.len()), ("block001", 3));
    assert_eq!((block.linear_damping, block.ground_friction), (None, 0.5));
    assert_eq!(corrected.settings.faults.panic, FaultAction::Disable);
    assert_eq!(corrected.settings.faults.non_finite, FaultAction::Disable);
    assert_eq!(world_with(text, &[], &compat()).unwrap().world.blocks[0].mass, 2.0);
}

#[test]
fn the_end_of_a_wall_at_a_corner_is_shifted() {
    let text = "<mvsim_world><walls><wallThickness>0.2</wallThickness><shape><pt>0 0</pt><pt>1 0</pt>\
        <pt>1 0</pt><pt>1 2</pt></shape></walls></mvsim_world>";
    let walls = world(text).unwrap().world.walls;
    assert_eq!((walls[0].from, walls[0].to), ([0.0, 0.0], [1.0, 0.0]));
    assert_eq!((walls[1].from, walls[1].to), ([1.0, -0.1], [1.0, 2.0]));
    assert_eq!((walls[1].thickness, walls[1].height), (0.2, 2.0));
    let turned = text.replace(
        "<shape>",
        "<transformation>[0 -1 0 5; 1 0 0 0; 0 0 1 0; 0 0 0 1]</transformation><shape>",
    );
    assert_eq!(world(&turned).unwrap().world.walls[0].to, [5.0, 1.0]);
    assert!(errors(world(&text.replacen("<pt>0 0</pt>", "", 1))).contains("pairs of points"));
}

#[test]
fn aerodynamics_and_suspension_are_read() {
    let with = |text: &str| vehicle(&format!("{text}<dynamics class=\"ackermann\"/>"));
    let loaded =
        with("<aerodynamics drag_area=\"2\"/><suspension stiffness=\"3\" damping=\"0\"/>").unwrap();
    let vehicle = &loaded.world.vehicles[0];
    assert_eq!((vehicle.aerodynamics.drag_area, vehicle.aerodynamics.lift_area), (2.0, 0.0));
    let suspension = vehicle.suspension.as_ref().unwrap();
    assert_eq!((suspension.stiffness, suspension.damping), (3.0, 0.0));
    let error = with("<suspension stiffness=\"3\"/>").unwrap_err().to_string();
    assert!(error.contains("missing `damping` in `<suspension>`"), "{error}");
}

#[test]
fn axles_and_wheels_override_what_the_vehicle_has() {
    let axle = "<axle wheels=\"fl_wheel fr_wheel\" damping=\"7\" anti_roll_bar=\"9\"/>";
    let wheel = "<rr_wheel><friction><mu>0.3</mu></friction></rr_wheel>";
    let loaded = vehicle(&format!(
        "<suspension stiffness=\"3\" damping=\"0\">{axle}</suspension><friction><mu>0.6</mu></friction>\
         <dynamics class=\"ackermann\">{wheel}</dynamics>"
    ))
    .unwrap();
    let vehicle = &loaded.world.vehicles[0];
    let names =
        |wheels: &[usize]| wheels.iter().map(|at| vehicle.wheels[*at].name()).collect::<Vec<_>>();
    let axles = &vehicle.suspension.as_ref().unwrap().axles;
    assert_eq!((axles.len(), names(&axles[0].wheels)), (1, vec!["fl", "fr"]));
    let AxleSprings { stiffness, damping, anti_roll_bar, .. } = axles[0];
    assert_eq!([stiffness, damping, anti_roll_bar], [3.0, 7.0, 9.0]);
    let own = &vehicle.wheel_friction;
    assert_eq!((own.len(), names(&[own[0].wheel])), (1, vec!["rr"]));
    let parameters = loaded.world.parameters();
    let mu = |owner: &str| {
        let name = format!("{}/{owner}/mu", vehicle.name);
        parameters.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    };
    assert_eq!(["friction", "friction/rr"].map(mu), ["0.6", "0.3"].map(|mu| Some(mu.to_owned())));
}

#[test]
fn robots_need_their_feature() {
    let files = [("robot.URDF", "<?xml version=\"1.0\"?>\n<robot name=\"r\"/>")];
    let text = "<mvsim_world><vehicle file=\"robot.URDF\"><init_pose>0 0 0</init_pose></vehicle></mvsim_world>";
    let text = errors(world_with(text, &files, &Default::default()));
    for part in [
        "robots in URDF and SDF are not supported by this build",
        "robot.URDF:1:1",
        "simhost import robot.URDF -o robot.vehicle.xml",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    // nothing that the file would have given counts as missing
    assert!(!text.contains("no dynamics"), "{text}");
}

#[test]
fn the_robot_of_a_vehicle_has_a_file_and_links_on_its_wheels() {
    let files = [("r.urdf", "<robot/>")];
    let of = |links: &str| {
        let text = format!(
            "<mvsim_world><vehicle><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/>\n\
             <robot_description file=\"r.urdf\" frame=\"base_footprint\">{links}</robot_description></vehicle></mvsim_world>"
        );
        world_with(&text, &files, &Default::default())
    };
    let link = "<link name=\"tyre\" wheel=\"l_wheel\"><pose_3d>0 1 0 90 0 0</pose_3d></link>";
    let loaded = of(link).unwrap();
    let robot = loaded.world.vehicles[0].robot.as_ref().unwrap();
    assert_eq!((&*robot.text, robot.frame.as_str()), ("<robot/>", "base_footprint"));
    assert_eq!(
        (robot.links[0].pose.y, robot.links[0].pose.yaw),
        (1.0, std::f64::consts::FRAC_PI_2)
    );
    let text = errors(of(&link.replace("l_wheel", "x_wheel")));
    assert!(text.contains("the vehicle has no wheel `x_wheel`"), "{text}");
    assert!(text.contains("expected one of: l_wheel, r_wheel"), "{text}");
    let text = errors(of(&format!("{link}{link}")));
    assert!(text.contains("two links have the name 'tyre'"), "{text}");
}
