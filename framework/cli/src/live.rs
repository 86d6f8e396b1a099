//! Live clients of a run.

#[cfg(feature = "live")]
mod browser;
#[cfg(feature = "live")]
mod desk;
#[cfg(feature = "live")]
mod play;
#[cfg(feature = "live")]
mod robot;
#[cfg(feature = "live")]
mod serving;
#[cfg(feature = "live")]
mod top;

#[cfg(feature = "live")]
pub use browser::open_browser;
#[cfg(feature = "ros2")]
pub use desk::Desk;
#[cfg(feature = "live")]
pub use play::{Tape, folder_tape, play};
#[cfg(feature = "ros2")]
pub use serving::world_name;
#[cfg(feature = "live")]
pub use serving::{Serving, listen};
#[cfg(feature = "live")]
pub use top::top;

#[cfg(not(feature = "live"))]
mod missing;
#[cfg(not(feature = "live"))]
pub use missing::{Serving, export_page, play, top, view};
