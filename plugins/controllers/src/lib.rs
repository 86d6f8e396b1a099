//! Built-in controllers models of simhost.
