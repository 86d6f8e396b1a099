//! Files that are not modules with models.

use super::image::Image;
use super::*;
use crate::shapes::shapes;

/// Returns the message of a refused module.
fn refused(bytes: &[u8]) -> String {
    load(bytes).err().unwrap().to_string()
}

#[test]
fn a_module_with_the_descriptor_of_a_model_is_accepted() {
    let class = load(&module(&Image::new(), &[], "")).unwrap();
    assert_eq!(class.model.id(), "default");
    assert!(!class.model.params().is_empty() && !class.model.doc().is_empty());
    assert_eq!(class.model.phases()[0].id(), "force");
}

#[test]
fn other_files_are_refused() {
    for (bytes, reason) in [
        (&b"\0asm"[..], "does not begin as a core module"),
        (b"\0asm\x0d\0\x01\0", "it is a component, expected a core module"),
        (b"\0asm\x01\0\0\0", "missing symbol `simhost_plugin_v1`"),
        (b"\0asm\x01\0\0\0\xff\xff", "its code is invalid"),
    ] {
        let found = refused(bytes);
        assert!(found.contains(reason), "{found}");
    }
}

#[test]
fn imports_of_other_modules_are_refused() {
    let more = "(import \"wasi_snapshot_preview1\" \"fd_write\" (func (param i32 i32 i32 i32) (result i32)))";
    let found = refused(&module(&Image::new(), &[], more));
    assert!(found.contains("imports the function `wasi_snapshot_preview1.fd_write`"), "{found}");
    let found = refused(&module(&Image::new(), &[], "(import \"simhost\" \"offers\" (func))"));
    assert!(found.contains("incompatible import type"), "{found}");
}

#[test]
fn functions_that_are_missing_or_have_another_type_are_named() {
    let found = refused(&module(&Image::new(), &[("simhost_call", "")], ""));
    assert!(found.contains("does not export `simhost_call`"), "{found}");
    let found = refused(&module(&Image::new(), &[("simhost_capacity", "(param i64)")], ""));
    assert!(found.contains("its function `simhost_capacity` has the type"), "{found}");
}

#[test]
fn relaxed_and_shared_instructions_are_refused() {
    let relaxed = "(func (param v128) (result v128) (f64x2.relaxed_madd (local.get 0) (local.get 0) (local.get 0)))";
    let found = refused(&module(&Image::new(), &[], relaxed));
    assert!(found.contains("its code is invalid"), "{found}");
}

/// A change of one number in the descriptor, and the reason of the refusal.
type Change = (&'static str, &'static str, u32, &'static str);

#[test]
fn pointers_of_the_descriptor_are_checked() {
    let changes: [Change; 9] = [
        ("Plugin", "vendor", 0x7fff_fff0, "`Plugin.vendor` is outside of the memory"),
        ("Plugin", "models", u32::MAX - 3, "`Plugin.models` is outside of the memory"),
        ("Model", "size", 3, "`Model` has a `size` of 3 bytes"),
        ("Model", "doc", u32::MAX, "`Model.doc` is outside of the memory"),
        ("Model", "params", u32::MAX - 8, "`Model.params` is outside of the memory"),
        ("Model", "phases", 0x0fff_fff0, "`Model.phases` is outside of the memory"),
        ("Model", "create", 0, "`create` of a model is null"),
        ("Model", "kind", 99, "its kind is 99"),
        ("Model", "chassis", 0x7fff_0000, "`ChassisDesc` is outside of the memory"),
    ];
    for (name, field, value, reason) in changes {
        let mut image = Image::new();
        let at = if name == "Plugin" { image.plugin() } else { image.model() };
        image.put(name, at, field, value);
        let found = refused(&module(&image, &[], ""));
        assert!(found.contains(reason), "{name}.{field}: {found}");
    }
}

#[test]
fn lists_that_are_too_long_are_refused_before_they_are_copied() {
    let mut image = Image::new();
    let models = image.plugin() + shapes().get("Plugin").field("models").offset as u32;
    let at = (models + 4 - Image::BASE) as usize;
    let mut bytes = image.bytes().to_vec();
    bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    image = image.with_bytes(bytes);
    let found = refused(&module(&image, &[], ""));
    assert!(found.contains("more than 16777216 bytes"), "{found}");
}

#[test]
fn a_list_of_models_with_a_null_pointer_is_refused() {
    let mut image = Image::new();
    let models = image.get(image.plugin() + shapes().get("Plugin").field("models").offset as u32);
    image.set_at(models, 0);
    let found = refused(&module(&image, &[], ""));
    assert!(found.contains("item 1 of `Plugin.models` is null"), "{found}");
}

#[test]
fn heads_of_other_hosts_are_refused() {
    let mut image = Image::new();
    let at = image.plugin();
    image.put("Head", at, "magic", 5);
    assert!(matches!(load(&module(&image, &[], "")), Err(Refusal::Magic)));
    let mut image = Image::new();
    image.put("Head", at, "epoch", 9);
    assert!(matches!(load(&module(&image, &[], "")), Err(Refusal::Epoch { theirs: 9 })));
    let mut image = Image::new();
    image.put("Head", at, "fingerprint", 1);
    let ours = shapes().fingerprint;
    match load(&module(&image, &[], "")) {
        Err(Refusal::Layout { ours: expected, .. }) => assert_eq!(expected, ours),
        other => panic!("{:?}", other.err()),
    }
}
