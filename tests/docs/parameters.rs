//! Tables of parameters in the pages agree with the reference page, which is generated.
//!
//! A comment begins a table, and `<!-- end -->` ends it:
//!
//! * `<!-- parameters: friction default -->` for all parameters of a class,
//! * `<!-- parameters: friction fiala c_slip u_min -->` for some of them,
//! * `<!-- parameters: dynamics ackermann <steering> -->` for a group of parameters,
//! * `<!-- parameters: dynamics delay_steer_vel|delay_steer_acc -->` for the parameters of several
//!   classes, with the classes that have them.

use super::pages;
use crate::support::golden;
use crate::support::projects::root;

const BEGIN: &str = "<!-- parameters: ";
const HEADER: [&str; 2] = ["| Name | Value | Default | Meaning |", "|---|---|---|---|"];

/// Returns the text about a class.
fn section<'r>(reference: &'r str, kind: &str, class: &str) -> Result<&'r str, String> {
    let heading = format!("\n## {kind} `{class}`\n");
    let (_, section) = reference.split_once(&heading).ok_or(format!("unknown {kind} {class}"))?;
    Ok(section.split("\n## ").next().unwrap_or_default())
}

/// Returns the rows of the parameters of some classes with the classes that have each of them.
fn table_of_classes(reference: &str, kind: &str, classes: &[&str]) -> Result<String, String> {
    let mut rows: Vec<(String, Vec<&str>)> = Vec::new();
    for class in classes {
        let section = section(reference, kind, class)?;
        let own = section.split("\nIn `<").next().unwrap_or_default();
        for row in own.lines().filter(|line| line.starts_with("| ")).skip(1) {
            // name, value and default
            let cells: Vec<&str> = row.split(" | ").take(3).collect();
            let row = cells.join(" | ");
            match rows.iter_mut().find(|(known, _)| *known == row) {
                Some((_, having)) => having.push(class),
                None => rows.push((row, vec![class])),
            }
        }
    }
    let mut text = "| Name | Value | Default | Classes |\n|---|---|---|---|\n".to_owned();
    for (row, having) in rows {
        let named = match having.len() {
            all if all == classes.len() => "all".to_owned(),
            _ => having.iter().map(|class| format!("`{class}`")).collect::<Vec<_>>().join(", "),
        };
        text += &format!("{row} | {named} |\n");
    }
    Ok(text)
}

/// Returns the table that the words of a marker ask for.
fn table(reference: &str, words: &str) -> Result<String, String> {
    let words: Vec<&str> = words.split_whitespace().collect();
    let [kind, class, names @ ..] = words.as_slice() else {
        return Err(format!("expected a kind and a class, found `{}`", words.join(" ")));
    };
    if class.contains('|') {
        return table_of_classes(reference, kind, &class.split('|').collect::<Vec<_>>());
    }
    let section = section(reference, kind, class)?;
    let (section, names) = match names {
        [group, names @ ..] if group.starts_with('<') => {
            let title = format!("\nIn `{group}`:\n");
            let found = section.split_once(&title).ok_or(format!("{class} has no {group}"))?;
            (found.1.split("\nIn `<").next().unwrap_or_default(), names)
        }
        names => (section.split("\nIn `<").next().unwrap_or_default(), names),
    };
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    let mut text = format!("{}\n{}\n", HEADER[0], HEADER[1]);
    let mut missing: Vec<&str> = names.to_vec();
    for row in rows {
        let named: Vec<&str> = row.split('|').nth(1).unwrap_or_default().split('`').collect();
        let plain = |name: &str| name.trim_matches(['<', '>']).replace("=\"…\"", "");
        let is_one = |name: &&str| named.iter().any(|cell| plain(cell) == **name);
        if names.is_empty() || names.iter().any(&is_one) {
            text += &format!("{row}\n");
            missing.retain(|name| !is_one(name));
        }
    }
    if missing.is_empty() { Ok(text) } else { Err(format!("{class} has no {missing:?}")) }
}

#[test]
fn tables_of_parameters_are_those_of_the_reference() {
    let folder = root().join("docs/src");
    let reference = std::fs::read_to_string(folder.join("world-reference.md")).unwrap();
    let mut tables = 0;
    for page in pages::book() {
        let path = folder.join(&page.name);
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let made = pages::renewed(&text, BEGIN, |words| table(&reference, words));
        let made = made.unwrap_or_else(|error| panic!("{}: {error}", page.name));
        tables += text.matches(BEGIN).count();
        golden::file(&path, &made);
        let stray = text.lines().any(|line| line.starts_with("| Parameter | Unit | Range |"));
        assert!(!stray, "{} has a table of parameters without a marker", page.name);
    }
    assert!(tables > 0, "no table was found");
}

#[test]
fn a_marker_that_names_nothing_is_an_error() {
    let reference = "\n## friction `a`\n\n| Name | Value | Default | Meaning |\n|---|---|---|---|\n\
                     | `mu` | number | 1 | Grip. |\n";
    assert!(
        table(reference, "friction a mu").unwrap().ends_with("| `mu` | number | 1 | Grip. |\n")
    );
    for words in ["friction", "friction b", "friction a nu", "friction a <mu>"] {
        assert!(table(reference, words).is_err(), "{words}");
    }
}
