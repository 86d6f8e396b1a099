//! `simhost plugin`: lists, describes, creates, tests and times plugins.

mod bench;
mod check;
mod doc;
mod document;
mod example;
mod info;
mod list;
pub mod new;
pub mod replay;
mod subject;

use crate::arguments::{Plugin, Question};
use crate::exit::{Code, Failure};

/// Runs a subcommand of `simhost plugin`.
pub fn plugin(arguments: &Plugin) -> Result<Code, Failure> {
    match &arguments.question {
        Question::List(arguments) => list::list(arguments),
        Question::Info(arguments) => info::info(arguments),
        Question::Doc(arguments) => doc::doc(arguments),
        Question::New(arguments) => new::new(arguments),
        Question::Check(arguments) => check::check(arguments),
        Question::Replay(arguments) => replay::replay(arguments),
        Question::Bench(arguments) => bench::bench(arguments),
        Question::Trial(arguments) => simhost_validator::perform(&arguments.job)
            .map(|()| Code::Done)
            .map_err(|error| Failure::new(Code::Output, error)),
        Question::Probe(arguments) => simhost_registry::try_files(&arguments.files)
            .map(|()| Code::Done)
            .map_err(|error| Failure::new(Code::Output, error)),
    }
}

/// Returns whether an argument names a file rather than a class.
fn is_file(name: &std::path::Path) -> bool {
    let is_library = name.to_string_lossy().ends_with(std::env::consts::DLL_SUFFIX);
    is_library || (name.is_file() && !is_python(name))
}

/// Returns whether an argument names a file with models in Python.
fn is_python(name: &std::path::Path) -> bool {
    name.extension().is_some_and(|extension| extension == "py")
}

/// Returns a value as JSON with a newline at the end.
pub fn json(value: &impl serde::Serialize) -> String {
    let text = serde_json::to_string_pretty(value)
        .expect("pages have string keys, and their numbers are finite or null");
    text + "\n"
}

#[cfg(test)]
mod tests {
    use simhost_registry::{Catalogue, Options, descriptor};

    #[test]
    fn descriptors_of_built_in_families_are_valid() {
        let catalogue = Catalogue::collect(Options::default()).unwrap();
        let plugins: Vec<_> = catalogue.libraries().iter().filter_map(|one| one.plugin).collect();
        assert_eq!(plugins.len(), 12 + usize::from(cfg!(feature = "learned")));
        for plugin in plugins {
            assert_eq!(descriptor::check(plugin), Ok(()));
        }
    }
}
