//! Sensors that read other sensors of their vehicle.

use simhost_sdk::prelude::*;
use simhost_world::World;

use super::{Simulation, simulation, world_of};

/// Integrates the readings of encoders and of a gyroscope.
#[derive(Params)]
pub struct Tracker {}

/// Inputs of [`Tracker`].
#[derive(Ports)]
pub struct Sensed {
    /// Speeds of the wheels.
    #[port(unit = "rad/s")]
    velocity: Reading,
    /// Yaw rate.
    #[port(unit = "rad/s")]
    angular_velocity_z: f64,
    /// Ranges of a laser.
    #[port(unit = "m", optional)]
    range: Reading,
    /// Time between two samples.
    #[port(unit = "s")]
    sample_period: f64,
}

/// Readings of [`Tracker`].
#[derive(Ports)]
pub struct Tracked {
    /// Angle by which a wheel has turned on average.
    #[port(unit = "rad")]
    rolled: f64,
    /// Integral of the yaw rate.
    #[port(unit = "rad")]
    turned: f64,
    /// Number of wheels.
    #[port(unit = "1")]
    wheels: f64,
    /// Age of the speeds; -1 before the first sample.
    #[port(unit = "s")]
    age: f64,
    /// Age of the ranges; -1 before the first sample.
    #[port(unit = "s")]
    range_age: f64,
    /// Nearest range, or 99 without one.
    #[port(unit = "m")]
    nearest: f64,
}

/// Memory of [`Tracker`].
#[derive(State)]
pub struct Integrals {
    /// Integral of the mean speed of the wheels.
    #[state(unit = "rad")]
    rolled: f64,
    /// Integral of the yaw rate.
    #[state(unit = "rad")]
    turned: f64,
}

/// Returns the age of a reading in s, or -1 before the first sample.
fn age(reading: &Reading) -> f64 {
    if reading.is_empty() { -1.0 } else { reading.age() }
}

#[model]
impl Sensor for Tracker {
    fn read(
        &self,
        inputs: &Sensed,
        _: &mut RayReadings,
        _: &mut Random,
        _: &Step,
        state: &mut Integrals,
    ) -> Tracked {
        let wheels = inputs.velocity.len() as f64;
        let mean = inputs.velocity.values().iter().sum::<f64>() / wheels.max(1.0);
        state.rolled += mean * inputs.sample_period;
        state.turned += inputs.angular_velocity_z * inputs.sample_period;
        Tracked {
            rolled: state.rolled,
            turned: state.turned,
            wheels,
            age: age(&inputs.velocity),
            range_age: age(&inputs.range),
            nearest: inputs.range.values().iter().copied().fold(99.0, f64::min),
        }
    }
}

/// Doubles what another sensor reads.
#[derive(Params)]
pub struct Doubler {}

/// Input of [`Doubler`].
#[derive(Ports)]
pub struct Single {
    /// A number.
    #[port(unit = "rad", default = -7.0)]
    rolled: f64,
}

/// Reading of [`Doubler`].
#[derive(Ports)]
pub struct Double {
    /// Twice the number.
    #[port(unit = "rad")]
    doubled: f64,
}

#[model]
impl Sensor for Doubler {
    fn read(
        &self,
        inputs: &Single,
        _: &mut RayReadings,
        _: &mut Random,
        _: &Step,
        _: &mut (),
    ) -> Double {
        Double { doubled: 2.0 * inputs.rolled }
    }
}

simhost_sdk::declare_plugin! {
    vendor: "estimators",
    sensor: { "tracker" => Tracker, "doubler" => Doubler },
}

/// Sensors of a vehicle in an order in which each one stands before those that it reads.
pub(crate) fn sensors(period: &str, latency: &str) -> String {
    let sensor = |class: &str, period: &str, more: &str| {
        format!(
            "<sensor class=\"{class}\" name=\"{class}\"><sensor_period>{period}</sensor_period>{more}</sensor>"
        )
    };
    [
        sensor("doubler", period, ""),
        sensor("tracker", period, ""),
        sensor("encoders", "0.02", latency),
        sensor("imu", "0.01", ""),
        sensor("laser", "0.05", "<nrays>7</nrays>"),
    ]
    .concat()
}

/// Returns a world with vehicles that drive in a circle.
fn world(count: usize, sensors: &str) -> World {
    let vehicle = |index: usize| {
        format!(
            "<vehicle name=\"v{index}\"><dynamics class=\"differential\"><controller class=\"twist_ideal\">\
             <V>1</V><W>30</W></controller></dynamics>{sensors}<init_pose>{} 0 0</init_pose></vehicle>",
            20 * index
        )
    };
    world_of("", &(0..count).map(vehicle).collect::<Vec<_>>())
}

/// Returns the first value of a reading or a state of a sensor of the first vehicle.
pub(super) fn reading(simulation: &Simulation, sensor: &str, name: &str) -> f64 {
    values(simulation, sensor, name)[0]
}

/// Returns the values of a reading or a state of a sensor of the first vehicle.
fn values(simulation: &Simulation, sensor: &str, name: &str) -> Vec<f64> {
    let sensors = &simulation.state.sensors;
    let number = sensors.infos().iter().position(|info| &*info.sensor == sensor);
    let fields = sensors.fields(sensors.places()[number.expect("it has the sensor")]);
    let field = fields.iter().find(|field| field.name == name).expect("it has the reading");
    let mut values = Vec::new();
    sensors.read_field(&field.place, &mut values);
    values
}

pub(super) fn hashes(simulation: &Simulation) -> [u128; 2] {
    [simulation.state_hash().expect("no memory"), simulation.result_hash()]
}

