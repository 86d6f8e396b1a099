//! Instances of a model whose lanes can have parameters of their own.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use simhost_abi::host_port::HostPort;
use simhost_abi::{WheelGeometry, fault_code};
use simhost_model::{Instance, ModelRef, ParamValue, defect_of_wheels, lanes};
use simhost_world::{ModelUse, Span};

use super::array::ArrayColumns;
use crate::columns::{Column, Layout};

/// The instance that is called for all lanes, and those that know the parameters of single lanes: they
/// check them, place wheels, and create memories and initial states.
///
/// A lane is a vehicle or a sensor. Where the lanes of a call are wheels, those of a vehicle share its
/// instance.
#[derive(Clone)]
pub(crate) struct LaneInstances {
    shared: Arc<Instance>,
    /// The instance of each lane; empty if the parameters of all lanes are equal.
    own: Arc<[Arc<Instance>]>,
    /// Whether lanes can have other parameters later.
    is_open: bool,
}

impl LaneInstances {
    /// Creates the instances of lanes that can share one.
    ///
    /// # Errors
    /// [`ModelError`] of the first lane whose parameters the model rejects.
    pub fn new<'w>(mut lanes: impl Iterator<Item = &'w ModelUse>) -> Result<Self, ModelError> {
        let first = lanes.next().expect("a group has at least one lane");
        let shared = create_instance(first)?;
        let mut own = vec![Arc::clone(&shared)];
        // instances by the address of their values; only looked up
        let mut known = HashMap::from([(first.values.as_ptr(), Arc::clone(&shared))]);
        for wanted in lanes {
            let address = wanted.values.as_ptr();
            let last = own.last().filter(|last| last.values().as_ptr() == address);
            let instance = match last.or_else(|| known.get(&address)) {
                Some(instance) => Arc::clone(instance),
                None => {
                    let is_equal = wanted.values == *shared.values();
                    let instance =
                        if is_equal { Arc::clone(&shared) } else { create_instance(wanted)? };
                    known.insert(address, Arc::clone(&instance));
                    instance
                }
            };
            own.push(instance);
        }
        Ok(Self::of_all(own))
    }

    /// Returns the instances of lanes that have one each.
    fn of_all(own: Vec<Arc<Instance>>) -> Self {
        let shared = Arc::clone(&own[0]);
        let is_equal = own.iter().all(|instance| Arc::ptr_eq(instance, &shared));
        let own = if is_equal { Arc::default() } else { own.into() };
        Self { shared, own, is_open: false }
    }

    /// Returns the same instances with columns for the parameters that can differ between lanes, even if those
    /// of all lanes are equal.
    pub fn opened(self) -> Self {
        Self { is_open: true, ..self }
    }

    /// Wraps an instance that all lanes share.
    pub fn equal(shared: Arc<Instance>) -> Self {
        Self { shared, own: Arc::default(), is_open: false }
    }

    /// Returns the instances of some of the lanes.
    pub fn part(&self, lanes: Range<usize>) -> Self {
        if self.own.is_empty() {
            return self.clone();
        }
        Self { is_open: self.is_open, ..Self::of_all(self.own[lanes].to_vec()) }
    }

    /// Returns the instances of these lanes, in their order.
    pub fn select(&self, lanes: &[usize]) -> Self {
        Self::of_all(lanes.iter().map(|lane| Arc::clone(self.of(*lane))).collect())
    }

    /// Returns whether the parameters of some lanes differ.
    pub fn differ(&self) -> bool {
        !self.own.is_empty()
    }

    /// Returns the instance that is called.
    pub fn shared(&self) -> &Arc<Instance> {
        &self.shared
    }

    /// Returns the instance with the parameters of a lane.
    pub fn of(&self, lane: usize) -> &Arc<Instance> {
        if self.own.is_empty() { &self.shared } else { &self.own[lane % self.own.len()] }
    }

    /// Returns the instances of the first lanes, with which those of the others begin again.
    pub fn repeated(&self) -> &[Arc<Instance>] {
        if self.own.is_empty() { std::slice::from_ref(&self.shared) } else { &self.own }
    }

    /// Returns the parameters of each lane, or nothing if they are equal.
    pub fn values(&self) -> LaneValues {
        self.own.iter().map(|instance| Arc::clone(instance.values())).collect()
    }

    /// Adds a column for each parameter that can differ between lanes, by its name; none if all lanes
    /// are equal and stay so.
    pub fn columns(&self, lanes: usize, layout: &mut Layout) -> PortMap {
        let mut columns = PortMap::default();
        if self.own.is_empty() && !self.is_open {
            return columns;
        }
        for (place, param) in lanes::per_lane(self.shared.model()) {
            let value = |lane| match &self.of(lane).values()[place] {
                ParamValue::Number(number) => *number,
                _ => 0.0,
            };
            let column = layout.add_constant((0..lanes).map(value).collect());
            columns.extend(PortMap::one(param.key(), column));
        }
        columns
    }
}

