//! Ports that do not fit the other models of a vehicle.

use super::{CONTROLLER, DYNAMICS, Mistake, SENSOR, of_world};

pub const MISTAKES: &[Mistake] = &[
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
            "controller `faulty/pilot`: nothing provides input `laod` of phase `control`: dynamics \
             `tricycle` does not measure it, and no sensor of the vehicle has an output of this name",
            "did you mean `load`?",
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
];
