//! The built-in suspension models: how links guide the wheels of an axle.
//!
//! | Module | Model or part |
//! |---|---|
//! | [`double_wishbone`] | two arms and a tie rod |
//! | [`mcpherson`] | a lower arm, a strut and a tie rod |
//! | [`five_link`] | five links |
//! | [`rigid_axle`] | both wheels on one axle, with four links |
//! | [`trailing_arm`] | a trailing or semi-trailing arm |
//! | [`kinematics_table`] | tables of camber, toe and so on over wheel and rack travel |
//! | [`springs`] | forces of springs, dampers and stops as curves |
//! | [`interpolation`] | curves through points |
//! | [`linkage`] | a rigid body on six constraints, and the search for its pose |
//! | [`alignment`] | camber, toe and position of a wheel |
//! | [`corner`] | a wheel on a linkage: steering axis, springs |
//! | [`roll_centre`] | heights of the roll centre in three definitions |

pub mod alignment;
pub mod corner;
pub mod double_wishbone;
pub mod dual;
pub mod elimination;
pub mod errors;
pub mod five_link;
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
pub mod trailing_arm;
