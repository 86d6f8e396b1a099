//! Instances of models under test.

use std::ops::Deref;

use simhost_abi::{Fault, Kind, Model, Phase, WheelGeometry, fault_code, model_flag};
use simhost_model::{ParamValue, View, initial_states};

use crate::draw::{self, RADIUS};
use crate::verdict::{Outcome, fail, fail_for};

/// An instance of a model under test.
pub(crate) struct Instance {
    instance: simhost_model::Instance,
    initial_states: Vec<f64>,
}

impl Deref for Instance {
    type Target = simhost_model::Instance;

    fn deref(&self) -> &Self::Target {
        &self.instance
    }
}

impl Instance {
    /// Creates an instance.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    pub fn new(model: &'static View<Model>, values: &[ParamValue]) -> Result<Self, Fault> {
        let instance = simhost_model::Instance::new(model, values)?;
        Ok(Self { instance, initial_states: initial_states(model, values) })
    }

    /// Returns the values of the state slots at the start of a run.
    pub fn initial_states(&self) -> &[f64] {
        &self.initial_states
    }

    /// Creates an instance of a model that has to accept its parameters.
    pub fn accepted(model: &'static View<Model>, values: &[ParamValue]) -> Outcome<Self> {
        Self::new(model, values).or_else(|fault| {
            let what = format!("`create` returned {}", describe(&fault));
            fail_for(what, draw::listed(model, values))
        })
    }

    /// Returns whether the model has a bit of [`model_flag`].
    pub fn has_flag(&self, flag: u32) -> bool {
        self.model().flags & flag != 0
    }

    pub fn kind(&self) -> Kind {
        kind(self.model())
    }

    /// Returns whether the model reads `Batch::streams`.
    pub fn draws(&self) -> bool {
        self.kind() == Kind::Sensor || self.has_flag(model_flag::RANDOM)
    }

    pub fn phases(&self) -> &'static [View<Phase>] {
        self.model().phases()
    }

    /// Returns the wheels of a vehicle where the model places them. An element that can be repeated
    /// is given four times.
    ///
    /// # Errors
    ///
    /// The fault of the model, with its code.
    pub fn arranged(&self) -> Result<Vec<WheelGeometry>, Fault> {
        let mut wheels = declared_wheels(self.model());
        self.arrange(&mut wheels).map(|()| wheels)
    }

    /// Returns the wheels like [`Self::arranged`], for a model that has to accept them.
    pub fn wheels(&self) -> Outcome<Vec<WheelGeometry>> {
        self.arranged().or_else(|fault| fail(format!("`arrange` returned {}", describe(&fault))))
    }
}

/// Returns whether a fault is a rejection with a message, which is a valid response to invalid
/// input.
pub(crate) fn refuses(fault: &Fault) -> bool {
    fault.code == fault_code::REFUSED && fault.text_len > 0
}

fn declared_wheels(model: &'static View<Model>) -> Vec<WheelGeometry> {
    const CORNERS: [(f64, f64); 4] = [(0.4, 0.3), (0.4, -0.3), (-0.4, 0.3), (-0.4, -0.3)];
    let declared = model.wheels();
    let mut wheels = Vec::new();
    for wheel in declared {
        let places = match wheel.flags & simhost_abi::wheel_flag::REPEATED {
            0 => vec![(wheel.x, wheel.y)],
            _ => CORNERS.to_vec(),
        };
        let placed = |(x, y)| WheelGeometry { x, y, yaw: 0.0, radius: RADIUS };
        wheels.extend(places.into_iter().map(placed));
    }
    wheels
}

/// Returns the kind of a model whose descriptor has been checked.
pub(crate) fn kind(model: &'static View<Model>) -> Kind {
    model.kind().expect("the descriptor was checked")
}

/// Describes a fault for a message.
pub(crate) fn describe(fault: &Fault) -> String {
    let code = match fault.code {
        fault_code::PANIC => "a panic".to_owned(),
        fault_code::NON_FINITE => "\"not finite\"".to_owned(),
        fault_code::STEP_TOO_LARGE => "\"step too large\"".to_owned(),
        fault_code::REFUSED => "a rejection".to_owned(),
        code => format!("the unknown fault {code}"),
    };
    format!("{code}: {}", fault.message())
}
