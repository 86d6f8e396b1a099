//! Properties of a squall.

use simhost_sdk::prelude::*;
use simhost_sdk::testing;
use template_name::{TemplateName, Weather};

const START: f64 = 1.0;
const SPEED: f64 = 12.0;
const DURATION: f64 = 4.0;
const WET_MU: f64 = 0.3;

fn squall() -> TemplateName {
    testing::environment(&[
        ("start", START),
        ("speed", SPEED),
        ("duration", DURATION),
        ("wet_mu", WET_MU),
    ])
}

/// Returns the wind along y at a time.
fn wind(time: f64) -> f64 {
    let [x, y, z] = squall().wind([3.0, 4.0, 1.0], &Step::new(time, 0.01), &testing::initial());
    assert_eq!([x, z], [0.0; 2]);
    y
}

/// Returns the weather after so many steps of 0.1 s.
fn after(steps: u32) -> Weather {
    let (model, mut state) = (squall(), testing::initial());
    for step in 0..steps {
        model.update(&Step::new(f64::from(step) * 0.1, 0.1), &mut state);
    }
    state
}

#[test]
fn the_gust_rises_and_falls() {
    assert_eq!(wind(0.5 * START), 0.0);
    assert!((wind(START + 0.5 * DURATION) - SPEED).abs() < 1e-9);
    assert!((wind(START + 0.25 * DURATION) - 0.5 * SPEED).abs() < 1e-9);
    assert_eq!(wind(START + DURATION), 0.0);
}

#[test]
fn the_ground_keeps_its_friction_until_it_rains() {
    let mu = |state: &Weather| squall().surface([0.0; 3], &testing::step(), state).mu;
    assert_eq!(mu(&after(10)), None);
    assert!(mu(&after(20)).is_some_and(|mu| mu < 0.8 && mu > WET_MU));
    assert!(mu(&after(100)).is_some_and(|mu| (mu - WET_MU).abs() < 1e-12));
}

#[test]
fn the_share_of_wet_ground_stays_below_one() {
    for steps in [0, 10, 30, 1000] {
        let state = after(steps);
        assert!((0.0..=1.0).contains(&state.wet), "{state:?} after {steps} steps");
    }
}
