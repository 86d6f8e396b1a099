//! Models in WebAssembly modules, which the engine of the browser runs.
//!
//! The page compiles modules and creates instances: `web/src/tab/models.ts`. It knows each by a number. A module that asks a
//! service of the host calls the page, which calls [`simhost_serve_model`].

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use simhost_sandbox::{
    CallContext, Code, Engine, Export, Guest, GuestMemory, Import, OutOfBounds, Sandbox, Trap,
    serve,
};

/// Functions of the page. Those that can fail return a negative number, and the reason is the text.
mod page {
    #[link(wasm_import_module = "simhost_models")]
    unsafe extern "C" {
        /// Compiles a module and returns its number.
        pub fn model_compile(bytes: *const u8, length: usize) -> i32;
        /// Makes the text: one line per import, with module, name and type, and then an empty line and the names of the exports.
        pub fn model_describe(code: i32);
        /// Creates an instance and returns its number.
        pub fn model_instantiate(code: i32) -> i32;
        /// Returns the address of the descriptor.
        pub fn model_descriptor(guest: i32, at: *mut u32) -> i32;
        /// Calls an export with numbers and writes its result.
        pub fn model_call(
            guest: i32,
            export: u32,
            arguments: *const u32,
            count: usize,
            result: *mut u32,
        ) -> i32;
        /// Copies bytes out of the memory of an instance.
        pub fn model_read(guest: i32, at: u32, bytes: *mut u8, length: usize) -> i32;
        /// Copies bytes into the memory of an instance.
        pub fn model_write(guest: i32, at: u32, bytes: *const u8, length: usize) -> i32;
        /// Enlarges the memory and returns its former number of pages.
        pub fn model_grow(guest: i32, pages: usize) -> i32;
        /// Replaces an instance by a new one with the same memory.
        pub fn model_reset(guest: i32) -> i32;
        /// Forgets an instance.
        pub fn model_drop(guest: i32);
        /// Length of the text, bytes.
        pub fn model_text_length() -> usize;
        /// Copies the text.
        pub fn model_text(bytes: *mut u8);
    }
}

/// The engine of the browser.
struct Browser;

static LOADER: Sandbox = Sandbox(&Browser);

simhost_sdk::inventory::submit! { simhost_registry::LinkedModuleLoader(&LOADER) }

