//! Groups of options that several verbs have, and the arguments of verbs that a build can leave out.

mod display;
mod fmu;
mod kind;
mod live;
mod mcap;
mod models;
#[cfg_attr(not(feature = "ros2"), path = "arguments/ros2/missing.rs")]
pub mod ros2;
mod run;
mod values;

pub use display::{Completions, Display, Man, choice, words_before_verb};
pub use fmu::ModelFmu;
#[cfg(feature = "fmi")]
pub use fmu::{FmiChoice, FmuTarget};
pub use kind::KindName;
#[cfg(feature = "live")]
pub use live::{Access, PageUse};
pub use live::{ExportPage, Live, Play, Top, WritePage};
pub use mcap::{Export, Mcap};
pub use models::{Loading, Models, Without};
pub use ros2::{AskRos2, Ros2};
pub use run::{Resuming, Run, StreamGroups, View};
pub use values::{
    argument, fixed, metric, named_value, not_negative, pattern, positive, seconds, size, threads,
};
