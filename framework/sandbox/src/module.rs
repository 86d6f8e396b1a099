//! Modules as plugins.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use simhost_abi::{EPOCH, MAGIC, Plugin, SYMBOL};
use simhost_model::View;
use simhost_registry::{ModuleLoader, Refusal};

use crate::descriptor::{Arena, Translator, head_number};
use crate::engine::{Code, Engine, Export, Guest};
use crate::model::{MODELS, ModuleModel};
use crate::runner::Runner;
use crate::services::Import;
use crate::shapes::shapes;
use crate::{abilities, functions};

/// The first bytes of a core module.
const CORE: &[u8] = b"\0asm\x01\0\0\0";

/// Turns modules into plugins with an engine.
pub struct Sandbox(pub &'static dyn Engine);

/// Plugins by the SHA-256 of their modules, so that a module that is loaded again has the same models.
static LOADED: Mutex<BTreeMap<[u8; 32], &'static Plugin>> = Mutex::new(BTreeMap::new());

impl ModuleLoader for Sandbox {
    fn load(&self, bytes: &[u8]) -> Result<&'static Plugin, Refusal> {
        is_core(bytes)?;
        let key: [u8; 32] = Sha256::digest(bytes).into();
        // one module at a time: the numbers of its models are not given to another one meanwhile
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = loaded.get(&key) {
            return Ok(known);
        }
        let plugin = self.load_new(bytes)?;
        loaded.insert(key, plugin);
        Ok(plugin)
    }
}

impl Sandbox {
    /// Loads a module that has not been loaded.
    fn load_new(&self, bytes: &[u8]) -> Result<&'static Plugin, Refusal> {
        let code = self.0.compile(bytes).map_err(Refusal::Module)?;
        check_boundary(&*code)?;
        let mut runner = Runner::new(&*code).map_err(Refusal::Module)?;
        let at = runner.guest.descriptor().map_err(Refusal::Module)?;
        check_head(&mut *runner.guest, at)?;
        let first = MODELS.lock().unwrap_or_else(PoisonError::into_inner).len();
        let mut arena = Arena::default();
        let translator = Translator::new(&mut *runner.guest, &mut arena);
        let (plugin, addresses) = translator.plugin(at).map_err(Refusal::Descriptor)?;
        // SAFETY: the descriptor has been copied; nothing else refers to it.
        unsafe { functions::set(plugin, first, &addresses) }.map_err(Refusal::Descriptor)?;
        simhost_registry::descriptor::check(plugin).map_err(Refusal::Descriptor)?;
        // SAFETY: the descriptor has been copied and checked.
        let view = unsafe { View::new(plugin) };
        let made = view.models().zip(addresses).map(|(model, addresses)| {
            let tables = abilities::read(&mut runner, addresses.model, &mut arena);
            let tables = tables.map_err(Refusal::Descriptor)?;
            Ok(ModuleModel::new(&code, addresses, model, tables))
        });
        let made: Vec<ModuleModel> = made.collect::<Result<_, Refusal>>()?;
        arena.keep();
        let made = made.into_iter().map(|model| &*Box::leak(Box::new(model)));
        MODELS.lock().unwrap_or_else(PoisonError::into_inner).extend(made);
        Ok(plugin)
    }
}

/// Checks that bytes are a core module.
fn is_core(bytes: &[u8]) -> Result<(), Refusal> {
    if bytes.starts_with(CORE) {
        return Ok(());
    }
    Err(Refusal::Module(match bytes.get(4..8) {
        Some(version) if bytes.starts_with(&CORE[..4]) && version[2] != 0 => {
            "it is a component, expected a core module; build it for wasm32-unknown-unknown".into()
        }
        _ => "it does not begin as a core module of version 1".into(),
    }))
}

/// Checks imports and exports.
fn check_boundary(code: &dyn Code) -> Result<(), Refusal> {
    for [module, name, kind] in code.imports() {
        let known = Import::ALL.iter().any(|import| import.name() == name);
        if module != Import::MODULE || !known || kind != "function" {
            return Err(Refusal::Module(format!(
                "it imports the {kind} `{module}.{name}`, expected only functions of the SDK; a model has no files, clock or \
                 output: build it for wasm32-unknown-unknown"
            )));
        }
    }
    let exports = code.exports();
    let has = |name: &str| exports.iter().any(|export| export == name);
    if !has(SYMBOL) {
        return Err(Refusal::NoSymbol);
    }
    let functions = Export::ALL.iter().filter(|export| export.is_required());
    let required = functions.map(|export| export.name()).chain([Export::MEMORY]);
    match required.into_iter().find(|name| !has(name)) {
        None => Ok(()),
        Some(missing) => Err(Refusal::Module(format!(
            "it does not export `{missing}`; build it with the SDK of this host, or in C with `simhost_module.c`"
        ))),
    }
}

/// Checks magic number, epoch and layout of a descriptor.
fn check_head(guest: &mut dyn Guest, at: u32) -> Result<(), Refusal> {
    let outside = |_| Refusal::Module(format!("`{SYMBOL}` is outside of its memory"));
    if u64::from_le_bytes(head_number(guest, at, "magic").map_err(outside)?) != MAGIC {
        return Err(Refusal::Magic);
    }
    let epoch = u32::from_le_bytes(head_number(guest, at, "epoch").map_err(outside)?);
    if epoch != EPOCH {
        return Err(Refusal::Epoch { theirs: epoch });
    }
    let theirs = u64::from_le_bytes(head_number(guest, at, "fingerprint").map_err(outside)?);
    let size = u32::from_le_bytes(head_number(guest, at, "size").map_err(outside)?);
    let ours = shapes().fingerprint;
    if theirs != ours || size as usize != shapes().get("Plugin").size {
        return Err(Refusal::Layout { theirs, ours, difference: String::new() });
    }
    Ok(())
}
