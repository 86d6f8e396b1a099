//! Data sheets of vehicles against runs of the same vehicles.

use serde_json::Value;

use crate::support::Workspace;
use crate::support::world::World;

/// Returns a workspace with the car of `simhost new --car`.
fn new_car() -> Workspace {
    let workspace = Workspace::new("");
    let written = workspace.run(&["new", "my.vehicle.xml", "--car"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert!(written.stdout.starts_with("wrote my.vehicle.xml\nwrote my.world.xml\nnext: "));
    workspace
}

fn sheet(workspace: &Workspace, arguments: &[&str]) -> Value {
    let outcome = workspace.run(&[&["vehicle", "--json"], arguments].concat());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

fn value(sheet: &Value, key: &str) -> f64 {
    sheet["values"][key]["value"].as_f64().unwrap_or_else(|| panic!("{key}: {}", sheet["values"]))
}

/// Returns a metric of a table of `simhost manoeuvre`.
fn metric(table: &str, name: &str) -> f64 {
    let line = table.lines().find(|line| line.starts_with(&format!("| {name} |")));
    line.and_then(|line| line.split('|').nth(2)).unwrap().trim().parse().unwrap()
}

fn close(found: f64, expected: f64, part: f64, what: &str) {
    let is_close = (found - expected).abs() <= part * expected.abs();
    assert!(is_close, "{what}: {found}, expected {expected}");
}

#[test]
fn the_new_car_is_clean_runs_and_has_the_masses_of_its_comments() {
    let workspace = new_car();
    let check = workspace.run(&["check", "my.world.xml"]);
    assert_eq!(check.stdout, "my.world.xml: ok\n", "{}", check.stderr);
    let run = World::of_path(&workspace.path("my.world.xml")).run(5.0);
    assert_eq!(run.warnings, [] as [&str; 0]);
    assert!(run.last("car", "vx_mps") > 3.0 && run.last("car", "omega_radps") > 0.02);
    let sheet = sheet(&workspace, &["my.vehicle.xml"]);
    for (key, expected) in [
        ("mass", 1500.0),
        ("yaw_inertia", 2400.0),
        ("centre_of_mass_x", 1.485),
        ("wheelbase", 2.7),
        ("share_of_the_front_axle", 0.55),
        ("steering_ratio", 16.0),
    ] {
        close(value(&sheet, key), expected, 1e-4, key);
    }
    let again = workspace.run(&["new", "my.vehicle.xml", "--car"]);
    assert_eq!(again.code, 13, "{}", again.stderr);
    let wrong = workspace.run(&["new", "other.world.xml", "--car"]);
    assert!(wrong.code == 2 && wrong.stderr.contains("expected a name such as my.vehicle.xml"));
}

/// The sheet is linear: tyres at their loads at rest, small angles, no drag. The manoeuvre fits its gradients between 0.5 and
/// 2 m/s², where the curvature of the tyre and the load transfer raise the gradient of the handling diagram by 5 %, and drag
/// moves load to the rear axle. The gradient is the difference of the angles of both axles, 0.40 and 0.31 °/(m/s²), so 2.5 %
/// of such an angle are 12 % of the gradient, 6 % of the characteristic speed and 3 % of the gain.
#[test]
fn the_sheet_agrees_with_a_manoeuvre_of_the_same_car() {
    let workspace = new_car();
    let sheet = sheet(&workspace, &["my.vehicle.xml"]);
    let drive = workspace.run(&["manoeuvre", "ISO-4138", "--vehicle", "my.vehicle.xml"]);
    assert_eq!(drive.code, 0, "{}", drive.stderr);
    for (key, name, part) in [
        ("understeer_gradient", "understeer gradient", 0.15),
        ("characteristic_speed", "characteristic speed", 0.08),
        ("yaw_velocity_gain", "yaw velocity gain", 0.05),
        ("roll_gradient", "roll gradient", 0.01),
    ] {
        close(metric(&drive.stdout, name), value(&sheet, key), part, name);
    }
}

/// Body on springs, axles on tyres: K_i (φ − α_i) is the moment of the springs of an axle with the roll α_i on its tyres.
#[test]
fn a_car_with_wheel_travel_rolls_as_the_closed_form_and_as_the_circle() {
    let workspace = Workspace::new("");
    let text = "<vehicle:class name=\"car\"><dynamics class=\"car_14dof\" mass=\"1340\" centre_height=\"0.56\" \
                front_axle=\"1.2\" rear_axle=\"1.5\" front_track=\"1.55\" rear_track=\"1.5\" wheel_radius=\"0.325\" \
                front_stiffness=\"25000\" rear_stiffness=\"27000\" front_anti_roll_bar=\"6500\" rear_anti_roll_bar=\"2500\" \
                front_roll_centre=\"0.05\" rear_roll_centre=\"0.1\" tyre_stiffness=\"250000\"> \
                <controller class=\"pedals\"/></dynamics><friction class=\"magic_formula\"/></vehicle:class>";
    workspace.write("car.xml", text);
    let sheet = sheet(&workspace, &["car.xml"]);
    let (mass, height, gravity) = (1340.0, 0.56, 9.81);
    // track, spring, bar, roll centre, share of the body
    let axles = [
        ("front", 1.55f64, 25e3, 6500.0, 0.05, 1.5 / 2.7),
        ("rear", 1.5, 27e3, 2500.0, 0.1, 1.2 / 2.7),
    ];
    let (mut stiffness, mut moment, mut arm) = (0.0, 0.0, 0.0);
    for (name, track, spring, bar, centre, share) in axles {
        let own = track * track * (0.5 * spring + bar);
        let found = value(&sheet, &format!("roll_stiffness_of_the_{name}_axle"));
        close(found, own, 1e-9, name);
        let tyres = 0.5 * 250e3 * track * track;
        let below = share * mass * centre + 80.0 * 0.325;
        stiffness += own * tyres / (own + tyres);
        moment += own * below / (own + tyres);
        arm += share * (height - centre);
    }
    let gradient: f64 = (mass * arm + moment) / (stiffness - mass * gravity * arm);
    close(value(&sheet, "roll_gradient"), gradient.to_degrees(), 0.03, "closed form");
    let drive = workspace.run(&["manoeuvre", "ISO-4138", "--vehicle", "car.xml"]);
    close(metric(&drive.stdout, "roll gradient"), value(&sheet, "roll_gradient"), 0.02, "circle");
}

/// Every tyre of the car has a cornering stiffness of 60,000 N/rad at any load, and no pneumatic trail. The force
/// falls short of it by C α/(3 μ N), 5 × 10⁻⁶ at the slip angle of the measurement.
#[test]
fn a_car_with_linear_tyres_has_the_gradients_of_the_closed_form() {
    let workspace = Workspace::new("");
    let car = crate::support::projects::root().join("worlds/validation/car.xml");
    let sheet = sheet(&workspace, &[car.to_str().unwrap()]);
    let (mass, wheelbase, stiffness) = (1460.0, 2.6, 120e3);
    let to_rear = (1400.0 * 1.5 + 30.0 * 2.6) / mass;
    let understeer: f64 = mass / wheelbase * (2.0 * to_rear - wheelbase) / stiffness;
    let speed = 80.0 / 3.6;
    for (key, expected, part) in [
        ("cornering_stiffness_of_the_front_axle", stiffness, 1e-4),
        ("cornering_stiffness_of_the_rear_axle", stiffness, 1e-4),
        ("understeer_gradient", understeer.to_degrees(), 1e-3),
        ("characteristic_speed", 3.6 * (wheelbase / understeer).sqrt(), 1e-3),
        ("yaw_velocity_gain", speed / (wheelbase + understeer * speed * speed), 1e-3),
        ("load_of_the_front_axle", mass * 9.81 * to_rear / wheelbase, 1e-6),
    ] {
        close(value(&sheet, key), expected, part, key);
    }
}

/// A wind that begins at the start pushes the body to a new angle, about which it swings freely. Its period gives the damped
/// frequency f √(1 − ζ²), and the decay of three successive extremes the damping ratio. The implicit Euler method adds
/// π f Δt = 0.0001 to the damping ratio.
#[test]
fn frequencies_and_damping_ratios_agree_with_a_free_decay() {
    let car = |drag: &str| {
        World::new().step(2e-5).every(0.002).xml(&format!(
            "<vehicle name=\"car\"><init_pose>0 0 0</init_pose><dynamics class=\"ackermann\">\
             <f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>\
             <rl_wheel pos=\"0 0.75\"/><rr_wheel pos=\"0 -0.75\"/>\
             <chassis mass=\"1400\" zmin=\"0.2\" zmax=\"1.2\" cg_height=\"0.55\"><shape>\
             <pt>-0.7 -0.9</pt><pt>3.3 -0.9</pt><pt>3.3 0.9</pt><pt>-0.7 0.9</pt></shape></chassis>\
             <controller class=\"pedals\"><brake_torque>9000</brake_torque></controller></dynamics>\
             <friction class=\"default\"/>\
             <suspension stiffness=\"25000\" damping=\"900\" roll_inertia=\"450\" pitch_inertia=\"1700\">\
             <axle wheels=\"rl_wheel rr_wheel\" stiffness=\"28000\" anti_roll_bar=\"4000\"/>\
             </suspension>{drag}</vehicle>"
        ))
    };
    for (direction, column, name) in [(90.0, "roll_rad", "roll"), (0.0, "pitch_rad", "pitch")] {
        let wind = format!(
            "<environment class=\"steady_wind\"><speed>25</speed><direction>{direction}</direction></environment>"
        );
        let world = car("<aerodynamics drag_area=\"2\" side_area=\"2\"/>").xml(&wind);
        let workspace = world.workspace();
        let sheet = sheet(&workspace, &["world.xml"]);
        let angles = world.run(6.0).column("car", column);
        let rest = angles[angles.len() - 1];
        let swing: Vec<f64> = angles.iter().map(|angle| angle - rest).collect();
        let is_extreme = |at: &usize| {
            (swing[*at] - swing[at - 1]) * (swing[at + 1] - swing[*at]) <= 0.0
                && swing[*at].abs() > 0.02 * swing[0].abs()
        };
        let extremes: Vec<usize> = (1..swing.len() - 1).filter(is_extreme).collect();
        let [first, second, third] = extremes[..3] else { panic!("{extremes:?}") };
        let damped = 1.0 / (0.002 * (third - first) as f64);
        // the logarithmic decrement over half a period is π ζ/√(1 − ζ²)
        let decay = (swing[first] / swing[second]).abs().ln() / std::f64::consts::PI;
        let ratio = decay / (1.0 + decay * decay).sqrt();
        let expected = value(&sheet, &format!("{name}_damping_ratio"));
        close(ratio, expected, 0.01, "damping ratio");
        let natural = value(&sheet, &format!("{name}_frequency"));
        close(damped, natural * (1.0 - expected * expected).sqrt(), 0.005, "frequency");
    }
}

/// The car with wheel travel has the masses of its comments, drives, and spins in the sine with dwell unless its stability
/// control is on.
#[test]
fn the_new_car_with_wheel_travel_is_clean_and_its_control_holds_it() {
    let workspace = Workspace::new("");
    let written = workspace.run(&["new", "my.vehicle.xml", "--car", "--wheel-travel"]);
    assert!(
        written.stdout.contains("wrote my.front.csv\nwrote my.rear.csv\n"),
        "{}",
        written.stdout
    );
    let check = workspace.run(&["check", "my.world.xml"]);
    assert_eq!(check.stdout, "my.world.xml: ok\n", "{}", check.stderr);
    let run = World::of_path(&workspace.path("my.world.xml")).run(5.0);
    assert_eq!(run.warnings, [] as [&str; 0]);
    assert!(run.last("car", "vx_mps") > 2.0 && run.last("car", "omega_radps") > 0.02);
    let sheet = sheet(&workspace, &["my.vehicle.xml"]);
    for (key, expected) in
        [("mass", 1500.0), ("yaw_inertia", 2400.0), ("share_of_the_front_axle", 0.55)]
    {
        close(value(&sheet, key), expected, 2e-3, key);
    }
    assert!((1.0..2.0).contains(&value(&sheet, "heave_frequency")));
    let dwell =
        |file: &str| workspace.run(&["manoeuvre", "sine-with-dwell", "--vehicle", file]).code;
    let car = std::fs::read_to_string(workspace.path("my.vehicle.xml")).unwrap();
    let held = car
        .replace("<esc enabled=\"false\"/>", "<esc enabled=\"true\" characteristic_speed=\"34\"/>");
    assert_ne!(car, held);
    std::fs::write(workspace.path("held.vehicle.xml"), held).unwrap();
    assert_eq!((dwell("my.vehicle.xml"), dwell("held.vehicle.xml")), (1, 0));
    let alone = workspace.run(&["new", "other.world.xml", "--wheel-travel"]);
    assert!(alone.code == 2 && alone.stderr.contains("--car"), "{}", alone.stderr);
}

/// Eigenvalues of `car1500`, rolling straight at 20 m/s, of an independent implementation of the same equations
/// (`plugins/cars/tests/reference/modes.csv`): heave −3.10342 ± 7.51335 i, pitch −4.03186 ± 8.28265 i and roll
/// −4.13488 ± 5.95939 i, 1/s. The understeer gradient is compared with a drive.
#[test]
fn a_car_with_wheel_travel_has_loads_modes_and_gradients() {
    let car = |dynamics: &str| {
        format!(
            "<vehicle:class name=\"car\"><dynamics class=\"car_14dof\" {dynamics}>\
             <controller class=\"pedals\"/></dynamics><friction class=\"tmeasy\"/></vehicle:class>"
        )
    };
    let workspace = Workspace::new("");
    let reference = "tyre_stiffness=\"322835.509417808\" equations=\"shim_ghike\" tyres=\"tmeasy\"";
    std::fs::write(workspace.path("reference.xml"), car(reference)).unwrap();
    let sheet_of = |file: &str| sheet(&workspace, &[file, "--speed", "72"]);
    let found = sheet_of("reference.xml");
    for (name, re, im) in
        [("heave", -3.10342, 7.51335), ("pitch", -4.03186, 8.28265), ("roll", -4.13488, 5.95939)]
    {
        let natural = f64::hypot(re, im);
        let frequency = value(&found, &format!("{name}_frequency"));
        close(frequency, natural / std::f64::consts::TAU, 1e-3, name);
        close(value(&found, &format!("{name}_damping_ratio")), -re / natural, 2e-3, name);
    }
    // 1,500 kg, 1.2 m in front of and 1.5 m behind the centre of mass
    close(
        value(&found, "load_of_the_front_axle"),
        9.81 * (1340.0 * 1.5 / 2.7 + 80.0),
        1e-3,
        "load",
    );
    close(value(&found, "centre_of_mass_height"), 0.5231, 5e-3, "height");
    std::fs::write(workspace.path("car.xml"), car("front_anti_roll_bar=\"20000\"")).unwrap();
    let found = sheet_of("car.xml");
    assert!(value(&found, "roll_frequency") > 1.3, "a bar makes the roll faster");
    let drive = workspace.run(&["manoeuvre", "ISO-4138", "--vehicle", "car.xml"]);
    assert_eq!(drive.code, 0, "{}", drive.stderr);
    let gradient = value(&found, "understeer_gradient");
    close(metric(&drive.stdout, "understeer gradient"), gradient, 0.15, "understeer gradient");
    let reason = found["values"]["roll_inertia_of_the_body"]["reason"].as_str().unwrap();
    assert!(reason.contains("simhost/car_14dof computes its springs"), "{reason}");
}

#[test]
fn values_that_a_vehicle_does_not_have_are_left_out_with_a_reason() {
    let workspace = Workspace::new(
        "<mvsim_world version=\"1.0\">\
         <vehicle name=\"robot\"><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/></vehicle>\
         <vehicle name=\"point\"><init_pose>0 3 0</init_pose><dynamics class=\"kinematic_single_track\"><controller class=\"steering_rate_acceleration\"/></dynamics></vehicle>\
         </mvsim_world>",
    );
    let reason = |vehicle: &str, key: &str| {
        let sheet = sheet(&workspace, &["world.xml", "--vehicle", vehicle]);
        assert!(sheet["values"][key]["value"].is_null(), "{}", sheet["values"][key]);
        sheet["values"][key]["reason"].as_str().unwrap().to_owned()
    };
    assert!(reason("robot", "roll_frequency").contains("no <suspension>"));
    assert!(reason("robot", "steering_ratio").contains("no steered wheel"));
    let stiffness = "cornering_stiffness_of_the_axle_1";
    assert!(reason("robot", stiffness).contains("not proportional to small slip angles"));
    assert!(reason("point", "understeer_gradient").contains("imposed"), "point");
    let several = workspace.run(&["vehicle", "world.xml"]);
    assert!(several.code == 2 && several.stderr.contains("--vehicle: robot, point"));
    let unknown = workspace.run(&["vehicle", "world.xml", "--vehicle", "robto"]);
    assert!(unknown.code == 12 && unknown.stderr.contains("robot"), "{}", unknown.stderr);
    let class = workspace.run(&["vehicle", "world.xml", "--class", "car"]);
    assert!(class.code == 2 && class.stderr.contains("is not a vehicle file"), "{}", class.stderr);
}

#[test]
fn the_page_of_a_car_contains_its_curves_and_needs_no_other_file() {
    let workspace = new_car();
    let outcome = workspace.run(&["vehicle", "my.vehicle.xml", "--out", "car.html"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("understeer gradient"), "{}", outcome.stdout);
    let page = std::fs::read_to_string(workspace.path("car.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 5, "two charts per axle and the handling diagram");
    assert!(!page.contains("src=") && !page.contains("href="));
    let again = workspace.run(&["vehicle", "my.vehicle.xml", "--out", "car.html"]);
    assert_eq!(again.code, 13, "{}", again.stderr);
}

/// `linear` in closed form: camber and toe change by their rates, the roll centre by −1 per travel, and the track by the travel
/// times the slope of both lines to the roll centre.
#[test]
fn the_curves_of_a_linear_suspension_agree_with_its_rates() {
    let workspace = Workspace::new("");
    let car = "<vehicle:class name=\"car\"><dynamics class=\"car_14dof\"><controller class=\"pedals\"/>\
         <suspension class=\"linear\" axle=\"front\" camber=\"-0.5\" camber_gain=\"-20\" toe=\"0.1\" toe_gain=\"3\" \
         roll_centre=\"0.05\" motion_ratio=\"0.8\"/></dynamics><friction class=\"tmeasy\"/></vehicle:class>";
    std::fs::write(workspace.path("car.xml"), car).unwrap();
    let sheet = sheet(&workspace, &["car.xml"]);
    let suspensions = sheet["suspensions"].as_array().unwrap();
    assert_eq!(suspensions.len(), 1, "the rear axle has no suspension: {suspensions:?}");
    assert_eq!(suspensions[0]["axle"], "front axle");
    let track = value(&sheet, "track_of_the_front_axle");
    let curves = &suspensions[0]["curves"];
    let law = |name: &str, z: f64| match name {
        "camber" => (-0.5 - 20.0 * z).to_radians(),
        "toe" => (0.1 + 3.0 * z).to_radians(),
        "roll_centre_height" => 0.05 - z,
        "track_change" => 2.0 * z * (0.05 - z) / (0.5 * track),
        _ => 0.8,
    };
    for (name, unit) in [
        ("camber", "rad"),
        ("toe", "rad"),
        ("roll_centre_height", "m"),
        ("track_change", "m"),
        ("motion_ratio", "1"),
    ] {
        assert_eq!(curves[name]["unit"], unit);
        let points = curves[name]["points"].as_array().unwrap();
        assert_eq!(points.len(), 41, "{name}");
        for point in points {
            let [travel, found] = [0, 1].map(|place| point[place].as_f64().unwrap());
            assert!((found - law(name, travel)).abs() < 1e-9, "{name} at {travel}: {found}");
        }
        assert_eq!(points[0][0], -0.08);
        assert_eq!(points[40][0], 0.08);
    }
    let page = workspace.run(&["vehicle", "car.xml", "--out", "car.html"]);
    assert_eq!(page.code, 0, "{}", page.stderr);
    let page = std::fs::read_to_string(workspace.path("car.html")).unwrap();
    assert_eq!(page.matches("over the travel of both wheels of the front axle").count(), 5);
}
