//! The validation report: runs the worlds in `worlds/validation`, compares what they do with closed forms and models with
//! references, and writes `docs/src/validation.md` with a picture for each. The example `report` does so.

pub mod check;
pub mod convergence;
pub mod manoeuvres;
pub mod page;
pub mod plot;
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

use simhost_controllers as _;
use simhost_dynamics as _;
use simhost_friction as _;
use simhost_sensors as _;
use simhost_trajectory as _;
use simhost_tyres as _;

/// All comparisons, with the worlds of the project in `root`.
pub fn cases(root: &Path) -> Vec<check::Case> {
    let mut cases = manoeuvres::all(&root.join("worlds/validation"));
    cases.extend(tyres::all());
    cases.extend(convergence::all(&root.join("worlds/validation")));
    cases.extend(references::all(&root.join("tests/data")));
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_class_has_its_line() {
        let catalogue = simhost_registry::Catalogue::collect(Default::default());
        let catalogue = catalogue.expect("there is no folder to read");
        for entry in catalogue.entries() {
            let name = &entry.class;
            assert!(page::LIMITS.contains(&format!("`{name}`")), "{name}");
        }
    }

    #[test]
    fn every_comparison_holds() {
        let cases = cases(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let wrong: Vec<_> = cases
            .iter()
            .flat_map(|case| case.checks.iter().map(move |check| (case.title, check)))
            .filter(|(_, check)| !check.holds())
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
