//! The built-in observers: stop conditions, metrics and recorders.
//!
//! | Module | Observer |
//! |---|---|
//! | [`stop_when`] | ends a run when a quantity has been above or below a limit for some time |
//! | [`metrics`] | writes minimum, maximum, mean and final value of quantities |
//! | [`recorder`] | writes the values of quantities over time |
//!
//! A program that depends on `simhost-families` has them under the vendor `simhost`. With the
//! feature `shared`, the crate can also be built as a plugin.
//!
//! An observer reads quantities between steps, and cannot change the run except by ending it. The
//! page *Observers* of the book has examples.

pub mod metrics;
pub mod recorder;
mod selection;
pub mod stop_when;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    observer: {
        "stop_when" => stop_when::StopWhen,
        "metrics" => metrics::Metrics,
        "recorder" => recorder::Recorder,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
