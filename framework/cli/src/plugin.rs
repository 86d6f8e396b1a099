//! `simhost plugin`: finds plugins, tells what is in them, and begins new ones.

mod bench;
mod check;
mod doc;
mod document;
mod example;
mod info;
mod list;
pub mod new;
mod subject;

use crate::arguments::{Plugin, Question};
use crate::exit::{Code, Failure};

/// Answers a question about plugins.
pub fn plugin(arguments: &Plugin) -> Result<Code, Failure> {
    match &arguments.question {
        Question::List(arguments) => list::list(arguments),
        Question::Info(arguments) => info::info(arguments),
        Question::Doc(arguments) => doc::doc(arguments),
        Question::New(arguments) => new::new(arguments),
        Question::Check(arguments) => check::check(arguments),
        Question::Bench(arguments) => bench::bench(arguments),
        Question::Trial(arguments) => simhost_validator::perform(&arguments.job)
            .map(|()| Code::Done)
            .map_err(|error| Failure::new(Code::Output, error)),
        Question::Probe(arguments) => simhost_registry::try_files(&arguments.files)
            .map(|()| Code::Done)
            .map_err(|error| Failure::new(Code::Output, error)),
    }
}

/// Whether a word names a file and no class.
fn is_file(name: &std::path::Path) -> bool {
    name.to_string_lossy().ends_with(std::env::consts::DLL_SUFFIX) || name.is_file()
}

/// One JSON object with a line break at its end.
pub fn json(value: &impl serde::Serialize) -> String {
    let text = serde_json::to_string_pretty(value)
        .expect("pages have string keys, and their numbers are finite or null");
    text + "\n"
}

#[cfg(test)]
mod tests {
    use simhost_registry::{Catalogue, Options, descriptor};

    #[test]
    fn built_in_families_keep_the_rules_of_descriptors() {
        let catalogue = Catalogue::collect(Options::default()).unwrap();
        let plugins: Vec<_> = catalogue.libraries().iter().filter_map(|one| one.plugin).collect();
        assert_eq!(plugins.len(), 7);
        for plugin in plugins {
            assert_eq!(descriptor::check(plugin), Ok(()));
        }
    }
}
