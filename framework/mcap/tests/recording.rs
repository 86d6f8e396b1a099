//! Recordings as this crate and another one read them, whole and cut.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use simhost_mcap::{McapError, McapSink, Recording, recover};
use simhost_streams::ros::Leaf;
use simhost_streams::{Sample, Sink, Stamp, Stream, Trigger, types};

/// Streams of one vehicle: odometry and the clock.
fn streams() -> Vec<Arc<Stream>> {
    let mut odometry = Stream::new("robot/odometry", Arc::new(types::Odometry::TYPE));
    odometry.frame = "robot/odom".to_owned();
    odometry.child_frame = "robot/base_link".to_owned();
    odometry.labels = vec!["a".to_owned()];
    odometry.constants = vec![("angle_min".into(), -0.1)];
    odometry.period = Some(0.1);
    vec![Arc::new(odometry), Arc::new(Stream::new("clock", Arc::new(types::Clock::TYPE)))]
}

/// Time of a step, ns.
fn stamp(step: u64) -> Stamp {
    Stamp(step * 1_000_000)
}

/// Takes the samples of some steps.
fn take(sink: &mut McapSink, steps: std::ops::Range<u64>) {
    for step in steps {
        let (stamp, x) = (stamp(step), step as f64);
        let numbers = [x, 2.0 * x, 0.0, 0.1, 0.0, 0.0, 1.0 / 3.0, x.sin(), x.cos()];
        sink.take(0, &Sample::new(stamp, &numbers)).unwrap();
        sink.take(1, &Sample::new(stamp, &[])).unwrap();
        sink.end_of_step(stamp).unwrap();
    }
}

fn record(path: &Path, steps: u64) {
    let mut sink = McapSink::new(path);
    sink.begin(&streams()).unwrap();
    take(&mut sink, 0..steps);
    assert_eq!(sink.finish().unwrap(), [path]);
}

/// Returns the times of the messages of odometry and their positions along x.
fn read(path: &Path) -> Vec<(u64, f64)> {
    let mut recording = Recording::open(path).unwrap();
    let mut found = Vec::new();
    let read = recording.for_each(Stamp(0), &mut |message| {
        if message.channel.stream.name == "robot/odometry" {
            let mut x = f64::NAN;
            let visited = message.channel.layout.visit(message.data, &mut |name, leaf| {
                if let ("pose.pose.position.x", Leaf::F64(value)) = (name, leaf) {
                    x = value;
                }
            });
            visited.unwrap();
            found.push((message.stamp.0, x));
        }
        true
    });
    read.unwrap();
    found
}

fn expected(steps: u64) -> Vec<(u64, f64)> {
    (0..steps).map(|step| (stamp(step).0, step as f64)).collect()
}

/// Checks a complete file with the crate `mcap`, and returns the number of messages.
fn check_with_another_reader(path: &Path) -> u64 {
    let content = std::fs::read(path).unwrap();
    let summary = mcap::Summary::read(&content).unwrap().unwrap();
    let statistics = summary.stats.as_ref().unwrap();
    let mut counts = std::collections::BTreeMap::<u16, u64>::new();
    let mut last = 0;
    for message in mcap::MessageStream::new(&content).unwrap() {
        let message = message.unwrap();
        assert!(message.log_time >= last);
        assert_eq!(message.publish_time, message.log_time);
        last = message.log_time;
        *counts.entry(message.channel.id).or_default() += 1;
        let schema = message.channel.schema.as_ref().unwrap();
        assert_eq!((&*schema.encoding, &*message.channel.message_encoding), ("ros2msg", "cdr"));
        match &*message.channel.topic {
            "/robot/odometry" => assert_eq!(schema.name, "nav_msgs/msg/Odometry"),
            topic => assert_eq!((topic, &*schema.name), ("/clock", "rosgraph_msgs/msg/Clock")),
        }
    }
    assert_eq!(statistics.channel_message_counts, counts);
    assert_eq!(statistics.message_count, counts.values().sum::<u64>());
    assert_eq!(statistics.chunk_count as usize, summary.chunk_indexes.len());
    assert_eq!((statistics.schema_count, statistics.channel_count), (2, 2));
    // messages are found through the index of their chunk
    let mut indexed = 0;
    for chunk in &summary.chunk_indexes {
        for (channel, entries) in summary.read_message_indexes(&content, chunk).unwrap() {
            // each look decompresses the chunk
            for entry in entries.iter().step_by(500) {
                let message = summary.seek_message(&content, chunk, entry).unwrap();
                assert_eq!((message.channel.id, message.log_time), (channel.id, entry.log_time));
            }
            indexed += entries.len() as u64;
        }
    }
    // messages without chunks have no index
    let has_chunks = !summary.chunk_indexes.is_empty();
    assert_eq!(indexed, if has_chunks { statistics.message_count } else { 0 });
    statistics.message_count
}

