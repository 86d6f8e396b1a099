//! Built-in dynamics models of simhost.
