//! Differences between runs of one world: values, distributions, and what they act on.
//!
//! A [`Variation`] has a name, such as `robot/friction/mu`, and a [`Distribution`]. Its text, `NAME=KIND:ARGUMENTS`,
//! is the same on the command line, in studies and in other languages. [`Differences`] connects variations with a
//! world and a number of members, and gives the [`Difference`]s of each member.
//!
//! | Kind | Value of member k |
//! |---|---|
//! | `constant:V`, or `V` alone | V |
//! | `list:A,B,C` | value k mod 3 |
//! | `range:FIRST:LAST:COUNT` | value k mod COUNT of equally spaced ones |
//! | `uniform:LOW:HIGH` | uniformly distributed |
//! | `loguniform:LOW:HIGH` | with a uniformly distributed logarithm |
//! | `normal:MEAN:SD` | normally distributed |
//! | `truncated:MEAN:SD:LOW:HIGH` | normally distributed under the condition that it is from LOW to HIGH |
//! | `choice:A,B,C` | one of the values, with equal probabilities |
//! | `lhs:LOW:HIGH` | of a Latin hypercube: one value in each of n equal intervals |
//! | `sobol:LOW:HIGH` | coordinate of point k of the Sobol sequence, without scrambling |
//!
//! Draws come from counter-based streams: the stream of a draw has the key
//! [`stream_key`](simhost_engine::stream_key)`(seed, [FNV-1a 64 of the name, stream, number of resets])`. The stream of a
//! member has its own number unless it is given another, so that a draw depends neither on the number of members nor on
//! other draws. A Latin hypercube is keyed by seed, name and number of members. Variations with `sobol` have dimensions
//! 1, 2, … in their order.

mod checks;
mod column;
mod difference;
mod differences;
mod distribution;
mod grammar;
mod normal;
mod sobol;
mod target;

pub(crate) use column::DrawStream;
pub use difference::Difference;
pub use differences::Differences;
pub use distribution::{Distribution, VariedValue};
pub use grammar::Variation;

use crate::session::Session;
use column::{Drawn, ValueColumn};
use target::{MotionPart, Target, TextEntry, motion_of};

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
    pub const DIMENSIONS: usize = sobol::DIMENSIONS;

    /// Returns the value of a run.
    pub fn value(&self, number: usize) -> VariedValue {
        self.0.value(number, DrawStream::of(number, 0))
    }
}

/// One difference of each member.
#[derive(Clone, Debug)]
struct Step {
    pub what: What,
    /// Numbers that do not vary; none of a parameter.
    pub base: Vec<f64>,
    /// Column of the whole value.
    pub whole: Option<usize>,
    /// Columns of single numbers, with their indices.
    pub parts: Vec<(usize, usize)>,
}

/// What a difference is about.
#[derive(Clone, Debug, PartialEq)]
enum What {
    Parameter {
        column: usize,
    },
    /// A parameter that is a text, in which single values vary.
    Text {
        parameter: String,
        text: String,
    },
    Fault {
        column: usize,
        vehicle: usize,
        fault: usize,
    },
    Pose {
        entity: String,
    },
    Velocity {
        entity: String,
    },
    Command {
        vehicle: String,
        kind: String,
    },
}

impl What {
    /// Returns the kind of a target, with the constant numbers and the index of the number that
    /// varies, if it is one of several. `column` is the column of its values.
    pub fn of(target: Target, column: usize, session: &Session) -> (Self, Vec<f64>, Option<usize>) {
        let motion = |entity: &str, which: usize| motion_of(session, entity)[which].to_vec();
        match target {
            Target::Seed | Target::Parameter => (Self::Parameter { column }, Vec::new(), None),
            Target::Entry(TextEntry { parameter, text, .. }) => {
                (Self::Text { parameter, text }, Vec::new(), Some(0))
            }
            Target::Fault { vehicle, fault } => {
                (Self::Fault { column, vehicle, fault }, Vec::new(), None)
            }
            Target::Pose(MotionPart { entity, part }) => {
                let base = motion(&entity, 0);
                (Self::Pose { entity }, base, part)
            }
            Target::Velocity(MotionPart { entity, part }) => {
                let base = motion(&entity, 1);
                (Self::Velocity { entity }, base, part)
            }
            Target::Command { vehicle, kind, width, part } => {
                (Self::Command { vehicle, kind }, vec![0.0; width], part)
            }
        }
    }

    /// Returns the place in the order in which differences are made.
    pub fn order(&self) -> u8 {
        match self {
            Self::Parameter { .. } | Self::Text { .. } => 0,
            Self::Fault { .. } => 1,
            Self::Pose { .. } => 2,
            Self::Velocity { .. } => 3,
            Self::Command { .. } => 4,
        }
    }
}

/// A variation with its values.
#[derive(Clone, Debug)]
struct NamedColumn {
    pub name: String,
    pub values: ValueColumn,
    /// Numbers of the values of a list, as many for each value as the target has.
    pub numbers: Vec<f64>,
}

impl NamedColumn {
    /// Returns the value of a member.
    pub fn value(&self, member: usize, stream: DrawStream) -> VariedValue {
        match self.values.draw(member, stream) {
            Drawn::Number(number) => VariedValue::Number(number),
            Drawn::Item(item) => self.values.distribution().items()[item].clone(),
        }
    }

    /// Writes the numbers of a member.
    pub fn fill(&self, member: usize, stream: DrawStream, to: &mut [f64]) {
        match self.values.draw(member, stream) {
            Drawn::Number(number) => to.fill(number),
            Drawn::Item(item) => to.copy_from_slice(&self.numbers[item * to.len()..][..to.len()]),
        }
    }
}
