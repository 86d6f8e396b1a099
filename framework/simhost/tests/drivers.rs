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

/// A straight of 100 m, a half circle of 40 m, and a straight back.
#[test]
fn drivers_slow_down_for_a_half_circle() {
    let arc = (1..157).map(|number| 0.02 * f64::from(number));
    let arc = arc.map(|angle| [100.0 + 40.0 * angle.sin(), 40.0 - 40.0 * angle.cos()]);
    let corners = [[0.0, 0.0], [100.0, 0.0]].into_iter().chain(arc).chain([[-50.0, 80.0]]);
    let corner = |[x, y]: [f64; 2]| format!("<corner><x>{x}</x><y>{y}</y></corner>");
    let corners: String = corners.map(corner).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/lane_change.world.xml");
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once("<speed>20</speed>").unwrap();
    let (_, after) = rest.split_once("</controller>").unwrap();
    for driver in ["path_driver", "stanley", "preview"] {
        let settings = "<speed>25</speed><speed_gain>2000</speed_gain>\
                        <lateral_acceleration>3</lateral_acceleration>";
        let text = format!("{before}{settings}{corners}</controller>{after}");
        let text = text.replace("class=\"path_driver\"", &format!("class=\"{driver}\""));
        let mut session = Session::from_text(&text, path, Options::default()).unwrap();
        let (mut least, mut most, mut fastest) = (f64::INFINITY, 0.0_f64, 0.0_f64);
        for _ in 0..250 {
            session.run_steps(20).unwrap();
            let mut values = Vec::new();
            let names = ["car/twist", "car/controller/deviation"];
            session.quantities(names).unwrap().read(session.simulation(), &mut values);
            let deviation = values[values.len() - 1];
            (least, fastest) = (least.min(values[0]), fastest.max(values[0]));
            most = most.max(deviation.abs());
        }
        // √(3 · 40) m/s, less the error that brakes or drives
        assert!((10.7..11.0).contains(&least), "{driver}: {least}");
        assert!(most < 0.5 && (24.0..25.5).contains(&fastest), "{driver}: {most} {fastest}");
    }
}
