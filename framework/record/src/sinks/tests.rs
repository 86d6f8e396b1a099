use std::path::Path;
use std::sync::Arc;

use simhost_streams::{RecordingAction, Sample, Sink, Stamp, Stream, types};

use super::{FolderSink, Format, MvsimLog};

fn streams() -> Vec<Arc<Stream>> {
    let kinds = [
        ("car/ground_truth", types::Odometry::TYPE),
        ("car/odometry", types::Odometry::TYPE),
        ("car/wheels", types::Wheels::TYPE),
    ];
    let mut streams: Vec<Stream> =
        kinds.into_iter().map(|(name, kind)| Stream::new(name, Arc::new(kind))).collect();
    streams[2].labels = vec!["l".to_owned(), "r".to_owned()];
    streams.into_iter().map(Arc::new).collect()
}

/// Takes two samples of each stream.
fn take(sink: &mut dyn Sink, steps: std::ops::Range<u64>) {
    for step in steps {
        let (stamp, x) = (Stamp(step * 500_000_000), step as f64);
        let quarter = std::f64::consts::FRAC_PI_2;
        let pose = [1.0 + x, 2.0, 0.5, quarter, 0.0, 0.0, 1.5, 0.0, 0.25];
        let wheels: Vec<f64> = (0..22).map(f64::from).collect();
        for (stream, numbers) in [&pose[..], &pose[..], &wheels].into_iter().enumerate() {
            if sink.wants(stream) {
                sink.take(stream, &Sample::new(stamp, numbers)).unwrap();
            }
        }
        sink.end_of_step(stamp).unwrap();
    }
}

fn write(folder: &Path, format: Format) -> Vec<String> {
    let mut sink = FolderSink::new(&folder.join(format.name()), format);
    sink.begin(&streams()).unwrap();
    take(&mut sink, 0..2);
    sink.begin(&streams()).unwrap();
    take(&mut sink, 0..1);
    let files = sink.finish().unwrap();
    files.iter().map(|file| file.strip_prefix(folder).unwrap().display().to_string()).collect()
}

#[test]
fn streams_become_tables() {
    let folder = tempfile::tempdir().unwrap();
    let files = write(folder.path(), Format::Csv);
    assert_eq!(files[2], "csv/car.wheels.csv");
    assert_eq!(files[3], "csv-2/car.ground_truth.csv");
    let text = std::fs::read_to_string(folder.path().join("csv/car.ground_truth.csv")).unwrap();
    let header = "time_s,position_m_0,position_m_1,position_m_2,orientation_rad_0,\
                  orientation_rad_1,orientation_rad_2,linear_mps_0,linear_mps_1,angular_radps";
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0], header);
    assert_eq!(rows[2], "0.500000000,2,2,0.5,1.5707963267948966,0,0,1.5,0,0.25");
    let wheels = std::fs::read_to_string(folder.path().join("csv/car.wheels.csv")).unwrap();
    assert!(wheels.starts_with("time_s,l.x_m,r.x_m,l.y_m,"), "{wheels}");
}

#[test]
fn true_poses_have_the_format_of_tum() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(write(folder.path(), Format::Tum), ["tum/car.txt", "tum-2/car.txt"]);
    let text = std::fs::read_to_string(folder.path().join("tum/car.txt")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    assert_eq!(rows[0][0], "#");
    assert_eq!(rows[2][..6], ["0.500000000", "2", "2", "0.5", "0", "0"]);
    let [z, w] = [6, 7].map(|column| rows[2][column].parse::<f64>().unwrap());
    assert!((z - w).abs() < 1e-15 && (z * z + w * w - 1.0).abs() < 1e-15, "{z} {w}");
}

#[test]
fn true_poses_have_the_format_of_kitti() {
    let folder = tempfile::tempdir().unwrap();
    let expected =
        ["kitti/times.txt", "kitti/poses/car.txt", "kitti-2/times.txt", "kitti-2/poses/car.txt"];
    assert_eq!(write(folder.path(), Format::Kitti), expected);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("kitti/times.txt"), "0.000000000\n0.500000000\n");
    let poses = read("kitti/poses/car.txt");
    let row = poses.lines().nth(1).unwrap();
    let found: Vec<f64> = row.split(' ').map(|number| number.parse().unwrap()).collect();
    // a quarter turn to the left: x of the vehicle is y of the world
    let expected = [0.0, -1.0, 0.0, 2.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.5];
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-15, "{row}");
    }
}

