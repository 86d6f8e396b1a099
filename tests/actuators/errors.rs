//! Wrong worlds and actuators that do not fit.

use crate::support::bad_plugins;
use crate::support::world::{model, vehicle};

use super::{cart, plugins, world};

/// Parts of the message about each wrong world.
const WRONG: &[(&str, &[&str])] = &[
    (
        "<actuator class=\"backlash\" width=\"1\" port=\"ster\"/>",
        &["unknown port `ster`", "did you mean `steer`?", "`torque_front_left` (N·m)"],
    ),
    (
        "<actuator class=\"backlash\" width=\"1\" port=\"brake_torque\"/>",
        &["nothing sets port `brake_torque` of dynamics `ackermann`"],
    ),
    ("<actuator class=\"backlash\" width=\"1\" port=\"twist_vx\"/>", &["unknown port `twist_vx`"]),
    (
        "<actuator class=\"backlash\" width=\"1\"/>",
        &["missing `port` in `<actuator class=\"backlash\">`"],
    ),
    (
        "<actuator port=\"steer\"/>",
        &[
            "missing `class` in `<actuator>`",
            "choose an actuator class: backlash, dc_motor, dead_time",
        ],
    ),
    (
        "<actuator class=\"backlsh\" port=\"steer\"/>",
        &["unknown actuator class `backlsh`", "did you mean `backlash`?"],
    ),
    ("<actuator class=\"laser\" port=\"steer\"/>", &["`laser` is a sensor"]),
    ("<actuator class=\"backlash\" port=\"steer\"/>", &["missing `width`"]),
    (
        "<actuator class=\"saturation\" port=\"steer\" upper=\"1\" lower=\"2\"/>",
        &["upper is 1, expected at least lower, which is 2"],
    ),
    (
        "<actuator class=\"saturation\" port=\"steer\" upper=\"1\" name=\"a\"/><actuator class=\"dead_time\" port=\"steer\" name=\"a\"/>",
        &["duplicate actuator name: `a`"],
    ),
    (
        "<controller class=\"twist_ideal\"/><actuator class=\"dead_time\" port=\"steer\"/>",
        &[
            "port `steer` does not move the vehicle: controller `twist_ideal` imposes the twist",
            "`twist_omega` (rad/s)",
        ],
    ),
    (
        "</dynamics><actuator class=\"dead_time\" port=\"steer\"/><dynamics class=\"ackermann\">",
        &[
            "unknown element `<actuator>` in `<vehicle>`",
            "write the <actuator> inside the <dynamics> of a vehicle",
        ],
    ),
];

#[test]
fn a_wrong_world_is_answered_with_the_nearest_name() {
    for (actuators, parts) in WRONG {
        let car = vehicle(model("ackermann").xml(&format!("\n{actuators}"))).pose(0, 0, 0);
        world().vehicle("a", car).fails(actuators, parts);
    }
}

/// Mistakes in the ports of an actuator, and parts of the message; whether `plugin check` finds them.
const MISTAKES: &[(&str, &str, &[&str], bool)] = &[
    (
        "unit",
        "COMMAND_PORT=SIMHOST_PORT(\"command\",\"N·m\",\"x\",0)",
        &["output `value` is in 1; input `command` is in N·m"],
        true,
    ),
    (
        "named",
        "COMMAND_PORT=SIMHOST_PORT(\"comand\",\"1\",\"x\",0)",
        &["missing input `command` of phase `actuate`"],
        true,
    ),
    (
        "valued",
        "VALUE_PORT=SIMHOST_PORT(\"val\",\"1\",\"x\",0)",
        &["missing output `value` of phase `actuate`", "unknown output `val`"],
        true,
    ),
    (
        "per_wheel",
        "COMMAND_PORT=SIMHOST_WHEEL_PORT(\"command\",\"1\",\"x\")",
        &["has a scope that the command of an actuator cannot have"],
        true,
    ),
    (
        "keyed",
        "MORE_IN=,SIMHOST_COMMAND_PORT(\"goal\",\"1\",\"x\",\"goal\")",
        &["`goal` of phase `actuate` has a key or is a command"],
        true,
    ),
    (
        "of_host",
        "MORE_IN=,SIMHOST_PORT(\"vx\",\"km/h\",\"x\",0)",
        &["input `vx` of phase `actuate` is in km/h; the host has it in m/s"],
        true,
    ),
    (
        "nowhere",
        "MORE_IN=,SIMHOST_PORT(\"altitude\",\"m\",\"x\",0)",
        &["nothing provides input `altitude`", "dynamics `cart` does not measure it"],
        false,
    ),
    (
        "of_wheels",
        "MORE_IN=,SIMHOST_WHEEL_PORT(\"spin\",\"rad/s\",\"x\")",
        &["does not have the scope of a lane of port `wheel_torque`, a wheel"],
        false,
    ),
];

#[test]
fn ports_that_do_not_fit_are_refused() {
    let noisy = "<actuator class=\"noisy\" port=\"wheel_torque\"/>";
    for (name, change, parts, by_kind) in MISTAKES {
        let folder = plugins(&format!("mistake_{name}"), &[change]);
        world().vehicle("a", cart(0.0, noisy)).plugins(&folder).fails("<actuator", parts);
        let library = folder.join(bad_plugins::library_name("actuator"));
        let failures = bad_plugins::failures(&library, "descriptor-ports");
        assert_eq!(!failures.is_empty(), *by_kind, "{name}: {failures:?}");
    }
    // an actuator in N·m does not fit an angle
    let sees = "<l_wheel angle=\"0\"/><actuator class=\"sees\" port=\"angle\"/>";
    let world = world().vehicle("a", cart(0.0, sees)).plugins(&plugins("other_unit", &[]));
    let expected = "input `command` of phase `actuate` is in N·m; port `angle` is in rad";
    world.fails("<actuator", &[expected]);
}
