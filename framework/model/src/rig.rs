//! A model with columns for its lanes, called without a world: by test benches, by checks of models and by
//! measurements of their speed.

use std::ops::Range;
use std::sync::Arc;

use simhost_abi::host::{Circumstances, LaneShape, PhaseColumns};
use simhost_abi::{Fault, Kind, Phase, Scope, Services};

use crate::breadcrumb::LabelHandle;
use crate::call::PhaseCall;
use crate::classes::ModelRef;
use crate::entities::Entities;
use crate::instance::Instance;
use crate::lanes::is_parameter;
use crate::memory::Memories;
use crate::profile::CallLabel;
use crate::view::View;

/// Numbers of lanes and of the values that belong to each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RigShape {
    /// Number of lanes.
    pub lanes: usize,
    /// Number of wheels of a lane.
    pub wheels: usize,
    /// Number of rays of a lane.
    pub rays: usize,
    /// Largest number of values of a reading.
    pub capacity: usize,
}

impl RigShape {
    /// Returns the number of values of a scope for `lanes` lanes.
    pub fn length(&self, scope: u32, lanes: usize) -> usize {
        lanes * self.of_lane(scope).0
    }

    /// Returns how many values of a scope a lane has, and whether equal items of all lanes lie next to each other.
    fn of_lane(&self, scope: u32) -> (usize, bool) {
        match Scope::from_u32(scope) {
            Scope::Instance => (1, true),
            Scope::Wheel => (self.wheels, true),
            Scope::Ray => (self.rays, false),
            Scope::Array => (self.capacity, false),
        }
    }

    /// Returns the places of the values of a lane in a column.
    pub fn places(&self, scope: u32, lane: usize) -> impl Iterator<Item = usize> + use<> {
        let (count, is_by_item) = self.of_lane(scope);
        let (first, stride) = if is_by_item { (lane, self.lanes) } else { (lane * count, 1) };
        (0..count).map(move |item| first + item * stride)
    }

    /// Returns the lane of a place in a column, and the number of the value in the lane.
    pub fn owner(&self, scope: u32, place: usize) -> (usize, usize) {
        match self.of_lane(scope) {
            (_, true) => (place % self.lanes, place / self.lanes),
            (count, false) => (place / count.max(1), place % count.max(1)),
        }
    }
}

/// Time of each evaluation of the Runge-Kutta method as a part of the step, and its weight.
const EVALUATIONS: [(f64, f64); 4] = [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)];

/// A phase with its columns.
pub struct RigPhase {
    /// The phase.
    pub phase: &'static View<Phase>,
    /// Its description for reports of crashes.
    pub label: LabelHandle,
    /// Inputs; a parameter that is equal in all lanes has an empty column.
    pub inputs: Vec<Vec<f64>>,
    /// Outputs.
    pub outputs: Vec<Vec<f64>>,
}

impl RigPhase {
    /// Returns an input.
    pub fn input(&mut self, name: &str) -> Option<&mut [f64]> {
        let place = self.phase.inputs().iter().position(|port| port.name() == name)?;
        Some(&mut self.inputs[place])
    }

    /// Returns an output.
    pub fn output(&self, name: &str) -> Option<&[f64]> {
        let place = self.phase.outputs().iter().position(|port| port.name() == name)?;
        Some(&self.outputs[place])
    }
}

/// An instance of a model with columns for its lanes.
pub struct ModelRig {
    /// The instance.
    pub instance: Arc<Instance>,
    /// Numbers of lanes and of their values.
    pub shape: RigShape,
    /// Phases in the order of their calls.
    pub phases: Vec<RigPhase>,
    /// States.
    pub states: Vec<Vec<f64>>,
    /// Memories of the lanes, if the model has any.
    pub memories: Option<Arc<Memories>>,
    /// Key of the random stream of each lane.
    pub streams: Vec<u64>,
}