#[test]
fn logs_of_mvsim_are_switched_per_vehicle() {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = MvsimLog::new(folder.path(), false);
    let control = sink.control();
    sink.begin(&streams()).unwrap();
    take(&mut sink, 0..1);
    control.switch("car", RecordingAction::On);
    take(&mut sink, 1..3);
    control.switch("car", RecordingAction::Off);
    take(&mut sink, 3..4);
    control.switch("car", RecordingAction::New);
    take(&mut sink, 4..5);
    let files = sink.finish().unwrap();
    assert_eq!(files.len(), 6);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let pose = read("session_1-mvsim_car_pose.csv");
    let rows: Vec<&str> = pose.lines().collect();
    assert_eq!(rows.len(), 3);
    assert!(rows[0].starts_with("Timestamp, dqw, dqx, dqy, odo_x, "), "{}", rows[0]);
    assert!(rows[1].starts_with("0.500000000, 0.25, 1.5, 0, 2, 2, 1.57"), "{}", rows[1]);
    let wheel = read("session_1-mvsim_car_wheel_2.csv");
    assert_eq!(wheel.lines().nth(1), Some("0.500000000, 13, 19, 21, 11, 15, 17, 1, 3"));
    assert_eq!(read("session_2-mvsim_car_pose.csv").lines().count(), 2);
}

#[test]
fn logs_of_mvsim_have_the_path_that_the_world_gives_and_stay_in_their_folder() {
    for (path, file) in [
        ("logs/night_", "logs/session_1-night_mvsim_car_pose.csv"),
        ("logs/", "logs/session_1-mvsim_car_pose.csv"),
        ("night_", "session_1-night_mvsim_car_pose.csv"),
        ("/tmp/night_", "session_1-night_mvsim_car_pose.csv"),
        ("../night_", "session_1-night_mvsim_car_pose.csv"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut sink = MvsimLog::new(folder.path(), false);
        sink.begin(&streams()).unwrap();
        sink.set_log_path("car", path);
        sink.switch_recording("", RecordingAction::On);
        take(&mut sink, 0..1);
        let files = sink.finish().unwrap();
        assert!(files.contains(&folder.path().join(file)), "{path}: {files:?}");
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_files_have_a_column_per_value_with_its_unit() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    use simhost_streams::Bulk;

    let folder = tempfile::tempdir().unwrap();
    let mut streams = streams();
    let [scan, faults] = [
        Stream::new("car/scan", Arc::new(types::LaserScan::TYPE)),
        Stream::new("faults", Arc::new(types::Diagnostics::TYPE)),
    ];
    streams.extend([Arc::new(scan), Arc::new(faults)]);
    let mut sink = FolderSink::new(&folder.path().join("parquet"), Format::Parquet);
    sink.begin(&streams).unwrap();
    take(&mut sink, 0..2);
    let texts = ["motor", "stuck", "car"].map(str::to_owned);
    for (ranges, states) in [(&[1.5, f64::INFINITY][..], 1), (&[], 0)] {
        let stamp = Stamp(if states == 1 { 0 } else { 500_000_000 });
        let ranges = Bulk::Numbers(ranges);
        sink.take(3, &Sample { bulk: ranges, ..Sample::new(stamp, &[]) }).unwrap();
        let (bulk, texts) = (Bulk::Numbers(&[2.0][..states]), &texts[..3 * states]);
        sink.take(4, &Sample { texts, bulk, ..Sample::new(stamp, &[]) }).unwrap();
    }
    let files = sink.finish().unwrap();
    assert_eq!(files.len(), 5);
    let read = |name: &str| {
        let file = std::fs::File::open(folder.path().join("parquet").join(name)).unwrap();
        SerializedFileReader::new(file).unwrap()
    };
    let odometry = read("car.odometry.parquet");
    let metadata = odometry.metadata().file_metadata();
    let pairs = metadata.key_value_metadata().unwrap();
    let value = |key: &str| {
        pairs.iter().find(|pair| pair.key == key).and_then(|pair| pair.value.as_deref())
    };
    assert_eq!(value("stream"), Some("car/odometry"));
    let columns = metadata.schema_descr().columns();
    assert_eq!(columns.len(), 10);
    assert_eq!(columns[0].name(), "time_ns");
    assert_eq!(value(&format!("unit:{}", columns[7].name())), Some("m/s"));
    let rows: Vec<_> = odometry.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[1].get_long(0).unwrap(), rows[1].get_double(1).unwrap()), (500_000_000, 2.0));
    let scan = read("car.scan.parquet");
    let rows: Vec<_> = scan.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    let ranges = rows[0].get_list(1).unwrap().elements().len();
    assert_eq!((ranges, rows[1].get_list(1).unwrap().elements().len()), (2, 0));
    let faults = read("faults.parquet");
    let rows: Vec<_> = faults.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows[0].get_list(2).unwrap().elements().len(), 3);
}
