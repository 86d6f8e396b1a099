//! The order of each integrator, and that it changes nothing else.

#![allow(clippy::print_stdout, reason = "orders are printed")]

use crate::support::projects;
use crate::support::world::World;

const CAR: &str = "<chassis mass=\"1000\" zmin=\"0.2\" zmax=\"1.2\"><shape><pt>-0.8 -1</pt><pt>1.8 -1</pt>\
    <pt>1.8 1</pt><pt>-0.8 1</pt></shape></chassis>\
    <controller class=\"pedals\"><drive_torque>300</drive_torque><steer_ang_deg>4</steer_ang_deg></controller>";

/// A car that accelerates in a turn, starting at 12 m/s.
fn turning(friction: &str, more: &str) -> String {
    format!(
        "<vehicle name=\"car\"><init_pose>0 0 0</init_pose><init_vel>12 0 0</init_vel>\
         <dynamics class=\"ackermann\">{CAR}</dynamics>\
         <friction class=\"{friction}\"/>{more}</vehicle>"
    )
}

fn world(integrator: &str, dt: f64, content: &str) -> World {
    let world = World::new().step(dt).set("integrator", integrator).xml(content);
    match content.contains("class=\"raw\"") {
        true => world.command(0.0, "car", "torque", &[1.0, 1.1]),
        false => world,
    }
}

/// Returns values of the car after two seconds.
fn end(integrator: &str, dt: f64, content: &str, wanted: &[&str]) -> Vec<f64> {
    let run = world(integrator, dt, content).every(2.0).run(2.0);
    wanted.iter().map(|name| run.last("car", name)).collect()
}

const PLACE: [&str; 5] = ["x_m", "y_m", "yaw_rad", "vx_mps", "omega_radps"];

/// Returns the errors with time steps of 10 and 5 ms against a reference with short steps.
fn errors(integrator: &str, content: &str) -> [f64; 2] {
    let truth = end("extrapolated", 0.000_312_5, content, &PLACE);
    let errors = [0.01, 0.005].map(|dt: f64| {
        let found = end(integrator, dt, content, &PLACE);
        found.iter().zip(&truth).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    });
    let [coarse, fine] = errors;
    println!("{integrator}: {coarse:.2e} at 10 ms, {fine:.2e} at 5 ms, order {:.2}", order(errors));
    errors
}

fn order([coarse, fine]: [f64; 2]) -> f64 {
    (coarse / fine).log2()
}

/// Loads lag the forces by a step; with the centre of mass on the ground they are constant.
const LOW: [&str; 2] = ["zmax=\"1.2\"", "zmax=\"1.2\" cg_height=\"0\""];
const NEUTRAL: [&str; 2] = ["<drive_torque>300", "<drive_torque>0"];

#[test]
fn extrapolation_is_of_second_order() {
    for tyre in ["fiala", "tmeasy", "burckhardt"] {
        let content = [LOW, NEUTRAL]
            .into_iter()
            .fold(turning(tyre, ""), |content, [from, to]| content.replace(from, to));
        let [first, second] = ["euler", "extrapolated"].map(|name| errors(name, &content));
        assert!((order(first) - 1.0).abs() < 0.1, "{tyre}: {first:?}");
        assert!((order(second) - 2.0).abs() < 0.3, "{tyre}: {second:?}");
    }
}

#[test]
fn with_loads_that_shift_it_is_much_nearer_still() {
    for tyre in ["tmeasy", "burckhardt"] {
        for content in [turning(tyre, ""), turning(tyre, "").replace(NEUTRAL[0], NEUTRAL[1])] {
            let [first, second] = ["euler", "extrapolated"].map(|name| errors(name, &content));
            assert!(second[1] < 0.2 * first[1], "{tyre}: {first:?} {second:?}");
        }
    }
}

#[test]
fn books_balance_and_a_restored_run_goes_on_the_same() {
    let world = world("extrapolated", 0.01, &turning("lugre", ""));
    let run = world.clone().energy().run(2.0);
    let books = run.table("energy.csv");
    let last = |name: &str| books.last(name);
    let change = last("kinetic_j") - books.numbers("kinetic_j")[0];
    let works = ["motor_j", "brake_j", "slip_j", "rolling_j", "damping_j", "drag_j", "contact_j"];
    let work: f64 = works.iter().map(|name| last(name)).sum();
    let turned_over = works.iter().map(|name| last(name).abs()).fold(0.0, f64::max);
    assert!((change - work).abs() < 0.01 * turned_over, "{change} J by {work} J");
    assert!(last("contact_j").abs() < 1e-6, "it touched nothing");

    world.repeats(1.0, 2.0);
}

/// Bodies in contact are moved by the whole step.
#[test]
fn a_car_against_a_wall_stays_before_it() {
    let block = "<block><init_pose>12 0 0</init_pose><mass>1e6</mass><shape><pt>0 -5</pt><pt>1 -5</pt>\
        <pt>1 5</pt><pt>0 5</pt></shape></block>";
    let content = turning("default", "") + block;
    let content = content.replace("<steer_ang_deg>4", "<steer_ang_deg>0");
    for integrator in ["euler", "extrapolated"] {
        let x = end(integrator, 0.005, &content, &["x_m"])[0];
        // the front of the chassis is 1.8 m ahead
        assert!((x - 10.2).abs() < 0.1, "{integrator}: {x} m");
    }
}

