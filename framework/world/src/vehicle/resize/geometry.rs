//! Lengths, masses, inertias, drag and springs of a vehicle of another size.

use std::sync::Arc;

use simhost_abi::Scaling;
use simhost_model::Size;

use simhost_scene::Pose3;

use crate::vehicle::{Aerodynamics, AxleSprings, Chassis, Suspension, WheelSpec};
use crate::visual::Visual;

pub(super) fn chassis(chassis: &Chassis, size: Size) -> Chassis {
    let length = size.factor;
    Chassis {
        mass: chassis.mass * size.factor_of(Scaling::MASS),
        z_min: chassis.z_min * length,
        z_max: chassis.z_max * length,
        polygon: chassis.polygon.iter().map(|corner| corner.map(|x| x * length)).collect(),
        cg_height: chassis.cg_height.map(|height| height * length),
        cg: chassis.cg.map(|position| position.map(|position| position * length)),
        yaw_inertia: chassis.yaw_inertia.map(|inertia| inertia * size.factor_of(Scaling::INERTIA)),
        // damping is an acceleration per speed
        ..chassis.clone()
    }
}

pub(super) fn wheel(wheel: &WheelSpec, size: Size) -> WheelSpec {
    let length = size.factor;
    WheelSpec {
        x: wheel.x * length,
        y: wheel.y * length,
        mass: wheel.mass * size.factor_of(Scaling::MASS),
        width: wheel.width * length,
        diameter: wheel.diameter * length,
        mechanical_trail: wheel.mechanical_trail * length,
        inertia: wheel.inertia.map(|inertia| inertia * size.factor_of(Scaling::INERTIA)),
        visuals: visuals(&wheel.visuals, size),
        ..wheel.clone()
    }
}

pub(super) fn visuals(visuals: &[Visual], size: Size) -> Arc<[Visual]> {
    let length = size.factor;
    let resized = visuals.iter().map(|visual| {
        let Pose3 { x, y, z, .. } = visual.pose;
        Visual {
            scale: visual.scale * length,
            pose: Pose3 { x: x * length, y: y * length, z: z * length, ..visual.pose },
            split_size: visual.split_size * length,
            ..visual.clone()
        }
    });
    resized.collect()
}

pub(super) fn aerodynamics(air: &Aerodynamics, size: Size) -> Aerodynamics {
    let area = size.factor_of(Scaling::DRAG_AREA);
    Aerodynamics {
        drag_area: air.drag_area * area,
        lift_area: air.lift_area * area,
        side_area: air.side_area.map(|side| side * area),
        pressure_x: air.pressure_x.map(|x| x * size.factor),
        pressure_z: air.pressure_z.map(|z| z * size.factor),
    }
}

pub(super) fn springs(springs: &Suspension, size: Size) -> Suspension {
    let inertia = |inertia: f64| inertia * size.factor_of(Scaling::INERTIA);
    let (stiffness, damping) =
        (size.factor_of(Scaling::STIFFNESS), size.factor_of(Scaling::DAMPING));
    // a stiffness in N·m/rad is one in N/m times the square of a length
    let about_axis = stiffness * size.factor * size.factor;
    let axles = springs.axles.iter().map(|axle| AxleSprings {
        stiffness: axle.stiffness * stiffness,
        damping: axle.damping * damping,
        anti_roll_bar: axle.anti_roll_bar * about_axis,
        wheels: axle.wheels.clone(),
    });
    Suspension {
        stiffness: springs.stiffness * stiffness,
        damping: springs.damping * damping,
        axles: axles.collect(),
        roll_inertia: springs.roll_inertia.map(inertia),
        pitch_inertia: springs.pitch_inertia.map(inertia),
        ..springs.clone()
    }
}
