//! Cars with wheel travel in a world: ground, friction, suspensions, snapshots and errors.

mod books;

use crate::support::world::{Model, Vehicle, World, model, vehicle};

const CLASSES: [&str; 2] = ["car_14dof", "car_7dof"];

fn car(dynamics: Model) -> Vehicle {
    vehicle(dynamics).controller("pedals").friction("tmeasy")
}

fn linear(axle: &str) -> String {
    format!(
        "<suspension class=\"linear\" axle=\"{axle}\" roll_centre=\"0.06\" camber_gain=\"-20\" \
         toe_gain=\"2\" anti_dive=\"0.05\"/>"
    )
}

/// Brakes hold a car on a slope, with any tyre.
#[test]
fn a_braked_car_stands_on_a_slope() {
    for class in CLASSES {
        for friction in ["tmeasy", "default", "fiala"] {
            let braked = model("pedals").set("brake_torque", 8000);
            let standing = vehicle(class).controller(braked).friction(friction);
            let run = World::new().step(0.002).slope(8.0).vehicle("car", standing.pose(0, 0, 30));
            let run = run.every(1.0).run(8.0);
            let table = run.table("trajectory.csv");
            for axis in ["x_m", "y_m"] {
                let path = table.numbers(axis);
                let moved = path[8] - path[4];
                assert!(moved.abs() < 1e-6, "{class} with {friction}: {moved} m");
            }
        }
    }
}

/// Returns how far a braked car moves on a slope of 10 %, after it has settled for a minute, m.
fn creep(class: &str, duration: f64) -> f64 {
    let braked = model("pedals").set("brake_torque", 8000);
    let standing = vehicle(class).controller(braked).friction("tmeasy");
    let world = World::new().step(0.005).slope(0.1_f64.atan().to_degrees());
    let run = world.vehicle("car", standing.pose(0, 0, 30)).every(60.0).run(duration);
    let table = run.table("trajectory.csv");
    let [x, y] = ["x_m", "y_m"].map(|axis| {
        let path = table.numbers(axis);
        path[path.len() - 1] - path[1]
    });
    x.hypot(y)
}

#[test]
fn a_braked_car_does_not_creep_on_a_slope() {
    for class in CLASSES {
        let moved = creep(class, 180.0);
        assert!(moved < 1e-5, "{class}: {moved} m");
    }
}

#[test]
#[ignore = "takes several minutes"]
fn a_braked_car_stands_on_a_slope_for_an_hour() {
    for class in CLASSES {
        let moved = creep(class, 3600.0);
        assert!(moved < 1e-3, "{class}: {moved} m");
    }
}

/// A car that meets a kerb of 60 mm loses energy and stands on it afterwards.
#[test]
fn a_kerb_takes_energy() {
    let kerb = "<element class=\"horizontal_plane\"><x_min>5</x_min><x_max>200</x_max>\
        <y_min>-10</y_min><y_max>10</y_max><z>0.06</z></element>";
    for class in CLASSES {
        let moving = car(model(class)).pose(0, 0, 0).velocity(8, 0, 0);
        let world = World::new().step(0.001).xml(kerb).vehicle("car", moving);
        let run = world.every(0.005).run(6.0);
        let [vx, z] = ["vx_mps", "z_m"].map(|name| run.column("car", name));
        let last = vx.len() - 1;
        assert!((z[last] - 0.06).abs() < 2e-3, "{class}: {} m", z[last]);
        let specific = |row: usize| 0.5 * vx[row] * vx[row] + 9.81 * z[row];
        assert!(specific(last) < specific(0), "{class}: {} m/s", vx[last]);
        assert!(vx[last] > 5.0, "{class}: {} m/s", vx[last]);
    }
}

/// The weight of the car rests on its wheels, on a slope as on the level.
#[test]
fn a_car_in_the_air_falls_and_lands() {
    for class in CLASSES {
        let dropped = car(model(class)).xml(
            "<init_pose3d>0 0 0.5 0 4 3</init_pose3d><skip_elevation_adjust>true</skip_elevation_adjust>",
        );
        let run = World::new().step(0.001).vehicle("car", dropped).every(0.05).run(6.0);
        let table = run.table("trajectory.csv");
        let heights = table.numbers("z_m");
        let lowest = heights.iter().copied().fold(0.0, f64::min);
        assert!((-0.3..-0.05).contains(&lowest), "{class}: {lowest} m");
        let last = |column: &str| *table.numbers(column).last().unwrap();
        for column in ["z_m", "pitch_rad", "roll_rad"] {
            assert!(last(column).abs() < 1e-4, "{class}: {column} {}", last(column));
        }
    }
}

