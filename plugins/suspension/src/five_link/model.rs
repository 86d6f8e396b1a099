//! The five-link suspension as a model of the kind `suspension`.

use simhost_sdk::prelude::*;

use super::{FiveLinkPoints, LinkEnds};
use crate::corner::Corner;
use crate::given::{WheelSetting, hardpoints};
use crate::guide::{Guide, TravelRange, guided_suspension};
use crate::hardpoints::StrutEnds;

hardpoints! {
    /// Hardpoints of the left wheel at rest.
    #[derive(Clone, Copy, Debug, Default, Params)]
    pub struct FiveLinkParams {
        /// Wheel centre.
        wheel_centre: [0.0, 0.77, 0.32],
        /// Joint of the front lower link at the body.
        lower_front_inner: [0.25, 0.42, 0.24],
        /// Joint of the front lower link at the wheel carrier.
        lower_front_outer: [0.09, 0.7, 0.21],
        /// Joint of the rear lower link at the body.
        lower_rear_inner: [-0.1, 0.26, 0.22],
        /// Joint of the rear lower link at the wheel carrier.
        lower_rear_outer: [-0.08, 0.7, 0.2],
        /// Joint of the front upper link at the body.
        upper_front_inner: [0.2, 0.45, 0.44],
        /// Joint of the front upper link at the wheel carrier.
        upper_front_outer: [0.03, 0.68, 0.45],
        /// Joint of the rear upper link at the body.
        upper_rear_inner: [-0.06, 0.38, 0.43],
        /// Joint of the rear upper link at the wheel carrier.
        upper_rear_outer: [-0.04, 0.67, 0.46],
        /// Joint of the toe link at the body, or at the steering rack, which moves it along y.
        toe_inner: [-0.18, 0.3, 0.27],
        /// Joint of the toe link at the wheel carrier.
        toe_outer: [-0.16, 0.7, 0.28],
        /// Upper end of the spring, at the body.
        spring_top: [-0.05, 0.5, 0.6],
        /// Lower end of the spring, at the wheel carrier.
        spring_lower: [-0.05, 0.62, 0.23],
        /// Upper end of the shock absorber, at the body.
        shock_top: [-0.09, 0.55, 0.68],
        /// Lower end of the shock absorber, at the wheel carrier.
        shock_lower: [-0.09, 0.66, 0.23],
    }
}

/// Five links for each wheel, from hardpoints. Without hardpoints, the suspension belongs to the rear axle of a
/// medium car.
#[derive(Params)]
pub struct FiveLink {
    /// Hardpoints.
    #[param(flatten)]
    points: FiveLinkParams,
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

impl FiveLink {
    /// Returns the hardpoints.
    fn hardpoints(&self) -> FiveLinkPoints {
        let points = &self.points;
        let link = |inner, outer| LinkEnds { inner, outer };
        let ends = |top, lower| StrutEnds { top, lower };
        FiveLinkPoints {
            wheel: self.setting.wheel(points.wheel_centre()),
            lower_front: link(points.lower_front_inner(), points.lower_front_outer()),
            lower_rear: link(points.lower_rear_inner(), points.lower_rear_outer()),
            upper_front: link(points.upper_front_inner(), points.upper_front_outer()),
            upper_rear: link(points.upper_rear_inner(), points.upper_rear_outer()),
            toe_link: link(points.toe_inner(), points.toe_outer()),
            spring: ends(points.spring_top(), points.spring_lower()),
            shock: ends(points.shock_top(), points.shock_lower()),
        }
    }
}

guided_suspension! { FiveLink,
    fn prepare(&mut self) -> Result<(), String> {
        self.points.check()?;
        let corner = self.hardpoints().corner().map_err(|error| error.to_string())?;
        self.guide = Some(Guide::new(corner, self.range, self.setting)?);
        Ok(())
    }
}
