//! An instance of a model: its handle, and the functions that do not belong to a phase.

use std::ffi::c_void;
use std::io::Error;
use std::path::Path;
use std::sync::Arc;

use simhost_abi::{
    Fault, IMAGES_ABILITY, ImagesTable, MEMORY_ABILITY, MIGRATE_ABILITY, MemoryTable, MigrateTable,
    Model, ParamDesc, ParamKind, Phase, SELFTEST_ABILITY, SPATIAL_ABILITY, SelftestTable,
    SpatialTable, StateDesc, WarningsTable, WheelGeometry, fault_code,
};

use crate::breadcrumb::{Function, Functions};
use crate::classes::ModelRef;
use crate::values::ParamValue;
use crate::view::View;
use crate::{float_control, scaling};

/// Largest text file that is read for a model, bytes.
const MAX_TEXT: u64 = 1 << 20;
/// Largest file of other contents that is read for a model, bytes.
const MAX_BINARY: u64 = 64 << 20;
/// Largest number of rays of a sensor.
const MAX_RAYS: usize = 1 << 24;
/// Largest distance of a wheel from the reference point, and its largest radius, m.
const MAX_DISTANCE: f64 = 1e6;

/// An instance of a model, with its class and parameters.
///
/// Calls through the handle can come from any thread, and the model does not change it between
/// `create` and `destroy`.
pub struct Instance {
    class: ModelRef,
    values: Arc<[ParamValue]>,
    initial_states: Vec<f64>,
    functions: &'static Functions,
    handle: *mut c_void,
    rays: usize,
}

// SAFETY: the boundary promises that calls may come from any thread.
unsafe impl Send for Instance {}
// SAFETY: as above; the handle is immutable between `create` and `destroy`.
unsafe impl Sync for Instance {}

impl Drop for Instance {
    fn drop(&mut self) {
        self.functions.call(Function::Destroy, || {
            // SAFETY: the handle came from `create` and is not used again.
            unsafe { (self.class.model.destroy)(self.handle) }
        });
    }
}

impl Instance {
    /// Creates an instance from parameters in the order of their declaration. Reads the files that
    /// parameters of kind [`ParamKind::File`] name, and hands their texts to the model.
    ///
    /// # Errors
    /// The fault of the model with its code, or [`fault_code::REFUSED`] when a file cannot be read.
    pub fn new(class: &ModelRef, values: impl Into<Arc<[ParamValue]>>) -> Result<Self, Fault> {
        let (model, values) = (class.model, values.into());
        let with_files = with_files(model.params(), &values)
            .map_err(|text| Fault::new(fault_code::REFUSED, &text))?;
        let functions = Functions::of(class);
        let mut handle = std::ptr::null_mut();
        let mut fault = Fault::NONE;
        // a state that the program itself has changed is not blamed on the model
        float_control::restore();
        let code = ParamValue::with_abi(&with_files, |values| {
            // SAFETY: the values live during the call; handle and fault are ours.
            let create = || unsafe { (model.create)(values, &raw mut handle, &raw mut fault) };
            functions.call(Function::Create, create)
        });
        if code != fault_code::NONE {
            return Err(Fault { code, ..fault });
        }
        let initial_states = initial_states(model, &values);
        let class = class.clone();
        let mut instance = Self { class, values, initial_states, functions, handle, rays: 0 };
        if let Some(capacity) = model.capacity {
            // SAFETY: the handle is that of the model.
            instance.rays = functions.call(Function::Capacity, || unsafe { capacity(handle) });
        }
        Ok(instance)
    }

    /// The class of the model.
    pub const fn class(&self) -> &ModelRef {
        &self.class
    }

