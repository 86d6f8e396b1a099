//! The batch of a call in the memory of a module: its columns, packed so that they have the lanes of the call only.

use std::sync::OnceLock;

use simhost_abi::host::batch_rows;
use simhost_abi::{ArrayPort, Batch, Fault, Scope, fault_code};

use crate::engine::{Guest, bytes_of};
use crate::model::{ModulePhase, PhaseLanes};
use crate::runner::{Area, Runner, out_of_memory};
use crate::shapes::shapes;

/// Properties of a batch that determine the places of its columns.
#[derive(Debug, Default)]
struct Key {
    wheels: u32,
    /// Number of lanes; 0 before the first call, which no batch has.
    count: usize,
    rays: usize,
    has_streams: bool,
    has_memories: bool,
    /// Whether each column is there, and the capacity of inputs of scope *array*.
    inputs: Box<[Option<usize>]>,
    outputs: Box<[bool]>,
}

/// The batch of a phase in the memory of a module, as the last call had it. Only the memory of the module grows from call to
/// call, so calls do not allocate.
#[derive(Debug)]
pub(crate) struct Frame {
    area: Area,
    key: Key,
    /// Address of the batch.
    pub batch: u32,
    /// Address of a fault.
    pub fault: u32,
    /// Address of the tables of columns, and of the descriptions of arrays after them.
    tables: u32,
    streams: u32,
    memories: u32,
    inputs: Box<[u32]>,
    outputs: Box<[u32]>,
    states: Box<[u32]>,
    /// Addresses of the counts of inputs of scope *array*, and then of their ages.
    counts: Box<[u32]>,
}

/// Hands out addresses in an area that begins at `start`.
struct Places {
    start: u32,
    size: usize,
}

impl Places {
    /// Returns the address of bytes, which only means something if all bytes fit into the memory.
    fn take(&mut self, bytes: usize) -> u32 {
        let at = self.start.wrapping_add(self.size as u32);
        self.size = self.size.saturating_add(bytes.next_multiple_of(16));
        at
    }

    /// Returns the address of a column with this number of values, or 0 for none.
    fn column(&mut self, values: Option<usize>) -> u32 {
        values.map_or(0, |values| self.take(values.saturating_mul(8)))
    }
}

impl Key {
    /// Returns whether this is the key of a batch.
    ///
    /// # Safety
    /// The columns of the batch belong to the phase.
    unsafe fn is_of(&self, phase: &ModulePhase, batch: &Batch) -> bool {
        let mut inputs = self.inputs.iter().enumerate();
        let mut outputs = self.outputs.iter().enumerate();
        // SAFETY: promised by the caller, in both functions.
        unsafe {
            self.wheels == batch.wheels
                && self.count == batch.count
                && self.rays == batch.rays
                && self.has_streams != batch.streams.is_null()
                && self.has_memories != batch.memories.is_null()
                && inputs.all(|(k, known)| *known == Self::input(phase, batch, k))
                && outputs.all(|(k, known)| *known == Self::output(batch, k))
        }
    }

    /// Becomes the key of a batch.
    ///
    /// # Safety
    /// As for [`Self::is_of`].
    unsafe fn set(&mut self, phase: &ModulePhase, batch: &Batch) {
        (self.wheels, self.count, self.rays) = (batch.wheels, batch.count, batch.rays);
        self.has_streams = !batch.streams.is_null();
        self.has_memories = !batch.memories.is_null();
        for (k, known) in self.inputs.iter_mut().enumerate() {
            // SAFETY: promised by the caller.
            *known = unsafe { Self::input(phase, batch, k) };
        }
        for (k, known) in self.outputs.iter_mut().enumerate() {
            // SAFETY: promised by the caller.
            *known = unsafe { Self::output(batch, k) };
        }
    }

    /// # Safety
    /// As for [`Self::is_of`].
    unsafe fn input(phase: &ModulePhase, batch: &Batch, index: usize) -> Option<usize> {
        // SAFETY: promised by the caller; a phase with an input of scope *array* has an entry per input.
        unsafe {
            let capacity = || (*batch.arrays.add(index)).capacity;
            let is_array = phase.inputs[index] == Scope::Array;
            let is_there = !(*batch.inputs.add(index)).is_null();
            is_there.then(|| if is_array { capacity() } else { 0 })
        }
    }

