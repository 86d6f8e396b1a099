//! Vehicles of another size with the same performance.
//!
//! Lengths are multiplied by the factor s of the size. All other quantities follow from the condition that
//! the same pedals give the same velocity over time: with constant density, masses are multiplied by s³,
//! moments of inertia by s⁵ and drag areas by s³; with constant mass, by 1, s² and 1. The parameters of
//! models have the exponents that the models declare.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::FixedState;
use simhost_abi::{Kind, Scaling};
use simhost_model::ports::actuated_port;
use simhost_model::{ScalingLaw, Size, Unscalable, UnscalableReason, scale_values};
use simhost_scene::Pose3;

use super::axle_suspension::AxleSuspension;
use super::chassis::Chassis;
use super::description::Vehicle;
use super::dynamics::ActuatorUse;
use super::parameters::Scale;
use super::wheel::{WheelFriction, WheelSpec};
use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::models::ModelUse;
use crate::sensor::SensorUse;
use crate::vehicle::{Aerodynamics, AxleSprings, BodySprings};
use crate::visual::Visual;

/// The parts of a vehicle that vehicles of a class share.
#[derive(Clone, Debug)]
struct Parts {
    chassis: Arc<Chassis>,
    wheels: Arc<[WheelSpec]>,
    dynamics: Arc<ModelUse>,
    friction: Arc<ModelUse>,
    wheel_friction: Arc<[WheelFriction]>,
    controller: Arc<ModelUse>,
    actuators: Arc<[ActuatorUse]>,
    suspensions: Arc<[AxleSuspension]>,
    sensors: Arc<[SensorUse]>,
    visuals: Arc<[Visual]>,
}

/// Addresses of the parts of a vehicle, and its size.
#[derive(PartialEq, Eq, Hash, Debug)]
struct ResizeKey {
    parts: [usize; 10],
    factor: u64,
    law: ScalingLaw,
}

/// Scaled parts, by the parts from which they were computed. Parts with errors are `None`.
#[derive(Debug, Default)]
pub(super) struct Resized {
    /// The original parts are kept, so that no other part can have their addresses.
    known: HashMap<ResizeKey, (Parts, Option<Parts>), FixedState>,
}

impl Resized {
    /// Returns a vehicle of another size. Reports parameters that cannot be scaled.
    pub fn vehicle(
        &mut self,
        context: &mut Context<'_>,
        vehicle: Vehicle,
        scale: &Scale,
    ) -> Option<Vehicle> {
        let original = Parts::of(&vehicle);
        let size = scale.size();
        let key =
            ResizeKey { parts: original.addresses(), factor: size.factor.to_bits(), law: size.law };
        let (_, resized) = self.known.entry(key).or_insert_with(|| {
            let resized = original.resized(context, scale);
            (original, resized)
        });
        let parts = resized.clone()?;
        Some(Vehicle {
            chassis: parts.chassis,
            wheels: parts.wheels,
            dynamics: parts.dynamics,
            friction: parts.friction,
            wheel_friction: parts.wheel_friction,
            controller: parts.controller,
            actuators: parts.actuators,
            suspensions: parts.suspensions,
            sensors: parts.sensors,
            visuals: parts.visuals,
            aerodynamics: aerodynamics(&vehicle.aerodynamics, size),
            suspension: vehicle.suspension.as_ref().map(|one| springs(one, size)),
            ..vehicle
        })
    }
}

impl Parts {
    fn of(vehicle: &Vehicle) -> Self {
        Self {
            chassis: Arc::clone(&vehicle.chassis),
            wheels: Arc::clone(&vehicle.wheels),
            dynamics: Arc::clone(&vehicle.dynamics),
            friction: Arc::clone(&vehicle.friction),
            wheel_friction: Arc::clone(&vehicle.wheel_friction),
            controller: Arc::clone(&vehicle.controller),
            actuators: Arc::clone(&vehicle.actuators),
            suspensions: Arc::clone(&vehicle.suspensions),
            sensors: Arc::clone(&vehicle.sensors),
            visuals: Arc::clone(&vehicle.visuals),
        }
    }

    fn addresses(&self) -> [usize; 10] {
        [
            Arc::as_ptr(&self.chassis).addr(),
            Arc::as_ptr(&self.wheels).addr(),
            Arc::as_ptr(&self.dynamics).addr(),
            Arc::as_ptr(&self.friction).addr(),
            Arc::as_ptr(&self.wheel_friction).addr(),
            Arc::as_ptr(&self.controller).addr(),
            Arc::as_ptr(&self.actuators).addr(),
            Arc::as_ptr(&self.suspensions).addr(),
            Arc::as_ptr(&self.sensors).addr(),
            Arc::as_ptr(&self.visuals).addr(),
        ]
    }

