//! `simhost plugin check` and `simhost plugin bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::Models;

/// Tests models, each test in a process of its own.
#[derive(Args, Clone, Debug)]
pub struct CheckPlugin {
    /// Files, or classes by their short or full name.
    #[arg(value_name = "FILE|CLASS", required_unless_present_any = ["list", "built_in"])]
    pub subjects: Vec<PathBuf>,

    /// Test everything that is linked in.
    #[arg(long)]
    pub built_in: bool,

    /// Run this test alone (repeatable).
    #[arg(long, value_name = "ID", value_parser = test_id)]
    pub only: Vec<String>,

    /// Leave this test out (repeatable).
    #[arg(long, value_name = "ID", value_parser = test_id)]
    pub skip: Vec<String>,

    /// Draw N cases of parameters and inputs in each test that draws.
    #[arg(long, value_name = "N", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub fuzz: u64,

    /// Seed of the first drawn case; the next ones follow.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Time that one test may take, s.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    pub timeout: Duration,

    /// Print one JSON array.
    #[arg(long)]
    pub json: bool,

    /// Write a JUnit report too.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// List the tests as a Markdown table and run none.
    #[arg(long)]
    pub list: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Measures the time of a call, beside that of the built-in model of its kind.
#[derive(Args, Clone, Debug)]
pub struct Bench {
    /// A file, or a class by its short or full name.
    #[arg(value_name = "CLASS|FILE")]
    pub subject: PathBuf,

    /// Print one JSON array.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub models: Models,
}

/// One test, for the program itself: the model may end the process.
#[derive(Args, Clone, Debug)]
pub struct Job {
    /// What to do.
    pub job: String,
}

fn test_id(text: &str) -> Result<String, String> {
    let ids = simhost_validator::TESTS.iter().map(|test| test.id);
    if ids.clone().any(|id| id == text) {
        return Ok(text.to_owned());
    }
    let nearest = simhost_model::nearest(text, ids);
    let hint = nearest.map(|id| format!("did you mean `{id}`? ")).unwrap_or_default();
    Err(format!("no such test; {hint}`simhost plugin check --list` lists all"))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let expected = || "expected seconds, from 0.01 to 3600".to_owned();
    let number: f64 = text.parse().map_err(|_| expected())?;
    if (0.01..=3600.0).contains(&number) {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err(expected())
    }
}
