//! Tests of the binary interface, in one program.

mod header;
mod layout;
