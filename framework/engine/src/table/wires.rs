//! Which columns the phases of a table's models read and write.

use std::sync::Arc;

use simhost_abi::{Phase, PortDesc};
use simhost_model::View;
use simhost_world::ModelUse;

use super::driving::{Driving, Motion, Wrench};
use super::rates::Rates;
use crate::columns::{Column, Columns, Layout};
use crate::error::BuildError;
use crate::memory::Memories;
use crate::model::{Call, Made, Shape, Wired};
use crate::wiring::{self, Lengths, Names};

/// A model of a table, with its states.
pub(super) struct Part {
    made: Arc<Made>,
    states: Vec<Column>,
    memories: Option<Arc<Memories>>,
    lengths: Lengths,
    shape: Shape,
    entities: Vec<String>,
    span: simhost_world::Span,
}

/// A phase with its columns, before they are laid out.
pub(super) struct Planned {
    made: Arc<Made>,
    phase: &'static View<Phase>,
    wired: Wired,
    shape: Shape,
}

impl Planned {
    /// Ready to be called.
    pub fn call(self, columns: &Columns) -> Call {
        Call::new(&self.made, self.phase, self.wired, self.shape, columns)
    }
}

/// Rates of change, before columns are laid out.
pub(super) struct PlannedRates {
    planned: Planned,
    states: Vec<Column>,
    rates: Vec<Column>,
}

impl PlannedRates {
    /// Ready to be integrated.
    pub fn rates(self, columns: &Columns) -> Rates {
        let Self { planned, states, rates } = self;
        Rates { call: planned.call(columns), states, rates }
    }
}

impl Part {
    /// Makes room for the states of a model.
    ///
    /// # Errors
    /// [`BuildError::Incomplete`] when the model cannot make its memories.
    pub fn new(
        made: Arc<Made>,
        wanted: &ModelUse,
        lengths: Lengths,
        shape: Shape,
        entities: &[String],
        layout: &mut Layout,
    ) -> Result<Self, BuildError> {
        let states = wiring::states(made.model(), lengths, layout);
        let span = wanted.span;
        let memories = Memories::new(&made, lengths.lanes).map_err(|text| BuildError::Refused {
            class: made.class.full_name.to_string(),
            text,
            span,
        })?;
        let entities = entities.to_vec();
        Ok(Self { made, states, memories, lengths, shape, entities, span })
    }

    /// The model.
    pub fn made(&self) -> &Arc<Made> {
        &self.made
    }

    /// Something that the kind of the model needs is not there.
    pub fn incomplete(&self, text: String) -> BuildError {
        let class = self.made.class.full_name.to_string();
        BuildError::Incomplete { class, text, span: self.span }
    }

    /// The first of several phases that the model has.
    ///
    /// # Errors
    /// [`BuildError::Incomplete`] when it has none.
    pub fn phase(&self, ids: &[&str]) -> Result<&'static View<Phase>, BuildError> {
        let found = ids.iter().find_map(|id| self.made.phase(id));
        found.ok_or_else(|| self.incomplete(format!("it has no phase `{}`", ids.join("` or `"))))
    }

    /// Wires a phase: inputs from `sources`, those that nothing drives into `open`, outputs into
    /// `made`.
    pub fn wire(
        &self,
        phase: &'static View<Phase>,
        sources: &[&Names],
        open: &mut Names,
        made: &mut Names,
        layout: &mut Layout,
    ) -> Planned {
        let wired = Wired {
            inputs: wiring::inputs(phase.inputs(), sources, open, self.lengths, layout),
            outputs: wiring::outputs(phase.outputs(), made, self.lengths, layout),
            states: self.states.clone(),
            memories: self.memories.clone(),
            entities: self.entities.clone(),
        };
        Planned { made: self.made.clone(), phase, wired, shape: self.shape }
    }

    /// Wires the rates of change of continuous states, which read what `beside` reads.
    ///
    /// # Errors
    /// [`BuildError::Incomplete`] when they are not one for each state.
    pub fn rates(
        &self,
        beside: &Planned,
        layout: &mut Layout,
    ) -> Result<Option<PlannedRates>, BuildError> {
        let Some(phase) = self.made.phase("rates") else { return Ok(None) };
        let mut made = Names::new();
        let wired = Wired {
            inputs: beside.wired.inputs.clone(),
            outputs: wiring::outputs(phase.outputs(), &mut made, self.lengths, layout),
            states: self.states.clone(),
            memories: self.memories.clone(),
            entities: self.entities.clone(),
        };
        let names = |ports: &'static [View<PortDesc>]| ports.iter().map(View::<PortDesc>::name);
        let same = names(phase.inputs()).eq(names(beside.phase.inputs()));
        let states = self.made.model().states();
        let of_states = states.iter().map(|state| state.name());
        if !same || !names(phase.outputs()).eq(of_states) {
            let text = "its phase `rates` must read what the phase before it reads and have an \
                        output for each state, in order";
            return Err(self.incomplete(text.to_owned()));
        }
        let rates = wired.outputs.clone();
        let planned = Planned { made: self.made.clone(), phase, wired, shape: self.shape };
        Ok(Some(PlannedRates { planned, states: self.states.clone(), rates }))
    }

    /// What moves the vehicles, from the outputs of the phase that drives.
    ///
    /// # Errors
    /// [`BuildError::Incomplete`] when the phase lacks an output.
    pub fn driving(
        &self,
        phase: &'static View<Phase>,
        driven: &Names,
    ) -> Result<Driving, BuildError> {
        let id = phase.id();
        let find = |name: &str| {
            let text = || format!("its phase `{id}` has no output `{name}`");
            driven.get(name).copied().ok_or_else(|| self.incomplete(text()))
        };
        let three = |[a, b, c]: [&str; 3]| Ok([find(a)?, find(b)?, find(c)?]);
        Ok(match id {
            "wrench" => Driving::Wrench(Wrench {
                force: [find("force_x")?, find("force_y")?],
                moment: find("moment")?,
                spin: find("spin")?,
            }),
            "motion" => Driving::Motion(Motion {
                pose: three(["x", "y", "yaw"])?,
                twist: three(["vx", "vy", "omega"])?,
                spin: find("spin")?,
            }),
            _ => Driving::Wheels,
        })
    }
}
