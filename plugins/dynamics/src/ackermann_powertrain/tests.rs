#![allow(clippy::unwrap_used)]

use simhost_sdk::testing::{self, Platform, step};

use super::*;
use crate::powertrain::coupling::{Clutch, Shaft};
use crate::powertrain::differential::Kind;

fn driver(throttle: f64, brake: f64, gear: f64) -> PowertrainControls {
    PowertrainControls { throttle, brake, steer: 0.0, gear }
}

fn made(source: Source) -> AckermannPowertrain {
    AckermannPowertrain { source, ..testing::dynamics(&[("final_drive", 4.0)]) }
}

#[test]
fn engine_torque_reaches_the_driven_wheels_through_all_ratios() {
    let model = made(Source::Engine);
    let mut car = Platform::new(&model);
    // 20 rad/s of the wheels are 288 rad/s of the engine in first gear
    car.roll(4.0, 0.0);
    let wheels = car.drive(&driver(1.0, 0.0, 1.0), &step()).wheels;
    let expected = model.engine.torque(1.0, 288.0, step().dt) * 3.6 * 0.96 * 4.0 * 0.97;
    assert!((wheels[0] - 0.5 * expected).abs() < 1e-9, "{wheels:?}");
    assert_eq!([wheels[1], wheels[2], wheels[3]], [wheels[0], 0.0, 0.0]);
    let measured = car.measure();
    assert!((measured.engine_speed - 288.0).abs() < 1e-9);
    assert!((measured.engine_speed_rpm - 2750.197).abs() < 1e-3);
    assert_eq!((measured.gear, measured.state_of_charge), (1.0, 0.0));
}

#[test]
fn all_wheels_share_after_the_centre_differential() {
    let model = AckermannPowertrain { driven: Axles::All, ..made(Source::Engine) };
    let mut car = Platform::new(&model);
    car.roll(4.0, 0.0);
    let wheels = car.drive(&driver(1.0, 0.0, 1.0), &step()).wheels;
    assert!(wheels.iter().all(|torque| *torque == wheels[0] && *torque > 0.0), "{wheels:?}");
}

#[test]
fn reverse_and_neutral() {
    for source in [Source::Engine, Source::Electric] {
        let model = made(source);
        let mut car = Platform::new(&model);
        assert!(car.drive(&driver(1.0, 0.0, -1.0), &step()).wheels[0] < 0.0);
        assert_eq!(car.measure().gear, -1.0);
        assert_eq!(car.drive(&driver(1.0, 0.0, 0.0), &step()).wheels, [0.0; 4]);
        assert_eq!(car.measure().gear, 0.0);
    }
}

#[test]
fn the_motor_brakes_first_and_charges_the_battery() {
    let model = made(Source::Electric);
    let mut car = Platform::new(&model);
    car.roll(4.0, 0.0);
    let before = car.measure().state_of_charge;
    // 120 N·m at the motor are 120 · 4/0.97 at the wheels
    let driven = car.drive(&driver(0.0, 0.05, 1.0), &step());
    assert!((driven.wheels[0] + driven.wheels[1] + 300.0).abs() < 1e-9, "{:?}", driven.wheels);
    assert_eq!(driven.brake, [0.0; 4]);
    let driven = car.drive(&driver(0.0, 0.5, 1.0), &step());
    let electric = 120.0 * 4.0 / 0.97;
    assert!((driven.wheels[0] + 0.5 * electric).abs() < 1e-9, "{:?}", driven.wheels);
    assert!((driven.brake.iter().sum::<f64>() - (3000.0 - electric)).abs() < 1e-9);
    assert!((driven.brake[2] - 0.3 * (3000.0 - electric)).abs() < 1e-9);
    assert!(car.measure().state_of_charge > before);
}

#[test]
fn a_full_battery_leaves_it_to_the_brakes() {
    let mut model = made(Source::Electric);
    model.battery.initial_charge = 1.0;
    let mut car = Platform::new(&model);
    car.roll(4.0, 0.0);
    let driven = car.drive(&driver(0.0, 0.5, 1.0), &step());
    assert_eq!(driven.wheels, [0.0; 4]);
    assert!((driven.brake.iter().sum::<f64>() - 3000.0).abs() < 1e-9);
}

