//! Phases that are bound to columns.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr;

use crate::{ArrayPort, Batch, CallFn, Fault, Phase, PortDesc, Scope, Services, port_flag};

/// Sizes that all lanes of a call share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneShape {
    /// Number of wheels of a vehicle.
    pub wheels: usize,
    /// Distance between the wheels of a vehicle in a column.
    pub wheel_stride: usize,
    /// Number of rays of a sensor.
    pub rays: usize,
}

impl LaneShape {
    /// Returns the number of values that a lane has in a column, 0 for an input of scope *array*.
    pub fn count(&self, scope: u32) -> usize {
        match Scope::from_u32(scope) {
            Scope::Instance => 1,
            Scope::Wheel => self.wheels,
            Scope::Ray => self.rays,
            Scope::Array => 0,
        }
    }

    /// Returns the places of the values of a lane in a column.
    pub fn places(&self, scope: u32, lane: usize) -> impl ExactSizeIterator<Item = usize> + use<> {
        let (first, stride) = match Scope::from_u32(scope) {
            Scope::Instance | Scope::Wheel => (lane, self.wheel_stride),
            Scope::Ray | Scope::Array => (lane * self.rays, 1),
        };
        (0..self.count(scope)).map(move |index| first + index * stride)
    }

    /// Returns the values of a lane in a column.
    pub fn of_lane(&self, scope: u32, column: &[f64], lane: usize) -> Vec<f64> {
        self.places(scope, lane).map(|place| column[place]).collect()
    }
}

/// Addresses of the columns of a phase.
#[derive(Clone, Default)]
pub struct PhaseColumns {
    /// Columns of the inputs, in the order of the phase. An empty column of a parameter has equal values in all
    /// lanes, and is null for the model; so are inputs that are missing at the end.
    pub inputs: Vec<*const [f64]>,
    /// One entry per input, or nothing if no input has the scope *array*.
    pub arrays: Vec<ArrayPort>,
    /// Columns of the outputs, in the order of the phase.
    pub outputs: Vec<*mut f64>,
    /// Columns of the state slots, in the order of the model.
    pub states: Vec<*mut f64>,
}

impl PhaseColumns {
    /// Returns the addresses of columns without inputs of scope *array*.
    pub fn of(inputs: &[Vec<f64>], outputs: &mut [Vec<f64>], states: &mut [Vec<f64>]) -> Self {
        Self {
            inputs: inputs.iter().map(|column| ptr::from_ref(column.as_slice())).collect(),
            arrays: Vec::new(),
            outputs: outputs.iter_mut().map(Vec::as_mut_ptr).collect(),
            states: states.iter_mut().map(Vec::as_mut_ptr).collect(),
        }
    }

    /// Returns the same columns with one description per input. Only descriptions of inputs of
    /// scope *array* are read.
    #[must_use]
    pub fn with_arrays(self, arrays: Vec<ArrayPort>) -> Self {
        Self { arrays, ..self }
    }
}

/// Time, random streams, memories and services of a call.
#[derive(Clone, Copy)]
pub struct Circumstances<'c> {
    /// Time at the start of the step, s.
    pub time: f64,
    /// Length of the step, s.
    pub dt: f64,
    /// Key of the random stream of each lane, or null.
    pub streams: *const u64,
    /// Memory of each lane, or null.
    pub memories: *const *mut c_void,
    /// Services of the host, if it has any.
    pub services: Option<&'c Services>,
}

impl Circumstances<'_> {
    /// Returns the circumstances of a step without random streams, memories and services.
    pub const fn of_step(time: f64, dt: f64) -> Self {
        Self { time, dt, streams: ptr::null(), memories: ptr::null(), services: None }
    }
}

/// Returns the places of the values of a call in a column of this scope. There is one row, or for scope *wheel* one per wheel;
/// a row has the same number of values for each lane, which are one after the other.
pub fn batch_rows(
    batch: &Batch,
    scope: Scope,
) -> impl ExactSizeIterator<Item = Range<usize>> + use<> {
    let Batch { first, count, wheel_stride, rays, .. } = *batch;
    let (rows, lane) = match scope {
        Scope::Wheel => (batch.wheels as usize, 1),
        Scope::Ray => (1, rays),
        Scope::Instance | Scope::Array => (1, 1),
    };
    (0..rows).map(move |row| {
        let start = row * wheel_stride + first * lane;
        start..start + count * lane
    })
}

