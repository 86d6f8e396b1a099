//! The process that runs the code of one FMU.

use std::collections::BTreeMap;
use std::io::{BufReader, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::instance::{FmuInstance, LoadedFmu};
use crate::lane::FmuLane as _;
use crate::loading;
use crate::progress::{self, Activity};
use crate::protocol::{Answer, Opening, Request, receive, send};

/// Interval between checks that the parent process still exists, in case that a function of the FMU does not return.
const LOOK: Duration = Duration::from_secs(1);

/// Runs the code of an FMU for the process that has started this one, until that process closes standard input. Messages go
/// over standard input and output, and what the FMU prints to standard error. `notes` is the file in which this process notes
/// what the FMU does.
///
/// # Errors
/// The other process has ended, or the files cannot be used. An FMU that cannot be used is a message.
pub fn serve(file: &Path, notes: &Path) -> std::io::Result<()> {
    let mut replies = simhost_registry::reserve_output()?;
    progress::keep_in(notes)?;
    end_with_parent();
    progress::note(Activity::Load, 0, 0.0);
    let loaded = match loading::load(file) {
        Ok(loaded) => loaded,
        Err(error) => {
            let refused = Opening::Refused { text: error.text, help: error.help };
            return send(&mut replies, &refused);
        }
    };
    let opened = Opening::Opened {
        token: loaded.description.token.clone(),
        variables: loaded.description.variables.len(),
        states: loaded.restorable(),
    };
    send(&mut replies, &opened)?;
    let mut requests = BufReader::new(std::io::stdin().lock());
    let mut server = Server { loaded, instances: BTreeMap::new() };
    loop {
        match receive::<Request<'static>>(&mut requests) {
            Ok(request) => {
                let answer = server.answer(request).unwrap_or_else(Answer::Failed);
                send(&mut replies, &answer)?;
            }
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

/// The instances of an FMU.
struct Server {
    loaded: Arc<LoadedFmu>,
    instances: BTreeMap<u32, FmuInstance>,
}

impl Server {
    fn answer(&mut self, request: Request<'static>) -> Result<Answer, String> {
        match request {
            Request::Create(number, values) => {
                let instance = FmuInstance::new(&self.loaded, &values)?;
                self.instances.insert(number, instance);
                Ok(Answer::Done)
            }
            Request::Advance(number, advance) => {
                let mut values = Vec::new();
                self.instance(number)?.advance(&advance, &mut values)?;
                Ok(Answer::Values(values))
            }
            Request::Save(number) => self.instance(number)?.save().map(Answer::State),
            Request::Restore(number, bytes) => {
                self.instance(number)?.restore(&bytes).map(|()| Answer::Done)
            }
            Request::Remove(number) => {
                self.instances.remove(&number);
                Ok(Answer::Done)
            }
        }
    }

    fn instance(&mut self, number: u32) -> Result<&mut FmuInstance, String> {
        let missing = || format!("the process of the FMU has no instance {number}");
        self.instances.get_mut(&number).ok_or_else(missing)
    }
}

/// Ends this process when its parent has ended.
#[cfg(unix)]
fn end_with_parent() {
    let parent = std::os::unix::process::parent_id();
    std::thread::spawn(move || {
        while std::os::unix::process::parent_id() == parent {
            std::thread::sleep(LOOK);
        }
        std::process::exit(0);
    });
}

#[cfg(not(unix))]
fn end_with_parent() {}
