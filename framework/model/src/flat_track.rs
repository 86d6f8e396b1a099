//! A flat-track tyre test bench: the steady force of a friction model at imposed load and slip.
//!
//! As on a real bench, speed and slip are imposed and the tyre cannot change them. Friction models limit
//! or solve their forces for the mass on the wheel and for the inertia of the wheel, so the bench gives
//! both large values. States, such as the lag of a relaxation length, settle before the force is read.
//!
//! Axes, angles and signs are as in ISO 8855: x along the rolling direction, y to the left, slip angle
//! positive where the wheel drifts to its left.

use std::sync::Arc;

use simhost_abi::{Fault, PortDesc, Scope, fault_code};

use crate::breadcrumb::LabelHandle;
use crate::classes::ModelRef;
use crate::instance::Instance;
use crate::rig::{ModelRig, RigPhase, RigShape};
use crate::values::ParamValue;
use crate::view::View;

/// Length of a step, s.
const DT: f64 = 1e-3;
/// Time in which states settle, s.
const SETTLES: f64 = 0.5;
/// Gravity that gives the load a mass which no tyre force accelerates, m/s².
const GRAVITY: f64 = 1e-5;
/// Moment of inertia of a wheel whose spin no tyre force changes, kg·m².
const INERTIA: f64 = 1e9;

/// Imposed motion and load of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TyreMotion {
    /// Normal load, N.
    pub load: f64,
    /// Speed along the wheel plane, m/s, greater than 0.
    pub speed: f64,
    /// Slip angle, rad, positive where the wheel drifts to its left.
    pub slip_angle: f64,
    /// Slip ratio, positive for a driven wheel, -1 for a locked wheel.
    pub slip_ratio: f64,
}

/// Steady force of the ground on a wheel, wheel frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TyreForce {
    /// Longitudinal force, N.
    pub fx: f64,
    /// Lateral force, N, positive to the left.
    pub fy: f64,
    /// Aligning moment, N·m, positive counter-clockwise; 0 for a model without it.
    pub mz: f64,
}

/// A test bench with a tyre.
pub struct FlatTrack {
    instance: Arc<Instance>,
    /// Descriptions of the phases.
    labels: Vec<LabelHandle>,
    /// Radius of the wheel, m.
    radius: f64,
}

impl FlatTrack {
    /// Mounts a wheel of a radius, m, with a friction model and its parameters.
    ///
    /// # Errors
    /// The fault of a model that rejects its parameters, or that is not a friction model whose inputs are numbers.
    pub fn new(
        class: &ModelRef,
        values: impl Into<Arc<[ParamValue]>>,
        radius: f64,
    ) -> Result<Self, Fault> {
        let instance = Arc::new(Instance::new(class, values)?);
        let refused = |text: &str| Fault::new(fault_code::REFUSED, text);
        let phase = instance.phase("force");
        let phase = phase.ok_or_else(|| refused("the model has no phase `force`"))?;
        let mut ports = phase.inputs().iter().chain(phase.outputs());
        if ports.any(|port| port.scope != Scope::Instance as u32) {
            return Err(refused("the model has ports with several values for a wheel"));
        }
        Ok(Self { instance, labels: ModelRig::labels(class), radius })
    }

    /// Returns the steady force of each motion.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn measure(&self, motions: &[TyreMotion]) -> Result<Vec<TyreForce>, Fault> {
        let shape = RigShape { lanes: motions.len(), ..RigShape::default() };
        let mut rig = ModelRig::new(&self.instance, &self.labels, shape)?;
        for phase in &mut rig.phases {
            self.impose(phase, motions);
        }
        let force = rig.phase("force").unwrap_or(0);
        let has_states = !rig.states.is_empty() || rig.memories.is_some();
        let steps = if has_states { (SETTLES / DT) as u32 } else { 2 };
        for step in 0..steps {
            let time = f64::from(step) * DT;
            for phase in [Some(force), rig.phase("rates")].into_iter().flatten() {
                rig.call(phase, 0..motions.len(), [time, DT])?;
                rig.integrate(phase, DT);
            }
            correct_spin(&mut rig, force, motions);
        }
        let [fx, fy, mz] =
            ["fx", "fy", "aligning_moment"].map(|name| rig.phases[force].output(name));
        let of = |column: Option<&[f64]>, lane: usize| column.map_or(0.0, |values| values[lane]);
        let force = |lane| TyreForce { fx: of(fx, lane), fy: of(fy, lane), mz: of(mz, lane) };
        Ok((0..motions.len()).map(force).collect())
    }

    /// Sets the inputs of a phase for the motions.
    fn impose(&self, phase: &mut RigPhase, motions: &[TyreMotion]) {
        for (port, column) in phase.phase.inputs().iter().zip(&mut phase.inputs) {
            for (value, motion) in column.iter_mut().zip(motions) {
                *value = self.input(port, motion);
            }
        }
    }

    /// Returns an input of a wheel that rolls with the slip ratio on its geometric radius.
    fn input(&self, port: &'static View<PortDesc>, motion: &TyreMotion) -> f64 {
        match port.name() {
            "vx" => motion.speed,
            "vy" => motion.speed * motion.slip_angle.tan(),
            "spin" => (1.0 + motion.slip_ratio) * motion.speed / self.radius,
            "normal_force" => motion.load,
            "gravity" => GRAVITY,
            "radius" => self.radius,
            "inertia" => INERTIA,
            "contact_normal_z" => 1.0,
            _ => port.default,
        }
    }
}

/// Corrects the spins for the effective rolling radii of a model that publishes them.
fn correct_spin(rig: &mut ModelRig, force: usize, motions: &[TyreMotion]) {
    let radii = rig.phases[force].output("rolling_radius").map(<[f64]>::to_vec);
    let Some(radii) = radii else { return };
    for phase in &mut rig.phases {
        let Some(spins) = phase.input("spin") else { continue };
        let lanes = motions.iter().zip(spins).zip(&radii);
        for ((motion, spin), radius) in lanes.filter(|(_, radius)| **radius > 0.0) {
            *spin = (1.0 + motion.slip_ratio) * motion.speed / radius;
        }
    }
}
