//! Drivers on the lane change of `worlds/lane_change.world.xml`, in cars with motors on the front wheels, with an engine, and with
//! wheel travel.

#![allow(clippy::unwrap_used)]

use simhost::{Options, Session};

/// Returns the greatest distance to the path, and the distance at the end, m.
fn deviations(dynamics: &str, driver: &str) -> [f64; 2] {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/lane_change.world.xml");
    let text = std::fs::read_to_string(path).unwrap();
    let text = text
        .replace("class=\"ackermann\"", &format!("class=\"{dynamics}\""))
        .replace("class=\"path_driver\"", &format!("class=\"{driver}\""));
    let mut session = Session::from_text(&text, path, Options::default()).unwrap();
    let [mut most, mut last] = [0.0_f64; 2];
    for _ in 0..180 {
        session.run_steps(10).unwrap();
        let mut values = Vec::new();
        let deviation = session.quantities(["car/controller/deviation"]).unwrap();
        deviation.read(session.simulation(), &mut values);
        (most, last) = (most.max(values[0].abs()), values[0].abs());
    }
    [most, last]
}

/// The path has corners, which no car can follow: its lateral shift of 3.5 m within 30 m takes 1.5 s.
#[test]
fn drivers_change_lanes_at_20_m_per_s() {
    for dynamics in ["ackermann", "ackermann_drivetrain", "car_14dof", "car_7dof"] {
        let [pursuit, stanley, preview] =
            ["path_driver", "stanley", "preview"].map(|driver| deviations(dynamics, driver));
        for [most, last] in [pursuit, stanley, preview] {
            assert!(most > 0.2 && most < 0.75 && last < 0.06, "{dynamics}: {most} {last}");
        }
        // the driver with a model of the car settles best
        assert!(preview[1] < 0.02 && preview[0] < 0.65, "{dynamics}: {preview:?}");
    }
}
