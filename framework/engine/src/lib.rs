//! The simulation: state tables, pre / physics / post.
