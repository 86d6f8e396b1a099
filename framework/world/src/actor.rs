//! Actors: people and other bodies that follow a path.

mod composition;
mod path;

pub use composition::Actor;
pub(crate) use composition::{ACTOR, Actors, CLASS, read_actor, read_class};
pub use path::{ActorPath, Gait, Waypoint};
