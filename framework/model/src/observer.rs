//! Observers: models that read quantities of a run and can end it.

use std::borrow::Cow;
use std::ffi::c_void;
use std::sync::Arc;

use simhost_abi::{
    Fault, OBSERVER_ABILITY, Observed, ObserverTable, RunEnd, RunStart, Sample, Slice, Str,
    WARNINGS_ABILITY, WarningsTable, WheelUse, escaped, fault_code,
};

use crate::breadcrumb::{CallLabel, Function, Functions, LabelHandle};
use crate::classes::ModelRef;
use crate::entities::Entities;
use crate::instance::{Instance, Table};
use crate::{breadcrumb, scaling};

// SAFETY: the struct is declared so.
unsafe impl Table for ObserverTable {
    const ID: &'static str = OBSERVER_ABILITY;
}

/// An instance of an observer with its functions.
pub struct Observer {
    instance: Arc<Instance>,
    table: &'static ObserverTable,
    labels: [LabelHandle; FUNCTIONS.len()],
}

/// Names of the functions, as messages show them.
const FUNCTIONS: [&str; 5] = ["select", "start", "step", "end", "destroy"];

/// Index of a function in [`FUNCTIONS`].
#[derive(Clone, Copy)]
enum ObserverFunction {
    Select,
    Start,
    Step,
    End,
    Destroy,
}

/// A quantity that an observer has selected.
#[derive(Clone, Debug)]
pub struct ObservedQuantity {
    /// Full name.
    pub name: String,
    /// Unit of each value.
    pub units: Vec<Cow<'static, str>>,
}

/// The start of a run, as an observer gets it.
#[derive(Clone, Copy, Debug)]
pub struct Beginning<'a> {
    /// The selected quantities, in the order of their values.
    pub quantities: &'a [ObservedQuantity],
    /// Name of the observer.
    pub name: &'a str,
    /// Absolute path of the folder for files; empty without one.
    pub folder: &'a str,
    /// Time at the start, s.
    pub time: f64,
    /// Length of a step, s.
    pub dt: f64,
    /// Time between samples, s; 0 if there is one after each step.
    pub period: f64,
    /// Seed of the run.
    pub seed: u64,
}

/// The state of a run after some steps.
#[derive(Clone, Copy, Debug)]
pub struct Instant<'a> {
    /// Number of completed steps.
    pub step: u64,
    /// Time, s.
    pub time: f64,
    /// The values of all selected quantities.
    pub values: &'a [f64],
}

/// A run that an observer watches. Its memory is destroyed with it.
pub struct ObserverRun {
    observer: Arc<Observer>,
    memory: *mut c_void,
}

// SAFETY: the boundary lets the functions be called from any thread, one at a time.
unsafe impl Send for ObserverRun {}

impl Observer {
    /// Wraps an instance. `entity` names the observer in messages.
    ///
    /// # Errors
    /// A description of the defect if the model does not have the functions of an observer.
    pub fn new(instance: Arc<Instance>, entity: &str) -> Result<Arc<Self>, String> {
        let table = instance.table::<ObserverTable>()?.ok_or_else(|| {
            format!("it does not have the table `{OBSERVER_ABILITY}`, which every observer needs")
        })?;
        let entities = Entities::owners(vec![entity.to_owned()]);
        let label = |function| {
            LabelHandle::new(CallLabel::of(instance.class(), function, entities.clone()))
        };
        let labels = FUNCTIONS.map(label);
        Ok(Arc::new(Self { instance, table, labels }))
    }

