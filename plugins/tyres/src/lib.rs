//! The built-in tyre models: friction classes with a measured or a physical slip curve.
//!
//! A steady tyre ([`SteadyTyre`]) defines the force at a slip; [`steady::force`] applies it to a
//! wheel with relaxation and standstill. [`lugre`] has a state of its own for the contact.

/// Implements a friction class by its steady force, with a function `prepare`.
macro_rules! steady_friction {
    ($tyre:ident, $($more:item)*) => {
        #[model]
        impl Friction for $tyre {
            const EVERY_WIDTH: bool = false;
            const TIME_INVARIANT: bool = true;
            type Inputs = crate::contact::Brake;

            $($more)*

            fn force(&self, wheel: &Wheel<Self::Inputs>, step: &Step, lag: &mut Lag) -> Force {
                steady::force::<true>(self, wheel, step, lag)
            }

            fn simplifies(&self, wheel: &Wheel<Self::Inputs>) -> bool {
                steady::is_simple(self, wheel)
            }

            fn simplified_force(
                &self,
                wheel: &Wheel<Self::Inputs>,
                step: &Step,
                lag: &mut Lag,
            ) -> Force {
                steady::force::<false>(self, wheel, step, lag)
            }
        }
    };
}
use steady_friction;

pub mod burckhardt;
pub mod contact;
pub mod fiala;
pub mod lugre;
pub mod magic_formula;
pub mod steady;
pub mod tmeasy;

pub use contact::Brake;
pub use steady::{Carcass, Lag, Slip, SteadyTyre};

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    friction: {
        "fiala" => fiala::Fiala,
        "tmeasy" => tmeasy::TMeasy,
        "magic_formula" => magic_formula::MagicFormula,
        "burckhardt" => burckhardt::Burckhardt,
        "lugre" => lugre::LuGre,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
