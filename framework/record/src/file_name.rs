//! Derives file names from names in a world file, which can contain any characters.

use std::collections::HashSet;
use std::path::Path;

/// Longest name without the extension, in bytes. File systems allow 255.
const LONGEST: usize = 200;

/// Device names of Windows, which are reserved with any extension.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Assigns file names that are distinct even on file systems that ignore case.
#[derive(Default)]
pub(crate) struct FileNames {
    taken: HashSet<String>,
}

impl FileNames {
    /// Returns `<vehicle>.<sensor>.csv`, with a number appended if that name is taken.
    pub(crate) fn claim(&mut self, vehicle: &str, sensor: &str) -> String {
        self.claim_stem(stem(&format!("{vehicle}.{sensor}")), "csv")
    }

    /// Returns the name of a folder, `<vehicle>.<sensor>`, with a number appended if that name is taken.
    pub(crate) fn claim_folder(&mut self, vehicle: &str, sensor: &str) -> String {
        self.claim_name(stem(&format!("{vehicle}.{sensor}")))
    }

    /// Returns a name without an extension, with a number appended if it is taken.
    pub(crate) fn claim_name(&mut self, stem: String) -> String {
        let mut name = stem.clone();
        let mut copy = 2_usize;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{stem}-{copy}");
            copy += 1;
        }
        name
    }

    /// Returns the name of a file for a name in the world, with a number appended if it is taken.
    pub(crate) fn claim_as(&mut self, name: &str, extension: &str) -> String {
        self.claim_stem(stem(name), extension)
    }

    fn claim_stem(&mut self, stem: String, extension: &str) -> String {
        let mut name = format!("{stem}.{extension}");
        let mut copy = 2_usize;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{stem}-{copy}.{extension}");
            copy += 1;
        }
        name
    }
}

fn stem(name: &str) -> String {
    let mut stem: String = name.chars().map(allowed).collect();
    // a leading dot hides the file
    if stem.starts_with('.') {
        stem.replace_range(..1, "_");
    }
    if is_device(stem.split('.').next().unwrap_or_default()) {
        stem.insert(0, '_');
    }
    let mut len = stem.len().min(LONGEST);
    while !stem.is_char_boundary(len) {
        len -= 1;
    }
    stem.truncate(len);
    stem
}

/// Returns the name of a file or folder for a name in the world.
pub(crate) fn file_stem(name: &str) -> String {
    stem(name)
}

/// Returns the start of the names of the files of a vehicle's sensors, unless it is too long.
pub fn file_name_of(vehicle: &str) -> String {
    let stem = stem(&format!("{vehicle}."));
    stem.strip_suffix('.').unwrap_or(&stem).to_owned()
}

/// Returns the name of the folder of a sensor's readings.
pub fn folder_name_of(vehicle: &str, sensor: &str) -> String {
    stem(&format!("{vehicle}.{sensor}"))
}

fn allowed(c: char) -> char {
    match c {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        c if c.is_control() => '_',
        c => c,
    }
}

fn is_device(name: &str) -> bool {
    let name = name.trim_end().to_lowercase();
    let numbered = name.strip_prefix("com").or_else(|| name.strip_prefix("lpt"));
    RESERVED.contains(&name.as_str())
        || numbered.is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
}

/// Removes the samples of an earlier run from a folder. Files whose names are not a time in ns stay.
pub(crate) fn remove_samples(folder: &Path, suffix: &str) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let digits = name.strip_suffix(suffix).unwrap_or_default();
        if digits.len() == 19 && digits.bytes().all(|digit| digit.is_ascii_digit()) {
            // a file that stays is replaced, or has a time that this run does not reach
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FileNames;

    #[test]
    fn names_stay_inside_the_directory() {
        let mut names = FileNames::default();
        assert_eq!(names.claim("r1", "laser1"), "r1.laser1.csv");
        assert_eq!(names.claim("../../etc", "a\\b:c*d"), "_._.._etc.a_b_c_d.csv");
        assert_eq!(names.claim("..", ""), "_...csv");
        assert_eq!(names.claim("/abs", "x\0y\n"), "_abs.x_y_.csv");
        assert_eq!(names.claim("CON", "x"), "_CON.x.csv");
        assert_eq!(names.claim("com1", "x"), "_com1.x.csv");
        assert_eq!(names.claim("", ""), "_.csv");
    }

    #[test]
    fn names_stay_distinct() {
        let mut names = FileNames::default();
        let claimed = [
            names.claim("a", "laser"),
            names.claim("A", "Laser"),
            names.claim("a.b", "c"),
            names.claim("a", "b.c"),
            names.claim("a", "laser-2"),
            names.claim(&"ä".repeat(300), "x"),
            names.claim(&"ä".repeat(300), "y"),
        ];
        let distinct: std::collections::HashSet<_> =
            claimed.iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(distinct.len(), claimed.len(), "{claimed:?}");
        assert!(claimed.iter().all(|name| name.len() < 255), "{claimed:?}");
    }
}
