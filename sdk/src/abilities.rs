//! The tables of a model in addition to its phases: aliases, memory, migration, exponents, warnings
//! and self-test.

use std::ffi::c_void;

use simhost_abi::{
    ALIASES_ABILITY, AliasesTable, Fault, MEMORY_ABILITY, MIGRATE_ABILITY, MemoryTable,
    MigrateTable, SCALING_ABILITY, SELFTEST_ABILITY, ScalingTable, Slice, Str, WARNINGS_ABILITY,
    WarningsTable, WheelUse, WriteFn, fault_code,
};

use crate::memory::{self, MemoryOwner};
use crate::{Columns, Memory, ModelCore, State, fault};

type MemoryOf<M> = <<M as ModelCore>::State as State>::Memory;

/// Returns the table of a model with this id, or null.
pub(crate) unsafe extern "C" fn find<M: ModelCore>(id: Str) -> *const c_void {
    // SAFETY: the host keeps the text alive during the call.
    match unsafe { id.as_str() } {
        MEMORY_ABILITY if MemoryOf::<M>::PRESENT => {
            std::ptr::from_ref(const { &Tables::<M>::MEMORY }).cast()
        }
        MIGRATE_ABILITY if M::State::MIGRATES => {
            std::ptr::from_ref(const { &Tables::<M>::MIGRATE }).cast()
        }
        SCALING_ABILITY if !M::SCALINGS.is_empty() => {
            std::ptr::from_ref(const { &Tables::<M>::SCALING }).cast()
        }
        ALIASES_ABILITY if !M::ALIASES.is_empty() => {
            std::ptr::from_ref(const { &Tables::<M>::ALIASES }).cast()
        }
        WARNINGS_ABILITY if M::WARNS => std::ptr::from_ref(const { &Tables::<M>::WARNINGS }).cast(),
        SELFTEST_ABILITY => std::ptr::from_ref(const { &fault::SELFTEST }).cast(),
        _ => std::ptr::null(),
    }
}

struct Tables<M>(std::marker::PhantomData<M>);

impl<M: ModelCore> Tables<M> {
    const MEMORY: MemoryTable = MemoryTable {
        size: size_of::<MemoryTable>() as u32,
        reserved: 0,
        create: Self::create,
        destroy: Self::destroy,
        save: Self::save,
        load: Self::load,
    };
    const SCALING: ScalingTable = ScalingTable {
        size: size_of::<ScalingTable>() as u32,
        reserved: 0,
        params: Slice::new(M::SCALINGS),
    };
    const ALIASES: AliasesTable = AliasesTable {
        size: size_of::<AliasesTable>() as u32,
        reserved: 0,
        names: Slice::new(M::ALIASES),
    };
    const WARNINGS: WarningsTable = WarningsTable {
        size: size_of::<WarningsTable>() as u32,
        reserved: 0,
        write: Self::write_warnings,
    };
    const MIGRATE: MigrateTable = MigrateTable {
        size: size_of::<MigrateTable>() as u32,
        reserved: 0,
        migrate: Self::migrate,
    };

    /// Writes a memory to `place` and returns the fault code.
    ///
    /// # Safety
    ///
    /// `place` can be written.
    unsafe fn hand_over(
        made: Result<Result<MemoryOf<M>, String>, fault::Caught>,
        place: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        match made {
            Ok(Ok(memory)) => {
                // SAFETY: promised by the caller.
                unsafe { *place = MemoryOwner::new(memory).into_pointer() };
                fault_code::NONE
            }
            Ok(Err(text)) => fault::report(fault, fault_code::REFUSED, 0, &text),
            Err(caught) => caught.report(fault, 0),
        }
    }

    unsafe extern "C" fn create(
        model: *const c_void,
        memory: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: `model` came from `create` of this type.
        let model = unsafe { &*model.cast::<M>() };
        let made = fault::contain(|| Ok(model.memory()));
        // SAFETY: the host hands over a place for the memory.
        unsafe { Self::hand_over(made, memory, fault) }
    }

    unsafe extern "C" fn destroy(memory: *mut c_void) {
        // SAFETY: the memory came from `create` or `load` of this type and is not used again.
        let memory = unsafe { MemoryOwner::<MemoryOf<M>>::from_pointer(memory) };
        fault::contain_drop(|| drop(memory));
    }

    unsafe extern "C" fn save(
        memory: *const c_void,
        sink: *mut c_void,
        write: WriteFn,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: the memory came from `create` or `load` of this type.
        let memory = match unsafe { memory::saved::<MemoryOf<M>>(memory) } {
            Ok(memory) => memory,
            Err(text) => return fault::report(fault, fault_code::REFUSED, 0, &text),
        };
        match fault::contain(|| memory.save()) {
            Ok(bytes) => {
                // SAFETY: sink and function are the host's; the bytes live during the call.
                unsafe { write(sink, bytes.as_ptr(), bytes.len()) };
                fault_code::NONE
            }
            Err(caught) => caught.report(fault, 0),
        }
    }

    unsafe extern "C" fn load(
        _: *const c_void,
        schema: u32,
        bytes: Slice<u8>,
        memory: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: the host keeps the bytes alive during the call.
        let bytes = unsafe { bytes.as_slice() };
        let made = fault::contain(|| MemoryOf::<M>::load(schema, bytes));
        // SAFETY: the host hands over a place for the memory.
        unsafe { Self::hand_over(made, memory, fault) }
    }

    unsafe extern "C" fn write_warnings(
        model: *const c_void,
        wheels: Slice<WheelUse>,
        sink: *mut c_void,
        write: WriteFn,
    ) {
        // SAFETY: `model` came from `create` of this type; the wheels live during the call.
        let (model, wheels) = unsafe { (&*model.cast::<M>(), wheels.as_slice()) };
        // a panic loses the warnings alone
        let warnings = fault::contain(|| model.warnings(wheels)).unwrap_or_default();
        let lines: Vec<String> = warnings.iter().map(|text| text.replace('\n', " ")).collect();
        let text = lines.join("\n");
        // SAFETY: sink and function are the host's; the bytes live during the call.
        unsafe { write(sink, text.as_ptr(), text.len()) };
    }

    unsafe extern "C" fn migrate(
        _: *const c_void,
        schema: u32,
        names: Slice<Str>,
        values: Slice<f64>,
        slots: *mut f64,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: the host keeps names and values, in equal numbers, alive during the call.
        let (names, values) = unsafe { (names.as_slice(), values.as_slice()) };
        // SAFETY: as above.
        let names = names.iter().map(|name| unsafe { name.as_str() });
        let old: Vec<(&str, f64)> = names.zip(values.iter().copied()).collect();
        let migrated = fault::contain(|| {
            // SAFETY: the host passes one slot per declared state.
            let mut state = M::State::load(|k| unsafe { *slots.add(k) });
            state.migrate(schema, &old).map(|()| state)
        });
        match migrated {
            Ok(Ok(state)) => {
                // SAFETY: as above.
                state.store(|k, value| unsafe { *slots.add(k) = value });
                fault_code::NONE
            }
            Ok(Err(text)) => fault::report(fault, fault_code::REFUSED, 0, &text),
            Err(caught) => caught.report(fault, 0),
        }
    }
}
