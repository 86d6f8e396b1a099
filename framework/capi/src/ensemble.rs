//! Ensembles: one world many times, with differences.

use std::ffi::c_char;
use std::ptr::null_mut;

use simhost::{Ensemble, Selected, Time};

use crate::argument::{Buffer, list, list_mut, put, text};
use crate::error::CallError;
use crate::handle::{self, Content, Handle, call};
use crate::numbered::{Numbered, Owner};
use crate::picked::{ColumnTexts, QuantityView};
use crate::session::{ErrorView, OpenSession, last_error, require};

/// An ensemble with the quantities that have been selected of its members.
pub struct OpenEnsemble {
    ensemble: Ensemble,
    selections: Numbered<(Selected, Vec<ColumnTexts>)>,
    _owner: Owner,
}

impl Content for OpenEnsemble {
    const MAGIC: u64 = u64::from_le_bytes(*b"simh_ens");
}

impl OpenEnsemble {
    pub fn new(ensemble: Ensemble) -> Self {
        let owner = Owner::default();
        let selections = Numbered::new("quantities of members", 3, &owner);
        Self { ensemble, selections, _owner: owner }
    }
}

/// Returns the truth values of a mask with a byte per member.
unsafe fn mask(from: *const u8, count: usize) -> Result<Vec<bool>, CallError> {
    // SAFETY: the header requires valid arguments.
    Ok(unsafe { list("the mask", from, count)? }.iter().map(|byte| *byte != 0).collect())
}

/// `ensemble_error` of the header.
pub unsafe extern "C" fn ensemble_error(
    ensemble: *mut Handle<OpenEnsemble>,
    to: *mut ErrorView,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { last_error(ensemble, to) }
}

/// `ensemble_close` of the header.
pub unsafe extern "C" fn ensemble_close(ensemble: *mut *mut Handle<OpenEnsemble>) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { handle::free(ensemble) }
}

/// `ensemble_members` of the header.
pub unsafe extern "C" fn ensemble_members(
    ensemble: *mut Handle<OpenEnsemble>,
    members: *mut usize,
) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, |open| put("members", members, open.ensemble.members())) }
}

