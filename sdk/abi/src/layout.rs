//! The macro that declares the structs of the boundary and describes their layout.

use crate::values::{Slice, Str};

#[cfg(test)]
pub(crate) mod tests;

/// The layout of one field, in the description that [`Head::layout`](crate::Head::layout) points to.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FieldLayout {
    /// Name of the field.
    pub name: Str,
    /// Type of the field as its declaration spells it. White space can differ between compilers.
    pub ty: Str,
    /// Distance from the start of the struct, bytes.
    pub offset: usize,
    /// Size of the field, bytes.
    pub size: usize,
}

/// The layout of one struct, in the description that [`Head::layout`](crate::Head::layout) points to.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StructLayout {
    /// Name of the struct in Rust.
    pub name: Str,
    /// Size of the struct, bytes.
    pub size: usize,
    /// Fields in the order of their declaration.
    pub fields: Slice<FieldLayout>,
}

/// Declares `#[repr(C)]` structs. Each struct gets a constant that describes its layout as compiled
/// and, for tests and with the feature `stable-abi`, the layout of abi_stable.
macro_rules! boundary {
    ($( $(#[$meta:meta])* pub struct $name:ident {
        $( $(#[$field_meta:meta])* pub $field:ident: $ty:ty, )*
    } )*) => { $(
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        #[cfg_attr(any(test, feature = "stable-abi"), derive(abi_stable::StableAbi))]
        pub struct $name { $( $(#[$field_meta])* pub $field: $ty, )* }

        impl $name {
            pub(crate) const LAYOUT: $crate::layout::StructLayout = $crate::layout::StructLayout {
                name: $crate::values::Str::new(stringify!($name)),
                size: std::mem::size_of::<$name>(),
                fields: $crate::values::Slice::new(const { &[$( $crate::layout::FieldLayout {
                    name: $crate::values::Str::new(stringify!($field)),
                    ty: $crate::values::Str::new(stringify!($ty)),
                    offset: std::mem::offset_of!($name, $field),
                    size: std::mem::size_of::<$ty>(),
                } ),*] }),
            };
        }
    )* };
}