    /// Returns the instance.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    fn call(&self, function: ObserverFunction, time: f64, call: impl FnOnce() -> u32) -> u32 {
        breadcrumb::leave(&self.labels[function as usize], 0, 1, time, call)
    }

    /// Returns the patterns of the quantities to observe.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    pub fn select(&self) -> Result<Vec<String>, Fault> {
        let (mut text, mut fault) = (Text::default(), Fault::NONE);
        let code = self.call(ObserverFunction::Select, 0.0, || {
            let (handle, sink) = (self.instance.handle(), (&raw mut text).cast());
            // SAFETY: the handle is the model's; sink and fault are ours.
            unsafe { (self.table.select)(handle, sink, write_text, &raw mut fault) }
        });
        settle(code, fault)?;
        text.lines()
    }

    /// Begins a run.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    pub fn start(self: &Arc<Self>, start: &Beginning<'_>) -> Result<ObserverRun, Fault> {
        let texts = |quantity: &ObservedQuantity| -> Vec<Str> {
            quantity.units.iter().map(|unit| Str::borrowed(unit)).collect()
        };
        let units: Vec<Vec<Str>> = start.quantities.iter().map(texts).collect();
        let mut first = 0;
        let observed = |(quantity, units): (&ObservedQuantity, &Vec<Str>)| {
            let place = first;
            first += units.len();
            Observed {
                size: size_of::<Observed>() as u32,
                reserved: 0,
                name: Str::borrowed(&quantity.name),
                units: Slice::borrowed(units),
                first: place,
            }
        };
        let quantities: Vec<Observed> = start.quantities.iter().zip(&units).map(observed).collect();
        let begun = RunStart {
            size: size_of::<RunStart>() as u32,
            reserved: 0,
            quantities: Slice::borrowed(&quantities),
            name: Str::borrowed(start.name),
            folder: Str::borrowed(start.folder),
            time: start.time,
            dt: start.dt,
            period: start.period,
            seed: start.seed,
        };
        let (mut memory, mut fault) = (std::ptr::null_mut(), Fault::NONE);
        let code = self.call(ObserverFunction::Start, start.time, || {
            let handle = self.instance.handle();
            // SAFETY: the handle is the model's, the start lives during the call, the rest is ours.
            unsafe { (self.table.start)(handle, &raw const begun, &raw mut memory, &raw mut fault) }
        });
        settle(code, fault)?;
        Ok(ObserverRun { observer: Arc::clone(self), memory })
    }
}

impl ObserverRun {
    /// Returns the observer.
    pub fn observer(&self) -> &Arc<Observer> {
        &self.observer
    }

    /// Takes a sample. Returns the reason if the observer asks for the end of the run.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    pub fn step(&mut self, at: &Instant<'_>) -> Result<Option<String>, Fault> {
        let (mut text, mut fault, mut stop) = (Text::default(), Fault::NONE, 0);
        let Observer { instance, table, .. } = &*self.observer;
        let sample = at.sample();
        let code = self.observer.call(ObserverFunction::Step, at.time, || {
            let (handle, sink) = (instance.handle(), (&raw mut text).cast());
            let (sample, stop) = (&raw const sample, &raw mut stop);
            // SAFETY: handle and memory are the model's, the sample lives during the call, the rest is
            // ours.
            unsafe {
                (table.step)(handle, self.memory, sample, stop, sink, write_text, &raw mut fault)
            }
        });
        settle(code, fault)?;
        if stop == 0 { Ok(None) } else { text.trimmed().map(Some) }
    }

    /// Ends the run for one of [`simhost_abi::end_reason`]. Returns the names of the files that the
    /// observer has written, also if it fails.
    pub fn end(
        &mut self,
        reason: u32,
        why: &str,
        last: &Instant<'_>,
    ) -> (Vec<String>, Option<Fault>) {
        let (mut text, mut fault) = (Text::default(), Fault::NONE);
        let Observer { instance, table, .. } = &*self.observer;
        let end = RunEnd {
            size: size_of::<RunEnd>() as u32,
            reason,
            text: Str::borrowed(why),
            last: last.sample(),
        };
        let code = self.observer.call(ObserverFunction::End, last.time, || {
            let (handle, sink) = (instance.handle(), (&raw mut text).cast());
            // SAFETY: handle and memory are the model's, the end lives during the call, the rest is ours.
            unsafe {
                (table.end)(handle, self.memory, &raw const end, sink, write_text, &raw mut fault)
            }
        });
        match (settle(code, fault), text.lines()) {
            (Ok(()), Ok(files)) => (files, None),
            (Ok(()), Err(fault)) => (Vec::new(), Some(fault)),
            (Err(fault), files) => (files.unwrap_or_default(), Some(fault)),
        }
    }
}

