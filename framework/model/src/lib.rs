//! Models as the host sees them: references to models in the catalogue, parameter values, and how
//! variants of one class are told apart.

mod classes;
mod nearest;
mod values;
pub mod variants;

pub use classes::{ClassError, Classes, ModelRef};
pub use nearest::nearest;
pub use values::ParamValue;
