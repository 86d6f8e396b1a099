//! A flat-track tyre test bench: the steady force of a friction model at imposed load and slip.
//!
//! As on a real bench, speed and slip are imposed and the tyre cannot change them. Friction models limit
//! or solve their forces for the mass on the wheel and for the inertia of the wheel, so the bench gives
//! both large values. States, such as the lag of a relaxation length, settle before the force is read.
//!
//! Axes, angles and signs are as in ISO 8855: x along the rolling direction, y to the left, slip angle
//! positive where the wheel drifts to its left.

use std::sync::Arc;

use simhost_abi::host::{Circumstances, LaneShape, PhaseColumns};
use simhost_abi::{Fault, Phase, PortDesc, Scope, fault_code};

use crate::breadcrumb::LabelHandle;
use crate::call::PhaseCall;
use crate::classes::ModelRef;
use crate::entities::Entities;
use crate::instance::Instance;
use crate::label::CallLabel;
use crate::lanes::is_parameter;
use crate::memory::Memories;
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
    phase: &'static View<Phase>,
    label: LabelHandle,
    /// Radius of the wheel, m.
    radius: f64,
}

/// Columns of the wheels that are measured together.
struct Wheels {
    inputs: Vec<Vec<f64>>,
    outputs: Vec<Vec<f64>>,
    states: Vec<Vec<f64>>,
    rates: Vec<Vec<f64>>,
    streams: Vec<u64>,
    memories: Option<Arc<Memories>>,
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
        let label = LabelHandle::new(CallLabel::of(class, phase.id(), Entities::default()));
        Ok(Self { instance, phase, label, radius })
    }

    /// Returns the steady force of each motion.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn measure(&self, motions: &[TyreMotion]) -> Result<Vec<TyreForce>, Fault> {
        let mut wheels = self.wheels(motions)?;
        let has_states = !wheels.states.is_empty() || wheels.memories.is_some();
        let steps = if has_states { (SETTLES / DT) as u32 } else { 2 };
        for step in 0..steps {
            self.step(&mut wheels, f64::from(step) * DT)?;
            self.impose_spin(&mut wheels, motions);
        }
        let [fx, fy, mz] = ["fx", "fy", "aligning_moment"].map(|name| self.output(name));
        let of =
            |place: Option<usize>, lane: usize| place.map_or(0.0, |at| wheels.outputs[at][lane]);
        let force = |lane| TyreForce { fx: of(fx, lane), fy: of(fy, lane), mz: of(mz, lane) };
        Ok((0..motions.len()).map(force).collect())
    }

    /// Creates the columns of wheels at the start of a measurement.
    fn wheels(&self, motions: &[TyreMotion]) -> Result<Wheels, Fault> {
        let lanes = motions.len();
        let input = |port: &'static View<PortDesc>| -> Vec<f64> {
            if is_parameter(port) {
                return Vec::new();
            }
            motions.iter().map(|motion| self.input(port, motion)).collect()
        };
        let slots = self.instance.initial_states();
        let memories = Memories::new(std::slice::from_ref(&self.instance), lanes)?;
        Ok(Wheels {
            inputs: self.phase.inputs().iter().map(input).collect(),
            outputs: self.phase.outputs().iter().map(|_| vec![0.0; lanes]).collect(),
            states: slots.iter().map(|initial| vec![*initial; lanes]).collect(),
            rates: slots.iter().map(|_| vec![0.0; lanes]).collect(),
            streams: (0..lanes as u64).collect(),
            memories,
        })
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

    /// Corrects the spins for the effective rolling radii of a model that publishes them.
    fn impose_spin(&self, wheels: &mut Wheels, motions: &[TyreMotion]) {
        let spin = self.phase.inputs().iter().position(|port| port.name() == "spin");
        let Some((spin, radius)) = spin.zip(self.output("rolling_radius")) else { return };
        let lanes = motions.iter().zip(&mut wheels.inputs[spin]).zip(&wheels.outputs[radius]);
        for ((motion, spin), radius) in lanes.filter(|(_, radius)| **radius > 0.0) {
            *spin = (1.0 + motion.slip_ratio) * motion.speed / radius;
        }
    }

    fn output(&self, name: &str) -> Option<usize> {
        self.phase.outputs().iter().position(|port| port.name() == name)
    }

    /// Calls the phase `force` once, and integrates the states of a model that declares their rates.
    fn step(&self, wheels: &mut Wheels, time: f64) -> Result<(), Fault> {
        let Wheels { inputs, outputs, states, .. } = &mut *wheels;
        let columns = PhaseColumns::of(inputs, outputs, states);
        self.call(self.phase, columns, wheels, time)?;
        let Some(phase) = self.instance.phase("rates") else { return Ok(()) };
        let Wheels { inputs, states, rates, .. } = &mut *wheels;
        let columns = PhaseColumns::of(inputs, rates, states);
        self.call(phase, columns, wheels, time)?;
        for (state, rate) in wheels.states.iter_mut().zip(&wheels.rates) {
            state.iter_mut().zip(rate).for_each(|(state, rate)| *state += DT * rate);
        }
        Ok(())
    }

    fn call(
        &self,
        phase: &'static View<Phase>,
        columns: PhaseColumns,
        wheels: &Wheels,
        time: f64,
    ) -> Result<(), Fault> {
        let shape = LaneShape::default();
        // SAFETY: the columns are those that the phase declares, hold all lanes, live in `wheels`, and
        // nothing else accesses them during the call.
        let call =
            unsafe { PhaseCall::new(&self.instance, phase, self.label.clone(), shape, columns) };
        let at = Circumstances {
            streams: wheels.streams.as_ptr(),
            memories: Memories::pointers_of(wheels.memories.as_deref()),
            ..Circumstances::of_step(time, DT)
        };
        // SAFETY: streams and memories hold all lanes.
        unsafe { call.run(0..wheels.streams.len(), &at) }
    }
}
