//! The world as a whole: its description, its top-level elements, and how they are read.

mod description;
mod effects;
mod elements;
mod faults;
mod references;
mod root;
mod settings;
mod unused;
mod vocabulary;

pub use description::{Scenery, World};
pub use faults::{FaultAction, FaultPolicy};
pub(crate) use root::read_world;
pub use settings::{Integrator, Settings};
pub(crate) use vocabulary::sections;
