//! Wiring of ports to columns by name, once when a world is built.

use std::sync::Arc;

use simhost_abi::host::LaneShape;
use simhost_abi::{Phase, PortDesc, Scope, StateDesc, port_flag};
use simhost_model::{Entities, Instance, Memories, View, lanes};
use simhost_world::Span;

use super::array::ArrayColumns;
use super::call::{Call, CallColumns};
use super::lanes::{LaneInstances, ModelError, PortMap, incomplete};
use crate::columns::{Column, Columns, Layout};

/// Lengths of columns by scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    /// Number of lanes.
    pub lanes: usize,
    /// Wheels per lane.
    pub wheels: usize,
    /// Rays per lane.
    pub rays: usize,
}

impl Lengths {
    /// Returns the length of a column of a scope.
    pub fn of(self, scope: u32) -> usize {
        self.lanes
            * match Scope::from_u32(scope) {
                Scope::Instance => 1,
                Scope::Wheel => self.wheels,
                Scope::Ray => self.rays,
                Scope::Array => 0,
            }
    }
}

/// An instance with the states and memories of its lanes, before its phases are wired.
pub(crate) struct ModelLanes {
    instances: LaneInstances,
    /// Columns of the parameters that differ between lanes.
    parameters: PortMap,
    states: Vec<Column>,
    memories: Option<Arc<Memories>>,
    lengths: Lengths,
    shape: LaneShape,
    entities: Entities,
    span: Span,
}

/// A phase with its columns, before the columns are laid out in memory.
pub(crate) struct UnboundCall {
    instance: Arc<Instance>,
    phase: &'static View<Phase>,
    columns: CallColumns,
    shape: LaneShape,
}

impl UnboundCall {
    /// Binds the phase to the columns in memory.
    pub fn bind(self, columns: &Columns) -> Call {
        Call::new(&self.instance, self.phase, self.columns, self.shape, columns)
    }

    /// Returns the columns of the outputs.
    pub fn outputs(&self) -> &[Column] {
        &self.columns.outputs
    }
}

/// Checks that no state of a lane is NaN at the start of a run.
fn check_initial_states(
    instances: &LaneInstances,
    lanes: usize,
    entities: &Entities,
    span: Span,
) -> Result<(), ModelError> {
    let checked = if instances.differ() { lanes } else { 1 };
    for lane in 0..checked.min(lanes) {
        let instance = instances.of(lane);
        let slots = instance.model().states().iter().zip(instance.initial_states());
        if let Some((slot, _)) = slots.into_iter().find(|(_, initial)| initial.is_nan()) {
            let (name, entity) = (slot.name(), entities.get(lane));
            let text = format!("state `{name}` of {entity} is NaN at the start; expected a number");
            return Err(incomplete(instance.class(), text, span));
        }
    }
    Ok(())
}

impl ModelLanes {
    /// Adds the columns of the state slots of a model, and of the parameters that differ between its
    /// lanes, and creates its memories. `entities` names the vehicle, wheel or sensor of each lane.
    ///
    /// # Errors
    /// [`ModelError`] if a state starts as NaN, or the model fails to create a memory.
    pub fn new(
        instances: LaneInstances,
        span: Span,
        lengths: Lengths,
        shape: LaneShape,
        entities: Entities,
        layout: &mut Layout,
    ) -> Result<Self, ModelError> {
        check_initial_states(&instances, lengths.lanes, &entities, span)?;
        let slots = instances.shared().model().states().iter().enumerate();
        let add = |(slot, desc): (usize, &'static View<StateDesc>)| {
            let shared = instances.shared().initial_states()[slot];
            let mut values = vec![shared; lengths.of(desc.scope)];
            if instances.differ() {
                for lane in 0..lengths.lanes {
                    let initial = instances.of(lane).initial_states()[slot];
                    shape.places(desc.scope, lane).for_each(|place| values[place] = initial);
                }
            }
            layout.add(values)
        };
        let states = slots.map(add).collect();
        let memories = Memories::new(instances.repeated(), lengths.lanes).map_err(|fault| {
            let class = instances.shared().class().full_name.to_string();
            ModelError::Rejected { class, text: fault.message(), span }
        })?;
        let parameters = instances.columns(lengths.lanes, layout);
        Ok(Self { instances, parameters, states, memories, lengths, shape, entities, span })
    }

    /// Returns the same states and memories for a phase with another number of lanes.
    pub fn with_lanes(&self, lanes: usize) -> Self {
        Self {
            instances: self.instances.clone(),
            parameters: self.parameters.clone(),
            states: self.states.clone(),
            memories: self.memories.clone(),
            lengths: Lengths { lanes, ..self.lengths },
            shape: self.shape,
            entities: self.entities.clone(),
            span: self.span,
        }
    }

    /// Returns the instance that is called.
    pub fn instance(&self) -> &Arc<Instance> {
        self.instances.shared()
    }

    /// Returns the instances with the parameters of each lane.
    pub fn instances(&self) -> &LaneInstances {
        &self.instances
    }

    /// Returns the error for something that the kind of the model needs and that is missing.
    pub fn incomplete(&self, text: impl Into<String>) -> ModelError {
        incomplete(self.instance().class(), text, self.span)
    }

