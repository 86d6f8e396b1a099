//! The functions of the boundary for models from FMUs: creation, and phases.

use std::ffi::c_void;
use std::sync::Arc;

use simhost_abi::{Batch, CallFn, Fault, Slice, Value, WheelGeometry, fault_code, value_tag};
use simhost_model::PortMap;

use crate::description::{Start, Variable};
use crate::lane::{Advance, Memory};
use crate::ports::{Act, Element, PhaseShape, Port};
use crate::table::{self, Imported};

/// A model with the values of its parameters.
pub(crate) struct Handle {
    pub imported: Arc<Imported>,
    /// Values of variables before the start.
    pub values: Vec<(usize, Start)>,
}

/// Functions of the phases.
pub(crate) const CALLS: [CallFn; 4] = [call::<0>, call::<1>, call::<2>, call::<3>];

/// Creates a model of a kind. The first parameter is the file, the second one the maps, if there are any.
pub(crate) unsafe extern "C" fn create<const KIND: u32>(
    values: Slice<Value>,
    handle: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes valid values during the call.
    let made = unsafe { find(KIND, values.as_slice()) };
    let outcome = made.map(|made| {
        // SAFETY: the host passes a place for the handle.
        unsafe { handle.write(Box::into_raw(Box::new(made)).cast()) };
    });
    // SAFETY: the host passes a place for the fault.
    unsafe { settle(outcome, fault) }
}

/// # Safety
/// The values are valid.
unsafe fn find(kind: u32, values: &[Value]) -> Result<Handle, String> {
    let [file, own @ ..] = values else { return Err("the file is missing".to_owned()) };
    let (maps, own) = match own {
        // parameters of FMUs are not lists
        [maps, own @ ..] if maps.tag == value_tag::ITEMS => (Some(maps), own),
        own => (None, own),
    };
    // SAFETY: promised by the caller.
    let (file, maps) =
        unsafe { (file.text.as_str(), maps.map_or(Vec::new(), |one| port_maps(one))) };
    let imported = table::lock().model(kind, file, &maps);
    let imported =
        imported.ok_or_else(|| format!("{file} has not been imported with these maps"))?;
    let given = imported.parameters.iter().copied().zip(own);
    let values = given.filter_map(|(variable, value)| {
        let start = match value.tag {
            value_tag::NUMBER | value_tag::BOOL => Start::Number(value.number),
            // SAFETY: as above.
            value_tag::TEXT => Start::Text(unsafe { value.text.as_str() }.to_owned()),
            _ => return None,
        };
        // the FMU has its own value at the start
        let is_set = imported.fmu.description.variables[variable].start.as_ref() != Some(&start);
        is_set.then_some((variable, start))
    });
    let values = values.collect();
    Ok(Handle { imported, values })
}

/// # Safety
/// The value is valid.
unsafe fn port_maps(maps: &Value) -> Vec<PortMap> {
    // SAFETY: promised by the caller.
    let maps = unsafe { maps.items.as_slice() };
    let maps = maps.iter().map(|map| {
        // SAFETY: as above; each map has four values.
        let [port, variable, scale, unit] = (unsafe { map.items.as_slice() }) else { return None };
        // SAFETY: as above.
        let [port, variable, given] =
            [port, variable, unit].map(|one| unsafe { one.text.as_str() }.to_owned());
        let unit = (unit.tag == value_tag::TEXT).then_some(given);
        Some(PortMap { port, variable, scale: scale.number, unit })
    });
    maps.flatten().collect()
}

pub(crate) unsafe extern "C" fn destroy(handle: *mut c_void) {
    // SAFETY: `create` has made the handle, and the host destroys it once.
    drop(unsafe { Box::from_raw(handle.cast::<Handle>()) });
}

/// Leaves the wheels where the world file puts them.
pub(crate) unsafe extern "C" fn arrange(
    _: *const c_void,
    _: *mut WheelGeometry,
    _: usize,
    _: *mut Fault,
) -> u32 {
    fault_code::NONE
}

/// Writes the fault of a function that has refused, and returns its code.
///
/// # Safety
/// `fault` is a place for a fault.
pub(crate) unsafe fn settle(outcome: Result<(), String>, fault: *mut Fault) -> u32 {
    let Err(text) = outcome else { return fault_code::NONE };
    // SAFETY: promised by the caller.
    unsafe { fault.write(Fault::new(fault_code::REFUSED, &text)) };
    fault_code::REFUSED
}

/// Returns a message with the file name of the FMU in front.
pub(crate) fn named(handle: &Handle, text: &str) -> String {
    let file = handle.imported.fmu.file.file_name().unwrap_or_default();
    format!("{}: {text}", file.to_string_lossy())
}

