//! The layout description of a Rust plugin, checked by `abi_stable`.

use abi_stable::StableAbi;
use abi_stable::abi_stability::abi_checking::check_layout_compatibility;
use simhost_abi::{Fault, Model, Plugin};

/// Structs of the boundary with two fields of the same type swapped, so that all sizes are equal.
mod swapped {
    use abi_stable::StableAbi;
    use simhost_abi::{Head, Model, Slice, Str};

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

/// The types are recursive because a value contains values. The check must nevertheless end.
#[test]
fn a_plugin_fits_itself() {
    let layout = <Plugin as StableAbi>::LAYOUT;
    let outcome = check_layout_compatibility(layout, layout);
    assert_eq!(outcome.err().map(|error| error.to_string()), None);
}

#[test]
fn the_pointer_in_a_head_leads_to_the_description() {
    assert_eq!(simhost_abi::LAYOUT, std::ptr::from_ref(<Plugin as StableAbi>::LAYOUT).cast());
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
