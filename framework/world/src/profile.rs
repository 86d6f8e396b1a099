//! The profiles: right by default, the peer's numbers on request. One table holds all differences.

use simhost_abi::Kind;

/// What a profile changes. The item numbers are those of the ledger of the peer's defects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Name in `compat="…"`.
    pub name: &'static str,
    /// Every wheel carries the same part of the chassis, wherever the centre of mass is.
    pub equal_wheel_loads: bool,
    /// Item 4: `init_vel` is the velocity of the centre of mass in the world frame, not that of the
    /// reference point in the vehicle frame.
    pub velocity_in_world_frame: bool,
    /// Damping of vehicles and blocks that give no `linear_damping`, 1/s.
    pub default_linear_damping: f64,
    /// Damping of vehicles and blocks that give no `angular_damping`, 1/s.
    pub default_angular_damping: f64,
    /// Item 5: with `twist_ideal` friction acts, the velocity is overwritten after the step, and
    /// sideways motion is executed by every platform.
    pub ideal_twist_after_step: bool,
    /// Item 20: a caster wheel resists side motion like any wheel.
    pub rigid_caster: bool,
    /// Item 10: friction cancels the slope force as long as it has capacity left.
    pub cancel_slope: bool,
    /// Bodies touch only where their heights overlap.
    pub contact_heights: bool,
    /// A vehicle whose wheels stand in one line leans on the ends of its body; else it keeps its
    /// attitude.
    pub two_wheels_lean: bool,
    /// A step is too high at a corner of the body, more than 0.55 diameters above the mean of the wheels;
    /// else wherever the ground rises by the radius of a wheel or reaches the underside of the body.
    pub steps_at_corners: bool,
    /// Item 19: friction regions are asked for the ground below a wheel instead of the wheel's own
    /// height.
    pub regions_at_ground: bool,
    /// Item 3: scalar values of a block's class win over those of the block itself.
    pub class_overrides_block: bool,
    /// A wheel tag without `pos` stands at x = 0, y = −0.5 instead of the place of its tag.
    pub wheels_at_half_metre: bool,
    /// `${NAME}` in an included file falls back to the process environment before its default. (In
    /// every profile it does so where there is no default, with a warning.)
    pub environment_in_includes: bool,
    /// Item 12: `$f{…}` gives six significant digits.
    pub six_digit_expressions: bool,
    /// Item 12: whole numbers are read as C's `%i` does: a leading 0 means octal, what follows the digits
    /// does not count.
    pub c_integers: bool,
    /// A vehicle's `<friction>` without a class is one of class `default`, instead of changing values of
    /// that of the vehicle's class.
    pub friction_stands_alone: bool,
    /// Unknown names are warnings.
    pub lenient: bool,
    /// Parameters that the profile forces where a model declares them.
    pub overrides: &'static [Override],
    /// Controllers of which only the listed parameters are read; the others keep their defaults.
    pub limited_controllers: &'static [(&'static str, &'static [&'static str])],
}

/// A boolean parameter that a profile forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Override {
    /// Kind of the model.
    pub kind: Kind,
    /// Its class, without the vendor.
    pub class: &'static str,
    /// Key of the parameter.
    pub key: &'static str,
    /// Its value.
    pub value: bool,
}

/// The default: what is right.
pub const CORRECTED: Profile = Profile {
    name: "corrected",
    equal_wheel_loads: false,
    velocity_in_world_frame: false,
    default_linear_damping: 0.0,
    default_angular_damping: 0.0,
    ideal_twist_after_step: false,
    rigid_caster: false,
    cancel_slope: false,
    contact_heights: true,
    two_wheels_lean: true,
    steps_at_corners: false,
    regions_at_ground: false,
    class_overrides_block: false,
    wheels_at_half_metre: false,
    environment_in_includes: false,
    six_digit_expressions: false,
    c_integers: false,
    friction_stands_alone: false,
    lenient: false,
    overrides: &[],
    limited_controllers: &[],
};

/// The numbers of MVSim 1.2.
pub const MVSIM_1_2: Profile = Profile {
    name: "mvsim-1.2",
    equal_wheel_loads: true,
    velocity_in_world_frame: true,
    default_linear_damping: 0.1,
    default_angular_damping: 0.1,
    ideal_twist_after_step: true,
    rigid_caster: true,
    cancel_slope: true,
    contact_heights: false,
    two_wheels_lean: false,
    steps_at_corners: true,
    regions_at_ground: true,
    class_overrides_block: true,
    wheels_at_half_metre: true,
    environment_in_includes: true,
    six_digit_expressions: true,
    c_integers: true,
    friction_stands_alone: true,
    lenient: true,
    overrides: &[
        // item 9: the steering angle enters the slip angle twice
        Override { kind: Kind::Friction, class: "ellipse", key: "double_steering", value: true },
        // not in the ledger: rolling resistance overshoots near standstill, and turns the wheel
        Override {
            kind: Kind::Friction,
            class: "ellipse",
            key: "unlimited_rolling_resistance",
            value: true,
        },
        Override {
            kind: Kind::Friction,
            class: "wardiagnemma",
            key: "resistance_turns_wheel",
            value: true,
        },
        // not in the ledger: longitudinal and lateral force are limited one by one
        independent_limits("default"),
        independent_limits("wardiagnemma"),
        // item 20
        Override {
            kind: Kind::Dynamics,
            class: "differential_3_wheels",
            key: "rigid_caster",
            value: true,
        },
        // item 10: the feed-forward of pitch has the wrong sign
        inverted_feedforward("twist_pid"),
        inverted_feedforward("twist_front_steer_pid"),
        inverted_feedforward("front_steer_pid"),
    ],
    limited_controllers: &[("front_steer_pid", &["KP", "KI", "KD", "max_torque"])],
};

const fn inverted_feedforward(class: &'static str) -> Override {
    Override { kind: Kind::Controller, class, key: "feedforward_inverted", value: true }
}

const fn independent_limits(class: &'static str) -> Override {
    Override { kind: Kind::Friction, class, key: "independent_limits", value: true }
}

/// Every profile.
pub const PROFILES: [&Profile; 2] = [&CORRECTED, &MVSIM_1_2];

impl Profile {
    /// The profile with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PROFILES.into_iter().find(|profile| profile.name == name)
    }

    /// The parameters of a controller class that are read, where not all are.
    pub(crate) fn limited_to(&self, kind: Kind, class: &str) -> Option<&'static [&'static str]> {
        let limited = |(name, keys): &(&str, &'static [&'static str])| {
            (kind == Kind::Controller && *name == class).then_some(*keys)
        };
        self.limited_controllers.iter().find_map(limited)
    }
}