/// A run continues from a snapshot as if it had not stopped, and does not depend on the number of threads.
#[test]
fn a_car_repeats_from_a_snapshot() {
    for class in CLASSES {
        let guided = model(class).xml(&linear("front")).xml("<suspension class=\"none\"/>");
        let world =
            World::new().step(0.002).vehicle("car", car(guided).pose(0, 0, 0).velocity(15, 0, 0));
        let world = world.command(0.5, "car", "pedals", &[500.0, 0.0, 0.03]);
        let world = world.record("car/**");
        let run = world.repeats(1.0, 2.0);
        assert!(
            run.table("trajectory.csv").numbers("roll_rad").iter().any(|roll| roll.abs() > 0.01)
        );
    }
}

/// A suspension that leaves the wheels as they are changes nothing but the place where lateral forces act.
#[test]
fn suspensions_steer_and_lean_the_wheels() {
    let turned = |xml: &str| {
        let car = car(model("car_14dof").xml(xml)).pose(0, 0, 0).velocity(15, 0, 0);
        World::new().step(0.002).vehicle("car", car).run(2.0).last("car", "yaw_rad")
    };
    let toed =
        |left: f64| turned(&format!("<suspension class=\"linear\" axle=\"rear\" toe=\"{left}\"/>"));
    assert!(turned("").abs() < 1e-9 && toed(0.3).abs() < 1e-9, "{} and {}", turned(""), toed(0.3));
    // a rack without steering of the class turns the wheels by the toe alone
    let rack = "<rack_ratio>0.15</rack_ratio>\
        <suspension class=\"linear\" axle=\"front\" steer_gain=\"382\"/>";
    let by_rack = |xml: &str| {
        let pedals = model("pedals").set("steer_ang_deg", 2);
        let car = vehicle(model("car_14dof").xml(xml)).controller(pedals).friction("tmeasy");
        let world = World::new().step(0.002).vehicle("car", car.pose(0, 0, 0).velocity(15, 0, 0));
        world.run(2.0).last("car", "yaw_rad")
    };
    let [steered, racked] = [by_rack("<steering>parallel</steering>"), by_rack(rack)];
    assert!(steered > 0.3 && (racked / steered - 1.0).abs() < 0.05, "{steered} and {racked}");
}

fn refused(dynamics: Model) -> String {
    let world = World::new().vehicle("car", car(dynamics).pose(0, 0, 0));
    let errors = world.errors();
    errors.into_iter().map(|error| error.text).collect::<Vec<_>>().join("\n")
}

#[test]
fn wrong_cars_are_refused_with_the_reason() {
    let car = || model("car_14dof");
    let suspension =
        |attributes: &str| car().xml(&format!("<suspension class=\"none\"{attributes}/>"));
    for (wrong, part) in [
        (car().set("front_stiffness", -20000), "front_stiffness"),
        (car().set("tyre_stiffness", 0), "tyre_stiffness"),
        (suspension(" axle=\"middle\""), "unknown axle `middle`"),
        (suspension("").xml("<suspension class=\"none\"/>"), "duplicate suspension"),
        (model("ackermann").xml("<suspension class=\"none\"/>"), "has no wheel travel"),
        (car().xml("<suspension class=\"liner\"/>"), "linear"),
        (car().set("front_spring", "missing.csv"), "missing.csv"),
        (car().xml("<front_bump_stop stiffness=\"-1\"/>"), "stiffness"),
        (car().set("rear_preload", 0).set("rear_stiffness", 500), "springs"),
        (car().xml("<suspension class=\"linear\" motion_ratio=\"-1\"/>"), "motion_ratio"),
    ] {
        let text = refused(wrong);
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
}

/// The aligning moments of tyres turn the car, and load a vertical kingpin through the contact point alone.
#[test]
fn aligning_moments_load_kingpins() {
    let pedals = model("pedals").set("steer_ang_deg", 2);
    for class in CLASSES {
        let tyre = model("magic_formula").set("coefficients", "QDZ1 0.1; QBZ1 10; QCZ1 1.2");
        let turning = vehicle(class).controller(pedals.clone()).friction(tyre);
        let world = World::new().step(0.001).record("car/wheel/*/*_moment");
        let run = world.vehicle("car", turning.pose(0, 0, 0).velocity(15, 0, 0)).run(1.0);
        let table = run.table("quantities.csv");
        for wheel in ["fl", "fr"] {
            let last = |name: &str| {
                *table.numbers(&format!("car/wheel/{wheel}/{name} [N·m]")).last().unwrap()
            };
            let [aligning, kingpin] = ["aligning_moment", "kingpin_moment"].map(last);
            assert!(aligning < -10.0, "{class}: {aligning} N·m at {wheel}");
            let difference = (kingpin - aligning).abs();
            assert!(difference < 1e-9, "{class}: {kingpin} and {aligning} N·m at {wheel}");
        }
    }
}
