//! The report as a page of the book and as lines on the terminal.

use std::fmt::Write as _;
use std::path::Path;

use crate::check::{Case, Check};

/// Start of the page, up to the output of the command.
const HEAD: &str = "# Validation

After this page you know the accuracy and the limits of each model, and you can repeat every
comparison of simhost with closed-form solutions, standards, and values that others have measured or
computed:

```sh
cargo run --release -p simhost-validation --example report
```

The command prints one line per comparison, rewrites this page and exits with code 1 if a value is
outside its tolerance. Its output begins with

```text
";

/// Text between the output of the command and the first case.
const INTRODUCTION: &str = "```

`cargo test` runs the same comparisons and checks that this page is up to date. The worlds are in
`worlds/validation/`; you can run each of them with `simhost` and the command file next to it.

In every manoeuvre, the change of energy is compared with the sum of the work of motors, brakes,
tyres (force times slip velocity), rolling resistance, air and damping. Each work term is computed
independently of the others, so a missing term shows up as an imbalance.

`tests/compare_all.sh FOLDER` compares simhost with larger sets of reference values: trajectories of
MVSim, and derivatives, trajectories and tyre forces of commonroad-vehicle-models. It prints the
largest errors and exits with code 1 if an error is outside its tolerance. `cargo test` uses subsets
in `tests/data`.
";

/// Comparisons and limits of every model.
pub const LIMITS: &str = include_str!("limits.md");

/// Renders the page.
pub fn render(cases: &[Case]) -> String {
    let mut page = HEAD.to_owned();
    for line in cases.iter().take(1).flat_map(lines) {
        page.push_str(&line);
        page.push('\n');
    }
    page.push_str(INTRODUCTION);
    for case in cases {
        let Case { title, file, text, checks, .. } = case;
        let _ = write!(page, "\n## {title}\n\n{}\n\n", wrapped(text));
        page.push_str(
            "| Quantity | Expected | Found | Tolerance | Within tolerance |\n|---|---|---|---|---|\n",
        );
        for check in checks {
            let holds = if check.holds() { "yes" } else { "**no**" };
            let Check { what, expected, found, tolerance } = check;
            let (expected, found) = (number(*expected), number(*found));
            let _ = writeln!(page, "| {what} | {expected} | {found} | {tolerance:.2e} | {holds} |");
        }
        let _ = write!(page, "\n![{title}](validation/{file}.svg)\n");
    }
    page.push_str(LIMITS);
    page
}

/// Breaks a paragraph into lines of at most 100 characters.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= 100 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

/// Writes the page and its pictures to `folder`.
///
/// # Errors
/// Error of the system if a file cannot be written.
pub fn write(folder: &Path, cases: &[Case]) -> std::io::Result<()> {
    let pictures = folder.join("validation");
    std::fs::create_dir_all(&pictures)?;
    for case in cases {
        std::fs::write(pictures.join(format!("{}.svg", case.file)), &case.picture)?;
    }
    std::fs::write(folder.join("validation.md"), render(cases))
}

/// Formats a number with five decimals, or with an exponent if these would be zeros.
fn number(value: f64) -> String {
    match value == 0.0 || value.abs() >= 1e-4 {
        true => format!("{value:.5}"),
        false => format!("{value:.1e}"),
    }
}

/// Returns the title of a case and one line per comparison.
fn lines(case: &Case) -> Vec<String> {
    let line = |check: &Check| {
        let holds = if check.holds() { "ok    " } else { "FAILED" };
        let Check { what, expected, found, tolerance } = check;
        let (expected, found) = (number(*expected), number(*found));
        format!("  {holds} {what}: {found}, expected {expected} ± {tolerance:.2e}")
    };
    std::iter::once(case.title.to_owned()).chain(case.checks.iter().map(line)).collect()
}

/// Prints one line per comparison.
#[expect(clippy::print_stdout, reason = "output of the program")]
pub fn print(cases: &[Case]) {
    for line in cases.iter().flat_map(lines) {
        println!("{line}");
    }
}
