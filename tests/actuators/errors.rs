//! Wrong worlds and actuators that do not fit.

use super::{bad_plugins, cart, plugins, world};

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
        &["missing `class` in `<actuator>`", "choose an actuator class: backlash, dead_time"],
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
        let content = format!(
            "<vehicle name=\"a\"><init_pose>0 0 0</init_pose><dynamics class=\"ackermann\">\n{actuators}\
             </dynamics></vehicle>"
        );
        let outcome = world(&content).run(&["check", "world.xml"]);
        assert_eq!(outcome.code, 12, "{actuators}: {}", outcome.stderr);
        for part in *parts {
            assert!(outcome.stderr.contains(part), "no `{part}` in {}", outcome.stderr);
        }
        assert!(outcome.stderr.contains("world.xml:3:"), "{}", outcome.stderr);
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
    let content = cart("a", 0.0, "<actuator class=\"noisy\" port=\"wheel_torque\"/>");
    for (name, change, parts, by_kind) in MISTAKES {
        let folder = plugins(&format!("mistake_{name}"), &[change]);
        let folder_name = folder.to_str().unwrap();
        let outcome = world(&content).run(&["check", "world.xml", "--plugin-dir", folder_name]);
        assert_eq!(outcome.code, 12, "{name}: {}", outcome.stderr);
        for part in *parts {
            assert!(outcome.stderr.contains(part), "{name}: no `{part}` in {}", outcome.stderr);
        }
        let library = folder.join(bad_plugins::library_name("actuator"));
        let words = ["plugin", "check", library.to_str().unwrap(), "--only", "descriptor-ports"];
        let checked = world("").run(&words);
        assert_eq!(checked.stdout.contains("FAIL"), *by_kind, "{name}: {}", checked.stdout);
    }
    // an actuator in N·m does not fit an angle
    let folder = plugins("other_unit", &[]);
    let content = cart("a", 0.0, "<l_wheel angle=\"0\"/><actuator class=\"sees\" port=\"angle\"/>");
    let words = ["check", "world.xml", "--plugin-dir", folder.to_str().unwrap()];
    let outcome = world(&content).run(&words);
    let expected = "input `command` of phase `actuate` is in N·m; port `angle` is in rad";
    assert!(outcome.code == 12 && outcome.stderr.contains(expected), "{}", outcome.stderr);
}
