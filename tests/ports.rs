//! Ports that do not fit are refused when a world is loaded, and the message names both sides.

#![allow(clippy::unwrap_used)]

mod support;

#[path = "support/bad_plugins.rs"]
mod bad_plugins;

use std::path::{Path, PathBuf};

use support::{Outcome, Workspace};

const WORLD: &str = r#"<mvsim_world version="1.0">
  <simul_timestep>0.01</simul_timestep>
  <vehicle name="car">
    <dynamics class="tricycle">
      <controller class="pilot"><speed>9</speed></controller>
    </dynamics>
    <friction class="tyre"/>
    <sensor class="probe" name="eye"/>
    <init_pose>0 0 0</init_pose>
  </vehicle>
</mvsim_world>
"#;

/// A change of the ports of `tests/plugins/c/ports.c`, and parts of the error.
struct Mistake {
    name: &'static str,
    change: &'static str,
    expected: &'static [&'static str],
    /// Whether `plugin check` finds it without a world.
    by_kind: bool,
}

const fn of_kind(
    name: &'static str,
    change: &'static str,
    expected: &'static [&'static str],
) -> Mistake {
    Mistake { name, change, expected, by_kind: true }
}

const fn of_world(
    name: &'static str,
    change: &'static str,
    expected: &'static [&'static str],
) -> Mistake {
    Mistake { name, change, expected, by_kind: false }
}

const FRICTION: &str = "world.xml:7:22";
const DYNAMICS: &str = "world.xml:4:22";
const CONTROLLER: &str = "world.xml:5:26";
const SENSOR: &str = "world.xml:8:20";

