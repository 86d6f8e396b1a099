//! A sink of one's own: the way and the top speed of each vehicle, as a table.
#![allow(clippy::print_stdout, missing_docs)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost::{Options, Sample, Selection, Session, Sink, SinkError, Stream, Twist, seconds};

/// Way and speed of a vehicle so far.
#[derive(Default)]
struct Trip {
    last: Option<[f64; 2]>,
    way: f64,
    top_speed: f64,
}

/// Adds up the ways of vehicles, and writes them to a file.
struct Trips {
    file: PathBuf,
    streams: Vec<Arc<Stream>>,
    trips: Vec<Trip>,
}

impl Sink for Trips {
    fn begin(&mut self, streams: &[Arc<Stream>]) -> Result<(), SinkError> {
        self.streams = streams.to_vec();
        self.trips = streams.iter().map(|_| Trip::default()).collect();
        Ok(())
    }

    fn take(&mut self, stream: usize, sample: &Sample<'_>) -> Result<(), SinkError> {
        let (stream, trip) = (&self.streams[stream], &mut self.trips[stream]);
        let [x, y, ..] = *stream.numbers_of("position", sample.numbers) else { return Ok(()) };
        let [forward, left] = *stream.numbers_of("linear", sample.numbers) else { return Ok(()) };
        let last = trip.last.replace([x, y]).unwrap_or([x, y]);
        trip.way += (x - last[0]).hypot(y - last[1]);
        trip.top_speed = trip.top_speed.max(forward.hypot(left));
        Ok(())
    }

    fn finish(&mut self) -> Result<Vec<PathBuf>, SinkError> {
        let mut text = "stream,way_m,top_speed_mps\n".to_owned();
        for (stream, trip) in self.streams.iter().zip(&self.trips) {
            text += &format!("{},{:.3},{:.3}\n", stream.name, trip.way, trip.top_speed);
        }
        let failed = |error| SinkError::new(self.file.display().to_string()).because(error);
        std::fs::write(&self.file, text).map_err(failed)?;
        Ok(vec![self.file.clone()])
    }
}

/// Drives a robot for 5 s, and returns the table.
pub fn drive(world: &Path, folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let mut sim = Session::open(world, Options::default())?;
    let trips = Trips { file: folder.join("trips.csv"), streams: vec![], trips: vec![] };
    let patterns = vec!["*/ground_truth".to_owned()];
    sim.attach(Box::new(trips), &Selection { patterns, period: Some(0.1), ..Default::default() })?;
    sim.vehicle("robot")?.command(Twist { vx: 1.0, vy: 0.0, omega: 0.3 })?;
    sim.run_until(seconds(5.0))?;
    let files = sim.finish()?;
    Ok(std::fs::read_to_string(&files[0])?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", drive("worlds/demo.world.xml".as_ref(), &std::env::temp_dir())?);
    Ok(())
}
