//! What only a model knows about its parameters: it is made once on trial while the world is read.

use simhost_abi::{Fault, fault_code};

use crate::reader::Reader;
use crate::sources::Span;
use simhost_model::ModelRef;
use simhost_model::ParamValue;

impl Reader<'_> {
    /// Reports what a model has against its parameters. A panic is left to the simulation, which
    /// blames the plugin and not the world.
    pub(crate) fn ask(&mut self, model: &ModelRef, values: &[ParamValue], span: Span) {
        let mut handle = std::ptr::null_mut();
        let mut fault = Fault::NONE;
        let code = ParamValue::with_abi(values, |values| {
            // SAFETY: the values are those that the descriptor declares and live during the call;
            // handle and fault are ours.
            unsafe { (model.model.create)(values, &raw mut handle, &raw mut fault) }
        });
        match code {
            // SAFETY: the handle came from `create` and is not used again.
            fault_code::NONE => unsafe { (model.model.destroy)(handle) },
            fault_code::PANIC => {}
            _ => {
                let message = format!("{} refuses its parameters", model.full_name);
                let help = format!("help: `simhost plugin doc {}` explains them", model.id());
                self.error(span, message, fault.message(), vec![help]);
            }
        }
    }
}
