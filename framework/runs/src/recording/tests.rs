use std::path::Path;
use std::sync::Arc;

use simhost_mcap::McapSink;
use simhost_streams::{Sample, Sink, Stamp, Stream, types};

use crate::Run;

fn record(path: &Path) {
    let kinds = [("car/ground_truth", types::Odometry::TYPE), ("car/wheels", types::Wheels::TYPE)];
    let mut streams: Vec<Stream> =
        kinds.into_iter().map(|(name, kind)| Stream::new(name, Arc::new(kind))).collect();
    streams[1].labels = vec!["l".to_owned(), "r".to_owned()];
    let mut sink = McapSink::new(path);
    sink.begin(&streams.into_iter().map(Arc::new).collect::<Vec<_>>()).unwrap();
    for step in 0..10_u64 {
        let (stamp, x) = (Stamp(step * 100_000_000), step as f64);
        sink.take(0, &Sample::new(stamp, &[x, -x, 0.5, 0.3, -0.2, 0.1, 1.5, 2.5, 3.5])).unwrap();
        if step % 5 == 0 {
            let numbers: Vec<f64> = (0..22).map(|k| x + f64::from(k)).collect();
            sink.take(1, &Sample::new(stamp, &numbers)).unwrap();
        }
        sink.end_of_step(stamp).unwrap();
    }
    sink.finish().unwrap();
}

#[test]
fn a_recording_has_the_series_of_an_output_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    record(&path);
    let run = Run::open(&path, &|_| true).unwrap();
    assert_eq!(run.vehicles, ["car"]);
    assert!(run.notes.is_empty());
    let pose = run.find("car/pose").unwrap();
    assert_eq!((pose.len(), pose.columns.len(), pose.is_array), (10, 6, true));
    assert_eq!(pose.units, ["m", "m", "m", "rad", "rad", "rad"]);
    assert_eq!(pose.columns[1][3], -3.0);
    for (column, angle) in [(3, 0.3), (4, -0.2), (5, 0.1)] {
        assert!((pose.columns[column][7] - angle).abs() < 1e-15);
    }
    let twist = run.find("car/twist").unwrap();
    assert_eq!([0, 1, 2].map(|column| twist.columns[column][9]), [1.5, 2.5, 3.5]);
    assert_eq!(run.wheels("car"), ["l", "r"]);
    let load = run.find("car/wheel/r/normal_force").unwrap();
    assert_eq!((&*load.units, load.is_array), (&["N".to_owned()][..], false));
    assert_eq!(*load.times, [0.0, 0.5]);
    assert_eq!(load.columns, [[13.0, 18.0]]);
}

#[test]
fn series_that_are_not_asked_for_have_names_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    record(&path);
    let run = Run::open(&path, &|name| name == "car/twist").unwrap();
    assert_eq!(run.series.len(), 1);
    assert_eq!(run.names.len(), 2 + 22);
}

#[test]
fn a_recording_that_was_cut_has_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    record(&path);
    let content = std::fs::read(&path).unwrap();
    std::fs::write(&path, &content[..content.len() - 30]).unwrap();
    let run = Run::open(&path, &|_| true).unwrap();
    assert!(run.notes[0].ends_with("it was read up to 0.9 s"), "{}", run.notes[0]);
    assert_eq!(run.find("car/pose").unwrap().len(), 10);
    std::fs::write(&path, "x").unwrap();
    let error = Run::open(&path, &|_| true).unwrap_err().to_string();
    assert!(error.contains("is not a run: it is a file without"), "{error}");
}
