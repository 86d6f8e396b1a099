//! The examples of the book with weather: rain on a curve, and a van in side wind.

use crate::support::Table;
use crate::support::golden::picture;
use crate::support::plot::{self, Line};
use crate::support::world::World;

/// Checks that 1, 2 and 4 threads and a resumed run give the same results, and returns the quantities.
fn checked(name: &str, seconds: f64) -> Table {
    World::example(name).repeats(4.0, seconds).table("quantities.csv").clone()
}

#[test]
fn a_car_leaves_a_wet_curve_unless_it_slows_down() {
    let table = checked("rain_curve", 24.0);
    let time = table.numbers("time_s");
    let radius = |name: &str| -> Vec<f64> {
        let [x, y] = [0, 1].map(|axis| table.numbers(&format!("{name}/pose[{axis}] [m]")));
        x.iter().zip(&y).map(|(x, y)| x.hypot(*y)).collect()
    };
    let (steady, careful) = (radius("steady"), radius("careful"));
    let at = |seconds: f64| time.iter().position(|time| *time >= seconds).unwrap();
    let (dry, wet) = (at(4.4), at(10.0));
    let farthest = |radius: &[f64]| radius.iter().copied().fold(0.0, f64::max);
    assert!(farthest(&steady[..dry]) < 27.0, "{}", farthest(&steady[..dry]));
    assert!(farthest(&careful) < 28.0, "{}", farthest(&careful));
    assert!(farthest(&steady) > 35.0, "{}", farthest(&steady));

    // the depth approaches rate × drain time, and a wheel below the cloud feels it
    let depth = table.numbers("world/environment/cloud/depth [m]");
    let expected = 5e-3 * (1.0 - (-time[wet] / 10.0_f64).exp());
    assert!((depth[wet] / expected - 1.0).abs() < 1e-2, "{} {expected}", depth[wet]);
    let mu = table.numbers("careful/wheel/fl/mu_override [1]");
    assert_eq!(mu[at(1.0)], -1.0);
    let under = 0.35 + 0.45 * (-depth[wet] / 1e-3_f64).exp();
    assert!((mu[wet] - under).abs() < 1e-9, "{} {under}", mu[wet]);

    let lines = [Line::new("steady", &time, &steady), Line::new("careful", &time, &careful)];
    let title = "Two cars on a circle of 25 m, with rain from the west";
    let axes = ["time, s", "distance from the centre of the circle, m"];
    picture("rain-curve.svg", &plot::svg(title, axes, &lines));
}

#[test]
fn side_wind_turns_a_van_with_the_centre_of_pressure_ahead() {
    let table = checked("side_wind", 7.0);
    let way = |name: &str, lane: f64| -> (Vec<f64>, Vec<f64>) {
        let [x, y] = [0, 1].map(|axis| table.numbers(&format!("{name}/pose[{axis}] [m]")));
        (x, y.iter().map(|y| y - lane).collect())
    };
    let vans = [("front", 0.0), ("middle", 20.0), ("rear", 40.0)];
    let ways = vans.map(|(name, lane)| way(name, lane));
    let ends = ways.each_ref().map(|(_, y)| *y.last().unwrap());
    // with the wind, further with the centre of pressure ahead, and against it with that behind
    assert!(ends[0] > 2.0 * ends[1] && ends[1] > 0.0 && ends[2] < ends[1], "{ends:?}");
    // it is calm before the bridge
    let wind = table.numbers("front/wind_y [m/s]");
    let before = ways[0].0.iter().position(|x| *x > 45.0).unwrap();
    assert!(wind[..before].iter().all(|speed| *speed == 0.0));
    assert!(wind.iter().any(|speed| *speed > 10.0));

    let names = ["centre of pressure ahead", "at the centre of mass", "behind"];
    let lines: Vec<Line> =
        names.iter().zip(&ways).map(|(name, (x, y))| Line::new(name, x, y)).collect();
    let axes = ["way, m", "offset to the left, m"];
    let title = "Three vans on a bridge, with wind from the right at 50 m to 130 m";
    picture("side-wind.svg", &plot::svg(title, axes, &lines));
}
