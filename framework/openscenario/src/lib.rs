//! Scenarios in OpenSCENARIO XML 1.0 to 1.2: the subset that tests of driving functions use.
//!
//! [`Scenario::read`] reads a file. A [`Director`] plays its storyboard: in each step it evaluates the conditions, starts
//! and ends events, and moves the actors. [`world_of`] and [`ScenarioHook`] make it a run: a world with a vehicle for each
//! entity, and a hook of the session that commands the vehicles.
//!
//! Actors are kinematic: they follow the middle of their lane, or a trajectory, exactly. Sensors see them, and vehicles
//! collide with them. The entities that a program drives itself, such as the ego vehicle, are vehicles as in any world.
//!
//! What [`SCENARIO_COVERAGE`] does not name is an error with its line.
//!
//! Frames are right-handed, angles are counter-clockwise in rad, lengths are in m, speeds in m/s. The origin of an entity
//! is below the middle of its rear axle. Source: ASAM OpenSCENARIO XML 1.2.

mod action_reader;
mod actor;
mod condition_reader;
mod conditions;
mod course;
mod coverage;
mod director;
mod distribution;
mod hints;
mod motion;
mod production;
mod reader;
mod references;
mod scenario;
mod scripted;
mod values;

pub use coverage::{SCENARIO_COVERAGE, WITHOUT_EFFECT, coverage_table};
pub use director::{Director, StoryChange};
pub use distribution::ScenarioRuns;
pub use production::{OwnVehicle, ScenarioHook, StoryLog, world_of};
pub use reader::network_file;
pub use scenario::{
    Act, ComparisonRule, Condition, ConditionTest, DistanceKind, Edge, ElementState, LaneTarget,
    Maneuver, ManeuverGroup, Priority, Property, Scenario, ScenarioAction, ScenarioEntity,
    ScenarioEvent, ScenarioPosition, ScenarioTrajectory, SpeedTarget, StoryTrigger, TrajectoryPath,
    Transition, TransitionDimension, TransitionShape, ValueComparison,
};
pub use simhost_xml::ReadError;
