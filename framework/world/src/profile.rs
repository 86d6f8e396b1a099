//! Profiles: the default behaviour and the behaviour of MVSim 1.2. The two constants hold all
//! differences.

use simhost_abi::Kind;
use simhost_model::ParamValue;

/// A profile: one value for each behaviour in which simhost and MVSim 1.2 differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// Name in `compat="…"`.
    pub name: &'static str,
    /// Whether every wheel carries the same part of the chassis, wherever the centre of mass is.
    pub equal_wheel_loads: bool,
    /// Whether the yaw inertia of a wheel is computed for a box instead of a cylinder.
    pub wheels_are_boxes: bool,
    /// Whether `init_vel` is the velocity of the centre of mass in the world frame instead of the
    /// velocity of the reference point in the vehicle frame.
    pub velocity_in_world_frame: bool,
    /// Damping in 1/s of vehicles and blocks without `linear_damping`.
    pub default_linear_damping: f64,
    /// Damping in 1/s of vehicles and blocks without `angular_damping`.
    pub default_angular_damping: f64,
    /// Whether `twist_ideal` overwrites the velocity after the step, so that friction acts and
    /// every vehicle can move sideways.
    pub ideal_twist_after_step: bool,
    /// Whether a caster wheel resists lateral motion like any other wheel.
    pub rigid_caster: bool,
    /// Whether friction cancels the slope force as long as it has capacity left.
    pub cancel_slope: bool,
    /// Whether bodies touch only where their heights overlap.
    pub contact_heights: bool,
    /// Whether vehicles and blocks fall where there is no ground below them. Otherwise vehicles are on
    /// the ground at once, and blocks keep their height.
    pub bodies_fall: bool,
    /// Whether wheels follow the pitch and roll of a `horizontal_plane`.
    pub floors_tilt: bool,
    /// Whether a vehicle whose wheels form one axle rests on the ends of its body. Otherwise it
    /// keeps its attitude.
    pub two_wheels_lean: bool,
    /// Whether a step is too high if it exceeds the mean height of the wheels by 0.55 diameters at
    /// a corner of the body. Otherwise it is too high where the ground rises by the radius of a
    /// wheel or reaches the underside of the body.
    pub steps_at_corners: bool,
    /// Whether friction regions are looked up at the ground below a wheel instead of at the height
    /// of the wheel.
    pub regions_at_ground: bool,
    /// Whether scalar values of a block's class take precedence over the values of the block.
    pub class_overrides_block: bool,
    /// Whether bodies with a `<geometry>` and no `<shape>` collide as they are seen, without
    /// `<shape_from_visual/>`.
    pub geometry_collides: bool,
    /// Whether a wheel element without `pos` is at x = 0, y = −0.5 instead of the position of its
    /// class.
    pub wheels_at_half_metre: bool,
    /// Whether `f_wheels_x` and `f_wheels_d` place the front wheels of the Ackermann classes even if the
    /// elements of the wheels have positions and these are not given.
    pub front_wheels_by_parameters: bool,
    /// Whether the process environment takes precedence over the default of `${NAME|default}` in an
    /// included file. Without a default, every profile uses the environment, with a warning.
    pub environment_in_includes: bool,
    /// Whether `$f{…}` is rounded to six significant digits.
    pub six_digit_expressions: bool,
    /// Whether whole numbers are read like `%i` in C: a leading 0 means octal, and the number ends
    /// at the first character that is not a digit.
    pub c_integers: bool,
    /// Whether a vehicle's `<friction>` without a class has the class `default`, instead of
    /// modifying the friction of the vehicle's class.
    pub friction_stands_alone: bool,
    /// Whether unknown names are warnings.
    pub lenient: bool,
    /// Parameters that the profile forces where a model declares them.
    pub overrides: &'static [Override],
    /// Parameters with another default, where a model declares them.
    pub defaults: &'static [Override],
    /// Lists with another default, where a model declares them, in the units of the model.
    pub lists: &'static [(Kind, &'static str, &'static str, &'static [f64])],
    /// Controllers, and parameters of them that are not read and keep their defaults.
    pub unread: &'static [(&'static str, &'static [&'static str])],
    /// Controllers, each with the only parameters that are read. The others keep their defaults.
    pub limited_controllers: &'static [(&'static str, &'static [&'static str])],
}

/// A boolean parameter that a profile forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Override {
    /// Kind of the model.
    pub kind: Kind,
    /// Class of the model without the vendor.
    pub class: &'static str,
    /// Key of the parameter.
    pub key: &'static str,
    /// Value of the parameter.
    pub value: bool,
}

/// The default profile: correct behaviour.
pub const CORRECTED: Profile = Profile {
    name: "corrected",
    equal_wheel_loads: false,
    wheels_are_boxes: false,
    velocity_in_world_frame: false,
    default_linear_damping: 0.0,
    default_angular_damping: 0.0,
    ideal_twist_after_step: false,
    rigid_caster: false,
    cancel_slope: false,
    contact_heights: true,
    bodies_fall: true,
    floors_tilt: true,
    two_wheels_lean: true,
    steps_at_corners: false,
    regions_at_ground: false,
    class_overrides_block: false,
    geometry_collides: true,
    wheels_at_half_metre: false,
    front_wheels_by_parameters: false,
    environment_in_includes: false,
    six_digit_expressions: false,
    c_integers: false,
    friction_stands_alone: false,
    lenient: false,
    overrides: &[],
    defaults: &[],
    lists: &[],
    unread: &[],
    limited_controllers: &[],
};

