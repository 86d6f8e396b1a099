//! Modules by wasmtime.
//!
//! Memory accesses and calls are checked by code instead of signals, so that a program, a Python interpreter or a debugger
//! keeps its handlers of signals, and thousands of instances need no address space. Numbers that are not one get the same bits on
//! every processor where they leave the module (`frame.rs`); in the code of a module, this would take as much time
//! as the arithmetic. A function that runs for [`LIMIT`] traps.

use std::sync::{Arc, Once, OnceLock};
use std::time::Duration;

use wasmtime::{
    Caller, Config, Engine as Compiler, Extern, Func, FuncType, Instance, InstancePre, Linker,
    Memory, Module, Store, StoreLimits, StoreLimitsBuilder, TypedFunc, Val, ValType, WasmBacktrace,
};

use crate::cache;
use crate::engine::{
    CallContext, Code, Engine, Export, Guest, GuestMemory, MAX_MEMORY, OutOfBounds, PAGE, Trap,
};
use crate::services::{Import, serve};

/// Time that a call can take.
const LIMIT: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });
/// Interval at which running calls are counted.
const TICK: Duration = Duration::from_millis(100);
/// Largest stack of a call, bytes.
const MAX_STACK: usize = 1 << 19;

/// The engine of programs.
pub(crate) struct Wasmtime(OnceLock<Result<Compiler, String>>);

pub(crate) static ENGINE: Wasmtime = Wasmtime(OnceLock::new());
/// Loads modules by wasmtime.
pub static LOADER: crate::Sandbox = crate::Sandbox(&ENGINE);

simhost_sdk::inventory::submit! { simhost_registry::LinkedModuleLoader(&LOADER) }

/// Data of a store, for its imports and limits.
struct Host {
    context: CallContext,
    limits: StoreLimits,
}

/// A compiled module.
struct Compiled {
    module: Module,
    ready: InstancePre<Host>,
}

/// An instance.
struct Running {
    code: Arc<Compiled>,
    store: Store<Host>,
    parts: Parts,
}

/// Exports of an instance.
struct Parts {
    instance: Instance,
    memory: Memory,
    functions: Vec<Option<Func>>,
    /// The function that is called most.
    call: TypedFunc<(u32, u32, u32, u32), u32>,
}

/// Returns the compiler with the settings for models.
fn compiler() -> wasmtime::Result<Compiler> {
    let mut config = Config::new();
    config
        .signals_based_traps(false)
        .memory_reservation(0)
        .memory_guard_size(0)
        .memory_reservation_for_growth(1 << 20)
        .epoch_interruption(true)
        .max_wasm_stack(MAX_STACK)
        .wasm_relaxed_simd(false);
    Compiler::new(&config)
}

/// Counts time for the limit of calls, from the first call of a model on.
fn count_time(engine: &Compiler) {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        let engine = engine.weak();
        // without the thread, a call can take any time
        let _ = std::thread::Builder::new().name("module limits".into()).spawn(move || {
            while let Some(engine) = engine.upgrade() {
                engine.increment_epoch();
                drop(engine);
                std::thread::sleep(TICK);
            }
        });
    });
}

impl Engine for Wasmtime {
    fn compile(&self, bytes: &[u8]) -> Result<Arc<dyn Code>, String> {
        let engine = self.0.get_or_init(|| compiler().map_err(|error| format!("{error:#}")));
        let engine = engine.as_ref().map_err(Clone::clone)?;
        let invalid = |error: wasmtime::Error| format!("its code is invalid: {error:#}");
        let module = cache::compiled(engine, bytes).map_err(invalid)?;
        let mut linker = Linker::new(engine);
        for import in Import::ALL {
            let ty = function_type(engine, import.arguments(), import.results());
            let answer = move |caller: Caller<'_, Host>, given: &[Val], results: &mut [Val]| {
                answer(*import, caller, given, results)
            };
            linker.func_new(Import::MODULE, import.name(), ty, answer).map_err(invalid)?;
        }
        // unknown imports are reported with the checks of the boundary
        match linker.instantiate_pre(&module) {
            Ok(ready) => Ok(Arc::new(Arc::new(Compiled { module, ready }))),
            Err(error) => Ok(Arc::new(Unlinked { module, reason: format!("{error:#}") })),
        }
    }
}

/// Returns the type of a function with arguments and results of 32 bits.
fn function_type(engine: &Compiler, arguments: usize, results: usize) -> FuncType {
    let numbers = |count| std::iter::repeat_n(ValType::I32, count);
    FuncType::new(engine, numbers(arguments), numbers(results))
}

