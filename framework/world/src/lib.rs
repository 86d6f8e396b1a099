//! World file to checked description, with a source position on every value.
//!
//! [`load`] reads a world file and everything it includes, resolves variables and expressions, looks
//! every `class="…"` up in the catalogue and binds the parameters that the models declare. What comes
//! out is in SI units and complete: defaults are filled in. All mistakes of a file are found in one
//! go. This crate knows no physics and starts no program.

mod actors;
mod binding;
mod blocks;
mod chassis;
mod classes;
mod compat;
mod description;
mod diagnostics;
mod document;
mod dynamics;
mod elements;
mod expression;
mod geometry;
mod joints;
mod layers;
mod maps;
mod models;
mod motion;
mod nearest;
mod numbers;
mod planes;
mod primitives;
mod reader;
mod resources;
mod scenery;
pub mod schema;
mod sensors;
mod settings;
mod sources;
mod substitution;
mod tag;
mod terrain;
mod values;
mod variants;
mod vehicles;
mod visuals;
mod vocabulary;
mod walls;
mod wheels;
mod xml;

pub use classes::{ClassError, Classes, ModelRef};
pub use compat::{CORRECTED, MVSIM_1_2, Override, PROFILES, Profile};
pub use description::{
    Actor, Animation, Block, BlockTop, BodyRef, Chassis, ElevationMap, FaultAction, Gait,
    Georeference, GridMap, GroundGrid, Gui, HorizontalPlane, Joint, JointKind, Lights, Marker,
    ModelUse, Opening, OpeningKind, PointCloud, Pose, PropertyRegion, PropertyValue, Publish,
    Scenery, SensorUse, Settings, Skybox, Texture, Vehicle, VerticalPlane, Visual, Wall, Waypoint,
    WheelSpec, World,
};
pub use diagnostics::{Diagnostic, LoadError, Severity};
pub use nearest::nearest;
pub use reader::{LoadOptions, Loaded, load};
pub use resources::{MissingAssets, SharedFetcher};
pub use sources::{Sources, Span};
pub use values::ParamValue;
