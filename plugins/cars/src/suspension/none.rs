//! An axle without links: springs at the wheels, which move straight up and down.

use simhost_sdk::prelude::*;

/// Springs at the wheels, which move straight up and down, with the roll centre on the ground.
#[derive(Params)]
pub struct NoLinks {}

#[model]
impl Suspension for NoLinks {
    const TIME_INVARIANT: bool = true;

    fn kinematics(&self, axle: &AxleMotion, _: &Step, _: &mut ()) -> AxleKinematics {
        let corners = axle.corners().map(|corner| CornerKinematics {
            spring: corner.travel,
            motion_ratio: 1.0,
            ..CornerKinematics::default()
        });
        AxleKinematics::new(corners, [0.0; 2])
    }
}
