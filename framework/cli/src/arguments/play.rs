//! Arguments of `simhost play`.

use std::path::PathBuf;

use clap::Args;

use super::live::Access;
use super::{Models, positive};

/// Arguments of `simhost play`.
#[derive(Args, Clone, Debug)]
pub struct Play {
    /// Output directory of a run, or an MCAP file.
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Simulated time per wall time.
    #[arg(long, value_name = "F", default_value = "1", value_parser = positive, allow_hyphen_values = true)]
    pub rate: f64,

    /// Start at this simulated time, s.
    #[arg(long, value_name = "S", default_value = "0", value_parser = time, allow_hyphen_values = true)]
    pub from: f64,

    /// Pause at this simulated time, s [default: the end].
    #[arg(long, value_name = "S", value_parser = time, allow_hyphen_values = true)]
    pub to: Option<f64>,

    /// Start paused. Clients step, and so does the key `.` in the terminal; space continues, `+` and
    /// `-` change the pace, and `q` ends.
    #[arg(long)]
    pub step: bool,

    /// Serve on ADDR: HOST:PORT, HOST or PORT.
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8765")]
    pub live: String,

    #[command(flatten)]
    pub access: Access,

    #[command(flatten)]
    pub models: Models,
}

fn time(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("expected a number that is not negative".into()),
    }
}
