//! The values of a variation without a world.

use super::column::{DrawStream, ValueColumn};
use super::grammar::Variation;
use super::step::NamedColumn;
use super::value::VariedValue;

/// The values of one variation for a number of runs, without a world: those that the members of an ensemble with as many
/// members have.
///
/// ```
/// # fn main() -> Result<(), simhost::VariationError> {
/// let draws = simhost::Draws::new("robot/friction/mu=range:0.5:1:3".parse()?, 3, 0, 0);
/// assert_eq!(draws.value(1).to_string(), "0.75");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Draws(NamedColumn);

impl Draws {
    /// Prepares the values of `count` runs for a seed. `dimension`, from 0 and below
    /// [`Self::DIMENSIONS`], is the dimension of the points of a Sobol sequence.
    pub fn new(variation: Variation, count: usize, seed: u64, dimension: usize) -> Self {
        let Variation { name, values } = variation;
        let values = ValueColumn::new(&name, values, count, seed, dimension);
        Self(NamedColumn { name, values, numbers: Vec::new() })
    }

    /// Number of dimensions of a Sobol sequence.
    pub const DIMENSIONS: usize = super::sobol::DIMENSIONS;

    /// Returns the value of a run.
    pub fn value(&self, number: usize) -> VariedValue {
        self.0.value(number, DrawStream::of(number, 0))
    }
}
