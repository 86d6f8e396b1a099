//! Properties of every controller: finite outputs within the limits of the parameters.

use proptest::prelude::*;
use simhost_commonroad::controllers::{
    f1tenth::F1tenth, steering_rate_acceleration::SteeringRateAcceleration,
};
use simhost_controllers::front_steer_pid::{EngineSteerPid, FrontSteerPid};
use simhost_controllers::pedals::{EnginePedals, FrontMotorPedals, PowertrainPedals};
use simhost_controllers::raw::{RawAckermann, RawDifferential, RawDrivetrain};
use simhost_controllers::twist_front_steer_pid::{TwistEnginePid, TwistFrontSteerPid};
use simhost_controllers::twist_ideal::{TwistIdeal, TwistIdealSteered};
use simhost_controllers::twist_pid::TwistPid;
use simhost_controllers::wheel_torques::WheelTorques;
use simhost_platforms::mecanum_pid::{MecanumPid, MecanumRaw};
use simhost_platforms::speed_steer::SpeedSteer;
use simhost_sdk::testing::Pilot;
use simhost_sdk::{Controller, Step};

use crate::near_zero::small;

type Given<'g> = &'g [(&'g str, &'g str)];

/// A controller at the start of a run and its maximum torque, N·m.
struct Class {
    name: String,
    pilot: Pilot,
    most: f64,
}

fn class<M: Controller>(name: &str, given: Given, most: f64) -> Class {
    let written: Vec<String> = given.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    Class { name: name.to_owned() + &written.concat(), pilot: Pilot::new::<M>(given), most }
}

/// PID controllers with non-zero gains and a torque limit.
fn regulators(more: Given) -> Vec<Class> {
    let mut given = vec![("KP", "50"), ("KI", "30"), ("KD", "2"), ("max_torque", "7")];
    given.extend(more);
    vec![
        class::<TwistPid>("twist_pid", &given, 7.0),
        class::<TwistFrontSteerPid>("twist_front_steer_pid", &given, 7.0),
        class::<TwistEnginePid>("twist_front_steer_pid", &given, 7.0),
        class::<FrontSteerPid>("front_steer_pid", &given, 7.0),
        class::<EngineSteerPid>("front_steer_pid", &given, 7.0),
    ]
}

fn every() -> Vec<Class> {
    const FREE: f64 = f64::INFINITY;
    let mut classes = vec![
        class::<MecanumPid>("mecanum_pid", &[("max_torque", "7")], 7.0),
        class::<MecanumRaw>("mecanum_raw", &[], FREE),
        class::<SpeedSteer>("speed_steer", &[], FREE),
        class::<RawDifferential>("raw", &[], FREE),
        class::<RawAckermann>("raw", &[], FREE),
        class::<RawDrivetrain>("raw", &[], FREE),
        class::<FrontMotorPedals>("pedals", &[], FREE),
        class::<EnginePedals>("pedals", &[], FREE),
        class::<PowertrainPedals>("pedals", &[], FREE),
        class::<WheelTorques>("wheel_torques", &[], FREE),
        class::<TwistIdeal>("twist_ideal", &[], FREE),
        class::<TwistIdealSteered>("twist_ideal", &[], FREE),
        class::<SteeringRateAcceleration>("steering_rate_acceleration", &[], FREE),
        class::<F1tenth>("f1tenth", &[], FREE),
    ];
    let filter = [("enable_reference_filter", "true"), ("reference_filter_order", "2")];
    let hold = [("enable_feedforward", "true"), ("enable_antiwindup", "true")];
    for more in [&[][..], &filter, &hold, &[("N", "20")]] {
        classes.extend(regulators(more));
    }
    classes
}

/// Numbers, many of them near zero, where the models switch between cases.
fn within(reach: f64) -> impl Strategy<Value = f64> {
    prop_oneof![-reach..reach, small(reach), Just(0.0)]
}

/// Sets commands and measurements from −1 to 1 times `size`. Properties of the vehicle have plausible values.
fn set_inputs(pilot: &mut Pilot, numbers: &[f64], size: f64) {
    for ((name, value), number) in pilot.inputs.iter_mut().zip(numbers) {
        *value = match name {
            "wheelbase" | "front_track" | "track" | "front_axle_x" | "turning_arm" => 1.5,
            "max_steer" => 0.6,
            "wheel_radius" => 0.2,
            "chassis_mass" => 500.0,
            "gravity" => 9.81,
            "pitch" => 0.5 * number,
            _ => size * number,
        };
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn answers_are_finite_and_torques_within_their_limit(
        numbers in proptest::collection::vec(proptest::collection::vec(within(1.0), 16), 6),
        size in prop_oneof![Just(1.0), Just(30.0), Just(1e6), Just(1e-9)],
        dt in prop_oneof![Just(0.0), Just(1e-9), 1e-5..0.1_f64],
    ) {
        for Class { name, mut pilot, most } in every() {
            for (count, numbers) in numbers.iter().enumerate() {
                set_inputs(&mut pilot, numbers, size);
                let answer = pilot.control(&Step::new(count as f64 * dt, dt));
                for (output, value) in answer.iter() {
                    prop_assert!(value.is_finite(), "{name}: {output} is {value}");
                    let within = !output.starts_with("torque") || value.abs() <= most;
                    prop_assert!(within, "{name}: {output} is {value} of {most} N·m");
                }
            }
        }
    }

    /// Pedals are between 0 and 1, brake torques are not negative, and steering rates are within their limit.
    #[test]
    fn outputs_are_within_their_ranges(
        numbers in proptest::collection::vec(within(1.0), 16), size in prop_oneof![Just(1.0), Just(1e3)],
    ) {
        for Class { name, mut pilot, .. } in every() {
            set_inputs(&mut pilot, &numbers, size);
            let answer = pilot.control(&Step::new(0.0, 0.01));
            let range = |output: &str| match (name.as_str(), output) {
                (_, "throttle" | "brake") => [0.0, 1.0],
                (_, "brake_torque") => [0.0, f64::INFINITY],
                ("f1tenth", "steer_rate") => [-3.2, 3.2],
                _ => [f64::NEG_INFINITY, f64::INFINITY],
            };
            for (output, value) in answer.iter() {
                let [low, high] = range(output);
                prop_assert!((low..=high).contains(&value), "{name}: {output} is {value}");
            }
        }
    }

    /// With zero commands a vehicle at rest gets no torque.
    #[test]
    fn a_controller_at_rest_outputs_no_torque(pitch in within(1.0), dt in 1e-5..0.1_f64) {
        for Class { name, mut pilot, .. } in every() {
            set_inputs(&mut pilot, &[0.0; 16], 1.0);
            pilot.inputs.set("pitch", 0.3 * pitch);
            let answer = pilot.control(&Step::new(0.0, dt));
            let torque = |(output, value): (&str, f64)| {
                if output.starts_with("torque") { value.abs() } else { 0.0 }
            };
            let torque = answer.iter().map(torque).fold(0.0, f64::max);
            prop_assert!(torque == 0.0, "{name}: {torque} N·m");
        }
    }
}
