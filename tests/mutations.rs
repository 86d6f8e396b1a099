//! Single changes to the projects of `simhost plugin new`: each one is noticed, or it is legitimate.
//!
//! The changes are in `tests/mutations/LANGUAGE-KIND.txt`. Each has a name after `##`, lines with `-`
//! that are replaced by the lines with `+` after them and, if nothing has to notice it, the reason
//! after `legitimate:`. `tests/mutations/table.md` lists where each change is noticed and the message;
//! with `UPDATE_EXPECT=1` it is written anew.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::support::SIMHOST;

const KINDS: [&str; 4] = ["friction", "dynamics", "controller", "sensor"];

/// Smallest number of changes to all projects.
const LEAST: usize = 60;

/// A change to the source of a project.
struct Mutation {
    name: String,
    /// Texts to replace, with their replacements.
    edits: Vec<(String, String)>,
    /// Reason why nothing has to notice it.
    legitimate: Option<String>,
}

impl Mutation {
    /// Reads the changes in a file.
    fn all(text: &str) -> Vec<Self> {
        format!("\n{text}").split("\n## ").skip(1).map(Self::parse).collect()
    }

    fn parse(part: &str) -> Self {
        let mut lines = part.lines();
        let name = lines.next().unwrap().to_owned();
        let (mut edits, mut legitimate) = (Vec::<(Vec<&str>, Vec<&str>)>::new(), None);
        for line in lines {
            let content = line.get(2..).unwrap_or("");
            match line.chars().next() {
                Some('-') => {
                    if edits.last().is_none_or(|(_, new)| !new.is_empty()) {
                        edits.push((Vec::new(), Vec::new()));
                    }
                    edits.last_mut().unwrap().0.push(content);
                }
                Some('+') => edits.last_mut().expect("a line with `-`").1.push(content),
                None => {}
                Some(_) => {
                    let reason = line.strip_prefix("legitimate: ");
                    legitimate = Some(reason.expect("a line with `legitimate:`").to_owned());
                }
            }
        }
        let edits = edits.into_iter().map(|(old, new)| (old.join("\n"), new.join("\n")));
        Self { name, edits: edits.collect(), legitimate }
    }

    /// Returns the changed source.
    fn apply(&self, source: &str) -> String {
        self.edits.iter().fold(source.to_owned(), |text, (old, new)| {
            assert_eq!(text.matches(old).count(), 1, "{}: `{old}` does not occur once", self.name);
            text.replace(old, new)
        })
    }
}

/// A project of `simhost plugin new`.
struct Project {
    language: &'static str,
    kind: &'static str,
    folder: PathBuf,
}

impl Project {
    fn new(language: &'static str, kind: &'static str) -> Self {
        let parent = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations").join(language);
        let name = format!("new_{kind}");
        let folder = parent.join(&name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&parent).unwrap();
        let words = ["plugin", "new", &name, "--kind", kind, "--lang", language];
        let output = run(SIMHOST, &parent, &words);
        assert!(output.status.success(), "{}", text(&output));
        std::fs::create_dir(folder.join("plugins")).unwrap();
        Self { language, kind, folder }
    }

    fn source(&self) -> PathBuf {
        self.folder.join(if self.language == "c" { "model.c" } else { "src/lib.rs" })
    }

    fn library(&self) -> PathBuf {
        let suffix = std::env::consts::DLL_SUFFIX;
        self.folder.join(format!("plugins/new_{}{suffix}", self.kind))
    }

    /// Compiles the source. Returns the message of the compiler if that fails.
    fn compile(&self) -> Result<(), String> {
        let library = self.library();
        // a mapped file must not be overwritten
        let _ = std::fs::remove_file(&library);
        if self.language == "c" {
            let words = ["-std=gnu99", "-O1", "-ffp-contract=off", "-Iinclude", "-shared", "-fPIC"];
            let place = library.to_str().unwrap();
            let words = [&words[..], &["-w", "model.c", "-o", place, "-lm"]].concat();
            let output = run("cc", &self.folder, &words);
            // the texts of C compilers differ
            return output.status.success().then_some(()).ok_or_else(|| "does not compile".into());
        }
        let output = run(env!("CARGO"), &self.folder, &["build", "--offline", "--color", "never"]);
        if !output.status.success() {
            let text = text(&output);
            let error = text.lines().find(|line| line.starts_with("error"));
            return Err(error.unwrap_or(&text).to_owned());
        }
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let built = target().join(format!("debug/{prefix}new_{}{suffix}", self.kind));
        std::fs::copy(built, library).unwrap();
        Ok(())
    }

