//! Horizontal planes and vertical walls with openings.

mod horizontal;
mod opening;
mod surface;
mod vertical;

pub use horizontal::HorizontalPlane;
pub use opening::{Opening, OpeningKind};
pub use surface::PlaneSurface;
pub use vertical::VerticalPlane;
