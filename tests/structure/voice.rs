//! The prose of the pages and of the doc comments: its width, and constructions that read like a translation.
//!
//! Each area has a budget, the number of hits that are left. Lower it when you have removed some.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::source::{root, rust_files};

/// Columns of a line of prose in a page.
const WIDTH: usize = 100;

/// A construction, as words in lower case. `a|b` is either word, and a last word `.` the end of a clause.
struct Ruler {
    construction: &'static str,
    /// Phrases that contain the construction and are idiomatic.
    except: &'static [&'static str],
    instead: &'static str,
}

const fn ruler(construction: &'static str, instead: &'static str) -> Ruler {
    Ruler { construction, except: &[], instead }
}

const RULERS: &[Ruler] = &[
    Ruler {
        construction: "those|that of",
        except: &["those of us|you|them"],
        instead: "name the thing again",
    },
    ruler("the one|ones of|that|which|with|in|from", "name the thing again"),
    ruler("one of theirs|ours", "name the thing again"),
    ruler("of which|whom", "start a sentence, or use `whose`"),
    ruler("as many|much as", "name the number"),
    ruler("of its|their|his own .", "separate, its own …"),
    Ruler {
        construction: "is|are|was no",
        except: &["there is|are|was no", "is|are|was no longer"],
        instead: "is not a …",
    },
    ruler("as far as", "where, if"),
    ruler("nobody|somebody|anybody", "name the actor"),
    ruler("beside", "next to, in addition to"),
    ruler("stand|stands|stood in|behind|beside", "is stored in, represents"),
    ruler("tells|told", "reports, says"),
    ruler("go|goes|went|going on", "continues"),
    ruler("carry|carries|carried out", "applies, handles"),
    ruler("look|looks|looked around|whether", "polls, checks"),
    ruler("takes|take a look", "polls, checks"),
    ruler("ill will", "attack"),
    ruler("room|rooms|stage|stages|caretaker|rehearse|rehearses|parked", "space, pass, group, …"),
    ruler("at home", "local"),
    ruler("the way in which", "how"),
];

/// Hits that are left. Pages count all lines, folders with Rust files count doc comments.
const BUDGETS: &[(&str, usize)] = &[
    ("benches", 1),
    ("framework/assets", 0),
    ("framework/capi", 0),
    ("framework/cli", 0),
    ("framework/cosim", 0),
    ("framework/engine", 208),
    ("framework/families", 0),
    ("framework/fetch", 0),
    ("framework/files", 0),
    ("framework/fmi", 0),
    ("framework/fmu", 0),
    ("framework/gpu", 0),
    ("framework/live", 0),
    ("framework/mcap", 0),
    ("framework/model", 0),
    ("framework/pictures", 0),
    ("framework/python", 0),
    ("framework/record", 0),
    ("framework/sandbox", 0),
    ("framework/registry", 0),
    ("framework/ros2", 0),
    ("framework/runs", 0),
    ("framework/scene", 0),
    ("framework/sensing", 2),
    ("framework/services", 0),
    ("framework/simhost", 0),
    ("framework/streams", 0),
    ("framework/sweep", 0),
    ("framework/validator", 0),
    ("framework/web", 0),
    ("framework/world", 0),
    ("plugins", 0),
    ("sdk", 0),
    ("tests", 1),
    ("validation", 0),
];

/// Uses of "behind" in the pages, all of them for places; write "after" for sequences.
const BEHIND: usize = 13;

/// A word or the end of a clause, with its line.
struct Token {
    word: String,
    line: usize,
}

/// Returns the words of lines of prose without code, in lower case.
fn tokens<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Vec<Token> {
    let mut found = Vec::new();
    let mut add = |word: &str, line| found.push(Token { word: word.to_lowercase(), line });
    for (line, text) in lines {
        let outside =
            text.split('`').enumerate().map(|(k, part)| if k % 2 == 0 { part } else { "x" });
        let text: String = outside.collect();
        let mut word = String::new();
        for letter in text.chars().chain([' ']) {
            if letter.is_alphanumeric() || matches!(letter, '\'' | '’' | '-' | '_') {
                word.push(letter);
                continue;
            }
            if !word.is_empty() {
                add(&word, line);
                word.clear();
            }
            if matches!(letter, '.' | ',' | ';' | ':' | ')' | '|' | '?' | '!') {
                add(".", line);
            }
        }
        if text.trim().is_empty() {
            add(".", line);
        }
    }
    found
}

/// Returns whether the tokens from `at` on are a phrase.
fn is_at(tokens: &[Token], at: usize, phrase: &str) -> bool {
    let mut words = phrase.split(' ').enumerate();
    words.all(|(k, word)| {
        tokens.get(at + k).is_some_and(|token| word.split('|').any(|either| either == token.word))
    })
}

/// The rulers by the first word of their construction.
struct Rulers(BTreeMap<&'static str, Vec<&'static Ruler>>);

