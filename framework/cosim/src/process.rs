//! An FMU whose code runs in a separate process: a crash or an endless loop there is a fault of the model.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use simhost_model::FileClassError;

use crate::description::{FmuDescription, Start};
use crate::lane::{Advance, FmuLane};
use crate::loading;
use crate::progress::Note;
use crate::protocol::{Answer, Opening, Request, receive, send};

/// Longest time until an FMU has been loaded and tested, and until an instance has been created.
const START_LIMIT: Duration = Duration::from_secs(60);
/// Longest time of a call.
const CALL_LIMIT: Duration = Duration::from_secs(10);
/// Longest time until a process ends whose input is closed.
const END_LIMIT: Duration = Duration::from_secs(1);

/// The program that runs the code of FMUs, with the words before the path of the FMU and the path of the notes.
static SERVER: OnceLock<(PathBuf, Vec<OsString>)> = OnceLock::new();

/// Sets the program that runs the code of FMUs in separate processes, with the words of its command line. The paths of the
/// FMU and of the notes follow, and the program passes them to [`serve`](crate::serve). The first call counts.
pub fn set_server(program: PathBuf, words: Vec<OsString>) {
    let _ = SERVER.set((program, words));
}

/// An FMU whose instances are in one process, or in one process each if a process can have one only.
pub(crate) struct FmuProcess {
    file: PathBuf,
    description: Arc<FmuDescription>,
    connection: Mutex<Arc<Connection>>,
}

impl FmuProcess {
    /// Starts a process that opens an FMU. Returns it with the reason why the state of the FMU cannot be saved, if it cannot.
    ///
    /// # Errors
    /// The process cannot be started, it ended, or it refused the FMU.
    pub fn start(
        file: &Path,
        description: &Arc<FmuDescription>,
    ) -> Result<(Self, Result<(), String>), FileClassError> {
        let (connection, states) = Connection::open(file, description)?;
        let (file, description) = (file.to_owned(), Arc::clone(description));
        let connection = Mutex::new(Arc::new(connection));
        Ok((Self { file, description, connection }, states))
    }

    /// Creates an instance with values of its variables. A process that has ended is replaced.
    ///
    /// # Errors
    /// As of [`Self::start`], and an instance that cannot be created.
    pub fn lane(&self, values: &[(usize, Start)]) -> Result<RemoteInstance, String> {
        let mut shared = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let is_used = self.description.is_single && Arc::strong_count(&shared) > 1;
        if is_used || shared.has_ended() {
            let opened = Connection::open(&self.file, &self.description);
            *shared = Arc::new(opened.map_err(|error| error.text)?.0);
        }
        RemoteInstance::new(&shared, values)
    }
}

/// The pipes of a process, and why it ended.
struct Pipes {
    child: Child,
    /// `None` after the end.
    ends: Option<(ChildStdin, ChildStdout)>,
    end: String,
}

/// A process that runs an FMU.
struct Connection {
    pipes: Mutex<Pipes>,
    /// File in which the process notes what the FMU does.
    notes: PathBuf,
    description: Arc<FmuDescription>,
    next: AtomicU32,
}

impl Connection {
    /// Starts a process, and waits until it has opened the FMU.
    fn open(
        file: &Path,
        description: &Arc<FmuDescription>,
    ) -> Result<(Self, Result<(), String>), FileClassError> {
        let (program, words) = SERVER.get().ok_or_else(|| {
            FileClassError::new("this program cannot run the code of an FMU in another process")
                .help("allow its code to run in this process")
        })?;
        let failed = |error: Error| {
            FileClassError::new(format!("failed to start the process of the FMU: {error}"))
        };
        // this process removes what a crash of the other one leaves
        let folder = loading::folder().map_err(FileClassError::new)?;
        let notes = folder.join("notes");
        std::fs::write(&notes, []).map_err(failed)?;
        let mut command = Command::new(program);
        command.args(words).arg(file).arg(&notes).env("TMPDIR", &folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        // an interrupt from the keyboard ends the run, and not the FMU before it
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
        let ends = child.stdin.take().zip(child.stdout.take());
        let pipes = Mutex::new(Pipes { child, ends, end: String::new() });
        let (description, next) = (Arc::clone(description), AtomicU32::new(0));
        let connection = Self { pipes, notes, description, next };
        let opening = connection.pipes().exchange(&connection, None, START_LIMIT);
        match opening.map_err(FileClassError::new)? {
            Opening::Refused { text, help } => Err(FileClassError::new(text).help(help)),
            Opening::Opened { token, variables, states } => {
                let known = &connection.description;
                if token != known.token || variables != known.variables.len() {
                    return Err(FileClassError::new("it was changed while it was read"));
                }
                Ok((connection, states))
            }
        }
    }

    fn pipes(&self) -> MutexGuard<'_, Pipes> {
        self.pipes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_ended(&self) -> bool {
        self.pipes().ends.is_none()
    }

    /// Sends a request, and returns the answer.
    ///
    /// # Errors
    /// The message of the FMU, or the end of the process with what it did then.
    fn call(&self, request: &Request<'_>) -> Result<Answer, String> {
        let limit = match request {
            Request::Create(..) => START_LIMIT,
            _ => CALL_LIMIT,
        };
        match self.pipes().exchange(self, Some(request), limit)? {
            Answer::Failed(text) => Err(text),
            answer => Ok(answer),
        }
    }
}

impl Pipes {
    /// Sends a request, if there is one, and waits for a message.
    fn exchange<T: serde::de::DeserializeOwned>(
        &mut self,
        connection: &Connection,
        request: Option<&Request<'_>>,
        limit: Duration,
    ) -> Result<T, String> {
        let Some((input, output)) = &mut self.ends else { return Err(self.end.clone()) };
        let sent = request.map_or(Ok(()), |request| send(input, request));
        let mut output = Timed { output, end: Instant::now() + limit };
        match sent.and_then(|()| receive(&mut output)) {
            Ok(message) => Ok(message),
            Err(error) => Err(self.finish(connection, &error, limit)),
        }
    }