#[test]
fn brakes_hold_on_a_slope() {
    let world = |integrator: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = projects::root().join("worlds/validation/hill_hold.world.xml");
        let text = std::fs::read_to_string(&path).unwrap().replace("car.xml", "CAR");
        let text = text.replace("CAR", path.with_file_name("car.xml").to_str().unwrap());
        let chosen = format!("<integrator>{integrator}</integrator><duration>");
        let text = text.replace("<duration>", &chosen);
        std::fs::write(folder.path().join("hill_hold.world.xml"), text).unwrap();
        let commands = path.with_file_name("hill_hold.commands.csv");
        std::fs::copy(commands, folder.path().join("hill_hold.commands.csv")).unwrap();
        let run = World::of_file(folder.path(), "hill_hold").every(1.0).run(55.0);
        let table = run.table("trajectory.csv");
        ["x_m", "y_m"].map(|name| {
            let values = table.numbers(name);
            values.iter().map(|value| (value - values[0]).abs()).fold(0.0, f64::max)
        })
    };
    for integrator in ["euler", "extrapolated"] {
        let creep = world(integrator);
        assert!(creep.iter().all(|creep| *creep < 1e-3), "{integrator}: {creep:?}");
    }
}

/// Vehicles that turn while they speed up, by the classes of their dynamics and their friction.
fn manoeuvre(class: &str, friction: &str, more: &str) -> String {
    let controller = match class {
        "ackermann_powertrain" => {
            "<controller class=\"pedals\"><throttle>0.3</throttle><steer_ang_deg>3</steer_ang_deg><gear>2</gear></controller>"
        }
        "ackermann" | "ackermann_drivetrain" => {
            "<controller class=\"pedals\"><drive_torque>100</drive_torque><steer_ang_deg>3</steer_ang_deg></controller>"
        }
        _ => "<controller class=\"raw\"/>",
    };
    let speed = if class.starts_with("ackermann") { 10 } else { 1 };
    format!(
        "<vehicle name=\"car\"><init_pose>0 0 0</init_pose><init_vel>{speed} 0 0</init_vel>\
         <dynamics class=\"{class}\">{controller}{more}</dynamics><friction class=\"{friction}\"/></vehicle>"
    )
}

/// Friction classes that `extrapolated` accepts.
const SMOOTH: [&str; 7] =
    ["default", "wardiagnemma", "fiala", "tmeasy", "magic_formula", "burckhardt", "lugre"];

#[test]
fn the_book_shows_the_order_of_every_class() {
    let mut table = format!("| Class | {} |\n|---|{}\n", SMOOTH.join(" | "), "---|".repeat(7));
    // an actuator acts once per step, so that its steps limit the order
    let lag = "<steering><lag>0.1</lag></steering>";
    for (class, more, note) in [
        ("differential", "", ""),
        ("differential_4_wheels", "", ""),
        ("ackermann", "", ""),
        ("ackermann", lag, " with a steering lag of 0.1 s"),
        ("ackermann_drivetrain", "", ""),
        ("ackermann_powertrain", "", ""),
    ] {
        let cell = |friction: &&str| {
            let content = manoeuvre(class, friction, more);
            let [first, second] = ["euler", "extrapolated"].map(|name| errors(name, &content));
            let gain = first[1] / second[1];
            // the default stiffness of `fiala` is that of a lorry, not of a robot of 15 kg
            let least = if (class, *friction) == ("differential", "fiala") { 0.8 } else { 1.8 };
            assert!(gain > least, "{class}, {friction}: {first:?} {second:?}");
            format!("{:.1}, {gain:.1} ×", order(second))
        };
        let cells: Vec<String> = SMOOTH.iter().map(cell).collect();
        table += &format!("| {class}{note} | {} |\n", cells.join(" | "));
    }
    let path = projects::root().join("docs/src/forces.md");
    let book = std::fs::read_to_string(&path).unwrap();
    let [start, end] = ["<!-- orders -->\n\n", "<!-- end -->"];
    let (before, rest) = book.split_once(start).unwrap();
    let (_, after) = rest.split_once(end).unwrap();
    let expected = format!("{before}{start}{table}\n{end}{after}");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
}

#[test]
fn classes_whose_steps_cannot_be_extrapolated_are_refused_with_the_reason() {
    for (class, friction, line, reason) in [
        ("ackermann", "ellipse", "<vehicle", "its grip jumps where the slip changes its sign"),
        ("differential_3_wheels", "tmeasy", "<vehicle", "it turns its casters once per step"),
    ] {
        let world = world("extrapolated", 0.005, &manoeuvre(class, friction, ""));
        world.fails(line, &[reason, "<integrator>euler</integrator>"]);
    }
}
