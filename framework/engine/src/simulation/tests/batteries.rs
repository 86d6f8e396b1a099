//! Two motors that share a battery: actuators that read a sensor, and a sensor that reads actuators.

use simhost_world::World;

use super::estimators::{check_continuations, reading};
use super::{Simulation, simulation, world_of};

/// A motor on the wheel of a side: k N = 1 N·m/A, and 0.2 Ω.
pub(crate) fn motor(side: &str) -> String {
    format!(
        "<actuator class=\"dc_motor\" name=\"{side}\" port=\"torque_{side}\" wheels=\"{side}\"/>"
    )
}

/// A battery with these parameters.
pub(crate) fn battery(period: &str, more: &str) -> String {
    format!(
        "<sensor class=\"battery\" name=\"battery\" capacity=\"0.5\" open_circuit_voltage=\"6\">\
         <sensor_period>{period}</sensor_period>{more}</sensor>"
    )
}

/// The parameters of a controller that wants more torque than the motors have.
const EAGER: &str = "<KP>500</KP><KI>0</KI><KD>0</KD><max_torque>200</max_torque>";

/// Returns a world with vehicles that accelerate.
fn world(count: usize, sensors: &str) -> World {
    let motors = motor("left") + &motor("right");
    let vehicle = |index: usize| {
        format!(
            "<vehicle name=\"v{index}\"><dynamics class=\"differential\"><controller class=\"twist_pid\">\
             {EAGER}<V>{}</V><W>10</W></controller>{motors}</dynamics>{sensors}\
             <init_pose>{} 0 0</init_pose></vehicle>",
            1 + index,
            20 * index
        )
    };
    world_of("", &(0..count).map(vehicle).collect::<Vec<_>>())
}

/// Returns the torque and the electric power of each motor of the first vehicle in the last step.
fn motors(simulation: &Simulation) -> [[f64; 2]; 2] {
    let table = &simulation.state.tables[0];
    [0, 1].map(|number| {
        [0, 1].map(|output| {
            let column = table.actuator_output(number, output).expect("it has the output");
            table.vehicles.value(column, 0)
        })
    })
}

fn spins(simulation: &Simulation) -> [f64; 2] {
    let vehicles = &simulation.state.tables[0].vehicles;
    let count = vehicles.lanes.len();
    [0, count].map(|wheel| vehicles.value(vehicles.host.measured.spin, wheel))
}

#[test]
fn the_charge_falls_by_the_power_of_both_motors() {
    for period in ["0.01", "0.03"] {
        let resistance = "<resistance>0</resistance><auxiliary_power>2</auxiliary_power>";
        let mut simulation = simulation(&world(2, &battery(period, resistance)), 0);
        let every = if period == "0.01" { 1 } else { 3 };
        let mut drawn = 0.0;
        for step in 1..=150_u32 {
            simulation.step().expect("nothing faults");
            let power: f64 = motors(&simulation).iter().map(|[_, power]| power).sum();
            if step % every == 0 {
                drawn += (power + 2.0) * 0.01 * f64::from(every);
                assert_eq!(reading(&simulation, "battery", "total_power"), power + 2.0);
            }
        }
        let fallen = 1.0 - reading(&simulation, "battery", "state_of_charge");
        assert!(drawn > 50.0, "{drawn} J");
        assert!((fallen * 0.5 * 3600.0 - drawn).abs() < 1e-9 * drawn, "{fallen}: {drawn} J");
    }
}

#[test]
fn the_voltage_of_the_battery_limits_both_motors() {
    let [mut stiff, mut weak] = ["0", "0.3"].map(|resistance| {
        let battery = battery("0.01", &format!("<resistance>{resistance}</resistance>"));
        simulation(&world(1, &battery), 0)
    });
    let (mut before, mut limited) = (24.0, 0);
    for step in 1..100 {
        stiff.step().expect("nothing faults");
        let spins = spins(&weak);
        weak.step().expect("nothing faults");
        for ([torque, power], spin) in motors(&weak).into_iter().zip(spins) {
            // a motor sees the voltage at the end of the step before
            let most = (before - spin) / 0.2;
            assert!(torque <= most + 1e-9, "{step}: {torque} N·m of {most} N·m");
            limited += usize::from(torque > most - 1e-9);
            assert!((power - (0.2 * torque + spin) * torque).abs() < 1e-9, "{step}");
        }
        before = reading(&weak, "battery", "voltage");
    }
    assert!(limited > 20, "{limited} torques at the limit");
    let speed = |simulation: &Simulation| spins(simulation).iter().sum::<f64>();
    assert!(speed(&weak) < 0.95 * speed(&stiff), "{} {}", speed(&weak), speed(&stiff));
    assert!(reading(&weak, "battery", "voltage") < 5.9);
}

#[test]
fn an_empty_battery_stops_both_motors() {
    let empty = battery("0.01", "<initial_charge>0.02</initial_charge>");
    let mut simulation = simulation(&world(1, &empty), 0);
    simulation.run(300).expect("nothing faults");
    assert_eq!(reading(&simulation, "battery", "state_of_charge"), 0.0);
    assert!(motors(&simulation).iter().all(|[torque, power]| *torque <= 0.0 && *power <= 0.0));
}

#[test]
fn motors_of_a_disabled_vehicle_draw_nothing() {
    let auxiliary = "<auxiliary_power>2</auxiliary_power>";
    let mut simulation = simulation(&world(1, &battery("0.01", auxiliary)), 20);
    assert!(reading(&simulation, "battery", "total_power") > 10.0);
    let table = &mut simulation.state.tables[0];
    table.vehicles.lanes[0].disabled = true;
    table.vehicles.any_disabled = true;
    simulation.step().expect("nothing faults");
    assert_eq!(reading(&simulation, "battery", "total_power"), 2.0);
}

#[test]
fn motors_and_battery_continue_from_snapshots_forks_and_steps_at_once() {
    let late = "<latency>0.013</latency><latency_jitter>0.02</latency_jitter>";
    for (period, latency) in [("0.01", ""), ("0.03", late)] {
        let world = world(3, &battery(period, latency));
        for begin in [0, 1, 20, 29] {
            check_continuations(&world, begin);
        }
    }
}

#[test]
fn a_simulation_that_takes_over_has_the_voltage_that_motors_have_read() {
    let world = world(2, &battery("0.05", ""));
    let mut old = simulation(&world, 12);
    let mut new = simulation(&world, 0);
    new.set_commands(&[]).expect("there are none");
    new.take_over(&old).map_err(|_| ()).expect("the worlds are the same");
    assert!(reading(&old, "battery", "voltage") < 6.0);
    old.step().expect("nothing faults");
    new.step().expect("nothing faults");
    assert_eq!(motors(&new), motors(&old));
}
