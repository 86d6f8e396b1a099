//! Horizontal planes and vertical walls with openings.

mod horizontal;
mod opening;
mod surface;
mod vertical;

pub(crate) use horizontal::HORIZONTAL_PLANE;
pub use horizontal::HorizontalPlane;
pub use opening::{Opening, OpeningKind};
pub use surface::PlaneSurface;
pub(crate) use vertical::VERTICAL_PLANE;
pub use vertical::VerticalPlane;
