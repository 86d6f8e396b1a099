use super::*;

/// Parameters of the tests of Autoware `simple_planning_simulator` 1.0.0.
const OF_TESTS: Mechanism = Mechanism {
    kp: 386.915,
    ki: 5.461,
    kd: 0.036,
    ff_gain: 0.031,
    angle_limit: 10.0,
    rate_limit: 3.0,
    dead_zone_threshold: 0.007,
    poly_a: 0.153,
    poly_b: -0.173,
    poly_c: 1.590,
    poly_d: 0.002,
    poly_e: -0.042,
    poly_f: 0.184,
    poly_g: -0.063,
    poly_h: 0.187,
    inertia: 25.178,
    damping: 117.007,
    stiffness: 0.175,
    friction: 0.660,
    steering_torque_limit: 30.0,
    torque_delay_time: 0.001,
};

/// Parameters of the sample of Autoware `simple_planning_simulator` 1.0.0.
fn of_sample() -> Mechanism {
    let values: Vec<_> = Mechanism::PARAMS.iter().map(|param| param.default).collect();
    Mechanism::read(&values)
}

/// Returns angle and rate after each of these numbers of steps at 5 m/s with the target 0.1 rad.
fn run(mechanism: &Mechanism, counts: &[usize]) -> Vec<[f64; 2]> {
    let (mut state, mut line, mut found) = (Steered::default(), Line::default(), Vec::new());
    for step in 1..=200 {
        mechanism.repeat(&mut state, &mut line, 0.1, 5.0, 0.025);
        if counts.contains(&step) {
            found.push([state.angle, state.rate]);
        }
    }
    found
}

#[test]
fn the_mechanism_repeats_the_source() {
    let found = run(&OF_TESTS, &[1, 2, 3, 5, 10, 20, 40, 80, 200]);
    let expected = [
        0.0,
        0.000350464107122,
        0.00135008351645,
        0.00501977012633,
        0.0214258669515,
        0.0710768292158,
        0.101639848546,
        0.100694231244,
        0.100942571164,
    ];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found[0] - expected).abs() <= 1e-9 * expected, "{found:?} {expected}");
    }
    assert!((found[3][1] - 0.0932012621443).abs() < 1e-10);
    let sample = run(&of_sample(), &[20, 40, 200]);
    for (found, expected) in sample.iter().zip([0.0710771704453, 0.101670384567, 0.101023361991]) {
        assert!((found[0] - expected).abs() <= 1e-9 * expected, "{found:?} {expected}");
    }
}

#[test]
fn the_corrected_mechanism_settles_at_its_target() {
    let mechanism = of_sample();
    for speed in [0.0, 5.0, 20.0] {
        let (mut state, mut line) = (Steered::default(), Line::default());
        for _ in 0..400 {
            mechanism.follow(&mut state, &mut line, 0.0, speed, 0.025);
        }
        assert_eq!(state.angle, 0.0, "no torque where nothing is commanded");
        for _ in 0..2000 {
            mechanism.follow(&mut state, &mut line, 0.1, speed, 0.025);
        }
        assert!((state.angle - 0.1).abs() < 2e-3, "{} at {speed} m/s", state.angle);
    }
}

#[test]
fn the_limit_of_the_rate_holds_in_every_step() {
    let mechanism = Mechanism { rate_limit: 0.2, ..of_sample() };
    let (mut state, mut line) = (Steered::default(), Line::default());
    for step in 1..=20 {
        mechanism.follow(&mut state, &mut line, 0.5, 0.0, 0.025);
        assert!((state.target - 0.005 * f64::from(step)).abs() < 1e-12);
        assert!(state.rate.abs() <= 0.2);
    }
}
