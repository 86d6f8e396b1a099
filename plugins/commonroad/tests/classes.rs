//! The classes of the models: reaction to a velocity that the host sets.

use simhost_commonroad::adapter::Adapter;
use simhost_commonroad::classes::{multi_body::MultiBody, single_track::SingleTrack};
use simhost_commonroad::embedding::{self, Model};
use simhost_commonroad::models::multi_body::place;
use simhost_sdk::Motion;
use simhost_sdk::testing;

const AT: Motion = Motion { x: 1.0, y: 2.0, yaw: 0.5, vx: -3.0, vy: 0.4, omega: 0.2 };

#[test]
fn a_push_is_taken_over() {
    let Adapter(st): SingleTrack = testing::dynamics(&[]);
    let mut state = [0.0, 0.0, 0.1, 5.0, 0.5, 0.3, 0.01];
    st.take_over(&mut state, &AT);
    let taken = embedding::motion(&st, &state);
    for (found, expected) in [(taken.vx, AT.vx), (taken.vy, AT.vy), (taken.omega, AT.omega)] {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
    assert_eq!(state[2], 0.1);
    let Adapter(mb): MultiBody = testing::dynamics(&[]);
    let mut state = mb.begin(&Motion { vx: 5.0, ..AT });
    let before = state;
    mb.take_over(&mut state, &AT);
    let taken = embedding::motion(&mb, &state);
    assert!(
        (taken.vx - AT.vx).abs() + (taken.vy - AT.vy).abs() + (taken.omega - AT.omega).abs()
            < 1e-12
    );
    // the springs are at rest and the spins of the wheels are unchanged
    assert_eq!(state[6..10], [0.0; 4]);
    assert_eq!(state[place::SPIN..place::SPIN + 4], before[place::SPIN..place::SPIN + 4]);
}
