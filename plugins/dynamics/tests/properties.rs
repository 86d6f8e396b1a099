//! Properties of every dynamics class: energy, symmetry, continuity at standstill, sums of torques, limits of the
//! steering, finite outputs.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use simhost_commonroad::classes::{
    f1tenth_single_track::F1tenthSingleTrack, kinematic_single_track::KinematicSingleTrack,
    kinematic_single_track_trailer::KinematicSingleTrackTrailer, multi_body::MultiBody,
    single_track::SingleTrack, single_track_drift::SingleTrackDrift,
};
use simhost_dynamics::ackermann::Ackermann;
use simhost_dynamics::ackermann_drivetrain::AckermannDrivetrain;
use simhost_dynamics::ackermann_powertrain::AckermannPowertrain;
use simhost_dynamics::differential::Differential;
use simhost_dynamics::differential_3_wheels::Differential3Wheels;
use simhost_dynamics::differential_4_wheels::Differential4Wheels;
use simhost_dynamics::double_track::DoubleTrack;
use simhost_lab::four_mass_body::FourMassBody;
use simhost_platforms::bicycle::Bicycle;
use simhost_platforms::kinematic_bicycle::KinematicBicycle;
use simhost_platforms::mecanum::Mecanum;
use simhost_platforms::n_wheel::NWheel;
use simhost_platforms::tracked::Tracked;
use simhost_sdk::testing::{Driven, Named, Vehicle};
use simhost_sdk::{Dynamics, Step};

use crate::near_zero::within;

/// A vehicle at the start of a run.
struct Class {
    name: String,
    vehicle: Vehicle,
}

type Given<'g> = &'g [(&'g str, &'g str)];

fn class<M: Dynamics>(name: &str, given: Given) -> Class {
    let written: Vec<String> = given.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    Class { name: name.to_owned() + &written.concat(), vehicle: Vehicle::new::<M>(given) }
}

const SLOW: [(&str, &str); 2] = [("steering.max_rate_deg", "20"), ("steering.lag", "0.1")];

fn differentials() -> Vec<Class> {
    vec![
        class::<Differential>("differential", &[]),
        class::<Differential3Wheels>("differential_3_wheels", &[]),
        class::<Differential3Wheels>("differential_3_wheels", &[("rigid_caster", "true")]),
        class::<Differential4Wheels>("differential_4_wheels", &[]),
    ]
}

fn drivetrains() -> Vec<Class> {
    let layouts =
        ["torsen_4wd", "torsen_front", "torsen_rear", "open_4wd", "open_front", "open_rear"];
    let made = |layout| {
        let given = [("drivetrain.type", layout), ("drivetrain.front_rear_split", "0.35")];
        class::<AckermannDrivetrain>("ackermann_drivetrain", &given)
    };
    layouts.into_iter().map(made).collect()
}

fn powertrain(source: &str, driven: &str, kind: &str, more: Given) -> Class {
    let mut given = vec![
        ("source", source),
        ("driven", driven),
        ("center_differential.kind", kind),
        ("front_differential.kind", kind),
        ("rear_differential.kind", kind),
        ("rear_differential.preload", "5"),
        ("wheel_inertia", "5"),
        // the energy of engine and motor is not that of the vehicle
        ("engine.inertia", "0"),
        ("motor.inertia", "0"),
    ];
    given.extend(more);
    let mut class = class::<AckermannPowertrain>("ackermann_powertrain", &given);
    // a rolling wheel includes its share of the vehicle's mass
    class.vehicle.wheel_inertia = 5.0;
    class
}

fn powertrains() -> Vec<Class> {
    let mut classes = Vec::new();
    for source in ["engine", "electric"] {
        for kind in ["open", "torsen", "locked", "electronic"] {
            classes.push(powertrain(source, "all", kind, &[]));
        }
        classes.push(powertrain(source, "front", "torsen", &SLOW));
        classes.push(powertrain(source, "rear", "electronic", &[("gearbox.automatic", "false")]));
    }
    classes
}

