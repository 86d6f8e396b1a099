//! Anti-lock brakes, traction control and stability control on a car with TMeasy tyres.

use std::f64::consts::TAU;

use simhost_cars::assisted_pedals::AssistedPedals;
use simhost_cars::brakes::{BrakeCommands, WheelBrakes};
use simhost_cars::car::{Car, CarState, Rest};
use simhost_cars::car_14dof::Car14Dof;
use simhost_cars::equations::{Acting, Equations};
use simhost_cars::tmeasy::TMeasyTyres;
use simhost_sdk::Step;
use simhost_sdk::testing::{Named, Pilot, Vehicle};

use crate::reference::{car1500, rolling};

const DT: f64 = 1e-3;
/// Shares of the brake torque on each wheel, and of the drive torque.
const BRAKES: [f64; 4] = [0.2, 0.2, 0.3, 0.3];
const DRIVE: [f64; 4] = [0.0, 0.0, 0.5, 0.5];

/// What a driver does: drive torque, brake torque, N·m, and steering angle, rad.
#[derive(Clone, Copy, Default)]
struct Driver {
    drive: f64,
    brake: f64,
    steer: f64,
}

/// A car with a controller.
struct Ride {
    car: Car,
    rest: Rest,
    tyres: TMeasyTyres,
    state: CarState,
    pilot: Pilot,
}

impl Ride {
    /// Begins a ride at a speed, m/s, with parameters of the controller.
    fn new(car: Car, tyres: TMeasyTyres, speed: f64, given: &[(&str, &str)]) -> Self {
        let rest = car.rest();
        let state = rolling(&Equations { car: &car, rest: &rest, tyres: &tyres }, speed);
        Self { car, rest, tyres, state, pilot: Pilot::new::<AssistedPedals>(given) }
    }

    fn control(&mut self, driver: Driver) -> Named {
        let [vx, vy, _] = self.state.velocity.to_array();
        let track = self.car.y[2] - self.car.y[3];
        for (name, value) in [
            ("drive_torque", driver.drive),
            ("brake_torque", driver.brake),
            ("steer", driver.steer),
            ("vx", vx),
            ("vy", vy),
            ("omega", self.state.rate.z),
            ("wheel_radius", self.car.radius[0]),
            ("wheelbase", self.car.x[2] - self.car.x[0]),
            ("front_track", track),
        ] {
            self.pilot.inputs.set(name, value);
        }
        self.pilot.wheel_inputs = vec![("spin", self.state.spin.to_vec())];
        self.pilot.control(&Step::new(0.0, DT))
    }

    /// Drives for a step.
    fn step(&mut self, driver: Driver) {
        let command = self.control(driver);
        let of = |part: &str| {
            ["rear_left", "rear_right", "front_left", "front_right"]
                .map(|wheel| command[format!("{part}_{wheel}").as_str()])
        };
        let brakes = BrakeCommands::new(of("brake_release"), of("brake_added"));
        let acting = Acting {
            steer: [0.0, 0.0, command["steer"], command["steer"]],
            torque: DRIVE.map(|share| share * command["torque_engine"]),
            brake: WheelBrakes::from(brakes).torques(BRAKES, command["brake_torque"]),
            ..Acting::NOTHING
        };
        let equations = Equations { car: &self.car, rest: &self.rest, tyres: &self.tyres };
        equations.step(&mut self.state, [&acting; 2], DT);
        // a locked wheel does not turn backwards
        let brake = acting.brake;
        let spin = &mut self.state.spin;
        (0..4)
            .filter(|wheel| brake[*wheel] > 0.0)
            .for_each(|wheel| spin[wheel] = spin[wheel].max(0.0));
    }
}

/// A brake of a wheel keeps what is not released of its share, and adds its own torque.
#[test]
fn cars_brake_single_wheels() {
    let mut car = Vehicle::new::<Car14Dof>(&[("brake_bias", "0.6")]);
    for (name, value) in [
        ("brake_torque", 1000.0),
        ("brake_release_front_left", 0.5),
        ("brake_added_rear_right", 300.0),
    ] {
        car.inputs[name] = value;
    }
    let brakes = car.drive(&Step::new(0.0, DT)).brake;
    for (brake, expected) in brakes.into_iter().zip([200.0, 500.0, 150.0, 300.0]) {
        assert!((brake - expected).abs() < 1e-9, "{brake} N·m, expected {expected} N·m");
    }
}

/// Returns the path and the smallest spin of a wheel, rad/s, above 5 m/s, of a car that brakes from 30 m/s while it
/// steers, and how far it moved aside, m.
fn brake(given: &[(&str, &str)], steer: f64) -> [f64; 3] {
    let (car, tyres) = car1500();
    let mut ride = Ride::new(car, tyres, 30.0, given);
    let mut slowest = f64::INFINITY;
    for _ in 0..10_000 {
        ride.step(Driver { brake: 9000.0, steer, ..Driver::default() });
        let speed = ride.state.velocity.x;
        if speed > 5.0 {
            slowest = ride.state.spin.into_iter().fold(slowest, f64::min);
        }
        if speed < 1.0 {
            let [x, y, _] = ride.state.position.to_array();
            return [x, slowest, y];
        }
    }
    panic!("the car does not stop: {:?}", ride.state);
}

