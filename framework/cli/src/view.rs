//! `simhost view` and `simhost export-page`: a run in a browser.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use simhost_live::{Deck, ServiceDesk, page_address};
use simhost_mcap::PlainMcap;
use simhost_runs::{RunFiles, RunWorld};
use simhost_streams::Stamp;
use simhost_web::{PAGE, WorldLibrary, single_file};
use simhost_world::{LoadOptions, World, load, load_text};

use crate::arguments::{ExportPage, Models, PageUse, View};
use crate::live::{Tape as _, folder_tape, listen, open_browser};
use crate::process::{Code, Failure};
use crate::{catalogue, interrupt, run, terminal};

/// Time between two looks at a request to stop.
const LOOK: Duration = Duration::from_millis(100);
/// Least simulated time between two poses of a run without a recording, ns.
const INTERVAL: u64 = 20_000_000;

/// Shows a run or a recorded run in a browser.
pub fn view(arguments: &View) -> Result<Code, Failure> {
    check_page("simhost view")?;
    let path = &arguments.run.world;
    if path.is_dir() || path.extension().is_some_and(|end| end == "mcap") {
        return recorded(arguments);
    }
    let mut run = arguments.run.clone();
    run.live.live.get_or_insert_default();
    run.live.page = Some(PageUse { is_opened: !arguments.no_open });
    run::run(&run)
}

/// Fails in programs without the page.
pub fn check_page(what: &str) -> Result<(), Failure> {
    match PAGE.is_empty() {
        false => Ok(()),
        true => {
            let text = format!(
                "this program is built without the page, which {what} needs\nhelp: build it with `cargo build \
                 --release --features view`, which needs npm"
            );
            Err(Failure::new(Code::Usage, text))
        }
    }
}

/// Serves the page with a recorded run until the program is stopped.
fn recorded(arguments: &View) -> Result<Code, Failure> {
    let (path, run) = (&arguments.run.world, &arguments.run);
    let (recording, _folder) = file_of(path, &run.models)?;
    let library = library(path, &run.models).with_recording(recording);
    let access = &run.live.access;
    let address = run.live.live.as_deref().unwrap_or("127.0.0.1:0");
    let server = listen(address, access, RunFiles::at(path).known_as())?;
    let page = page_address(server.address(), access.live_token.as_deref());
    let name = RunFiles::at(path).name().unwrap_or_default();
    let is_plain = |letter: &char| letter.is_ascii_alphanumeric() || "-_.".contains(*letter);
    let name: String = name.chars().filter(is_plain).collect();
    let (start, token) = page.split_at(page.find('#').unwrap_or(page.len()));
    let page = format!("{start}?mcap=recording.mcap&name={name}{token}");
    terminal::remark(&format!("open {page} in a browser; Ctrl-C ends the server"));
    let desk = ServiceDesk::new(Arc::new(Deck::default())).with_host(Arc::new(library));
    let mut publisher = server.publisher(desk);
    if !arguments.no_open {
        open_browser(&page);
    }
    while !interrupt::is_requested() {
        std::thread::sleep(LOOK);
    }
    publisher.finish();
    Ok(Code::Interrupted)
}

/// Writes a recorded run as one HTML file.
pub fn export_page(arguments: &ExportPage) -> Result<Code, Failure> {
    check_page("simhost export-page")?;
    let path = &arguments.run;
    let (recording, _folder) = file_of(path, &arguments.models)?;
    let unread = |error| {
        Failure::new(Code::BadInput, format!("cannot read {}: {error}", recording.display()))
    };
    let bytes = simhost_files::read(&recording, simhost_files::MAX_DATA_BYTES).map_err(unread)?;
    let name = RunFiles::at(path).name().unwrap_or_else(|| "run".to_owned());
    let library = library(path, &arguments.models);
    let Some(page) = single_file(&name, &bytes, &library) else { return Ok(Code::Usage) };
    let out = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.html")));
    std::fs::write(&out, page).map_err(|error| {
        Failure::new(Code::Output, format!("cannot write {}: {error}", out.display()))
    })?;
    terminal::result(&format!("wrote {}", out.display()))?;
    Ok(Code::Done)
}

/// Returns the recording of a run. A run without one gets one in a folder that is removed with the second value.
fn file_of(path: &Path, models: &Models) -> Result<(PathBuf, Option<tempfile::TempDir>), Failure> {
    if let Some(recording) = RunFiles::at(path).recording() {
        return Ok((recording, None));
    }
    let mut tape = folder_tape(path, models)?;
    let streams: Vec<_> = tape.streams().into_iter().cloned().map(Arc::new).collect();
    let (mut file, mut last) = (PlainMcap::new(&streams), None);
    tape.each(&mut |stream, Stamp(stamp), message| {
        // all messages of a time are kept, or none
        if last.is_none_or(|last| stamp == last || stamp >= last + INTERVAL) {
            last = Some(stamp);
            file.push(stream, Stamp(stamp), message);
        }
        true
    })?;
    let failed =
        |error| Failure::new(Code::Output, format!("cannot write a temporary file: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let recording = folder.path().join("run.mcap");
    std::fs::write(&recording, file.finish()).map_err(failed)?;
    terminal::remark("the run has no run.mcap; showing the poses of its CSV files");
    Ok((recording, Some(folder)))
}

/// Returns what is known about the world of a run.
fn library(path: &Path, models: &Models) -> WorldLibrary {
    let world = world_of(path, models).map(Arc::new);
    if world.is_none() {
        terminal::remark(
            "the run has no world that can be read here; showing its shapes without meshes",
        );
    }
    WorldLibrary::new(move || world.clone())
}

fn world_of(path: &Path, models: &Models) -> Option<World> {
    let options = LoadOptions { lenient: true, ..LoadOptions::default() };
    let catalogue = catalogue::collect(models).ok()?;
    let loaded = match RunFiles::at(path).world().ok()?? {
        RunWorld::File(path) => load(&path, &options, &catalogue),
        RunWorld::Text(path, text) => load_text(&path, text.as_bytes(), &options, &catalogue),
    };
    loaded.ok().map(|loaded| loaded.world)
}
