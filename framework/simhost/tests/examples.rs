//! The examples of the library run.

#![allow(clippy::unwrap_used)]

#[path = "../../../docs/examples/best_of_ten.rs"]
mod best_of_ten;
#[path = "../../../docs/examples/driving_lab.rs"]
mod driving_lab;
#[path = "../../../docs/examples/embed.rs"]
mod embed;
#[path = "../../../docs/examples/monte_carlo.rs"]
mod monte_carlo;
#[path = "../../../docs/examples/predictive.rs"]
mod predictive;
#[path = "../../../docs/examples/two_sessions.rs"]
mod two_sessions;

/// Enters the folder in which readers run the examples.
fn enter() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
}

#[test]
fn embed_runs() {
    enter();
    embed::main().unwrap();
}

#[test]
fn two_sessions_runs() {
    enter();
    two_sessions::main().unwrap();
}

#[test]
fn best_of_ten_runs() {
    enter();
    best_of_ten::main().unwrap();
}

#[test]
fn monte_carlo_runs() {
    enter();
    monte_carlo::main().unwrap();
}

#[test]
fn predictive_runs() {
    enter();
    predictive::main().unwrap();
}

/// Two seconds with 30 frames each are exactly 60 frames and 2 s.
#[test]
fn driving_lab_runs() {
    enter();
    driving_lab::main().unwrap();
}
