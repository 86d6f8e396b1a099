//! World file to checked description, with a source position on every value.
//!
//! [`load`] works in three stages. A file becomes a tree of elements that know their place. Includes,
//! variables, expressions, loops and conditions make it a plain tree. Reading that looks every
//! `class="…"` up in the catalogue and binds the parameters that the models declare. What comes out is
//! in SI units and complete: defaults are filled in. All mistakes of a file are found in one go. This
//! crate knows no physics, and starts no program unless [`Allow`] says so.

mod actors;
mod binding;
mod blocks;
mod budget;
mod chassis;
mod compat;
mod description;
mod diagnostics;
mod dynamics;
mod elements;
mod expansion;
mod expression;
mod fingerprint;
mod flat;
mod fuzzing;
mod geometry;
mod joints;
mod layers;
mod limits;
mod maps;
mod models;
mod motion;
mod numbers;
mod opening;
mod planes;
mod primitives;
mod reader;
mod refusal;
mod resources;
mod scenery;
pub mod schema;
mod sensors;
mod settings;
mod sources;
mod tag;
mod terrain;
mod vehicles;
mod visuals;
mod vocabulary;
mod walls;
mod wheels;
mod xml;

pub use compat::{CORRECTED, MVSIM_1_2, Override, PROFILES, Profile};
pub use description::{
    Actor, Aerodynamics, Animation, Block, BlockTop, BodyRef, Chassis, ElevationMap, FaultAction,
    FaultPolicy, Gait, Georeference, GridMap, GroundGrid, Gui, HorizontalPlane, Integrator, Joint,
    JointKind, Lights, Marker, ModelUse, Opening, OpeningKind, PointCloud, Pose, PropertyRegion,
    PropertyValue, Publish, Scenery, SensorUse, Settings, Skybox, Suspension, Texture, Vehicle,
    VerticalPlane, Visual, Wall, Waypoint, WheelSpec, World,
};
pub use diagnostics::{Diagnostic, LoadError, Severity};
pub use flat::flatten;
#[doc(hidden)]
pub use fuzzing::{fuzz_expression, fuzz_xml};
pub use limits::{Allow, Limits};
pub use reader::{LoadOptions, Loaded, load, load_text};
pub use resources::{MissingAssets, SharedFetcher};
pub use sources::{Sources, Span};
