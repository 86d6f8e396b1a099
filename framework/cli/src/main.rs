//! The simhost command.
fn main() {}