/// The parameters of each lane, which begin again after the last one; empty if all lanes are equal.
pub(crate) type LaneValues = Arc<[Arc<[ParamValue]>]>;

/// Columns by the name of their port.
#[derive(Clone, Debug, Default)]
pub(crate) struct PortMap(BTreeMap<String, Column>, BTreeMap<String, ArrayColumns>);

impl PortMap {
    /// Creates the map of a table of host ports and their columns, in its order.
    pub fn of_host(ports: &[HostPort], columns: &[Column]) -> Self {
        let names = ports.iter().map(|port| port.name.to_owned());
        Self(names.zip(columns.iter().copied()).collect(), BTreeMap::new())
    }

    /// Creates a map with one port.
    pub fn one(name: &str, column: Column) -> Self {
        Self(BTreeMap::from([(name.to_owned(), column)]), BTreeMap::new())
    }

    /// Returns the column of a port.
    pub fn get(&self, name: &str) -> Option<Column> {
        self.0.get(name).copied()
    }

    /// Adds all ports of another map, which replace ports of the same name.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
        self.1.extend(other.1);
    }

    /// Returns all ports, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Column)> {
        self.0.iter().map(|(name, column)| (name.as_str(), *column))
    }

    /// Adds an input that is an array.
    pub fn insert_array(&mut self, name: &str, columns: ArrayColumns) {
        self.1.insert(name.to_owned(), columns);
    }

    pub(super) fn array(&self, name: &str) -> Option<ArrayColumns> {
        self.1.get(name).copied()
    }

    pub(super) fn insert(&mut self, name: &str, column: Column) {
        self.0.insert(name.to_owned(), column);
    }
}

/// A model cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The model rejected its parameters.
    #[error("{class} rejected its parameters: {text}")]
    Rejected {
        /// Full name of the class.
        class: String,
        /// Message of the model.
        text: String,
        /// Position of the element that selects the class.
        span: Span,
    },
    /// The model panicked while it was created.
    #[error("{class} panicked while it was created: {text}")]
    Panicked {
        /// Full name of the class.
        class: String,
        /// Message of the panic.
        text: String,
        /// Position of the element that selects the class.
        span: Span,
    },
    /// The model lacks something that its kind needs.
    #[error("{class} cannot be used: {text}")]
    Incomplete {
        /// Full name of the class.
        class: String,
        /// Description of the missing part.
        text: String,
        /// Position of the element that selects the class.
        span: Span,
    },
}

impl ModelError {
    /// Returns the position of the element that selects the class.
    pub fn span(&self) -> Span {
        match self {
            Self::Rejected { span, .. }
            | Self::Panicked { span, .. }
            | Self::Incomplete { span, .. } => *span,
        }
    }
}

/// Returns the error for a model that lacks something that its kind needs.
pub(crate) fn incomplete(class: &ModelRef, text: impl Into<String>, span: Span) -> ModelError {
    ModelError::Incomplete { class: class.full_name.to_string(), text: text.into(), span }
}

/// Creates the instance that a world file describes.
///
/// # Errors
/// [`ModelError`] if the model rejects its parameters or panics.
pub(crate) fn create_instance(wanted: &ModelUse) -> Result<Arc<Instance>, ModelError> {
    let created = Instance::new(&wanted.model, Arc::clone(&wanted.values));
    let instance = created.map_err(|fault| {
        let (class, span) = (wanted.model.full_name.to_string(), wanted.span);
        let text = fault.message();
        match fault.code {
            fault_code::PANIC => ModelError::Panicked { class, text, span },
            _ => ModelError::Rejected { class, text, span },
        }
    })?;
    match instance.defect() {
        Some(defect) => Err(incomplete(&wanted.model, defect, wanted.span)),
        None => Ok(Arc::new(instance)),
    }
}

/// Lets a dynamics class change the positions of its wheels. `span` is the position of the element that
/// selects the class.
///
/// # Errors
/// [`ModelError`] if the model rejects the wheels, or places one where none can be.
pub(crate) fn arrange(
    instance: &Instance,
    wheels: &mut [WheelGeometry],
    span: Span,
) -> Result<(), ModelError> {
    instance.arrange(wheels).map_err(|fault| {
        let class = instance.class().full_name.to_string();
        ModelError::Rejected { class, text: fault.message(), span }
    })?;
    match defect_of_wheels(wheels) {
        None => Ok(()),
        Some(defect) => Err(incomplete(instance.class(), defect, span)),
    }
}
