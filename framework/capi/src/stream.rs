//! Streams: samples as bytes of CDR, as numbers and as structs, and inputs as CDR.

use std::ffi::c_char;

use simhost::{Error, InputError, Odometry, Record, Sample, Stream, StreamType, Values, ros};

use crate::argument::{Buffer, SizedStruct, list, text, write};
use crate::error::CallError;
use crate::handle::{Handle, call};
use crate::session::OpenSession;

/// A sample as CDR with its encapsulation header.
struct CdrBytes(Vec<u8>);

impl Record for CdrBytes {
    const TYPE: &'static str = "any";

    fn accepts(_: &StreamType) -> bool {
        true
    }

    fn from_sample(stream: &Stream, sample: &Sample<'_>) -> Self {
        let mut bytes = Vec::new();
        ros::cdr(stream, sample, &mut bytes);
        Self(bytes)
    }
}

/// `simhost_odometry` of the header.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct OdometryView {
    size: usize,
    time: f64,
    pose: [f64; 6],
    twist: [f64; 3],
}

// SAFETY: it has the layout of C, starts with its size, and its zeros are 0.
unsafe impl SizedStruct for OdometryView {
    const FIRST: usize = size_of::<Self>();
}

/// `latest_cdr` of the header.
pub unsafe extern "C" fn latest_cdr(
    session: *mut Handle<OpenSession>,
    stream: *const c_char,
    to: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments, also below.
        let CdrBytes(bytes) = open.session.latest(unsafe { text("stream", stream)? })?;
        // SAFETY: as above.
        unsafe { Buffer { to, capacity, count }.fill(&bytes) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// `latest_numbers` of the header.
pub unsafe extern "C" fn latest_numbers(
    session: *mut Handle<OpenSession>,
    stream: *const c_char,
    field: *const c_char,
    to: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments, also below.
        let (stream, field) = unsafe { (text("stream", stream)?, text("field", field)?) };
        let values: Values = open.session.latest(stream)?;
        let found = values.numbers.iter().find(|(name, _)| name == field);
        let names = || values.numbers.iter().map(|(name, _)| &**name).collect::<Vec<_>>();
        let (_, numbers) = found.ok_or_else(|| {
            Error::from(InputError::Unknown {
                what: "field",
                found: field.to_owned(),
                help: format!("expected one of: {}", names().join(", ")),
            })
        })?;
        // SAFETY: as above.
        unsafe { Buffer { to, capacity, count }.fill(numbers) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// `latest_odometry` of the header.
pub unsafe extern "C" fn latest_odometry(
    session: *mut Handle<OpenSession>,
    stream: *const c_char,
    to: *mut OdometryView,
) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments, also below.
        let Odometry { time, pose, twist } =
            open.session.latest(unsafe { text("stream", stream)? })?;
        // SAFETY: as above.
        unsafe { write("simhost_odometry", to, OdometryView { size: 0, time, pose, twist }) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// Returns a stream.
fn find(open: &OpenSession, name: &str) -> Result<std::sync::Arc<Stream>, CallError> {
    let mut all = open.session.world().streams()?.into_iter();
    let found = all.find(|one| one.name == name);
    Ok(found.ok_or_else(|| {
        Error::from(InputError::Unknown {
            what: "stream",
            found: name.to_owned(),
            help: "the lists SIMHOST_NAMES_STREAMS and SIMHOST_NAMES_INPUTS have all names"
                .to_owned(),
        })
    })?)
}

/// `stream_definition` of the header.
pub unsafe extern "C" fn stream_definition(
    session: *mut Handle<OpenSession>,
    stream: *const c_char,
    to: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments, also below.
        let stream = find(open, unsafe { text("stream", stream)? })?;
        let schema = ros::schema(&stream.kind);
        let text = format!("MSG: {}\n{}", schema.name, schema.text);
        // SAFETY: as above.
        unsafe { Buffer { to, capacity, count: length }.fill_text(&text) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}

/// `send_cdr` of the header.
pub unsafe extern "C" fn send_cdr(
    session: *mut Handle<OpenSession>,
    stream: *const c_char,
    bytes: *const u8,
    count: usize,
) -> i32 {
    let act = |open: &mut OpenSession| {
        // SAFETY: the header requires valid arguments, also below.
        let stream = find(open, unsafe { text("stream", stream)? })?;
        // SAFETY: as above.
        let input = ros::input_from_cdr(&stream, unsafe { list("bytes", bytes, count)? });
        let input = input.map_err(Error::from)?;
        Ok(open.session.inputs().send(input).map_err(Error::from)?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(session, act) }
}