    /// The descriptor of the model.
    pub const fn model(&self) -> &'static View<Model> {
        self.class.model
    }

    /// Parameters, in the order of their declaration.
    pub const fn values(&self) -> &Arc<[ParamValue]> {
        &self.values
    }

    /// Values of the state slots at the start of a run.
    pub fn initial_states(&self) -> &[f64] {
        &self.initial_states
    }

    /// Returns whether the model has set a bit of [`simhost_abi::model_flag`].
    pub fn has_flag(&self, flag: u32) -> bool {
        self.model().flags & flag != 0
    }

    /// Returns a phase by its id.
    pub fn phase(&self, id: &str) -> Option<&'static View<Phase>> {
        self.model().phase(id)
    }

    /// The handle that `create` returned.
    pub const fn handle(&self) -> *mut c_void {
        self.handle
    }

    /// Functions of the model besides its phases.
    pub const fn functions(&self) -> &'static Functions {
        self.functions
    }

    /// Returns the table of an ability, or `None` if the model does not have it.
    ///
    /// # Errors
    /// A description of the defect if the table is not one of this type.
    pub fn table<T: Table>(&self) -> Result<Option<&'static T>, String> {
        // SAFETY: the id is that of this table, which begins with its size.
        let found = unsafe { scaling::find_ability::<T>(self.class.model, self.functions, T::ID) }?;
        let Some(table) = found else { return Ok(None) };
        let functions = (size_of::<T>() - FUNCTIONS_AT) / size_of::<usize>();
        // SAFETY: after size and reserved, a table consists of function pointers.
        let functions = unsafe {
            let first = std::ptr::from_ref(table).byte_add(FUNCTIONS_AT).cast::<usize>();
            std::slice::from_raw_parts(first, functions)
        };
        if let Some(missing) = functions.iter().position(|function| *function == 0) {
            return Err(format!("function {} of its table `{}` is null", missing + 1, T::ID));
        }
        Ok(Some(table))
    }

    /// Describes what the host cannot use of the instance: its number of rays, a table of an
    /// ability, or an image.
    pub fn defect(&self) -> Option<String> {
        if self.rays > MAX_RAYS {
            let rays = self.rays;
            return Some(format!("`capacity` returns {rays} rays, expected at most {MAX_RAYS}"));
        }
        let tables = [
            self.table::<MemoryTable>().err(),
            self.table::<MigrateTable>().err(),
            self.table::<SpatialTable>().err(),
            self.table::<WarningsTable>().err(),
            self.images().err(),
        ];
        tables.into_iter().flatten().next()
    }

    /// Lets a dynamics class place its wheels.
    ///
    /// # Errors
    /// The fault of the model, with its code.
    pub fn arrange(&self, wheels: &mut [WheelGeometry]) -> Result<(), Fault> {
        let Some(arrange) = self.class.model.arrange else { return Ok(()) };
        let mut fault = Fault::NONE;
        let code = self.functions.call(Function::Arrange, || {
            // SAFETY: the wheels are borrowed for the call.
            unsafe { arrange(self.handle, wheels.as_mut_ptr(), wheels.len(), &raw mut fault) }
        });
        if code == fault_code::NONE { Ok(()) } else { Err(Fault { code, ..fault }) }
    }

    /// Returns the number of rays that a sensor casts per sample.
    pub const fn rays(&self) -> usize {
        self.rays
    }

    /// Returns whether a sensor casts its rays in space, and not in the plane.
    pub fn is_spatial(&self) -> bool {
        if !self.class.model.can_be_spatial() {
            return false;
        }
        match self.table::<SpatialTable>() {
            Ok(Some(SpatialTable { is_spatial, .. })) => {
                // SAFETY: the handle is that of the model.
                self.functions.call(Function::Ability, || unsafe { is_spatial(self.handle) }) != 0
            }
            _ => true,
        }
    }
}

/// A table of functions that a model returns for a string id.
///
/// # Safety
/// The type has the size, a reserved number, and after them function pointers only.
pub unsafe trait Table: 'static {
    /// The id.
    const ID: &'static str;
}

/// Offset of the first function of a table.
const FUNCTIONS_AT: usize = 8;

// SAFETY: the struct is declared so.
unsafe impl Table for MemoryTable {
    const ID: &'static str = MEMORY_ABILITY;
}

// SAFETY: the struct is declared so.
unsafe impl Table for MigrateTable {
    const ID: &'static str = MIGRATE_ABILITY;
}

// SAFETY: the struct is declared so.
unsafe impl Table for SpatialTable {
    const ID: &'static str = SPATIAL_ABILITY;
}

// SAFETY: the struct is declared so.
unsafe impl Table for ImagesTable {
    const ID: &'static str = IMAGES_ABILITY;
}

// SAFETY: the struct is declared so.
unsafe impl Table for SelftestTable {
    const ID: &'static str = SELFTEST_ABILITY;
}

