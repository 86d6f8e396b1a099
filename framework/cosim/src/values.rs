//! Values of the variables of an instance.

use std::ffi::{CString, c_int};

use crate::description::{Start, Type, Variable};
use crate::functions::{Functions, Three, Two};
use crate::instance::FmuInstance;

impl FmuInstance {
    /// Sets a variable before the start.
    ///
    /// # Errors
    /// The function that failed, with the name of the variable.
    pub fn set_start(&mut self, variable: &Variable, value: &Start) -> Result<(), String> {
        let text = match value {
            Start::Number(number) => return self.set(variable, *number),
            Start::Text(text) => CString::new(text.as_str()).map_err(|error| error.to_string())?,
        };
        let (component, reference, text) = (self.component, variable.reference, text.as_ptr());
        let (refs, texts) = (&raw const reference, &raw const text);
        // SAFETY: the instance exists, and the arrays have one item.
        let status = unsafe {
            match self.fmu.functions {
                Functions::Two(two) => (two.set_text)(component, refs, 1, texts),
                Functions::Three(three) => (three.set_text)(component, refs, 1, texts, 1),
            }
        };
        self.check_access("Set", variable, status)
    }

    /// Sets a number or boolean.
    ///
    /// # Errors
    /// The function that failed, with the name of the variable.
    pub fn set(&mut self, variable: &Variable, value: f64) -> Result<(), String> {
        // SAFETY: the instance exists.
        let status = unsafe {
            match self.fmu.functions {
                Functions::Two(two) => self.set_two(&two, variable, value),
                Functions::Three(three) => self.set_three(&three, variable, value),
            }
        };
        self.check_access("Set", variable, status)
    }

    /// Returns the value of a number or boolean.
    ///
    /// # Errors
    /// As of [`Self::set`].
    pub fn get(&mut self, variable: &Variable) -> Result<f64, String> {
        // SAFETY: the instance exists.
        let (status, value) = unsafe {
            match self.fmu.functions {
                Functions::Two(two) => self.get_two(&two, variable),
                Functions::Three(three) => self.get_three(&three, variable),
            }
        };
        self.check_access("Get", variable, status).map(|()| value)
    }

    fn check_access(
        &mut self,
        what: &str,
        variable: &Variable,
        status: c_int,
    ) -> Result<(), String> {
        self.check(format_args!("{what} for variable {:?}", variable.name), status)
    }

    /// # Safety
    /// The functions belong to the library of the instance.
    unsafe fn set_two(&self, two: &Two, variable: &Variable, value: f64) -> c_int {
        let (component, refs) = (self.component, &raw const variable.reference);
        let (truth, integer) = (c_int::from(value != 0.0), value.round() as c_int);
        // SAFETY: the arrays have one item of the type of the variable.
        unsafe {
            match variable.kind {
                Type::Boolean => (two.set_boolean)(component, refs, 1, &raw const truth),
                Type::Integer => (two.set_integer)(component, refs, 1, &raw const integer),
                _ => (two.set_real)(component, refs, 1, &raw const value),
            }
        }
    }

    /// # Safety
    /// As of [`Self::set_two`].
    unsafe fn set_three(&self, three: &Three, variable: &Variable, value: f64) -> c_int {
        let (component, refs) = (self.component, &raw const variable.reference);
        let (truth, float) = (value != 0.0, value as f32);
        let (integer, long) = (value.round() as i32, value.round() as i64);
        // SAFETY: the arrays have one item of the type of the variable.
        unsafe {
            match variable.kind {
                Type::Boolean => (three.set_boolean)(component, refs, 1, &raw const truth, 1),
                Type::Integer => (three.set_integer)(component, refs, 1, &raw const integer, 1),
                Type::Long => (three.set_long)(component, refs, 1, &raw const long, 1),
                Type::Float => (three.set_float)(component, refs, 1, &raw const float, 1),
                _ => (three.set_real)(component, refs, 1, &raw const value, 1),
            }
        }
    }

    /// # Safety
    /// As of [`Self::set_two`].
    unsafe fn get_two(&self, two: &Two, variable: &Variable) -> (c_int, f64) {
        let (component, refs) = (self.component, &raw const variable.reference);
        let (mut real, mut whole) = (0.0, 0);
        // SAFETY: the arrays have one item of the type of the variable.
        unsafe {
            match variable.kind {
                Type::Boolean => {
                    let status = (two.get_boolean)(component, refs, 1, &raw mut whole);
                    (status, f64::from(u8::from(whole != 0)))
                }
                Type::Integer => {
                    let status = (two.get_integer)(component, refs, 1, &raw mut whole);
                    (status, f64::from(whole))
                }
                _ => ((two.get_real)(component, refs, 1, &raw mut real), real),
            }
        }
    }

    /// # Safety
    /// As of [`Self::set_two`].
    unsafe fn get_three(&self, three: &Three, variable: &Variable) -> (c_int, f64) {
        let (component, refs) = (self.component, &raw const variable.reference);
        let (mut real, mut float, mut whole, mut long) = (0.0, 0.0f32, 0i32, 0i64);
        let mut truth = false;
        // SAFETY: the arrays have one item of the type of the variable.
        unsafe {
            match variable.kind {
                Type::Boolean => {
                    let status = (three.get_boolean)(component, refs, 1, &raw mut truth, 1);
                    (status, f64::from(u8::from(truth)))
                }
                Type::Integer => {
                    let status = (three.get_integer)(component, refs, 1, &raw mut whole, 1);
                    (status, f64::from(whole))
                }
                Type::Long => {
                    let status = (three.get_long)(component, refs, 1, &raw mut long, 1);
                    (status, long as f64)
                }
                Type::Float => {
                    let status = (three.get_float)(component, refs, 1, &raw mut float, 1);
                    (status, f64::from(float))
                }
                _ => ((three.get_real)(component, refs, 1, &raw mut real, 1), real),
            }
        }
    }
}
