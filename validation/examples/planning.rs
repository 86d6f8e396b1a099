//! Runs cases of planning models: `cargo run --release -p simhost-validation --example planning --
//! CASES.csv`.
//!
//! Prints the worst error of each model, and every result that is wrong. Exits with code 1 if there is
//! one, and with code 2 if the file cannot be used.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use simhost_registry::Catalogue;
use simhost_validation::planning::{Comparison, compare, read, run};

#[expect(clippy::print_stderr, reason = "errors of the program")]
fn main() -> ExitCode {
    let Some(file) = std::env::args_os().nth(1) else {
        eprintln!("error: missing argument: expected a file of cases, CASES.csv");
        return ExitCode::from(2);
    };
    match compare_all(Path::new(&file)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {}: {error}", Path::new(&file).display());
            ExitCode::from(2)
        }
    }
}

/// Runs all cases and prints the comparison. Returns whether all results are within their tolerances.
#[expect(clippy::print_stdout, reason = "output of the program")]
fn compare_all(file: &Path) -> Result<bool, Box<dyn std::error::Error>> {
    let cases = read(&std::fs::read_to_string(file)?)?;
    let catalogue = Catalogue::collect(simhost_registry::Options::default())?;
    let mut models: BTreeMap<String, Vec<Comparison>> = BTreeMap::new();
    for case in &cases {
        let compared = compare(case, &run(file, case, &catalogue)?);
        compared.wrong.iter().for_each(|wrong| println!("{}: {wrong}", case.model));
        models.entry(compared.model.clone()).or_default().push(compared);
    }
    println!(
        "{:<38} {:>5} {:>6} {:>15} {:>9}",
        "model", "cases", "failed", "relative error", "of limit"
    );
    for (model, compared) in &models {
        let largest = |of: fn(&Comparison) -> f64| compared.iter().map(of).fold(0.0, f64::max);
        let failed = compared.iter().filter(|one| !one.wrong.is_empty()).count();
        let (relative, worst) = (largest(|one| one.relative), largest(|one| one.worst));
        let count = compared.len();
        println!("{model:<38} {count:>5} {failed:>6} {relative:>15.1e} {worst:>9.3}");
    }
    Ok(models.values().flatten().all(|one| one.wrong.is_empty()))
}
