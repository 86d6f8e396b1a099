//! Derive macros of the simhost SDK.
