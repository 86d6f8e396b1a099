//! The `simhost` command.
//!
//! Parses the command line, runs one verb, and turns its result into an exit code. [`main`] is the program; [`run`]
//! does the same in the process of another program.
//!
//! Each verb is a module, which declares its arguments with clap and runs. The help, the manual page
//! and the completions follow from the declarations. Results go to standard output; errors, warnings
//! and progress go to standard error.
//!
//! The cargo features of this crate are the features of the program. Without the feature of a verb,
//! the verb exists and says which feature it needs. The Python package contains the same command
//! line through [`run()`].

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod arguments;
mod capture;
mod catalogue;
mod check;
mod clients;
mod command_line;
mod control;
mod description;
mod diagnostics;
mod diff;
mod downloads;
mod ensemble;
mod evidence;
mod export;
mod failures;
mod film;
#[cfg_attr(not(feature = "fmi"), path = "fmu/missing.rs")]
mod fmu;
mod guard;
mod import;
mod interrupt;
mod keys;
mod later;
#[cfg_attr(not(feature = "live"), path = "live/missing.rs")]
mod live;
mod manoeuvre;
mod mcap;
mod new_world;
mod opening;
#[cfg(feature = "live")]
mod page;
mod picture;
mod plot;
mod plugin;
mod plugin_name;
mod process;
mod profile;
mod progress;
mod quantities;
mod recording;
mod recover;
mod report;
mod rerun;
mod roads;
#[cfg_attr(not(feature = "ros2"), path = "ros2/missing.rs")]
mod ros2;
mod run;
mod run_reader;
mod scenario;
mod schema;
mod sense;
mod skipped;
mod snapshots;
mod stepping;
mod streams;
mod summary;
mod sweep;
mod terminal;
mod test;
mod vehicle;
#[cfg(feature = "live")]
mod view;
mod watch;
mod working_folder;
mod world_file;

// the built-in families register themselves, but the linker drops crates that are not named
use simhost_families as _;

use crate::command_line::{Arguments, Verb};
use crate::guard::CrashReport;
#[cfg(not(feature = "live"))]
use crate::live as view;
#[cfg(not(feature = "live"))]
use crate::live as page;
use crate::plugin::Question;
use crate::process::{Code, Failure};

/// Size of the stack for the program and its models, bytes.
const STACK: usize = 8 << 20;

pub use process::{Process, PythonFile};

/// Runs the command line of this process.
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(run(Process::of_program()))
}

/// Lets sessions of this process run FMUs in separate processes. `program` runs the command line of simhost after the words
/// `before`, such as `-m simhost` of Python. The first call counts.
pub fn run_fmus_by(program: std::path::PathBuf, before: Vec<std::ffi::OsString>) {
    fmu::prepare(&Process { words: Vec::new(), program: Some(program), before, python: None });
}

/// Runs a command line, once per process: it installs handlers of signals. Returns the exit code.
pub fn run(process: Process) -> u8 {
    fmu::prepare(&process);
    process.keep();
    if has_small_stack() {
        let builder = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK);
        if let Ok(thread) = builder.spawn(run_verb) {
            block_signals();
            let code = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            return code as u8;
        }
    }
    run_verb() as u8
}

/// Returns the description of a class as a page in HTML, as `simhost plugin doc` shows it.
pub fn class_page(
    catalogue: &simhost_registry::Catalogue,
    entry: &simhost_registry::Entry,
) -> String {
    plugin::doc::page(catalogue, entry)
}

/// Returns the text of an error of a session as the program shows it, with positions in the world file, without
/// colours.
pub fn error_text(error: &simhost::Error) -> String {
    diagnostics::plain_text(error)
}

/// Returns whether the limits of the shell leave less than half of [`STACK`] to the main thread.
fn has_small_stack() -> bool {
    #[cfg(unix)]
    // SAFETY: zero is a valid `rlimit`, and the address is that of a variable.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_STACK, &raw mut limit) == 0
            && limit.rlim_cur < STACK as libc::rlim_t / 2
    }
    #[cfg(not(unix))]
    true
}

/// Leaves the signals that are sent to the process to the thread that works, whose call is then named.
fn block_signals() {
    #[cfg(unix)]
    // SAFETY: zero is a valid set of signals, and the addresses are valid or null.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
    }
}

