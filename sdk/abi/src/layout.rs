//! The macro that declares the structs of the boundary and hashes their layout.

/// Declares `#[repr(C)]` structs. For each it also declares a constant that hashes its name and the
/// name, type, size and offset of every field.
macro_rules! boundary {
    ($( $(#[$meta:meta])* pub struct $name:ident {
        $( $(#[$field_meta:meta])* pub $field:ident: $ty:ty, )*
    } )*) => { $(
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, abi_stable::StableAbi)]
        pub struct $name { $( $(#[$field_meta])* pub $field: $ty, )* }

        impl $name {
            pub(crate) const LAYOUT: u64 = {
                let mut hash = $crate::layout::hash_text($crate::layout::SEED, stringify!($name));
                $(
                    hash = $crate::layout::hash_text(hash, stringify!($field));
                    hash = $crate::layout::hash_text(hash, stringify!($ty));
                    hash = $crate::layout::hash_number(hash, std::mem::offset_of!($name, $field));
                    hash = $crate::layout::hash_number(hash, std::mem::size_of::<$ty>());
                )*
                $crate::layout::hash_number(hash, std::mem::size_of::<$name>())
            };
        }
    )* };
}

/// FNV-1a offset basis.
pub(crate) const SEED: u64 = 0xcbf2_9ce4_8422_2325;

const fn hash_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Hashes a text without its white space, because compilers differ in how they print a type.
pub(crate) const fn hash_text(mut hash: u64, text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if !bytes[i].is_ascii_whitespace() {
            hash = hash_byte(hash, bytes[i]);
        }
        i += 1;
    }
    hash_byte(hash, 0xff)
}

pub(crate) const fn hash_number(mut hash: u64, number: usize) -> u64 {
    let bytes = (number as u64).to_le_bytes();
    let mut i = 0;
    while i < bytes.len() {
        hash = hash_byte(hash, bytes[i]);
        i += 1;
    }
    hash
}
