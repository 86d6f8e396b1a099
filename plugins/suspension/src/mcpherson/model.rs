//! The McPherson strut as a model of the kind `suspension`.

use simhost_sdk::prelude::*;

use super::McPhersonPoints;
use crate::corner::Corner;
use crate::given::{WheelSetting, hardpoints};
use crate::guide::{Guide, TravelRange, guided_suspension};
use crate::hardpoints::StrutEnds;

hardpoints! {
    /// Hardpoints of the left wheel at rest.
    #[derive(Clone, Copy, Debug, Default, Params)]
    pub struct McPhersonParams {
        /// Wheel centre.
        wheel_centre: [0.0, 0.75, 0.305],
        /// Front joint of the lower arm at the body.
        lower_front: [0.01, 0.35, 0.2],
        /// Rear joint of the lower arm at the body.
        lower_rear: [-0.28, 0.36, 0.21],
        /// Lower ball joint.
        lower_outer: [0.005, 0.705, 0.19],
        /// Joint of the strut at the body.
        strut_top: [-0.03, 0.56, 0.82],
        /// Point of the strut at the wheel carrier. The strut slides along the line from here to `strut_top`.
        strut_lower: [-0.012, 0.64, 0.5],
        /// Joint of the tie rod at the steering rack, which moves it along y.
        tie_inner: [-0.14, 0.32, 0.27],
        /// Joint of the tie rod at the wheel carrier.
        tie_outer: [-0.135, 0.67, 0.255],
        /// Upper end of the spring, at the body.
        spring_top: [-0.03, 0.56, 0.82],
        /// Lower end of the spring, at the wheel carrier.
        spring_lower: [-0.012, 0.64, 0.5],
        /// Upper end of the shock absorber, at the body.
        shock_top: [-0.03, 0.56, 0.82],
        /// Lower end of the shock absorber, at the wheel carrier.
        shock_lower: [-0.012, 0.64, 0.5],
    }
}

/// McPherson struts: a lower arm, a strut and a tie rod for each wheel, from hardpoints. Without hardpoints, the
/// suspension belongs to the front axle of a small car.
#[derive(Params)]
pub struct McPherson {
    /// Hardpoints.
    #[param(flatten)]
    points: McPhersonParams,
    /// Wheel.
    #[param(flatten)]
    setting: WheelSetting,
    /// Range of the travels.
    #[param(flatten)]
    range: TravelRange,
    /// Both wheels.
    #[param(skip)]
    guide: Option<Guide<Corner>>,
}

impl McPherson {
    /// Returns the hardpoints.
    fn hardpoints(&self) -> McPhersonPoints {
        let points = &self.points;
        let ends = |top, lower| StrutEnds { top, lower };
        McPhersonPoints {
            wheel: self.setting.wheel(points.wheel_centre()),
            lower_front: points.lower_front(),
            lower_rear: points.lower_rear(),
            lower_outer: points.lower_outer(),
            strut_top: points.strut_top(),
            strut_lower: points.strut_lower(),
            tie_inner: points.tie_inner(),
            tie_outer: points.tie_outer(),
            spring: ends(points.spring_top(), points.spring_lower()),
            shock: ends(points.shock_top(), points.shock_lower()),
        }
    }
}

guided_suspension! { McPherson,
    fn prepare(&mut self) -> Result<(), String> {
        self.points.check()?;
        let corner = self.hardpoints().corner().map_err(|error| error.to_string())?;
        self.guide = Some(Guide::new(corner, self.range, self.setting)?);
        Ok(())
    }
}