/// Runs the verb of the command line. If there is another thread, it only waits for this one.
fn run_verb() -> Code {
    working_folder::remember();
    if description::is_asked_for() {
        return description::version().unwrap_or_else(|failure| failure.code);
    }
    let arguments = match Arguments::of_process() {
        Ok(arguments) => arguments,
        Err(error) => {
            // help and version go to standard output and are not errors
            let code = if error.use_stderr() { Code::Usage } else { Code::Done };
            let is_shown = match error.print() {
                Err(error) => error.kind() == std::io::ErrorKind::BrokenPipe,
                Ok(()) => true,
            };
            return if is_shown { code } else { Code::Output };
        }
    };
    terminal::show(arguments.display.quiet, arguments.display.color.forced());
    let outcome = listen(&arguments.verb).and_then(|()| perform(&arguments.verb));
    interrupt::enter(interrupt::Phase::Other);
    if !is_child(&arguments.verb) {
        guard::warn_of_floats();
    }
    guard::end_of_program();
    match outcome {
        Ok(code) => code,
        Err(failure) => {
            // input that was not read to its end has no error
            let is_stopped = matches!(failure.code, Code::BadInput | Code::Interrupted);
            if interrupt::is_requested() && is_stopped {
                terminal::remark("interrupted");
                return Code::Interrupted;
            }
            terminal::error(&failure.text);
            failure.code
        }
    }
}

/// Installs the handlers of panics, of signals and of `exit`. A process that tries the code of a plugin keeps the
/// defaults, apart from a report of crashes in a test, and from stack overflows, which end every process with
/// the same signal: it ends with the process that started it.
fn listen(verb: &Verb) -> Result<(), Failure> {
    guard::report_panics();
    // no other thread does anything yet
    if is_child(verb) {
        // an FMU outlives the thread that started it, and looks for its parent itself
        if !matches!(verb, Verb::Fmu(_)) {
            end_with_parent();
        }
        let is_test = match verb {
            Verb::Plugin(arguments) => matches!(arguments.question, Question::Trial(_)),
            Verb::Fmu(_) => false,
            _ => true,
        };
        guard::name_crashes(if is_test { CrashReport::Call } else { CrashReport::Nothing });
        return Ok(());
    }
    guard::name_crashes(CrashReport::All);
    guard::report_exits();
    interrupt::listen()
}

/// Lets the system end this process together with its parent, which can end without doing so.
fn end_with_parent() {
    #[cfg(target_os = "linux")]
    // SAFETY: the call has no effect on memory.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
}

/// Returns whether this process tries the code of a plugin for another one.
fn is_child(verb: &Verb) -> bool {
    match verb {
        Verb::Plugin(arguments) => arguments.question.is_child(),
        Verb::Sweep(arguments) => arguments.is_child(),
        Verb::Fmu(arguments) => arguments.is_child(),
        _ => false,
    }
}

fn perform(verb: &Verb) -> Result<Code, Failure> {
    match verb {
        Verb::Run(arguments) => match arguments.varying.all() {
            Some(members) => ensemble::run(arguments, members),
            None => run::run(arguments),
        },
        Verb::Rerun(arguments) => rerun::rerun(arguments),
        Verb::Replay(arguments) => plugin::replay::replay(arguments),
        Verb::Play(arguments) => live::play(arguments),
        Verb::View(arguments) => view::view(arguments),
        Verb::ExportPage(arguments) => view::export_page(arguments),
        Verb::Page(arguments) => page::write(arguments),
        Verb::Top(arguments) => live::top(arguments),
        Verb::Check(arguments) => check::check(arguments),
        Verb::Test(arguments) => test::test(arguments),
        Verb::Quantities(arguments) => quantities::list(arguments),
        Verb::Streams(arguments) => streams::list(arguments),
        Verb::Ros2(arguments) => ros2::ask(arguments),
        Verb::Plot(arguments) => plot::plot(arguments),
        Verb::Film(arguments) => film::film(arguments),
        Verb::Report(arguments) => report::report(arguments),
        Verb::Print(arguments) => world_file::print(arguments),
        Verb::Sweep(arguments) => sweep::sweep(arguments),
        Verb::Diff(arguments) => diff::diff(arguments),
        Verb::Recover(arguments) => recover::recover(arguments),
        Verb::Export(arguments) => export::export(arguments),
        Verb::Fmu(arguments) => fmu::fmu(arguments),
        Verb::Sense(arguments) => sense::sense(arguments),
        Verb::Manoeuvre(arguments) => manoeuvre::drive(arguments),
        Verb::Vehicle(arguments) => vehicle::describe(arguments),
        Verb::Import(arguments) => import::import(arguments),
        Verb::Roads(arguments) => roads::show(arguments),
        Verb::Scenario(arguments) => scenario::run(arguments),
        Verb::Schema(arguments) => schema::schema(arguments),
        Verb::Plugin(arguments) => plugin::plugin(arguments, fmu::model_fmu),
        Verb::Demo(arguments) => new_world::demo(arguments),
        Verb::New(arguments) => new_world::write(arguments),
        Verb::Completions(arguments) => description::completions(arguments),
        Verb::Man(arguments) => description::manual(arguments),
    }
}
