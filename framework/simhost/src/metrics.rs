//! Metrics: numbers of a run, such as the greatest speed, from samples of its quantities.
//!
//! A metric is an [expression](expression) over quantities, or a number that an observer writes to a file.
//! [`Metrics`] are checked against the world of an ensemble, and [`MemberMetrics`] accumulate them for all members.

mod checked;
mod expression;
mod members;
mod observed;
mod request;

pub use checked::{MetricError, Metrics};
pub use expression::{Expression, QuantityPlaces};
pub use members::{MemberMetrics, MetricResults};
pub use observed::ObservedNumber;
pub use request::{MetricRequest, Reduction};