impl Drop for ObserverRun {
    fn drop(&mut self) {
        self.observer.call(ObserverFunction::Destroy, 0.0, || {
            // SAFETY: the memory came from `start` and is not used again.
            unsafe { (self.observer.table.destroy)(self.memory) };
            fault_code::NONE
        });
    }
}

impl Instant<'_> {
    fn sample(&self) -> Sample {
        Sample {
            size: size_of::<Sample>() as u32,
            reserved: 0,
            step: self.step,
            time: self.time,
            values: Slice::borrowed(self.values),
        }
    }
}

fn settle(code: u32, fault: Fault) -> Result<(), Fault> {
    if code == fault_code::NONE { Ok(()) } else { Err(Fault { code, ..fault }) }
}

/// Longest text that a call can return, bytes.
const MAX_TEXT: usize = 1 << 20;

/// Collects the text that a call returns.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    /// Description of the first piece that was not taken.
    defect: Option<String>,
}

impl Text {
    /// Returns the text without space at its ends.
    pub fn trimmed(self) -> Result<String, Fault> {
        let refused = |text: &str| Fault::new(fault_code::REFUSED, text);
        if let Some(defect) = self.defect {
            return Err(refused(&defect));
        }
        let text = String::from_utf8(self.bytes);
        let text = text.map_err(|_| refused("it writes a text that is not valid UTF-8"))?;
        Ok(escaped(text.trim()))
    }

    /// Returns the lines that are not empty.
    pub fn lines(self) -> Result<Vec<String>, Fault> {
        let text = self.trimmed()?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Ok(lines.map(str::to_owned).collect())
    }
}

/// Appends a piece to a [`Text`].
///
/// # Safety
///
/// `sink` is a [`Text`], and `data` points to `len` bytes.
unsafe extern "C" fn write_text(sink: *mut c_void, data: *const u8, len: usize) {
    if len == 0 {
        return;
    }
    // SAFETY: promised by the caller.
    let text = unsafe { &mut *sink.cast::<Text>() };
    if data.is_null() || len > MAX_TEXT - text.bytes.len().min(MAX_TEXT) {
        let piece = if data.is_null() { " at address 0" } else { "" };
        text.defect.get_or_insert_with(|| {
            format!("it writes {len} bytes of text{piece}, expected at most {MAX_TEXT} in all")
        });
        return;
    }
    // SAFETY: as above.
    text.bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(data, len) });
}

// SAFETY: the struct is declared so.
unsafe impl Table for WarningsTable {
    const ID: &'static str = WARNINGS_ABILITY;
}

/// Returns whether instances of a class can have warnings.
pub fn warns(class: &ModelRef) -> bool {
    // SAFETY: the id is that of this table, which begins with its size.
    let found = unsafe {
        scaling::find_ability::<WarningsTable>(class.model, Functions::of(class), WARNINGS_ABILITY)
    };
    found.is_ok_and(|table| table.is_some())
}

impl Instance {
    /// Returns the warnings of the model about its parameters. `wheels` are those that use a friction model.
    ///
    /// # Errors
    /// The defect if the text is too long or not UTF-8.
    pub fn warnings(&self, wheels: &[WheelUse]) -> Result<Vec<String>, Fault> {
        let Ok(Some(table)) = self.table::<WarningsTable>() else { return Ok(Vec::new()) };
        let mut text = Text::default();
        self.functions().call(Function::Warnings, || {
            let sink = (&raw mut text).cast();
            // SAFETY: the handle is that of the model; wheels and text live during the call.
            unsafe { (table.write)(self.handle(), Slice::borrowed(wheels), sink, write_text) };
        });
        text.lines()
    }
}