#[test]
fn another_reader_finds_all_messages_and_the_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    record(&path, 4000);
    assert_eq!(check_with_another_reader(&path), 8000);
    let content = std::fs::read(&path).unwrap();
    let header = mcap::read::LinearReader::new(&content).unwrap().next().unwrap().unwrap();
    let mcap::records::Record::Header(header) = header else { panic!("{header:?}") };
    assert_eq!(header.profile, "ros2");
}

#[test]
fn channels_carry_the_qos_of_their_publishers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    let once = Stream { trigger: Trigger::Start, ..Stream::new("map", types::Clock::TYPE.into()) };
    let streams = [Arc::new(once), Arc::new(Stream::new("clock", types::Clock::TYPE.into()))];
    let mut sink = McapSink::new(&path);
    sink.begin(&streams).unwrap();
    sink.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    let qos = |topic: &str| {
        let channel = summary.channels.values().find(|channel| channel.topic == topic).unwrap();
        channel.metadata["offered_qos_profiles"].clone()
    };
    assert!(
        qos("/map")
            .contains("\n  depth: 1\n  reliability: reliable\n  durability: transient_local\n")
    );
    assert!(
        qos("/clock").contains("\n  depth: 10\n  reliability: reliable\n  durability: volatile\n")
    );
    assert!(qos("/clock").starts_with("- history: keep_last\n"), "a list, as rosbag2 writes it");
}

#[test]
fn streams_and_samples_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    record(&path, 3000);
    let recording = Recording::open(&path).unwrap();
    assert!(recording.is_complete());
    assert_eq!(recording.end(), Some(stamp(2999)));
    let found: Vec<_> = recording.channels().iter().map(|channel| &*channel.stream).collect();
    let streams = streams();
    assert!(found.iter().zip(&streams).all(|(found, stream)| **found == **stream));
    assert_eq!(read(&path), expected(3000));
}

#[test]
fn reading_starts_at_a_time_and_ends_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    record(&path, 3000);
    let mut times = Vec::new();
    let mut recording = Recording::open(&path).unwrap();
    let read = recording.for_each(stamp(2500), &mut |message| {
        times.push(message.stamp);
        times.len() < 3
    });
    read.unwrap();
    assert_eq!(times, [stamp(2500), stamp(2500), stamp(2501)]);
}

/// Records a run of several chunks. Returns its folder and its path, its content and its summary.
fn recorded() -> (tempfile::TempDir, PathBuf, Vec<u8>, mcap::Summary) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    record(&path, 6000);
    let content = std::fs::read(&path).unwrap();
    let summary = mcap::Summary::read(&content).unwrap().unwrap();
    (folder, path, content, summary)
}

/// Each cut is as after a kill: everything before the last chunk that is whole is there.
#[test]
fn a_file_that_was_cut_anywhere_is_read_and_recovered() {
    let (_folder, path, content, summary) = recorded();
    assert!(summary.chunk_indexes.len() > 3);
    let ends: Vec<(usize, usize)> = summary
        .chunk_indexes
        .iter()
        .map(|chunk| {
            let end = (chunk.chunk_start_offset + chunk.chunk_length) as usize;
            let indexed = end + chunk.message_index_length as usize;
            (end, indexed)
        })
        .collect();
    let first = summary.chunk_indexes[0].chunk_start_offset as usize;
    let mut cuts = vec![first, first + 3, content.len() - 1, content.len() - 20];
    cuts.extend(
        ends.iter().flat_map(|(end, indexed)| [end - 1, *end, end + 1, indexed - 1, *indexed]),
    );
    for cut in cuts {
        std::fs::write(&path, &content[..cut]).unwrap();
        let whole = ends.iter().filter(|(end, _)| *end <= cut).count();
        let messages: u64 = summary.chunk_indexes[..whole]
            .iter()
            .map(|chunk| summary.read_message_indexes(&content, chunk).unwrap())
            .flat_map(|indices| indices.into_values())
            .map(|entries| entries.len() as u64)
            .sum();
        let before = read(&path);
        assert_eq!(before.len() as u64, messages.div_ceil(2), "cut at {cut}");
        assert!(!Recording::open(&path).unwrap().is_complete());
        let recovered = recover(&path).unwrap();
        assert_eq!(recovered.messages, messages, "cut at {cut}");
        assert!(!recovered.was_complete);
        assert_eq!(read(&path), before);
        assert_eq!(check_with_another_reader(&path), messages);
        let again = recover(&path).unwrap();
        assert_eq!((again.was_complete, again.messages), (true, messages));
    }
}

