//! The tables of an observer: a model that reads quantities of a run, changes nothing, and can end
//! the run.
//!
//! They are not part of the fingerprint, like the other tables that are looked up by id.

use std::ffi::c_void;

use crate::ability::WriteFn;
use crate::model::Fault;
use crate::values::{Slice, Str};

/// Id of [`ObserverTable`], asked of [`Model::ability`](crate::Model::ability).
pub const OBSERVER_ABILITY: &str = "simhost.observer/1";

/// A quantity that an observer has selected.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Observed {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Full name, such as `car/wheel/fl/spin`.
    pub name: Str,
    /// One unit per value of the quantity; "1" for a pure number.
    pub units: Slice<Str>,
    /// Index of its first value in [`Sample::values`].
    pub first: usize,
}

/// The start of a run.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RunStart {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// The selected quantities, in the order of their values.
    pub quantities: Slice<Observed>,
    /// Name of the observer in the world, unique.
    pub name: Str,
    /// Absolute path of the folder for output files; empty if the run writes no files.
    pub folder: Str,
    /// Time at the start, s: 0, or the time of the snapshot from which the run is resumed.
    pub time: f64,
    /// Length of a step, s.
    pub dt: f64,
    /// Time between two samples, s; 0 if there is one after each step.
    pub period: f64,
    /// Seed of the run.
    pub seed: u64,
}

/// The values of all selected quantities at one instant.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Sample {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Number of completed steps.
    pub step: u64,
    /// Time after these steps, s.
    pub time: f64,
    /// The values. A reading is NaN before the first sample of its sensor.
    pub values: Slice<f64>,
}

/// The end of a run.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RunEnd {
    /// Size of this struct in bytes.
    pub size: u32,
    /// One of [`end_reason`].
    pub reason: u32,
    /// The reason in words; empty at the end of the duration.
    pub text: Str,
    /// The last state of the run, also if no sample was due then; after a fault, the last sample.
    pub last: Sample,
}

/// Reasons why a run ends.
pub mod end_reason {
    /// The duration is over.
    pub const DURATION: u32 = 1;
    /// An observer has asked for it.
    pub const STOP: u32 = 2;
    /// A model has faulted, or a state has diverged.
    pub const FAULT: u32 = 3;
    /// The user has interrupted the run.
    pub const INTERRUPT: u32 = 4;
    /// A rebuilt plugin replaces the observer, and the run continues.
    pub const REPLACED: u32 = 5;
}

/// The functions of an observer. The first argument of all but `destroy` is the handle that `create`
/// returned, which is immutable; what changes during a run is in the memory that `start` returns. The
/// functions are called on one thread at a time, and can allocate and write files. Those that
/// return a code return one of [`crate::fault_code`], and fill the fault for any other than 0.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ObserverTable {
    /// Size of this struct in bytes.
    pub size: u32,
    /// Zero.
    pub reserved: u32,
    /// Writes the patterns of the quantities to observe to the sink, one per line.
    pub select: unsafe extern "C" fn(*const c_void, *mut c_void, WriteFn, *mut Fault) -> u32,
    /// Begins a run, and writes its memory. Runs can overlap.
    pub start:
        unsafe extern "C" fn(*const c_void, *const RunStart, *mut *mut c_void, *mut Fault) -> u32,
    /// Takes a sample: the state at the start, then that after each step or period. Asks for the end of
    /// the run by setting the flag to 1 and writing the reason to the sink.
    pub step: unsafe extern "C" fn(
        *const c_void,
        *mut c_void,
        *const Sample,
        *mut u32,
        *mut c_void,
        WriteFn,
        *mut Fault,
    ) -> u32,
    /// Ends a run, called once. Writes the names of the files that it has written to the sink, one per
    /// line, relative to the folder.
    pub end: unsafe extern "C" fn(
        *const c_void,
        *mut c_void,
        *const RunEnd,
        *mut c_void,
        WriteFn,
        *mut Fault,
    ) -> u32,
    /// Destroys the memory of a run, ended or not.
    pub destroy: unsafe extern "C" fn(*mut c_void),
}
