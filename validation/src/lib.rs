//! The validation report: compares worlds and models with closed forms and reference values.
//!
//! The example `report` runs the worlds in `worlds/validation`, and writes `docs/src/validation.md`
//! with a picture for each case.
//!
//! * [`manoeuvres`] compares standard manoeuvres with closed forms, and [`single_track`] has the
//!   linear model.
//! * [`convergence`] measures the order of convergence of each integrator.
//! * [`tyres`] compares slip curves with published values.
//! * [`references`] compares with trajectories of MVSim and models of CommonRoad, and [`planning`]
//!   with planning models.
//! * [`real_car`] compares with steady circles of a 1:10 car.
//! * [`page`] and [`plot`] write the report.

pub mod check;
pub mod convergence;
pub mod manoeuvres;
pub mod page;
pub mod planning;
pub mod plot;
pub mod real_car;
pub mod recording;
pub mod references;
pub mod single_track;
pub mod tyres;

#[allow(dead_code)]
#[path = "../../plugins/commonroad/examples/compare/comparison.rs"]
mod comparison;
#[allow(dead_code)]
#[path = "../../plugins/commonroad/examples/compare/file.rs"]
mod file;
#[allow(dead_code, clippy::unwrap_used)]
#[path = "../../tests/support/measured.rs"]
mod measured;

use std::path::Path;

// the built-in families register themselves, but the linker drops crates that are not named
use simhost_families as _;

/// Runs all comparisons with the worlds of the project in `root`.
pub fn cases(root: &Path) -> Vec<check::Case> {
    let mut cases = manoeuvres::all(&root.join("worlds/validation"));
    cases.extend(real_car::all(&root.join("worlds/validation")));
    cases.extend(tyres::all());
    cases.extend(convergence::all(&root.join("worlds/validation")));
    cases.extend(references::all(&root.join("tests/data")));
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_class_is_in_the_table_of_limits() {
        let catalogue = simhost_registry::Catalogue::collect(Default::default());
        let catalogue = catalogue.expect("there is no folder to read");
        for entry in catalogue.entries() {
            let name = &entry.class;
            assert!(page::LIMITS.contains(&format!("`{name}`")), "{name}");
        }
    }

    #[test]
    fn every_value_is_within_its_tolerance_and_the_page_is_up_to_date() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let cases = cases(&root);
        let wrong: Vec<_> = cases
            .iter()
            .flat_map(|case| case.checks.iter().map(move |check| (case.title, check)))
            .filter(|(_, check)| !check.holds())
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");

        let help = "to update it: cargo run --release -p simhost-validation --example report";
        let pages = root.join("docs/src");
        let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        assert_eq!(read(&pages.join("validation.md")), page::render(&cases), "{help}");
        for case in &cases {
            let picture = read(&pages.join(format!("validation/{}.svg", case.file)));
            assert!(picture == case.picture, "the picture {} is out of date; {help}", case.file);
        }
        let pictures = std::fs::read_dir(pages.join("validation")).expect("the pictures");
        assert_eq!(pictures.count(), cases.len(), "there are pictures without a case");
    }
}