    /// # Safety
    /// As for [`Self::is_of`].
    unsafe fn output(batch: &Batch, index: usize) -> bool {
        // SAFETY: promised by the caller.
        unsafe { !(*batch.outputs.add(index)).is_null() }
    }

    /// Returns the number of values in a column.
    fn values(&self, scope: Scope) -> usize {
        match scope {
            Scope::Wheel => self.count.saturating_mul(self.wheels as usize),
            Scope::Ray => self.count.saturating_mul(self.rays),
            _ => self.count,
        }
    }
}

impl Frame {
    /// Returns a frame of no batch for a phase of a model with states of these scopes.
    pub fn new(phase: &ModulePhase, states: &[Scope]) -> Self {
        let key = Key {
            inputs: vec![None; phase.inputs.len()].into(),
            outputs: vec![false; phase.outputs.len()].into(),
            ..Key::default()
        };
        let addresses = |count: usize| vec![0; count].into();
        Self {
            area: Area::default(),
            key,
            batch: 0,
            fault: 0,
            tables: 0,
            streams: 0,
            memories: 0,
            inputs: addresses(phase.inputs.len()),
            outputs: addresses(phase.outputs.len()),
            states: addresses(states.len()),
            counts: addresses(phase.inputs.len()),
        }
    }

    /// Makes the frame one for a batch. What stays the same from call to call is written once.
    ///
    /// # Errors
    /// If the memory of the module would exceed its limit.
    ///
    /// # Safety
    /// The columns of the batch belong to the phase.
    pub unsafe fn fit(
        &mut self,
        runner: &mut Runner,
        phase: &ModulePhase,
        states: &[Scope],
        batch: &Batch,
    ) -> Result<(), Fault> {
        // SAFETY: promised by the caller.
        if unsafe { self.key.is_of(phase, batch) } {
            return Ok(());
        }
        // SAFETY: promised by the caller.
        unsafe { self.key.set(phase, batch) };
        let fitted = self.divide(runner, phase, states);
        if fitted.is_err() {
            self.key.count = 0;
        }
        fitted
    }

    /// Divides an area of the memory among the parts of the batch, and writes the batch.
    fn divide(
        &mut self,
        runner: &mut Runner,
        phase: &ModulePhase,
        states: &[Scope],
    ) -> Result<(), Fault> {
        // measured from address 0, then placed
        let size = self.place(0, phase, states);
        let refused = |reason: String| Fault::new(fault_code::REFUSED, &reason);
        self.area = runner.area(self.area, size).map_err(refused)?;
        self.place(self.area.at, phase, states);
        self.write_batch(runner, phase)
    }

    /// Sets the addresses of the parts from an address on, and returns the size of all.
    fn place(&mut self, start: u32, phase: &ModulePhase, states: &[Scope]) -> usize {
        let (key, mut places) = (&self.key, Places { start, size: 0 });
        let size = |name| shapes().get(name).size;
        let pointers = self.inputs.len() + self.outputs.len() + self.states.len();
        self.batch = places.take(size("Batch"));
        self.fault = places.take(size("Fault"));
        self.tables = places.take(4 * pointers + self.inputs.len() * size("ArrayPort") + 16);
        self.streams = places.take(if key.has_streams { 8 * key.count } else { 0 });
        self.memories = places.take(if key.has_memories { 4 * key.count } else { 0 });
        for (k, (scope, given)) in phase.inputs.iter().zip(&key.inputs).enumerate() {
            let is_array = *scope == Scope::Array;
            self.inputs[k] = places.column(given.map(|capacity| match is_array {
                true => key.count.saturating_mul(capacity),
                false => key.values(*scope),
            }));
            self.counts[k] = places.column(is_array.then_some(2 * key.count));
        }
        for (k, (scope, is_there)) in phase.outputs.iter().zip(&key.outputs).enumerate() {
            self.outputs[k] = places.column(is_there.then(|| key.values(*scope)));
        }
        for (k, scope) in states.iter().enumerate() {
            self.states[k] = places.column(Some(key.values(*scope)));
        }
        places.size
    }

