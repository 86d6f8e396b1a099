//! The examples of the library run.

#![allow(clippy::unwrap_used)]

#[path = "../../../docs/examples/best_of_ten.rs"]
mod best_of_ten;
#[path = "../../../docs/examples/driving_lab.rs"]
mod driving_lab;
#[path = "../../../docs/examples/embed.rs"]
mod embed;
#[path = "../../../docs/examples/first.rs"]
mod first;
#[path = "../../../docs/examples/monte_carlo.rs"]
mod monte_carlo;
#[path = "../../../docs/examples/predictive.rs"]
mod predictive;
#[path = "../../../docs/examples/tree_search.rs"]
mod tree_search;
#[path = "../../../docs/examples/two_sessions.rs"]
mod two_sessions;

/// Declares tests that run examples in the folder in which readers run them.
macro_rules! run {
    ($($test:ident: $example:ident,)*) => {$(
        #[test]
        fn $test() {
            std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
            $example::main().unwrap();
        }
    )*};
}

run! {
    first_runs: first,
    embed_runs: embed,
    two_sessions_runs: two_sessions,
    best_of_ten_runs: best_of_ten,
    monte_carlo_runs: monte_carlo,
    predictive_runs: predictive,
    tree_search_runs: tree_search,
    // two seconds with 30 frames each are exactly 60 frames and 2 s
    driving_lab_runs: driving_lab,
}