#[test]
fn an_empty_battery_gives_no_torque() {
    let mut model = made(Source::Electric);
    model.battery.initial_charge = 0.0;
    let mut car = Platform::new(&model);
    for speed in [0.0, 4.0] {
        car.roll(speed, 0.0);
        assert_eq!(car.drive(&driver(1.0, 0.0, 1.0), &step()).wheels, [0.0; 4]);
    }
    assert_eq!(car.measure().state_of_charge, 0.0);
}

#[test]
fn motor_torque_reaches_the_wheels_and_draws_on_the_battery() {
    let model = made(Source::Electric);
    let mut car = Platform::new(&model);
    car.roll(4.0, 0.0);
    let before = car.measure().state_of_charge;
    let step = step();
    let wheels = car.drive(&driver(0.5, 0.0, 1.0), &step).wheels;
    // 20 rad/s of the wheels are 80 rad/s of the motor, below its corner
    assert!((wheels[0] + wheels[1] - 125.0 * 4.0 * 0.97).abs() < 1e-9, "{wheels:?}");
    let power = 125.0 * 80.0 / 0.92;
    let current = 2.0 * power / (400.0 + f64::sqrt(160e3 - 0.4 * power));
    let drawn = (before - car.measure().state_of_charge) * 50e3 * 3600.0;
    assert!((drawn - 400.0 * current * step.dt).abs() < 1e-6, "{drawn}");
    assert!((car.measure().engine_speed - 80.0).abs() < 1e-9);
}

#[test]
fn a_centre_differential_divides_and_locks_the_axles() {
    let mut model = AckermannPowertrain { driven: Axles::All, ..made(Source::Electric) };
    model.center_differential = Differential::with(Kind::Electronic, 0.4, 30.0);
    let mut car = Platform::new(&model);
    car.roll(4.0, 0.0);
    let axles = |wheels: &[f64]| [wheels[2] + wheels[3], wheels[0] + wheels[1]];
    let torque = 125.0 * 4.0 * 0.97;
    let [front, rear] = axles(&car.drive(&driver(0.5, 0.0, 1.0), &step()).wheels);
    // equal speeds stay equal: the lock takes the unequal shares back as far as it can
    assert!((front - (0.4 * torque + 30.0)).abs() < 1e-9, "{front}");
    assert!((front + rear - torque).abs() < 1e-9);
    // front wheels that turn far faster give torque to the rear ones
    (car.wheels[2].spin, car.wheels[3].spin) = (60.0, 60.0);
    let power = 250.0 * 4.0 * (0.4 * 60.0 + 0.6 * 20.0);
    assert!(power < 100e3);
    let [front, rear] = axles(&car.drive(&driver(0.5, 0.0, 1.0), &step()).wheels);
    assert!((front - (0.4 * torque - 30.0)).abs() < 1e-9, "{front} {rear}");
}

/// J i² of the gear that is engaged, divided like the torque; none while the clutch slips, in neutral,
/// or during a gear change.
#[test]
fn the_engine_adds_its_inertia_to_the_driven_wheels() {
    let mut model = made(Source::Engine);
    model.engine.inertia = 0.3;
    let mut car = Platform::new(&model);
    assert_eq!(car.drive(&driver(0.0, 0.0, 1.0), &step()).drive_inertia, [0.0; 4]);
    car.roll(4.0, 0.0);
    let reflected = 0.3 * (3.6 * 4.0) * (3.6 * 4.0);
    let added = car.drive(&driver(1.0, 0.0, 1.0), &step()).drive_inertia;
    assert!((added[0] - 0.5 * reflected).abs() < 1e-9, "{added:?}");
    assert_eq!([added[1], added[2], added[3]], [added[0], 0.0, 0.0]);
    assert_eq!(car.drive(&driver(1.0, 0.0, 0.0), &step()).drive_inertia, [0.0; 4]);
    car.drive(&driver(1.0, 0.0, 1.0), &step());
    // 40 rad/s of the wheels are 576 rad/s of the engine: it shifts up
    car.roll(8.0, 0.0);
    while car.measure().gear < 2.0 {
        car.drive(&driver(1.0, 0.0, 1.0), &step());
    }
    assert_eq!(car.drive(&driver(1.0, 0.0, 1.0), &step()).drive_inertia, [0.0; 4]);
}