    /// Writes the batch, the tables of columns and the descriptions of arrays.
    fn write_batch(&self, runner: &mut Runner, phase: &ModulePhase) -> Result<(), Fault> {
        let at_outputs = self.tables + 4 * self.inputs.len() as u32;
        let at_states = at_outputs + 4 * self.outputs.len() as u32;
        let at_arrays = (at_states + 4 * self.states.len() as u32).next_multiple_of(8);
        runner.write(self.tables, bytes_of(&self.inputs))?;
        runner.write(at_outputs, bytes_of(&self.outputs))?;
        runner.write(at_states, bytes_of(&self.states))?;
        let has_arrays = phase.inputs.contains(&Scope::Array);
        if has_arrays {
            self.write_arrays(runner, at_arrays)?;
        }
        let given = |has: bool, at: u32| if has { at } else { 0 };
        let numbers = [
            ("wheels", self.key.wheels),
            ("count", self.key.count as u32),
            ("wheel_stride", self.key.count as u32),
            ("rays", self.key.rays as u32),
            ("inputs", self.tables),
            ("outputs", at_outputs),
            ("states", at_states),
            ("streams", given(self.key.has_streams, self.streams)),
            ("memories", given(self.key.has_memories, self.memories)),
            ("arrays", given(has_arrays, at_arrays)),
        ];
        write_struct(runner, "Batch", self.batch, &numbers)
    }

    /// Writes the descriptions of the inputs of scope *array*, one per input.
    fn write_arrays(&self, runner: &mut Runner, mut at: u32) -> Result<(), Fault> {
        for (given, counts) in self.key.inputs.iter().zip(&self.counts) {
            let capacity = given.unwrap_or(0) as u32;
            let ages = counts + 8 * self.key.count as u32;
            let numbers =
                [("capacity", capacity), ("stride", capacity), ("counts", *counts), ("ages", ages)];
            write_struct(runner, "ArrayPort", at, &numbers)?;
            at += shapes().get("ArrayPort").size as u32;
        }
        Ok(())
    }

    /// Copies everything that the phase reads into the memory of the module. `memory` returns the address of the memory of a
    /// lane.
    ///
    /// # Safety
    /// The batch is valid, and the frame was made for it.
    pub unsafe fn load(
        &self,
        runner: &mut Runner,
        phase: &ModulePhase,
        states: &[Scope],
        batch: &Batch,
        memory: impl Fn(usize) -> u32,
    ) -> Result<(), Fault> {
        let services = if batch.services.is_null() { 0 } else { runner.services };
        let offsets = BatchOffsets::get();
        runner.write(self.batch + offsets.time, bytes_of(&[batch.time, batch.dt]))?;
        runner.write(self.batch + offsets.services, &services.to_le_bytes())?;
        let lanes = batch.first..batch.first + batch.count;
        // SAFETY: promised by the caller, for all columns.
        unsafe {
            if self.key.has_streams {
                let keys = std::slice::from_raw_parts(batch.streams.add(batch.first), batch.count);
                runner.write(self.streams, bytes_of(keys))?;
            }
            if self.key.has_memories {
                for (at, lane) in (self.memories..).step_by(4).zip(lanes) {
                    // all points share the memory of the environment
                    let lane = if phase.lanes == PhaseLanes::Points { 0 } else { lane };
                    runner.write(at, &memory(lane).to_le_bytes())?;
                }
            }
            for (index, scope) in phase.inputs.iter().enumerate() {
                let (column, at) = (*batch.inputs.add(index), self.inputs[index]);
                match (scope, self.key.inputs[index]) {
                    (_, None) => {}
                    (Scope::Array, Some(_)) => {
                        self.load_array(runner, index, &*batch.arrays.add(index), column, batch)?;
                    }
                    (scope, Some(_)) => load(&mut *runner.guest, at, column, *scope, batch)?,
                }
            }
            let own = phase.lanes.owners(batch);
            for (index, scope) in states.iter().enumerate() {
                load(
                    &mut *runner.guest,
                    self.states[index],
                    *batch.states.add(index),
                    *scope,
                    &own,
                )?;
            }
        }
        Ok(())
    }

