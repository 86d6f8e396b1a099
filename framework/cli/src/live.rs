//! Live clients of a run.

#[cfg(feature = "live")]
mod play;
#[cfg(feature = "live")]
mod serving;
#[cfg(feature = "live")]
mod top;

#[cfg(feature = "live")]
pub use play::play;
#[cfg(feature = "live")]
pub use serving::Serving;
#[cfg(feature = "live")]
pub use top::top;

#[cfg(not(feature = "live"))]
mod missing;
#[cfg(not(feature = "live"))]
pub use missing::{Serving, play, top};
