//! Parameters that differ between the lanes of a call.
//!
//! The host passes them as input columns, which are null in a call whose lanes share the values
//! that `create` received. Otherwise each lane is computed with a copy of the model that has the
//! parameters of the lane.

use simhost_abi::{ParamDesc, PortDesc, Scope, Str, is_same, param_flag, port_flag};

use crate::message::Message;

/// Number of parameters of a model that can differ between the lanes of a call.
#[derive(Clone, Copy, Debug)]
pub struct PerLane {
    count: usize,
}

impl PerLane {
    /// No parameters.
    pub const NONE: Self = Self { count: 0 };

    /// Declares `count` parameters of a type, which its method `set_lane` sets.
    ///
    /// # Safety
    ///
    /// A value of the type can be copied bit by bit and read through a shared reference to the copy
    /// while the original exists: `set_lane` writes fields of type `f64` alone, and the type has no
    /// interior mutability, except behind pointers.
    pub const unsafe fn new(count: usize) -> Self {
        Self { count }
    }

    /// Returns the number of parameters.
    pub const fn count(self) -> usize {
        self.count
    }
}

/// A type whose values can be copied bit by bit and read through a shared reference to the copy while
/// the original exists.
///
/// # Safety
///
/// The type has no interior mutability, except behind pointers.
pub unsafe trait LaneCopy {}

macro_rules! lane_copy {
    ($([$($generics:tt)*] $ty:ty;)*) => { $(
        // SAFETY: the type consists of numbers, or of pointers to its contents and numbers.
        unsafe impl<$($generics)*> LaneCopy for $ty {}
    )* };
}

lane_copy! {
    [] String; [] std::path::PathBuf;
    [T] Vec<T>; [T: ?Sized] Box<T>; [T: ?Sized] std::sync::Arc<T>;
    [K, V] std::collections::BTreeMap<K, V>;
}

/// Fails to compile for a type that is not [`LaneCopy`].
pub const fn assert_lane_copy<T: LaneCopy>() {}

/// Fails to compile for a type that is not [`Copy`]. Such types have no interior mutability.
pub const fn assert_copy<T: Copy>() {}

/// Returns the input of a parameter that can differ between lanes.
pub(crate) const fn port_of(param: &ParamDesc) -> PortDesc {
    // SAFETY: declarations are static.
    let unit = unsafe { param.unit.as_str() };
    PortDesc {
        size: size_of::<PortDesc>() as u32,
        scope: Scope::Instance as u32,
        flags: port_flag::PARAMETER,
        reserved: 0,
        name: param.key,
        unit: Str::new(unit_of_model(unit, param.scale)),
        doc: param.doc,
        default: param.default.number * param.scale,
        key: Str::new(""),
        key_unit: Str::new(""),
        key_scale: 1.0,
    }
}

/// Returns whether a parameter can differ between lanes.
pub(crate) const fn is_per_lane(param: &ParamDesc) -> bool {
    param.flags & param_flag::PER_LANE != 0
}

/// Units of world files, with the unit and the factor of models.
const UNITS: [(&str, &str, f64); 13] = [
    ("deg", "rad", crate::math::DEG),
    ("deg/s", "rad/s", crate::math::DEG),
    ("deg/s²", "rad/s²", crate::math::DEG),
    ("rpm", "rad/s", std::f64::consts::PI / 30.0),
    ("km/h", "m/s", 1.0 / 3.6),
    ("mm", "m", 1e-3),
    ("cm", "m", 1e-2),
    ("km", "m", 1e3),
    ("ms", "s", 1e-3),
    ("kN", "N", 1e3),
    ("kW", "W", 1e3),
    ("Wh", "J", 3600.0),
    ("%", "1", 1e-2),
];

/// Returns the unit of a parameter in the model from that in world files.
const fn unit_of_model(unit: &'static str, scale: f64) -> &'static str {
    if scale == 1.0 {
        return unit;
    }
    let mut message = Message::of(&["a parameter `per_lane` with a scale from `", unit, "`; "])
        .and("expected SI units, or the factor of one of these units:");
    let mut i = 0;
    while i < UNITS.len() {
        let (from, to, factor) = UNITS[i];
        let error = scale / factor - 1.0;
        if is_same(from, unit) && -1e-9 < error && error < 1e-9 {
            return to;
        }
        message = message.and(" ").and(from);
        i += 1;
    }
    panic!("{}", message.as_str())
}

/// Fails to compile if the parameters that are declared as different between lanes are not those that
/// a model sets per lane, or if the model computes all lanes at once.
pub(crate) const fn check(params: &[ParamDesc], per_lane: PerLane, whole_batch: bool) {
    let mut count = 0;
    let mut i = 0;
    while i < params.len() {
        count += is_per_lane(&params[i]) as usize;
        i += 1;
    }
    assert!(
        count == per_lane.count,
        "a flattened group has `per_lane` parameters: declare it with `#[param(flatten, per_lane)]`"
    );
    assert!(
        !(whole_batch && count > 0),
        "a model with `WHOLE_BATCH` computes all lanes with one `self`: remove `per_lane` from its \
         parameters"
    );
}

/// Fails to compile if a parameter is a group that contains one that can differ between lanes.
#[track_caller]
pub const fn no_group(desc: &ParamDesc) {
    // SAFETY: declarations are static, here and below.
    let parts = unsafe { desc.children.as_slice() };
    let mut i = 0;
    while i < parts.len() {
        if is_per_lane(&parts[i]) {
            // SAFETY: as above.
            let (part, group) = unsafe { (parts[i].key.as_str(), desc.key.as_str()) };
            let message = Message::of(&["`", part, "` is `per_lane`, but it is a part of the "])
                .and("group `")
                .and(group)
                .and("`; expected a parameter of the model itself");
            panic!("{}", message.as_str());
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests;