/// As after a loss of power, when the length of a file is on the disk but not its content.
/// As other programs write a recording again, on request.
#[test]
fn messages_without_chunks_are_read_and_recovered() {
    let (folder, path, content, _) = recorded();
    let flat = folder.path().join("flat.mcap");
    let file = std::fs::File::create(&flat).unwrap();
    let options = mcap::WriteOptions::new().use_chunks(false);
    let mut writer = options.create(std::io::BufWriter::new(file)).unwrap();
    for message in mcap::MessageStream::new(&content).unwrap() {
        writer.write(&message.unwrap()).unwrap();
    }
    writer.finish().unwrap();
    drop(writer);
    let whole = read(&path);
    assert_eq!(read(&flat), whole);
    let bytes = std::fs::read(&flat).unwrap();
    std::fs::write(&flat, &bytes[..bytes.len() / 2]).unwrap();
    let part = read(&flat);
    assert!(!part.is_empty() && part.len() < whole.len() && whole.starts_with(&part));
    let recovered = recover(&flat).unwrap();
    assert!(!recovered.was_complete && recovered.messages >= part.len() as u64);
    assert_eq!(read(&flat), part);
    check_with_another_reader(&flat);
}

#[test]
fn a_damaged_chunk_at_the_end_is_left_out() {
    let (_folder, path, mut content, summary) = recorded();
    let last = summary.chunk_indexes.last().unwrap();
    let (start, end) = (last.chunk_start_offset, last.chunk_start_offset + last.chunk_length);
    content.truncate(end as usize);
    content[start as usize + 100..].fill(0);
    std::fs::write(&path, &content).unwrap();
    let before = read(&path);
    assert_eq!(before, expected(before.len() as u64));
    let recovered = recover(&path).unwrap();
    assert_eq!(recovered.messages, check_with_another_reader(&path));
    assert_eq!(read(&path), before);
}

#[test]
fn a_damaged_chunk_in_the_middle_is_an_error_with_its_position() {
    let (_folder, path, mut content, summary) = recorded();
    let position = summary.chunk_indexes[1].chunk_start_offset;
    content[position as usize + 200] ^= 1;
    std::fs::write(&path, &content).unwrap();
    let error = Recording::open(&path).unwrap().for_each(Stamp(0), &mut |_| true).unwrap_err();
    let McapError::Damaged { position: found, .. } = &error else { panic!("{error}") };
    assert_eq!(*found, position);
}

#[test]
fn files_of_other_programs_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("foreign.mcap");
    let mut writer = mcap::Writer::new(std::fs::File::create(&path).unwrap()).unwrap();
    let channel = writer.add_channel(0, "/chatter", "json", &Default::default()).unwrap();
    let header = mcap::records::MessageHeader {
        channel_id: channel,
        sequence: 0,
        log_time: 0,
        publish_time: 0,
    };
    writer.write_to_known_channel(&header, b"{}").unwrap();
    writer.finish().unwrap();
    let error = Recording::open(&path).unwrap_err().to_string();
    assert!(error.contains("was not written by simhost"), "{error}");
    for content in ["", "time_s,vehicle\n0,robot\n"] {
        std::fs::write(&path, content).unwrap();
        let error = Recording::open(&path).unwrap_err().to_string();
        assert!(error.contains("is not an MCAP file"), "{error}");
        assert!(matches!(recover(&path), Err(McapError::NotMcap { .. })));
    }
    let error = Recording::open(Path::new("missing.mcap")).unwrap_err().to_string();
    assert!(error.starts_with("cannot read missing.mcap: "), "{error}");
}

#[test]
fn another_file_begins_when_time_goes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    let mut sink = McapSink::new(&path);
    sink.begin(&streams()).unwrap();
    // a reset before the first sample
    sink.begin(&streams()).unwrap();
    take(&mut sink, 0..20);
    sink.begin(&streams()).unwrap();
    take(&mut sink, 5..30);
    sink.begin(&streams()[..1]).unwrap();
    let files = sink.finish().unwrap();
    let second: PathBuf = folder.path().join("run-2.mcap");
    assert_eq!(files, [path.clone(), second.clone()]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    assert_eq!(read(&path), expected(20));
    assert_eq!(read(&second), expected(30)[5..]);
    check_with_another_reader(&path);
    check_with_another_reader(&second);
}

#[test]
fn times_that_do_not_increase_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut sink = McapSink::new(&folder.path().join("run.mcap"));
    sink.begin(&streams()).unwrap();
    take(&mut sink, 5..6);
    sink.take(1, &Sample::new(stamp(5), &[])).unwrap();
    let error = sink.finish().unwrap_err().to_string();
    assert!(
        error.contains("'clock' has the time 0.005000000 s after one at 0.005000000 s"),
        "{error}"
    );
}

/// The file grows while nothing else happens, so that a program that is killed loses half a second.
#[test]
fn samples_are_written_half_a_second_after_they_were_taken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.mcap");
    let mut sink = McapSink::new(&path);
    sink.begin(&streams()).unwrap();
    take(&mut sink, 0..3);
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert_eq!(read(&path), expected(3));
    take(&mut sink, 3..4);
    sink.finish().unwrap();
    assert_eq!(read(&path), expected(4));
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_before_the_first_sample() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing/run.mcap");
    let mut sink = McapSink::new(&path);
    let error = sink.begin(&streams()).unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot write {}: ", path.display())), "{error}");
}
