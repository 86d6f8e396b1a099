//! Built-in sensors models of simhost.
