//! Springs, dampers and stops.

use proptest::prelude::*;
use simhost_suspension::force_file::{self, CurveAxis};
use simhost_suspension::springs::{DamperForce, SpringForce, Stop};

const BUMP: Stop = Stop { clearance: 0.06, stiffness: 1e5, progression: 4e6 };
const REBOUND: Stop = Stop { clearance: 0.08, stiffness: 5e4, progression: 0.0 };

fn spring() -> SpringForce {
    let points = [[-0.1, -2500.0], [0.0, 0.0], [0.05, 1500.0], [0.1, 3500.0]];
    SpringForce::new(&points, [BUMP, REBOUND]).unwrap()
}

#[test]
fn stops_are_progressive() {
    assert_eq!(BUMP.at(0.06), [0.0, 0.0]);
    let [force, stiffness] = BUMP.at(0.07);
    assert!((force - (1e5 * 0.01 + 0.5 * 4e6 * 1e-4)).abs() < 1e-9);
    assert!((stiffness - 1.4e5).abs() < 1e-6);
}

#[test]
fn ride_height_sets_the_preload() {
    let spring = spring().at_ride_height(4200.0);
    assert_eq!(spring.at(0.0)[0], 4200.0);
    assert_eq!(spring.preload(), 4200.0);
    let linear = SpringForce::linear(
        3e4,
        [Stop { clearance: 1.0, ..BUMP }, Stop { clearance: 1.0, ..REBOUND }],
    );
    let [force, stiffness] = linear.unwrap().preloaded(100.0).at(-0.02);
    assert!((force + 500.0).abs() < 1e-9 && (stiffness - 3e4).abs() < 1e-9);
}

proptest! {
    #[test]
    fn stiffness_is_the_derivative_of_the_force(compression in -0.2..0.2_f64) {
        let spring = spring().preloaded(300.0);
        let h = 1e-7;
        let difference = (spring.at(compression + h)[0] - spring.at(compression - h)[0]) / (2.0 * h);
        let [_, stiffness] = spring.at(compression);
        prop_assert!(stiffness >= 0.0);
        let is_at_a_stop = (compression - BUMP.clearance).abs() <= h || (compression + REBOUND.clearance).abs() <= h;
        prop_assert!(is_at_a_stop || (stiffness - difference).abs() < 5.0, "{stiffness} {difference}");
    }

    #[test]
    fn dampers_lose_energy(speed in -3.0..3.0_f64) {
        let damper = DamperForce::new(&[[-1.0, -2500.0], [-0.1, -700.0], [0.05, 150.0], [1.0, 900.0]]).unwrap();
        prop_assert!(damper.at(speed)[0] * speed >= 0.0);
        prop_assert_eq!(damper.at(0.0)[0], 0.0);
    }
}

proptest! {
    /// Files are untrusted: any text gives points or an error, and any points a force or an error.
    #[test]
    fn any_file_is_read_or_refused(text in "[a-z_,0-9.\n #-]{0,200}", rows in "([-0-9.e]{1,6},[-0-9.e]{1,6}\n){0,9}") {
        _ = force_file::parse(&text, CurveAxis::Speed);
        for axis in [CurveAxis::Compression, CurveAxis::Speed] {
            let name = if axis == CurveAxis::Speed { "speed" } else { "compression" };
            if let Ok(points) = force_file::parse(&format!("{name},force\n{rows}"), axis) {
                _ = SpringForce::new(&points, [BUMP, REBOUND]);
                _ = DamperForce::new(&points);
            }
        }
    }
}

#[test]
fn invalid_curves_are_refused() {
    let stops = [BUMP, REBOUND];
    let spring = |points: &[[f64; 2]]| SpringForce::new(points, stops).unwrap_err().to_string();
    assert_eq!(
        spring(&[[0.0, 0.0], [0.05, 1500.0], [0.1, 1200.0]]),
        "the spring force decreases from 1500 N to 1200 N between 0.05 m and 0.1 m, expected a stiffness of at \
         least 0; correct point 3"
    );
    assert_eq!(
        spring(&[[0.0, 0.0], [0.05, 1500.0], [0.04, 2000.0]]),
        "point 3 of the spring curve is at 0.04 m after 0.05 m, expected increasing values; sort the points"
    );
    assert_eq!(
        spring(&[[0.0, 0.0]]),
        "the spring curve has 1 points, expected at least 2; add points"
    );
    assert!(
        spring(&[[0.0, 0.0], [f64::NAN, 1.0]]).contains("point 2 of the spring curve is (NaN, 1)")
    );
    assert_eq!(
        SpringForce::linear(-3e4, stops).unwrap_err().to_string(),
        "the stiffness of a spring in N/m is -30000, expected a finite value above 0"
    );
    let soft = Stop { stiffness: -1.0, ..BUMP };
    let error = SpringForce::linear(3e4, [soft, REBOUND]).unwrap_err().to_string();
    assert_eq!(
        error,
        "the stiffness of a stop in N/m is -1, expected a finite value of at least 0"
    );
    let damper = |points: &[[f64; 2]]| DamperForce::new(points).unwrap_err().to_string();
    assert_eq!(
        damper(&[[-1.0, 200.0], [1.0, 900.0]]),
        "the damper force is 200 N at -1 m/s, expected a force with the sign of the speed, so that the damper loses \
         energy; correct point 1"
    );
    assert_eq!(
        damper(&[[0.1, 700.0], [0.5, 600.0]]),
        "the damper force decreases from 700 N to 600 N between 0.1 m/s and 0.5 m/s, expected a damping of at least 0; \
         correct point 2"
    );
    assert!(damper(&[[0.0, 50.0]]).starts_with("the damper force is 50 N at 0 m/s"));
}
