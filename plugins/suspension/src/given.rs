//! Hardpoints and wheels as parameters of models.

use simhost_sdk::vectors::Vec3;
use simhost_sdk::{Params, math};

use crate::hardpoints::Wheel;

/// Declares hardpoints as optional parameters, each with its place in the suspension that a model has without
/// hardpoints, and a method `check` that expects all or none.
macro_rules! hardpoints {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident {
            $( #[doc = $doc:literal] $point:ident: $default:expr, )*
        }
    ) => {
        $(#[$attribute])*
        pub struct $name {
            $(
                #[doc = $doc]
                #[param(unit = "m")]
                $point: Option<[f64; 3]>,
            )*
        }

        impl $name {
            /// Checks that all hardpoints are given, or none.
            ///
            /// # Errors
            ///
            /// Missing hardpoints.
            fn check(&self) -> Result<(), String> {
                $crate::given::check_complete(&[$( (stringify!($point), self.$point.is_some()) ),*])
            }

            $(
                fn $point(&self) -> ::simhost_sdk::vectors::Vec3 {
                    self.$point.unwrap_or($default).into()
                }
            )*
        }
    };
}
pub(crate) use hardpoints;

/// Checks that all of some hardpoints are given, or none.
///
/// # Errors
///
/// The hardpoints that are missing.
pub(crate) fn check_complete(points: &[(&str, bool)]) -> Result<(), String> {
    let given = points.iter().filter(|(_, is_given)| *is_given).count();
    if given == 0 || given == points.len() {
        return Ok(());
    }
    let missing = points.iter().filter(|(_, is_given)| !is_given);
    let missing: Vec<_> = missing.map(|(name, _)| format!("<{name}>")).collect();
    Err(format!(
        "found {given} of {} hardpoints, missing {}; expected all of them, or none for the example; add them in m \
         (x forwards, y to the left, z up, left wheel)",
        points.len(),
        missing.join(", ")
    ))
}

/// Position of the wheel on its carrier.
#[derive(Clone, Copy, Debug, Default, Params)]
pub struct WheelSetting {
    /// Camber at rest. A more negative value leans the top of the wheel more inboard.
    #[param(default = 0.0, range = -30.0..=30.0, unit = "deg", scale = math::DEG)]
    static_camber: f64,
    /// Toe at rest. A larger value turns the front of the wheel more inboard.
    #[param(default = 0.0, range = -30.0..=30.0, unit = "deg", scale = math::DEG)]
    static_toe: f64,
    /// Radius of the wheel, for the height of the contact point. Without it, the radius of the wheel of the vehicle.
    #[param(above = 0.0, unit = "m")]
    wheel_radius: Option<f64>,
}

impl WheelSetting {
    /// Returns the wheel with its centre at a place.
    pub fn wheel(&self, centre: Vec3) -> Wheel {
        let (camber_sin, camber_cos) = math::sin_cos(self.static_camber);
        let (toe_sin, toe_cos) = math::sin_cos(self.static_toe);
        let spin_axis = Vec3::new(camber_cos * toe_sin, camber_cos * toe_cos, -camber_sin);
        // a model with a radius of the vehicle replaces it for each call
        Wheel { centre, spin_axis, radius: self.wheel_radius.unwrap_or(1.0) }
    }

    /// Returns the radius, m, where the vehicle has wheels of the radius `of_vehicle`, m.
    #[inline(always)]
    pub fn radius(&self, of_vehicle: f64) -> f64 {
        self.wheel_radius.unwrap_or(of_vehicle)
    }
}
