//! Tables of models in modules, as tables of this process.

use std::ffi::c_void;
use std::ptr;

use simhost_abi::{
    ALIASES_ABILITY, Fault, IMAGES_ABILITY, ImageFn, ImagesTable, MEMORY_ABILITY, MIGRATE_ABILITY,
    MemoryTable, MigrateTable, OBSERVER_ABILITY, SCALING_ABILITY, SPATIAL_ABILITY, Slice,
    SpatialTable, Str, WARNINGS_ABILITY, WarningsTable, WheelUse, WriteFn,
};

use crate::descriptor::{Arena, Translator};
use crate::engine::{CallContext, Export, GuestSink, Plain, bytes_of, read_items};
use crate::instance::{ModuleInstance, instance};
use crate::memory;
use crate::model::ModelTables;
use crate::runner::{Runner, out_of_memory, settle};

// SAFETY: numbers without padding.
unsafe impl Plain for WheelUse {}

const MIGRATE: MigrateTable =
    MigrateTable { size: size_of::<MigrateTable>() as u32, reserved: 0, migrate };
const SPATIAL: SpatialTable =
    SpatialTable { size: size_of::<SpatialTable>() as u32, reserved: 0, is_spatial };
const WARNINGS: WarningsTable =
    WarningsTable { size: size_of::<WarningsTable>() as u32, reserved: 0, write: write_warnings };

const IMAGES: ImagesTable =
    ImagesTable { size: size_of::<ImagesTable>() as u32, reserved: 0, images };

/// Size of the head of a table, and of a function in it, in a module, bytes.
const HEAD: u32 = 8;
const FUNCTION: u32 = 4;

/// Reads the tables of the model at an address.
///
/// # Errors
/// A table that is invalid, or that a module cannot have.
pub(crate) fn read(
    runner: &mut Runner,
    model: u32,
    arena: &mut Arena,
) -> Result<ModelTables, String> {
    if table(runner, model, OBSERVER_ABILITY)? != 0 {
        return Err(
            "an observer needs files, which a module does not have; build it as a shared library"
                .into(),
        );
    }
    let functions = |runner: &mut Runner, id, count: u32| match table(runner, model, id)? {
        0 => Ok(0),
        at => sized(runner, id, at, HEAD + count * FUNCTION).map(|()| at),
    };
    let (memory, migrate) =
        (functions(runner, MEMORY_ABILITY, 4)?, functions(runner, MIGRATE_ABILITY, 1)?);
    let (spatial, warnings, images) = (
        functions(runner, SPATIAL_ABILITY, 1)?,
        functions(runner, WARNINGS_ABILITY, 1)?,
        functions(runner, IMAGES_ABILITY, 1)?,
    );
    let aliases = table(runner, model, ALIASES_ABILITY)?;
    // SAFETY: the table of this id has this type.
    let aliases = unsafe { copied(runner, arena, "AliasesTable", aliases)? };
    let scaling = table(runner, model, SCALING_ABILITY)?;
    // SAFETY: as above.
    let scaling = unsafe { copied(runner, arena, "ScalingTable", scaling)? };
    Ok(ModelTables { memory, migrate, spatial, warnings, images, aliases, scaling })
}

/// Returns the table with an id.
pub(crate) fn find(tables: &ModelTables, id: &str) -> Option<*const c_void> {
    let with = |at: u32, table: *const c_void| (at != 0).then_some(table);
    match id {
        MEMORY_ABILITY => {
            with(tables.memory, ptr::from_ref(const { &memory::TABLE as &MemoryTable }).cast())
        }
        MIGRATE_ABILITY => with(tables.migrate, ptr::from_ref(const { &MIGRATE }).cast()),
        SPATIAL_ABILITY => with(tables.spatial, ptr::from_ref(const { &SPATIAL }).cast()),
        WARNINGS_ABILITY => with(tables.warnings, ptr::from_ref(const { &WARNINGS }).cast()),
        IMAGES_ABILITY => with(tables.images, ptr::from_ref(const { &IMAGES }).cast()),
        ALIASES_ABILITY => tables.aliases.map(|table| ptr::from_ref(table).cast()),
        SCALING_ABILITY => tables.scaling.map(|table| ptr::from_ref(table).cast()),
        _ => None,
    }
}

/// Copies a table without functions, unless its address is 0.
///
/// # Safety
/// As for [`Translator::table`].
unsafe fn copied<T>(
    runner: &mut Runner,
    arena: &mut Arena,
    name: &'static str,
    at: u32,
) -> Result<Option<&'static T>, String> {
    if at == 0 {
        return Ok(None);
    }
    // SAFETY: promised by the caller.
    unsafe { Translator::new(&mut *runner.guest, arena).table(name, at) }.map(Some)
}

