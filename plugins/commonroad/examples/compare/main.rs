//! Compares the models with a file of numbers of commonroad-vehicle-models.
//!
//! `cargo run -p simhost-commonroad --example compare -- FILE`
//!
//! prints the worst error of each model and kind, relative to the larger of 1 and the number, and ends with
//! 1 when one is out of tolerance, with 2 when the file cannot be read or holds nothing. `FILE` is JSON with any of the
//! keys `derivatives`, `trajectories`, `tire` and `parameters`, as `tests/data/commonroad/reference.json` has them. The
//! models are compared with all defects of the reference; the last column shows how far the corrected ones are from it.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod comparison;
mod file;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path] = arguments.as_slice() else {
        eprintln!("usage: cargo run -p simhost-commonroad --example compare -- FILE");
        return ExitCode::from(2);
    };
    match file::File::read(path) {
        Ok(file) => tell(&file, path),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn tell(file: &file::File, path: &str) -> ExitCode {
    let table = comparison::compare(file);
    if table.is_empty() {
        eprintln!("error: {path}: no derivatives, trajectories, tire or parameters in it");
        return ExitCode::from(2);
    }
    println!(
        "{:<11} {:<14} {:>6} {:>10} {:>10}  {:<7} {:>10}  worst at",
        "kind", "model", "cases", "error", "tolerance", "", "corrected"
    );
    for ((kind, model), worst) in &table {
        let verdict = if worst.holds() { "holds" } else { "FAILS" };
        println!(
            "{kind:<11} {model:<14} {:>6} {:>10.2e} {:>10.0e}  {verdict:<7} {:>10.2e}  {}",
            worst.cases, worst.error, worst.tolerance, worst.corrected, worst.place
        );
        if worst.unknown > 0 {
            println!("            {} of them cannot be computed here", worst.unknown);
        }
    }
    ExitCode::from(u8::from(!table.values().all(comparison::Worst::holds)))
}
