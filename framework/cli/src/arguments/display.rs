//! Options of every verb that decide what is shown, and the arguments of the verbs that describe the program.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ColorChoice, ValueEnum};
use clap_complete::Shell;

/// Options of every verb that decide what is shown.
#[derive(Args, Clone, Copy, Debug)]
pub struct Display {
    /// Print results, warnings and errors, but no summary, progress or remarks.
    #[arg(short, long, global = true, display_order = 900)]
    pub quiet: bool,

    /// When to show colours. `auto` shows them on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", display_order = 901)]
    pub color: When,
}

/// When colours are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal.
    Auto,
    /// Always, also in files.
    Always,
    /// Never.
    Never,
}

impl When {
    /// Returns whether there are colours whatever the terminal, or `None` for `auto`.
    pub fn forced(self) -> Option<bool> {
        match self {
            Self::Auto => None,
            Self::Always => Some(true),
            Self::Never => Some(false),
        }
    }
}

/// Returns the number of words that are options of every verb, before the verb.
pub fn words_before_verb(words: &[OsString]) -> usize {
    let mut count = 0;
    while let Some(word) = words.get(count).and_then(|word| word.to_str()) {
        count += match word {
            "-q" | "--quiet" => 1,
            "--color" => 2,
            _ if word.starts_with("--color=") => 1,
            _ => break,
        };
    }
    count.min(words.len())
}

/// Returns the colours of help and of errors in the command line, for which it has not been parsed yet.
pub fn choice(words: &[OsString]) -> ColorChoice {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).collect();
    let after = words.iter().position(|word| *word == "--color").and_then(|at| words.get(at + 1));
    let joined = words.iter().find_map(|word| word.strip_prefix("--color="));
    match after.copied().or(joined) {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    }
}

/// Arguments of `simhost completions`.
#[derive(Args, Clone, Debug)]
pub struct Completions {
    /// Shell.
    pub shell: Shell,
}

/// Arguments of `simhost man`.
#[derive(Args, Clone, Debug)]
pub struct Man {
    /// Folder for one page per verb, such as `simhost-plot.1`; it is created.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_before_the_verb_are_skipped() {
        for (words, count) in [
            (&["run"][..], 0),
            (&["-q", "run"], 1),
            (&["--color", "never", "-q", "a.world.xml"], 3),
            (&["--color=never"], 1),
            (&["--color"], 1),
        ] {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            assert_eq!(words_before_verb(&words), count, "{words:?}");
        }
        let words = ["simhost", "--color=always"].map(OsString::from);
        assert_eq!(choice(&words), ColorChoice::Always);
    }
}
