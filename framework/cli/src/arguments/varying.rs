//! Options of `run` for an ensemble: many members of one world, with differences.

use clap::Args;
use serde_json::{Value, json};
use simhost::{MetricRequest, Variation};

use super::{metric, positive};

/// Options for an ensemble.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Ensembles")]
pub struct Varying {
    /// Run N members of the world, with the seeds SEED, SEED + 1, … and the differences of --vary, and write
    /// metrics.csv to the directory of --out: one row per member.
    #[arg(long, value_name = "N", value_parser = members)]
    pub members: Option<usize>,

    /// Vary a value between members, such as robot/friction/mu=uniform:0.3:1 or robot/pose='list:0 0 0,1 0 0'; can be
    /// repeated. Kinds: constant, list, range, uniform, loguniform, normal, truncated, choice, lhs, sobol.
    #[arg(long, value_name = "NAME=KIND:…", requires = "members", value_parser = variation)]
    pub vary: Vec<Variation>,

    /// Add a metric to metrics.csv, such as peak='max(abs(car/acceleration[1]))', or max:car/twist for each of its values;
    /// can be repeated [default: final x, y and yaw of the first 8 vehicles].
    #[arg(long, value_name = "[NAME=]EXPRESSION", requires = "members", value_parser = metric)]
    pub metric: Vec<MetricRequest>,

    /// Simulated time between the samples of metrics, s. The first is at the start, the last at the end.
    #[arg(long, value_name = "S", requires = "members", default_value_t = 0.1)]
    #[arg(value_parser = positive, allow_hyphen_values = true)]
    pub metric_period: f64,

    /// Also write the usual files of each member, to member-K in the directory of --out.
    #[arg(long, requires_all = ["members", "out"])]
    pub each: bool,

    /// Run N members, spread over all, again by themselves, and compare their result hashes. The exit code is 1 if one
    /// differs, which a model causes that keeps something outside of its states.
    #[arg(long, value_name = "N", requires = "members", conflicts_with = "member")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub verify: Option<u64>,

    /// Run member K of --members alone, as a usual run with all its options and the same results.
    #[arg(long, value_name = "K", requires = "members", conflicts_with_all = ["each", "resume"])]
    pub member: Option<usize>,
}

impl Varying {
    /// Returns the options for the manifest; none without members.
    pub fn options(&self) -> Vec<(String, Value)> {
        let Self { members, vary, metric, metric_period, each, verify: _, member } = self;
        let texts = |list: &[Variation]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        let metrics: Vec<String> = metric.iter().map(ToString::to_string).collect();
        let all = [
            ("members", json!(members)),
            ("member", json!(member)),
            ("vary", json!(texts(vary))),
            ("metrics", json!(metrics)),
            ("metric_period_s", json!(metric_period)),
            ("each", json!(each)),
        ];
        let all = all.into_iter().filter(|_| members.is_some());
        all.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// Returns the number of members of an ensemble that runs as a whole.
    pub fn all(&self) -> Option<usize> {
        self.members.filter(|_| self.member.is_none())
    }

    /// Returns whether the members run as an ensemble and then one by one, with their files.
    pub fn runs_twice(&self) -> bool {
        self.each && self.member.is_none()
    }

    /// Returns the member that runs alone, and the number of members.
    pub fn alone(&self) -> Option<(usize, usize)> {
        self.member.zip(self.members)
    }
}

fn members(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(count) if (1..=1 << 32).contains(&(count as u64)) => Ok(count),
        _ => Err("expected a whole number from 1 to 4294967296".into()),
    }
}

fn variation(text: &str) -> Result<Variation, String> {
    text.parse().map_err(|error: simhost::VariationError| error.to_string())
}
