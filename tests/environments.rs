//! Environments: wind, ground and gravity against closed-form solutions, and their state.

use std::path::Path;

use crate::support::world::{Model, Vehicle, World, model, vehicle};
use crate::support::{assert_parts, bad_plugins};

/// A car of 1000 kg with four wheels of 2 kg and radius 0.2 m and a track of 1.8 m, in neutral, whose centre of
/// mass is 0.5 m ahead of the rear axle, with parameters of its aerodynamics.
fn car(friction: Model, air: &str) -> Vehicle {
    let dynamics = model("ackermann").set("f_wheels_x", 1).set("f_wheels_d", 1.8).xml(
        "<rl_wheel pos=\"0 0.9\"/><rr_wheel pos=\"0 -0.9\"/>\
         <chassis mass=\"1000\" zmin=\"0.2\" zmax=\"1.2\"><shape><pt>-0.8 -1</pt><pt>1.8 -1</pt>\
         <pt>1.8 1</pt><pt>-0.8 1</pt></shape></chassis>",
    );
    let car = vehicle(dynamics).controller("pedals").friction(friction).pose(0, 0, 0);
    if air.is_empty() { car } else { car.xml(&format!("<aerodynamics {air}/>")) }
}

/// Friction without rolling resistance.
fn rolls(mu: f64) -> Model {
    model("default").set("mu", mu).set("C_damping", 0)
}

/// Returns a car on dry ground.
fn dry(air: &str) -> Vehicle {
    car(rolls(0.8), air)
}

const DRAG: &str = "drag_area=\"3\"";
const MASS: f64 = 1008.0;
/// Half of the density of the air, kg/m³.
const HALF_DENSITY: f64 = 0.5 * 1.225;

/// Returns a world with environments and a car, which records everything about both.
fn world(environments: &str, car: Vehicle) -> World {
    let world = World::new().step(0.005).xml(environments).vehicle("car", car);
    world.record("world/**").record("car/**")
}

/// Runs a world for so many seconds and returns the last values of quantities.
fn last<const N: usize>(world: &World, seconds: f64, names: [&str; N]) -> [f64; N] {
    let run = world.run(seconds);
    names.map(|name| run.table("quantities.csv").last(name))
}

fn close(value: f64, expected: f64, part: f64) {
    assert!((value - expected).abs() <= part * expected.abs(), "{value} instead of {expected}");
}

#[test]
fn tail_wind_accelerates_a_car_towards_its_speed() {
    // M dv/dt = k (w - v)²: the difference falls like w / (1 + k w t / M), M with the wheels' inertia
    let wind = "<environment class=\"steady_wind\"><speed>12</speed></environment>";
    let names = ["car/twist[0] [m/s]", "car/wind_x [m/s]"];
    let [vx, x_wind] = last(&world(wind, dry(DRAG)), 20.0, names);
    let k = HALF_DENSITY * 3.0 / (MASS + 4.0 * 0.5 * 2.0);
    close(vx, 12.0 - 12.0 / (1.0 + k * 12.0 * 20.0), 2e-3);
    assert_eq!(x_wind, 12.0);
}

#[test]
fn winds_add_up() {
    let wind = |direction: i32| {
        format!(
            "<environment class=\"steady_wind\"><speed>8</speed><direction>{direction}</direction>\
             </environment>"
        )
    };
    let world = world(&[wind(0), wind(90), wind(180)].concat(), dry(DRAG));
    let [x, y] = last(&world, 1.0, ["car/wind_x [m/s]", "car/wind_y [m/s]"]);
    assert!(x.abs() < 1e-12 && (y - 8.0).abs() < 1e-12, "{x} {y}");
}

#[test]
fn side_wind_pushes_a_car_aside_and_turns_it() {
    // on ice without friction, for a moment
    let wind = "<environment class=\"steady_wind\"><speed>10</speed><direction>90</direction>\
                </environment>";
    let pushed = |air: &str| {
        let names = [
            "car/twist[1] [m/s]",
            "car/twist[2] [rad/s]",
            "car/yaw_inertia [kg·m²]",
            "car/centre_x [m]",
        ];
        last(&world(wind, car(rolls(0.0), air)), 0.05, names)
    };
    let force = HALF_DENSITY * 4.0 * 100.0;
    let [vy, omega, inertia, centre] = pushed("drag_area=\"1\" side_area=\"4\" pressure_x=\"1.2\"");
    close(omega, 0.05 * force * (1.2 - centre) / inertia, 2e-3);
    close(vy + centre * omega, 0.05 * force / MASS, 2e-3);
    // without a centre of pressure it acts at the centre of mass, and without a side area like drag
    let [vy, omega, ..] = pushed("drag_area=\"4\"");
    assert!(omega.abs() < 1e-12, "{omega}");
    close(vy, 0.05 * force / MASS, 2e-3);
}

