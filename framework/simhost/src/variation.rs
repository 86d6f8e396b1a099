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
mod draws;
mod grammar;
mod hypercube;
mod normal;
mod sobol;
mod step;
mod target;
mod value;

pub(crate) use column::DrawStream;
pub use difference::Difference;
pub use differences::Differences;
pub use distribution::Distribution;
pub use draws::Draws;
pub use grammar::Variation;
pub use value::VariedValue;
