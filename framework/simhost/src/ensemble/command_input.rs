//! Input streams of commands.

/// The input stream of a command.
pub struct CommandInput {
    /// Name of the stream.
    pub name: String,
    /// Name of the vehicle.
    pub vehicle: String,
    /// Index of the vehicle.
    pub number: usize,
    /// Kind of command.
    pub kind: String,
    /// Number of values.
    pub width: usize,
}
