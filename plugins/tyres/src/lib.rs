//! The built-in tyre models: friction classes with a measured or a physical slip curve.
//!
//! A steady tyre ([`SteadyTyre`]) defines the force at a slip; [`steady::force`] applies it to a
//! wheel with relaxation and standstill. [`lugre`] has a state of its own for the contact.

pub mod burckhardt;
pub mod contact;
pub mod fiala;
pub mod lugre;
pub mod magic_formula;
pub mod steady;
pub mod tmeasy;

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
