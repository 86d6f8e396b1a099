//! Modules that behave and modules that do not, as texts. Each has the descriptor of a friction model of simhost and functions
//! that do what a test needs.

mod calls;
mod hostile;
mod image;
mod refusals;

use std::sync::Arc;

use simhost_abi::{Fault, fault_code};
use simhost_model::{Instance, ModelRef, ModelRig, ParamValue, RigShape, View};
use simhost_registry::{ModuleLoader, Refusal};

use crate::Sandbox;
use crate::engine_wasmtime::ENGINE;
use image::Image;

/// The functions that every module exports, without those that a test replaces.
const FUNCTIONS: [(&str, &str); 13] = [
    ("simhost_services", "(result i32) i32.const 0"),
    (
        "simhost_create",
        "(param i32 i32 i32 i32 i32) (result i32) (i32.store (local.get 3) (i32.const 77)) i32.const 0",
    ),
    ("simhost_arrange", "(param i32 i32 i32 i32 i32) (result i32) i32.const 0"),
    ("simhost_capacity", "(param i32 i32) (result i32) i32.const 0"),
    ("simhost_ability", "(param i32 i32 i32) (result i32) i32.const 0"),
    ("simhost_call", "(param i32 i32 i32 i32) (result i32) i32.const 0"),
    ("simhost_memory_create", "(param i32 i32 i32 i32) (result i32) i32.const 0"),
    ("simhost_memory_destroy", "(param i32 i32)"),
    ("simhost_memory_save", "(param i32 i32 i32) (result i32) i32.const 0"),
    ("simhost_memory_load", "(param i32 i32 i32 i32 i32 i32 i32) (result i32) i32.const 0"),
    ("simhost_migrate", "(param i32 i32 i32 i32 i32 i32 i32 i32) (result i32) i32.const 0"),
    ("simhost_is_spatial", "(param i32 i32) (result i32) i32.const 0"),
    ("simhost_warnings", "(param i32 i32 i32 i32)"),
];

/// Returns a module with this image of a descriptor. `changed` replaces functions by their names, or removes them where the
/// text is empty, and `more` is added.
fn module(image: &Image, changed: &[(&str, &str)], more: &str) -> Vec<u8> {
    let functions = FUNCTIONS.iter().chain(&[("simhost_images", "(param i32 i32)")]);
    let functions = functions.filter_map(|(name, usual)| {
        let text = changed.iter().find(|(other, _)| other == name).map_or(*usual, |(_, text)| text);
        (!text.is_empty()).then(|| format!("(func (export \"{name}\") {text})\n"))
    });
    let functions: String = functions.collect();
    let data: String = image.bytes().iter().map(|byte| format!("\\{byte:02x}")).collect();
    let text = format!(
        "(module {more} (memory (export \"memory\") 4) (global (export \"simhost_plugin_v1\") i32 (i32.const {})) \
         (data (i32.const {}) \"{data}\") {functions})",
        image.plugin(),
        Image::BASE,
    );
    wat::parse_str(&text).unwrap()
}

/// Loads a module and returns its first model.
fn load(bytes: &[u8]) -> Result<ModelRef, Refusal> {
    let plugin = Sandbox(&ENGINE).load(bytes)?;
    // SAFETY: the loader has checked it.
    let model = unsafe { View::new(plugin) }.models().next().unwrap();
    Ok(ModelRef { model, full_name: "simhost/test".into(), source: "a test".into() })
}

/// Returns the instance of a module's model, whose parameters are all zero, with columns for some lanes.
fn rig(bytes: &[u8], lanes: usize) -> Result<ModelRig, Fault> {
    let class = load(bytes).unwrap();
    let values = vec![ParamValue::Number(0.0); class.model.params().len()];
    let instance = Arc::new(Instance::new(&class, values)?);
    let shape = RigShape { lanes, wheels: 1, rays: 0, capacity: 0 };
    let mut rig = ModelRig::new(&instance, &ModelRig::labels(&class), shape)?;
    for (index, column) in rig.phases[0].inputs.iter_mut().enumerate() {
        for (lane, value) in column.iter_mut().enumerate() {
            *value = (100 * lane + index) as f64;
        }
    }
    Ok(rig)
}

/// Returns the rig of a module that creates instances.
fn ready(bytes: &[u8], lanes: usize) -> ModelRig {
    rig(bytes, lanes).map_err(|fault| fault.message()).unwrap()
}

/// Calls the phase of a rig for all lanes at 1.5 s with a step of 0.25 s, and returns the fault.
fn call(rig: &mut ModelRig) -> Option<Fault> {
    let lanes = rig.shape.lanes;
    rig.call(0, 0..lanes, [1.5, 0.25]).err()
}

/// Returns the text of a fault, whose code is `PANIC`.
fn panic(fault: Option<Fault>) -> String {
    let fault = fault.unwrap();
    assert_eq!(fault.code, fault_code::PANIC);
    fault.message()
}
