//! Live clients of a run.

mod browser;
mod desk;
mod play;
mod robot;
mod serving;
mod top;

pub use browser::open_browser;
#[cfg(feature = "ros2")]
pub use desk::Desk;
pub use play::{Tape, folder_tape, play};
#[cfg(feature = "ros2")]
pub use serving::world_name;
pub use serving::{Serving, listen};
pub use top::top;
