//! Exponents that `#[param(scaling = …)]` declares.

use simhost_sdk::prelude::*;
use simhost_sdk::{ParamScaling, abi};

/// A group.
#[derive(Params)]
#[param(scaling = Scaling::INVARIANT)]
#[allow(dead_code)]
struct Lens {
    /// Focal length.
    #[param(default = 0.1, unit = "m")]
    focal_length: f64,
    /// Height of the mounting.
    #[param(default = 0.1, unit = "m", scaling = Scaling::LENGTH)]
    height: f64,
}

/// A model.
#[derive(Params)]
#[allow(dead_code)]
struct Device {
    /// Pose.
    #[param(default = [0.0, 0.0], unit = "m rad", scaling = [Scaling::LENGTH, Scaling::INVARIANT])]
    pose: [f64; 2],
    /// Gain.
    #[param(default = 1.0, unit = "N·m·s/m", scaling = Scaling::new(4.0, 1.0))]
    gain: f64,
    /// Without a declaration.
    #[param(default = 1.0, unit = "Pa")]
    pressure: f64,
    /// A group.
    lens: Lens,
    /// Groups.
    lenses: Vec<Lens>,
}

fn exponents(scaling: &ParamScaling) -> Vec<[f64; 2]> {
    // SAFETY: the declaration is static.
    let pairs = unsafe { scaling.exponents.as_slice() };
    pairs.iter().map(|pair| [pair.constant_density, pair.constant_mass]).collect()
}

#[test]
fn exponents_stand_in_the_order_of_the_parameters() {
    let all = <Device as Params>::SCALINGS;
    assert_eq!(all.len(), <Device as Params>::PARAMS.len());
    assert_eq!(exponents(&all[0]), [[1.0, 1.0], [0.0, 0.0]]);
    assert_eq!(exponents(&all[1]), [[4.0, 1.0]]);
    assert!(exponents(&all[2]).is_empty());
    for group in &all[3..] {
        assert!(exponents(group).is_empty());
        // SAFETY: as above.
        let children = unsafe { group.children.as_slice() };
        // the option of the struct holds where a parameter has none of its own
        assert_eq!(exponents(&children[0]), [[0.0, 0.0]]);
        assert_eq!(exponents(&children[1]), [[1.0, 1.0]]);
    }
    assert_eq!(abi::SCALING_ABILITY, "simhost.scaling/1");
}
