#![no_main]

use std::fmt::Write as _;

use libfuzzer_sys::fuzz_target;
use simhost_model::{Instance, ModelRef, ParamValue, View};
use simhost_registry::ModuleLoader;
use simhost_sandbox::{Export, LOADER};

/// Address of the descriptor.
const DESCRIPTOR: usize = 1024;

/// Returns a module whose memory has these bytes from the address of the descriptor on, and whose functions do nothing.
fn module_with_memory(bytes: &[u8]) -> Vec<u8> {
    let mut text = String::from("(module (memory (export \"memory\") 2)\n");
    let _ = writeln!(text, "(global (export \"{}\") i32 (i32.const {DESCRIPTOR}))", simhost_abi::SYMBOL);
    for export in Export::ALL.iter().filter(|export| export.is_required()) {
        let (arguments, results) = (" i32".repeat(export.arguments()), " i32".repeat(export.results()));
        let body = if export.results() > 0 { "i32.const 0" } else { "" };
        let name = export.name();
        let _ = writeln!(text, "(func (export \"{name}\") (param{arguments}) (result{results}) {body})");
    }
    let _ = write!(text, "(data (i32.const {DESCRIPTOR}) \"");
    for byte in bytes {
        let _ = write!(text, "\\{byte:02x}");
    }
    text.push_str("\"))");
    wat::parse_str(&text).expect("the text is a module")
}

// The first byte decides between a module, and the memory of a module with the functions of all models.
fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let module = match choice % 2 {
        0 => bytes.to_vec(),
        _ => module_with_memory(&bytes[..bytes.len().min(1 << 16)]),
    };
    let Ok(plugin) = LOADER.load(&module) else { return };
    // SAFETY: the loader has checked it.
    for model in unsafe { View::new(plugin) }.models() {
        let class = ModelRef { model, full_name: "fuzz/model".into(), source: "fuzz".into() };
        let values = vec![ParamValue::None; model.params().len()];
        if let Ok(instance) = Instance::new(&class, values) {
            let _ = (instance.defect(), instance.images());
        }
    }
});
