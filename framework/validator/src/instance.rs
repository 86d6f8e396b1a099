//! Instances of models under test.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use simhost_abi::{Fault, Kind, Model, Phase, Scope, WheelGeometry, fault_code, model_flag};
use simhost_model::breadcrumb::LabelHandle;
use simhost_model::{ModelRef, ModelRig, ParamValue, View, defect_of_wheels};

use crate::draw;
use crate::draw::RADIUS;

/// An instance of a model under test.
pub(crate) struct Instance {
    instance: Arc<simhost_model::Instance>,
    /// Descriptions of the phases.
    labels: Arc<[LabelHandle]>,
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
    pub fn new(class: &ModelRef, values: &[ParamValue]) -> Result<Self, Fault> {
        let instance = Arc::new(simhost_model::Instance::new(class, values)?);
        Ok(Self { instance, labels: ModelRig::labels(class).into() })
    }

    /// Creates an instance of a model that has to accept its parameters.
    pub fn accepted(class: &ModelRef, values: &[ParamValue]) -> Outcome<Self> {
        let instance = Self::new(class, values).or_else(|fault| {
            let what = format!("`create` returned {}", describe(&fault));
            fail_for(what, draw::listed(class.model, values))
        })?;
        match instance.defect() {
            None => Ok(instance),
            Some(defect) => fail_for(defect, draw::listed(class.model, values)),
        }
    }

    /// Returns the instance without the parts that only tests need.
    pub fn inner(&self) -> &Arc<simhost_model::Instance> {
        &self.instance
    }

    pub fn kind(&self) -> Kind {
        kind(self.model())
    }

    /// Returns whether the model reads measurements of a vehicle that it may not fit, and has no other call in which
    /// to reject it than a step.
    pub fn knows_vehicle(&self) -> bool {
        matches!(self.kind(), Kind::Actuator | Kind::Controller)
    }

    /// Returns whether lanes depend on each other, so that all are in one call.
    pub fn is_whole(&self) -> bool {
        self.kind() == Kind::Fleet || self.has_flag(model_flag::WHOLE_BATCH)
    }

    /// Returns whether the model reads `Batch::streams`.
    pub fn draws(&self) -> bool {
        self.kind() == Kind::Sensor || self.has_flag(model_flag::RANDOM)
    }

    /// Returns whether all lanes have the state of the whole world, which is kept in lane 0.
    pub fn shares_state(&self) -> bool {
        self.kind() == Kind::Environment
    }

    /// Returns how many of `lanes` lanes a phase has: the phases of an environment without points have
    /// one, for the whole world.
    pub fn lanes_of(&self, phase: &'static View<Phase>, lanes: usize) -> usize {
        if self.shares_state() && matches!(phase.id(), "update" | "gravity") { 1 } else { lanes }
    }

    /// Returns the descriptions of the phases, in their order.
    pub fn labels(&self) -> &[LabelHandle] {
        &self.labels
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
        if kind(self.model()) != Kind::Dynamics {
            return Ok(wheels_of_others(self.model()));
        }
        let mut wheels = declared_wheels(self.model());
        self.arrange(&mut wheels).map(|()| wheels)
    }

    /// Returns the wheels like [`Self::arranged`], for a model that has to accept them.
    pub fn wheels(&self) -> Outcome<Vec<WheelGeometry>> {
        let wheels = self
            .arranged()
            .or_else(|fault| fail(format!("`arrange` returned {}", describe(&fault))))?;
        defect_of_wheels(&wheels).map_or(Ok(wheels), fail)
    }
}

/// Returns whether a fault is a rejection with a message, which is a valid response to invalid
/// input.
pub(crate) fn refuses(fault: &Fault) -> bool {
    fault.code == fault_code::REFUSED && fault.text_len > 0
}

/// Positions of wheels that no dynamics class declares, m.
const CORNERS: [(f64, f64); 4] = [(0.4, 0.3), (0.4, -0.3), (-0.4, 0.3), (-0.4, -0.3)];

/// Returns the wheels of a vehicle for a controller or sensor that reads them: four, or none.
fn wheels_of_others(model: &'static View<Model>) -> Vec<WheelGeometry> {
    let ports =
        model.phases().iter().flat_map(|phase| phase.inputs().iter().chain(phase.outputs()));
    let is_per_wheel = ports.map(|port| port.scope).any(|scope| scope == Scope::Wheel as u32);
    let corners = if is_per_wheel { &CORNERS[..] } else { &[] };
    corners.iter().map(|(x, y)| WheelGeometry { x: *x, y: *y, yaw: 0.0, radius: RADIUS }).collect()
}

fn declared_wheels(model: &'static View<Model>) -> Vec<WheelGeometry> {
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

/// The result of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub enum Verdict {
    /// The test passed.
    Pass,
    /// The test does not apply or cannot run here.
    Skip {
        /// Reason.
        reason: String,
    },
    /// The test failed.
    Fail(Failure),
}

/// A problem of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The finding, and what was expected.
    pub what: String,
    /// Input of the model.
    pub input: Option<String>,
    /// Seed of the random case.
    pub seed: Option<u64>,
    /// Whether the model ended the process of the test or did not respond.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ended: bool,
    /// Whether the model was not tested, because a required parameter is missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lacks: bool,
}

/// The reason why a test ends without passing.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    Skip(String),
    Fail(Failure),
    /// The model rejects the vehicle.
    Unsuited(Failure),
}

/// The return type of a test.
pub(super) type Outcome<T = ()> = Result<T, Stop>;

/// Ends a test that does not apply.
pub(super) fn skip<T>(reason: impl Into<String>) -> Outcome<T> {
    Err(Stop::Skip(reason.into()))
}

/// Ends a test with a failure.
pub(super) fn fail<T>(what: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(Failure { what: what.into(), ..Failure::default() }))
}

/// Ends a test with a failure for this input.
pub(super) fn fail_for<T>(what: impl Into<String>, input: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(Failure { what: what.into(), input: Some(input.into()), ..Failure::default() }))
}

/// Adds the seed of the random case to a failure.
pub(super) fn of_seed<T>(seed: u64, outcome: Outcome<T>) -> Outcome<T> {
    outcome.map_err(|stop| match stop {
        Stop::Fail(failure) => Stop::Fail(Failure { seed: Some(seed), ..failure }),
        other => other,
    })
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Ok(()) => Self::Pass,
            Err(Stop::Skip(reason)) => Self::Skip { reason },
            Err(Stop::Fail(failure) | Stop::Unsuited(failure)) => Self::Fail(failure),
        }
    }
}
