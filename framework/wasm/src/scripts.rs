//! Models in scripts of the page.
//!
//! The page runs a script and declares its model as data: `web/src/tab/scripts.ts`. It puts the declaration into the folder of
//! models, as a file that begins with [`MAGIC`] and has the number of the script. A call of a phase calls the page once per
//! lane, with the numbers of the lane.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value as Json, json};
use simhost_abi::host::batch_rows;
use simhost_abi::{
    Batch, CallFn, Fault, INTERPRETED_ABILITY, Plugin, Scope, Slice, Str, Value, WheelGeometry,
    fault_code, value_tag,
};
use simhost_model::{NumberedFunctions, NumberedModels};
use simhost_registry::{
    DeclaredFunctions, DeclaredPorts, LinkedModuleLoader, ModelDeclaration, ModuleLoader,
    PhaseShape, PortRow, Refusal,
};

use crate::models::{say, text};

/// Functions of the page. Those that can fail return a negative number, and the reason is the text.
mod page {
    #[link(wasm_import_module = "simhost_models")]
    unsafe extern "C" {
        /// Creates an instance with values of parameters in JSON, and returns its number.
        pub fn script_create(script: u32, values: *const u8, length: usize) -> i32;
        /// Forgets an instance.
        pub fn script_drop(instance: u32);
        /// Calls a phase for one lane: with the time, the step, the number of wheels, and the inputs and states, each after its
        /// length. Writes the outputs and states.
        pub fn script_call(
            instance: u32,
            phase: usize,
            given: *const f64,
            results: *mut f64,
        ) -> i32;
        /// Places wheels: x, y, yaw and radius of each.
        pub fn script_arrange(instance: u32, wheels: *mut f64, count: usize) -> i32;
        /// Takes the reason why the model of a script is refused, which is the text of the simulator.
        pub fn script_refused(script: u32);
    }
}

/// The beginning of a file with the declaration of a script.
const MAGIC: &[u8] = b"{\"script\":";

/// A class whose model is a script.
struct ScriptClass {
    script: u32,
    phases: Vec<PhaseShape>,
    /// Scopes of the states.
    states: Vec<Scope>,
}

/// An instance of the page.
struct ScriptInstance {
    class: &'static ScriptClass,
    number: u32,
}

/// All classes, by their numbers. They are never removed: the page starts another worker for other scripts.
static CLASSES: Mutex<Vec<&'static ScriptClass>> = Mutex::new(Vec::new());
/// Plugins by their files.
static LOADED: Mutex<BTreeMap<Vec<u8>, &'static Plugin>> = Mutex::new(BTreeMap::new());

/// Loads declarations of scripts.
struct ScriptLoader;

simhost_sdk::inventory::submit! { LinkedModuleLoader(&ScriptLoader) }

impl ModuleLoader for ScriptLoader {
    fn load(&self, bytes: &[u8]) -> Result<&'static Plugin, Refusal> {
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = loaded.get(bytes) {
            return Ok(known);
        }
        let file: Json = serde_json::from_slice(bytes)
            .map_err(|error| Refusal::Descriptor(error.to_string()))?;
        let script = file["script"].as_u64().unwrap_or_default() as u32;
        let plugin = plugin(script, &file["declaration"]).map_err(|reason| {
            say(reason.clone());
            // SAFETY: the page reads the text during the call.
            unsafe { page::script_refused(script) };
            Refusal::Descriptor(reason)
        })?;
        loaded.insert(bytes.to_vec(), plugin);
        Ok(plugin)
    }

    fn suffix(&self) -> &'static str {
        ".js"
    }

    fn magic(&self) -> &'static [u8] {
        MAGIC
    }
}

/// Makes the plugin of a script.
fn plugin(script: u32, declaration: &Json) -> Result<&'static Plugin, String> {
    let declared = ModelDeclaration::from_value(declaration)?;
    let mut classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let (create, ability) = ScriptFunctions::get(classes.len())
        .ok_or_else(|| format!("there are {} scripts, expected fewer", ScriptFunctions::COUNT))?;
    let class = ScriptClass { script, phases: declared.shapes(), states: declared.state_scopes() };
    let functions =
        DeclaredFunctions { create, destroy, calls: &CALLS, arrange, capacity, ability };
    let plugin = declared.plugin(&functions)?;
    simhost_registry::descriptor::check(plugin)?;
    classes.push(Box::leak(Box::new(class)));
    Ok(plugin)
}

