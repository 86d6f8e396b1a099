//! The layout of the boundary, compared with the layout that `abi_stable` derives.
#![allow(clippy::unwrap_used)]

use std::mem::size_of;

use crate::{
    ArrayPort, Batch, ChassisDesc, CommandDesc, Fault, Head, LAYOUT, Model, ParamDesc, Phase,
    Plugin, PortDesc, Services, StateDesc, Str, StructLayout, Value, WheelDesc, WheelGeometry,
};
use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::check_layout_compatibility;
use abi_stable::type_layout::TypeLayout;

/// Structs of the boundary with two fields of the same type swapped, so that all sizes are equal.
pub(crate) mod swapped {
    use crate::{Head, Model, Slice, Str};
    use abi_stable::StableAbi;

    #[repr(C)]
    #[derive(StableAbi)]
    pub struct Plugin {
        pub head: Head,
        pub name: Str,
        pub vendor: Str,
        pub version: Str,
        pub models: Slice<*const Model>,
    }

    #[repr(C)]
    #[derive(StableAbi)]
    pub struct Fault {
        pub text_len: u32,
        pub code: u32,
        pub lane: u64,
        pub suggested_dt: f64,
        pub text: [u8; 240],
    }
}

/// The names and sizes of all fields, in order, and the size of the struct.
type Shape = (String, usize, Vec<(String, usize)>);

fn described(layout: &StructLayout) -> Shape {
    // SAFETY: the description is static.
    let text = |text: Str| unsafe { text.as_str() }.to_owned();
    // SAFETY: as above.
    let fields = unsafe { layout.fields.as_slice() };
    let shape = (text(layout.name), layout.size);
    (shape.0, shape.1, fields.iter().map(|field| (text(field.name), field.size)).collect())
}

fn derived(layout: &TypeLayout) -> Shape {
    let fields = layout.get_fields().unwrap();
    let fields = fields.iter().map(|field| (field.name().to_owned(), field.layout().size()));
    (layout.name().to_owned(), layout.size(), fields.collect())
}

/// A second opinion: abi_stable walks the types, and the description comes from `offset_of!`.
#[test]
fn the_description_is_that_of_abi_stable() {
    macro_rules! layouts {
        ($($name:ident),*) => { [$( derived(<$name as StableAbi>::LAYOUT) ),*] };
    }
    let derived = layouts!(
        Str,
        Value,
        ParamDesc,
        PortDesc,
        StateDesc,
        CommandDesc,
        WheelDesc,
        WheelGeometry,
        ChassisDesc,
        Fault,
        ArrayPort,
        Batch,
        Services,
        Phase,
        Model,
        Head,
        Plugin
    );
    let described: Vec<_> = LAYOUT.iter().map(described).collect();
    assert_eq!(described, derived);
}

/// Fields follow each other with no more padding than their alignment needs.
#[test]
fn fields_stand_where_the_rules_of_c_put_them() {
    for layout in LAYOUT {
        let name = described(layout).0;
        // SAFETY: the description is static.
        let fields = unsafe { layout.fields.as_slice() };
        let mut end = 0;
        for field in fields {
            let gap = field.offset - end;
            assert!(gap < size_of::<usize>(), "{name} has a gap of {gap} bytes");
            end = field.offset + field.size;
        }
        assert!(layout.size - end < size_of::<usize>(), "{name}");
    }
}

/// The types are recursive because a value contains values. The check must nevertheless end.
#[test]
fn a_plugin_fits_itself() {
    let layout = <Plugin as StableAbi>::LAYOUT;
    let outcome = check_layout_compatibility(layout, layout);
    assert_eq!(outcome.err().map(|error| error.to_string()), None);
}

#[test]
fn swapped_fields_are_refused_and_named() {
    let plugin = check_layout_compatibility(<Plugin as StableAbi>::LAYOUT, swapped::Plugin::LAYOUT);
    let text = plugin.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("vendor"), "{text}");
    let fault = check_layout_compatibility(<Fault as StableAbi>::LAYOUT, swapped::Fault::LAYOUT);
    let text = fault.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(text.contains("text_len"), "{text}");
}

#[test]
fn another_struct_is_refused() {
    let outcome =
        check_layout_compatibility(<Plugin as StableAbi>::LAYOUT, <Model as StableAbi>::LAYOUT);
    assert!(outcome.is_err());
}
