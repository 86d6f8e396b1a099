//! Pieces of world files with one entity.

use std::path::{Path, PathBuf};

use crate::desk::ServiceRefusal;

/// Largest size of a file with a piece, bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Result code of `SpawnEntity` for a resource that is not of a known form.
const UNSUPPORTED_FORMAT: u8 = 103;
/// Result code of `SpawnEntity` for a resource that cannot be read.
pub const PARSE_ERROR: u8 = 106;

/// Kinds of entities that can be spawned.
const KINDS: [&str; 3] = ["vehicle", "block", "actor"];

/// A piece of a world file with one entity.
pub struct Piece {
    /// The text.
    pub text: String,
    /// Kind of the entity.
    pub kind: &'static str,
    /// Place of the opening tag of the entity, from `<` to behind `>`.
    tag: std::ops::Range<usize>,
}

impl Piece {
    /// Makes an entity of a class, given as `vehicle:robot`.
    pub fn of_class(uri: &str) -> Result<Self, ServiceRefusal> {
        let parts = uri.split_once(':');
        let found =
            parts.and_then(|(kind, class)| Some((*KINDS.iter().find(|one| **one == kind)?, class)));
        let is_plain = |class: &str| !class.contains(['<', '>', '&', '"']);
        let Some((kind, class)) = found.filter(|(_, class)| is_plain(class)) else {
            let text = format!(
                "the URI is '{uri}'; expected a file or a class of the world, such as vehicle:robot"
            );
            return Err((UNSUPPORTED_FORMAT, text));
        };
        Self::of_text(&format!("<{kind} class=\"{class}\"></{kind}>"))
    }

    /// Reads a piece of a world file. Its relative paths start at the folder of the world.
    ///
    /// The file has to be below one of `folders`.
    pub fn of_file(uri: &str, folders: &[PathBuf]) -> Result<Self, ServiceRefusal> {
        let path = uri.strip_prefix("file://").unwrap_or(uri);
        if !simhost_files::is_below(Path::new(path), folders) {
            let text = format!(
                "cannot read {path}: clients can name files in the folder of the world only; see --client-files"
            );
            return Err((PARSE_ERROR, text));
        }
        let text = simhost_files::read_text(Path::new(path), MOST_BYTES)
            .map_err(|error| (PARSE_ERROR, format!("cannot read {path}: {error}")))?;
        Self::of_text(&text)
    }

    /// Finds the entity in a piece of a world file.
    pub fn of_text(text: &str) -> Result<Self, ServiceRefusal> {
        let refused = || {
            let text = "the text is not a piece of a world file that begins with <vehicle>, <block> or <actor>";
            (UNSUPPORTED_FORMAT, text.to_owned())
        };
        let start = first_tag(text).ok_or_else(refused)?;
        let rest = &text[start + 1..];
        let end_of_name = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == ':'));
        let name = &rest[..end_of_name.unwrap_or(rest.len())];
        let kind = KINDS.iter().find(|kind| **kind == name).ok_or_else(refused)?;
        let end = start + 1 + end_of_tag(rest).ok_or_else(refused)?;
        let mut piece = Self { text: text.to_owned(), kind, tag: start..end };
        if piece.text[piece.tag.clone()].ends_with("/>") {
            piece.text.replace_range(end - 2..end, &format!("></{kind}>"));
            piece.tag.end -= 1;
        }
        Ok(piece)
    }

    /// Returns the name of the entity for other services.
    pub fn entity(&self, name: &str) -> String {
        if self.kind == "vehicle" { name.to_owned() } else { format!("{}/{name}", self.kind) }
    }

    /// Returns the place of the value of an attribute of the opening tag.
    fn place_of(&self, name: &str) -> Option<std::ops::Range<usize>> {
        let tag = &self.text[self.tag.clone()];
        let mut at = tag.find(char::is_whitespace)?;
        loop {
            at += tag[at..].find(|letter: char| letter.is_alphabetic())?;
            let equals = at + tag[at..].find('=')?;
            let open = equals + tag[equals..].find(['"', '\''])?;
            let quote = tag[open..].chars().next()?;
            let close = open + 1 + tag[open + 1..].find(quote)?;
            if tag[at..equals].trim() == name {
                return Some(self.tag.start + open + 1..self.tag.start + close);
            }
            at = close + 1;
        }
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.place_of(name).map(|place| &self.text[place])
    }

    pub fn set_name(&mut self, name: &str) {
        let (place, value) = match self.place_of("name") {
            Some(place) => (place, name.to_owned()),
            None => {
                let at = self.tag.start + 1 + self.kind.len();
                (at..at, format!(" name=\"{name}\""))
            }
        };
        let before = self.text.len();
        self.text.replace_range(place, &value);
        self.tag.end = self.tag.end + self.text.len() - before;
    }

    /// Replaces the initial pose: x and y, m, and yaw, degrees.
    pub fn set_pose(&mut self, [x, y, yaw]: [f64; 3]) {
        for name in ["init_pose", "init_pose3d"] {
            let (open, close) = (format!("<{name}>"), format!("</{name}>"));
            let found = self.text.find(&open).zip(self.text.find(&close));
            if let Some((start, end)) = found.filter(|(start, end)| start < end) {
                self.text.replace_range(start..end + close.len(), "");
            }
        }
        self.text.insert_str(self.tag.end, &format!("<init_pose>{x} {y} {yaw}</init_pose>"));
    }
}