/// Describes the first wheel that a model has placed where none can be.
pub fn defect_of_wheels(wheels: &[WheelGeometry]) -> Option<String> {
    wheels.iter().enumerate().find_map(|(number, wheel)| {
        let WheelGeometry { x, y, yaw, radius } = *wheel;
        let bad = |(name, value, unit, is): (&str, f64, &str, bool)| {
            (!is).then(|| {
                format!(
                    "`arrange` sets `{name}` of wheel {number} to {value} {unit}, expected {}",
                    if name == "radius" { "a length above 0" } else { "a finite number" }
                )
            })
        };
        let near = |value: f64| value.abs() <= MAX_DISTANCE;
        let checked = [
            ("x", x, "m", near(x)),
            ("y", y, "m", near(y)),
            ("yaw", yaw, "rad", yaw.is_finite()),
            ("radius", radius, "m", radius > 0.0 && near(radius)),
        ];
        checked.into_iter().find_map(bad)
    })
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "instance of {}", self.class.model.id())
    }
}

/// Replaces the path of each file by path and contents.
fn with_files(
    params: &'static [View<ParamDesc>],
    values: &[ParamValue],
) -> Result<Vec<ParamValue>, String> {
    // values beyond the declaration stay: a model has to refuse them
    let params = params.iter().map(Some).chain(std::iter::repeat(None));
    values
        .iter()
        .zip(params)
        .map(|(value, param)| param.map_or_else(|| Ok(value.clone()), |p| with_file(p, value)))
        .collect()
}

fn with_file(param: &'static View<ParamDesc>, value: &ParamValue) -> Result<ParamValue, String> {
    match (param.kind(), value) {
        (Some(ParamKind::File), ParamValue::Text(path)) => {
            let bytes =
                simhost_files::read(Path::new(path), MAX_TEXT).map_err(unreadable(param, path))?;
            // comments may be in older encodings
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok(ParamValue::Items(vec![value.clone(), ParamValue::Text(text)]))
        }
        (Some(ParamKind::BinaryFile), ParamValue::Text(path)) => binary_file(param, path),
        (Some(ParamKind::BinaryFiles), ParamValue::Items(paths)) => {
            let file = |path: &ParamValue| match path {
                ParamValue::Text(path) => binary_file(param, path),
                other => Ok(other.clone()),
            };
            paths.iter().map(file).collect::<Result<_, _>>().map(ParamValue::Items)
        }
        (Some(ParamKind::Group), ParamValue::Items(values)) => {
            with_files(param.children(), values).map(ParamValue::Items)
        }
        (Some(ParamKind::List), ParamValue::Items(groups)) if !param.children().is_empty() => {
            let group = |group: &ParamValue| match group {
                ParamValue::Items(values) => {
                    with_files(param.children(), values).map(ParamValue::Items)
                }
                other => Ok(other.clone()),
            };
            groups.iter().map(group).collect::<Result<_, _>>().map(ParamValue::Items)
        }
        _ => Ok(value.clone()),
    }
}

/// Returns path and contents of a file.
fn binary_file(param: &'static View<ParamDesc>, path: &str) -> Result<ParamValue, String> {
    let bytes =
        simhost_files::read(Path::new(path), MAX_BINARY).map_err(unreadable(param, path))?;
    Ok(ParamValue::Items(vec![ParamValue::Text(path.to_owned()), ParamValue::Bytes(bytes)]))
}

fn unreadable(param: &'static View<ParamDesc>, path: &str) -> impl Fn(Error) -> String {
    move |error| format!("cannot read {path} for `{}`: {error}", param.key())
}

/// Returns the value of each state slot of a model at the start of a run. `values` are the parameters
/// in the order of their declaration.
pub fn initial_states(model: &'static View<Model>, values: &[ParamValue]) -> Vec<f64> {
    model.states().iter().map(|slot| initial_state(slot, model, values)).collect()
}

/// Returns the value of the parameter from which a slot starts, or the constant of its declaration.
fn initial_state(
    slot: &'static View<StateDesc>,
    model: &'static View<Model>,
    values: &[ParamValue],
) -> f64 {
    let key = slot.initial_key();
    let place = model.params().iter().position(|param| !key.is_empty() && param.key() == key);
    match place.and_then(|place| values.get(place)) {
        Some(ParamValue::Number(number)) => *number,
        _ => slot.initial,
    }
}