unsafe extern "C" fn call<const PHASE: usize>(
    handle: *const c_void,
    batch: *const Batch,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create` and a batch that are valid during the call.
    let (handle, batch) = unsafe { (&*handle.cast::<Handle>(), &*batch) };
    let phase = &handle.imported.shape.phases[PHASE];
    for lane in batch.first..batch.first + batch.count {
        // SAFETY: the batch has the columns that the descriptor declares, and a memory for each lane, which no other call uses at
        // the same time. All lanes of a phase that recalls values share the first memory, and only read it.
        let outcome = unsafe {
            match phase.act {
                Act::Recall => recall(handle, phase, &*(*batch.memories).cast(), batch, lane),
                _ => run(handle, phase, &mut *(*batch.memories.add(lane)).cast(), batch, lane),
            }
        };
        if let Err((code, text)) = outcome {
            let lane = lane as u64;
            // SAFETY: the host passes a place for the fault.
            unsafe { fault.write(Fault { lane, ..Fault::new(code, &named(handle, &text)) }) };
            return code;
        }
    }
    fault_code::NONE
}

/// Sets the inputs of a lane, takes a step, and reads the outputs.
///
/// # Safety
/// The batch has the columns of the phase, and the lane.
unsafe fn run(
    handle: &Handle,
    phase: &PhaseShape,
    memory: &mut Memory,
    batch: &Batch,
    lane: usize,
) -> Result<(), (u32, String)> {
    let kept = &handle.imported.shape.kept;
    let elements = phase.outputs.iter().flat_map(|port| &port.elements);
    let gets: Vec<usize> =
        elements.map(|element| element.variable).chain(kept.iter().copied()).collect();
    let step = match phase.act {
        Act::Step => Some(batch.dt),
        // SAFETY: promised by the caller.
        Act::Sample(place) => Some(unsafe { *(*batch.inputs.add(place)).add(lane) }),
        Act::Read | Act::Recall => None,
    };
    if gets.is_empty() && step.is_none() {
        return Ok(());
    }
    let failed = |text| (fault_code::PANIC, text);
    // SAFETY: promised by the caller.
    let sets = unsafe { inputs(phase, batch, lane) }.map_err(failed)?;
    let mut values = Vec::new();
    let advance = Advance { sets, step, gets };
    memory.lane.advance(&advance, &mut values).map_err(failed)?;
    let variables = &handle.imported.fmu.description.variables;
    for (index, value) in advance.gets.iter().zip(&values) {
        check_finite(&variables[*index], *value)?;
    }
    memory.kept = values.split_off(values.len() - kept.len());
    let mut values = values.into_iter();
    // SAFETY: promised by the caller.
    unsafe { write(phase, batch, lane, |_| values.next().unwrap_or(0.0)) }.map_err(failed)
}

/// Writes the outputs of a lane from the values after the last step.
///
/// # Safety
/// As of [`run`].
unsafe fn recall(
    handle: &Handle,
    phase: &PhaseShape,
    memory: &Memory,
    batch: &Batch,
    lane: usize,
) -> Result<(), (u32, String)> {
    let value = |element: &Element| {
        let mut kept = handle.imported.shape.kept.iter().zip(&memory.kept);
        kept.find(|(variable, _)| **variable == element.variable).map_or(0.0, |(_, value)| *value)
    };
    // SAFETY: promised by the caller.
    unsafe { write(phase, batch, lane, value) }.map_err(|text| (fault_code::PANIC, text))
}

/// Writes the values of variables to the outputs of a lane. Outputs without a variable have their defaults.
///
/// # Safety
/// As of [`run`].
unsafe fn write(
    phase: &PhaseShape,
    batch: &Batch,
    lane: usize,
    mut value: impl FnMut(&Element) -> f64,
) -> Result<(), String> {
    for (port, place) in phase.outputs.iter().zip(0..) {
        // SAFETY: promised by the caller, also below.
        let column = unsafe { *batch.outputs.add(place) };
        for wheel in unset_wheels(port, batch) {
            // SAFETY: as above.
            unsafe { column.add(wheel * batch.wheel_stride + lane).write(0.0) };
        }
        if port.elements.is_empty() {
            // SAFETY: as above.
            unsafe { column.add(lane).write(port.default) };
        }
        for element in &port.elements {
            let index = index(batch, port, element, lane)?;
            // SAFETY: as above.
            unsafe { column.add(index).write(element.conversion.to_port(value(element))) };
        }
    }
    Ok(())
}

/// Returns the values of the variables that are inputs.
///
/// # Safety
/// As of [`run`].
unsafe fn inputs(
    phase: &PhaseShape,
    batch: &Batch,
    lane: usize,
) -> Result<Vec<(usize, f64)>, String> {
    let mut sets = Vec::new();
    for (port, place) in phase.inputs.iter().zip(0..) {
        for element in &port.elements {
            let index = index(batch, port, element, lane)?;
            // SAFETY: promised by the caller.
            let value = unsafe { *(*batch.inputs.add(place)).add(index) };
            sets.push((element.variable, element.conversion.to_variable(value)));
        }
    }
    Ok(sets)
}

/// Returns the wheels of a port for which the FMU has no variable. Their value is 0.
fn unset_wheels(port: &Port, batch: &Batch) -> impl Iterator<Item = usize> {
    let count = if port.is_wheel { batch.wheels as usize } else { 0 };
    (0..count).filter(|wheel| port.elements.iter().all(|element| element.wheel != *wheel))
}

fn check_finite(variable: &Variable, value: f64) -> Result<(), (u32, String)> {
    if value.is_finite() {
        return Ok(());
    }
    let text = format!("variable {:?} is {value}; expected a finite number", variable.name);
    Err((fault_code::NON_FINITE, text))
}

/// Returns the place of a value in a column.
fn index(batch: &Batch, port: &Port, element: &Element, lane: usize) -> Result<usize, String> {
    if !port.is_wheel {
        return Ok(lane);
    }
    let (wheel, count) = (element.wheel, batch.wheels as usize);
    match wheel < count {
        true => Ok(wheel * batch.wheel_stride + lane),
        false => Err(format!(
            "port `{}[{wheel}]` is of wheel {wheel}; the vehicle has {count} wheels, from 0",
            port.name
        )),
    }
}
