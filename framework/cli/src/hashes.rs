//! `hash.csv`: a number for the whole state, every so often.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use simhost_engine::{Clock, Simulation};

use crate::exit::{Code, Failure};
use crate::period::Period;

/// Writes state hashes.
pub struct Hashes {
    period: Period,
    /// None where nothing is written.
    file: Option<(PathBuf, BufWriter<File>)>,
}

impl Hashes {
    /// Opens the file in `out`. A run that goes on from a snapshot has its rows after that.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(every: f64, out: Option<&Path>, resumed: Option<Clock>) -> Result<Self, Failure> {
        let period = match resumed {
            Some(clock) => Period::after(every, clock),
            None => Period::new(every),
        };
        let open = |folder: &Path| {
            let path = folder.join("hash.csv");
            let mut file = BufWriter::new(File::create(&path).map_err(|e| failed(&path, &e))?);
            writeln!(file, "time_s,step,hash").map_err(|error| failed(&path, &error))?;
            Ok((path, file))
        };
        Ok(Self { period, file: out.map(open).transpose()? })
    }

    /// Writes the row that is due.
    ///
    /// # Errors
    /// It cannot be written, or a model cannot save what it remembers.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let clock = simulation.clock();
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        if !self.period.is_due(clock) {
            return Ok(());
        }
        let hash = of(simulation)?;
        writeln!(file, "{},{},{hash}", clock.time(), clock.steps).map_err(|e| failed(path, &e))
    }

    /// Completes the file; its path comes back.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(self) -> Result<Option<PathBuf>, Failure> {
        let Some((path, mut file)) = self.file else { return Ok(None) };
        file.flush().map_err(|error| failed(&path, &error))?;
        Ok(Some(path))
    }
}

/// Returns the result hash of a simulation as 32 hexadecimal digits.
pub fn of_results(simulation: &Simulation) -> String {
    format!("{:032x}", simulation.result_hash())
}

/// The hash of a simulation now, as text.
///
/// # Errors
/// A model cannot save what it remembers.
pub fn of(simulation: &Simulation) -> Result<String, Failure> {
    let hash = simulation.state_hash();
    let hash = hash.map_err(|error| Failure::new(Code::PluginFault, error))?;
    Ok(format!("{hash:032x}"))
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
}
