//! The double wishbone as a model of the kind `suspension`.

use simhost_sdk::prelude::*;

use super::DoubleWishbonePoints;
use crate::corner::Corner;
use crate::given::{WheelSetting, hardpoints};
use crate::guide::{Guide, TravelRange, guided_suspension};
use crate::hardpoints::StrutEnds;

hardpoints! {
    /// Hardpoints of the left wheel at rest.
    #[derive(Clone, Copy, Debug, Default, Params)]
    pub struct DoubleWishboneParams {
        /// Wheel centre.
        wheel_centre: [0.0, 0.76, 0.31],
        /// Front joint of the lower arm at the body.
        lower_front: [0.2, 0.38, 0.19],
        /// Rear joint of the lower arm at the body.
        lower_rear: [-0.24, 0.4, 0.2],
        /// Lower ball joint.
        lower_outer: [0.01, 0.7, 0.185],
        /// Front joint of the upper arm at the body.
        upper_front: [0.12, 0.45, 0.48],
        /// Rear joint of the upper arm at the body.
        upper_rear: [-0.16, 0.46, 0.465],
        /// Upper ball joint.
        upper_outer: [-0.02, 0.66, 0.49],
        /// Joint of the tie rod at the steering rack, which moves it along y.
        tie_inner: [-0.13, 0.36, 0.24],
        /// Joint of the tie rod at the wheel carrier.
        tie_outer: [-0.12, 0.69, 0.232],
        /// Upper end of the spring, at the body.
        spring_top: [-0.01, 0.48, 0.64],
        /// Lower end of the spring, on the lower arm.
        spring_lower: [0.0, 0.6, 0.198],
        /// Upper end of the shock absorber, at the body.
        shock_top: [-0.01, 0.48, 0.64],
        /// Lower end of the shock absorber, on the lower arm.
        shock_lower: [0.0, 0.6, 0.198],
    }
}

/// Double wishbones: two arms and a tie rod for each wheel, from hardpoints. Without hardpoints, the suspension
/// belongs to the front axle of a medium car.
#[derive(Params)]
pub struct DoubleWishbone {
    /// Hardpoints.
    #[param(flatten)]
    points: DoubleWishboneParams,
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

impl DoubleWishbone {
    /// Returns the hardpoints.
    fn hardpoints(&self) -> DoubleWishbonePoints {
        let points = &self.points;
        let ends = |top, lower| StrutEnds { top, lower };
        DoubleWishbonePoints {
            wheel: self.setting.wheel(points.wheel_centre()),
            lower_front: points.lower_front(),
            lower_rear: points.lower_rear(),
            lower_outer: points.lower_outer(),
            upper_front: points.upper_front(),
            upper_rear: points.upper_rear(),
            upper_outer: points.upper_outer(),
            tie_inner: points.tie_inner(),
            tie_outer: points.tie_outer(),
            spring: ends(points.spring_top(), points.spring_lower()),
            shock: ends(points.shock_top(), points.shock_lower()),
        }
    }
}

guided_suspension! { DoubleWishbone,
    fn prepare(&mut self) -> Result<(), String> {
        self.points.check()?;
        let corner = self.hardpoints().corner().map_err(|error| error.to_string())?;
        self.guide = Some(Guide::new(corner, self.range, self.setting)?);
        Ok(())
    }
}