/// `ensemble_step` of the header.
pub unsafe extern "C" fn ensemble_step(
    ensemble: *mut Handle<OpenEnsemble>,
    steps: u64,
    members: *const u8,
    count: usize,
) -> i32 {
    let act = |open: &mut OpenEnsemble| {
        if members.is_null() && count == 0 {
            return Ok(open.ensemble.step(steps)?);
        }
        // SAFETY: the header requires valid arguments.
        let members = unsafe { mask(members, count)? };
        Ok(open.ensemble.step_some(steps, &members)?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_run_until` of the header.
pub unsafe extern "C" fn ensemble_run_until(ensemble: *mut Handle<OpenEnsemble>, time: f64) -> i32 {
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, |open| Ok(open.ensemble.run_until(Time(time))?)) }
}

/// `ensemble_command_width` of the header.
pub unsafe extern "C" fn ensemble_command_width(
    ensemble: *mut Handle<OpenEnsemble>,
    input: *const c_char,
    width: *mut usize,
) -> i32 {
    let act = |open: &mut OpenEnsemble| {
        // SAFETY: the header requires valid arguments, also below.
        let count = open.ensemble.command_width(unsafe { text("input", input)? })?;
        // SAFETY: as above.
        unsafe { put("width", width, count) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_set` of the header.
pub unsafe extern "C" fn ensemble_set(
    ensemble: *mut Handle<OpenEnsemble>,
    input: *const c_char,
    values: *const f64,
    count: usize,
) -> i32 {
    let act = |open: &mut OpenEnsemble| {
        // SAFETY: the header requires valid arguments.
        let (input, values) = unsafe { (text("input", input)?, list("values", values, count)?) };
        Ok(open.ensemble.set(input, values)?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_reset` of the header.
pub unsafe extern "C" fn ensemble_reset(
    ensemble: *mut Handle<OpenEnsemble>,
    members: *const u8,
    seeds: *const u64,
    count: usize,
) -> i32 {
    let act = |open: &mut OpenEnsemble| {
        // SAFETY: the header requires valid arguments, also below.
        let members = unsafe { mask(members, count)? };
        let seeds = match seeds.is_null() {
            true => None,
            // SAFETY: as above.
            false => Some(unsafe { list("seeds", seeds, count)? }),
        };
        Ok(open.ensemble.reset(&members, seeds)?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_select` of the header.
pub unsafe extern "C" fn ensemble_select(
    ensemble: *mut Handle<OpenEnsemble>,
    patterns: *const c_char,
    quantities: *mut u64,
    width: *mut usize,
) -> i32 {
    let act = |open: &mut OpenEnsemble| {
        // SAFETY: the header requires valid arguments, also below.
        let patterns = unsafe { text("patterns", patterns)? };
        // SAFETY: as above.
        unsafe { put("quantities", quantities, 0)? };
        let selected = open.ensemble.select(patterns.lines())?;
        if !width.is_null() {
            // SAFETY: as above.
            unsafe { width.write(selected.width()) };
        }
        let columns = ColumnTexts::of(selected.infos());
        // SAFETY: as above.
        unsafe { put("quantities", quantities, open.selections.add((selected, columns))) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_describe` of the header.
pub unsafe extern "C" fn ensemble_describe(
    ensemble: *mut Handle<OpenEnsemble>,
    quantities: u64,
    index: usize,
    to: *mut QuantityView,
) -> i32 {
    let act = |open: &mut OpenEnsemble| {
        let (_, columns) = open.selections.get(quantities)?;
        // SAFETY: the header requires valid arguments.
        unsafe { ColumnTexts::describe(columns, index, to) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_read` of the header.
pub unsafe extern "C" fn ensemble_read(
    ensemble: *mut Handle<OpenEnsemble>,
    quantities: u64,
    to: *mut f64,
    count: usize,
) -> i32 {
    let act = |OpenEnsemble { ensemble, selections, .. }: &mut OpenEnsemble| {
        let (selected, _) = selections.get(quantities)?;
        // SAFETY: the header requires valid arguments.
        Ok(ensemble.read(selected, unsafe { list_mut("the matrix", to, count)? })?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_read_f32` of the header.
pub unsafe extern "C" fn ensemble_read_f32(
    ensemble: *mut Handle<OpenEnsemble>,
    quantities: u64,
    to: *mut f32,
    count: usize,
) -> i32 {
    let act = |OpenEnsemble { ensemble, selections, .. }: &mut OpenEnsemble| {
        let (selected, _) = selections.get(quantities)?;
        // SAFETY: the header requires valid arguments.
        Ok(ensemble.read_f32(selected, unsafe { list_mut("the matrix", to, count)? })?)
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_ended` of the header.
pub unsafe extern "C" fn ensemble_ended(
    ensemble: *mut Handle<OpenEnsemble>,
    to: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> i32 {
    let act = |open: &mut OpenEnsemble| {
        let ends = open.ensemble.ends().iter();
        let codes: Vec<u8> = ends
            .map(|end| match end.as_ref().map(simhost::MemberEnd::name) {
                None => 0,
                Some("duration") => 1,
                Some("fault") => 2,
                Some("diverged") => 3,
                Some("observer") => 4,
                Some(_) => 5,
            })
            .collect();
        // SAFETY: the header requires a buffer with its capacity.
        unsafe { Buffer { to, capacity, count }.fill(&codes) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_result_hash` of the header.
pub unsafe extern "C" fn ensemble_result_hash(
    ensemble: *mut Handle<OpenEnsemble>,
    member: usize,
    to: *mut c_char,
    capacity: usize,
) -> i32 {
    let act = |open: &mut OpenEnsemble| {
        require(to)?;
        let hash = open.ensemble.member(member)?.result_hash()?;
        // SAFETY: the header requires a buffer with its capacity.
        unsafe { Buffer { to, capacity, count: null_mut() }.fill_text(&format!("{hash:032x}")) }
    };
    // SAFETY: the header requires valid arguments.
    unsafe { call(ensemble, act) }
}

/// `ensemble_session` of the header.
pub unsafe extern "C" fn ensemble_session(
    ensemble: *mut Handle<OpenEnsemble>,
    member: usize,
    to: *mut *mut Handle<OpenSession>,
) -> i32 {
    let make =
        |open: &mut OpenEnsemble| Ok(OpenSession::new(open.ensemble.member(member)?.to_session()?));
    // SAFETY: the header requires valid arguments.
    unsafe { handle::derive(ensemble, to, make) }
}
