//! A model that was made, and tables that it has.

use std::ffi::c_void;

use simhost_abi::{Fault, Kind, Model, Phase, Str, WheelGeometry, fault_code, model_flag};
use simhost_model::{ParamValue, View};

use crate::verdict::{Outcome, fail, fail_for};

/// A model that was made.
pub(crate) struct Made {
    pub model: &'static View<Model>,
    pub handle: *mut c_void,
}

// SAFETY: the boundary promises that calls may come from any thread.
unsafe impl Send for Made {}
// SAFETY: as above; the handle is immutable between `create` and `destroy`.
unsafe impl Sync for Made {}

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: the handle came from `create` and nothing uses it after this.
        unsafe { (self.model.destroy)(self.handle) }
    }
}

impl Made {
    /// Makes a model.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    pub fn new(model: &'static View<Model>, values: &[ParamValue]) -> Result<Self, Fault> {
        let mut handle = std::ptr::null_mut();
        let mut fault = Fault::NONE;
        let code = ParamValue::with_abi(values, |values| {
            // SAFETY: the values live during the call; handle and fault are ours.
            unsafe { (model.create)(values, &raw mut handle, &raw mut fault) }
        });
        match code {
            fault_code::NONE => Ok(Self { model, handle }),
            code => Err(Fault { code, ..fault }),
        }
    }

    /// Makes a model that must not refuse.
    pub fn willing(model: &'static View<Model>, values: &[ParamValue]) -> Outcome<Self> {
        Self::new(model, values).or_else(|fault| {
            let what = format!("`create` answered {}", told(&fault));
            fail_for(what, crate::draw::listed(model, values))
        })
    }

    /// A table by its id, or null.
    pub fn ability(&self, id: &str) -> *const c_void {
        // SAFETY: the id lives during the call.
        self.model.ability.map_or(std::ptr::null(), |ask| unsafe { ask(Str::borrowed(id)) })
    }

    pub fn says(&self, flag: u32) -> bool {
        self.model.flags & flag != 0
    }

    pub fn kind(&self) -> Kind {
        kind(self.model)
    }

    /// Whether it reads `Batch::streams`.
    pub fn draws(&self) -> bool {
        self.kind() == Kind::Sensor || self.says(model_flag::RANDOM)
    }

    pub fn phases(&self) -> &'static [View<Phase>] {
        self.model.phases()
    }

    /// Number of rays of a sensor.
    pub fn rays(&self) -> usize {
        // SAFETY: the handle is the model's.
        self.model.capacity.map_or(0, |capacity| unsafe { capacity(self.handle) })
    }

    /// The wheels of a vehicle as the model places them. A tag that may be repeated is given four
    /// times.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    pub fn arranged(&self) -> Result<Vec<WheelGeometry>, Fault> {
        let mut wheels = declared_wheels(self.model);
        let Some(arrange) = self.model.arrange else { return Ok(wheels) };
        let mut fault = Fault::NONE;
        // SAFETY: the wheels are ours for the call.
        let code =
            unsafe { arrange(self.handle, wheels.as_mut_ptr(), wheels.len(), &raw mut fault) };
        if code == fault_code::NONE { Ok(wheels) } else { Err(Fault { code, ..fault }) }
    }

    /// As [`Self::arranged`]; the model must not refuse.
    pub fn wheels(&self) -> Outcome<Vec<WheelGeometry>> {
        self.arranged().or_else(|fault| fail(format!("`arrange` answered {}", told(&fault))))
    }
}

/// Whether a fault is a refusal with a text, which is a fine answer to what makes no sense.
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

/// Rolling radius of a wheel in a test, m.
pub(crate) const RADIUS: f64 = 0.2;

/// The kind of a model whose descriptor was checked.
pub(crate) fn kind(model: &'static View<Model>) -> Kind {
    model.kind().expect("the descriptor was checked")
}

/// A fault as it is told.
pub(crate) fn told(fault: &Fault) -> String {
    let code = match fault.code {
        fault_code::PANIC => "a panic".to_owned(),
        fault_code::NON_FINITE => "\"not finite\"".to_owned(),
        fault_code::STEP_TOO_LARGE => "\"the step is too large\"".to_owned(),
        fault_code::REFUSED => "a refusal".to_owned(),
        code => format!("the fault {code}, which the boundary does not know"),
    };
    format!("{code}: {}", fault.message())
}
