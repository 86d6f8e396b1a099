//! The built-in observers: stop conditions, metrics and recorders.

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
