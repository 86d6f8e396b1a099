//! Tests of the library, in one program.

mod all_worlds;
mod changes;
mod clocks;
mod custom_sink;
mod draws;
mod drivers;
mod driving_lab;
mod driving_lab_objects;
mod ensemble_outputs;
mod ensembles;
mod examples;
mod input_streams;
mod metrics;
mod plugins;
mod recording;
mod road_networks;
mod robot_faults;
mod streams;
mod variations;
mod vehicle_files;
