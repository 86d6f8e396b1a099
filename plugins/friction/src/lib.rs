//! Built-in friction models of simhost.