fn other_wheels() -> Vec<Class> {
    vec![
        class::<Ackermann>("ackermann", &[]),
        class::<Ackermann>("ackermann", &SLOW),
        class::<DoubleTrack>("double_track", &[]),
        class::<DoubleTrack>("double_track", &[("steering", "parallel")]),
        class::<Bicycle>("bicycle", &[]),
        n_wheel(),
    ]
}

/// The front wheels steer.
fn n_wheel() -> Class {
    let mut class = class::<NWheel>("n_wheel", &[]);
    class.vehicle.wheel_inputs[1] = vec![1.0, 1.0, 0.0, 0.0];
    class
}

/// Classes that compute force and moment.
fn wrenches() -> Vec<Class> {
    let mut classes = vec![class::<Mecanum>("mecanum", &[]), class::<Tracked>("tracked", &[])];
    for (class, inertia) in classes.iter_mut().zip([0.02, 0.5]) {
        class.vehicle.wheel_inertia = inertia;
    }
    classes
}

/// Kinematic classes.
fn kinematic() -> Vec<Class> {
    vec![
        class::<KinematicBicycle>("kinematic_bicycle", &[]),
        class::<KinematicSingleTrack>("kinematic_single_track", &[]),
        class::<KinematicSingleTrackTrailer>("kinematic_single_track_trailer", &[]),
    ]
}

/// Classes that integrate their tyres.
fn with_tyres() -> Vec<Class> {
    vec![
        class::<SingleTrack>("single_track", &[]),
        class::<F1tenthSingleTrack>("f1tenth_single_track", &[]),
        class::<SingleTrackDrift>("single_track_drift", &[]),
        class::<MultiBody>("multi_body", &[]),
        class::<FourMassBody>("four_mass_body", &[]),
    ]
}

/// Classes that compute wheel torques.
fn wheeled() -> impl Iterator<Item = Class> {
    let classes = [differentials(), drivetrains(), powertrains(), other_wheels()];
    classes.into_iter().flatten()
}

fn every() -> impl Iterator<Item = Class> {
    wheeled().chain(wrenches()).chain(kinematic()).chain(with_tyres())
}

/// Numbers from −1 to 1 for actuators, and the motion of a vehicle.
#[derive(Clone, Debug)]
struct Drawn {
    actuators: [f64; 16],
    twist: [f64; 3],
    spins: [f64; 4],
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let numbers = proptest::array::uniform16(within(1.0));
    let twist = (within(20.0), within(3.0), within(3.0)).prop_map(|(vx, vy, w)| [vx, vy, w]);
    (numbers, twist, proptest::array::uniform4(within(60.0)))
        .prop_map(|(actuators, twist, spins)| Drawn { actuators, twist, spins })
}

/// Maximum magnitude of an actuator input, `None` for other inputs.
fn reach(name: &str) -> Option<f64> {
    Some(match name {
        "steer" => 1.5,
        "throttle" | "brake" => 1.2,
        "gear" => 6.0,
        "speed" => 30.0,
        "steer_rate" => 2.0,
        "acceleration" => 15.0,
        "brake_torque" => 4e3,
        "motor" => 5.0,
        _ if name.starts_with("brake_") => 5.0,
        _ if name.starts_with("torque") => 500.0,
        _ => return None,
    })
}

/// Sets the actuator inputs to `effort` times their usual size.
fn command(vehicle: &mut Vehicle, drawn: &Drawn, effort: f64) {
    for ((name, value), number) in vehicle.inputs.iter_mut().zip(drawn.actuators) {
        if let Some(reach) = reach(name) {
            *value = effort * reach * number;
        }
    }
}

