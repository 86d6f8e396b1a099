//! Horizontal planes and vertical walls with openings.

mod horizontal;
mod opening;
mod surface;
mod vertical;

pub use horizontal::HorizontalPlane;
pub(crate) use horizontal::{HORIZONTAL_PLANE, read_horizontal};
pub use opening::{Opening, OpeningKind};
pub use surface::PlaneSurface;
pub use vertical::VerticalPlane;
pub(crate) use vertical::{VERTICAL_PLANE, read_vertical};
