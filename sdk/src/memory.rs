//! What a vehicle or a wheel remembers that is no fixed set of numbers.

use std::ffi::c_void;
use std::ops::{Deref, DerefMut};

use simhost_abi::{Fault, MEMORY_ABILITY, MIGRATE_ABILITY, MemoryTable, MigrateTable};
use simhost_abi::{SELFTEST_ABILITY, Slice, Str, WriteFn, fault_code};

use crate::export::Described;
use crate::{State, fault};

/// Data beside the slots of a [`State`], such as a delay line or a map. The host keeps it for each
/// vehicle (or wheel), and saves and loads it for snapshots and for a rebuilt plugin.
pub trait Memory: Default + Send + 'static {
    /// Whether there is any; `()` has none.
    const PRESENT: bool = true;

    /// Everything that [`Self::load`] needs. Called between steps; may allocate.
    fn save(&self) -> Vec<u8>;

    /// Reads what `save` wrote under schema `schema` (`#[state(schema = 2)]`). The bytes may be cut
    /// or wrong: refuse them with a text that tells what is wrong.
    ///
    /// # Errors
    /// When the bytes make no sense, or come from a schema that is not known any more.
    fn load(schema: u32, bytes: &[u8]) -> Result<Self, String>;
}

impl Memory for () {
    const PRESENT: bool = false;
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }
    fn load(_: u32, _: &[u8]) -> Result<Self, String> {
        Ok(())
    }
}

/// Numbers, eight bytes each.
impl Memory for Vec<f64> {
    fn save(&self) -> Vec<u8> {
        self.iter().flat_map(|number| number.to_le_bytes()).collect()
    }
    fn load(_: u32, bytes: &[u8]) -> Result<Self, String> {
        let (numbers, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(format!("{} bytes are no whole number of numbers", bytes.len()));
        }
        Ok(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
    }
}

/// A field of a [`State`] that is kept as [`Memory`]: `#[state(memory)]`.
#[derive(Debug)]
pub struct Remembered<T>(Place<T>);

#[derive(Debug)]
enum Place<T> {
    Absent,
    Owned(Box<T>),
    /// Owned by the host, and lent for one call.
    Lent(*mut T),
}

/// The memory behind a field; for the derive macro.
#[doc(hidden)]
pub trait Remembers {
    type Memory: Memory;
}

impl<T: Memory> Remembers for Remembered<T> {
    type Memory = T;
}

impl<T> Remembered<T> {
    /// A memory of its own, for tests of a model.
    pub fn new(memory: T) -> Self {
        Self(Place::Owned(Box::new(memory)))
    }

    /// Not there yet.
    #[doc(hidden)]
    pub const fn absent() -> Self {
        Self(Place::Absent)
    }

    /// Takes what the host lends for a call.
    ///
    /// # Safety
    /// `memory` points to a `T` that nothing else touches during the call.
    #[doc(hidden)]
    pub unsafe fn lend(&mut self, memory: *mut c_void) {
        self.0 = Place::Lent(memory.cast());
    }
}

impl<T> Deref for Remembered<T> {
    type Target = T;
    fn deref(&self) -> &T {
        match &self.0 {
            Place::Owned(memory) => memory,
            // SAFETY: lent for this call alone.
            Place::Lent(memory) => unsafe { &**memory },
            Place::Absent => panic!("a memory is there during a call of the host only"),
        }
    }
}

impl<T> DerefMut for Remembered<T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.0 {
            Place::Owned(memory) => memory,
            // SAFETY: lent for this call alone.
            Place::Lent(memory) => unsafe { &mut **memory },
            Place::Absent => panic!("a memory is there during a call of the host only"),
        }
    }
}

type MemoryOf<D> = <<D as Described>::State as State>::Memory;

/// The tables of a model, by id.
pub(crate) unsafe extern "C" fn ability<D: Described>(id: Str) -> *const c_void {
    // SAFETY: the host keeps the text alive during the call.
    match unsafe { id.as_str() } {
        MEMORY_ABILITY if MemoryOf::<D>::PRESENT => {
            std::ptr::from_ref(const { &Tables::<D>::MEMORY }).cast()
        }
        MIGRATE_ABILITY if D::State::MIGRATES => {
            std::ptr::from_ref(const { &Tables::<D>::MIGRATE }).cast()
        }
        SELFTEST_ABILITY => std::ptr::from_ref(const { &fault::SELFTEST }).cast(),
        _ => std::ptr::null(),
    }
}

struct Tables<D>(std::marker::PhantomData<D>);

impl<D: Described> Tables<D> {
    const MEMORY: MemoryTable = MemoryTable {
        size: size_of::<MemoryTable>() as u32,
        reserved: 0,
        create: Self::create,
        destroy: Self::destroy,
        save: Self::save,
        load: Self::load,
    };
    const MIGRATE: MigrateTable = MigrateTable {
        size: size_of::<MigrateTable>() as u32,
        reserved: 0,
        migrate: Self::migrate,
    };

    /// Hands a memory over, or says why there is none.
    ///
    /// # Safety
    /// `place` can be written.
    unsafe fn hand_over(
        made: Result<Result<MemoryOf<D>, String>, fault::Caught>,
        place: *mut *mut c_void,
        fault: *mut Fault,
    ) -> u32 {
        match made {
            Ok(Ok(memory)) => {
                // SAFETY: promised by the caller.
                unsafe { *place = Box::into_raw(Box::new(memory)).cast() };
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
        let model = unsafe { &*model.cast::<D::Model>() };
        let made = fault::contain(|| Ok(D::memory(model)));
        // SAFETY: the host hands over a place for the memory.
        unsafe { Self::hand_over(made, memory, fault) }
    }

    unsafe extern "C" fn destroy(memory: *mut c_void) {
        // SAFETY: the memory came from `create` or `load` of this type and is not used again.
        let memory = unsafe { Box::from_raw(memory.cast::<MemoryOf<D>>()) };
        // nobody is left to tell
        let _ = fault::contain(|| drop(memory));
    }

    unsafe extern "C" fn save(
        memory: *const c_void,
        sink: *mut c_void,
        write: WriteFn,
        fault: *mut Fault,
    ) -> u32 {
        // SAFETY: the memory came from `create` or `load` of this type.
        let memory = unsafe { &*memory.cast::<MemoryOf<D>>() };
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
        let made = fault::contain(|| MemoryOf::<D>::load(schema, bytes));
        // SAFETY: the host hands over a place for the memory.
        unsafe { Self::hand_over(made, memory, fault) }
    }

    unsafe extern "C" fn migrate(
        _: *const c_void,
        schema: u32,
        names: Slice<Str>,
        values: Slice<f64>,
        slots: *mut f64,
        fault: *mut Fault,
    ) -> u32 {
        use crate::Columns;
        // SAFETY: the host keeps names and values alive during the call, as many of one as of the
        // other.
        let (names, values) = unsafe { (names.as_slice(), values.as_slice()) };
        // SAFETY: as above.
        let names = names.iter().map(|name| unsafe { name.as_str() });
        let old: Vec<(&str, f64)> = names.zip(values.iter().copied()).collect();
        let migrated = fault::contain(|| {
            // SAFETY: the host hands over as many slots as the model declares.
            let mut state = D::State::load(|k| unsafe { *slots.add(k) });
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