#[test]
fn the_motor_adds_its_inertia_at_all_speeds() {
    let mut model = AckermannPowertrain { driven: Axles::All, ..made(Source::Electric) };
    model.motor.inertia = 0.1;
    model.center_differential = Differential::with(Kind::Open, 0.4, 0.0);
    let mut car = Platform::new(&model);
    let added = car.drive(&driver(0.0, 0.0, 0.0), &step()).drive_inertia;
    for (wheel, expected) in [0.3, 0.3, 0.2, 0.2].into_iter().enumerate() {
        assert!((added[wheel] - expected * 0.1 * 16.0).abs() < 1e-12, "{added:?}");
    }
}

/// With a clutch the engine keeps its speed while the vehicle pulls away, and its inertia does not
/// act on the wheels before the clutch locks.
#[test]
fn a_clutch_separates_the_engine_until_it_locks() {
    let given = [("final_drive", 4.0)];
    let mut model = AckermannPowertrain { ..testing::dynamics(&given) };
    model.engine.inertia = 0.3;
    model.clutch = Clutch::with(250.0, 200.0);
    let mut car = Platform::new(&model);
    let idle = model.engine.idle_speed();
    for _ in 0..200 {
        car.drive(&driver(1.0, 0.0, 1.0), &step());
    }
    let driven = car.drive(&driver(1.0, 0.0, 1.0), &step());
    assert!(car.measure().engine_speed > 1.2 * idle);
    assert_eq!(driven.drive_inertia, [0.0; 4]);
    let torque = driven.wheels[0] + driven.wheels[1];
    assert!(torque > 0.0 && torque <= 250.0 * 3.6 * 4.0 * 0.96 * 0.97 + 1e-9, "{torque}");
    // the wheels catch up
    let speed = car.measure().engine_speed;
    car.roll(0.2 * speed / (3.6 * 4.0), 0.0);
    for _ in 0..20 {
        car.drive(&driver(0.5, 0.0, 1.0), &step());
    }
    assert_eq!(*car.state("locked"), 1.0);
    let added = car.drive(&driver(0.5, 0.0, 1.0), &step()).drive_inertia;
    assert!((added[0] - 0.5 * 0.3 * (3.6 * 4.0) * (3.6 * 4.0)).abs() < 1e-9, "{added:?}");
}

/// A motor with elastic shafts: the torque of the wheels is the torque of the twist.
#[test]
fn elastic_shafts_carry_the_torque_of_the_motor() {
    let mut model = made(Source::Electric);
    model.motor.inertia = 0.05;
    model.shaft = Shaft::with(9000.0, 120.0);
    let mut car = Platform::new(&model);
    car.roll(4.0, 0.0);
    *car.state("engine") = 80.0;
    *car.state("locked") = 1.0;
    let first = car.drive(&driver(0.5, 0.0, 1.0), &step());
    let torque = 125.0 * 4.0 * 0.97;
    assert!(first.wheels[0] + first.wheels[1] < 0.6 * torque, "{:?}", first.wheels);
    let mut wheels = first.wheels;
    for _ in 0..4000 {
        wheels = car.drive(&driver(0.5, 0.0, 1.0), &step()).wheels;
    }
    assert!((wheels[0] + wheels[1] - torque).abs() < 1e-6, "{wheels:?}");
    assert!((*car.state("twist") - torque / 9000.0).abs() < 1e-9);
    assert_eq!(car.drive(&driver(0.5, 0.0, 1.0), &step()).drive_inertia, [0.0; 4]);
}

#[test]
fn a_clutch_without_inertia_is_refused() {
    let mut model = made(Source::Engine);
    model.clutch = Clutch::with(250.0, 200.0);
    model.engine.inertia = 0.0;
    let told = model.prepare().unwrap_err();
    assert!(told.contains("<inertia> of <engine> is 0"), "{told}");
    model.engine.inertia = 0.2;
    assert_eq!(model.prepare(), Ok(()));
}
