//! Condenses lists of files that are not used, such as the build products in a plugin folder.

use std::collections::BTreeMap;

/// Number of files with the same sort of reason that are listed one by one in each folder.
const MAX_LISTED: usize = 5;

/// Returns the files to list one by one, and a line for each folder and sort of reason about the
/// remaining ones. `group` returns the folder of a file and the continuation of the line: "7 more
/// files in FOLDER …". With `all`, every file is listed.
pub fn condense<T>(
    files: impl IntoIterator<Item = T>,
    group: impl Fn(&T) -> (String, &'static str),
    all: bool,
) -> (Vec<T>, Vec<String>) {
    let mut counts: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
    let mut listed = Vec::new();
    for file in files {
        let count = counts.entry(group(&file)).or_default();
        *count += 1;
        if all || *count <= MAX_LISTED {
            listed.push(file);
        }
    }
    let more = counts.into_iter().filter(|(_, count)| !all && *count > MAX_LISTED);
    let line = |((folder, which), count)| {
        let more = count - MAX_LISTED;
        let noun = if more == 1 { "file" } else { "files" };
        format!("{more} more {noun} in {folder} {which}")
    };
    (listed, more.map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_files_of_a_group_are_listed_and_the_others_are_counted() {
        let files = ["a1", "b1", "a2", "a3", "a4", "a5", "a6", "a7", "b2"];
        let group = |file: &&str| (file[..1].to_owned(), "that are copies");
        let (listed, more) = condense(files, group, false);
        assert_eq!(listed, ["a1", "b1", "a2", "a3", "a4", "a5", "b2"]);
        assert_eq!(more, ["2 more files in a that are copies"]);
        let (listed, more) = condense(files, group, true);
        assert_eq!((listed.len(), more.len()), (9, 0));
    }
}