/// Sets a vehicle and its wheels in motion. Wheels whose spin the class computes roll.
fn set_in_motion(vehicle: &mut Vehicle, drawn: &Drawn) {
    let [vx, vy, omega] = drawn.twist;
    vehicle.roll(vx, omega);
    vehicle.push(vx, vy, omega);
    for (wheel, spin) in vehicle.wheels.iter_mut().zip(drawn.spins) {
        wheel.spin = spin;
    }
}

fn steps() -> impl Strategy<Value = Step> {
    (0.001..0.01_f64).prop_map(|dt| Step::new(0.0, dt))
}

fn numbers(driven: &Driven<Named>) -> impl Iterator<Item = f64> + '_ {
    let of_wheels = [&driven.wheels, &driven.steer, &driven.brake].into_iter().flatten();
    driven.answer.values().iter().chain(of_wheels).copied()
}

/// Largest difference between two outputs and the largest magnitude of the first.
fn apart(one: &Driven<Named>, other: &Driven<Named>) -> (f64, f64) {
    let difference = numbers(one).zip(numbers(other)).map(|(a, b)| (a - b).abs());
    let size = numbers(one).fold(0.0, |most: f64, number| most.max(number.abs()));
    (difference.fold(0.0, f64::max), size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Without motor torque no wheel is driven, in any gear and with any brake command.
    #[test]
    fn no_torque_drives_a_wheel_without_a_motor(drawn in drawn(), step in steps()) {
        for Class { name, mut vehicle } in wheeled() {
            command(&mut vehicle, &drawn, 1.0);
            for (input, value) in vehicle.inputs.iter_mut() {
                if input.starts_with("torque") || input == "throttle" {
                    *value = 0.0;
                }
            }
            set_in_motion(&mut vehicle, &drawn);
            let driven = vehicle.drive(&step);
            let power = |(i, torque): (usize, &f64)| torque * vehicle.wheels[i].spin;
            let power: f64 = driven.wheels.iter().enumerate().map(power).sum();
            let size = driven.wheels.iter().fold(1.0, |most: f64, torque| most.max(torque.abs()));
            prop_assert!(power <= 1e-9 * size, "{name}: {power} W from {:?}", driven.wheels);
            prop_assert!(driven.brake.iter().all(|brake| *brake >= 0.0), "{name}: {:?}", driven.brake);
        }
    }

    #[test]
    fn a_vehicle_in_neutral_gains_no_energy(drawn in drawn(), step in steps(), gear in -1..6) {
        for Class { name, mut vehicle } in wheeled().chain(wrenches()).chain(kinematic()) {
            vehicle.inputs.set("gear", f64::from(gear));
            set_in_motion(&mut vehicle, &drawn);
            // kinematic classes do not slide
            if vehicle.inputs.get("acceleration").or(vehicle.inputs.get("speed")).is_some() {
                let [vx, _, _] = drawn.twist;
                vehicle.wheels[1].steer = 0.4 * drawn.actuators[0];
                vehicle.push(vx, 0.0, 0.0);
                vehicle.go(&step);
            }
            let first = vehicle.energy();
            let mut before = first;
            for _ in 0..30 {
                vehicle.go(&step);
                let energy = vehicle.energy();
                prop_assert!(energy <= before + 1e-9 * first, "{name}: {before} J, then {energy} J");
                before = energy;
            }
        }
    }

    /// The tyre forces do not increase the speed of a vehicle without drive.
    #[test]
    fn a_car_in_neutral_gets_no_faster(drawn in drawn(), step in steps()) {
        for Class { name, mut vehicle } in with_tyres() {
            let [vx, vy, omega] = drawn.twist;
            let small = if name.starts_with("f1tenth") { 0.2 } else { 1.0 };
            vehicle.push(small * vx, 0.3 * small * vy, small * omega);
            let speed = |vehicle: &Vehicle| vehicle.body.vx.hypot(vehicle.body.vy);
            // the energy of the yaw rate can become speed
            let arm = vehicle.yaw_inertia / vehicle.mass;
            let first = (speed(&vehicle).powi(2) + arm * vehicle.body.omega.powi(2)).sqrt();
            for _ in 0..30 {
                vehicle.go(&step);
                let now = speed(&vehicle);
                prop_assert!(now <= first * (1.0 + 1e-3) + 1e-3, "{name}: {first} m/s, then {now} m/s");
            }
        }
    }

    #[test]
    fn a_mirrored_vehicle_is_driven_mirrored(drawn in drawn(), step in steps()) {
        for Class { name, mut vehicle } in every() {
            // the shifts of their tyres make them asymmetric
            if ["single_track_drift", "multi_body"].contains(&name.as_str()) {
                continue;
            }
            command(&mut vehicle, &drawn, 1.0);
            set_in_motion(&mut vehicle, &drawn);
            let mut mirrored = vehicle.mirrored();
            for _ in 0..5 {
                let (driven, other) = (vehicle.go(&step), mirrored.go(&step));
                let expected = vehicle.mirror_of(&driven);
                let (difference, size) = apart(&expected, &other);
                // its iteration over the wheels begins on the left
                let most = if name == "mecanum" { 0.02 } else { 1e-9 };
                prop_assert!(
                    difference <= most * size.max(1.0), "{name}: {expected:?}, found {other:?}"
                );
            }
        }
    }

    #[test]
    fn nothing_jumps_at_standstill(drawn in drawn(), step in steps(), turn in within(0.5)) {
        let near = 1e-5;
        for mut class in every() {
            command(&mut class.vehicle, &drawn, 1.0);
            let [below, above] = [-near, near].map(|speed| {
                let mut vehicle = class.vehicle.again();
                vehicle.roll(speed, turn * speed);
                vehicle.drive(&step)
            });
            let (jump, size) = apart(&below, &above);
            let name = &class.name;
            // the torque of the transmission losses changes its sign with the speed
            let losses = if name.starts_with("ackermann_powertrain") { 0.16 } else { 0.0 };
            // torque or force that stops the body, or the wheels for locked differentials, from these speeds
            let (mass, inertia) = (class.vehicle.mass, class.vehicle.wheel_inertia);
            let moves = if below.brake.is_empty() { mass } else { inertia / 0.2 };
            let stop = 10.0 * near / step.dt * moves;
            let most = (1e-3 + losses) * size.max(1.0) + stop;
            prop_assert!(jump <= most, "{name}: {jump} of {size}: {below:?} {above:?}");
        }
    }

    #[test]
    fn answers_are_finite(
        drawn in drawn(), effort in prop_oneof![Just(1.0), Just(1e6), Just(1e-9), Just(0.0)],
        fast in prop_oneof![Just(1.0_f64), Just(1e3), Just(0.0)],
        dt in prop_oneof![Just(0.0), Just(1e-12), 1e-6..0.1_f64],
    ) {
        let step = Step::new(0.0, dt);
        for Class { name, mut vehicle } in every() {
            command(&mut vehicle, &drawn, effort);
            // the cost of classes that integrate tyres increases with speed
            let fast = if vehicle.inputs.get("acceleration").is_some() { fast.min(1.0) } else { fast };
            let drawn = Drawn { twist: drawn.twist.map(|v| fast * v), spins: drawn.spins.map(|w| fast * w), ..drawn };
            set_in_motion(&mut vehicle, &drawn);
            for _ in 0..3 {
                let driven = vehicle.go(&step);
                prop_assert!(numbers(&driven).all(f64::is_finite), "{name}: {driven:?}");
                let measured = vehicle.measure();
                prop_assert!(measured.values().iter().all(|value| value.is_finite()), "{name}: {measured:?}");
            }
        }
    }

    #[test]
    fn torques_add_up_to_what_is_commanded(drawn in drawn(), step in steps()) {
        for Class { name, mut vehicle } in differentials().into_iter().chain(drivetrains()).chain(other_wheels()) {
            command(&mut vehicle, &drawn, 1.0);
            set_in_motion(&mut vehicle, &drawn);
            let driven = vehicle.drive(&step);
            let commanded = |(input, value): (&str, f64)| {
                let times = if name == "differential_4_wheels" { 2.0 } else { 1.0 };
                if input.starts_with("torque") && input != "torque_turn" { times * value } else { 0.0 }
            };
            let expected: f64 = vehicle.inputs.iter().map(commanded).sum();
            let sum: f64 = driven.wheels.iter().sum();
            prop_assert!((sum - expected).abs() < 1e-9, "{name}: {sum} N·m, commanded {expected} N·m");
            // a single engine drives all wheels in the same direction
            if let (Some(engine), None) = (vehicle.inputs.get("torque_engine"), vehicle.inputs.get("torque_turn")) {
                let along = |torque: &f64| torque * engine >= 0.0;
                prop_assert!(driven.wheels.iter().all(along), "{name}: {:?}", driven.wheels);
            }
        }
    }

    #[test]
    fn brakes_add_up_to_what_is_commanded_and_share_it_by_their_bias(drawn in drawn(), step in steps(), bias in 0.0..1.0_f64) {
        let bias_text = bias.to_string();
        let given = [("brake_bias", bias_text.as_str())];
        let braked = [
            class::<Ackermann>("ackermann", &given),
            class::<AckermannDrivetrain>("ackermann_drivetrain", &given),
            powertrain("engine", "all", "torsen", &given),
            powertrain("electric", "all", "open", &given),
        ];
        for Class { name, mut vehicle } in braked {
            command(&mut vehicle, &drawn, 1.0);
            vehicle.inputs.set("throttle", 0.0);
            set_in_motion(&mut vehicle, &drawn);
            let driven = vehicle.drive(&step);
            let pedal = vehicle.inputs.get("brake").map(|pedal| 6000.0 * pedal.clamp(0.0, 1.0));
            let commanded = pedal.unwrap_or_else(|| vehicle.inputs["brake_torque"].max(0.0));
            let brakes: f64 = driven.brake.iter().sum();
            // the brake torque of the motor is subtracted from the brakes
            let motor: f64 = if name.contains("electric") { driven.wheels.iter().map(|torque| torque.abs()).sum() } else { 0.0 };
            prop_assert!(((brakes + motor) - commanded).abs() < 1e-6, "{name}: {brakes} and {motor} of {commanded} N·m");
            let front = driven.brake[2] + driven.brake[3];
            prop_assert!((front - bias * brakes).abs() < 1e-9 * brakes.max(1.0), "{name}: {:?}", driven.brake);
        }
    }

    /// Every differential distributes the same total torque.
    #[test]
    fn differentials_distribute_the_whole_torque(drawn in drawn(), step in steps()) {
        for source in ["engine", "electric"] {
            let sums = ["open", "torsen", "locked", "electronic"].map(|kind| {
                let mut vehicle = powertrain(source, "all", kind, &[]).vehicle;
                command(&mut vehicle, &drawn, 1.0);
                set_in_motion(&mut vehicle, &drawn);
                let driven = vehicle.drive(&step);
                let size = driven.wheels.iter().fold(1.0, |most: f64, torque| most.max(torque.abs()));
                (driven.wheels.iter().sum::<f64>(), size)
            });
            for (sum, size) in sums {
                prop_assert!((sum - sums[0].0).abs() < 1e-9 * size, "{source}: {sums:?}");
            }
        }
    }

    /// The steering angle stays within its limits, and its change within the maximum rate.
    #[test]
    fn steering_keeps_to_its_stops_and_its_rate(
        commands in proptest::collection::vec(within(40.0), 12), step in (0.001..0.05_f64).prop_map(|dt| Step::new(0.0, dt)),
    ) {
        for (Class { name, mut vehicle }, max, rate) in steered() {
            let mut before = 0.0;
            for command in &commands {
                vehicle.inputs.set("steer", *command);
                vehicle.inputs.set("steer_rate", *command);
                vehicle.roll(0.0, 0.0);
                vehicle.go(&step);
                let angle = central_angle(&vehicle);
                // a limit is met within a step of the integration
                let over = if name.ends_with("track") && !name.starts_with("double") { 1e-3 * rate } else { 1e-9 };
                prop_assert!(angle.abs() <= max + over, "{name}: {angle} rad of {max} rad");
                let turned = (angle - before).abs();
                prop_assert!(turned <= rate * step.dt + 1e-9, "{name}: turned by {turned} rad in {} s", step.dt);
                before = angle;
            }
        }
    }
}

/// Vehicles with steering, each with its maximum angle, rad, and rate, rad/s.
fn steered() -> Vec<(Class, f64, f64)> {
    let at =
        |class: Class, degrees: f64, rate: f64| (class, degrees.to_radians(), rate.to_radians());
    let free = f64::INFINITY;
    let limits = [("limits.max_steer_ang_deg", "25"), ("limits.max_steer_rate_deg", "20")];
    let rate = [("steering.max_rate_deg", "20")];
    vec![
        at(class::<Ackermann>("ackermann", &[("max_steer_ang_deg", "25")]), 25.0, free),
        at(class::<Ackermann>("ackermann", &rate), 30.0, 20.0),
        at(class::<Ackermann>("ackermann", &SLOW), 30.0, 20.0),
        at(class::<AckermannDrivetrain>("ackermann_drivetrain", &rate), 30.0, 20.0),
        at(powertrain("engine", "all", "open", &rate), 30.0, 20.0),
        at(class::<DoubleTrack>("double_track", &[]), 30.0, free),
        at(class::<DoubleTrack>("double_track", &[("steering", "parallel")]), 30.0, free),
        at(class::<Bicycle>("bicycle", &[]), 45.0, free),
        at(n_wheel(), 35.0, free),
        at(class::<KinematicBicycle>("kinematic_bicycle", &[]), 30.0, 60.0),
        at(class::<KinematicSingleTrack>("kinematic_single_track", &limits), 25.0, 20.0),
        at(class::<KinematicSingleTrackTrailer>("trailer_single_track", &limits), 25.0, 20.0),
        at(class::<SingleTrack>("single_track", &limits), 25.0, 20.0),
        at(class::<SingleTrackDrift>("drift_single_track", &limits), 25.0, 20.0),
        at(class::<MultiBody>("multi_body_track", &limits), 25.0, 20.0),
    ]
}

/// Angle of the equivalent wheel in the middle of the steered axle, rad.
fn central_angle(vehicle: &Vehicle) -> f64 {
    let steered: Vec<f64> =
        vehicle.wheels.iter().map(|wheel| wheel.steer).filter(|angle| *angle != 0.0).collect();
    let cotangents: f64 = steered.iter().map(|angle| 1.0 / angle.tan()).sum();
    if steered.is_empty() { 0.0 } else { (steered.len() as f64 / cotangents).atan() }
}

/// After a command beyond the limit the wheels return without delay.
#[test]
fn steering_leaves_its_stop_at_once() {
    for (Class { name, mut vehicle }, max, rate) in steered() {
        let step = Step::new(0.0, 0.005);
        let steer = |vehicle: &mut Vehicle, command: f64| {
            vehicle.inputs.set("steer", command);
            vehicle.inputs.set("steer_rate", command);
            vehicle.roll(0.0, 0.0);
            vehicle.go(&step);
        };
        for _ in 0..600 {
            steer(&mut vehicle, 3.0);
        }
        assert!((central_angle(&vehicle) - max).abs() < 1e-3, "{name}: not at its stop");
        for _ in 0..20 {
            steer(&mut vehicle, -3.0);
        }
        let back = max - central_angle(&vehicle);
        let expected = (0.9 * 20.0 * step.dt * rate).min(max);
        assert!(back >= expected - 1e-3, "{name}: back by {back} rad, not {expected} rad");
    }
}
