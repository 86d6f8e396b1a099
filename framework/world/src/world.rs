//! The world as a whole: its description, its top-level elements, and how they are read.

mod description;
mod elements;
mod references;
mod root;
mod settings;
mod vocabulary;

pub use description::{Scenery, World};
pub(crate) use root::read_world;
pub use settings::{FaultAction, FaultPolicy, Integrator, Settings};
pub(crate) use vocabulary::sections;