    /// Returns the arguments that run or check the world of the project.
    fn world(&self) -> Vec<String> {
        let name = format!("new_{}", self.kind);
        let commands = format!("{name}.commands.csv");
        let mut words: Vec<String> = vec![format!("{name}.world.xml")];
        words.extend(["--plugin-dir", "plugins"].map(str::to_owned));
        if self.folder.join(&commands).is_file() {
            words.extend(["--commands".to_owned(), commands]);
        }
        words
    }

    /// Builds the source and uses it as a user would. Returns where a mistake is noticed, and the
    /// message.
    fn judge(&self) -> Option<(String, String)> {
        let found = |place: &str, message: String| Some((place.to_owned(), shortened(&message)));
        if let Err(message) = self.compile() {
            return found("compiler", message);
        }
        let library = self.library().to_str().unwrap().to_owned();
        let output = run(SIMHOST, &self.folder, &["plugin", "info", &library]);
        if !output.status.success() {
            return found("load", error(&output));
        }
        let world = self.world();
        let checked: Vec<&str> =
            ["check"].into_iter().chain(world[..3].iter().map(|w| &**w)).collect();
        let output = run(SIMHOST, &self.folder, &checked);
        if !output.status.success() {
            return found("world", error(&output));
        }
        let words = ["plugin", "check", &library, "--fuzz", "10", "--timeout", "2", "--json"];
        let output = run(SIMHOST, &self.folder, &words);
        if !output.status.success() {
            let (test, message) = first_failure(&output);
            // where an access outside of the columns ends depends on the layout of the process
            let is_wild = ["accesses value", "the process crashed"];
            if is_wild.iter().any(|sign| message.contains(sign)) {
                return found("plugin check", "an access outside of its columns".to_owned());
            }
            return found(&format!("plugin check, {test}"), message);
        }
        let words: Vec<&str> = world.iter().map(|word| &**word).collect();
        let output = run(SIMHOST, &self.folder, &words);
        if !output.status.success() {
            return found("run", error(&output));
        }
        let output = match self.language {
            "c" => {
                let words = ["-std=gnu99", "-Iinclude", "-w", "model.c", "tests/physics.c"];
                let words = [&words[..], &["-o", "physics", "-lm"]].concat();
                assert!(run("cc", &self.folder, &words).status.success());
                run("./physics", &self.folder, &[])
            }
            _ => run(env!("CARGO"), &self.folder, &["test", "--offline", "--test", "physics"]),
        };
        if output.status.success() { None } else { found("tests of the project", String::new()) }
    }
}

/// Returns the folder of compiled Rust projects, which share the SDK with projects of other tests.
fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("plugins")
}

fn run(program: &str, folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(words).current_dir(folder).env_remove("SIMHOST_PLUGIN_PATH");
    command.env("XDG_DATA_HOME", folder.join("data")).env("XDG_CACHE_HOME", folder.join("cache"));
    command.env("CARGO_TARGET_DIR", target()).env("NO_COLOR", "1");
    command.output().unwrap_or_else(|error| panic!("cannot run `{program}`: {error}"))
}

fn text(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + &text(&output.stderr)
}

/// Returns the first error in an output, or its first warning.
fn error(output: &Output) -> String {
    // a host must not fail, whatever a plugin does
    assert_ne!(output.status.code(), Some(101), "{}", text(output));
    let text = text(output);
    let line = |start: &str| text.lines().find_map(|line| line.strip_prefix(start));
    line("error: ").or_else(|| line("warning: ")).unwrap_or_else(|| text.trim()).to_owned()
}

/// Returns the first failed test of `plugin check`, and its message.
fn first_failure(output: &Output) -> (String, String) {
    let lines: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no report: {}", text(output)));
    let failed = lines.as_array().unwrap().iter().find(|line| line["outcome"] == "fail");
    let failed = failed.unwrap_or_else(|| panic!("no failure: {lines:#}"));
    let of = |key: &str| failed[key].as_str().unwrap_or_default().to_owned();
    (of("test"), of("what"))
}