thread_local! {
    /// Contexts of the calls that instances are making.
    static CALLS: RefCell<BTreeMap<i32, CallContext>> = const { RefCell::new(BTreeMap::new()) };
    /// Arguments of an import, and then its result.
    static ARGUMENTS: RefCell<[u32; 8]> = const { RefCell::new([0; 8]) };
    /// Text for the page.
    static TEXT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Sets the text for the page.
pub(crate) fn say(answer: String) {
    TEXT.with_borrow_mut(|text| *text = answer);
}

/// Returns the text of the page.
pub(crate) fn text() -> String {
    // SAFETY: the buffer has the length of the text.
    let bytes = unsafe {
        let mut bytes = vec![0; page::model_text_length()];
        page::model_text(bytes.as_mut_ptr());
        bytes
    };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns a number of the page, or the text if it is negative.
fn checked(status: i32) -> Result<i32, String> {
    if status < 0 { Err(text()) } else { Ok(status) }
}

impl Engine for Browser {
    fn compile(&self, bytes: &[u8]) -> Result<Arc<dyn Code>, String> {
        // SAFETY: the page reads these bytes during the call.
        let code = checked(unsafe { page::model_compile(bytes.as_ptr(), bytes.len()) })?;
        // SAFETY: the module exists.
        unsafe { page::model_describe(code) };
        let described = text();
        let (imports, exports) = described.split_once("\n\n").unwrap_or((&described, ""));
        let imports = imports.lines().map(|line| {
            let mut parts = line.split('\t').map(str::to_owned);
            std::array::from_fn(|_| parts.next().unwrap_or_default())
        });
        Ok(Arc::new(PageCode {
            code,
            imports: imports.collect(),
            exports: exports.lines().map(str::to_owned).collect(),
        }))
    }
}

/// A module that the page has compiled.
struct PageCode {
    code: i32,
    imports: Vec<[String; 3]>,
    exports: Vec<String>,
}

impl Code for PageCode {
    fn imports(&self) -> Vec<[String; 3]> {
        self.imports.clone()
    }

    fn exports(&self) -> Vec<String> {
        self.exports.clone()
    }

    fn instantiate(&self) -> Result<Box<dyn Guest>, String> {
        // SAFETY: the module exists.
        let guest = checked(unsafe { page::model_instantiate(self.code) })?;
        let has = |export: &Export| self.exports.iter().any(|name| name == export.name());
        Ok(Box::new(PageGuest {
            memory: PageMemory(guest),
            exports: Export::ALL.iter().map(has).collect(),
        }))
    }
}

/// The memory of an instance of the page.
struct PageMemory(i32);

impl GuestMemory for PageMemory {
    fn read(&mut self, at: u32, bytes: &mut [u8]) -> Result<(), OutOfBounds> {
        // SAFETY: the page writes these bytes during the call.
        let status = unsafe { page::model_read(self.0, at, bytes.as_mut_ptr(), bytes.len()) };
        if status < 0 { Err(OutOfBounds) } else { Ok(()) }
    }

    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), OutOfBounds> {
        // SAFETY: the page reads these bytes during the call.
        let status = unsafe { page::model_write(self.0, at, bytes.as_ptr(), bytes.len()) };
        if status < 0 { Err(OutOfBounds) } else { Ok(()) }
    }
}

/// An instance of the page.
struct PageGuest {
    memory: PageMemory,
    exports: Vec<bool>,
}

impl Drop for PageGuest {
    fn drop(&mut self) {
        // SAFETY: the instance is not used again.
        unsafe { page::model_drop(self.memory.0) };
    }
}

impl GuestMemory for PageGuest {
    fn read(&mut self, at: u32, bytes: &mut [u8]) -> Result<(), OutOfBounds> {
        self.memory.read(at, bytes)
    }

    fn write(&mut self, at: u32, bytes: &[u8]) -> Result<(), OutOfBounds> {
        self.memory.write(at, bytes)
    }
}

impl Guest for PageGuest {
    fn descriptor(&mut self) -> Result<u32, String> {
        let mut at = 0;
        // SAFETY: the page writes the address during the call.
        checked(unsafe { page::model_descriptor(self.memory.0, &raw mut at) })?;
        Ok(at)
    }

    fn has(&self, export: Export) -> bool {
        self.exports[export as usize]
    }

    fn call(
        &mut self,
        export: Export,
        arguments: &[u32],
        context: &CallContext,
    ) -> Result<u32, Trap> {
        let guest = self.memory.0;
        CALLS.with_borrow_mut(|calls| calls.insert(guest, *context));
        let (at, count, mut result) = (arguments.as_ptr(), arguments.len(), 0);
        // SAFETY: the page reads the arguments and writes the result during the call.
        let status = unsafe { page::model_call(guest, export as u32, at, count, &raw mut result) };
        CALLS.with_borrow_mut(|calls| calls.remove(&guest));
        checked(status).map(|_| result).map_err(Trap)
    }

    fn grow(&mut self, pages: usize) -> Result<u32, String> {
        // SAFETY: the instance exists.
        let before = checked(unsafe { page::model_grow(self.memory.0, pages) })?;
        Ok((before as u32) << 16)
    }

    fn reset(&mut self) -> Result<(), String> {
        // SAFETY: the instance exists.
        checked(unsafe { page::model_reset(self.memory.0) }).map(drop)
    }
}

/// Makes the text of the functions of modules: one line per import with its name and number of results, and then an empty line
/// and the names of the exports. The numbers of functions are their indices here.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_model_functions() {
    let imports =
        Import::ALL.iter().map(|import| format!("{}\t{}", import.name(), import.results()));
    let exports = Export::ALL.iter().map(|export| export.name().to_owned());
    let lines = imports.chain([String::new()]).chain(exports);
    say(lines.collect::<Vec<_>>().join("\n"));
}

/// Returns the address of the arguments of an import, where its result is afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_import_arguments() -> *mut u32 {
    ARGUMENTS.with(|arguments| arguments.as_ptr().cast())
}

/// Answers a call of an import by its number. Returns 0, or -1 if the call must trap, with the reason as text.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_serve_model(guest: i32, import: usize) -> i32 {
    let context = CALLS.with_borrow(|calls| calls.get(&guest).copied());
    let arguments = ARGUMENTS.with_borrow(|arguments| *arguments);
    let outcome = match (context, Import::ALL.get(import)) {
        (Some(context), Some(import)) => {
            let given = &arguments[..import.arguments()];
            serve(*import, given, &context, &mut PageMemory(guest))
        }
        _ => Err("the module is not called by the simulator".to_owned()),
    };
    match outcome {
        Ok(result) => {
            ARGUMENTS.with_borrow_mut(|arguments| arguments[0] = result);
            0
        }
        Err(reason) => {
            say(reason);
            -1
        }
    }
}

/// Returns the address of the text for the page.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_model_text() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}

/// Returns the length of the text for the page, bytes.
#[unsafe(no_mangle)]
pub extern "C" fn simhost_model_text_length() -> usize {
    TEXT.with_borrow(String::len)
}
