//! Options of `run` for live clients, and arguments of `top`.

use std::path::PathBuf;

use clap::Args;

use super::{Models, positive};

/// Options for live clients.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Live clients")]
pub struct Live {
    /// Serve the run to Foxglove, Lichtblick and other clients on ADDR: HOST:PORT, HOST or PORT
    /// [default: 127.0.0.1:8765]. The run is in real time unless --clock is given, and without a
    /// duration it lasts until it is stopped.
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "")]
    pub live: Option<String>,

    /// Stop a vehicle whose last `twist` or `ackermann` command of a client, such as `cmd_vel`, is older than S
    /// seconds of simulated time [default: it keeps the command].
    #[arg(long, value_name = "S", value_parser = positive, allow_hyphen_values = true)]
    pub command_timeout: Option<f64>,

    /// Let live clients and ROS 2 nodes name files in DIR, in addition to those in the folder of the world; can be
    /// repeated.
    #[arg(long, value_name = "DIR")]
    pub client_files: Vec<PathBuf>,

    #[command(flatten)]
    pub access: Access,

    /// How the page is shown, if the verb is `view`.
    #[cfg(feature = "live")]
    #[arg(skip)]
    pub page: Option<PageUse>,
}

/// How the page of a run is shown.
#[cfg(feature = "live")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageUse {
    /// Whether a browser is opened.
    pub is_opened: bool,
}

/// Options for the clients that may connect.
#[derive(Args, Clone, Debug, Default)]
pub struct Access {
    /// Token that live clients have to give: ws://HOST:PORT/?token=TOKEN. Addresses that other machines
    /// can reach need one.
    #[arg(long, value_name = "TOKEN", env = "SIMHOST_LIVE_TOKEN", hide_env_values = true)]
    pub live_token: Option<String>,

    /// Let web pages of ORIGIN connect, such as `https://example.org`; can be repeated. Pages of this
    /// machine and of Foxglove always can.
    #[arg(long, value_name = "ORIGIN")]
    pub live_origin: Vec<String>,
}

/// Arguments of `simhost top`.
#[derive(Args, Clone, Debug)]
pub struct Top {
    /// Address of the run: HOST:PORT, HOST or PORT.
    #[arg(value_name = "ADDR", default_value = "127.0.0.1:8765")]
    pub address: String,

    /// Token of the run.
    #[arg(long, value_name = "TOKEN", env = "SIMHOST_LIVE_TOKEN", hide_env_values = true)]
    pub live_token: Option<String>,
}

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

/// Arguments of `simhost export-page`.
#[derive(Args, Clone, Debug)]
pub struct ExportPage {
    /// Output directory of a run, or an MCAP file.
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// HTML file to write [default: the name of the run with `.html`].
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    #[command(flatten)]
    pub models: Models,
}

/// Arguments of `simhost page`.
#[derive(Args, Clone, Debug)]
pub struct WritePage {
    /// Folder to write, which is created, or a file with the ending `.html`, which contains everything and which a browser
    /// opens from a disk.
    #[arg(short, long, value_name = "PATH")]
    pub out: PathBuf,

    /// The simulator as a WebAssembly module, which `framework/wasm/build.sh DIR` writes to DIR in a clone of the repository.
    #[arg(long, value_name = "FILE", default_value = "simhost.wasm")]
    pub module: PathBuf,

    /// Folder whose worlds the page lists [default: the world of `simhost demo`]. It has the files that they include
    /// or name, too.
    #[arg(long, value_name = "DIR")]
    pub worlds: Option<PathBuf>,
}