impl Rulers {
    fn new() -> Self {
        let mut first: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for ruler in RULERS {
            let word = ruler.construction.split(' ').next().unwrap();
            for either in word.split('|') {
                first.entry(either).or_default().push(ruler);
            }
        }
        Self(first)
    }

    /// Returns the lines with hits, each with its ruler.
    fn hits(&self, tokens: &[Token]) -> Vec<(usize, &'static Ruler)> {
        let inside = |at: usize, phrase: &str| {
            let words = phrase.split(' ').count();
            (at.saturating_sub(words)..=at).any(|start| is_at(tokens, start, phrase))
        };
        let mut hits = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let rulers = self.0.get(token.word.as_str()).into_iter().flatten();
            let found = rulers.filter(|ruler| is_at(tokens, at, ruler.construction));
            let found = found.filter(|ruler| !ruler.except.iter().any(|phrase| inside(at, phrase)));
            hits.extend(found.map(|ruler| (token.line, *ruler)));
        }
        hits
    }
}

/// Returns the lines of a page that are prose, with their numbers.
fn prose(page: &str) -> Vec<(usize, &str)> {
    let mut in_code = false;
    let lines = page.lines().enumerate().map(|(k, line)| (k + 1, line));
    let lines = lines.filter(|(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence && !line.starts_with("<!--")
    });
    lines.collect()
}

/// Returns the doc comments of a Rust file, without their code.
fn doc_comments(file: &str) -> Vec<(usize, &str)> {
    let mut in_code = false;
    let lines = file.lines().enumerate().map(|(k, line)| {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!"));
        (k + 1, text.unwrap_or_default())
    });
    let lines = lines.filter(|(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    });
    lines.collect()
}

/// Returns the hits of all rulers in a file.
fn found(rulers: &Rulers, path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let is_page = path.extension().is_some_and(|end| end == "md");
    let lines = if is_page { prose(&text) } else { doc_comments(&text) };
    let path = path.strip_prefix(root()).unwrap().display();
    let hits = rulers.hits(&tokens(lines.into_iter()));
    hits.into_iter()
        .map(|(line, Ruler { construction, instead, .. })| {
            format!("{path}:{line}: \"{construction}\"; instead: {instead}")
        })
        .collect()
}

/// Returns the pages of the book and of the repository.
fn pages() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("docs/src")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let pages = paths.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let mut pages: Vec<_> = pages.chain([root().join("README.md")]).collect();
    pages.sort();
    pages
}

#[test]
fn prose_has_no_foreign_constructions() {
    let (rulers, mut wrong) = (Rulers::new(), Vec::new());
    for (area, budget) in BUDGETS {
        let path = root().join(area);
        let files = if path.is_dir() { rust_files(&path) } else { vec![path] };
        let hits: Vec<String> = files.iter().flat_map(|file| found(&rulers, file)).collect();
        if hits.len() > *budget {
            wrong.push(format!("{area}: {} of {budget}\n{}", hits.len(), hits.join("\n")));
        }
    }
    let named = |page: &Path| BUDGETS.iter().any(|(area, _)| root().join(area) == page);
    let others = pages().into_iter().filter(|page| !named(page));
    wrong.extend(others.flat_map(|page| found(&rulers, &page)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn behind_is_a_place() {
    let mut hits = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let words = tokens(prose(&text).into_iter());
        let lines = words.iter().filter(|token| token.word == "behind").map(|token| token.line);
        hits.extend(lines.map(|line| format!("{}:{line}", page.display())));
    }
    assert!(hits.len() <= BEHIND, "more than {BEHIND} lines:\n{}", hits.join("\n"));
}

#[test]
fn prose_wraps_at_100_columns() {
    let mut wrong = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        let wide = prose(&text).into_iter().filter(|(_, line)| {
            // a table, a picture and a long link cannot be wrapped
            let can_wrap = line.trim().contains(' ') && !line.starts_with(['|', '!', '[']);
            can_wrap && line.chars().count() > WIDTH
        });
        wrong.extend(wide.map(|(line, _)| format!("{}:{line}", page.display())));
    }
    assert!(wrong.is_empty(), "wider than {WIDTH} columns:\n{}", wrong.join("\n"));
}

#[test]
fn rulers_find_what_they_describe() {
    let count = |text: &str| Rulers::new().hits(&tokens(text.lines().enumerate())).len();
    for found in [
        "The mass is that of the car.",
        "two lines, those\nof the axle",
        "Without it, that is no number.",
        "a thread of its own.",
        "as many as the buffer holds",
        "the one that `Host` makes",
    ] {
        assert_eq!(count(found), 1, "{found}");
    }
    for fine in [
        "The `that of` in code",
        "There is no\nnumber, and it is no longer used.",
        "of its own class",
        "those of you who",
        "That. Of course",
    ] {
        assert_eq!(count(fine), 0, "{fine}");
    }
}
