//! The table of manoeuvres. Names, help, defaults and the list in the documentation come from it.

use super::motion::DrivenRun;
use super::rig::Rig;
use super::{
    Manoeuvre, ManoeuvreSetting, Metric, dwell, frequency, lane_change, rollover, steady, step,
    straight, towing, turn, weave,
};
use crate::Error;

/// Drives through a manoeuvre, and returns the metrics and the run that they are computed from.
pub(super) type Drive = fn(&Rig<'_>) -> Result<(Vec<Metric>, DrivenRun), Error>;

/// A manoeuvre.
pub(super) struct ManoeuvreRow {
    pub manoeuvre: Manoeuvre,
    pub name: &'static str,
    pub title: &'static str,
    /// Standard or another public source.
    pub source: &'static str,
    /// Usual speed, km/h.
    pub usual_kmh: f64,
    /// Friction under the left and the right wheels; `None` for the friction of the vehicle.
    pub split_friction: Option<[f64; 2]>,
    /// Whether its run gives a frequency response.
    pub has_response: bool,
    /// Whether the vehicle has to tow a trailer.
    pub needs_trailer: bool,
    pub settings: &'static [ManoeuvreSetting],
    pub drive: Drive,
}

/// Values that most manoeuvres have.
const USUAL: ManoeuvreRow = ManoeuvreRow {
    manoeuvre: Manoeuvre::Circle,
    name: "",
    title: "",
    source: "",
    usual_kmh: 80.0,
    split_friction: None,
    has_response: false,
    needs_trailer: false,
    settings: &[],
    drive: dwell::run_circle,
};

/// Number of manoeuvres.
pub(super) const COUNT: usize = 23;

/// All manoeuvres, in the order of the variants of [`Manoeuvre`].
pub(super) static ROWS: [ManoeuvreRow; COUNT] = [
    ManoeuvreRow {
        manoeuvre: Manoeuvre::Circle,
        name: "ISO-4138",
        title: "quasi-steady-state circle at constant speed",
        source: "ISO 4138:2021, constant speed and slowly increasing steering-wheel angle",
        drive: dwell::run_circle,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::ConstantRadius,
        name: "ISO-4138-radius",
        title: "steady-state circle of a constant radius with slowly increasing speed",
        source: "ISO 4138:2021, constant radius",
        usual_kmh: 25.0,
        settings: &[steady::RADIUS, steady::SPEED_RATE],
        drive: steady::run_radius,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::ConstantSteer,
        name: "ISO-4138-steer",
        title: "constant steering angle with slowly increasing speed",
        source: "ISO 4138:2021, constant steering-wheel angle",
        usual_kmh: 25.0,
        settings: &[steady::RADIUS, steady::SPEED_RATE],
        drive: steady::run_steer,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::StepSteer,
        name: "ISO-7401",
        title: "step steer to 4 m/s²",
        source: "ISO 7401:2011, step input",
        settings: &[step::LATERAL],
        drive: step::run,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::RandomSteer,
        name: "ISO-7401-random",
        title: "frequency response from random steering",
        source: "ISO 7401:2011, random input",
        has_response: true,
        settings: &[frequency::LATERAL, frequency::SEED],
        drive: frequency::run_random,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::SweptSteer,
        name: "ISO-7401-sweep",
        title: "frequency response from a sine of rising frequency",
        source: "ISO 7401:2011, continuous sinusoidal input, with a continuous change of frequency",
        has_response: true,
        settings: &[frequency::LATERAL],
        drive: frequency::run_sweep,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::Weave,
        name: "ISO-13674-1",
        title: "weave test",
        source: "ISO 13674-1:2010",
        usual_kmh: 100.0,
        settings: &[weave::LATERAL, weave::FREQUENCY],
        drive: weave::run,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::BrakingInTurn,
        name: "ISO-7975",
        title: "braking in a turn with fixed steering",
        source: "ISO 7975:2019",
        settings: &[turn::RADIUS, turn::DECELERATION],
        drive: turn::run_braking,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::PowerOffInTurn,
        name: "ISO-9816",
        title: "release of the accelerator pedal in a turn with fixed steering",
        source: "ISO 9816:2018",
        usual_kmh: 72.0,
        settings: &[turn::RADIUS],
        drive: turn::run_power_off,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::DoubleLaneChange,
        name: "ISO-3888-1",
        title: "double lane change with a preview driver",
        source: "ISO 3888-1:2018",
        drive: |rig| lane_change::run(rig, &lane_change::ISO_3888_1),
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::ObstacleAvoidance,
        name: "ISO-3888-2",
        title: "obstacle avoidance with a preview driver, coasting",
        source: "ISO 3888-2:2011",
        usual_kmh: 60.0,
        drive: |rig| lane_change::run(rig, &lane_change::ISO_3888_2),
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::SineWithDwell,
        name: "sine-with-dwell",
        title: "sine with dwell (ISO 19365, FMVSS 126), 0.7 Hz, 0.5 s",
        source: "ISO 19365:2016 and 49 CFR 571.126",
        drive: dwell::run,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::JTurn,
        name: "J-turn",
        title: "J-turn with 8 times the steering angle at 0.3 g",
        source: "Forkenbrock et al., SAE 2003-01-1008, NHTSA J-turn",
        settings: &[rollover::J_TURN_MULTIPLE],
        drive: rollover::run_j_turn,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::Fishhook,
        name: "fishhook",
        title: "fishhook with 6.5 times the steering angle at 0.3 g and feedback of the roll rate",
        source: "49 CFR 575, 68 FR 59250 (2003); Forkenbrock et al., SAE 2003-01-1008, fishhook 1b",
        settings: &[rollover::FISHHOOK_MULTIPLE],
        drive: rollover::run_fishhook,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::Acceleration,
        name: "acceleration",
        title: "full acceleration from standstill",
        source: "T. D. Gillespie, \"Fundamentals of Vehicle Dynamics\", 1992, chapter 2",
        usual_kmh: 0.0,
        settings: &[straight::TARGET, straight::DRIVE_EFFORT],
        drive: straight::run_acceleration,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::StraightBraking,
        name: "ISO-21994",
        title: "full braking on a straight road",
        source: "ISO 21994:2007; mean fully developed deceleration of UN Regulation 13-H",
        usual_kmh: 100.0,
        settings: &[straight::BRAKE_EFFORT],
        drive: straight::run_braking,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::SplitBraking,
        name: "ISO-14512",
        title: "braking on split friction, 0.2 on the left and 0.8 on the right",
        source: "ISO 14512:1999",
        split_friction: Some([0.2, 0.8]),
        drive: straight::run_split_braking,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::TowedLaneChange,
        name: "ISO-14791",
        title: "single sine of the steering angle with trailers",
        source: "ISO 14791:2000, single sine-wave steering input",
        needs_trailer: true,
        settings: &[towing::LATERAL, towing::FREQUENCY],
        drive: towing::run_lane_change,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::TowedPulse,
        name: "ISO-14791-pulse",
        title: "pulse of the steering angle with trailers",
        source: "ISO 14791:2000, pulse input",
        needs_trailer: true,
        settings: &[towing::LATERAL, towing::PULSE],
        drive: towing::run_pulse,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::TowedCircle,
        name: "ISO-14792",
        title: "quasi-steady-state circle with trailers",
        source: "ISO 14792:2011, constant speed and slowly increasing steering-wheel angle",
        usual_kmh: 60.0,
        needs_trailer: true,
        drive: towing::run_circle,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::TowedStep,
        name: "ISO-14793",
        title: "step steer with trailers",
        source: "ISO 14793:2011, step input",
        needs_trailer: true,
        settings: &[towing::STEP_LATERAL],
        drive: towing::run_step,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::TowedBraking,
        name: "ISO-14794",
        title: "braking in a turn with trailers and fixed steering",
        source: "ISO 14794:2011",
        usual_kmh: 50.0,
        needs_trailer: true,
        settings: &[turn::RADIUS, turn::DECELERATION],
        drive: towing::run_braking,
        ..USUAL
    },
    ManoeuvreRow {
        manoeuvre: Manoeuvre::TrailerDamping,
        name: "ISO-9815",
        title: "damping of a car with a trailer after a pulse of the steering angle",
        source: "ISO 9815:2010",
        usual_kmh: 90.0,
        needs_trailer: true,
        settings: &[towing::LATERAL, towing::PULSE],
        drive: towing::run_pulse,
        ..USUAL
    },
];

/// Returns the manoeuvres of the table.
pub(super) const fn manoeuvres() -> [Manoeuvre; COUNT] {
    let mut all = [Manoeuvre::Circle; COUNT];
    let mut at = 0;
    while at < COUNT {
        all[at] = ROWS[at].manoeuvre;
        at += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Manoeuvre, ROWS};

    /// A manoeuvre finds its row by its number.
    #[test]
    fn rows_are_in_the_order_of_the_variants_and_names_are_unique() {
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(row.manoeuvre as usize, at, "{}", row.name);
            assert_eq!(Manoeuvre::ALL[at].name(), row.name);
            assert!(ROWS[..at].iter().all(|other| !other.name.eq_ignore_ascii_case(row.name)));
            for setting in row.settings {
                let [low, high] = setting.range;
                assert!((low..=high).contains(&setting.default), "{} {}", row.name, setting.name);
            }
        }
    }
}
