//! Errors of variations.

/// A variation cannot be read, or does not fit the world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariationError {
    /// The text cannot be read.
    #[error("cannot read the variation '{text}': column {column}: {problem}")]
    Syntax {
        /// The text.
        text: String,
        /// Position of the problem, counted in characters from 1.
        column: usize,
        /// Value that was found, and the expected one.
        problem: String,
    },
    /// Nothing that can vary has this name.
    #[error("cannot vary '{name}': {help}")]
    Name {
        /// The name.
        name: String,
        /// The reason, and the nearest name.
        help: String,
    },
    /// A value is not accepted.
    #[error("cannot vary '{name}': {problem}")]
    Value {
        /// Name of what varies.
        name: String,
        /// Value that was found, and the expected one.
        problem: String,
    },
    /// A model rejects its parameters.
    #[error("member {member}: a model of vehicle '{vehicle}' rejects its parameters: {text}")]
    Rejected {
        /// Number of the member.
        member: usize,
        /// Name of the vehicle.
        vehicle: String,
        /// Message of the model.
        text: String,
    },
    /// There cannot be so many members.
    #[error("found {found} members; expected 1 to 4294967296")]
    Members {
        /// Number of members.
        found: usize,
    },
}
