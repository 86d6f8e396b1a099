//! Sensors that read actuators, and actuators that read sensors.

use crate::support::runs::Problem;
use crate::support::world::{World, model, vehicle};

/// Returns a motor of a side with the text of its `<connect>` elements.
fn motor(side: &str, connect: &str) -> String {
    format!(
        "<actuator class=\"dc_motor\" name=\"{side}\" port=\"torque_{side}\" wheels=\"{side}\">{connect}</actuator>"
    )
}

/// Returns a battery with the text of its `<connect>` elements.
fn battery(name: &str, connect: &str) -> String {
    format!(
        "<sensor class=\"battery\" name=\"{name}\" open_circuit_voltage=\"6\" capacity=\"0.5\">\
         <sensor_period>0.01</sensor_period>{connect}</sensor>"
    )
}

/// Returns a world with a robot that has these motors and sensors.
fn robot(motors: &str, sensors: &str) -> World {
    let controller = model("twist_pid").set("V", 2).set("KP", 200).set("max_torque", 100);
    let robot = vehicle(model("differential").xml(motors)).controller(controller);
    let robot = robot.pose(0, 0, 0).xml(sensors);
    World::new().step(0.01).vehicle("a", robot).record("a/sensor/**").record("a/actuator/**")
}

fn both(connect: &str) -> String {
    motor("left", connect) + &motor("right", connect)
}

#[test]
fn connections_by_name_and_by_element_give_the_same() {
    let voltage = "<connect input=\"voltage\" from=\"pack/voltage\"/>";
    let power = "<connect input=\"power\" from=\"left/power\"/><connect input=\"power\" from=\"right/power\"/>";
    let runs = [("", ""), (voltage, power)]
        .map(|(voltage, power)| robot(&both(voltage), &battery("pack", power)).run(2.0));
    let [named, written] = runs.each_ref().map(|run| run.table("quantities.csv"));
    for name in [
        "a/sensor/pack/state_of_charge [1]",
        "a/actuator/left/power [W]",
        "a/actuator/right/value [N·m]",
    ] {
        assert_eq!(named.numbers(name)[1..], written.numbers(name)[1..], "{name}");
    }
    let charge = named.numbers("a/sensor/pack/state_of_charge [1]");
    assert!(charge.last().unwrap() < &0.99, "{charge:?}");
    // one of the motors is not connected to the battery
    let one = "<connect input=\"power\" from=\"left/power\"/>";
    let run = robot(&both(""), &battery("pack", one)).run(2.0);
    let table = run.table("quantities.csv");
    let [total, left] = ["a/sensor/pack/total_power [W]", "a/actuator/left/power [W]"]
        .map(|name| table.numbers(name));
    assert_eq!(total.last(), left.last());
}

#[test]
fn a_run_with_a_battery_repeats() {
    let world = robot(&both(""), &battery("pack", "<latency>0.02</latency>"));
    let whole = world.repeats(0.13, 1.0).hashes;
    for at in [0.11, 0.5] {
        assert_eq!(world.resume(&world.snapshot(at), 1.0).hashes, whole, "{at}");
    }
}

/// Motors, sensors, and parts of the error.
type Mistake<'m> = (String, String, &'m [&'m str]);

#[test]
fn each_mistake_of_a_connection_is_refused() {
    let connect = |input: &str, from: &str| format!("<connect input=\"{input}\" from=\"{from}\"/>");
    let pack = || battery("pack", "");
    let mistakes: [Mistake<'_>; 12] = [
        (
            both(&connect("voltage", "pakc/voltage")),
            pack(),
            &["unknown sensor `pakc`", "did you mean `pack`?", "in vehicle `a`"],
        ),
        (
            both(&connect("voltage", "pack/voltge")),
            pack(),
            &["unknown output `voltge` of sensor `pack`", "did you mean `voltage`?"],
        ),
        (
            both(&connect("votlage", "pack/voltage")),
            pack(),
            &["unknown input `votlage` of actuator `simhost/dc_motor`", "did you mean `voltage`?"],
        ),
        (
            both(&connect("voltage", "pack/current")),
            pack(),
            &["actuator `simhost/dc_motor`: input `voltage` of phase `actuate` is in V", "in A"],
        ),
        (
            both(&connect("voltage", "left/power")),
            pack(),
            &["`left` is an actuator", "only sensors can read actuators"],
        ),
        (
            both(""),
            battery("pack", &connect("power", "lfet/power")),
            &["unknown sensor or actuator `lfet`", "did you mean `left`?", "`left`, `right`"],
        ),
        (
            both(""),
            battery("pack", &connect("power", "left/pwoer")),
            &[
                "unknown output `pwoer` of actuator `left`",
                "did you mean `power`?",
                "`motor_current`",
            ],
        ),
        (
            both(""),
            battery("pack", &connect("power", "left/value")),
            &["input `power` of phase `read` is in W; actuator `left` has it in N·m"],
        ),
        (
            String::new(),
            pack(),
            &["nothing provides input `power` of phase `read`: the vehicle has no other sensor"],
        ),
        (
            both(""),
            battery("left", &connect("power", "left/power")),
            &["ambiguous `left/power`: a sensor and an actuator have the name `left`"],
        ),
        (
            both(""),
            battery("pack", &connect("power", "left/power").repeat(2)),
            &["duplicate connection of input `power`", "the input has a connection already"],
        ),
        (
            both(""),
            pack() + &battery("spare", ""),
            &["ambiguous input `voltage`", "sensors `pack` and `spare` have an output `voltage`"],
        ),
    ];
    let mut missed = Vec::new();
    for (motors, sensors, expected) in &mistakes {
        let errors = robot(motors, sensors).errors();
        let is = |error: &Problem, part: &str| error.at.0 > 0 && error.text.contains(part);
        for part in expected.iter().filter(|part| !errors.iter().any(|error| is(error, part))) {
            missed.push(format!("no `{part}`:\n{errors:#?}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
