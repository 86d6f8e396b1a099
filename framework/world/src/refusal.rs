//! What only a model knows about its parameters: it is made once on trial while the world is read.

use simhost_abi::fault_code;

use crate::reader::Reader;
use crate::sources::Span;
use simhost_model::{Instance, ModelRef, ParamValue};

impl Reader<'_> {
    /// Reports what a model has against its parameters. A panic is left to the simulation, which
    /// blames the plugin and not the world.
    pub(crate) fn ask(&mut self, model: &ModelRef, values: &[ParamValue], span: Span) {
        match Instance::new(model.model, values) {
            Ok(_) => {}
            Err(fault) if fault.code == fault_code::PANIC => {}
            Err(fault) => {
                let message = format!("{} refuses its parameters", model.full_name);
                let help = format!("help: `simhost plugin doc {}` explains them", model.id());
                self.error(span, message, fault.message(), vec![help]);
            }
        }
    }
}
