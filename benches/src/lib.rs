//! Criterion benches of simhost.
