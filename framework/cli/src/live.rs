//! Live clients of a run.

mod browser;
mod desk;
mod play;
mod robot;
mod serving;
mod top;

pub use browser::open_browser;
pub use desk::Desk;
pub use play::{Tape, folder_tape, play};
pub use serving::{Serving, listen};
pub use top::top;
