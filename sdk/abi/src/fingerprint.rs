//! The fingerprint of the boundary, computed from the declarations of its structs.

use crate::layout::{SEED, hash_number};
use crate::model::*;
use crate::values::*;

/// One number for the layout of the whole boundary on this target.
pub const FINGERPRINT: u64 = {
    let parts = [
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
        Batch::LAYOUT,
        Services::LAYOUT,
        Phase::LAYOUT,
        Model::LAYOUT,
        Head::LAYOUT,
        Plugin::LAYOUT,
    ];
    let mut hash = SEED;
    let mut i = 0;
    while i < parts.len() {
        hash = hash_number(hash, parts[i] as usize);
        i += 1;
    }
    hash
};