    /// Copies the last readings of a sensor.
    ///
    /// # Safety
    /// As for [`Self::load`].
    unsafe fn load_array(
        &self,
        runner: &mut Runner,
        index: usize,
        port: &ArrayPort,
        column: *const f64,
        batch: &Batch,
    ) -> Result<(), Fault> {
        let (at, counts) = (self.inputs[index], self.counts[index]);
        // SAFETY: promised by the caller.
        unsafe {
            for k in 0..batch.count {
                let lane = batch.first + k;
                let known = (*port.counts.add(lane) as usize).min(port.capacity);
                let values = std::slice::from_raw_parts(column.add(lane * port.stride), known);
                runner.write(at + (8 * k * port.capacity) as u32, bytes_of(values))?;
            }
            let of_lanes = |column: *const f64| {
                std::slice::from_raw_parts(column.add(batch.first), batch.count)
            };
            runner.write(counts, bytes_of(of_lanes(port.counts)))?;
            runner.write(counts + 8 * batch.count as u32, bytes_of(of_lanes(port.ages)))
        }
    }

    /// Copies the outputs and states of the first `lanes` lanes back.
    ///
    /// # Safety
    /// As for [`Self::load`].
    pub unsafe fn store(
        &self,
        runner: &mut Runner,
        phase: &ModulePhase,
        states: &[Scope],
        batch: &Batch,
        lanes: usize,
    ) -> Result<(), Fault> {
        // SAFETY: promised by the caller.
        unsafe {
            for (index, scope) in phase.outputs.iter().enumerate() {
                let column = *batch.outputs.add(index);
                if !column.is_null() {
                    store(&mut *runner.guest, self.outputs[index], column, *scope, batch, lanes)?;
                }
            }
            if phase.lanes == PhaseLanes::Own {
                for (index, scope) in states.iter().enumerate() {
                    let column = *batch.states.add(index);
                    store(&mut *runner.guest, self.states[index], column, *scope, batch, lanes)?;
                }
            }
        }
        Ok(())
    }
}

/// Places in a batch that each call writes.
struct BatchOffsets {
    /// Time, and the length of the step after it.
    time: u32,
    services: u32,
}

impl BatchOffsets {
    fn get() -> &'static Self {
        static OFFSETS: OnceLock<BatchOffsets> = OnceLock::new();
        OFFSETS.get_or_init(|| {
            let offset = |name| shapes().get("Batch").field(name).offset as u32;
            Self { time: offset("time"), services: offset("services") }
        })
    }
}

/// Writes a struct with these numbers of 32 bits and its size. All other fields are zero.
fn write_struct(
    runner: &mut Runner,
    name: &str,
    at: u32,
    numbers: &[(&str, u32)],
) -> Result<(), Fault> {
    let (shape, mut bytes) = (shapes().get(name), [0; 128]);
    let bytes = &mut bytes[..shape.size];
    shape.put(bytes, "size", shape.size as u32);
    numbers.iter().for_each(|(field, number)| shape.put(bytes, field, *number));
    runner.write(at, bytes)
}

/// Copies the lanes of a column into the memory of a module, where they are one after the other.
///
/// # Safety
/// The column has the lanes of the batch.
unsafe fn load(
    guest: &mut dyn Guest,
    at: u32,
    column: *const f64,
    scope: Scope,
    batch: &Batch,
) -> Result<(), Fault> {
    let mut at = at;
    for row in batch_rows(batch, scope) {
        // SAFETY: promised by the caller.
        let values = unsafe { std::slice::from_raw_parts(column.add(row.start), row.len()) };
        guest.write(at, bytes_of(values)).map_err(|_| out_of_memory())?;
        at += size_of_val(values) as u32;
    }
    Ok(())
}

/// Copies the first `lanes` lanes of a column back. A number that is not one becomes the same bits on every platform.
///
/// # Safety
/// The column has the lanes of the batch and can be written.
unsafe fn store(
    guest: &mut dyn Guest,
    at: u32,
    column: *mut f64,
    scope: Scope,
    batch: &Batch,
    lanes: usize,
) -> Result<(), Fault> {
    let mut at = at;
    for row in batch_rows(batch, scope) {
        let wanted = row.len() / batch.count * lanes;
        // SAFETY: promised by the caller; a row has the same number of values per lane.
        let values = unsafe { std::slice::from_raw_parts_mut(column.add(row.start), wanted) };
        // SAFETY: numbers are bytes, and any bytes are numbers.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut(values.as_mut_ptr().cast::<u8>(), size_of_val(values))
        };
        guest.read(at, bytes).map_err(|_| out_of_memory())?;
        for value in values {
            if value.is_nan() {
                *value = f64::NAN;
            }
        }
        at += (8 * row.len()) as u32;
    }
    Ok(())
}
