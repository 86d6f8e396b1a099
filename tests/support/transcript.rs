//! Replays the commands and edits that a page of the book shows.
//!
//! A block ```` ```console ```` has lines `$ command`, each followed by its output. `…` stands for
//! any text within a line, and a line of `…` alone for any number of lines. A block ```` ```diff ````
//! starts with `--- FILE`; its lines with `-` are replaced by those with `+`. A comment
//! `<!-- file: FILE -->` writes the next block to a file, and `<!-- needs: COMMAND -->` skips the next
//! block if the command fails.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::SIMHOST;
use super::projects::root;

/// Replays a page of `docs/src` in a fresh folder with `simhost` on the path and links to `docs`, `sdk` and `worlds`.
/// Returns the folder and the commands that were run.
pub fn replay(page: &str, name: &str) -> (PathBuf, Vec<String>) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = target.join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join(".home")).unwrap();
    #[cfg(unix)]
    for name in ["docs", "sdk", "worlds"] {
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).unwrap();
    }
    let programs = Path::new(SIMHOST).parent().unwrap().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([programs].into_iter().chain(std::env::split_paths(&path)));
    let home = |name: &str| folder.join(".home").join(name).to_str().unwrap().to_owned();
    let environment = vec![
        ("PATH", path.unwrap().into_string().unwrap()),
        ("CARGO_NET_OFFLINE", "true".into()),
        // intermediate files of the SDK are shared with other tests
        ("CARGO_BUILD_BUILD_DIR", target.join("plugins").to_str().unwrap().to_owned()),
        ("XDG_DATA_HOME", home("data")),
        ("XDG_CACHE_HOME", home("cache")),
    ];
    let text = std::fs::read_to_string(root().join("docs/src").join(page)).unwrap();
    let mut replay = Replay::new(&folder, environment);
    replay.page(&text);
    (folder, replay.done)
}

/// Step of a page.
enum Step {
    Commands(String),
    Edit(String),
    /// Name and content of a file.
    File(String, String),
}

/// Replays pages in a folder.
struct Replay {
    folder: PathBuf,
    environment: Vec<(&'static str, String)>,
    /// Commands that were run, and reasons for blocks that were skipped.
    done: Vec<String>,
}

impl Replay {
    fn new(folder: &Path, environment: Vec<(&'static str, String)>) -> Self {
        Self { folder: folder.to_owned(), environment, done: Vec::new() }
    }

    /// Replays all blocks of a page.
    fn page(&mut self, text: &str) {
        let mut needed = None;
        for (need, step) in steps(text) {
            needed = need.or(needed.take());
            if let Some(command) = needed.take()
                && !self.shell(&command).0
            {
                self.done.push(format!("skipped: {command}"));
                continue;
            }
            match step {
                Step::Commands(block) => self.commands(&block),
                Step::Edit(block) => self.edit(&block),
                Step::File(name, block) => self.write(&name, &block),
            }
        }
    }

    fn commands(&mut self, block: &str) {
        for part in format!("\n{block}").split("\n$ ").skip(1) {
            let (command, expected) = part.split_once('\n').unwrap_or((part, ""));
            if let Some(folder) = command.strip_prefix("cd ") {
                self.folder = self.folder.join(folder);
                continue;
            }
            // a nested cargo would wait for the lock that this test holds
            assert!(!command.starts_with("cargo test -p"), "`{command}` cannot be replayed");
            let (succeeded, printed) = self.shell(command);
            assert!(succeeded, "`{command}` failed:\n{printed}");
            assert!(
                fits(&lines(expected), &lines(&printed)),
                "`{command}` printed\n{printed}\nthe page shows\n{expected}"
            );
            self.done.push(command.to_owned());
        }
    }

    fn edit(&mut self, block: &str) {
        let (head, body) = block.split_once('\n').unwrap();
        let path = self.folder.join(head.strip_prefix("--- ").expect("a diff names its file"));
        let side = |mark: char| {
            body.lines().filter_map(|line| line.strip_prefix(mark)).collect::<Vec<_>>().join("\n")
        };
        let (old, new) = (side('-'), side('+'));
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(&old).count(), 1, "{} does not have once:\n{old}", path.display());
        std::fs::write(&path, text.replace(&old, &new)).unwrap();
    }

    fn write(&self, name: &str, block: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("{block}\n")).unwrap();
    }

    /// Returns whether a command succeeded, and its output.
    fn shell(&self, command: &str) -> (bool, String) {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("{{ {command}\n}} 2>&1")).current_dir(&self.folder);
        shell.env_remove("SIMHOST_PLUGIN_PATH").envs(self.environment.iter().cloned());
        let output = shell.output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Returns the blocks of a page, each with the condition in front of it.
fn steps(text: &str) -> Vec<(Option<String>, Step)> {
    let mut found = Vec::new();
    let (mut need, mut file) = (None, None);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let comment =
            |begin: &str| Some(line.strip_prefix(begin)?.strip_suffix(" -->")?.to_owned());
        need = comment("<!-- needs: ").or(need);
        file = comment("<!-- file: ").or(file);
        let Some(language) = line.strip_prefix("```") else { continue };
        let block = lines.by_ref().take_while(|line| *line != "```").collect::<Vec<_>>().join("\n");
        match language {
            _ if file.is_some() => {
                let file = file.take().unwrap_or_default();
                found.push((need.take(), Step::File(file, block)));
            }
            "console" => found.push((need.take(), Step::Commands(block))),
            "diff" => found.push((need.take(), Step::Edit(block))),
            _ => {}
        }
    }
    found
}

fn lines(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim_end).collect()
}

/// Returns whether printed lines match those that a page shows.
fn fits(shown: &[&str], printed: &[&str]) -> bool {
    match (shown.split_first(), printed.split_first()) {
        (None, None) => true,
        (Some((&"…", rest)), _) => (0..=printed.len()).any(|skip| fits(rest, &printed[skip..])),
        (Some((line, shown)), Some((other, printed))) => {
            line_fits(line, other) && fits(shown, printed)
        }
        _ => false,
    }
}

fn line_fits(shown: &str, printed: &str) -> bool {
    let mut pieces = shown.split('…');
    let Some(mut rest) = printed.strip_prefix(pieces.next().unwrap_or("")) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    for piece in middle {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn a_block_below_a_comment_is_a_file() {
    let found = steps("<!-- file: a.csv -->\n\n```csv\n1,2\n```\n\n```console\n$ cat a.csv\n```\n");
    let [(None, Step::File(name, text)), (None, Step::Commands(_))] = found.as_slice() else {
        panic!("{} steps", found.len())
    };
    assert_eq!((name.as_str(), text.as_str()), ("a.csv", "1,2"));
}

#[test]
fn dots_stand_for_any_text_or_lines() {
    assert!(line_fits("a … b", "a long way to b") && line_fits("plain", "plain"));
    assert!(!line_fits("a … b", "a long way to c") && !line_fits("plain", "plainer"));
    assert!(fits(&["a", "…", "d"], &["a", "b", "c", "d"]) && fits(&["…"], &[]));
    assert!(!fits(&["a", "d"], &["a", "b", "d"]) && !fits(&["a"], &[]));
}
