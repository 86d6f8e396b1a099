//! Writes the validation report: `cargo run --release -p simhost-validation --example report`.
//!
//! Prints every comparison and exits with code 1 if a value is outside its tolerance.

use std::path::Path;
use std::process::ExitCode;

use simhost_validation::{cases, check::Check, page};

#[expect(clippy::print_stderr, reason = "errors of the program")]
fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let cases = cases(&root);
    page::print(&cases);
    if let Err(error) = page::write(&root.join("docs/src"), &cases) {
        eprintln!("error: failed to write the report: {error}");
        return ExitCode::from(2);
    }
    match cases.iter().flat_map(|case| &case.checks).all(Check::holds) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(1),
    }
}