const MISTAKES: &[Mistake] = &[
    of_kind(
        "unknown_friction_input",
        "FORCE_IN=ONE(\"vxx\",\"m/s\")",
        &[
            "friction `faulty/tyre`: unknown input `vxx` of phase `force`",
            "did you mean `vx`?",
            FRICTION,
            "in vehicle `car`",
            "the plugin is ",
            "phase `force` can read `vx` (m/s), `vy` (m/s), `spin` (rad/s)",
        ],
    ),
    of_kind(
        "unknown_friction_output",
        "FORCE_OUT=ONE(\"fxx\",\"N\"),ONE(\"fy\",\"N\"),ONE(\"spin_torque\",\"N·m\")",
        &[
            "unknown output `fxx` of phase `force`",
            "did you mean `fx`?",
            "missing output `fx` of phase `force`",
            "SIMHOST_PUBLISHED_PORT",
        ],
    ),
    of_kind(
        "missing_friction_output",
        "FORCE_OUT=ONE(\"fx\",\"N\"),ONE(\"spin_torque\",\"N·m\")",
        &["missing output `fy` of phase `force`"],
    ),
    of_kind(
        "speed_in_km_h",
        "FORCE_IN=ONE(\"vx\",\"km/h\")",
        &["input `vx` of phase `force` is in km/h; the host has it in m/s", FRICTION],
    ),
    of_kind(
        "spin_in_rpm",
        "FORCE_IN=ONE(\"spin\",\"rpm\")",
        &["input `spin` of phase `force` is in rpm; the host has it in rad/s"],
    ),
    of_kind(
        "torque_in_lbf_ft",
        "FORCE_OUT=ONE(\"fx\",\"N\"),ONE(\"fy\",\"N\"),ONE(\"spin_torque\",\"lbf·ft\")",
        &["output `spin_torque` of phase `force` is in lbf·ft; the host has it in N·m"],
    ),
    of_kind(
        "friction_input_per_wheel",
        "FORCE_IN=WHEEL(\"vx\",\"m/s\")",
        &["input `vx` of phase `force` has one value per wheel; the host has one per vehicle"],
    ),
    of_kind(
        "friction_output_per_wheel",
        "FORCE_OUT=ONE(\"fx\",\"N\"),ONE(\"fy\",\"N\"),ONE(\"spin_torque\",\"N·m\"),\
         PUBLISHED_WHEEL(\"heat\",\"K\")",
        &["output `heat` of phase `force` has a scope that the outputs of a friction cannot have"],
    ),
    of_kind(
        "friction_key",
        "FORCE_IN=KEYED(0,\"vx\",\"m/s\",\"VX\",\"m/s\",1.0)",
        &["input `vx` of phase `force` has the key `VX`, which no world file can set"],
    ),
    of_kind(
        "unknown_measure_input",
        "MEASURE_IN=WHEEL(\"spinn\",\"rad/s\")",
        &[
            "dynamics `faulty/tricycle`: unknown input `spinn` of phase `measure`",
            "did you mean `spin`?",
            DYNAMICS,
        ],
    ),
    of_kind(
        "measure_input_of_vehicle",
        "MEASURE_IN=ONE(\"spin\",\"rad/s\")",
        &["input `spin` of phase `measure` has one value per vehicle; the host has one per wheel"],
    ),
    of_kind(
        "drive_input_per_wheel",
        "DRIVE_IN=ONE(\"push\",\"N·m\"),WHEEL(\"vx\",\"m/s\")",
        &["input `vx` of phase `drive` has one value per wheel; the host has one per vehicle"],
    ),
    of_kind(
        "unknown_drive_output",
        "DRIVE_OUT=WHEEL(\"torque\",\"N·m\"),WHEEL(\"ster\",\"rad\")",
        &["unknown output `ster` of phase `drive`", "missing output `steer`"],
    ),
    of_kind(
        "steer_in_degrees",
        "DRIVE_OUT=WHEEL(\"torque\",\"N·m\"),WHEEL(\"steer\",\"deg\")",
        &["output `steer` of phase `drive` is in deg; the host has it in rad"],
    ),
    of_kind(
        "odometry_in_km_h",
        "MEASURE_OUT=ONE(\"odometry_vx\",\"km/h\"),ONE(\"load\",\"N\")",
        &["output `odometry_vx` of phase `measure` is in km/h; the host has it in m/s"],
    ),
    of_world(
        "unknown_drive_input",
        "DRIVE_IN=ONE(\"push\",\"N·m\"),ONE(\"vxx\",\"m/s\")",
        &[
            "dynamics `faulty/tricycle`: nothing provides input `vxx` of phase `drive`: controller \
             `pilot` does not set it",
            "did you mean `vx`?",
            DYNAMICS,
        ],
    ),
    of_world(
        "required_drive_input",
        "DRIVE_IN=ONE(\"push\",\"N·m\"),REQUIRED(\"boost\",\"N·m\")",
        &[
            "input `boost` of phase `drive` is required, but controller `pilot` does not set it",
            DYNAMICS,
        ],
    ),
    of_world(
        "unread_measurement",
        "MEASURE_OUT=ONE(\"odometry_vy\",\"m/s\"),ONE(\"odometry_vx\",\"m/s\"),ONE(\"load\",\"N\"),\
         ONE(\"laod\",\"N\")",
        &["nothing reads output `laod` of phase `measure`", DYNAMICS],
    ),
    of_world(
        "unknown_control_input",
        "CONTROL_IN=ONE(\"laod\",\"N\"),ONE(\"load\",\"N\"),SIMHOST_COMMAND_PORT(\"speed\",\"m/s\",\
         \"\",\"speed\")",
        &[
            "controller `pilot` does not fit dynamics `tricycle`",
            "faulty/pilot: nothing provides input `laod` of phase `control`: dynamics `tricycle` \
             does not measure it; did you mean `load`?",
            CONTROLLER,
            "in vehicle `car`",
        ],
    ),
    of_world(
        "required_control_input",
        "CONTROL_IN=REQUIRED(\"charge\",\"1\"),ONE(\"load\",\"N\"),SIMHOST_COMMAND_PORT(\"speed\",\
         \"m/s\",\"\",\"speed\")",
        &[
            "input `charge` of phase `control` is required, but dynamics `tricycle` does not \
             measure it",
            CONTROLLER,
        ],
    ),
    of_world(
        "measurement_in_another_unit",
        "MEASURE_OUT=ONE(\"odometry_vx\",\"m/s\"),ONE(\"load\",\"kN\")",
        &["input `load` of phase `control` is in N; dynamics `tricycle` has it in kN"],
    ),
    of_world(
        "measurement_per_wheel",
        "MEASURE_OUT=ONE(\"odometry_vx\",\"m/s\"),WHEEL(\"load\",\"N\")",
        &[
            "input `load` of phase `control` has one value per vehicle; dynamics `tricycle` has one \
             per wheel",
        ],
    ),
    of_kind(
        "spin_of_vehicle",
        "CONTROL_IN=ONE(\"spin\",\"rad/s\"),ONE(\"load\",\"N\"),SIMHOST_COMMAND_PORT(\"speed\",\
         \"m/s\",\"\",\"speed\")",
        &[
            "input `spin` of phase `control` has one value per vehicle; the host has one per wheel",
            "SIMHOST_WHEEL_PORT",
        ],
    ),
    of_world(
        "untaken_output",
        "CONTROL_OUT=ONE(\"pusch\",\"N·m\")",
        &["nothing takes output `pusch` of phase `control`; did you mean `push`?", CONTROLLER],
    ),
    of_world(
        "actuator_in_another_unit",
        "CONTROL_OUT=ONE(\"push\",\"lbf·ft\")",
        &["output `push` of phase `control` is in lbf·ft; dynamics `tricycle` has it in N·m"],
    ),
    of_world(
        "actuator_per_wheel",
        "CONTROL_OUT=WHEEL(\"push\",\"N·m\")",
        &["output `push` of phase `control` has one value per wheel"],
    ),
    of_kind(
        "twist_in_km_h",
        "CONTROL_OUT=ONE(\"push\",\"N·m\"),PUBLISHED(\"twist_vx\",\"km/h\")",
        &["output `twist_vx` of phase `control` is in km/h; the host has it in m/s"],
    ),
    of_kind(
        "unknown_port_of_a_command",
        "COMMAND_PORT=\"sped\"",
        &["command `go` sets `sped`, which is not an input", "did you mean `speed`?"],
    ),
    of_kind(
        "factor_of_a_key",
        "CONTROL_IN=ONE(\"load\",\"N\"),KEYED(SIMHOST_PORT_FLAG_COMMAND,\"speed\",\"m/s\",\
         \"speed\",\"km/h\",3.6)",
        &["input `speed` of phase `control`: the factor from km/h to m/s is 0.2777"],
    ),
    of_world(
        "required_key",
        "CONTROL_IN=ONE(\"load\",\"N\"),SIMHOST_COMMAND_PORT(\"speed\",\"m/s\",\"\",\"speed\"),\
         KEYED(SIMHOST_PORT_FLAG_REQUIRED,\"limit\",\"m/s\",\"limit\",\"m/s\",1.0)",
        &["input `limit` of phase `control` is required, but `limit` is not given"],
    ),
    of_world(
        "unknown_sensor_input",
        "READ_IN=ONE(\"nonsense_q\",\"1\"),ONE(\"load\",\"N\")",
        &[
            "sensor `faulty/probe`: nothing provides input `nonsense_q` of phase `read`: dynamics \
             `tricycle` does not measure it",
            SENSOR,
            "in vehicle `car`",
        ],
    ),
    of_kind(
        "sensor_input_of_vehicle",
        "READ_IN=ONE(\"spin\",\"rad/s\")",
        &["input `spin` of phase `read` has one value per vehicle; the host has one per wheel"],
    ),
    of_kind(
        "range_of_vehicle",
        "READ_IN=ONE(\"range\",\"m\")",
        &["input `range` of phase `read` has one value per vehicle; the host has one per ray"],
    ),
    of_kind(
        "unknown_aim_output",
        "AIM_OUT=ONE(\"max_rnge\",\"m\"),RAY(\"angle\",\"rad\")",
        &["unknown output `max_rnge` of phase `aim`", "did you mean `max_range`?"],
    ),
    of_kind(
        "angle_in_degrees",
        "AIM_OUT=RAY(\"angle\",\"deg\")",
        &["output `angle` of phase `aim` is in deg; the host has it in rad"],
    ),
    of_kind(
        "reading_per_wheel",
        "READ_OUT=WHEEL(\"sum\",\"rad/s\")",
        &["output `sum` of phase `read` has a scope that the outputs of a sensor cannot have"],
    ),
];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("ports").join(name)
}

