//! Guarded calls of phases, for everything that runs models.

use std::cell::UnsafeCell;
use std::ops::Range;
use std::sync::Arc;

use simhost_abi::host::{Binding, Circumstances, LaneShape, PhaseColumns};
use simhost_abi::{Fault, Phase, fault_code, model_flag};

use crate::breadcrumb::{self, CallLabel, LabelHandle};
use crate::instance::Instance;
use crate::view::View;

thread_local! {
    /// Fault of the call that a thread is making. It is large, and only a call that fails changes it.
    static FAULT: UnsafeCell<Fault> = const { UnsafeCell::new(Fault::NONE) };
}

/// A phase of an instance that is bound to columns. Each call leaves a [breadcrumb] while it lasts, and its
/// changes of the floating-point control state are undone.
pub struct PhaseCall {
    instance: Arc<Instance>,
    label: LabelHandle,
    binding: Binding,
    is_time_invariant: bool,
}

// SAFETY: the creator promises that nothing else accesses the columns of the lanes of a call, and the
// boundary lets threads share a handle.
unsafe impl Send for PhaseCall {}
// SAFETY: as above.
unsafe impl Sync for PhaseCall {}

impl PhaseCall {
    /// Binds a phase of an instance to columns. `label` describes its calls.
    ///
    /// # Safety
    /// During each call, the columns live, are those that the phase declares, hold the lanes of the call,
    /// and nothing else accesses their values of these lanes.
    pub unsafe fn new(
        instance: &Arc<Instance>,
        phase: &'static View<Phase>,
        label: LabelHandle,
        shape: LaneShape,
        columns: PhaseColumns,
    ) -> Self {
        let binding = Binding::new(phase, instance.handle(), shape, columns);
        let is_time_invariant = instance.has_flag(model_flag::TIME_INVARIANT);
        Self { instance: Arc::clone(instance), label, binding, is_time_invariant }
    }

    /// Returns the same call on other columns.
    ///
    /// # Safety
    /// As for [`Self::new`].
    pub unsafe fn on(&self, phase: &'static View<Phase>, columns: PhaseColumns) -> Self {
        let binding = Binding::new(phase, self.instance.handle(), self.shape(), columns);
        let (instance, label) = (Arc::clone(&self.instance), self.label.clone());
        Self { instance, label, binding, is_time_invariant: self.is_time_invariant }
    }

    /// Returns the call with the time for a model that declares not to need it.
    pub fn telling_time(self) -> Self {
        Self { is_time_invariant: false, ..self }
    }

    /// Returns the instance.
    pub const fn instance(&self) -> &Arc<Instance> {
        &self.instance
    }

    /// Returns the description of the calls.
    pub fn label(&self) -> &CallLabel {
        &self.label
    }

    /// Returns the sizes that all lanes share.
    pub const fn shape(&self) -> LaneShape {
        self.binding.shape()
    }

    /// Calls the phase for some lanes. A time-invariant model gets no time.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    ///
    /// # Safety
    /// The streams and memories of `at` are null or hold these lanes.
    #[inline]
    pub unsafe fn run(&self, lanes: Range<usize>, at: &Circumstances<'_>) -> Result<(), Fault> {
        FAULT.with(|fault| {
            let fault = fault.get();
            let told = if self.is_time_invariant { f64::NAN } else { at.time };
            let told = Circumstances { time: told, ..*at };
            // SAFETY: promised by the creator and by the caller. Nothing else uses the fault of this thread
            // during the call, because models do not call models.
            let call = || unsafe { self.binding.call(&lanes, &told, fault) };
            let code = breadcrumb::leave(&self.label, lanes.start, lanes.len(), at.time, call);
            if code == fault_code::NONE {
                return Ok(());
            }
            // SAFETY: the call has ended, and the fault is initialized at all times.
            let fault = unsafe { std::mem::replace(&mut *fault, Fault::NONE) };
            Err(Fault { code, ..fault })
        })
    }
}
