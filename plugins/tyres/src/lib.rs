//! The built-in tyre models: friction classes with a measured or a physical slip curve.
//!
//! | Module | Model or part |
//! |---|---|
//! | [`fiala`] | a parabolic pressure distribution over an elastic tread |
//! | [`tmeasy`] | few parameters with physical meaning |
//! | [`magic_formula`] | MF 5.2, 6.1 and 6.2 with combined slip, from a `.tir` file |
//! | [`burckhardt`] | a friction curve of the resultant slip |
//! | [`lugre`] | bristles between tread and ground, with a state for the contact |
//! | [`steady`] | the force of a steady tyre on a wheel, with relaxation and standstill |
//! | [`contact`] | a wheel on the ground over one step, solved at the end of the step |
//!
//! A steady tyre ([`SteadyTyre`]) defines the force at a slip, and [`steady::force`] applies it to
//! a wheel. A tyre of this form therefore needs only its curve.
//!
//! A program that depends on `simhost-families` has them under the vendor `simhost`. With the
//! feature `shared`, the crate can also be built as a plugin.
//!
//! The page *Tyres* of the book has equations, sources and limits.

/// Evaluates an expression for both directions, whose number, 0 or 1, has the given name. The expressions are written
/// out, because `map` of arrays stays a call, and a loop over wheels with calls does not become vector instructions.
macro_rules! both {
    ($axis:ident => $value:expr) => {
        [
            {
                let $axis = 0_usize;
                $value
            },
            {
                let $axis = 1_usize;
                $value
            },
        ]
    };
}

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
