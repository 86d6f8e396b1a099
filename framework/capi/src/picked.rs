//! Selected quantities of a session, and texts about values.

use std::ffi::{CString, c_char};

use simhost::{LiveQuantities, QuantityInfo, Session};

use crate::argument::{SizedStruct, write};
use crate::error::{CallError, c_text};

/// Quantities of a session that stay selected when its world changes.
pub struct Picked {
    quantities: LiveQuantities,
    pub columns: Vec<ColumnTexts>,
    /// Space for the values.
    row: Vec<f64>,
}

/// Texts about a value.
pub struct ColumnTexts {
    name: CString,
    unit: CString,
    description: CString,
}

/// `simhost_quantity` of the header.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct QuantityView {
    size: usize,
    name: *const c_char,
    unit: *const c_char,
    description: *const c_char,
}

// SAFETY: it has the layout of C, starts with its size, and its zeros are null.
unsafe impl SizedStruct for QuantityView {
    const FIRST: usize = size_of::<Self>();
}

impl ColumnTexts {
    /// Returns the texts of the values of quantities: the name with the index in an array, unit and description.
    pub fn of(infos: &[QuantityInfo]) -> Vec<Self> {
        let of = |info: &QuantityInfo| {
            let info = info.clone();
            (0..info.count()).map(move |index| Self {
                name: c_text(&info.name_of(index)),
                unit: c_text(info.units.of(index)),
                description: c_text(&info.doc),
            })
        };
        infos.iter().flat_map(of).collect()
    }

    /// Writes the texts of a value to a struct of the caller.
    ///
    /// # Safety
    /// As [`write`].
    pub unsafe fn describe(
        columns: &[Self],
        index: usize,
        to: *mut QuantityView,
    ) -> Result<(), CallError> {
        let Some(Self { name, unit, description }) = columns.get(index) else {
            let text = format!("index is {index}; expected one less than {}", columns.len());
            return Err(CallError::argument(text));
        };
        let (name, unit, description) = (name.as_ptr(), unit.as_ptr(), description.as_ptr());
        // SAFETY: as for this function.
        unsafe { write("simhost_quantity", to, QuantityView { size: 0, name, unit, description }) }
    }
}

impl Picked {
    pub fn new(session: &Session, patterns: &str) -> Result<Self, CallError> {
        let quantities = LiveQuantities::select(session, patterns.lines())?;
        let columns = ColumnTexts::of(quantities.infos());
        Ok(Self { quantities, columns, row: Vec::new() })
    }

    /// Returns the present values. Values of removed entities are NaN.
    pub fn read(&mut self, session: &Session) -> &[f64] {
        self.row.clear();
        self.quantities.read(session, &mut self.row);
        &self.row
    }
}
