//! The trailing arm as a model of the kind `suspension`.

use simhost_sdk::prelude::*;

use super::{TrailingArm, TrailingArmPoints};
use crate::corner::CornerGeometry;
use crate::errors::Unreachable;
use crate::given::{WheelSetting, hardpoints};
use crate::guide::{Guide, Layout, SuspensionDetails, TravelRange, WarmStart};
use crate::hardpoints::StrutEnds;
use crate::linkage::Posture;
use crate::pose::Motion;

hardpoints! {
    /// Hardpoints of the left wheel at rest.
    #[derive(Clone, Copy, Debug, Default, Params)]
    pub struct TrailingArmParams {
        /// Wheel centre.
        wheel_centre: [0.0, 0.74, 0.31],
        /// Inner joint of the arm at the body. The arm turns about the line through both joints.
        arm_inner: [0.36, 0.3, 0.3],
        /// Outer joint of the arm at the body.
        arm_outer: [0.45, 0.62, 0.32],
        /// Upper end of the spring, at the body.
        spring_top: [0.1, 0.55, 0.58],
        /// Lower end of the spring, on the arm.
        spring_lower: [0.1, 0.55, 0.28],
        /// Upper end of the shock absorber, at the body.
        shock_top: [-0.02, 0.6, 0.66],
        /// Lower end of the shock absorber, on the arm.
        shock_lower: [-0.04, 0.6, 0.26],
    }
}

/// Trailing or semi-trailing arms, from hardpoints. Without hardpoints, the arms are semi-trailing arms of the rear
/// axle of a medium car. The wheels do not steer.
#[derive(Params)]
pub struct TrailingArms {
    /// Hardpoints.
    #[param(flatten)]
    points: TrailingArmParams,
    /// Wheel.
    #[param(flatten)]
    setting: WheelSetting,
    /// Range of the travels.
    #[param(flatten)]
    range: TravelRange,
    /// Both wheels.
    #[param(skip)]
    guide: Option<Guide<TrailingArm>>,
}

impl TrailingArms {
    /// Returns the hardpoints.
    fn hardpoints(&self) -> TrailingArmPoints {
        let points = &self.points;
        let ends = |top, lower| StrutEnds { top, lower };
        TrailingArmPoints {
            wheel: self.setting.wheel(points.wheel_centre()),
            arm_inner: points.arm_inner(),
            arm_outer: points.arm_outer(),
            spring: ends(points.spring_top(), points.spring_lower()),
            shock: ends(points.shock_top(), points.shock_lower()),
        }
    }
}

impl Layout for TrailingArm {
    fn geometry(&self) -> &CornerGeometry {
        &self.geometry
    }

    fn rest(&self) -> Motion {
        TrailingArm::rest(self)
    }

    #[inline(always)]
    fn motion(&self, _: &Posture, inputs: [f64; 2]) -> Result<Motion, Unreachable> {
        self.solve(inputs[0])
    }
}

#[model]
impl Suspension for TrailingArms {
    fn prepare(&mut self) -> Result<(), String> {
        self.points.check()?;
        let arm = self.hardpoints().arm().map_err(|error| error.to_string())?;
        self.guide = Some(Guide::new(arm, self.range, self.setting)?);
        Ok(())
    }

    fn kinematics(&self, axle: &AxleMotion, _: &Step, _: &mut ()) -> AxleKinematics {
        let Some(guide) = &self.guide else { return AxleKinematics::default() };
        // the arm needs no pose to start from
        guide.kinematics(axle, &mut WarmStart::default())
    }

    type Published = SuspensionDetails;

    fn publish(
        &self,
        axle: &AxleMotion,
        _: &AxleKinematics,
        _: &Step,
        _: &(),
    ) -> SuspensionDetails {
        let Some(guide) = &self.guide else { return SuspensionDetails::default() };
        guide.details(axle, &WarmStart::default())
    }
}