/// Models of scripts, by their numbers.
struct ScriptModels;

/// Functions of classes by their numbers.
type ScriptFunctions = NumberedFunctions<ScriptModels>;

impl NumberedModels for ScriptModels {
    unsafe fn create(
        number: usize,
        values: Slice<Value>,
        handle: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        let class = CLASSES.lock().unwrap_or_else(PoisonError::into_inner)[number];
        // SAFETY: the host passes values that live during the call.
        let values: Vec<Json> = unsafe { values.as_slice() }.iter().map(parameter).collect();
        let values = Json::Array(values).to_string();
        // SAFETY: the page reads the values during the call.
        let made = unsafe { page::script_create(class.script, values.as_ptr(), values.len()) };
        let made = checked(made).map(|number| {
            let made = Box::new(ScriptInstance { class, number: number as u32 });
            // SAFETY: the host passes a place for the handle.
            unsafe { handle.write(Box::into_raw(made).cast()) };
        });
        // SAFETY: the host passes a place for the fault.
        unsafe { settle(made, 0, fault) }
    }

    unsafe fn ability(_: usize, id: Str) -> *const c_void {
        // SAFETY: the host keeps the text alive during the call.
        match unsafe { id.as_str() } {
            // any address is an answer
            INTERPRETED_ABILITY => ptr::from_ref(&MAGIC).cast(),
            _ => ptr::null(),
        }
    }
}

/// Returns the value of a parameter.
fn parameter(value: &Value) -> Json {
    // SAFETY: the host passes valid values during the call of `create`.
    let (text, items) = unsafe { (value.text.as_str(), value.items.as_slice()) };
    match value.tag {
        value_tag::NONE => Json::Null,
        value_tag::BOOL => json!(value.number != 0.0),
        value_tag::TEXT => json!(text),
        value_tag::ITEMS => items.iter().map(parameter).collect(),
        _ => json!(value.number),
    }
}

/// Functions of the phases by their index.
static CALLS: [CallFn; 4] = [call::<0>, call::<1>, call::<2>, call::<3>];

