//! The vehicle models of CommonRoad and F1TENTH, with corrections.
//!
//! Each model is a pure function in [`models`]; the classes add parameters and a body. Sources:
//! Althoff and Würsching, *CommonRoad: Vehicle Models*, 2020; values of commonroad-vehicle-models
//! 3.0.2; the F1TENTH gym. [`defects`] lists the deviations of the reference implementation.
//!
//! * [`classes`] has the dynamics classes, and [`controllers`] their controllers.
//! * [`parameters`] has the parameters of a vehicle, and [`overrides`] the sets of the source by
//!   name.
//! * [`limits`] has the limits of steering and engine, and [`low_speed`] the transition to the
//!   model without slip.
//! * [`rk4`] integrates a model over a step.

pub mod adapter;
pub mod classes;
pub mod controllers;
pub mod defects;
pub mod embedding;
pub mod limits;
pub mod low_speed;
pub mod models;
pub mod overrides;
pub mod parameters;
pub mod rk4;
pub mod tyre;
pub mod wheel;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    dynamics: {
        "kinematic_single_track" => classes::kinematic_single_track::KinematicSingleTrack,
        "kinematic_single_track_trailer" =>
            classes::kinematic_single_track_trailer::KinematicSingleTrackTrailer,
        "single_track" => classes::single_track::SingleTrack,
        "single_track_drift" => classes::single_track_drift::SingleTrackDrift,
        "multi_body" => classes::multi_body::MultiBody,
        "f1tenth_single_track" => classes::f1tenth_single_track::F1tenthSingleTrack,
    },
    controller: {
        "steering_rate_acceleration" =>
            controllers::steering_rate_acceleration::SteeringRateAcceleration,
        "f1tenth" => controllers::f1tenth::F1tenth,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