fn check(world: &str, plugins: &Path) -> Outcome {
    let plugins = plugins.to_str().unwrap();
    Workspace::new(world).run(&["check", "world.xml", "--plugin-dir", plugins])
}

#[test]
fn ports_that_fit_are_accepted() {
    let plugins = folder("right");
    let library = bad_plugins::build_of("ports.c", &plugins, "ports", &[]);
    let outcome = check(WORLD, &plugins);
    assert_eq!((outcome.code, &*outcome.stdout), (0, "world.xml: ok\n"), "{}", outcome.stderr);
    let outcome = plugin_check(&library);
    assert!(
        outcome.stdout.contains("ok  descriptor-ports") || outcome.code == 0,
        "{}",
        outcome.stdout
    );
}

fn plugin_check(library: &Path) -> Outcome {
    let arguments = ["plugin", "check", library.to_str().unwrap(), "--only", "descriptor-ports"];
    Workspace::new("").run(&arguments)
}

#[test]
fn each_mistake_is_refused_with_both_sides() {
    let mut missed = Vec::new();
    for Mistake { name, change, expected, by_kind } in MISTAKES {
        let plugins = folder(name);
        let library = bad_plugins::build_of("ports.c", &plugins, "ports", &[change]);
        let outcome = check(WORLD, &plugins);
        let text = outcome.stderr;
        if outcome.code != 12 {
            missed.push(format!("{name} ends with {}:\n{text}", outcome.code));
        }
        for part in expected.iter().filter(|part| !text.contains(*part)) {
            missed.push(format!("{name} has no `{part}`:\n{text}"));
        }
        let outcome = plugin_check(&library);
        if (outcome.code != 0) != *by_kind {
            missed.push(format!("plugin check {name}: {}\n{}", outcome.code, outcome.stdout));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