/// A [`CallFn`] that can end by an exception of another language, so that callers notice it before their own values
/// are dropped.
type UnwindingCall = unsafe extern "C-unwind" fn(
    handle: *const c_void,
    batch: *const Batch,
    fault: *mut Fault,
) -> u32;

/// A phase of an instance that is bound to columns.
pub struct Binding {
    call: UnwindingCall,
    handle: *const c_void,
    shape: LaneShape,
    inputs: Box<[*const f64]>,
    outputs: Box<[*mut f64]>,
    states: Box<[*mut f64]>,
    /// One entry per input, or nothing if no input has the scope *array*.
    arrays: Box<[ArrayPort]>,
}

impl Binding {
    /// Binds a phase of the instance with this handle.
    pub fn new(
        phase: &Phase,
        handle: *const c_void,
        shape: LaneShape,
        columns: PhaseColumns,
    ) -> Self {
        let PhaseColumns { inputs, arrays, outputs, states } = columns;
        // SAFETY: the ports of a phase are static.
        let ports = unsafe { phase.inputs.as_slice() };
        let mut given = inputs.into_iter();
        let input = |port: &PortDesc| match given.next() {
            Some(column) if column.len() > 0 || port.flags & port_flag::PARAMETER == 0 => {
                column.cast()
            }
            _ => ptr::null(),
        };
        Self {
            // SAFETY: the two types differ in what the compiler assumes about exceptions only.
            call: unsafe { std::mem::transmute::<CallFn, UnwindingCall>(phase.call) },
            handle,
            shape,
            inputs: ports.iter().map(input).collect(),
            outputs: outputs.into(),
            states: states.into(),
            arrays: arrays.into(),
        }
    }

    /// Returns the sizes that all lanes share.
    pub const fn shape(&self) -> LaneShape {
        self.shape
    }

    /// Calls the phase for some lanes. Returns a code of [`fault_code`](crate::fault_code); other codes than
    /// [`NONE`](crate::fault_code::NONE) describe `fault`.
    ///
    /// # Safety
    /// The instance lives, the columns are those that the phase declares and hold these lanes, and nothing
    /// else accesses their values of these lanes during the call. The streams and memories of `at` are null
    /// or hold these lanes.
    #[inline(always)]
    pub unsafe fn call(
        &self,
        lanes: &Range<usize>,
        at: &Circumstances<'_>,
        fault: *mut Fault,
    ) -> u32 {
        let batch = Batch {
            wheels: self.shape.wheels as u32,
            first: lanes.start,
            count: lanes.end - lanes.start,
            wheel_stride: self.shape.wheel_stride,
            rays: self.shape.rays,
            time: at.time,
            dt: at.dt,
            inputs: self.inputs.as_ptr(),
            outputs: self.outputs.as_ptr(),
            states: self.states.as_ptr(),
            streams: at.streams,
            memories: at.memories,
            services: at.services.map_or(ptr::null(), ptr::from_ref),
            arrays: if self.arrays.is_empty() { ptr::null() } else { self.arrays.as_ptr() },
            ..Batch::EMPTY
        };
        // SAFETY: promised by the caller.
        unsafe { (self.call)(self.handle, &raw const batch, fault) }
    }
}

impl ArrayPort {
    /// The entry of an input of another scope.
    pub const NONE: Self = Self::new(0, ptr::null(), ptr::null());

    /// Returns the description of readings with at most `capacity` values, one after the other. `counts` and
    /// `ages` have one value per lane.
    pub const fn new(capacity: usize, counts: *const f64, ages: *const f64) -> Self {
        let size = size_of::<Self>() as u32;
        Self { size, reserved: 0, capacity, stride: capacity, counts, ages }
    }
}
