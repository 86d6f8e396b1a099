//! Writes the validation report: `cargo run --release -p simhost-validation`.
//!
//! Runs the worlds in `worlds/validation`, compares what they do with closed forms, and writes
//! `docs/src/validation.md` with a picture for each. Exits with 1 when something does not hold.

mod check;
mod manoeuvres;
mod page;
mod plot;
mod recording;
mod single_track;
mod tyres;

use std::path::Path;
use std::process::ExitCode;

use simhost_controllers as _;
use simhost_dynamics as _;
use simhost_friction as _;
use simhost_sensors as _;
use simhost_tyres as _;

#[expect(clippy::print_stderr, reason = "an error is told there")]
fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let cases = cases(&root);
    page::print(&cases);
    if let Err(error) = page::write(&root.join("docs/src"), &cases) {
        eprintln!("error: the report cannot be written: {error}");
        return ExitCode::from(2);
    }
    match cases.iter().flat_map(|case| &case.checks).all(check::Check::holds) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    }
}

/// All comparisons.
fn cases(root: &Path) -> Vec<check::Case> {
    let mut cases = manoeuvres::all(&root.join("worlds/validation"));
    cases.extend(tyres::all());
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

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
