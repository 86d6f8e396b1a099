//! The built-in suspension models: how links guide the wheels of an axle.
//!
//! | Module | Model or part |
//! |---|---|
//! | [`tables`] | tables over wheel travel and rack travel from a CSV file |
//! | [`double_wishbone`] | two arms and a tie rod |
//! | [`mcpherson`] | a lower arm, a strut and a tie rod |
//! | [`five_link`] | five links |
//! | [`rigid_axle`] | both wheels on one axle, with four links |
//! | [`trailing_arm`] | a trailing or semi-trailing arm |
//! | [`guide`] | both wheels of an axle on a layout of links, and the virtual work of the ground |
//! | [`given`] | hardpoints as parameters |
//! | [`kinematics_table`] | tables of camber, toe and so on, and their files |
//! | [`springs`] | forces of springs, dampers and stops as curves |
//! | [`force_file`] | points of these curves in CSV files |
//! | [`curve_file`] | points of any curve in CSV files |
//! | [`surface`] | surfaces over rectangular grids |
//! | [`grid_file`] | points of surfaces in CSV files |
//! | [`csv`] | lines and cells of CSV files |
//! | [`interpolation`] | curves through points |
//! | [`linkage`] | a rigid body on six constraints, and the search for its pose |
//! | [`alignment`] | camber, toe and position of a wheel |
//! | [`corner`] | a wheel on a linkage: steering axis, springs |
//! | [`roll_centre`] | heights of the roll centre in three definitions |
//!
//! A program that depends on `simhost-families` has the models under the vendor `simhost`. With the feature `shared`,
//! the crate can also be built as a plugin.
//!
//! The page *Suspensions* of the book has definitions, sources and limits.

pub mod alignment;
pub mod corner;
pub mod csv;
pub mod curve_file;
pub mod double_wishbone;
pub mod dual;
pub mod elimination;
pub mod errors;
pub mod five_link;
pub mod force_file;
pub mod given;
pub mod grid_file;
pub mod guide;
pub mod hardpoints;
pub mod interpolation;
pub mod joint;
pub mod kinematics_table;
pub mod linkage;
pub mod mcpherson;
pub mod pose;
pub mod rigid_axle;
pub mod roll_centre;
pub mod springs;
pub mod surface;
pub mod tables;
pub mod trailing_arm;

simhost_sdk::declare_plugin! {
    vendor: "simhost",
    suspension: {
        "tables" => tables::Tables,
        "double_wishbone" => double_wishbone::DoubleWishbone,
        "mcpherson" => mcpherson::McPherson,
        "five_link" => five_link::FiveLink,
        "rigid_axle" => rigid_axle::RigidAxleSuspension,
        "trailing_arm" => trailing_arm::TrailingArms,
    },
}

#[cfg(feature = "shared")]
simhost_sdk::export_declared!();
