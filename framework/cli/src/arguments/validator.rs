//! Arguments of `simhost plugin check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{Models, seconds};

/// Arguments of `simhost plugin check`. Each test runs in a process of its own.
#[derive(Args, Clone, Debug)]
pub struct CheckPlugin {
    /// Plugin files, or classes by their short or full name.
    #[arg(value_name = "FILE|CLASS", required_unless_present_any = ["list", "built_in"])]
    pub subjects: Vec<PathBuf>,

    /// Test all built-in models.
    #[arg(long)]
    pub built_in: bool,

    /// Run only this test (repeatable).
    #[arg(long, value_name = "ID", value_parser = test_id)]
    pub only: Vec<String>,

    /// Skip this test (repeatable).
    #[arg(long, value_name = "ID", value_parser = test_id)]
    pub skip: Vec<String>,

    /// Give a parameter this value instead of its default, in all models that have it (repeatable). Files are
    /// relative to the working folder.
    #[arg(long, value_name = "NAME=VALUE", value_parser = super::named_value)]
    pub param: Vec<(String, String)>,

    /// Number of random cases of parameters and inputs in each randomized test.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub fuzz: u64,

    /// Seed of the first random case; the next cases use the seeds that follow it.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Time limit of one test, s.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,

    /// Print one JSON array.
    #[arg(long)]
    pub json: bool,

    /// Also write a JUnit report to this file.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Print all tests as a Markdown table, and run none.
    #[arg(long)]
    pub list: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Arguments of the internal subcommand `trial`.
#[derive(Args, Clone, Debug)]
pub struct Job {
    /// The test to run, as JSON.
    pub job: String,
}

fn test_id(text: &str) -> Result<String, String> {
    let ids = simhost_validator::TESTS.iter().map(|test| test.id);
    if ids.clone().any(|id| id == text) {
        return Ok(text.to_owned());
    }
    let nearest = simhost_model::nearest(text, ids);
    let hint = nearest.map(|id| format!("did you mean `{id}`? ")).unwrap_or_default();
    Err(format!("unknown test; {hint}run `simhost plugin check --list` to list all tests"))
}