/// Returns the address of a table of a model, or 0.
fn table(runner: &mut Runner, model: u32, id: &str) -> Result<u32, String> {
    let found = (|| {
        let arguments = runner.arguments(id.len())?;
        runner.write(arguments.rest, id.as_bytes())?;
        let call = [model, arguments.rest, id.len() as u32];
        runner.call(Export::Ability, &call, &CallContext::NONE)
    })();
    found.map_err(|fault: Fault| format!("`ability` of a model fails: {}", fault.message()))
}

/// Checks the size that a table states.
fn sized(runner: &mut Runner, id: &str, at: u32, expected: u32) -> Result<(), String> {
    let found = runner.number(at).map_err(|fault| fault.message())?;
    if found == expected {
        return Ok(());
    }
    Err(format!("the table `{id}` has a `size` of {found} bytes, expected {expected}"))
}

unsafe extern "C" fn is_spatial(handle: *const c_void) -> u32 {
    // SAFETY: the host passes a handle of `create`.
    let own = unsafe { instance(handle) };
    let call = [own.model.tables.spatial, own.handle];
    own.lock().runner.call(Export::IsSpatial, &call, &CallContext::NONE).unwrap_or(0)
}

unsafe extern "C" fn write_warnings(
    handle: *const c_void,
    wheels: Slice<WheelUse>,
    sink: *mut c_void,
    write: WriteFn,
) {
    // SAFETY: the host passes a handle of `create`, and wheels that live during the call.
    let (own, wheels) = unsafe { (instance(handle), wheels.as_slice()) };
    let runner = &mut own.lock().runner;
    let context = CallContext { sink: Some(GuestSink::Bytes(sink, write)), ..CallContext::NONE };
    // a failure loses the warnings alone
    let _: Result<(), Fault> = (|| {
        let arguments = runner.arguments(size_of_val(wheels))?;
        runner.write(arguments.rest, bytes_of(wheels))?;
        let table = own.model.tables.warnings;
        let call = [table, own.handle, arguments.rest, wheels.len() as u32];
        runner.call(Export::Warnings, &call, &context).map(|_| ())
    })();
}

unsafe extern "C" fn images(handle: *const c_void, sink: *mut c_void, write: ImageFn) {
    // SAFETY: the host passes a handle of `create`.
    let own = unsafe { instance(handle) };
    let call = [own.model.tables.images, own.handle];
    let context = CallContext { sink: Some(GuestSink::Images(sink, write)), ..CallContext::NONE };
    // a failure leaves the sensor without images, which the host reports where it needs them
    let _ = own.lock().runner.call(Export::Images, &call, &context);
}

unsafe extern "C" fn migrate(
    handle: *const c_void,
    schema: u32,
    names: Slice<Str>,
    values: Slice<f64>,
    slots: *mut f64,
    fault: *mut Fault,
) -> u32 {
    // SAFETY: the host passes a handle of `create`, names and values of slots in equal numbers, the slots of the model, and a
    // place for the fault.
    unsafe {
        let own = instance(handle);
        let slots = match own.model.states.len() {
            0 => &mut [],
            count => std::slice::from_raw_parts_mut(slots, count),
        };
        let names: Vec<&str> = names.as_slice().iter().map(|name| name.as_str()).collect();
        settle(migrate_slots(own, schema, &names, values.as_slice(), slots), fault)
    }
}

fn migrate_slots(
    own: &ModuleInstance,
    schema: u32,
    names: &[&str],
    values: &[f64],
    slots: &mut [f64],
) -> Result<(), Fault> {
    let runner = &mut own.lock().runner;
    let numbers = [slots, values].map(size_of_val);
    let texts: usize = names.iter().map(|name| name.len() + 8).sum();
    let arguments = runner.arguments(numbers[0] + numbers[1] + texts)?;
    let at_slots = arguments.rest;
    let at_values = at_slots + numbers[0] as u32;
    let at_names = at_values + numbers[1] as u32;
    let mut at_text = at_names + 8 * names.len() as u32;
    let mut list = Vec::new();
    for name in names {
        list.extend([at_text, name.len() as u32]);
        runner.write(at_text, name.as_bytes())?;
        at_text += name.len() as u32;
    }
    runner.write(at_slots, bytes_of(slots))?;
    runner.write(at_values, bytes_of(values))?;
    runner.write(at_names, bytes_of(&list))?;
    let call = [
        own.model.tables.migrate,
        own.handle,
        schema,
        at_names,
        at_values,
        names.len() as u32,
        at_slots,
        arguments.fault,
    ];
    let code = runner.call(Export::Migrate, &call, &CallContext::NONE)?;
    runner.checked(code, arguments.fault)?;
    let migrated = read_items(&mut *runner.guest, at_slots, slots.len());
    slots.copy_from_slice(&migrated.map_err(|_| out_of_memory())?);
    Ok(())
}