    /// Ends the process, and returns how it ended and what it did then.
    fn finish(&mut self, connection: &Connection, error: &Error, limit: Duration) -> String {
        self.ends = None;
        let how = match error.kind() {
            ErrorKind::TimedOut => format!("was ended after {} s", limit.as_secs()),
            ErrorKind::InvalidData => format!("sent a message that is not valid ({error}),"),
            _ => match simhost_registry::wait(&mut self.child, END_LIMIT, || false) {
                Some(status) => ended(status),
                None => "closed its output".to_owned(),
            },
        };
        simhost_registry::kill(&mut self.child);
        let note = Note::read(&connection.notes);
        let when =
            note.map_or(String::new(), |note| format!(" {}", note.shown(&connection.description)));
        self.end = format!("the process of the FMU {how}{when}");
        self.end.clone()
    }
}

/// Returns how a process ended.
fn ended(status: std::process::ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("crashed ({})", simhost_registry::signal_name(signal));
    }
    status.code().map_or("ended".to_owned(), |code| format!("ended with code {code}"))
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut pipes = self.pipes();
        // the process ends when its input is closed
        if pipes.ends.take().is_some() {
            simhost_registry::wait(&mut pipes.child, END_LIMIT, || false);
            simhost_registry::kill(&mut pipes.child);
        }
    }
}

/// A pipe from which is read until a time.
struct Timed<'p> {
    output: &'p mut ChildStdout,
    end: Instant,
}

impl Read for Timed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        #[cfg(unix)]
        self.wait()?;
        self.output.read(bytes)
    }
}

#[cfg(unix)]
impl Timed<'_> {
    /// Waits until the pipe has bytes or is closed.
    fn wait(&self) -> std::io::Result<()> {
        use std::os::fd::AsRawFd as _;
        let left = self.end.saturating_duration_since(Instant::now());
        let milliseconds = libc::c_int::try_from(left.as_millis()).unwrap_or(libc::c_int::MAX);
        let mut watched =
            libc::pollfd { fd: self.output.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: the list has one entry, whose descriptor is open.
        match unsafe { libc::poll(&raw mut watched, 1, milliseconds) } {
            0 => Err(ErrorKind::TimedOut.into()),
            1.. => Ok(()),
            _ => Err(Error::last_os_error()),
        }
    }
}

/// An instance in another process.
pub(crate) struct RemoteInstance {
    connection: Arc<Connection>,
    number: u32,
}

impl RemoteInstance {
    fn new(connection: &Arc<Connection>, values: &[(usize, Start)]) -> Result<Self, String> {
        let number = connection.next.fetch_add(1, Ordering::Relaxed);
        connection.call(&Request::Create(number, Cow::Borrowed(values)))?;
        Ok(Self { connection: Arc::clone(connection), number })
    }
}

/// Returns the error of an answer to another request.
fn wrong() -> String {
    "the process of the FMU answered another request".to_owned()
}

impl FmuLane for RemoteInstance {
    fn advance(&mut self, advance: &Advance, results: &mut Vec<f64>) -> Result<(), String> {
        let request = Request::Advance(self.number, Cow::Borrowed(advance));
        match self.connection.call(&request)? {
            Answer::Values(values) if values.len() == advance.gets.len() => {
                *results = values;
                Ok(())
            }
            _ => Err(wrong()),
        }
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        match self.connection.call(&Request::Save(self.number))? {
            Answer::State(bytes) => Ok(bytes),
            _ => Err(wrong()),
        }
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.connection.call(&Request::Restore(self.number, Cow::Borrowed(bytes))).map(drop)
    }
}

impl Drop for RemoteInstance {
    fn drop(&mut self) {
        // a process that has ended has no instances
        let _ = self.connection.call(&Request::Remove(self.number));
    }
}
