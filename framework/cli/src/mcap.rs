//! Recordings of the streams of a run.

use std::path::{Path, PathBuf};

use simhost::{Error, Input, Selection, Session, Sink, SinkId};
use simhost_mcap::{Attachment, McapSink};
use simhost_record::{FolderSink, Format, MvsimLog, RECORDING_FILE};
use simhost_world::Vehicle;

use crate::arguments::{Export, Run};
use crate::process::{Code, Failure};
use crate::{opening, terminal};

/// Records the requested streams of a session in its output folder.
///
/// # Errors
/// Fails if a file cannot be created, or a pattern selects no stream.
pub fn attach(arguments: &Run, session: &mut Session) -> Result<(), Failure> {
    let Some(folder) = arguments.out.as_deref() else {
        warn_of_logs(session);
        return Ok(());
    };
    if arguments.mcap.is_on {
        let file = folder.join(RECORDING_FILE);
        record(session, &file, &selection(arguments)).map_err(|error| match error {
            Error::Input(error) => Failure::new(Code::Usage, format!("--mcap-streams: {error}")),
            other => opening::failure(other),
        })?;
    }
    let mut formats = arguments.mcap.export.clone();
    formats.dedup();
    for format in formats {
        let (sink, patterns) = export(format, folder)?;
        attach_export(arguments, session, sink, patterns)?;
    }
    if !arguments.mcap.export.contains(&Export::Mvsim) && can_be_switched_on(arguments, session) {
        let sink = Box::new(MvsimLog::new(&own_folder(folder, Export::Mvsim), false));
        attach_export(arguments, session, sink, MvsimLog::patterns())?;
    }
    Ok(())
}

/// Returns the streams that recordings in MCAP hold.
pub fn selection(arguments: &Run) -> Selection {
    let patterns = arguments.mcap.streams.clone();
    let state_period = arguments.mcap.period.or(arguments.log_period);
    Selection { patterns, state_period, ..Selection::default() }
}

/// Records streams of a session in an MCAP file from now on.
///
/// # Errors
/// Fails if the file cannot be created, or a pattern selects no stream.
pub fn record(session: &mut Session, file: &Path, selection: &Selection) -> Result<SinkId, Error> {
    let record = session.record().files()?;
    let attachments = record.into_iter().map(|(name, data)| Attachment::file(name, data));
    let sink = McapSink::new(file).with_attachments(attachments.collect());
    let id = session.attach(Box::new(sink), selection)?;
    session.record().announce(&[file.to_owned()])?;
    Ok(id)
}

/// Warns that logs which start with the run are not written without an output folder.
fn warn_of_logs(session: &Session) {
    let vehicles = session.world().description().map(|world| &world.vehicles).into_iter().flatten();
    let mut names = vehicles.filter(|vehicle| starts_log(vehicle)).map(|vehicle| &vehicle.name);
    if let Some(name) = names.next() {
        let others = match names.count() {
            0 => String::new(),
            1 => " and of another one".to_owned(),
            others => format!(" and of {others} others"),
        };
        terminal::remark(&format!(
            "the log of vehicle `{name}`{others} (<auto_start_recording>) is not written\n\
             help: name an output directory with --out DIR"
        ));
    }
}

fn starts_log(vehicle: &Vehicle) -> bool {
    vehicle.log.as_ref().is_some_and(|log| log.starts)
}

/// Returns whether logs of vehicles are recorded, or can be switched on during the run.
fn can_be_switched_on(arguments: &Run, session: &Session) -> bool {
    let is_switch = |input: &Input| matches!(input, Input::Recording { .. } | Input::Add { .. });
    arguments.live.live.is_some()
        || session.intake().planned().any(|(_, input)| is_switch(input))
        || session.world().description().is_some_and(|world| world.vehicles.iter().any(starts_log))
}

/// Sends streams to a sink, with states at each multiple of `--log-period`.
fn attach_export(
    arguments: &Run,
    session: &mut Session,
    sink: Box<dyn Sink>,
    patterns: &[&str],
) -> Result<(), Failure> {
    let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    let state_period = arguments.log_period;
    let selection = Selection { patterns, state_period, is_optional: true, ..Selection::default() };
    session.attach(sink, &selection).map(drop).map_err(opening::failure)
}

/// Returns the folder of a format in the output folder.
fn own_folder(folder: &Path, format: Export) -> PathBuf {
    // a plugin can change the working folder before files of a later session are created
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    folder.join(format.name())
}

/// Returns the sink of a format, and the patterns of the streams that it holds.
fn export(
    format: Export,
    folder: &Path,
) -> Result<(Box<dyn Sink>, &'static [&'static str]), Failure> {
    let own = own_folder(folder, format);
    let format = match format {
        Export::Csv => Format::Csv,
        Export::Tum => Format::Tum,
        Export::Kitti => Format::Kitti,
        Export::Mvsim => return Ok((Box::new(MvsimLog::new(&own, true)), MvsimLog::patterns())),
        Export::Parquet => parquet()?,
    };
    Ok((Box::new(FolderSink::new(&own, format)), format.patterns()))
}

#[cfg(feature = "parquet")]
fn parquet() -> Result<Format, Failure> {
    Ok(Format::Parquet)
}

#[cfg(not(feature = "parquet"))]
fn parquet() -> Result<Format, Failure> {
    let text = "this program is built without Parquet, which --export parquet needs\nhelp: build it with \
                `cargo build --release --features parquet`";
    Err(Failure::new(Code::Usage, text))
}