/// Calls an import.
fn answer(
    import: Import,
    mut caller: Caller<'_, Host>,
    given: &[Val],
    results: &mut [Val],
) -> wasmtime::Result<()> {
    let arguments: Vec<u32> = given.iter().map(|value| value.unwrap_i32() as u32).collect();
    let context = caller.data().context;
    let memory = caller.get_export(Export::MEMORY).and_then(Extern::into_memory);
    let memory = memory.ok_or_else(|| wasmtime::Error::msg("the memory is not exported"))?;
    let mut bytes = Bytes(memory.data_mut(&mut caller));
    let answer = serve(import, &arguments, &context, &mut bytes).map_err(wasmtime::Error::msg)?;
    if let Some(result) = results.first_mut() {
        *result = Val::I32(answer as i32);
    }
    Ok(())
}

/// The bytes of a memory.
struct Bytes<'m>(&'m mut [u8]);

impl GuestMemory for Bytes<'_> {
    fn read(&mut self, at: u32, bytes: &mut [u8]) -> Result<(), OutOfBounds> {
        let end = (at as usize).checked_add(bytes.len()).ok_or(OutOfBounds)?;
        bytes.copy_from_slice(self.0.get(at as usize..end).ok_or(OutOfBounds)?);
        Ok(())
    }

    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), OutOfBounds> {
        let end = (at as usize).checked_add(bytes.len()).ok_or(OutOfBounds)?;
        self.0.get_mut(at as usize..end).ok_or(OutOfBounds)?.copy_from_slice(bytes);
        Ok(())
    }
}

/// A module whose imports do not fit.
struct Unlinked {
    module: Module,
    reason: String,
}

/// Returns the imports of a module.
fn imports(module: &Module) -> Vec<[String; 3]> {
    let kind = |import: &wasmtime::ImportType<'_>| match import.ty() {
        wasmtime::ExternType::Func(_) => "function",
        wasmtime::ExternType::Memory(_) => "memory",
        wasmtime::ExternType::Table(_) => "table",
        _ => "global",
    };
    let parts = module.imports();
    parts.map(|one| [one.module().into(), one.name().into(), kind(&one).into()]).collect()
}

/// Returns the names of the exports of a module.
fn exports(module: &Module) -> Vec<String> {
    module.exports().map(|export| export.name().to_owned()).collect()
}

impl Code for Unlinked {
    fn imports(&self) -> Vec<[String; 3]> {
        imports(&self.module)
    }

    fn exports(&self) -> Vec<String> {
        exports(&self.module)
    }

    fn instantiate(&self) -> Result<Box<dyn Guest>, String> {
        Err(self.reason.clone())
    }
}

impl Code for Arc<Compiled> {
    fn imports(&self) -> Vec<[String; 3]> {
        imports(&self.module)
    }

    fn exports(&self) -> Vec<String> {
        exports(&self.module)
    }

    fn instantiate(&self) -> Result<Box<dyn Guest>, String> {
        let (store, parts) = started(self)?;
        Ok(Box::new(Running { code: Self::clone(self), store, parts }))
    }
}

/// Creates an instance in a separate store.
fn started(code: &Compiled) -> Result<(Store<Host>, Parts), String> {
    let limits = StoreLimitsBuilder::new().memory_size(MAX_MEMORY).table_elements(1 << 20);
    let limits = limits.instances(1).memories(1).tables(16).build();
    let mut store = Store::new(code.module.engine(), Host { context: CallContext::NONE, limits });
    store.limiter(|host| &mut host.limits);
    store.set_epoch_deadline(deadline());
    let instance = code.ready.instantiate(&mut store).map_err(|error| described(&error))?;
    let memory = instance.get_memory(&mut store, Export::MEMORY);
    let memory =
        memory.ok_or_else(|| format!("its export `{}` is not a memory", Export::MEMORY))?;
    let mut functions = Vec::new();
    for export in Export::ALL {
        let function = instance.get_func(&mut store, export.name());
        let expected = function_type(code.module.engine(), export.arguments(), export.results());
        if let Some(function) = &function
            && !FuncType::eq(&function.ty(&store), &expected)
        {
            return Err(format!(
                "its function `{}` has the type {}, expected {expected}; build it with the SDK of this host",
                export.name(),
                function.ty(&store),
            ));
        }
        functions.push(function);
    }
    let call = instance.get_typed_func(&mut store, Export::Call.name());
    let call = call.map_err(|error| format!("{error:#}"))?;
    Ok((store, Parts { instance, memory, functions, call }))
}