/// Returns a message without paths and long numbers, which differ between machines.
fn shortened(message: &str) -> String {
    let mut line = message.lines().next().unwrap_or("").to_owned();
    let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).to_str().unwrap();
    while let Some(begin) = line.find(tree) {
        let end =
            line[begin..].find([':', ' ', '`', '\'', ')']).map_or(line.len(), |at| begin + at);
        line.replace_range(begin..end, "FILE");
    }
    // lines of the SDK move, and so do the numbers of a trace
    let cut = [(".rs:", " at "), ("of the trace", ": ")];
    for (sign, from) in cut {
        if let Some(begin) = line.find(from).filter(|_| line.contains(sign)) {
            line.truncate(begin);
        }
    }
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).count() > 6;
    let words = line.split(' ').map(|word| if digits(word) { "…" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Judges all changes to a project. Returns rows of the table, and changes that nothing notices.
fn rows(language: &'static str, kind: &'static str) -> (Vec<String>, Vec<String>) {
    let file = folder().join(format!("{language}-{kind}.txt"));
    let mutations = Mutation::all(&std::fs::read_to_string(file).unwrap());
    let project = Project::new(language, kind);
    let source = std::fs::read_to_string(project.source()).unwrap();
    let unchanged = project.judge();
    assert_eq!(unchanged, None, "{language} {kind}");
    let (mut rows, mut unnoticed) = (Vec::new(), Vec::new());
    for mutation in mutations {
        std::fs::write(project.source(), mutation.apply(&source)).unwrap();
        let noticed = project.judge();
        let name = format!("{language} {kind}: {}", mutation.name);
        let (place, message) = match (noticed, &mutation.legitimate) {
            (Some((place, message)), None) => (place, message),
            (Some((place, _)), Some(reason)) if place == "tests of the project" => {
                (place, format!("legitimate: {reason}"))
            }
            (None, Some(reason)) => ("nothing".to_owned(), format!("legitimate: {reason}")),
            (Some((place, message)), Some(_)) => {
                unnoticed.push(format!("{name}: listed as legitimate, but {place}: {message}"));
                continue;
            }
            (None, None) => {
                unnoticed.push(name.clone());
                ("nothing".to_owned(), String::new())
            }
        };
        // the tests of a project know its model; other tests have to find mistakes of any model
        if place == "tests of the project" && mutation.legitimate.is_none() {
            unnoticed.push(format!("{name} (only the tests of the project notice it)"));
        }
        let message = message.replace('|', "\\|").replace('<', "&lt;");
        rows.push(format!("| {language} {kind} | {} | {place} | {message} |", mutation.name));
    }
    (rows, unnoticed)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mutations")
}

#[test]
#[ignore = "takes minutes"]
fn every_single_mistake_is_noticed() {
    // projects in C beside those in Rust, which share the lock of their target folder
    let all = std::thread::scope(|scope| {
        let threads = ["c", "rust"]
            .map(|language| scope.spawn(move || KINDS.map(|kind| rows(language, kind))));
        threads.map(|thread| thread.join().unwrap())
    });
    let mut table = String::from(
        "# Single changes to the projects of `simhost plugin new`\n\n\
         `cargo test mutations -- --ignored` compares this table; `UPDATE_EXPECT=1` writes it.\n\n\
         | Project | Change | Noticed by | Message |\n|---|---|---|---|\n",
    );
    let (mut count, mut unnoticed) = (0, Vec::new());
    for (rows, missed) in all.into_iter().flatten() {
        count += rows.len();
        unnoticed.extend(missed);
        for row in rows {
            writeln!(table, "{row}").unwrap();
        }
    }
    let file = folder().join("table.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &table).unwrap();
    }
    assert!(unnoticed.is_empty(), "nothing notices:\n{}", unnoticed.join("\n"));
    assert!(count >= LEAST, "{count}");
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    // which test of `plugin check` is the first to notice undefined behaviour depends on the machine
    let essence = |line: &str| -> Vec<String> {
        let cells = line.split(" | ").take(3);
        cells.map(|cell| cell.split(',').next().unwrap_or_default().to_owned()).collect()
    };
    let lines = |text: &str| text.lines().map(essence).collect::<Vec<_>>();
    let (now, then) = (lines(&table), lines(&expected));
    let differs = now.iter().zip(&then).find(|(now, then)| now != then);
    assert!(now == then, "the table differs: {differs:#?}");
}

/// The edits of every change fit the projects, so that a change to a template shows at once.
#[test]
fn every_change_fits_its_project() {
    for language in ["c", "rust"] {
        for kind in KINDS {
            let file = folder().join(format!("{language}-{kind}.txt"));
            let folder = tempfile::tempdir().unwrap();
            let name = format!("new_{kind}");
            let words = ["plugin", "new", &name, "--kind", kind, "--lang", language];
            assert!(run(SIMHOST, folder.path(), &words).status.success());
            let source = if language == "c" { "model.c" } else { "src/lib.rs" };
            let source = std::fs::read_to_string(folder.path().join(name).join(source)).unwrap();
            for mutation in Mutation::all(&std::fs::read_to_string(file).unwrap()) {
                assert_ne!(mutation.apply(&source), source, "{}", mutation.name);
            }
        }
    }
}