#[test]
fn side_wind_shifts_load_by_the_height_of_the_centre_of_pressure() {
    let wind = "<environment class=\"steady_wind\"><speed>20</speed><direction>90</direction>\
                </environment>";
    let names = ["fl", "rl", "fr", "rr"].map(|w| format!("car/wheel/{w}/normal_force [N]"));
    let world = world(wind, dry("side_area=\"4\" pressure_z=\"1.5\""));
    let [fl, rl, fr, rr] = last(&world, 2.0, names.each_ref().map(|n| n.as_str()));
    close(fl + rl - fr - rr, 2.0 * HALF_DENSITY * 4.0 * 400.0 * 1.5 / 1.8, 1e-2);
}

#[test]
fn the_last_environment_wins_for_the_ground_and_a_region_over_all() {
    let ice = |mu: f64, more: &str| {
        format!("<environment class=\"ice\"><mu>{mu}</mu>{more}</environment>")
    };
    let names = ["car/wheel/rl/mu_override [1]", "car/wheel/rl/c_rr_override [1]"];
    let ground = |content: &str| last(&world(content, dry("")), 0.05, names);
    let (first, second) = (ice(0.3, "<c_rr>0.02</c_rr>"), ice(0.2, ""));
    assert_eq!(ground(&first), [0.3, 0.02]);
    // what the last one does not give is that of the one before
    assert_eq!(ground(&format!("{first}{second}")), [0.2, 0.02]);
    assert_eq!(ground(&format!("{second}{first}")), [0.3, 0.02]);
    assert_eq!(ground(&format!("{first}{}", ice(0.2, "<x>20</x>"))), [0.3, 0.02]);
    let region = "<element class=\"property_region\"><x_min>-1</x_min><x_max>0.5</x_max>\
                  <y_min>-2</y_min><y_max>2</y_max><property_name>friction_mu</property_name>\
                  <value_double>0.7</value_double></element>";
    assert_eq!(ground(&format!("{first}{region}")), [0.7, 0.02]);
    let names = ["car/wheel/fl/mu_override [1]", "car/wheel/fl/c_rr_override [1]"];
    let outside = last(&world(&format!("{first}{region}"), dry("")), 0.05, names);
    assert_eq!(outside, [0.3, 0.02]);
}

#[test]
fn gravity_reaches_loads_slopes_and_models() {
    let moon = "<environment class=\"gravity\"><value>1.62</value></environment>";
    let fall = 5.0_f64.to_radians().tan();
    let heights: Vec<_> = (0..201).map(|x| vec![-f64::from(x) * fall; 21]).collect();
    let names = ["fl", "rl", "fr", "rr"].map(|w| format!("car/wheel/{w}/normal_force [N]"));
    let names = names.each_ref().map(|name| name.as_str());
    for profile in ["corrected", "mvsim-1.2"] {
        let run = world(moon, dry("")).profile(profile).run(0.5);
        let table = run.table("quantities.csv");
        close(names.map(|name| table.last(name)).iter().sum(), MASS * 1.62, 1e-9);
        assert_eq!(table.numbers("world/gravity [m/s²]")[0], 1.62);
    }
    // pitch 5° nose down; the wheels' inertia rolls with the car
    let names = ["car/twist[0] [m/s]", "car/slope_ax [m/s²]"];
    let slope = world(moon, dry("")).terrain(&heights, 1.0, [-100.0, -10.0]);
    let [vx, pull] = last(&slope, 4.0, names);
    let expected = 1.62 * 5.0_f64.to_radians().sin();
    // a map holds heights in single precision
    close(pull, expected, 1e-5);
    close(vx, 4.0 * expected * MASS / (MASS + 4.0), 1e-3);
}

#[test]
fn gravity_reaches_falls_and_the_friction_of_blocks() {
    let block = "<block name=\"crate\"><mass>10</mass><ground_friction>0.5</ground_friction>\
                 <init_pose>10 10 0</init_pose><init_vel>2 0 0</init_vel></block>";
    let gravity = "<environment class=\"gravity\"><value>2</value></environment>";
    let world = world(gravity, dry("")).xml(block).record("crate/twist");
    let [vx] = last(&world, 0.5, ["crate/twist[0] [m/s]"]);
    close(vx, 2.0 - 0.5 * 2.0 * 0.5, 1e-6);
}