unsafe extern "C" fn call<const PHASE: usize>(
    handle: *const c_void,
    batch: *const Batch,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create` and a batch that are valid during the call.
    let (instance, batch) = unsafe { (&*handle.cast::<ScriptInstance>(), &*batch) };
    let ScriptClass { phases, states, .. } = instance.class;
    let PhaseShape { inputs, outputs, .. } = &phases[PHASE];
    let (mut given, mut results) = (Vec::new(), Vec::new());
    for lane in batch.first..batch.first + batch.count {
        let own = Batch { first: lane, count: 1, ..*batch };
        let length = |scopes: &[Scope]| -> usize {
            let values = |scope| batch_rows(&own, scope).map(|row| row.len()).sum::<usize>();
            scopes.iter().map(|scope| values(*scope)).sum()
        };
        given.clear();
        given.extend([batch.time, batch.dt, f64::from(batch.wheels)]);
        results.resize(length(outputs) + length(states), 0.0);
        // SAFETY: the host passes as many columns as the descriptor declares; the page reads and writes during the call.
        let called = unsafe {
            gather(&own, batch.inputs, inputs, &mut given);
            gather(&own, batch.states.cast(), states, &mut given);
            let (from, to) = (given.as_ptr(), results.as_mut_ptr());
            checked(page::script_call(instance.number, PHASE, from, to))
        };
        if let Err(reason) = called {
            // SAFETY: the host passes a place for the fault.
            return unsafe { settle(Err::<(), _>(reason), lane, fault) };
        }
        let (first, second) = results.split_at(length(outputs));
        // SAFETY: as above.
        unsafe {
            scatter(&own, batch.outputs, outputs, first);
            scatter(&own, batch.states, states, second);
        }
    }
    fault_code::NONE
}

/// Appends the values of a lane: for each column their number and the values. A missing column has the number -1, and a
/// reading of a sensor its age before the values.
///
/// # Safety
/// `columns` has a column for each scope, with the lane of the batch.
unsafe fn gather(batch: &Batch, columns: *const *const f64, scopes: &[Scope], to: &mut Vec<f64>) {
    for (index, scope) in scopes.iter().enumerate() {
        // SAFETY: promised by the caller.
        let column = unsafe { *columns.add(index) };
        if column.is_null() {
            to.push(-1.0);
            continue;
        }
        if *scope == Scope::Array {
            // SAFETY: a phase with such an input has an entry for each of its inputs; a lane has at most as many values as
            // the capacity.
            unsafe {
                let port = &*batch.arrays.add(index);
                let count = (*port.counts.add(batch.first) as usize).min(port.capacity);
                to.extend([count as f64, *port.ages.add(batch.first)]);
                let values = column.add(batch.first * port.stride);
                to.extend_from_slice(std::slice::from_raw_parts(values, count));
            }
            continue;
        }
        let rows = batch_rows(batch, *scope);
        to.push(rows.len() as f64);
        for row in rows {
            // SAFETY: promised by the caller.
            to.extend_from_slice(unsafe {
                std::slice::from_raw_parts(column.add(row.start), row.len())
            });
        }
    }
}

/// Copies the values of a lane to its columns.
///
/// # Safety
/// As for [`gather`]; `from` has the values of all columns.
unsafe fn scatter(batch: &Batch, columns: *const *mut f64, scopes: &[Scope], mut from: &[f64]) {
    for (index, scope) in scopes.iter().enumerate() {
        for row in batch_rows(batch, *scope) {
            let (values, rest) = from.split_at(row.len());
            from = rest;
            // SAFETY: promised by the caller.
            unsafe {
                let column = *columns.add(index);
                ptr::copy_nonoverlapping(values.as_ptr(), column.add(row.start), values.len());
            }
        }
    }
}

unsafe extern "C" fn destroy(handle: *mut c_void) {
    // SAFETY: `create` has made the handle, and the host destroys it once.
    let instance = unsafe { Box::from_raw(handle.cast::<ScriptInstance>()) };
    // SAFETY: the instance is not used again.
    unsafe { page::script_drop(instance.number) };
}

unsafe extern "C" fn capacity(_: *const c_void) -> usize {
    0
}

unsafe extern "C" fn arrange(
    handle: *const c_void,
    wheels: *mut WheelGeometry,
    count: usize,
    fault: *mut Fault,
) -> u32 {
    if count == 0 {
        return fault_code::NONE;
    }
    // SAFETY: `create` has made the handle, and the host passes this number of wheels.
    let (instance, wheels) = unsafe {
        (&*handle.cast::<ScriptInstance>(), std::slice::from_raw_parts_mut(wheels, count))
    };
    let given = wheels.iter().flat_map(|wheel| [wheel.x, wheel.y, wheel.yaw, wheel.radius]);
    let mut given: Vec<f64> = given.collect();
    // SAFETY: the page reads and writes the places during the call.
    let placed =
        checked(unsafe { page::script_arrange(instance.number, given.as_mut_ptr(), count) });
    let placed = placed.map(|_| {
        for (wheel, place) in wheels.iter_mut().zip(given.chunks_exact(4)) {
            *wheel = WheelGeometry { x: place[0], y: place[1], yaw: place[2], radius: place[3] };
        }
    });
    // SAFETY: the host passes a place for the fault.
    unsafe { settle(placed, 0, fault) }
}

/// Returns a number of the page, or the text if it is negative.
fn checked(status: i32) -> Result<i32, String> {
    if status < 0 { Err(text()) } else { Ok(status) }
}

/// Returns the code of a call, and writes its fault.
///
/// # Safety
/// `to` is null or a place for a fault.
unsafe fn settle<T>(outcome: Result<T, String>, lane: usize, to: *mut Fault) -> u32 {
    let Err(reason) = outcome else { return fault_code::NONE };
    // a script that throws has failed like any program that reports an error; it has not panicked
    let code = fault_code::REFUSED;
    if !to.is_null() {
        // SAFETY: promised by the caller.
        unsafe { to.write(Fault { lane: lane as u64, ..Fault::new(code, &reason) }) };
    }
    code
}

/// Makes the text of the quantities of the host for phases, in JSON by the names of the phases.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_script_ports() {
    let phases =
        ["force", "drive", "wrench", "motion", "measure", "control", "actuate", "kinematics"];
    let rows = |rows: &[PortRow]| -> Json {
        let row =
            |(name, unit, doc, default, scope): &PortRow| json!([name, unit, doc, default, scope]);
        rows.iter().map(row).collect()
    };
    let described = phases.map(|phase| {
        let DeclaredPorts { inputs, needed_inputs, outputs, needed_outputs } =
            DeclaredPorts::of(phase);
        let ports = json!([rows(&inputs), needed_inputs, rows(&outputs), needed_outputs]);
        (phase.to_owned(), ports)
    });
    say(Json::Object(described.into_iter().collect()).to_string());
}
