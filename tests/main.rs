//! Tests of the program and of the parts that it is made of, as modules of one program.
//!
//! `cargo test NAME` runs the tests of a module. Tests that need an allocator of their own are in
//! `tests/allocations/`.

#![allow(clippy::unwrap_used)]

mod accelerations;
mod actuators;
mod ages;
mod architecture;
mod axles;
mod beams;
mod braking;
mod cameras;
mod cars;
mod check;
mod clocks;
mod command_line;
mod commonroad;
mod compile_errors;
mod contact;
#[cfg(unix)]
mod containment;
mod data_sheet;
mod definitions;
mod determinism;
mod docs;
mod double_track;
mod driving_lab;
mod energy;
mod ensembles;
mod environments;
mod epochs;
mod example_flock;
mod example_goal_metric;
mod example_perception;
mod example_wall_follower;
mod example_weather;
mod examples;
mod families;
mod faults;
mod fleets;
mod following;
mod gpu;
mod ground_forces;
mod hashes;
mod images;
mod inertial;
mod integrators;
#[cfg(unix)]
mod keys;
#[cfg(feature = "learned")]
mod learned;
mod lidar;
mod live;
mod manoeuvres;
mod model_states;
#[cfg(unix)]
mod mutations;
mod nearby;
#[cfg(unix)]
mod observers;
mod packages;
mod per_lane;
mod pictures;
mod places;
mod planning_node;
mod platforms;
#[cfg(unix)]
mod plugin_folders;
mod plugin_names;
#[cfg(unix)]
mod plugin_verbs;
mod plugins;
mod ports;
mod powertrain;
mod print;
#[cfg(unix)]
mod process_state;
mod quantities;
mod random_client;
mod random_worlds;
mod ranges;
mod readings;
mod recordings;
mod reference;
mod rerun;
mod rewind;
mod robot_faults;
#[cfg(unix)]
mod rows_before_a_crash;
mod scaffold;
mod scaling;
mod schema;
mod sdk;
mod seen;
mod services;
mod shared_parameters;
mod snapshots;
mod standing;
#[cfg(unix)]
mod stopping;
mod streams;
mod structure;
mod support;
mod surroundings;
#[cfg(unix)]
mod sweeps;
mod tables;
mod threads;
mod tutorials;
#[cfg(target_os = "linux")]
mod untrusted;
#[cfg(unix)]
mod user_files;
mod validator;
#[cfg(unix)]
mod watch;
mod wheel_ports;
mod world_errors;
mod worlds;

// built-in models register themselves
use simhost_families as _;
