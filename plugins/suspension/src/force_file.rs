//! Reader of force curves in CSV files, for [`springs`](crate::springs).
//!
//! A file has two columns, in any order: the force, `force` in N or `force_kn` in kN, and for a spring its compression,
//! `compression` in m or `compression_mm` in mm, for a damper the speed of its compression, `speed` in m/s or `speed_mm_s`
//! in mm/s. A row is a point.

use crate::curve_file::{self, CurveColumns, TableError};

/// What a curve depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveAxis {
    /// Compression of a spring.
    Compression,
    /// Speed of compression of a damper.
    Speed,
}

impl CurveAxis {
    /// Returns the names of the columns with their units in SI units.
    const fn columns(self) -> CurveColumns {
        let along: &[(&str, f64)] = match self {
            Self::Compression => &[("compression", 1.0), ("compression_mm", 1e-3)],
            Self::Speed => &[("speed", 1.0), ("speed_mm_s", 1e-3)],
        };
        CurveColumns { along, value: &[("force", 1.0), ("force_kn", 1000.0)] }
    }
}

/// Reads the points of a curve: compression in m or speed in m/s, and force in N.
///
/// # Errors
///
/// A text without these columns, and cells that are not finite numbers. The order of the points is not checked.
pub fn parse(text: &str, axis: CurveAxis) -> Result<Vec<[f64; 2]>, TableError> {
    curve_file::parse(text, &axis.columns())
}
