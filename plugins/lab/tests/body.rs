//! The rigid body of the driving lab against closed forms. Numbers come from its checklist.

use simhost_lab::body::Body;
use simhost_lab::contact::{GroundPlane, WheelInput};
use simhost_lab::four_mass_body::{FourMassBody, Inputs};
use simhost_sdk::Motion;
use simhost_sdk::ports::{Attitude, PlanarVelocity};
use simhost_sdk::prelude::*;
use simhost_sdk::testing;
use simhost_sdk::vectors::Vec3;

const G: f64 = 9.81;

fn car(given: &[(&str, f64)]) -> FourMassBody {
    testing::dynamics(given)
}

/// No air and no rolling resistance.
const FREE: [(&str, f64); 4] = [
    ("drag_coefficient", 0.0),
    ("rolling_constant", 0.0),
    ("rolling_pressure", 0.0),
    ("rolling_speed", 0.0),
];

/// Returns the inputs of a car that moves forwards, m/s.
fn moving(vx: f64) -> Inputs {
    Inputs { velocity: PlanarVelocity { vx, ..PlanarVelocity::default() }, ..resting() }
}

fn resting() -> Inputs {
    Inputs { gravity: G, ..Inputs::default() }
}

fn is_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

/// Drives a car on level ground for `seconds` in steps of `dt`.
fn drive(car: &FourMassBody, inputs: &Inputs, body: &mut Body, seconds: f64, dt: f64) {
    for _ in 0..(seconds / dt).round() as usize {
        let wheels = car.wheel_inputs(inputs, body, &Step::new(0.0, dt));
        car.advance(body, &wheels, inputs.gravity, dt);
    }
}

/// Wheels that the ground does not reach.
fn in_the_air() -> [WheelInput; 4] {
    let ground = GroundPlane { point: Vec3::new(0.0, 0.0, -1e9), normal: Vec3::Z };
    [WheelInput { ground, heading: [1.0, 0.0], ..WheelInput::default() }; 4]
}

#[test]
fn j4_1_masses_of_the_default_car() {
    let masses = *car(&[]).masses();
    assert_eq!(masses.total, 1800.0);
    is_near(masses.centre[0], 0.0811389, 5e-8);
    // the lab's x axis points to the right
    is_near(masses.inertia[1], 3827.658, 5e-4);
    is_near(masses.inertia[0], 1181.3445, 5e-5);
    is_near(masses.inertia[2], 5009.0026, 5e-5);
    assert_eq!(masses.wheel, [425.0, 425.0, 475.0, 475.0]);
}

/// A body that turns about no principal axis: |L| and the energy are constant, the axes orthonormal.
#[test]
fn j4_5_a_body_without_torque_keeps_its_angular_momentum() {
    let car = car(&FREE);
    let spinning = Inputs {
        body_rate_x: 0.5,
        body_rate_y: 1.0,
        velocity: PlanarVelocity { omega: 0.3, ..PlanarVelocity::default() },
        z: 5.0,
        ..resting()
    };
    let mut body = car.begin(&spinning);
    let (momentum, energy) = (body.momentum, body.rotation_energy(car.masses()));
    for _ in 0..10_000 {
        car.advance(&mut body, &in_the_air(), 0.0, 0.01);
    }
    for axis in 0..3 {
        is_near(body.momentum[axis], momentum[axis], 1e-12 * momentum.length());
    }
    is_near(body.rotation_energy(car.masses()) / energy, 1.0, 1e-6);
    let axes = body.rotation.axes();
    for i in 0..3 {
        for j in 0..3 {
            is_near(axes.axes[i].dot(axes.axes[j]), if i == j { 1.0 } else { 0.0 }, 1e-12);
        }
    }
    let [x, y, z] = axes.axes;
    is_near(x.cross(y).dot(z), 1.0, 1e-12);
    // it has turned by more than a revolution, not about a fixed axis
    let omega = axes.invert(Body::omega(car.masses(), &axes, body.momentum));
    assert!((omega[0] - 0.5).abs() > 0.01, "{omega:?}");
}

