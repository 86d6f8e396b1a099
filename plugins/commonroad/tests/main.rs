//! Tests of the CommonRoad models, in one program.

mod behaviour;
mod classes;
mod corrections;
mod f1tenth;
mod reference;
