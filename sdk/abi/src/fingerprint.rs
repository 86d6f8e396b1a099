//! The description of the boundary's layout, and its fingerprint.

use crate::layout::StructLayout;
use crate::model::*;
use crate::values::*;

/// Layout of every struct of the boundary on this target.
pub static LAYOUT: &[StructLayout] = STRUCTS;

const STRUCTS: &[StructLayout] = &[
    Str::LAYOUT,
    Value::LAYOUT,
    ParamDesc::LAYOUT,
    PortDesc::LAYOUT,
    StateDesc::LAYOUT,
    CommandDesc::LAYOUT,
    WheelDesc::LAYOUT,
    WheelGeometry::LAYOUT,
    ChassisDesc::LAYOUT,
    Fault::LAYOUT,
    ArrayPort::LAYOUT,
    Batch::LAYOUT,
    Services::LAYOUT,
    Phase::LAYOUT,
    Model::LAYOUT,
    Head::LAYOUT,
    Plugin::LAYOUT,
];

/// One number for the layout of the whole boundary on this target: the FNV-1a hash of [`LAYOUT`].
pub const FINGERPRINT: u64 = fingerprint_of(STRUCTS);

/// Returns the FNV-1a hash of a layout, whose texts and fields are static.
pub const fn fingerprint_of(structs: &[StructLayout]) -> u64 {
    let mut hash = SEED;
    let mut i = 0;
    while i < structs.len() {
        hash = hash_number(hash, hash_struct(&structs[i]));
        i += 1;
    }
    hash
}

/// Fingerprints of the boundary on 64-bit little-endian targets, and the release of simhost that introduced each. The layout
/// does not change within a release. The last row describes this release.
const RELEASES: [(u64, &str); 1] = [(0xbf04_de6b_a29c_db12, "0.1")];

/// Returns the release of simhost whose boundary has a fingerprint, if it is known.
pub fn release_of(fingerprint: u64) -> Option<&'static str> {
    RELEASES.iter().find(|(known, _)| *known == fingerprint).map(|(_, release)| *release)
}

const fn hash_struct(layout: &StructLayout) -> u64 {
    let mut hash = hash_text(SEED, layout.name);
    // SAFETY: the fields of `STRUCTS` are static.
    let fields = unsafe { layout.fields.as_slice() };
    let mut i = 0;
    while i < fields.len() {
        hash = hash_text(hash, fields[i].name);
        hash = hash_text(hash, fields[i].ty);
        hash = hash_number(hash, fields[i].offset as u64);
        hash = hash_number(hash, fields[i].size as u64);
        i += 1;
    }
    hash_number(hash, layout.size as u64)
}

/// FNV-1a offset basis.
const SEED: u64 = 0xcbf2_9ce4_8422_2325;

const fn hash_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Hashes a text without its white space, because compilers differ in how they print a type.
const fn hash_text(mut hash: u64, text: Str) -> u64 {
    // SAFETY: the texts of `STRUCTS` are static.
    let bytes = unsafe { text.as_str() }.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if !bytes[i].is_ascii_whitespace() {
            hash = hash_byte(hash, bytes[i]);
        }
        i += 1;
    }
    hash_byte(hash, 0xff)
}

const fn hash_number(mut hash: u64, number: u64) -> u64 {
    let bytes = number.to_le_bytes();
    let mut i = 0;
    while i < bytes.len() {
        hash = hash_byte(hash, bytes[i]);
        i += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(all(target_pointer_width = "64", target_endian = "little"))]
    fn the_layout_is_that_of_the_present_release() {
        let release = RELEASES[RELEASES.len() - 1].1;
        assert!(env!("CARGO_PKG_VERSION").starts_with(&format!("{release}.")), "add a row");
        // plugins of a release work with all of it: a change of the layout needs a new release
        assert_eq!(release_of(FINGERPRINT), Some(release), "{FINGERPRINT:016x}");
        assert_eq!(release_of(1), None);
    }
}
