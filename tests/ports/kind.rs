//! Ports that contradict the kind of their model.

use super::{DYNAMICS, FRICTION, Mistake, of_kind};

pub const MISTAKES: &[Mistake] = &[
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
        "friction_reads_a_sensor",
        "FORCE_IN=ONE(\"vx\",\"m/s\"),SIMHOST_ARRAY_PORT(\"scan\",\"m\",\"ranges\")",
        &["input `scan` of phase `force` is an array: this phase cannot read sensors", FRICTION],
    ),
    of_kind(
        "aim_reads_a_sensor",
        "AIM_IN=WHEEL(\"spin\",\"rad/s\"),SIMHOST_ARRAY_PORT(\"scan\",\"m\",\"ranges\")",
        &["phase `aim` is an array: this phase cannot read sensors"],
    ),
    of_kind(
        "measure_reads_a_sensor",
        "MEASURE_IN=WHEEL(\"spin\",\"rad/s\"),SIMHOST_ARRAY_PORT(\"scan\",\"m\",\"ranges\")",
        &["phase `measure` is an array: this phase cannot read sensors"],
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
    of_kind(
        "spin_of_vehicle",
        "CONTROL_IN=ONE(\"spin\",\"rad/s\"),ONE(\"load\",\"N\"),SIMHOST_COMMAND_PORT(\"speed\",\
         \"m/s\",\"\",\"speed\")",
        &[
            "input `spin` of phase `control` has one value per vehicle; the host has one per wheel",
            "SIMHOST_WHEEL_PORT",
        ],
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
];
