//! The report as a page of the book, and as lines on the terminal.

use std::fmt::Write as _;
use std::path::Path;

use crate::check::Case;

const HEAD: &str = "# Validation\n\n\
Written by `cargo run --release -p simhost-validation --example report`, which exits with 1 when a number is out of its tolerance; `cargo test` runs the \
same comparisons. The worlds are in `worlds/validation/`; each can be run by `simhost` with the commands beside it. Energy is balanced \
by the work of motors, brakes, tyres (force times slip velocity), rolling resistance, air and damping, each counted on its own.\n\n\
`tests/compare_all.sh FOLDER` compares with numbers that others have measured or computed: trajectories of MVSim, and derivatives, trajectories and tyre \
points of commonroad-vehicle-models; it prints the worst errors and exits with 1 when one is out of tolerance. Subsets of them are in `tests/data` and are \
compared by `cargo test`.\n";

/// What every model is compared with, and what it is not valid for.
pub const LIMITS: &str = include_str!("limits.md");

/// Writes the page and its pictures below `folder`.
pub fn write(folder: &Path, cases: &[Case]) -> std::io::Result<()> {
    let pictures = folder.join("validation");
    std::fs::create_dir_all(&pictures)?;
    let mut page = HEAD.to_owned();
    for case in cases {
        let title = case.title.replace('-', " ");
        let _ = write!(page, "\n## {title}\n\n{}\n\n", case.text);
        page.push_str(
            "| Quantity | Expected | Found | Tolerance | Holds |\n|---|---|---|---|---|\n",
        );
        for check in &case.checks {
            let holds = if check.holds() { "yes" } else { "**no**" };
            let (what, expected) = (&check.what, check.expected);
            let (found, tolerance) = (check.found, check.tolerance);
            let _ = writeln!(
                page,
                "| {what} | {} | {} | {tolerance:.2e} | {holds} |",
                number(expected),
                number(found)
            );
        }
        let _ = write!(page, "\n![{title}](validation/{}.svg)\n", case.title);
        std::fs::write(pictures.join(format!("{}.svg", case.title)), &case.picture)?;
    }
    page.push_str(LIMITS);
    std::fs::write(folder.join("validation.md"), page)
}

/// With five places, or with a power of ten where they would be zeros.
fn number(value: f64) -> String {
    match value == 0.0 || value.abs() >= 1e-4 {
        true => format!("{value:.5}"),
        false => format!("{value:.1e}"),
    }
}

/// A line for each comparison.
#[expect(clippy::print_stdout, reason = "this is what the program prints")]
pub fn print(cases: &[Case]) {
    for case in cases {
        println!("{}", case.title);
        for check in &case.checks {
            let holds = if check.holds() { "holds" } else { "FAILS" };
            let (found, expected) = (check.found, check.expected);
            println!(
                "  {holds} {}: {}, expected {} ± {:.2e}",
                check.what,
                number(found),
                number(expected),
                check.tolerance
            );
        }
    }
}
