use super::*;

fn gearbox() -> Gearbox {
    Gearbox {
        ratios: vec![4.0, 2.0, 1.0],
        reverse: 3.0,
        efficiency: 0.9,
        automatic: true,
        upshift_speed: 500.0,
        downshift_speed: 200.0,
        shift_time: 0.3,
        hold_time: 0.2,
    }
}

const FIRST: Shift = Shift { gear: 1, rest: -0.2 };

#[test]
fn ratio_and_losses_keep_the_books_of_power() {
    let gearbox = gearbox();
    // 100 N·m at 80 rad/s go in, 7200 W come out at 20 rad/s
    assert!((gearbox.torque(FIRST, 100.0, 80.0) * 20.0 - 7200.0).abs() < 1e-9);
    // dragged, 7200 W at the engine are 8000 W at the wheels
    assert!((gearbox.torque(FIRST, -90.0, 80.0) * 20.0 + 8000.0).abs() < 1e-9);
    let reverse = Shift { gear: -1, rest: 0.0 };
    assert!((gearbox.torque(reverse, 100.0, 30.0) + 270.0).abs() < 1e-9);
    assert_eq!(gearbox.torque(Shift { gear: 0, rest: 0.0 }, 100.0, 30.0), 0.0);
}

#[test]
fn it_shifts_up_and_down_with_hysteresis_and_without_torque_meanwhile() {
    let gearbox = gearbox();
    let next = |shift, output| gearbox.follow(shift, 1.0, [output; 2], 0.1);
    assert_eq!(next(FIRST, 124.0), FIRST);
    let mut shift = next(FIRST, 126.0);
    assert_eq!(shift, Shift { gear: 2, rest: 0.3 });
    assert_eq!(gearbox.torque(shift, 100.0, 250.0), 0.0);
    for _ in 0..3 {
        shift = next(shift, 126.0);
        // it keeps the gear
        assert_eq!(next(shift, 99.0).gear, 2);
    }
    for _ in 0..3 {
        shift = next(shift, 126.0);
    }
    // 252 rad/s in second gear: neither up nor down
    assert_eq!(shift, Shift { gear: 2, rest: -0.2 });
    assert_eq!(next(shift, 99.0).gear, 1);
    assert_eq!(next(Shift { gear: 3, rest: -0.2 }, 1e4).gear, 3);
}

#[test]
fn spinning_wheels_do_not_make_it_shift() {
    let gearbox = gearbox();
    // 220 rad/s are wanted in second gear
    assert_eq!(gearbox.follow(FIRST, 1.0, [150.0, 109.0], 0.1).gear, 1);
    assert_eq!(gearbox.follow(FIRST, 1.0, [150.0, 111.0], 0.1).gear, 2);
    // locked wheels of a vehicle that rolls at 120 rad/s
    let second = Shift { gear: 2, rest: -0.2 };
    assert_eq!(gearbox.follow(second, 1.0, [0.0, 120.0], 0.1).gear, 2);
    assert_eq!(gearbox.follow(second, 1.0, [0.0, 90.0], 0.1).gear, 1);
}

#[test]
fn it_starts_in_the_gear_that_fits_the_speed() {
    let gearbox = gearbox();
    let neutral = Shift { gear: 0, rest: 0.0 };
    for (rolling, gear) in [(-10.0, 1), (0.0, 1), (120.0, 1), (130.0, 2), (300.0, 3), (900.0, 3)] {
        assert_eq!(gearbox.follow(neutral, 1.0, [rolling; 2], 0.1).gear, gear, "{rolling}");
    }
}

#[test]
fn the_driver_has_the_word_by_hand_and_beside_the_forward_gears() {
    let gearbox = Gearbox { automatic: false, ..gearbox() };
    assert_eq!(gearbox.follow(FIRST, 2.0, [0.0; 2], 0.1), Shift { gear: 2, rest: 0.3 });
    assert_eq!(gearbox.follow(FIRST, 9.0, [0.0; 2], 0.1).gear, 3);
    assert_eq!(gearbox.follow(FIRST, 0.0, [0.0; 2], 0.1), Shift { gear: 0, rest: 0.0 });
    let automatic = Gearbox { automatic: true, ..gearbox };
    assert_eq!(automatic.follow(FIRST, -1.0, [0.0; 2], 0.1).gear, -1);
    assert_eq!(automatic.follow(Shift { gear: -1, rest: 0.0 }, 1.0, [0.0; 2], 0.1).gear, 1);
}

#[test]
fn a_box_that_would_hunt_is_refused() {
    let told = |gearbox: Gearbox| {
        let mut gearbox = gearbox;
        gearbox.prepare().err().unwrap_or_default()
    };
    assert_eq!(told(gearbox()), "");
    assert!(told(Gearbox { downshift_speed: 260.0, ..gearbox() }).contains("hunt"));
    assert!(told(Gearbox { ratios: vec![2.0, 2.0], ..gearbox() }).contains("gear 2 has 2"));
    assert!(told(Gearbox { ratios: vec![], ..gearbox() }).contains("at least one"));
}