#[test]
fn j4_6_a_force_through_the_centre_of_mass_turns_nothing() {
    let car = car(&[]);
    let mut body = car.begin(&Inputs { z: 5.0, ..moving(40.0) });
    for _ in 0..100 {
        car.advance(&mut body, &in_the_air(), G, 0.01);
    }
    assert!(body.momentum.length() < 1e-9, "{:?}", body.momentum);
    assert!(body.velocity[0] < 39.9);
}

#[test]
fn j4_7_a_free_fall_is_exact() {
    for dt in [0.001, 0.01, 0.033] {
        let car = car(&FREE);
        let mut body = car.begin(&Inputs { z: 100.0, ..resting() });
        let steps = 60;
        for _ in 0..steps {
            car.advance(&mut body, &in_the_air(), G, dt);
        }
        let time = f64::from(steps) * dt;
        is_near(car.motion(&body).z, 100.0 - 0.5 * G * time * time, 1e-10);
        is_near(car.motion(&body).vz, -G * time, 1e-10);
    }
}

/// No command, no motion: velocities stay exactly zero.
#[test]
fn j5_a_car_at_rest_stays_there() {
    for yaw in [0.0, 0.3, 2.0] {
        let car = car(&[]);
        let at = Inputs {
            x: 3.0,
            y: -4.0,
            attitude: Attitude { yaw, ..Attitude::default() },
            ..resting()
        };
        let mut body = car.begin(&at);
        let before = body;
        drive(&car, &at, &mut body, 2.0, 0.01);
        assert_eq!((body.velocity, body.momentum), (Vec3::ZERO, Vec3::ZERO));
        assert_eq!(body.position, before.position);
    }
}

/// Rolls down a slope of 10° with 1.70349 m/s², and stays on it.
#[test]
fn j5_2_a_slope_accelerates_with_g_sin_and_nothing_off_the_slope() {
    let (slope, car) = (10_f64.to_radians(), car(&FREE));
    let (sin, cos) = slope.sin_cos();
    let mut body = car
        .begin(&Inputs { attitude: Attitude { pitch: slope, ..Attitude::default() }, ..resting() });
    let normal = Vec3::new(sin, 0.0, cos);
    let ground = GroundPlane { point: Vec3::ZERO, normal };
    let wheels = [WheelInput { ground, heading: [1.0, 0.0], ..WheelInput::default() }; 4];
    for _ in 0..200 {
        car.advance(&mut body, &wheels, G, 0.01);
    }
    is_near(body.velocity.dot(Vec3::new(cos, 0.0, -sin)) / 2.0, 1.70349, 5e-6);
    is_near(body.velocity.dot(normal), 0.0, 1e-9);
    // with brakes it stays where it is
    let mut body = car
        .begin(&Inputs { attitude: Attitude { pitch: slope, ..Attitude::default() }, ..resting() });
    let wheels = wheels.map(|wheel| WheelInput { brake: 1800.0, ..wheel });
    for _ in 0..200 {
        car.advance(&mut body, &wheels, G, 0.01);
    }
    assert!(body.velocity.length() < 1e-4, "{:?}", body.velocity);
}

/// Lateral deceleration of a car that slides sideways.
#[test]
fn j5_6_side_friction_is_limited_by_the_load() {
    for (road, bound) in [("dry", 6.867), ("wet", 3.924)] {
        let car: FourMassBody = testing::written_dynamics(&[
            ("road", road),
            ("drag_coefficient", "0"),
            ("wheel_radius", "0.001"),
        ]);
        let mut body = car.begin(&Inputs {
            velocity: PlanarVelocity { vy: 8.0, ..PlanarVelocity::default() },
            ..resting()
        });
        drive(&car, &resting(), &mut body, 0.2, 0.01);
        let deceleration = (8.0 - body.velocity[1]) / 0.2;
        assert!(deceleration <= bound * (1.0 + 1e-3), "{road}: {deceleration}");
        assert!(deceleration >= bound * 0.99, "{road}: {deceleration}");
    }
}