/// The behaviour of MVSim 1.2.
pub const MVSIM_1_2: Profile = Profile {
    name: "mvsim-1.2",
    equal_wheel_loads: true,
    wheels_are_boxes: true,
    velocity_in_world_frame: true,
    default_linear_damping: 0.1,
    default_angular_damping: 0.1,
    ideal_twist_after_step: true,
    rigid_caster: true,
    cancel_slope: true,
    contact_heights: false,
    bodies_fall: false,
    floors_tilt: false,
    two_wheels_lean: false,
    steps_at_corners: true,
    regions_at_ground: true,
    class_overrides_block: true,
    geometry_collides: false,
    wheels_at_half_metre: true,
    front_wheels_by_parameters: true,
    environment_in_includes: true,
    six_digit_expressions: true,
    c_integers: true,
    friction_stands_alone: true,
    lenient: true,
    overrides: &[
        // the steering angle enters the slip angle twice
        friction("ellipse", "double_steering"),
        // wheels roll at the speed of the start of the step, and their resistances overshoot
        friction("default", "explicit_resistance"),
        friction("wardiagnemma", "explicit_resistance"),
        friction("ellipse", "explicit_resistance"),
        // a wheel at rest has no slip and therefore no grip
        friction("ellipse", "no_grip_at_rest"),
        friction("wardiagnemma", "resistance_turns_wheel"),
        // longitudinal and lateral force are limited separately
        friction("default", "independent_limits"),
        friction("wardiagnemma", "independent_limits"),
        // a caster resists lateral motion
        Override {
            kind: Kind::Dynamics,
            class: "differential_3_wheels",
            key: "rigid_caster",
            value: true,
        },
        // the feed-forward of pitch has the wrong sign
        inverted_feedforward("twist_pid"),
        inverted_feedforward("twist_front_steer_pid"),
        inverted_feedforward("front_steer_pid"),
        // a vehicle at standstill is let go
        controller("twist_pid", "release_at_standstill", true),
        controller("twist_front_steer_pid", "release_at_standstill", true),
        controller("front_steer_pid", "release_at_standstill", true),
        // the torque is constant in a step, and default gains suit the default vehicle
        controller("twist_pid", "constant_torque", true),
        controller("twist_front_steer_pid", "constant_torque", true),
        controller("front_steer_pid", "constant_torque", true),
    ],
    defaults: &[
        controller("twist_pid", "enable_antiwindup", false),
        controller("twist_front_steer_pid", "enable_antiwindup", false),
        controller("front_steer_pid", "enable_antiwindup", false),
    ],
    lists: &[
        // a camera looks ahead upside down
        (Kind::Sensor, "camera", "pose_3d", &[0.0, 0.0, 0.5, 90.0, 0.0, 90.0]),
        // a depth sensor lies on its side and looks to the left, and its colour camera looks elsewhere
        (Kind::Sensor, "rgbd_camera", "pose_3d", &[0.0, 0.0, 0.5, 90.0, 0.0, 90.0]),
        (Kind::Sensor, "rgbd_camera", "relativePoseIntensityWRTDepth", &[0.0; 6]),
    ],
    unread: &[
        ("twist_pid", &["I_MAX", "zero_threshold", "stop_threshold"]),
        ("twist_front_steer_pid", &["I_MAX"]),
    ],
    limited_controllers: &[("front_steer_pid", &["KP", "KI", "KD", "max_torque"])],
};

const fn inverted_feedforward(class: &'static str) -> Override {
    controller(class, "feedforward_inverted", true)
}

const fn controller(class: &'static str, key: &'static str, value: bool) -> Override {
    Override { kind: Kind::Controller, class, key, value }
}

const fn friction(class: &'static str, key: &'static str) -> Override {
    Override { kind: Kind::Friction, class, key, value: true }
}

/// All profiles.
pub const PROFILES: [&Profile; 2] = [&CORRECTED, &MVSIM_1_2];

impl Profile {
    /// Returns the profile with a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        PROFILES.into_iter().find(|profile| profile.name == name)
    }

    /// Returns whether a parameter of a class is read.
    pub(crate) fn reads(&self, kind: Kind, class: &str, key: &str) -> bool {
        if kind != Kind::Controller {
            return true;
        }
        let of_class = |(name, _): &&(&str, &'static [&'static str])| *name == class;
        let limited = self.limited_controllers.iter().find(of_class);
        let unread = self.unread.iter().find(of_class);
        limited.is_none_or(|(_, keys)| keys.contains(&key))
            && unread.is_none_or(|(_, keys)| !keys.contains(&key))
    }

    /// Returns the default of a parameter, if it differs from the default of the model.
    pub(crate) fn default_of(&self, kind: Kind, class: &str, key: &str) -> Option<ParamValue> {
        let is_meant = |it: &&Override| it.kind == kind && it.class == class && it.key == key;
        let truth = self.defaults.iter().find(is_meant).map(|it| ParamValue::Bool(it.value));
        truth.or_else(|| {
            let list = self.lists.iter().find(|(k, c, p, _)| (*k, *c, *p) == (kind, class, key));
            list.map(|(.., numbers)| {
                ParamValue::Items(numbers.iter().copied().map(ParamValue::Number).collect())
            })
        })
    }
}
