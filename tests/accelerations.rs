//! Accelerations and directions of motion, which are quantities of every vehicle.

use crate::support::world::{World, differential, model, vehicle};

/// Ports of a command and their values.
type Commands = &'static [(&'static str, f64)];

/// Vehicles of all ways to be driven, which accelerate in turns.
const MOVING: [(&str, &str, Commands); 8] = [
    ("differential", "twist_pid", &[("V", 2.0), ("W", 40.0)]),
    ("differential_4_wheels", "twist_ideal", &[("V", 1.0), ("W", -30.0)]),
    ("ackermann", "twist_front_steer_pid", &[("V", 4.0), ("W", 30.0)]),
    ("ackermann_powertrain", "pedals", &[("throttle", 0.5), ("steer_ang_deg", 8.0)]),
    ("double_track", "wheel_torques", &[]),
    ("ideal_steer_acc", "planning_raw", &[]),
    ("single_track_drift", "steering_rate_acceleration", &[]),
    ("four_mass_body", "actuator_targets", &[("MOTOR", 1.0), ("STEER_ANG", 5.0)]),
];

/// Only plots computed them, from rows of a file, so that no metric, stream or session had them.
#[test]
fn accelerations_and_sideslip_are_those_of_the_velocities_of_every_vehicle() {
    for (class, controller, values) in MOVING {
        for substeps in [1, 3] {
            let controller = values
                .iter()
                .fold(model(controller), |model, (name, value)| model.set(name, value));
            let car = vehicle(class).controller(controller).pose(0, 0, 20).velocity(3, 0.2, 10);
            let world = World::new().step(0.01).set("substeps", substeps).vehicle("r", car);
            let run = world.record("r/*").run(1.0);
            let table = run.table("quantities.csv");
            let of = |name: &str| table.numbers(name);
            let has = |name: &str| table.header.iter().any(|one| one == name);
            let [vx, vy] = ["r/twist[0] [m/s]", "r/twist[1] [m/s]"].map(of);
            let omega = of("r/twist[2] [rad/s]");
            let centre = |name: &str| if has(name) { of(name)[1] } else { 0.0 };
            let [x, y] = ["r/centre_x [m]", "r/centre_y [m]"].map(centre);
            let along: Vec<f64> = vx.iter().zip(&omega).map(|(v, rate)| v - rate * y).collect();
            let across: Vec<f64> = vy.iter().zip(&omega).map(|(v, rate)| v + rate * x).collect();
            let (forward, leftward) =
                (of("r/longitudinal_acceleration [m/s²]"), of("r/lateral_acceleration [m/s²]"));
            let sideslip = of("r/sideslip [rad]");
            for k in 1..vx.len() {
                let mean = |of: &[f64]| 0.5 * (of[k - 1] + of[k]);
                let rate = |of: &[f64]| (of[k] - of[k - 1]) / 0.01;
                let expected = [
                    rate(&along) - omega[k] * mean(&across),
                    rate(&across) + omega[k] * mean(&along),
                ];
                for (found, expected) in [forward[k], leftward[k]].into_iter().zip(expected) {
                    let near = 1e-9 + (omega[k] * (omega[k] - omega[k - 1])).abs() * x.hypot(y);
                    assert!(
                        (found - expected).abs() <= near,
                        "{class} {substeps} {k}: {found} {expected}"
                    );
                }
                let angle = across[k].atan2(along[k].abs());
                assert!((sideslip[k] - angle).abs() < 1e-12, "{class}: {} {angle}", sideslip[k]);
            }
            let most = leftward[1..].iter().fold(0.0, |most: f64, one| most.max(one.abs()));
            assert!(most > 0.05, "{class} turns: {most}");
            assert!(leftward.iter().chain(&forward).all(|one| one.is_finite()));
        }
    }
}

/// On a circle of 2 m/s and 0.5 rad/s, a body at the reference point has 1 m/s²; each wheel moves across itself.
#[test]
fn a_circle_has_the_acceleration_and_the_slip_angles_of_its_radius() {
    let ideal = model("twist_ideal").set("V", 2.0).set("W", 0.5f64.to_degrees());
    let robot = vehicle("differential").controller(ideal).pose(0, 0, 0);
    let run = World::new().step(0.01).vehicle("r", robot).record("r/**").run(1.0);
    let last = |name: &str| *run.table("quantities.csv").numbers(name).last().unwrap();
    let [x, y] = [last("r/centre_x [m]"), last("r/centre_y [m]")];
    assert!((last("r/lateral_acceleration [m/s²]") - (1.0 - 0.25 * y)).abs() < 1e-9);
    assert!((last("r/longitudinal_acceleration [m/s²]") + 0.25 * x).abs() < 1e-9);
    assert!((last("r/sideslip [rad]") - (0.5 * x).atan2(2.0 - 0.5 * y)).abs() < 1e-9);
    for wheel in ["l", "r"] {
        let of = |name: &str| last(&format!("r/wheel/{wheel}/{name}"));
        let expected = (0.5 * of("x [m]")).atan2(2.0 - 0.5 * of("y [m]"));
        assert!((of("slip_angle [rad]") - expected).abs() < 1e-9, "{wheel}");
    }
}

#[test]
fn a_vehicle_at_rest_has_no_acceleration_and_no_direction_and_a_metric_can_use_them() {
    let rest = differential().pose(0, 0, 0);
    let run = World::new().step(0.01).vehicle("r", rest).record("r/*").run(0.1);
    for name in
        ["lateral_acceleration [m/s²]", "longitudinal_acceleration [m/s²]", "sideslip [rad]"]
    {
        let values = run.table("quantities.csv").numbers(&format!("r/{name}"));
        assert!(values.iter().all(|value| value.abs() < 1e-9), "{name}: {values:?}");
    }
    let workspace = World::new().step(0.01).vehicle("r", differential().pose(0, 0, 0)).workspace();
    let arguments = ["world.xml", "--duration", "0.2", "--members", "2", "--out", "out"];
    let metrics = ["--metric", "max:r/lateral_acceleration", "--metric", "final:r/sideslip"];
    let outcome = workspace.run(&[&arguments[..], &metrics].concat());
    assert_eq!(outcome.code, 0, "{}{}", outcome.stdout, outcome.stderr);
}