const WEATHER: &str = "<environment class=\"gusts\" name=\"west\"><deviation>4</deviation>\
    </environment><environment class=\"rain\"><start>0.5</start><c_rr>0.01</c_rr></environment>\
    <environment class=\"gravity\"><value>5</value><start>1</start></environment>";

fn stormy() -> World {
    world(WEATHER, dry("drag_area=\"3\" pressure_x=\"1\""))
}

#[test]
fn states_continue_bit_for_bit_from_a_snapshot_and_on_any_number_of_threads() {
    // the gravity changes in the first step after the snapshot
    let run = stormy().repeats(1.0, 2.0);
    assert_ne!(stormy().seed(9).run(2.0).hashes, run.hashes);
}

#[test]
fn states_are_quantities_and_fade_in() {
    let run = stormy().run(2.0);
    let table = run.table("quantities.csv");
    let column = |name: &str| table.numbers(name);
    let wet = column("world/environment/rain2/wet [1]");
    assert_eq!(wet[50], 0.0);
    close(*wet.last().unwrap(), 1.5 / 5.0, 1e-2);
    let gusts = column("world/environment/west/along [m/s]");
    assert!(gusts.windows(2).all(|pair| pair[0] != pair[1]), "{gusts:?}");
    assert_eq!(column("world/gravity [m/s²]")[100], 9.81);
    assert_eq!(*column("world/gravity [m/s²]").last().unwrap(), 5.0);
}

/// Returns a world with a storm that fails after 50 steps, built with these macros.
fn stopped(name: &str, macros: &[&str], settings: &str) -> World {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("environments").join(name);
    bad_plugins::build_of("storm.c", &folder, "storm", macros);
    let storm = format!("{settings}<environment class=\"storm\" name=\"north\"/>");
    world(&storm, dry(DRAG)).plugins(&folder)
}

#[test]
fn a_fault_is_named_contained_and_replayed() {
    let parts = ["at 0.25 s, environment 'north': test/storm", "the mast broke", "steps = 51"];
    let fault = stopped("stops", &[], "").fault(1.0, &parts);
    assert_parts(&fault.replay().fault.1, &["the mast broke"]);
}

#[test]
fn an_environment_that_faults_is_switched_off() {
    for (name, macros) in
        [("breaks", &[][..]), ("not_finite", &["FAILS=batch->outputs[1][i] = NAN"])]
    {
        let run = stopped(name, macros, "<plugin_faults action=\"disable\"/>").run(1.0);
        let expected = "disabled at 0.25 s, environment 'north'";
        assert_parts(&run.faults.concat(), &[expected]);
        let table = run.table("quantities.csv");
        let wind = table.numbers("car/wind_x [m/s]");
        assert_eq!((wind[40], *wind.last().unwrap()), (10.0, 0.0));
        let clock = table.numbers("world/environment/north/clock [s]");
        close(clock[40], 0.195, 1e-9);
    }
}

#[test]
fn mistakes_in_a_world_file_are_reported_with_the_nearest_name() {
    for (content, parts) in [
        ("<environment class=\"rian\"/>", &["unknown environment class `rian`", "`rain`"][..]),
        ("<environment/>", &["missing `class` in `<environment>`"]),
        (
            "<environment class=\"rain\"><strat>1</strat></environment>",
            &["strat", "did you mean `start`?"],
        ),
        (
            "<environment class=\"rain\"><start>3</start><end>1</end></environment>",
            &["the end, 1 s, is before the start, 3 s"],
        ),
        (
            "<environment class=\"rain\" name=\"a\"/><environment class=\"ice\" name=\"a\"/>",
            &["duplicate environment name: `a`", "give each environment its own name"],
        ),
        ("<environment class=\"laser\"/>", &["`laser` is a sensor"]),
        ("<enviroment class=\"rain\"/>", &["did you mean `environment`?"]),
    ] {
        let errors = world(content, dry("")).errors();
        for part in parts {
            assert!(errors.iter().any(|error| error.text.contains(part)), "{part}: {errors:#?}");
        }
    }
    let calm = "<environment class=\"steady_wind\" name=\"north\"/>";
    let warnings = world(calm, dry("")).warnings().concat();
    assert!(warnings.contains("the wind of environment `north` has no effect"), "{warnings}");
}