impl ModelRig {
    /// Returns the descriptions of the phases of a class.
    pub fn labels(class: &ModelRef) -> Vec<LabelHandle> {
        let phases = class.model.phases().iter();
        let label = |phase: &'static View<Phase>| {
            LabelHandle::new(CallLabel::of(class, phase.id(), Entities::default()))
        };
        phases.map(label).collect()
    }

    /// Creates columns with the defaults of all inputs, zeros as outputs, and states as at the start of a run.
    /// `labels` are what [`Self::labels`] returns.
    ///
    /// # Errors
    /// The fault of a model that does not create its memory.
    pub fn new(
        instance: &Arc<Instance>,
        labels: &[LabelHandle],
        shape: RigShape,
    ) -> Result<Self, Fault> {
        let model = instance.model();
        let shares_state = model.kind() == Some(Kind::Environment);
        let phase = |(phase, label): (&'static View<Phase>, &LabelHandle)| {
            // the phases of an environment without points have one lane, for the whole world
            let is_of_world = shares_state && matches!(phase.id(), "update" | "gravity");
            let lanes = if is_of_world { 1 } else { shape.lanes };
            let inputs = phase.inputs().iter().map(|port| {
                let count = if is_parameter(port) { 0 } else { shape.length(port.scope, lanes) };
                vec![port.default; count]
            });
            let outputs = phase.outputs().iter();
            let outputs = outputs.map(|port| vec![0.0; shape.length(port.scope, lanes)]);
            let (inputs, outputs) = (inputs.collect(), outputs.collect());
            RigPhase { phase, label: label.clone(), inputs, outputs }
        };
        let owners = if shares_state { 1 } else { shape.lanes };
        let slots = model.states().iter().zip(instance.initial_states());
        Ok(Self {
            instance: Arc::clone(instance),
            shape,
            phases: model.phases().iter().zip(labels).map(phase).collect(),
            states: slots
                .map(|(slot, initial)| vec![*initial; shape.length(slot.scope, owners)])
                .collect(),
            memories: Memories::new(std::slice::from_ref(instance), shape.lanes)?,
            streams: (0..shape.lanes as u64).collect(),
        })
    }

    /// Returns the index of a phase.
    pub fn phase(&self, id: &str) -> Option<usize> {
        self.phases.iter().position(|one| one.phase.id() == id)
    }

    /// Binds a phase to the columns of the rig.
    ///
    /// # Safety
    /// The rig lives and keeps its columns until the last call, nothing else accesses them during a call, and
    /// lanes of calls at the same time do not overlap.
    pub unsafe fn bound(&mut self, phase: usize) -> PhaseCall {
        let RigPhase { inputs, outputs, .. } = &mut self.phases[phase];
        let columns = PhaseColumns::of(inputs, outputs, &mut self.states);
        // SAFETY: the columns are those that the phase declares, and hold all lanes.
        unsafe { self.bound_to(phase, columns) }
    }

    /// Binds a phase to other columns.
    ///
    /// # Safety
    /// As for [`Self::bound`]; the columns have the lengths of the columns of the rig.
    pub unsafe fn bound_to(&self, phase: usize, columns: PhaseColumns) -> PhaseCall {
        let RigPhase { phase, label, .. } = &self.phases[phase];
        let RigShape { lanes, wheels, rays, .. } = self.shape;
        let shape = LaneShape { wheels, wheel_stride: lanes, rays };
        // SAFETY: promised by the caller.
        unsafe { PhaseCall::new(&self.instance, phase, label.clone(), shape, columns) }
    }

    /// Calls a phase for some lanes, at a time and with a length of step, s.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn call(&mut self, phase: usize, lanes: Range<usize>, at: [f64; 2]) -> Result<(), Fault> {
        self.call_with(phase, lanes, at, None)
    }

    /// Calls a phase as [`Self::call`] does, with services of a host.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn call_with(
        &mut self,
        phase: usize,
        lanes: Range<usize>,
        [time, dt]: [f64; 2],
        services: Option<&Services>,
    ) -> Result<(), Fault> {
        // SAFETY: the rig is borrowed exclusively until the call has returned.
        let call = unsafe { self.bound(phase) };
        let at = Circumstances {
            streams: self.streams.as_ptr(),
            memories: Memories::pointers_of(self.memories.as_deref()),
            services,
            ..Circumstances::of_step(time, dt)
        };
        // SAFETY: streams and memories hold all lanes.
        unsafe { call.run(lanes, &at) }
    }

    /// Integrates the states of all lanes over a step with the rates that a phase computes, by the
    /// classical Runge-Kutta method (Kutta 1901), with constant inputs. The result is the same as in
    /// a world, bit for bit.
    ///
    /// # Errors
    /// The fault of the model.
    pub fn advance(
        &mut self,
        phase: usize,
        [time, dt]: [f64; 2],
        services: Option<&Services>,
    ) -> Result<(), Fault> {
        let start = self.states.clone();
        let mut sums: Vec<Vec<f64>> = start.iter().map(|slot| vec![0.0; slot.len()]).collect();
        for (part, weight) in EVALUATIONS {
            let ahead = part * dt;
            let rates = start.iter().zip(&self.phases[phase].outputs);
            for (state, (start, rates)) in self.states.iter_mut().zip(rates) {
                for (state, (start, rate)) in state.iter_mut().zip(start.iter().zip(rates)) {
                    *state = start + ahead * if ahead == 0.0 { 0.0 } else { *rate };
                }
            }
            self.call_with(phase, 0..self.shape.lanes, [time, dt], services)?;
            for (sum, rates) in sums.iter_mut().zip(&self.phases[phase].outputs) {
                sum.iter_mut().zip(rates).for_each(|(sum, rate)| *sum += weight * rate);
            }
        }
        for (state, (start, sum)) in self.states.iter_mut().zip(start.iter().zip(&sums)) {
            for (state, (start, sum)) in state.iter_mut().zip(start.iter().zip(sum)) {
                *state = start + dt / 6.0 * sum;
            }
        }
        Ok(())
    }

    /// Integrates the states over `dt` s if the phase computes their rates.
    pub fn integrate(&mut self, phase: usize, dt: f64) {
        let phase = &self.phases[phase];
        if phase.phase.id() != "rates" {
            return;
        }
        for (state, rates) in self.states.iter_mut().zip(&phase.outputs) {
            state.iter_mut().zip(rates).for_each(|(state, rate)| *state += dt * rate);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: RigShape = RigShape { lanes: 3, wheels: 4, rays: 5, capacity: 2 };

    #[test]
    fn every_place_belongs_to_one_lane() {
        for scope in [Scope::Instance, Scope::Wheel, Scope::Ray, Scope::Array] {
            let scope = scope as u32;
            let mut found = vec![0; SHAPE.length(scope, SHAPE.lanes)];
            for lane in 0..SHAPE.lanes {
                for (item, place) in SHAPE.places(scope, lane).enumerate() {
                    found[place] += 1;
                    assert_eq!(SHAPE.owner(scope, place), (lane, item), "scope {scope}");
                }
            }
            assert!(found.iter().all(|count| *count == 1), "scope {scope}: {found:?}");
        }
    }
}