/// Number of ticks that a call can take.
const fn deadline() -> u64 {
    (LIMIT.as_millis() / TICK.as_millis()) as u64
}

/// Returns the reason of a trap with the function and the offset in the module where it happened.
fn described(error: &wasmtime::Error) -> String {
    let what = match error.downcast_ref::<wasmtime::Trap>() {
        Some(wasmtime::Trap::Interrupt) => format!("it ran for {} s", LIMIT.as_secs()),
        Some(wasmtime::Trap::StackOverflow) => "its stack overflowed".to_owned(),
        Some(wasmtime::Trap::MemoryOutOfBounds) => {
            "it accessed memory that it does not have".to_owned()
        }
        Some(trap) => {
            let text = trap.to_string();
            format!("it trapped: {}", text.strip_prefix("wasm trap: ").unwrap_or(&text))
        }
        None => error.root_cause().to_string(),
    };
    let frame = error.downcast_ref::<WasmBacktrace>().and_then(|trace| trace.frames().first());
    let Some(frame) = frame else { return what };
    let function = frame.func_name().unwrap_or("a function without a name");
    match frame.module_offset() {
        Some(offset) => format!("{what} in {function}, at offset {offset:#x} of the module"),
        None => format!("{what} in {function}"),
    }
}

impl GuestMemory for Running {
    fn read(&mut self, at: u32, bytes: &mut [u8]) -> Result<(), OutOfBounds> {
        Bytes(self.parts.memory.data_mut(&mut self.store)).read(at, bytes)
    }

    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), OutOfBounds> {
        Bytes(self.parts.memory.data_mut(&mut self.store)).write(at, bytes)
    }
}

impl Guest for Running {
    fn descriptor(&mut self) -> Result<u32, String> {
        let name = simhost_abi::SYMBOL;
        let global = self.parts.instance.get_global(&mut self.store, name);
        match global.map(|global| global.get(&mut self.store)) {
            Some(Val::I32(at)) => Ok(at as u32),
            _ => Err(format!("its export `{name}` is not the address of data")),
        }
    }

    fn has(&self, export: Export) -> bool {
        self.parts.functions[export as usize].is_some()
    }

    fn call(
        &mut self,
        export: Export,
        arguments: &[u32],
        context: &CallContext,
    ) -> Result<u32, Trap> {
        if !matches!(export, Export::Initialize | Export::Services | Export::Ability) {
            count_time(self.code.module.engine());
        }
        self.store.data_mut().context = *context;
        self.store.set_epoch_deadline(deadline());
        let outcome = match (export, arguments) {
            (Export::Call, [a, b, c, d]) => self.parts.call.call(&mut self.store, (*a, *b, *c, *d)),
            _ => self.call_any(export, arguments),
        };
        self.store.data_mut().context = CallContext::NONE;
        outcome.map_err(|error| Trap(described(&error)))
    }

    fn grow(&mut self, pages: usize) -> Result<u32, String> {
        let before = self.parts.memory.grow(&mut self.store, pages as u64);
        let before = before.map_err(|_| format!("its memory exceeds {MAX_MEMORY} bytes"))?;
        u32::try_from(before as usize * PAGE).map_err(|error| error.to_string())
    }

    fn reset(&mut self) -> Result<(), String> {
        let (mut store, parts) = started(&self.code)?;
        let old = self.parts.memory.data(&self.store);
        let missing = old.len().saturating_sub(parts.memory.data_size(&store));
        let grown = parts.memory.grow(&mut store, (missing / PAGE) as u64);
        grown.map_err(|error| format!("{error:#}"))?;
        parts.memory.data_mut(&mut store).copy_from_slice(old);
        (self.store, self.parts) = (store, parts);
        Ok(())
    }
}

impl Running {
    fn call_any(&mut self, export: Export, arguments: &[u32]) -> wasmtime::Result<u32> {
        let function = self.parts.functions[export as usize];
        let function = function.ok_or_else(|| wasmtime::Error::msg("the function is missing"))?;
        let arguments: Vec<Val> = arguments.iter().map(|value| Val::I32(*value as i32)).collect();
        let mut results = vec![Val::I32(0); export.results()];
        function.call(&mut self.store, &arguments, &mut results)?;
        Ok(results.first().map_or(0, |result| result.unwrap_i32() as u32))
    }
}