#[test]
fn a_sensor_reads_samples_of_the_same_step_and_else_the_latest_ones() {
    let mut simulation = simulation(&world(1, &sensors("0.01", "")), 0);
    let (mut rolled, mut turned) = (0.0, 0.0);
    for step in 1..200_u32 {
        simulation.step().expect("nothing faults");
        let tracked = |name: &str| reading(&simulation, "tracker", name);
        let now = 0.01 * f64::from(step);
        let age_of = |every: u32| match step < every {
            true => -1.0,
            false => now - 0.01 * f64::from(step / every * every),
        };
        assert!((tracked("age") - age_of(2)).abs() < 1e-9, "{step}: {}", tracked("age"));
        assert!((tracked("range_age") - age_of(5)).abs() < 1e-9, "{step}");
        assert_eq!(tracked("wheels"), if step < 2 { 0.0 } else { 2.0 });
        if step >= 2 {
            rolled += 0.005 * values(&simulation, "encoders", "velocity").iter().sum::<f64>();
        }
        turned += 0.01 * reading(&simulation, "imu", "angular_velocity_z");
        assert!((tracked("turned") - turned).abs() < 1e-9, "{step}");
        assert!((tracked("rolled") - rolled).abs() < 1e-9, "{step}");
        let doubled = reading(&simulation, "doubler", "doubled");
        assert_eq!(doubled, 2.0 * tracked("rolled"), "{step}");
    }
    assert!(
        rolled > 2.0 && (turned - 30_f64.to_radians() * 1.99).abs() < 0.05,
        "{rolled} {turned}"
    );
}

#[test]
fn a_latency_delays_what_a_sensor_reads() {
    let latency = "<latency>0.015</latency>";
    let mut simulation = simulation(&world(1, &sensors("0.01", latency)), 0);
    for step in 1..50_u32 {
        simulation.step().expect("nothing faults");
        // a sample of every second step arrives two steps later
        let expected = match step < 4 {
            true => -1.0,
            false => 0.02 + 0.01 * f64::from(step % 2),
        };
        let age = reading(&simulation, "tracker", "age");
        assert!((age - expected).abs() < 1e-9, "{step}: {age}");
    }
}

/// Checks that a fork, a restored snapshot and steps at once after step `begin` continue with the bits of the whole run.
pub(super) fn check_continuations(world: &World, begin: usize) {
    let mut whole = simulation(world, begin);
    let mut fork = whole.duplicate().expect("no memory");
    let snapshot = whole.snapshot().expect("no memory");
    let mut restored = simulation(world, 0);
    restored.restore(&snapshot, crate::snapshot::Fit::Exact).map_err(|_| ()).expect("it fits");
    let mut at_once = whole.duplicate().expect("no memory");
    at_once.run(40).expect("nothing faults");
    for step in 0..40 {
        for one in [&mut whole, &mut fork, &mut restored] {
            one.step().expect("nothing faults");
        }
        assert_eq!(hashes(&fork), hashes(&whole), "fork at {begin}, step {step}");
        assert_eq!(hashes(&restored), hashes(&whole), "snapshot at {begin}, step {step}");
    }
    assert_eq!(hashes(&at_once), hashes(&whole), "steps at once from {begin}");
}

#[test]
fn what_sensors_have_read_continues_from_snapshots_forks_and_steps_at_once() {
    for latency in ["", "<latency>0.013</latency><latency_jitter>0.02</latency_jitter>"] {
        let world = world(3, &sensors("0.07", latency));
        for begin in [0, 3, 20, 28, 31] {
            check_continuations(&world, begin);
        }
    }
}

#[test]
fn a_simulation_that_takes_over_has_what_sensors_have_read() {
    // the estimator is due in step 5, and the encoders in steps 4 and 6
    let world = world(2, &sensors("0.01", ""));
    let mut old = simulation(&world, 4);
    let mut new = simulation(&world, 0);
    new.set_commands(&[]).expect("there are none");
    new.take_over(&old).map_err(|_| ()).expect("the worlds are the same");
    old = simulation(&world, 4);
    new.step().expect("nothing faults");
    old.step().expect("nothing faults");
    assert_eq!(reading(&old, "tracker", "wheels"), 2.0);
    for name in ["wheels", "age", "rolled"] {
        assert_eq!(reading(&new, "tracker", name), reading(&old, "tracker", name), "{name}");
    }
}

#[test]
fn sensors_share_a_group_only_if_they_read_as_much() {
    let rays = |count: usize| sensors("0.01", "").replace(">7<", &format!(">{count}<"));
    let vehicle = |index: usize| {
        format!(
            "<vehicle name=\"v{index}\"><dynamics class=\"differential\"><controller class=\"raw\"/></dynamics>\
             {}<init_pose>{} 0 0</init_pose></vehicle>",
            rays(if index == 1 { 9 } else { 7 }),
            20 * index
        )
    };
    let world = world_of("", &(0..3).map(vehicle).collect::<Vec<_>>());
    let simulation = simulation(&world, 10);
    let sensors = &simulation.state.sensors;
    let groups = |class: &str| {
        let all = sensors.infos().iter().zip(sensors.places());
        let own = all.filter(|(info, _)| &*info.sensor == class).map(|(_, (group, _))| *group);
        own.collect::<Vec<_>>()
    };
    let [tracker, doubler] = ["tracker", "doubler"].map(groups);
    assert!(tracker[0] == tracker[2] && tracker[0] != tracker[1], "{tracker:?}");
    assert_eq!(doubler, [doubler[0]; 3]);
    assert!(doubler[0] > tracker[1] && tracker[0] > groups("imu")[0]);
}
