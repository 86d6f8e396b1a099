//! Scans with Embree, where its library is installed.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Result of Embree for one scan.
pub struct Measured {
    /// Range of each ray, m; infinite for none.
    pub ranges: Vec<f32>,
    /// Shortest time of a scan on one thread, s.
    pub time: f64,
}

/// The program that casts rays with Embree.
pub struct Embree {
    folder: tempfile::TempDir,
    program: PathBuf,
}

impl Embree {
    /// Builds the program with the C compiler. Returns `None` without compiler or library.
    pub fn build() -> Option<Self> {
        let folder = tempfile::tempdir().ok()?;
        let program = folder.path().join("scan");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/embree/scan.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-O3", "-march=native", "-o"]).arg(&program).arg(source);
        let built = compiler.args(["-lembree3", "-lm"]).output().ok()?;
        built.status.success().then_some(Self { folder, program })
    }

    /// Casts rays from an origin at triangles in the world frame.
    ///
    /// # Errors
    /// The files cannot be written or read, or the program fails.
    pub fn scan(
        &self,
        origin: [f64; 3],
        triangles: &[[[f64; 3]; 3]],
        directions: &[[f64; 3]],
    ) -> io::Result<Measured> {
        let [input, output] = ["input", "output"].map(|name| self.folder.path().join(name));
        let mut file = BufWriter::new(std::fs::File::create(&input)?);
        for count in [triangles.len(), directions.len()] {
            file.write_all(&(count as u32).to_le_bytes())?;
        }
        let numbers = origin.iter().chain(triangles.iter().flatten().flatten());
        for number in numbers.chain(directions.iter().flatten()) {
            file.write_all(&(*number as f32).to_le_bytes())?;
        }
        file.into_inner()?.sync_all()?;
        let run = Command::new(&self.program).args([&input, &output]).arg("40").output()?;
        let text = String::from_utf8_lossy(&run.stdout);
        let time: f64 = text.trim().parse().map_err(io::Error::other)?;
        let bytes = std::fs::read(&output)?;
        let ranges = bytes.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        Ok(Measured { ranges: ranges.collect(), time: time * 1e-3 })
    }
}
