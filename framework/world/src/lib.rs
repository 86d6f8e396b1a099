//! Loading of world files.
//!
//! [`load`] turns a world file into a [`World`]: a checked description in SI units with all
//! defaults and with the position of every declaration. It works in three passes. Parsing yields a
//! tree of elements with positions. Expansion replaces includes, variables, expressions, loops and
//! conditions. Reading checks the expanded tree against the vocabulary, looks up every `class="…"`
//! in the catalogue and binds the parameters that the models declare. All errors of a file are
//! reported in one pass.
//!
//! Each concept of the world file has a module of its own with its vocabulary, its reader and its
//! part of the description. The crate does not contain any physics, and runs a shell command only
//! if [`Allow::shell`] is set.

// generic machinery, lowest layer first
mod class_table;
mod context;
mod diagnostics;
mod expansion;
mod expression;
mod files;
mod history;
mod json;
mod models;
mod options;
mod profile;
mod reader;
mod sources;
mod spelling;
mod stream;
mod stream_request;
mod tree;
mod value;
mod vocabulary;
mod xml;

// concepts of the world file
mod actor;
mod animation;
mod block;
mod environment;
mod fleet;
mod georeference;
mod gui;
mod joint;
mod lane_parameter;
mod maps;
mod marker;
mod observer;
mod outline;
mod plane;
mod pose;
mod publish;
mod region;
mod roads;
mod robot_description;
mod semantic;
mod sensor;
mod sky;
mod terrain;
mod texture;
mod vehicle;
mod visual;
mod walls;

// the whole world
mod flatten;
mod fuzzing;
mod load;
mod parameter;
mod requirement;
pub mod schema;
mod world;

pub use simhost_model::CodePlace;

pub use actor::{Actor, ActorPath, Gait, Waypoint};
pub use animation::Animation;
pub use block::{Block, BlockTop};
pub use diagnostics::{Diagnostic, LoadError, Severity};
pub use environment::EnvironmentUse;
pub use expression::evaluate_expression;
pub use flatten::{flatten, flatten_text};
pub use fleet::FleetUse;
#[doc(hidden)]
pub use fuzzing::{fuzz_expression, fuzz_vehicle_file, fuzz_xml};
pub use georeference::Georeference;
pub use gui::Gui;
pub use joint::{BodyRef, Joint, JointKind};
pub use lane_parameter::{LaneOwner, LaneParameter};
#[doc(hidden)]
pub use load::load_text;
pub use load::{Loaded, UnknownEntity, WorldTree, load};
pub use maps::{GridMap, GroundGrid, PointCloud};
pub use marker::Marker;
pub use models::{Connect, ModelUse};
pub use observer::ObserverUse;
pub use options::{Allow, Confinement, Limits, LoadOptions, MissingAssets, SharedFetcher};
pub use parameter::{
    ParameterContext, ParameterError, ParameterInfo, ParameterOwner, PlacementError,
    model_parameters,
};
pub use plane::{HorizontalPlane, Opening, OpeningKind, PlaneSurface, VerticalPlane};
pub use profile::{CORRECTED, MVSIM_1_2, Override, PROFILES, Profile};
pub use publish::Publish;
pub use region::{PropertyRegion, PropertyValue, ValueImage};
pub use roads::RoadNetwork;
pub use robot_description::{LinkMotion, RobotDescription, RobotFrame};
pub use semantic::CLASSES;
pub use sensor::SensorUse;
pub use sky::{Lights, Skybox};
pub use sources::{Sources, Span};
pub use spelling::class as present_class;
pub use stream::{QuantityPattern, StreamUse};
pub use stream_request::StreamRequest;
pub use terrain::ElevationMap;
pub use texture::Texture;
pub use value::RandomValue;
pub use vehicle::{
    ActuatorReading, ActuatorUse, Aerodynamics, AxleSprings, AxleSuspension, BodySprings, Chassis,
    FAULT_SENSORS, FaultEffect, FaultOnset, FaultPort, FaultSeverity, FaultTarget, ReadingUse,
    RobotFault, SensorReading, Vehicle, VehicleLog, WheelFriction, WheelSpec, WheelTurning,
};
pub use visual::Visual;
pub use walls::Wall;
pub use world::{FaultAction, FaultPolicy, Integrator, Scenery, Settings, World};