    fn resized(&self, context: &mut Context<'_>, scale: &Scale) -> Option<Self> {
        let size = scale.size();
        let before = context.report.error_count();
        let ports = [&self.dynamics, &self.controller].map(|used| used.model.model);
        let mut models = Models { context, scale };
        let dynamics = models.resize(Kind::Dynamics, &self.dynamics, None);
        let friction = models.resize(Kind::Friction, &self.friction, None);
        let of_wheel = |one: &WheelFriction| {
            let model = models.resize(Kind::Friction, &one.model, None);
            WheelFriction { model: Arc::new(model), ..one.clone() }
        };
        let wheel_friction = self.wheel_friction.iter().map(of_wheel).collect();
        let controller = models.resize(Kind::Controller, &self.controller, None);
        let actuators = self.actuators.iter().map(|one| {
            let port = actuated_port(&one.port, ports[0], ports[1]).ok();
            let unit = port.map(|port| port.unit.to_owned());
            let model = models.resize(Kind::Actuator, &one.model, unit.as_deref());
            ActuatorUse { model, ..one.clone() }
        });
        let actuators = actuators.collect();
        let suspensions = self.suspensions.iter().map(|one| {
            let model = models.resize(Kind::Suspension, &one.model, None);
            AxleSuspension { model, ..one.clone() }
        });
        let suspensions = suspensions.collect();
        let sensors = self.sensors.iter().map(|one| {
            let model = models.resize(Kind::Sensor, &one.model, None);
            SensorUse { model, visuals: visuals(&one.visuals, size), ..one.clone() }
        });
        let sensors = sensors.collect();
        (context.report.error_count() == before).then(|| Self {
            chassis: Arc::new(chassis(&self.chassis, size)),
            wheels: self.wheels.iter().map(|one| wheel(one, size)).collect(),
            dynamics: Arc::new(dynamics),
            friction: Arc::new(friction),
            wheel_friction,
            controller: Arc::new(controller),
            actuators,
            suspensions,
            sensors,
            visuals: visuals(&self.visuals, size),
        })
    }
}

/// Scales models, and reports those that cannot be scaled.
struct Models<'m, 'c> {
    context: &'m mut Context<'c>,
    scale: &'m Scale,
}

impl Models<'_, '_> {
    /// Returns a model for a vehicle of another size, or the same model after an error.
    fn resize(&mut self, kind: Kind, used: &ModelUse, port: Option<&str>) -> ModelUse {
        match scale_values(&used.model, &used.values, self.scale.size(), port) {
            Ok(values) => used.with_values(self.context, values),
            Err(faults) => {
                faults.iter().for_each(|fault| self.report(kind, used, fault));
                used.clone()
            }
        }
    }

    fn report(&mut self, kind: Kind, used: &ModelUse, fault: &Unscalable) {
        let (tag, class, name) = (kind.tag(), &used.model.full_name, &fault.name);
        let of = format!("`{name}` of {tag} class `{class}`");
        let (label, help) = match &fault.reason {
            UnscalableReason::Undeclared(unit) => (
                format!("no exponents declared for a value in {unit}"),
                format!(
                    "use another {tag} class, leave `<scale>` out, or declare the exponents in the \
                     plugin: #[param(…, scaling = Scaling::…)]"
                ),
            ),
            UnscalableReason::Port(unit) => (
                format!("a port in '{unit}' does not determine how it follows the size"),
                "leave this actuator or `<scale>` out".to_owned(),
            ),
            UnscalableReason::Invalid(text) => {
                (text.clone(), "correct the declaration in the plugin".to_owned())
            }
            UnscalableReason::OutOfRange(value) => (
                format!("{value} after scaling is out of the range of the parameter"),
                format!("run `simhost plugin doc {}` for its range", used.model.id()),
            ),
        };
        let owner = format!("in {}", self.context.owner);
        let error = Diagnostic::error(format!("cannot scale {of}"))
            .at(self.scale.span)
            .label(label)
            .note(owner)
            .help(help);
        self.context.report.push(error);
    }
}

fn chassis(chassis: &Chassis, size: Size) -> Chassis {
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

fn wheel(wheel: &WheelSpec, size: Size) -> WheelSpec {
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

fn visuals(visuals: &[Visual], size: Size) -> Arc<[Visual]> {
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

fn aerodynamics(air: &Aerodynamics, size: Size) -> Aerodynamics {
    let area = size.factor_of(Scaling::DRAG_AREA);
    Aerodynamics {
        drag_area: air.drag_area * area,
        lift_area: air.lift_area * area,
        side_area: air.side_area.map(|side| side * area),
        pressure_x: air.pressure_x.map(|x| x * size.factor),
        pressure_z: air.pressure_z.map(|z| z * size.factor),
    }
}

fn springs(springs: &BodySprings, size: Size) -> BodySprings {
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
    BodySprings {
        stiffness: springs.stiffness * stiffness,
        damping: springs.damping * damping,
        axles: axles.collect(),
        roll_inertia: springs.roll_inertia.map(inertia),
        pitch_inertia: springs.pitch_inertia.map(inertia),
        ..springs.clone()
    }
}