    /// Returns the first of several phases that the model has.
    ///
    /// # Errors
    /// [`ModelError::Incomplete`] if it has none of them.
    pub fn phase(&self, ids: &[&str]) -> Result<&'static View<Phase>, ModelError> {
        let found = ids.iter().find_map(|id| self.instance().phase(id));
        found.ok_or_else(|| self.incomplete(format!("it has no phase `{}`", ids.join("` or `"))))
    }

    /// Wires a phase. Inputs are taken from `sources`, the first one that has the name winning; inputs
    /// that nothing drives get a column of their own, which is added to `undriven`. Outputs get new
    /// columns, which are added to `outputs`.
    pub fn wire(
        &self,
        phase: &'static View<Phase>,
        sources: &[&PortMap],
        undriven: &mut PortMap,
        outputs: &mut PortMap,
        layout: &mut Layout,
    ) -> UnboundCall {
        let arrays = self.wire_arrays(phase.inputs(), sources, layout);
        let inputs = self.wire_inputs(phase.inputs(), &arrays, sources, undriven, layout);
        let outputs = self.wire_outputs(phase.outputs(), outputs, layout);
        self.unbound(phase, inputs, arrays, outputs)
    }

    /// Wires the phase `rates`, whose inputs are those of `beside` and whose outputs are the rates of
    /// change of the state slots. Returns `None` if the model does not have the phase.
    ///
    /// # Errors
    /// [`ModelError::Incomplete`] if the phase has other inputs or outputs.
    pub fn wire_rates(
        &self,
        beside: &UnboundCall,
        layout: &mut Layout,
    ) -> Result<Option<UnboundCall>, ModelError> {
        let Some(phase) = self.instance().phase("rates") else { return Ok(None) };
        let outputs = self.wire_outputs(phase.outputs(), &mut PortMap::default(), layout);
        let names = |ports: &'static [View<PortDesc>]| ports.iter().map(View::<PortDesc>::name);
        let same_inputs = names(phase.inputs()).eq(names(beside.phase.inputs()));
        let slots = self.instance().model().states().iter().map(|slot| slot.name());
        if !same_inputs || !names(phase.outputs()).eq(slots) {
            return Err(self.incomplete(
                "its phase `rates` must have the inputs of the phase before it and one output per \
                 state slot, in order",
            ));
        }
        let CallColumns { inputs, arrays, .. } = &beside.columns;
        Ok(Some(self.unbound(phase, inputs.clone(), arrays.clone(), outputs)))
    }

    /// Returns the columns of the state slots.
    pub fn states(&self) -> &[Column] {
        &self.states
    }

    fn unbound(
        &self,
        phase: &'static View<Phase>,
        inputs: Vec<Column>,
        arrays: Vec<Option<ArrayColumns>>,
        outputs: Vec<Column>,
    ) -> UnboundCall {
        let columns = CallColumns {
            inputs,
            arrays,
            outputs,
            states: self.states.clone(),
            memories: self.memories.clone(),
            entities: self.entities.clone(),
            values: self.instances.values(),
        };
        UnboundCall { instance: Arc::clone(self.instance()), phase, columns, shape: self.shape }
    }

    /// Returns the columns of the inputs that are arrays, or nothing if there are none. An array that no
    /// sensor provides has no room.
    fn wire_arrays(
        &self,
        ports: &'static [View<PortDesc>],
        sources: &[&PortMap],
        layout: &mut Layout,
    ) -> Vec<Option<ArrayColumns>> {
        let is_array = |port: &View<PortDesc>| port.scope == Scope::Array as u32;
        if !ports.iter().any(is_array) {
            return Vec::new();
        }
        let wire = |port: &'static View<PortDesc>| {
            is_array(port).then(|| {
                let known = sources.iter().find_map(|ports| ports.array(port.name()));
                known.unwrap_or_else(|| ArrayColumns::new(self.lengths.lanes, 0, layout))
            })
        };
        ports.iter().map(wire).collect()
    }

    fn wire_inputs(
        &self,
        ports: &'static [View<PortDesc>],
        arrays: &[Option<ArrayColumns>],
        sources: &[&PortMap],
        undriven: &mut PortMap,
        layout: &mut Layout,
    ) -> Vec<Column> {
        let wire = |(place, port): (usize, &'static View<PortDesc>)| {
            if lanes::is_parameter(port) {
                return self.parameters.get(port.name()).unwrap_or(Column::NONE);
            }
            if let Some(Some(array)) = arrays.get(place) {
                return array.values;
            }
            // nothing but a command drives a command port, whatever else has its name
            let is_command = port.flags & port_flag::COMMAND != 0;
            let len = self.lengths.of(port.scope);
            let known = sources.iter().find_map(|ports| ports.get(port.name()));
            let fits = |column: &Column| !is_command && column.len() == len;
            known.filter(fits).unwrap_or_else(|| {
                let column = layout.fill_passing(len, port.default);
                undriven.insert(port.name(), column);
                column
            })
        };
        ports.iter().enumerate().map(wire).collect()
    }

    fn wire_outputs(
        &self,
        ports: &'static [View<PortDesc>],
        outputs: &mut PortMap,
        layout: &mut Layout,
    ) -> Vec<Column> {
        let wire = |port: &'static View<PortDesc>| {
            let column = layout.fill(self.lengths.of(port.scope), 0.0);
            outputs.insert(port.name(), column);
            column
        };
        ports.iter().map(wire).collect()
    }
}
