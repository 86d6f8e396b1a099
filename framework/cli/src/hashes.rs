//! `hash.csv`: the state hash at regular times.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use simhost_engine::{Clock, Simulation};

use crate::exit::{Code, Failure};
use crate::period::Period;

/// Writer of `hash.csv`.
pub struct Hashes {
    period: Period,
    /// Output file, or nothing if the run has no output directory.
    file: Option<(PathBuf, BufWriter<File>)>,
}

impl Hashes {
    /// Creates the file in `out`. The file of a resumed run starts after the snapshot.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
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

    /// Writes a row if one is due.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or if a model cannot save its memory.
    pub fn observe(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        let clock = simulation.clock();
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        if !self.period.is_due(clock) {
            return Ok(());
        }
        let hash = of(simulation)?;
        writeln!(file, "{},{},{hash}", clock.time(), clock.steps).map_err(|e| failed(path, &e))
    }

    /// Completes the file and returns its path.
    ///
    /// # Errors
    /// Fails if the file cannot be written.
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

/// Returns the state hash of a simulation as 32 hexadecimal digits.
///
/// # Errors
/// Fails if a model cannot save its memory.
pub fn of(simulation: &Simulation) -> Result<String, Failure> {
    let hash = simulation.state_hash();
    let hash = hash.map_err(|error| Failure::new(Code::PluginFault, error))?;
    Ok(format!("{hash:032x}"))
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Code::Output, format!("cannot write {}: {error}", path.display()))
}
