//! Functions of the boundary for models that are known by a number.
//!
//! [`CreateFn`] and [`AbilityFn`] do not get a model. Where models are data, as the classes of Python and
//! the models in WebAssembly modules are, each number has functions.

use std::ffi::c_void;
use std::marker::PhantomData;

use simhost_abi::{AbilityFn, CreateFn, Fault, Slice, Str, Value};

/// Models with numbers below [`NumberedFunctions::COUNT`].
pub trait NumberedModels {
    /// Creates an instance of the model with a number.
    ///
    /// # Safety
    /// As of [`CreateFn`].
    unsafe fn create(
        number: usize,
        values: Slice<Value>,
        handle: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32;

    /// Returns a table of the model with a number.
    ///
    /// # Safety
    /// As of [`AbilityFn`].
    unsafe fn ability(number: usize, id: Str) -> *const c_void;
}

/// The functions of models with numbers.
pub struct NumberedFunctions<M>(PhantomData<M>);

/// Number of columns of the table of functions, and of its rows.
const SIDE: usize = 16;

/// Declares one function per column, and per row.
macro_rules! columns {
    ($function:ident, $row:ident) => {
        columns!(@ $function, $row: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $function:ident, $row:ident: $($column:literal)*) => {
        [$($function::<M, $row, $column>),*]
    };
}
macro_rules! rows {
    ($row:ident) => {
        rows!(@ $row: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $function:ident: $($row:literal)*) => {
        [$($function::<M, $row>()),*]
    };
}

const fn create_row<M: NumberedModels, const ROW: usize>() -> [CreateFn; SIDE] {
    columns!(create, ROW)
}

const fn ability_row<M: NumberedModels, const ROW: usize>() -> [AbilityFn; SIDE] {
    columns!(ability, ROW)
}

unsafe extern "C" fn create<M: NumberedModels, const ROW: usize, const COLUMN: usize>(
    values: Slice<Value>,
    handle: *mut *mut c_void,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: promised by the caller.
    unsafe { M::create(ROW * SIDE + COLUMN, values, handle, fault) }
}

unsafe extern "C" fn ability<M: NumberedModels, const ROW: usize, const COLUMN: usize>(
    id: Str,
) -> *const c_void {
    // SAFETY: promised by the caller.
    unsafe { M::ability(ROW * SIDE + COLUMN, id) }
}

impl<M: NumberedModels> NumberedFunctions<M> {
    /// Largest number of models in a process.
    pub const COUNT: usize = SIDE * SIDE;

    const CREATE: [[CreateFn; SIDE]; SIDE] = rows!(create_row);
    const ABILITY: [[AbilityFn; SIDE]; SIDE] = rows!(ability_row);

    /// Returns the function that creates instances of the model with a number, and the function that returns its tables;
    /// `None` beyond the largest number.
    pub fn get(number: usize) -> Option<(CreateFn, AbilityFn)> {
        let (row, column) = (number / SIDE, number % SIDE);
        Some((Self::CREATE.get(row)?[column], Self::ABILITY.get(row)?[column]))
    }
}