#[test]
fn j5_7_the_motor_gives_the_acceleration_that_it_is_set_to() {
    for driven in ["all", "front", "rear"] {
        let mut given = FREE.map(|(name, _)| (name, "0")).to_vec();
        given.push(("driven", driven));
        let car: FourMassBody = testing::written_dynamics(&given);
        let inputs = Inputs { motor: 1.5, ..resting() };
        let mut body = car.begin(&inputs);
        drive(&car, &inputs, &mut body, 2.0, 0.01);
        is_near(car.motion(&body).planar.vx, 3.0, 2e-3);
    }
}

/// Brakes of 5 m/s² stop a car from 20 m/s in 4.0 s and 40.0 m, for steps of any length.
#[test]
fn j5_8_brakes_stop_the_car_and_do_not_turn_it_round() {
    for dt in [0.001, 0.01, 1.0 / 30.0] {
        let car = car(&FREE);
        let brakes = Inputs {
            brake_front_left: 5.0,
            brake_front_right: 5.0,
            brake_rear_left: 5.0,
            brake_rear_right: 5.0,
            ..resting()
        };
        let mut body = car.begin(&moving(20.0));
        let (mut time, mut stopped) = (0.0, f64::NAN);
        while time < 6.0 {
            drive(&car, &brakes, &mut body, dt, dt);
            time += dt;
            let motion = car.motion(&body);
            assert!(motion.planar.vx > -0.02, "{}", motion.planar.vx);
            if stopped.is_nan() && body.velocity[0] <= 1e-6 {
                stopped = time;
            }
        }
        is_near(stopped, 4.0, 0.004 + dt);
        is_near(body.position[0] - car.masses().centre[0], 40.0, 0.04);
        is_near(body.velocity.length(), 0.0, 1e-6);
    }
}

/// From 30 m/s on level ground with drag and rolling resistance: 205.16 s and 2350.3 m.
#[test]
fn j5_9_coast_down() {
    let car = car(&[]);
    let mut body = car.begin(&moving(30.0));
    let (mut steps, dt) = (0, 0.01);
    while body.velocity[0] > 0.0 && steps < 30_000 {
        drive(&car, &resting(), &mut body, dt, dt);
        steps += 1;
    }
    is_near(f64::from(steps) * dt, 205.16, 0.205);
    is_near(body.position[0] - car.masses().centre[0], 2350.3, 2.35);
}

/// A straight drive stays straight, and after a corner it is straight again.
#[test]
fn j5_a_car_drives_straight_and_turns() {
    let car = car(&[]);
    let inputs = Inputs { motor: 1.0, ..resting() };
    let mut body = car.begin(&inputs);
    drive(&car, &inputs, &mut body, 5.0, 0.01);
    let Motion { y, yaw, vx, .. } = car.motion(&body).planar;
    assert!(y.abs() < 1e-6 && yaw.abs() < 1e-9, "{y} {yaw}");
    assert!(vx > 4.0, "{vx}");
    drive(&car, &Inputs { steer: 0.1, ..resting() }, &mut body, 3.0, 0.01);
    let turning = car.motion(&body);
    // the radius of the reference point, in the middle between the axles
    let radius = 2.921 / 0.1_f64.tan();
    is_near(turning.planar.omega, turning.planar.vx / radius, 0.01 * turning.planar.omega);
    assert!(turning.roll > 0.0 && turning.planar.yaw > 0.3, "{turning:?}");
    drive(&car, &resting(), &mut body, 2.0, 0.01);
    let straight = car.motion(&body);
    assert!(straight.planar.omega.abs() < 1e-4, "{straight:?}");
}

/// Braking moves the load to the front: the nose goes down.
#[test]
fn braking_pitches_the_car() {
    let car = car(&FREE);
    let brakes = Inputs { brake_front_left: 5.0, brake_front_right: 5.0, ..resting() };
    let mut body = car.begin(&moving(20.0));
    drive(&car, &brakes, &mut body, 1.0, 0.01);
    let found = car.motion(&body).pitch;
    // moment at the contact points against the springs of both axles
    let moment = 950.0 * 5.0 * 0.3334;
    let stiffness = 4.0 * 200_000.0 * 1.4605_f64.powi(2);
    assert!(
        found > 0.0 && (found - moment / stiffness).abs() < 0.2 * moment / stiffness,
        "{found}"
    );
}