/// Wheels lock without anti-lock brakes. With them, they turn, the path is shorter, and the car can be steered.
#[test]
fn anti_lock_brakes_keep_wheels_turning() {
    let [locked, still, _] = brake(&[], 0.0);
    let [path, slowest, _] = brake(&[("abs.enabled", "true")], 0.0);
    assert_eq!(still, 0.0);
    // 0.6 of the spin at 5 m/s
    assert!(slowest > 0.6 * 5.0 / 0.32, "{slowest} rad/s");
    assert!(path < 0.97 * locked, "{path} m, with locked wheels {locked} m");
    let [_, _, straight] = brake(&[], 0.03);
    let [_, _, steered] = brake(&[("abs.enabled", "true")], 0.03);
    assert!(steered > 3.0 * straight.abs(), "{steered} m, with locked wheels {straight} m");
}

/// With as much torque as spins the wheels, less accelerates the car more.
#[test]
fn traction_control_keeps_wheels_from_spinning() {
    let accelerate = |given: &[(&str, &str)]| {
        let (car, tyres) = car1500();
        let mut ride = Ride::new(car, tyres, 5.0, given);
        let mut most: f64 = 0.0;
        for step in 0..3000 {
            ride.step(Driver { drive: 3500.0, ..Driver::default() });
            if step > 500 {
                let slip = 0.32 * ride.state.spin[2] / ride.state.velocity.x - 1.0;
                most = most.max(slip);
            }
        }
        [ride.state.velocity.x, most]
    };
    let [spinning, free] = accelerate(&[]);
    let [speed, slip] = accelerate(&[("traction.enabled", "true")]);
    assert!(free > 0.5, "{free}");
    assert!(slip < 0.2 && speed > spinning, "{slip}, {speed} m/s and {spinning} m/s");
}

/// A car whose centre of mass is behind the middle, so that it oversteers at its limit.
fn nervous() -> (Car, TMeasyTyres) {
    let (mut car, tyres) = car1500();
    car.x = [-1.3, -1.3, 1.4, 1.4];
    let load = car.body_load();
    car.springs.iter_mut().zip(load).for_each(|(spring, load)| spring.preload = load);
    (car, tyres)
}

/// Steering angle of the sine with dwell: 0.7 Hz with a pause of 0.5 s at the third quarter, as a share of the amplitude
/// (FMVSS 126, S7.9; ISO 19365:2016).
fn sine_with_dwell(time: f64) -> f64 {
    const PERIOD: f64 = 1.0 / 0.7;
    let pause = 0.75 * PERIOD;
    let at = if time < pause { time } else { (time - 0.5).max(pause) };
    if at < PERIOD { (TAU * at / PERIOD).sin() } else { 0.0 }
}

/// Result of a sine with dwell: the yaw rate 1 s and 1.75 s after the end of steering, as a share of its peak after the
/// steering angle has changed its sign, and the lateral displacement 1.07 s after its begin, m.
fn dwell(given: &[(&str, &str)], amplitude: f64) -> [f64; 3] {
    let (car, tyres) = nervous();
    let mut ride = Ride::new(car, tyres, 80.0 / 3.6, given);
    let end = 1.0 / 0.7 + 0.5;
    let (mut peak, mut result) = (0.0_f64, [f64::NAN; 3]);
    for step in 0..4000 {
        let time = f64::from(step) * DT;
        ride.step(Driver { steer: amplitude * sine_with_dwell(time), ..Driver::default() });
        let yaw_rate = ride.state.rate.z;
        if (0.5 / 0.7..end).contains(&time) {
            peak = peak.max(-yaw_rate);
        }
        let reached = |at: f64| (time - at).abs() < 0.5 * DT;
        if reached(end + 1.0) {
            result[0] = -yaw_rate / peak;
        }
        if reached(end + 1.75) {
            result[1] = -yaw_rate / peak;
        }
        if reached(1.07) {
            result[2] = ride.state.position.y;
        }
    }
    result
}

/// FMVSS 126, S5.2: at most 35 % and 20 % of the peak, and at least 1.83 m.
fn passes([after_1, after_175, aside]: [f64; 3]) -> bool {
    after_1 <= 0.35 && after_175 <= 0.2 && aside >= 1.83
}

#[test]
fn stability_control_passes_the_sine_with_dwell_that_the_car_fails_without() {
    for amplitude in [0.08, 0.1, 0.12] {
        let without = dwell(&[], amplitude);
        let with = dwell(&[("esc.enabled", "true")], amplitude);
        assert!(!passes(without), "{amplitude} rad: {without:?}");
        assert!(passes(with), "{amplitude} rad: {with:?}, without {without:?}");
    }
}

/// A car that follows its steering does not feel the controllers.
#[test]
fn controllers_leave_a_calm_car_alone() {
    let given = [("abs.enabled", "true"), ("traction.enabled", "true"), ("esc.enabled", "true")];
    let (car, tyres) = car1500();
    let mut ride = Ride::new(car, tyres, 15.0, &given);
    for step in 0..3000 {
        let steer = 0.02 * (TAU * 0.3 * f64::from(step) * DT).sin();
        let driver = Driver { drive: 150.0, brake: 0.0, steer };
        ride.step(driver);
        let command = ride.control(driver);
        for wheel in ["rear_left", "rear_right", "front_left", "front_right"] {
            assert_eq!(command[format!("brake_added_{wheel}").as_str()], 0.0, "{step}");
            assert_eq!(command[format!("brake_release_{wheel}").as_str()], 0.0, "{step}");
        }
        assert_eq!(command["torque_engine"], 150.0);
    }
}
