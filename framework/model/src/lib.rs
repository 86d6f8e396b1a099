//! Models as the host sees them: a reference to a model in the catalogue, its descriptor, and the
//! values of its parameters.

#![expect(clippy::result_large_err, reason = "a fault contains its text, as at the boundary")]

mod classes;
mod initial;
mod instance;
mod nearest;
mod values;
mod variants;
mod view;

pub use classes::{ClassError, Classes, ModelRef};
pub use initial::initial_states;
pub use instance::Instance;
pub use nearest::nearest;
pub use values::ParamValue;
pub use variants::fitting;
pub use view::View;