/// Returns the place of the first opening tag, behind declarations and comments.
fn first_tag(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('<')?;
        let rest = &text[at..];
        let end = match rest {
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<?") => "?>",
            _ => return Some(at),
        };
        at += rest.find(end)? + end.len();
    }
}

/// Returns the place behind the end of the tag that a text begins in. `>` can occur in values of attributes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::Piece;

    #[test]
    fn pieces_get_names_and_poses() {
        let mut piece = Piece::of_class("vehicle:robot").unwrap();
        assert_eq!((piece.attribute("class"), piece.attribute("name")), (Some("robot"), None));
        piece.set_name("r2");
        piece.set_pose([1.0, -2.5, 90.0]);
        let expected =
            "<vehicle name=\"r2\" class=\"robot\"><init_pose>1 -2.5 90</init_pose></vehicle>";
        assert_eq!(piece.text, expected);
        let text = "<?xml version=\"1.0\"?><!-- <block/> -->\n<block note='a > b' name = \"box\"/>";
        let mut piece = Piece::of_text(text).unwrap();
        assert_eq!(piece.attribute("name"), Some("box"));
        assert_eq!(piece.entity("box"), "block/box");
        piece.set_name("crate");
        piece.set_pose([0.0; 3]);
        assert!(
            piece.text.ends_with(
                "<block note='a > b' name = \"crate\"><init_pose>0 0 0</init_pose></block>"
            ),
            "{}",
            piece.text
        );
        let mut piece =
            Piece::of_text("<actor name='a'><init_pose>9 9 9</init_pose></actor>").unwrap();
        piece.set_pose([1.0, 2.0, 3.0]);
        assert_eq!(piece.text, "<actor name='a'><init_pose>1 2 3</init_pose></actor>");
    }

    #[test]
    fn other_texts_are_no_pieces() {
        for wrong in ["", "robot", "<robot/>", "<vehicle", "<!-- <vehicle/>", "<vehicle name=\"a"] {
            assert!(Piece::of_text(wrong).is_err(), "{wrong}");
        }
        assert!(Piece::of_class("vehicle:a\"b").is_err());
        assert!(Piece::of_class("package://robot.sdf").is_err());
        let folder = tempfile::tempdir().unwrap();
        let (file, folders) = (folder.path().join("a.xml"), [folder.path().join("worlds")]);
        std::fs::create_dir(&folders[0]).unwrap();
        std::fs::write(&file, "<block><mass>secret</mass></block>").unwrap();
        std::fs::copy(&file, folders[0].join("a.xml")).unwrap();
        let of_file =
            |path: std::path::PathBuf| Piece::of_file(&path.display().to_string(), &folders);
        assert!(of_file(folders[0].join("a.xml")).is_ok());
        for path in [file, folders[0].join("../a.xml"), "/etc/passwd".into(), "/nowhere.xml".into()]
        {
            let (code, text) = of_file(path.clone()).err().unwrap();
            assert!(code == super::PARSE_ERROR && text.contains("--client-files"), "{text}");
        }
    }
}
