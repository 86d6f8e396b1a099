//! Links lead to files and headings that exist.

use std::collections::BTreeMap;
use std::path::Path;

use super::pages::{self, Page};

/// Returns the anchor of a heading, as mdBook and GitHub derive it.
fn anchor(heading: &str) -> String {
    let mut anchor = String::new();
    for c in heading.trim().to_lowercase().chars() {
        match c {
            c if c.is_alphanumeric() || c == '-' || c == '_' => anchor.push(c),
            ' ' => anchor.push('-'),
            _ => {}
        }
    }
    anchor
}

/// Returns the anchors of a page. Repeated headings are numbered.
fn anchors(page: &Page) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let headings = page.prose().filter_map(|line| {
        let text = line.trim_start_matches('#');
        (text.len() < line.len() && text.starts_with(' ')).then_some(text)
    });
    headings
        .map(|heading| {
            let anchor = anchor(&heading.replace(['`', '*'], ""));
            let count = seen.entry(anchor.clone()).or_default();
            *count += 1;
            if *count > 1 { format!("{anchor}-{}", *count - 1) } else { anchor }
        })
        .collect()
}

/// Returns the targets of the links in a line.
fn targets(line: &str) -> Vec<&str> {
    let starts = line.match_indices("](").map(|(at, _)| at + 2);
    starts.filter_map(|start| line[start..].split_once(')')).map(|(target, _)| target).collect()
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    let pages = pages::all();
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in &pages {
        for target in page.prose().flat_map(targets) {
            if target.contains("://") {
                continue;
            }
            count += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = page.path.parent().unwrap();
            let path = if file.is_empty() { page.path.clone() } else { folder.join(file) };
            let path = path.canonicalize().unwrap_or_else(|_| Path::new("missing").to_owned());
            let linked = pages.iter().find(|page| page.path == path);
            let has_anchor = anchor.is_empty()
                || linked.is_some_and(|page| anchors(page).iter().any(|one| one == anchor));
            if !path.exists() || !has_anchor {
                wrong.push(format!("{}: {target}", page.name));
            }
        }
    }
    assert!(count > 0, "no link was found");
    assert!(wrong.is_empty(), "links without a target: {wrong:#?}");
}

#[test]
fn every_page_is_in_the_summary() {
    let book = pages::book();
    let summary = book.iter().find(|page| page.name == "SUMMARY.md").unwrap();
    for page in book.iter().filter(|page| page.name != "SUMMARY.md") {
        assert!(summary.text.contains(&format!("({})", page.name)), "{}", page.name);
    }
}

#[test]
fn anchors_follow_headings() {
    assert_eq!(anchor(" Options of `run`, etc."), "options-of-run-etc");
    assert_eq!(targets("see [a](b.md#c) and [d](e)"), ["b.md#c", "e"]);
}
