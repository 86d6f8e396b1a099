//! Tests of the sensing, in one program.

mod instances;
mod quadrilaterals;
mod ranges;
mod scans;
mod scene;
mod scenes;
mod shade;
mod space;
mod triangles;
